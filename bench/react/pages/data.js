import { mix, rowAt } from '../../harness/data.mjs';

export const rowsOf = (count) => Array.from({ length: count }, (_, index) => rowAt(index));

const USERS = 20;

function userAt(index) {
  return { id: `u${index}`, login: `user-${index}`, avatarUrl: `https://example.com/avatars/${mix(61, index)}.png` };
}

/** Returns an issue of a tracker, written by one of twenty users. Issues with a number below `open` are open. */
export function issueAt(index, open = Number.POSITIVE_INFINITY) {
  return {
    id: `i${index}`,
    title: `Issue ${index} of ${mix(62, index)}`,
    body: `Steps: ${mix(63, index)}, ${mix(64, index)}, ${mix(65, index)}.`,
    state: index < open ? 'open' : 'closed',
    comments: mix(66, index) % 40,
    createdAt: new Date(1.7e12 - index * 60_000).toISOString(),
    user: userAt(index % USERS),
  };
}

export const issuesOf = (count, open) => Array.from({ length: count }, (_, index) => issueAt(index, open));

/** Returns users with their posts, and posts with their authors, by their ids. */
export function graphOf(postCount, postsEach) {
  const userOf = (index) => `u${Math.floor(index / postsEach)}`;
  const posts = Array.from({ length: postCount }, (_, index) => ({
    id: `p${index}`,
    title: rowAt(index).title,
    author: userOf(index),
  }));
  const users = [];
  for (let at = 0; at * postsEach < postCount; at++) {
    const own = posts.slice(at * postsEach, (at + 1) * postsEach);
    users.push({ id: `u${at}`, name: `Name ${at}`, posts: own.map(({ id }) => id) });
  }
  return { users, posts };
}

/** A server that answers with JSON text, which is parsed at each answer, either at once or when `release` is called. */
export class Server {
  /** While it is set, answers wait for `release`. */
  isHolding = false;
  #texts = new Map();
  #held = [];

  /** Sets the answer to a request. */
  put(name, value) {
    this.#texts.set(name, JSON.stringify(value));
  }

  async get(name) {
    return JSON.parse(this.#texts.get(name));
  }

  /** Answers a change with the changed record. */
  async change(record) {
    const text = JSON.stringify(record);
    if (this.isHolding) await new Promise((resolve) => this.#held.push(resolve));
    return JSON.parse(text);
  }

  release() {
    for (const resolve of this.#held.splice(0)) resolve();
  }
}

/**
 * Makes the data of every row. Each record is a pure function of its index, so that a check can compute any record
 * without a copy of the response.
 */

/** Divides `entities` records into posts with five comments each, and users, which are a tenth of all. */
export function shapeOf(entities) {
  const users = entities / 10;
  const posts = (entities - users) / 6;
  return { entities, users, posts, comments: posts * 5 };
}

const WORDS = 'amber birch copper delta ember fjord grove harbor indigo juniper kelp lumen maple nectar onyx'.split(
  ' ',
);

/** Returns a 32-bit hash, which is the seed of all pseudo-random data. */
export function mix(seed, index) {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function words(seed, index, count) {
  let text = '';
  for (let at = 0; at < count; at++) text += `${WORDS[mix(seed + at, index) % WORDS.length]} `;
  return text + index;
}

const dateOf = (seed, index) => new Date(1.7e12 + (mix(seed, index) % 1e9)).toISOString();

function userAt(index) {
  return {
    id: `u${index}`,
    name: words(11, index, 2),
    username: `user_${index}`,
    email: `user${index}@example.com`,
    avatarUrl: `https://example.com/avatars/${mix(12, index)}.png`,
  };
}

function commentAt(index, shape) {
  return {
    id: `c${index}`,
    content: words(21, index, 5),
    createdAt: dateOf(22, index),
    likes: mix(23, index) % 100,
    // A stride that has no factor in common with the number of users reaches all of them.
    commenter: userAt((index * 7) % shape.users),
  };
}

export function postAt(index, shape) {
  return {
    id: `p${index}`,
    title: words(31, index, 4),
    body: words(32, index, 12),
    createdAt: dateOf(33, index),
    author: userAt(authorOf(index, shape)),
    comments: Array.from({ length: 5 }, (_, at) => commentAt(index * 5 + at, shape)),
  };
}

export const authorOf = (post, shape) => mix(34, post) % shape.users;

/** Returns the response of `GET /posts` as text. `typed` adds the `__typename` that GraphQL caches need. */
export function postsText(entities, { typed: types = false } = {}) {
  const shape = shapeOf(entities);
  const posts = Array.from({ length: shape.posts }, (_, index) => postAt(index, shape));
  return types ? JSON.stringify({ posts: posts.map(withTypes) }) : JSON.stringify(posts);
}

const typed = (__typename, record) => ({ __typename, ...record });

function withTypes(post) {
  const comments = post.comments.map((comment) =>
    typed('Comment', { ...comment, commenter: typed('User', comment.commenter) }),
  );
  return typed('Post', { ...post, author: typed('User', post.author), comments });
}

/** Returns a flat row, for lists and mounted readers. */
export function rowAt(index) {
  return {
    id: `r${index}`,
    title: words(41, index, 3),
    done: mix(42, index) % 2 === 0,
    rank: mix(43, index) % 1000,
    updatedAt: dateOf(44, index),
  };
}

/** Returns a currency. Its trading volume is in another table, under `<id>-USD`. */
export function currencyAt(index) {
  return { id: `x${index}`, name: words(51, index, 2), tier: index % 10 };
}

export function statsAt(index) {
  return { id: `x${index}-USD`, volume: volumeAt(index, 0), price: mix(53, index) % 500 };
}

/** Differs for each index, so that every order is unambiguous. */
export function volumeAt(index, turn) {
  return (mix(54 + turn, index) % 1_000_000) + index / 1_000_000;
}

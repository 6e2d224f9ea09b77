import { avg, collect, count, first, last, max, min, sum } from '../../src/define/query/aggregates.ts';
import { arg } from '../../src/define/query/argument.ts';
import { from } from '../../src/state/query/live-query.ts';
import { type Comment, Post, Tag, User } from './model.ts';

/** All records of each kind, in the order in which they came. */
export interface Tables {
  readonly posts: readonly Post[];
  readonly users: readonly User[];
  readonly comments: readonly Comment[];
  readonly tags: readonly Tag[];
  /** What a row refers to, whether or not that record is loaded. */
  readonly refs: (post: Post) => { readonly author: string | null; readonly tags: readonly string[] };
}

/** A query, what it is read with, and the same said with loops over plain arrays. */
export interface Case {
  readonly query: object;
  readonly args: readonly unknown[];
  readonly naive: (tables: Tables) => unknown;
}

type Order = (one: Post, other: Post) => number;

const byId: Order = (one, other) => (one.id < other.id ? -1 : 1);
const byVotes: Order = (one, other) => one.votes - other.votes || byId(one, other);
const byVotesDown: Order = (one, other) => other.votes - one.votes || byId(one, other);
const textOr = (text: string | null | undefined): string => text ?? '\uffff';
const byName: Order = (one, other) => compare(textOr(one.author?.name), textOr(other.author?.name)) || byId(one, other);
const byTitleThenVotes: Order = (one, other) =>
  compare(textOr(one.title), textOr(other.title)) || byVotesDown(one, other);
const timeOf = (post: Post): number => post.date?.getTime() ?? Number.POSITIVE_INFINITY;
const byDate: Order = (one, other) => compare(timeOf(one), timeOf(other)) || byId(one, other);

function compare<Value extends string | number>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function groups<Key, Value>(
  posts: readonly Post[],
  keyOf: (post: Post) => Key,
  valueOf: (key: Key, posts: readonly Post[]) => Value,
): Value[] {
  const keys = [...new Set(posts.map(keyOf))];
  return keys
    .sort((one, other) => compare(one as string, other as string))
    .map((key) =>
      valueOf(
        key,
        posts.filter((post) => keyOf(post) === key),
      ),
    );
}

const ofAuthor = ({ posts, refs }: Tables, id: string): Post[] => posts.filter((post) => refs(post).author === id);
const plain = (query: object, naive: Case['naive'], ...args: unknown[]): Case => ({ query, args, naive });

const posts = from(Post);
const ordered = posts.orderBy('votes', 'desc');
const ofTeam = posts.where((post: Post, { team }: { readonly team: string }) => post.author?.team === team);
const popular = posts.where({ votes: { gte: arg('least'), lt: 8 } });
const perAuthor = posts.groupBy((post) => post.author?.id ?? '', {
  posts: count(),
  drafts: count(({ isDraft }) => isDraft),
  votes: sum(({ votes }) => votes),
  mean: avg(({ votes }) => votes),
  least: min(({ votes }) => votes),
  most: max(({ title }) => title),
  ids: collect(({ id }) => id),
  first: first(({ id }) => id),
  last: last(({ id }) => id),
});

export const CASES: readonly Case[] = [
  plain(posts, (all) => all.posts),
  plain(posts.where({ isDraft: false }), (all) => all.posts.filter(({ isDraft }) => !isDraft)),
  plain(ordered, (all) => [...all.posts].sort(byVotesDown)),
  plain(ordered.limit(3), (all) => [...all.posts].sort(byVotesDown).slice(0, 3)),
  plain(posts.orderBy('votes').offset(2).limit(2), (all) => [...all.posts].sort(byVotes).slice(2, 4)),
  plain(posts.orderBy((post) => post.author?.name).limit(4), (all) => [...all.posts].sort(byName).slice(0, 4)),
  plain(posts.orderBy('title').orderBy('votes', 'desc'), (all) => [...all.posts].sort(byTitleThenVotes)),
  plain(posts.orderBy('date'), (all) => [...all.posts].sort(byDate)),
  plain(ordered.one(), (all) => [...all.posts].sort(byVotesDown)[0]),
  plain(posts.where({ isDraft: true }).count(), (all) => all.posts.filter(({ isDraft }) => isDraft).length),
  plain(posts.where({ votes: 3 }).exists(), (all) => all.posts.some(({ votes }) => votes === 3)),
  ...['red', 'blue'].map((team) =>
    plain(
      ofTeam.orderBy('votes').limit(3),
      (all) =>
        all.posts
          .filter((post) => post.author?.team === team)
          .sort(byVotes)
          .slice(0, 3),
      { team },
    ),
  ),
  ...[2, 5].map((least) =>
    plain(popular, (all) => all.posts.filter(({ votes }) => votes >= least && votes < 8), { least }),
  ),
  ...['u1', 'u2', 'u3'].flatMap((id) => [
    plain(User.posts, (all) => ofAuthor(all, id), id),
    plain(
      User.posts.where({ isDraft: false }).orderBy('votes').limit(2),
      (all) =>
        ofAuthor(all, id)
          .filter(({ isDraft }) => !isDraft)
          .sort(byVotes)
          .slice(0, 2),
      id,
    ),
    plain(posts.where({ author: arg('author') }), (all) => ofAuthor(all, id), { author: id }),
    plain(
      posts.where({ author: { in: ['u1', 'u2'] } }).count(),
      (all) => ofAuthor(all, 'u1').length + ofAuthor(all, 'u2').length,
    ),
  ]),
  ...['t1', 't2'].map((id) =>
    plain(Tag.posts, (all) => all.posts.filter((post) => all.refs(post).tags.includes(id)), id),
  ),
  ...[0, 3].map((votes) =>
    plain(posts.where({ votes: arg('votes') }), (all) => all.posts.filter((post) => post.votes === votes), { votes }),
  ),
  plain(perAuthor, (all) =>
    groups(
      all.posts,
      (post) => post.author?.id ?? '',
      (key, own) => ({
        key,
        posts: own.length,
        drafts: own.filter(({ isDraft }) => isDraft).length,
        votes: own.reduce((total, { votes }) => total + votes, 0),
        mean: own.reduce((total, { votes }) => total + votes, 0) / own.length,
        least: Math.min(...own.map(({ votes }) => votes)),
        most: own
          .map(({ title }) => title)
          .filter((title) => title !== null)
          .sort(compare)
          .at(-1),
        ids: own.map(({ id }) => id),
        first: own[0]?.id,
        last: own.at(-1)?.id,
      }),
    ),
  ),
  plain(
    perAuthor
      .where({ posts: { gt: 1 } })
      .orderBy('votes', 'desc')
      .select(({ key }) => key)
      .limit(2),
    (all) =>
      groups(
        all.posts,
        (post) => post.author?.id ?? '',
        (key, own) => ({ key, own: own.length, votes: own.reduce((total, { votes }) => total + votes, 0) }),
      )
        .filter(({ own }) => own > 1)
        .sort((one, other) => other.votes - one.votes || compare(one.key, other.key))
        .map(({ key }) => key)
        .slice(0, 2),
  ),
  plain(ordered.select(({ id, author }) => ({ id, name: author?.name })).limit(3), (all) =>
    [...all.posts]
      .sort(byVotesDown)
      .slice(0, 3)
      .map(({ id, author }) => ({ id, name: author?.name })),
  ),
];

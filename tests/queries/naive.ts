import type { Entity } from '../../src/define/schema/entity.ts';
import type { Comment, Grade, Post, Remark, Tag, User } from './model.ts';

/** All records of each kind, in the order of their arrival. */
export interface Tables {
  readonly posts: readonly Post[];
  readonly users: readonly User[];
  readonly comments: readonly Comment[];
  readonly tags: readonly Tag[];
  readonly remarks: readonly Remark[];
  /** The members of the collection, in its order. */
  readonly listed: readonly Post[];
  readonly grades: readonly Grade[];
  /** The references of a row, whether or not the records are loaded. */
  /** The pk of the user of a comment. The comment may have its temporary pk. */
  readonly userOf: (comment: Comment) => string;
  readonly aboutOf: (remark: Remark) => string | undefined;
  readonly refs: (post: Post) => { readonly author: string | null; readonly tags: readonly string[] };
}

/** A query, its arguments, and the same computation with loops over plain arrays. */
export interface Case {
  readonly query: object;
  readonly args: readonly unknown[];
  readonly naive: (tables: Tables) => unknown;
  /** The records that it reads. */
  readonly of: 'posts' | 'users' | 'comments' | 'remarks' | 'listed' | 'grades';
}

export type Order = (one: Post, other: Post) => number;

export const byId: Order = (one, other) => (one.id < other.id ? -1 : 1);
export const byVotes: Order = (one, other) => one.votes - other.votes || byId(one, other);
export const byVotesDown: Order = (one, other) => other.votes - one.votes || byId(one, other);
export const textOr = (text: string | null | undefined): string => text ?? '\uffff';
export const byName: Order = (one, other) =>
  compare(textOr(one.author?.name), textOr(other.author?.name)) || byId(one, other);
export const byTitleThenVotes: Order = (one, other) =>
  compare(textOr(one.title), textOr(other.title)) || byVotesDown(one, other);
export const byNoTitleThenVotes: Order = (one, other) =>
  compare(Number(one.title !== null), Number(other.title !== null)) || byTitleThenVotes(one, other);
export const hasDate = ({ date }: Post): boolean => !Number.isNaN(date?.getTime() ?? Number.NaN);
export const timeOf = (post: Post): number => (hasDate(post) ? Number(post.date) : Number.POSITIVE_INFINITY);
export const byDate: Order = (one, other) => compare(timeOf(one), timeOf(other)) || byId(one, other);
export const byDateDown: Order = (one, other) =>
  Number(hasDate(other)) - Number(hasDate(one)) || compare(timeOf(other), timeOf(one)) || byId(one, other);

export function compare<Value extends string | number>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function groups<Item, Key, Value>(
  posts: readonly Item[],
  keyOf: (post: Item) => Key,
  valueOf: (key: Key, posts: readonly Item[]) => Value,
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

export const ofAuthor = ({ posts, refs }: Tables, id: string): Post[] =>
  posts.filter((post) => refs(post).author === id);
export const byLikes = (one: Comment, other: Comment): number =>
  other.likes - one.likes || (one.id < other.id ? -1 : 1);
export const sorted = (all: Tables, order: Order): Post[] => [...all.posts].sort(order);

/** Every pair of a post and one of its comments. */
export function pairs(all: readonly Post[], comments: readonly Comment[]): (readonly [Post, Comment])[] {
  return all.flatMap((post) => comments.filter(({ postId }) => postId === post.id).map((one) => [post, one] as const));
}

export const likedFrom = (all: Tables, least: number, most: number): Comment[] =>
  all.comments.filter(({ likes }) => likes >= least && likes <= most);

export const postOf = ({ posts: all }: Tables, { postId }: Comment): Post | undefined =>
  all.find(({ id }) => id === postId);
export const discussionOf = (all: Tables, { id }: Post): Comment[] =>
  all.comments.filter(({ postId }) => postId === id);
export const draftsOf = (all: Tables, { id }: User): Post[] =>
  ofAuthor(all, id)
    .filter(({ isDraft }) => isDraft)
    .sort(byVotes)
    .slice(0, 2);

export const mentionsOf = ({ remarks, aboutOf }: Tables, schema: string, id: string): Remark[] =>
  remarks.filter((remark) => aboutOf(remark) === `${schema} ${id}`);
export const isThere = <Value>(value: Value | undefined): value is Value => value !== undefined;

export function aboveOf({ comments: all }: Tables, id: string): Comment[] {
  const found: Comment[] = [];
  for (let at = all.find((one) => one.id === id); at !== undefined;) {
    const { parentId }: Comment = at;
    at = all.find((one) => one.id === parentId && one.id !== id && !found.includes(one));
    if (at !== undefined) found.push(at);
  }
  return found;
}

export function belowOf({ comments: all }: Tables, start: string): Comment[] {
  const found: Comment[] = [];
  for (let level = [start]; level.length > 0;) {
    const parents = level;
    const next = parents.flatMap((parent) => all.filter(({ parentId }) => parentId === parent));
    const added = [...new Set(next)].filter((one) => one.id !== start && !found.includes(one));
    found.push(...added);
    level = added.map(({ id }) => id);
  }
  return found;
}

export const titled = (post: Post): number => {
  if (post.title === null) throw new TypeError(`Post ${post.id} has no title.`);
  return post.title.length;
};
export const dated = (all: Tables, start: string, end: string): Post[] =>
  all.posts.filter((post) => hasDate(post) && timeOf(post) >= Date.parse(start) && timeOf(post) < Date.parse(end));

export function subjectOf({ posts, users }: Tables, { kind, subjectId }: Remark): Post | User | undefined {
  const some: readonly (Post | User)[] = kind === 'user' ? users : kind === 'post' ? posts : [];
  return some.find(({ id }) => id === subjectId);
}

/** Compares values in the order: false and true, numbers, texts, and missing values last. */
function rankOf(value: unknown): number {
  if (isNothing(value)) return 4;
  return typeof value === 'boolean' ? 1 : typeof value === 'string' ? 3 : 2;
}

export function isNothing(value: unknown): boolean {
  return value === null || value === undefined || Number.isNaN(value);
}

export function byValue(one: unknown, other: unknown): number {
  const rank = rankOf(one);
  return rank - rankOf(other) || (rank === 4 ? 0 : compare(primitive(one), primitive(other)));
}

function primitive(value: unknown): number {
  return (value instanceof Date ? value.getTime() : value) as number;
}

/** `1` and `'1'` are two values, and so are `1` and `1n`. 0 and -0 are one. */
export function isEqual(one: unknown, other: unknown): boolean {
  return one === other;
}

/** A join treats 1 and the text 1 as one key, and has no key for a missing value. */
export function isJoined(one: unknown, other: unknown): boolean {
  return !isNothing(one) && !isNothing(other) && String(one) === String(other);
}

export function gradesInOrder({ grades }: Tables, sign: 1 | -1, nothing: 1 | -1): Grade[] {
  return [...grades].sort((one, other) => {
    const isLess = Number(isNothing(one.points)) - Number(isNothing(other.points));
    return isLess * nothing || sign * byValue(one.points, other.points) || compare(one.pk(), other.pk());
  });
}

const records = new WeakMap<object, Entity>();

/** A record with relations beside it. */
export function beside(record: Entity, relations: object): object {
  const whole = Object.assign({}, record, relations);
  records.set(whole, record);
  return whole;
}

/** The record with its relations beside it. */
export function recordIn(whole: object): Entity | undefined {
  return records.get(whole);
}

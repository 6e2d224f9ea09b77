import type { Controller, Snapshot } from 'rejoin';
import type { Random } from '../oracle/random.ts';
import type { AnyEndpoint } from './endpoints.ts';
import type { Model } from './model.ts';

/** Returns whether a probe reads users as another class of their table. */
export const isOfOtherClass = (name: string): boolean => /Detail|Summary/.test(name);

/** The readers of a program. */
export interface Present {
  readonly model: Model;
  readonly isMixed: boolean;
  endpoint(name: string): AnyEndpoint;
}

/** The object that reads: a controller, or a state. */
export type Reader = Controller | Snapshot;

/** The same object, without the types of schemas and endpoints. */
interface LooseReader {
  get(schema: never, ...args: readonly never[]): unknown;
  getResponseMeta(endpoint: never, ...args: readonly never[]): { readonly data: unknown };
}

/** A read with the current classes: a step may replace a class by another one. */
export interface BoundRead {
  readonly name: string;
  readonly schema: unknown;
  readonly args: readonly unknown[];
  readonly endpoint?: AnyEndpoint;
  of(reader: Reader): unknown;
}

/** Describes a read of a queryable. Its classes are chosen when it runs. */
export interface Probe {
  readonly name: string;
  readonly args: readonly unknown[];
  schemaOf(model: Model): unknown;
}

const probe = (name: string, schemaOf: (model: Model) => unknown, ...args: readonly unknown[]): Probe => ({
  name: `${name}(${args.map((each) => JSON.stringify(each)).join()})`,
  schemaOf,
  args,
});

const pks = ['1', '2', '3'];

/** The reads that are checked after a step: each kind of queryable, with few arguments. */
const probes: readonly Probe[] = [
  ...pks.flatMap((id) => [probe('User', (model) => model.User, { id }), probe('Post', (model) => model.Post, { id })]),
  probe('UserSummary', (model) => model.UserSummary, { id: '1' }),
  probe('UserDetail', (model) => model.UserDetail, { id: '1' }),
  probe('UserDetail', (model) => model.UserDetail, { id: '2' }),
  probe('User', (model) => model.User, { email: '1@q' }),
  probe('Team', (model) => model.Team, { id: '1' }),
  probe('Team', (model) => model.Team, { id: '2', currency: 'EUR' }),
  probe('Comment', (model) => model.Comment, { id: '1' }),
  probe('Note', (model) => model.Note, { slug: 'n1', lang: 'en' }),
  probe('Video', (model) => model.Video, { id: '2' }),
  probe('media', (model) => model.media, { type: 'photo', id: '1' }),
  probe('users', (model) => model.users),
  probe('posts', (model) => model.posts),
  probe('posts', (model) => model.posts, { authorId: '1' }),
  probe('board', (model) => model.board),
  probe('album', (model) => model.album),
  probe('allUsers', (model) => model.allUsers),
  probe('allMedia', (model) => model.allMedia),
  probe('allNotes', (model) => model.allNotes),
  probe('names', (model) => model.names, { start: '' }),
  probe('names', (model) => model.names, { start: 'a' }),
  probe('firstTitle', (model) => model.firstTitle),
  probe('ofTeam', (model) => model.ofTeam, { id: '1' }),
  probe('authorsOf', ({ live }) => live.authorsOf, '1'),
  probe('above', ({ live }) => live.above, '1'),
  probe('below', ({ live }) => live.below, '1'),
  probe('postsOf', ({ live }) => live.postsOf, '1'),
  probe('postsOf', ({ live }) => live.postsOf, '2'),
  probe('newest', ({ live }) => live.newest),
  probe('named', ({ live }) => live.named, { name: 'a' }),
  probe('nameOf', ({ live }) => live.nameOf),
  probe('howMany', ({ live }) => live.howMany),
  probe('perAuthor', ({ live }) => live.perAuthor),
  probe('pairs', ({ live }) => live.pairs),
  probe('titles', ({ live }) => live.titles),
  probe('authorOf', ({ live }) => live.authorOf, { authorId: '1' }),
  probe('whole', ({ live }) => live.whole),
  probe('lazyMembers', (model) => model.lazyMembers.query, ['1', '2']),
];

const requests: readonly (readonly [name: string, ...args: readonly unknown[]])[] = [
  ['getUser', { id: '1' }],
  ['getUserSummary', { id: '1' }],
  ['getUserDetail', { id: '1' }],
  ['getUser', { id: '2' }],
  ['getUserDetail', { id: '2' }],
  ['listUsers'],
  ['listDetails'],
  ['getUsers'],
  ['getPosts'],
  ['getPosts', { authorId: '1' }],
  ['getFeed'],
  ['getMedia', { type: 'photo', id: '1' }],
  ['getAlbum'],
  ['getBoard'],
  ['getByName'],
  ['getPlain'],
];

/** All reads that are checked after a step, of queryables and of answers. */
export function bindReads(world: Present): readonly BoundRead[] {
  const isRead = (name: string): boolean => world.isMixed || !isOfOtherClass(name);
  return [
    ...probes
      .filter(({ name }) => isRead(name))
      .map(({ name, args, schemaOf }) => {
        const schema = schemaOf(world.model);
        return {
          name,
          schema,
          args,
          of: (reader: Reader) => (reader as unknown as LooseReader).get(schema as never, ...(args as never[])),
        };
      }),
    ...requests
      .filter(([name]) => isRead(name))
      .map(([name, ...args]) => {
        const endpoint = world.endpoint(name);
        return {
          name: `${name}(${args.map((each) => JSON.stringify(each)).join()})`,
          schema: endpoint.schema,
          args,
          endpoint,
          of: (reader: Reader) =>
            (reader as unknown as LooseReader).getResponseMeta(endpoint as never, ...(args as never[])).data,
        };
      }),
  ];
}

export function drawProbe(world: Present, random: Random): Probe {
  const drawn = random.pick(probes);
  return world.isMixed || !isOfOtherClass(drawn.name) ? drawn : (probes[0] as Probe);
}

const circle: { self?: unknown; size: number } = { size: 1 };
circle.self = circle;

/** Arguments that JSON cannot represent, or represents by the same text. */
export const oddArguments: readonly unknown[] = [
  1,
  '1',
  true,
  'true',
  null,
  'null',
  undefined,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  'NaN',
  '',
  0,
  1n,
  '1n',
  new Date(5),
  new Date(5).toJSON(),
  5,
  new Date(Number.NaN),
  new Set([1]),
  new Set([2]),
  new Set(['1']),
  new Map([[1, 2]]),
  new Map([[1, 3]]),
  [],
  {},
  [1],
  ['1'],
  [[1]],
  { a: 1 },
  { a: '1' },
  { a: { b: 1 } },
  { a: [1] },
  { a: undefined },
  { a: new Date(5) },
  { a: Number.NaN },
  { a: null },
  { a: new Set([1]) },
  { a: new Set([2]) },
  [undefined],
  [null],
  [Number.NaN],
  circle,
  { toJSON: 1 },
  new Uint8Array([1]),
  new Uint8Array([2]),
  /a/,
  /b/,
  Symbol.for('a'),
  Symbol.for('b'),
];

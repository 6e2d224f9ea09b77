import { Endpoint, type SnapshotInterface } from 'rejoin';
import type { Random } from '../oracle/random.ts';
import type { Model } from './model.ts';
import { type Draw, draws } from './rows.ts';

/** The members of an endpoint that the programs use. */
export interface AnyEndpoint {
  (...args: readonly unknown[]): Promise<unknown>;
  key(...args: readonly unknown[]): string;
  readonly schema?: unknown;
  readonly sideEffect?: boolean;
}

export interface Described {
  readonly name: string;
  readonly endpoint: AnyEndpoint;
  readonly draw: Draw;
  drawArgs(random: Random): readonly unknown[];
}

/** Starts a request to the fake server. A later step answers it. */
export type Send = (name: string, draw: Draw, args: readonly unknown[]) => Promise<unknown>;

const pk = (random: Random): { id: string } => ({ id: String(1 + random.below(3)) });
const byPk = (random: Random): readonly unknown[] => [pk(random)];
const none = (): readonly unknown[] => [];
const filtered = (random: Random): readonly unknown[] =>
  random.chance(0.4)
    ? []
    : [{ ...(random.chance(0.7) ? { authorId: String(1 + random.below(2)) } : { page: random.below(2) }) }];

/** The endpoints of a program: reads of every kind of schema, several classes for one address, mutations. */
export function makeEndpoints(model: Model, send: Send): readonly Described[] {
  const made: Described[] = [];
  const add = (
    name: string,
    schema: unknown,
    draw: Draw,
    drawArgs: Described['drawArgs'],
    options: object = {},
  ): void => {
    const endpoint = new Endpoint((...args: readonly unknown[]) => send(name, draw, args), {
      name,
      ...(schema === undefined ? {} : { schema }),
      ...options,
    } as never) as unknown as AnyEndpoint;
    made.push({ name, endpoint, draw, drawArgs });
  };
  addReads(add, model);
  addMutations(add, model);
  return made;
}

type Add = (name: string, schema: unknown, draw: Draw, drawArgs: Described['drawArgs'], options?: object) => void;

function addReads(add: Add, model: Model): void {
  const userKey = { key: ({ id }: { id: string }) => `GET /users/${id}` };
  add('getUser', model.User, draws.user, byPk, userKey);
  add('getUserSummary', model.UserSummary, draws.userDetail, byPk, userKey);
  add('getUserDetail', model.UserDetail, draws.userDetail, byPk, userKey);
  const listKey = { key: () => 'GET /users', dataExpiryLength: 1000 };
  add('listUsers', [model.User], draws.users, none, listKey);
  add('listDetails', [model.UserDetail], draws.userDetails, none, listKey);
  add('getUsers', model.users, draws.users, none, { dataExpiryLength: 10 ** 9 });
  add('getPosts', model.posts, draws.posts, filtered);
  add('getFeed', model.feed, draws.feed, none, { dataExpiryLength: 0 });
  add('getMedia', model.media, draws.medium, (random) => [{ type: random.pick(['photo', 'video']), ...pk(random) }]);
  add('getAlbum', model.album, draws.media, filtered, { invalidIfStale: true });
  add('getBoard', model.board, draws.notesByName, none);
  add('getByName', model.usersById, draws.usersByName, none, { errorPolicy: () => 'soft' });
  add('getPlain', undefined, draws.plain, filtered);
}

function addMutations(add: Add, model: Model): void {
  const change = { sideEffect: true };
  add('patchUser', model.User, draws.user, byPk, {
    ...change,
    getOptimisticResponse: (snapshot: SnapshotInterface, { id }: { id: string }) => {
      const before = snapshot.get(model.User, { id }) as { name: string } | undefined;
      if (before === undefined) throw snapshot.abort;
      return { id, name: before.name === 'a' ? 'b' : `${before.name}!`.slice(0, 3) };
    },
  });
  add('createUser', model.users.push, draws.user, none, {
    ...change,
    getOptimisticResponse: () => ({ name: 'new' }),
  });
  add('createPost', model.posts.unshift, draws.post, filtered, {
    ...change,
    getOptimisticResponse: () => ({ title: 'new', author: { id: '1' } }),
  });
  add('deleteUser', model.deleteUser, draws.userPk, byPk, {
    ...change,
    getOptimisticResponse: (_snapshot: unknown, { id }: { id: string }) => id,
  });
  add('deleteMedia', model.deleteMedia, draws.mediumRef, none, change);
  add('assignNote', model.board.assign, draws.notesByName, none, change);
  add('removeUser', model.users.remove, draws.user, none, change);
  add('moveMedia', model.album.move, draws.medium, filtered, change);
  add('putOnTop', model.usersOnTop, draws.user, none, {
    ...change,
    update: (stored: unknown) => ({ 'GET /users': (before: readonly unknown[] = []) => [stored, ...before] }),
  });
}

import { describe, expect, test } from 'vitest';
import { Controller, Entity, resource } from '../../src/index.ts';
import { User } from '../model.ts';
import { settled } from '../reliability/network/clock.ts';
import { type Call, Transport } from './transport.ts';

class Post extends Entity {
  id = '';
  title = '';
  author?: User = undefined;
  readers: readonly User[] = [];
  static override key = 'PostOfUsers';
  static override schema = { author: User, readers: [User] };
}

type World = Awaited<ReturnType<typeof shown>>;

/** A list of users, and a list with one post, which user 1 has written. */
async function shown() {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const options = { platform: transport, optimistic: true } as const;
  const posts = resource({ path: '/posts/:id', schema: Post, ...options });
  const users = resource({ path: '/users/:id', schema: User, ...options });
  const server = { names: ['', 'first', 'second'], posts: [{ id: '5', title: '', author: 1, readers: [2] }] };
  controller.watch(posts.getList, () => {});
  controller.watch(users.getList, () => {});
  const world = { controller, posts, server, transport, users };
  await controller.setResponse(users.getList, usersOf(world));
  await controller.setResponse(posts.getList, postsOf(world));
  return world;
}

type Data = Pick<World, 'server'>;
const userOf = ({ server }: Data, id: number) => ({ id: String(id), name: server.names[id] as string });
const usersOf = (world: Data) => [userOf(world, 1), userOf(world, 2)];
const postsOf = (world: Data) =>
  world.server.posts.map(({ author, readers, ...post }) => ({
    ...post,
    author: userOf(world, author),
    readers: readers.map((id) => userOf(world, id)),
  }));

interface Kind {
  /** The users whose names it changes. */
  readonly users: readonly number[];
  readonly send: (world: World, name: string) => Promise<unknown>;
  /** What the server changes besides the names, and its answer. */
  readonly carryOut: (world: World, name: string) => unknown;
}

const named = (id: number, name: string) => ({ id: String(id), name });
const lastPost = (world: World): unknown => postsOf(world).at(-1);

const KINDS: Readonly<Record<string, Kind>> = {
  'an edit of a user': {
    users: [1],
    send: ({ controller, users }, name) => controller.fetch(users.partialUpdate, { id: '1' }, { name }),
    carryOut: (world) => userOf(world, 1),
  },
  'an edit of a post with its author': {
    users: [1],
    send: ({ controller, posts }, name) =>
      controller.fetch(posts.partialUpdate, { id: '5' }, { author: named(1, name) }),
    carryOut: (world) => postsOf(world)[0],
  },
  'an edit of a post with its readers': {
    users: [1, 2],
    send: ({ controller, posts }, name) =>
      controller.fetch(posts.partialUpdate, { id: '5' }, { readers: [named(1, name), named(2, name)] }),
    carryOut: (world) => {
      Object.assign(world.server.posts[0] as object, { readers: [1, 2] });
      return postsOf(world)[0];
    },
  },
  'a new post with its author': {
    users: [2],
    send: ({ controller, posts }, name) => controller.fetch(posts.getList.push, { author: named(2, name) }),
    carryOut: (world, name) => {
      world.server.posts.push({ id: `of ${name}`, title: '', author: 2, readers: [] });
      return lastPost(world);
    },
  },
};

async function answerReads(world: World): Promise<void> {
  for (const call of world.transport.calls.splice(0)) {
    call.answer(call.url.endsWith('/posts') ? postsOf(world) : usersOf(world));
    // oxlint-disable-next-line no-await-in-loop -- one answer after another
    await settled();
  }
}

const ORDERS = [
  [0, 1],
  [1, 0],
] as const;

describe.each(Object.entries(KINDS))('%s', (_first, first) => {
  test.each(Object.entries(KINDS))(
    'and then %s, both pending: the later name is shown, whatever the server does first and answers first, and then the name of the server',
    async (_second, second) => {
      const kinds = [first, second];
      for (const carriedOut of ORDERS)
        for (const answered of ORDERS) {
          // oxlint-disable-next-line no-await-in-loop -- one history after another
          const world = await shown();
          const { controller, server, transport } = world;
          const due = [...server.names];
          const names = () => [server.names[0], ...['1', '2'].map((id) => controller.get(User, { id })?.name)];
          const calls: (Call | undefined)[] = [];
          for (const [at, { send, users }] of kinds.entries()) {
            send(world, `new ${at}`).catch(() => {});
            for (const id of users) due[id] = `new ${at}`;
            // oxlint-disable-next-line no-await-in-loop -- as above
            await settled();
            calls.push(...transport.calls.splice(0));
            expect(names()).toEqual(due);
          }
          const answers: unknown[] = [];
          for (const at of carriedOut) {
            const { carryOut, users } = kinds[at] as Kind;
            for (const id of users) server.names[id] = `new ${at}`;
            answers[at] = carryOut(world, `new ${at}`);
          }
          for (const at of answered) {
            calls[at]?.answer(answers[at]);
            // oxlint-disable-next-line no-await-in-loop -- as above
            await settled();
            expect([carriedOut, answered, at, names()]).toEqual([carriedOut, answered, at, due]);
          }
          // oxlint-disable-next-line no-await-in-loop -- as above
          await answerReads(world);
          expect([carriedOut, answered, names()]).toEqual([carriedOut, answered, server.names]);
          expect(transport.sent).toEqual([]);
          controller.dispose();
        }
    },
  );
});

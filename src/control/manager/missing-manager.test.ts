import { describe, expect, it } from 'vitest';
import { Clock, rest } from '../../../tests/streams/clock.ts';
import { uncaught } from '../../../tests/uncaught.ts';
import { batched } from '../../define/endpoint/batching.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Query } from '../../define/schema/query.ts';
import { Controller } from '../controller/controller.ts';
import { MissingManager, type MissingManagerOptions } from './missing-manager.ts';

class User extends Entity {
  id = '';
  name = '';
  boss: User | undefined = undefined;
  static override key = 'User';
  static override schema: Record<string, unknown> = {};
}
User.schema = { boss: User };

class Post extends Entity {
  id = '';
  author: User | undefined = undefined;
  readers: User[] = [];
  static override key = 'Post';
  static override schema = { author: User, readers: [User] };
}

interface RawUser {
  readonly id: string;
  readonly boss?: string;
}

function world(options: Partial<MissingManagerOptions> = {}) {
  const clock = new Clock();
  const state = {
    calls: [] as string[],
    users: new Map<string, RawUser>(['1', '2', '3', '4'].map((id) => [id, { id, name: `user ${id}` }])),
    posts: [] as object[],
  };
  const getUser = new Endpoint(
    async ({ id }: { id: string }): Promise<RawUser> => {
      state.calls.push(id);
      const user = state.users.get(id);
      if (user === undefined) throw Object.assign(new Error('gone'), { status: 404 });
      return user;
    },
    { name: 'getUser', schema: User },
  );
  const getPosts = new Endpoint(async () => state.posts, { name: 'getPosts', schema: new Collection([Post]) });
  const manager = new MissingManager({ endpoints: [[User, getUser]], platform: clock, ...options });
  const controller = new Controller({ managers: [manager], now: clock.now });
  const show = async (...posts: object[]): Promise<() => void> => {
    state.posts = posts;
    const stop = controller.watch(getPosts, () => {});
    await controller.fetch(getPosts);
    return stop;
  };
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) {
      // oxlint-disable-next-line no-await-in-loop -- what one answer refers to comes with the next
      await clock.pass(0);
      // oxlint-disable-next-line no-await-in-loop
      await rest();
    }
  };
  const posts = (): readonly Post[] => controller.getResponse(getPosts).data as readonly Post[];
  return { clock, state, getUser, getPosts, controller, show, settle, posts };
}

describe('missing records that shown data refers to', () => {
  it('are fetched, each once', async () => {
    const { state, show, settle, posts } = world();
    await show({ id: '10', author: '1', readers: ['2', '1'] }, { id: '11', author: '2', readers: [] });
    expect(posts()[0]?.author).toBeUndefined();
    await settle();
    expect(state.calls.toSorted()).toEqual(['1', '2']);
    expect(posts()[0]?.author).toMatchObject({ name: 'user 1' });
    expect(posts()[0]?.readers.map(({ id }) => id)).toEqual(['2', '1']);
    expect(posts()[1]?.author).toBe(posts()[0]?.readers[0]);
  });

  it('are not fetched if they are stored, also if they are nested in shown data', async () => {
    const { state, show, settle } = world();
    await show({ id: '10', author: { id: '1', name: 'nested' }, readers: [] });
    await settle();
    expect(state.calls).toEqual([]);
  });

  it('are not fetched before a reader shows the data', async () => {
    const { state, controller, getPosts, settle } = world();
    state.posts = [{ id: '10', author: '1' }];
    await controller.fetch(getPosts);
    await settle();
    expect(state.calls).toEqual([]);
    controller.watch(getPosts, () => {});
    await settle();
    expect(state.calls).toEqual(['1']);
  });

  it('are fetched for queries, too, which have no request', async () => {
    const { state, controller, settle } = world();
    controller.watch(new Query(new Collection([Post]), (all) => all), () => {});
    controller.watch(Post, { id: '10' }, () => {});
    await controller.set(Post, { id: '10' }, { id: '10', author: '3' });
    await settle();
    expect(state.calls).toEqual(['3']);
  });

  it('are fetched one after another, if the fetched records refer to further missing records', async () => {
    const { state, show, settle, posts } = world();
    state.users.set('1', { id: '1', boss: '2' });
    state.users.set('2', { id: '2', boss: '3' });
    await show({ id: '10', author: '1' });
    await settle();
    expect(state.calls).toEqual(['1', '2', '3']);
    expect(posts()[0]?.author?.boss?.boss).toMatchObject({ name: 'user 3' });
  });

  it('are fetched in one request by a batched endpoint', async () => {
    const calls: unknown[] = [];
    const getUsers = async ({ ids }: { ids: string[] }): Promise<RawUser[]> => {
      calls.push(ids);
      return ids.filter((id) => id !== '9').map((id) => ({ id }));
    };
    const clock = new Clock();
    const { controller, show } = world({
      endpoints: [[User, batched(getUsers, { schema: User, name: 'one', platform: clock })]],
      platform: clock,
    });
    await show({ id: '10', author: '1', readers: ['2', '3', '9'] });
    for (let turn = 0; turn < 5; turn++) {
      // oxlint-disable-next-line no-await-in-loop
      await clock.pass(0);
      // oxlint-disable-next-line no-await-in-loop
      await rest();
    }
    expect(calls).toEqual([['1', '2', '3', '9']]);
    expect(controller.get(User, { id: '3' })).toBeDefined();
  });

  it('are fetched with the arguments of their endpoint', async () => {
    const asked: unknown[] = [];
    const byName = new Endpoint(
      async (name: string, options: object) => {
        asked.push([name, options]);
        return { id: name };
      },
      { name: 'byName', schema: User },
    );
    const { show, settle } = world({ endpoints: [[User, byName, (pk) => [pk, { full: true }]]] });
    await show({ id: '10', author: 'ann' });
    await settle();
    expect(asked).toEqual([['ann', { full: true }]]);
  });
});

describe('requests for missing records', () => {
  it('are not repeated, even after failures and other commits', async () => {
    const { clock, state, controller, show, settle } = world();
    await show({ id: '10', author: 'gone' });
    await settle();
    expect(state.calls).toEqual(['gone']);
    for (let step = 0; step < 100; step++) {
      // oxlint-disable-next-line no-await-in-loop
      await controller.set(Post, { id: '10' }, { id: '10', author: 'gone', title: String(step) });
      // oxlint-disable-next-line no-await-in-loop
      await clock.pass(100);
    }
    expect(state.calls).toEqual(['gone']);
  });

  it('do not repeat endlessly if the answer is another record', async () => {
    const { clock, state, show, settle } = world();
    let last = 0;
    state.users.get = (id: string) => {
      void id;
      last++;
      return { id: `x${last}`, boss: '1' };
    };
    await show({ id: '10', author: '1' });
    await settle();
    await clock.pass(10_000);
    expect(state.calls).toEqual(['1']);
  });

  it('may be sent again after some time, at the next commit', async () => {
    const { clock, state, controller, show, settle } = world({ again: 5000 });
    await show({ id: '10', author: '9' });
    await settle();
    await clock.pass(4000);
    await controller.set(Post, { id: '10' }, { id: '10', author: '9', readers: ['8'] });
    await settle();
    expect(state.calls).toEqual(['9', '8']);
    await clock.pass(1000);
    expect(state.calls).toEqual(['9', '8']);
    await controller.set(Post, { id: '11' }, { id: '11' });
    await settle();
    expect(state.calls).toEqual(['9', '8', '9']);
    // The clock is set back: a fetch whose time is in the future counts as long ago.
    clock.time = 0;
    await controller.set(Post, { id: '11' }, { id: '11', title: 'b' });
    await settle();
    expect(state.calls.slice(3).toSorted()).toEqual(['8', '9']);
  });

  it('are not sent for deleted records', async () => {
    const { state, controller, show, settle } = world();
    await show({ id: '10', author: { id: '1' } });
    controller.store.invalidate(User, '1');
    await settle();
    expect(state.calls).toEqual([]);
  });

  it('begin again with a reset, and end with the controller', async () => {
    const { clock, state, controller, getPosts, show, settle } = world();
    await show({ id: '10', author: '9' });
    await settle();
    await controller.resetEntireStore();
    await controller.fetch(getPosts);
    await settle();
    expect(state.calls).toEqual(['9', '9']);
    await controller.set(Post, { id: '11' }, { id: '11' });
    expect(clock.timers.size).toBe(1);
    controller.dispose();
    expect(clock.timers.size).toBe(0);
    controller.store.write(Post, { id: '12', author: '4' });
    controller.watch(getPosts, () => {});
    expect(clock.timers.size).toBe(0);
    controller.dispose();
  });

  it('are fetched for a controller that has replaced another one, which has fetched them for itself', async () => {
    const { clock, state, getUser, getPosts, settle } = world();
    const managers = [new MissingManager({ endpoints: [[User, getUser]], platform: clock })];
    state.posts = [{ id: '10', author: '1' }];
    const replaced: Controller[] = [];
    for (let count = 0; count < 2; count++) {
      const controller = new Controller({ managers, now: clock.now });
      controller.watch(getPosts, () => {});
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await controller.fetch(getPosts);
      // oxlint-disable-next-line no-await-in-loop
      await settle();
      replaced.push(controller);
    }
    for (const controller of replaced) controller.dispose();
    expect(state.calls).toEqual(['1', '1']);
    expect(replaced[1]?.get(User, { id: '1' })?.name).toBe('user 1');
  });

  it.each([0, Number.NaN])('cannot have an interval of %s ms', (again) => {
    expect(() => world({ again })).toThrow(expect.objectContaining({ code: 'manager-option-invalid' }));
  });
});

it('an error in the function that makes the arguments is reported, and the other records are fetched', async () => {
  const errors = uncaught();
  const { state, getUser } = world();
  const argsOf = (id: string): readonly unknown[] => {
    if (id === '1') throw new RangeError('argsOf');
    return [{ id }];
  };
  const { show, settle } = world({ endpoints: [[User, getUser, argsOf]] });
  await show({ id: '10', author: '1', readers: ['2', '3'] });
  await settle();
  expect(state.calls).toEqual(['2', '3']);
  expect(errors).toMatchObject([{ message: 'argsOf' }]);
});

import { describe, expect, test } from 'vitest';
import { User } from '../../../tests/model.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import type { Commit } from '../../state/store/commit.ts';
import { NetworkManager } from './network-manager.ts';
import { actionTypes } from './action.ts';
import { Controller } from './controller.ts';
import type { Manager } from './manager.ts';
import { Slices, type SlicesOptions } from './slices.ts';

class Todo extends Entity {
  id = '';
  title = '';
  done = false;
  author = User.fromJS();
  static override key = 'Todo';
  static override schema = { author: User };
}

const Todos = new Collection([Todo]);

/** Time that passes only with the work: each read of the clock takes a millisecond. */
class Clock {
  time = 0;
  readonly waiting: (() => void)[] = [];
  /** How many slices there were. */
  turns = 0;
  readonly now = (): number => ++this.time;
  readonly setTimeout = (run: () => void): unknown => this.waiting.push(run);

  /** Lets one slice run. */
  async slice(): Promise<boolean> {
    const run = this.waiting.shift();
    run?.();
    await settled();
    if (run !== undefined) this.turns++;
    return run !== undefined;
  }

  async run(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- one slice after another
    while (await this.slice());
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function scene(options: SlicesOptions = {}) {
  const clock = new Clock();
  const answers: ((value: unknown) => void)[] = [];
  const ask = (): Promise<object[]> => new Promise((resolve) => answers.push(resolve as (value: unknown) => void));
  const getTodos = new Endpoint(ask, { name: 'getTodos', schema: Todos });
  const slices = new Slices({ above: 20, milliseconds: 5, platform: clock, ...options });
  const actions: string[] = [];
  const seen: Manager = {
    middleware: () => (next) => (action) => {
      actions.push(action.type);
      return next(action);
    },
    cleanup: () => {},
  };
  // What the network sends on passes all managers.
  const controller = new Controller({ managers: [seen, new NetworkManager({ slices })] });
  const commits: Commit[] = [];
  controller.store.onCommit((commit) => commits.push(commit));
  /** Fetches, and has the answer arrive. */
  const fetch = async <Value>(response: unknown, endpoint: unknown = getTodos): Promise<{ asked: Promise<Value> }> => {
    const asked = controller.fetch(endpoint as typeof getTodos) as unknown as Promise<Value>;
    asked.catch(() => {});
    await settled();
    answers.shift()?.(response);
    await settled();
    return { asked };
  };
  return { actions, answers, clock, controller, commits, fetch, ask, getTodos, store: controller.store };
}

const todoAt = (at: number, title = `todo ${at}`): object => ({
  id: `${at}`,
  title,
  author: { id: `u${at % 7}`, name: `user ${at % 7}` },
});
const todos = (count: number, title?: string): object[] => Array.from({ length: count }, (_, at) => todoAt(at, title));

describe('a large answer', () => {
  test('is stored in one commit, after slices in which no reader sees any of it', async () => {
    const { clock, commits, fetch, store } = scene();
    const { asked } = await fetch<Todo[]>(todos(100));
    while (commits.length === 0) {
      expect(store.stats()).toMatchObject({ rows: 0, results: 0 });
      // oxlint-disable-next-line no-await-in-loop
      expect(await clock.slice()).toBe(true);
    }
    expect(clock.turns).toBeGreaterThan(15);
    expect(commits).toHaveLength(1);
    expect(commits[0]?.rows).toHaveLength(108);
    await clock.run();
    const value = await asked;
    expect(value.map(({ title }) => title)).toEqual(todos(100).map((todo) => (todo as Todo).title));
    expect(value[3]).toBe(store.get(Todo, { id: '3' }));
    expect(value[3]?.author).toBe(value[10]?.author);
    expect(commits).toHaveLength(1);
  });

  test('has its values built in slices, too, before the fetch resolves', async () => {
    let made = 0;
    class Made extends Entity {
      id = '';
      at = 0;
      static override key = 'Made';
      static override schema = { at: (stored: number) => (made++, stored) };
    }
    const { clock, commits, fetch, ask } = scene();
    const { asked } = await fetch<Made[]>(
      Array.from({ length: 60 }, (_, at) => ({ id: `${at}`, at })),
      new Endpoint(ask, { name: 'getMade', schema: [Made] }),
    );
    // oxlint-disable-next-line no-await-in-loop
    while (commits.length === 0) await clock.slice();
    expect(made).toBe(0);
    await clock.slice();
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(60);
    await clock.run();
    expect(made).toBe(60);
    expect(await asked).toHaveLength(60);
    expect(made).toBe(60);
  });

  test('that is equal to the stored data changes nothing', async () => {
    const { clock, commits, controller, fetch, getTodos } = scene();
    await fetch(todos(40));
    await clock.run();
    const { data } = controller.getResponse(getTodos);
    const { asked } = await fetch(todos(40));
    await clock.run();
    expect(await asked).toBe(data);
    expect(commits).toHaveLength(2);
    expect(commits[1]).toMatchObject({ rows: [], shown: [] });
  });

  test('does not affect other writes during its slices, and is not affected by writes of other records', async () => {
    const processed: string[] = [];
    class Counted extends Todo {
      static override process(input: { id: string }): object {
        processed.push(input.id);
        return { ...input };
      }
    }
    const { clock, controller, fetch, ask } = scene();
    const { asked } = await fetch<Todo[]>(todos(40), new Endpoint(ask, { name: 'getCounted', schema: [Counted] }));
    await clock.slice();
    await clock.slice();
    await controller.set(User, { id: 'other' }, { id: 'other', name: 'of another request' });
    await clock.run();
    expect(await asked).toHaveLength(40);
    expect(controller.get(User, { id: 'other' })?.name).toBe('of another request');
    expect(processed).toHaveLength(40);
  });

  test('does not undo writes that were made after its request', async () => {
    const { clock, controller, fetch } = scene();
    const { asked } = await fetch<Todo[]>(todos(40));
    await clock.slice();
    await controller.set(Todo, { id: '5' }, { id: '5', title: 'edited' });
    await controller.set(User, { id: 'u1' }, { id: 'u1', name: 'renamed' });
    await clock.run();
    expect((await asked)[5]).toMatchObject({ title: 'edited', author: { name: 'user 5' } });
    expect((await asked)[1]?.author.name).toBe('renamed');
  });

  test('does not bring back records that were deleted after its request', async () => {
    const { clock, controller, fetch, store } = scene();
    const { asked } = await fetch<Todo[]>(todos(40));
    await clock.slice();
    store.invalidate(Todo, '5');
    await clock.run();
    expect(await asked).toHaveLength(39);
    expect(controller.get(Todo, { id: '5' })).toBeUndefined();
  });

  test('does not hide guesses', async () => {
    const { clock, controller, fetch } = scene();
    const rename = new Endpoint((_name: string) => new Promise<object>(() => {}), {
      name: 'rename',
      schema: Todo,
      sideEffect: true,
      getOptimisticResponse: (_snap, name) => ({ id: '5', title: name }),
    });
    const { asked } = await fetch<Todo[]>(todos(40));
    await clock.slice();
    controller.fetch(rename, 'guessed').catch(() => {});
    await clock.run();
    expect((await asked)[5]?.title).toBe('guessed');
    controller.dispose();
  });

  test('that may be from before a mutation is fetched again as soon as it is stored', async () => {
    const { answers, clock, commits, controller, fetch, getTodos } = scene();
    const rename = new Endpoint(async () => ({ id: 'x', name: 'renamed' }), {
      name: 'rename',
      schema: User,
      sideEffect: true,
    });
    controller.watch(getTodos, () => {});
    const { asked } = await fetch<Todo[]>(todos(40));
    await clock.slice();
    await controller.fetch(rename);
    // oxlint-disable-next-line no-await-in-loop
    while (commits.length === 1) await clock.slice();
    expect(answers).toHaveLength(1);
    await clock.run();
    expect(await asked).toHaveLength(40);
    expect(answers).toHaveLength(1);
  });

  test('ends with a reset: no part of it is stored, and its work stops', async () => {
    const { actions, clock, controller, fetch, store } = scene();
    const { asked } = await fetch(todos(40));
    await clock.slice();
    await controller.resetEntireStore();
    await expect(asked).rejects.toMatchObject({ code: 'request-reset' });
    await clock.slice();
    expect(clock.waiting).toEqual([]);
    expect(store.stats()).toMatchObject({ rows: 0, results: 0 });
    expect(actions.filter((type) => type === actionTypes.SET_RESPONSE)).toEqual([]);
  });

  test('that was stored before a reset is not read after it', async () => {
    const { clock, commits, controller, fetch } = scene();
    const { asked } = await fetch(todos(40));
    // oxlint-disable-next-line no-await-in-loop
    while (commits.length === 0) await clock.slice();
    await controller.resetEntireStore();
    await expect(asked).rejects.toMatchObject({ code: 'request-reset' });
    await clock.slice();
    expect(clock.waiting).toEqual([]);
  });

  test('that is invalid rejects like a small answer, and no part of it is stored', async () => {
    const { clock, controller, fetch, getTodos, store } = scene();
    const { asked } = await fetch([...todos(40), { title: 'no id' }]);
    await clock.run();
    await expect(asked).rejects.toMatchObject({ code: 'pk-missing', entity: 'Todo', path: '[40]' });
    expect(store.stats().rows).toBe(0);
    expect(controller.getError(getTodos)).toMatchObject({ code: 'pk-missing' });
  });
});

describe('an answer that counts as large', () => {
  const turnsOf = async (response: unknown, schema: unknown, options: object = {}): Promise<number> => {
    const { clock, fetch, ask } = scene();
    const { asked } = await fetch(response, new Endpoint(ask, { name: 'get', schema, ...options } as never));
    await clock.run();
    await asked;
    return clock.turns;
  };

  test('a small answer is stored in the turn in which it arrives', async () => {
    expect(await turnsOf(todos(9), [Todo])).toBe(0);
    expect(await turnsOf(todos(11), [Todo])).toBeGreaterThan(0);
  });

  test('lists within objects and records count', async () => {
    const lists = { todos: new Collection([Todo]), users: [User] };
    expect(await turnsOf({ todos: todos(11), total: 11, none: null }, lists)).toBeGreaterThan(0);
    expect(await turnsOf({ todos: todos(5), users: [{ id: 'u' }] }, lists)).toBe(0);
    expect(await turnsOf({ id: '1', title: 'x', author: { id: 'u' } }, Todo)).toBe(0);
  });

  test('values that are not plain data do not count', async () => {
    expect(await turnsOf({ dates: Array.from({ length: 50 }, () => new Date(0)) }, {})).toBe(0);
    expect(await turnsOf(new Map([[1, todos(50)]]), {})).toBe(0);
    expect(await turnsOf({ plain: Array.from({ length: 50 }, () => ({})) }, {})).toBeGreaterThan(0);
  });

  test('circular data is counted only to a limited depth', async () => {
    const circle: { self?: object } = {};
    circle.self = circle;
    await expect(turnsOf(circle, {})).rejects.toMatchObject({ code: 'too-deep' });
  });

  test('an answer without records is not large, nor is the answer of a mutation', async () => {
    expect(await turnsOf(todos(50), undefined)).toBe(0);
    expect(await turnsOf(todos(50), [Todo], { sideEffect: true })).toBe(0);
  });

  test('by default 5,000 records are large, in slices of 8 ms', async () => {
    const clock = new Clock();
    const slices = new Slices({ platform: clock });
    const controller = new Controller({ managers: [new NetworkManager({ slices })] });
    const get = (count: number) =>
      new Endpoint(async () => Array.from({ length: count }, (_, at) => ({ id: `${count} ${at}` })), {
        name: `get ${count}`,
        schema: [User],
      });
    await controller.fetch(get(4999));
    const asked = controller.fetch(get(5000));
    await settled();
    await clock.run();
    expect(await asked).toHaveLength(5000);
    // The clock is read after each record is stored, and again after its value is built. So a slice of 8 ms has eight of these steps.
    expect(clock.turns).toBeGreaterThan(10_000 / 8);
    expect(clock.turns).toBeLessThan(10_100 / 8);
  });

  test('the clock of the machine is the default', async () => {
    const controller = new Controller({ managers: [new NetworkManager({ slices: new Slices({ above: 1 }) })] });
    const get = new Endpoint(async () => todos(3), { name: 'get', schema: [Todo] });
    expect(await controller.fetch(get)).toHaveLength(3);
  });
});

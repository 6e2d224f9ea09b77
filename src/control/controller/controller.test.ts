import { describe, expect, it, test, vi } from 'vitest';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import type { SnapshotInterface } from '../../define/endpoint/options.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Invalidate } from '../../define/schema/invalidate.ts';
import { Query } from '../../define/schema/query.ts';
import { Union } from '../../define/schema/union.ts';
import { Store } from '../../state/store/store.ts';
import { deferred } from '../../std/deferred.ts';
import type { Answer } from '../view/answer.ts';
import { ExpiryStatus } from '../view/expiry-status.ts';
import { type Action, actionTypes } from './action.ts';
import { Controller } from './controller.ts';
import type { Manager } from './manager.ts';

class Todo extends Entity {
  id = '';
  title = '';
  done = false;
  static override key = 'Todo';
}

interface Call {
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A server whose answers the test sends. */
class Server {
  readonly calls: Call[] = [];
  readonly fetch = (...args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      this.calls.push({ args, resolve, reject });
    });
}

interface Id {
  readonly id: string;
}

/** A manager that throws when an action of this type passes through it. */
function throwingAt(type: string): Manager {
  return {
    middleware: () => (next) => async (action) => {
      if (action.type === type) throw new TypeError('clumsy');
      return next(action);
    },
    cleanup: () => {},
  };
}

function scene(managers: readonly Manager[] = []) {
  const server = new Server();
  let time = 1000;
  const controller = new Controller({ managers, now: () => time });
  const getTodo = new Endpoint((args: Id): Promise<object> => server.fetch(args) as Promise<object>, {
    name: 'getTodo',
    schema: Todo,
  });
  const todos = new Collection([Todo]);
  const getTodos = new Endpoint((): Promise<object[]> => server.fetch() as Promise<object[]>, {
    name: 'getTodos',
    schema: todos,
  });
  const patchTodo = new Endpoint(
    (args: Id, body: object): Promise<object> => server.fetch(args, body) as Promise<object>,
    {
      name: 'patchTodo',
      schema: Todo,
      sideEffect: true,
      getOptimisticResponse: (snap, args: Id, body: object) => {
        const before: unknown = snap.get(Todo, args);
        if (before === undefined) throw snap.abort;
        return { ...(before as object), ...body };
      },
    },
  );
  const deleteTodo = new Endpoint((args: Id): Promise<object> => server.fetch(args) as Promise<object>, {
    name: 'deleteTodo',
    schema: new Invalidate(Todo),
    sideEffect: true,
  });
  const wait = (milliseconds: number): void => void (time += milliseconds);
  return { server, controller, getTodo, getTodos, todos, patchTodo, deleteTodo, wait };
}

describe('fetch', () => {
  it('resolves after the commit, to the same object that get() returns', async () => {
    const { server, controller, getTodo } = scene();
    const fetched = controller.fetch(getTodo, { id: '1' });
    expect(controller.get(Todo, { id: '1' })).toBeUndefined();
    server.calls[0]?.resolve({ id: '1', title: 'a' });
    const todo = await fetched;
    expect(todo).toBeInstanceOf(Todo);
    expect(controller.get(Todo, { id: '1' })).toBe(todo);
    expect(controller.getResponse(getTodo, { id: '1' }).data).toBe(todo);
  });

  it('calls its endpoint in the same turn, and resolves a few turns after the answer', async () => {
    const { server, controller, getTodo } = scene();
    const fetched = controller.fetch(getTodo, { id: '1' });
    expect(server.calls).toHaveLength(1);
    server.calls[0]?.resolve({ id: '1' });
    let value: unknown;
    void fetched.then((todo) => (value = todo));
    // oxlint-disable-next-line no-await-in-loop -- one turn after another
    for (let turn = 0; turn < 8; turn++) await Promise.resolve();
    expect(value).toBe(controller.get(Todo, '1'));
  });

  it('of a list resolves to the same list that readers get', async () => {
    const { server, controller, getTodos, todos } = scene();
    const fetched = controller.fetch(getTodos);
    server.calls[0]?.resolve([{ id: '1' }, { id: '2' }]);
    expect(await fetched).toBe(controller.getResponse(getTodos).data);
    expect(await fetched).toBe(controller.get(todos));
  });

  it('without a schema resolves to the response', async () => {
    const controller = new Controller();
    const say = new Endpoint(async (word: string) => ({ word }), { name: 'say' });
    expect(await controller.fetch(say, 'hi')).toEqual({ word: 'hi' });
    expect(controller.getResponse(say, 'hi').data).toBe(await controller.fetch(say, 'hi'));
    const nothing = new Endpoint(async () => undefined, { name: 'nothing' });
    expect(await controller.fetch(nothing)).toBeUndefined();
    expect(controller.getResponse(nothing).expiryStatus).toBe(ExpiryStatus.Valid);
  });

  it('rejects with the error of the request, and stores it', async () => {
    const { server, controller, getTodo } = scene();
    const error = new Error('no');
    const fetched = controller.fetch(getTodo, { id: '1' });
    server.calls[0]?.reject(error);
    await expect(fetched).rejects.toBe(error);
    expect(controller.getError(getTodo, { id: '1' })).toBe(error);
    expect(controller.getResponse(getTodo, { id: '1' })).toMatchObject({
      data: undefined,
      expiryStatus: ExpiryStatus.InvalidIfStale,
      expiresAt: 2000,
    });
    const again = controller.fetch(getTodo, { id: '1' });
    server.calls[1]?.resolve({ id: '1' });
    await again;
    expect(controller.getError(getTodo, { id: '1' })).toBeUndefined();
  });

  it('rejects if the endpoint throws synchronously, and if the response cannot be stored', async () => {
    const controller = new Controller();
    const broken = new Endpoint(
      (): Promise<never> => {
        throw new RangeError('at once');
      },
      { name: 'broken' },
    );
    await expect(controller.fetch(broken)).rejects.toThrow(RangeError);
    const nameless = new Endpoint(async () => ({ title: 'no id' }), { name: 'nameless', schema: Todo });
    await expect(controller.fetch(nameless)).rejects.toMatchObject({ code: 'pk-missing' });
    expect(controller.getError(nameless)).toMatchObject({ code: 'pk-missing' });
    expect(controller.store.stats().rows).toBe(0);
  });

  it('rejects if the response is stored, but its value cannot be read', async () => {
    const { server, controller, todos } = scene();
    const unreadable = new Query(todos, (): never => {
      throw new RangeError('unreadable');
    });
    const list = new Endpoint((): Promise<object[]> => server.fetch() as Promise<object[]>, {
      name: 'list',
      schema: unreadable,
    });
    const fetched = [controller.fetch(list), controller.fetch(list.extend({ name: 'other' }))];
    server.calls[0]?.resolve([{ id: '1' }]);
    await expect(fetched[0]).rejects.toThrow('unreadable');
    const other = list.extend({ name: 'other' });
    await controller.resolve(other, { args: [], response: [{ id: '2' }], fetchedAt: controller.now() });
    await expect(fetched[1]).rejects.toThrow('unreadable');
    expect(controller.get(Todo, '2')).toMatchObject({ id: '2' });
  });

  it('does not store the error of an aborted request', async () => {
    const { server, controller, getTodo } = scene();
    const fetched = controller.fetch(getTodo, { id: '1' });
    server.calls[0]?.reject(new DOMException('enough', 'AbortError'));
    await expect(fetched).rejects.toThrow('enough');
    expect(controller.getError(getTodo, { id: '1' })).toBeUndefined();
  });

  it('sends one request for simultaneous calls with the same key', async () => {
    const { server, controller, getTodo } = scene();
    const both = [controller.fetch(getTodo, { id: '1' }), controller.fetch(getTodo, { id: '1' })];
    expect(server.calls).toHaveLength(1);
    server.calls[0]?.resolve({ id: '1' });
    const [one, other] = await Promise.all(both);
    expect(one).toBe(other);
    void controller.fetch(getTodo, { id: '1' });
    expect(server.calls).toHaveLength(2);
  });

  it('of a deletion resolves to an instance made from the response, and removes the record', async () => {
    const { server, controller, getTodo, deleteTodo } = scene();
    await controller.setResponse(getTodo, { id: '1' }, { id: '1' });
    const deleted = controller.fetch(deleteTodo, { id: '1' });
    server.calls[0]?.resolve({ id: '1' });
    const value = await deleted;
    expect(value).toBeInstanceOf(Todo);
    expect(value).toMatchObject({ id: '1' });
    expect(controller.get(Todo, { id: '1' })).toBeUndefined();
    expect(controller.getResponse(getTodo, { id: '1' })).toMatchObject({
      data: undefined,
      expiryStatus: ExpiryStatus.Invalid,
    });
  });

  it('takes FormData as the fields of the record', async () => {
    const { controller } = scene();
    const form = new FormData();
    form.set('id', '1');
    const find = new Endpoint(async (body: FormData) => ({ id: String(body.get('id')) }), {
      key: () => 'POST find',
      schema: Todo,
      sideEffect: true,
    });
    expect(await controller.fetch(find, form)).toMatchObject({ id: '1' });
  });

  it('rejects with an error if no manager answers it', async () => {
    const deaf: Manager = {
      middleware: () => (next) => async (action) => {
        if (action.type !== actionTypes.FETCH) await next(action);
      },
      cleanup: () => {},
    };
    const { controller, getTodo } = scene([deaf]);
    await expect(controller.fetch(getTodo, { id: '1' })).rejects.toMatchObject({ code: 'fetch-unanswered' });
  });
});

it('the action types are also exported under their longer names', () => {
  expect([actionTypes.FETCH_TYPE, actionTypes.SET_RESPONSE_TYPE]).toEqual(['rejoin/fetch', 'rejoin/setresponse']);
  expect(Object.keys(actionTypes)).toHaveLength(20);
});

describe('fetchIfStale', () => {
  it('returns the stored answer while it is fresh, and fetches it otherwise', async () => {
    const { server, controller, getTodo, wait } = scene();
    await controller.setResponse(getTodo, { id: '1' }, { id: '1' });
    expect(controller.fetchIfStale(getTodo, { id: '1' })).toBe(controller.get(Todo, '1'));
    wait(60_000);
    expect(server.calls).toHaveLength(0);
    wait(1);
    void controller.fetchIfStale(getTodo, { id: '1' });
    expect(server.calls).toHaveLength(1);
  });

  it('rejects with the error of a failed request, and sends it again once the error has expired', async () => {
    const { server, controller, getTodo, wait } = scene();
    const refused = new Error('refused');
    const soft = getTodo.extend({ errorPolicy: () => 'soft' as const });
    await controller.setResponse(soft, { id: '1' }, { id: '1' });
    await controller.setError(soft, { id: '1' }, refused);
    expect(controller.fetchIfStale(soft, { id: '1' })).toBe(controller.get(Todo, '1'));
    await controller.setError(getTodo, { id: '1' }, refused);
    await controller.setError(getTodo, { id: '2' }, refused);
    for (const id of ['1', '2']) await expect(controller.fetchIfStale(getTodo, { id })).rejects.toBe(refused);
    expect(server.calls).toHaveLength(0);
    wait(1001);
    void controller.fetchIfStale(getTodo, { id: '1' });
    expect(server.calls).toHaveLength(1);
  });

  it('uses the expiry time of the endpoint', async () => {
    const { controller, getTodo, wait } = scene();
    const quick = getTodo.extend({ dataExpiryLength: 5 });
    await controller.setResponse(quick, { id: '1' }, { id: '1' });
    expect(controller.getResponse(quick, { id: '1' })).toMatchObject({ expiresAt: 1005 });
    wait(6);
    expect(controller.view(quick, { id: '1' }).current()).toMatchObject({ status: 'stale' });
    const strict = quick.extend({ invalidIfStale: true });
    expect(controller.view(strict, { id: '1' }).current()).toEqual({ status: 'missing' });
    expect(controller.getResponse(strict, { id: '1' }).expiryStatus).toBe(ExpiryStatus.InvalidIfStale);
  });
});

it('an answer or an error with a duration that is no number is stale at once', async () => {
  const { controller, getTodo } = scene();
  const endless = getTodo.extend({ dataExpiryLength: Number.NaN, errorExpiryLength: Number.NaN });
  await controller.setResponse(endless, { id: '1' }, { id: '1' });
  expect(controller.getResponse(endless, { id: '1' }).expiresAt).toBe(1000);
  await controller.setError(endless, { id: '1' }, new Error('hard'));
  expect(controller.getResponse(endless, { id: '1' }).expiresAt).toBe(1000);
});

describe('an error', () => {
  it('hides the earlier data, unless its policy is soft', async () => {
    const { controller, getTodo } = scene();
    await controller.setResponse(getTodo, { id: '1' }, { id: '1' });
    const soft = getTodo.extend({ errorPolicy: () => 'soft' as const, errorExpiryLength: 7 });
    await controller.setError(soft, { id: '1' }, new Error('soft'));
    expect(controller.getError(soft, { id: '1' })).toBeUndefined();
    expect(controller.view(soft, { id: '1' }).current()).toMatchObject({ status: 'fresh' });
    expect(controller.getResponse(soft, { id: '1' })).toMatchObject({ expiresAt: 1007 });
    await controller.setError(getTodo, { id: '1' }, new Error('hard'));
    expect(controller.getError(getTodo, { id: '1' })).toMatchObject({ message: 'hard' });
    expect(controller.view(getTodo, { id: '1' }).current()).toMatchObject({ status: 'failed' });
  });

  it('of a request is not stored if a later request was answered before', async () => {
    const { server, controller, getTodo } = scene();
    const late = controller.fetch(getTodo, { id: '1' });
    await controller.setResponse(getTodo, { id: '1' }, { id: '1' });
    server.calls[0]?.reject(new Error('late'));
    await expect(late).rejects.toThrow('late');
    expect(controller.getError(getTodo, { id: '1' })).toBeUndefined();
  });
});

describe('the order of answers', () => {
  it('is the order in which they were requested', async () => {
    const { server, controller, getTodo, getTodos } = scene();
    const early = controller.fetch(getTodos);
    const late = controller.fetch(getTodo, { id: '1' });
    server.calls[1]?.resolve({ id: '1', title: 'new' });
    await late;
    server.calls[0]?.resolve([{ id: '1', title: 'old', done: true }]);
    await early;
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'new', done: true });
  });

  it('keeps a read from before a mutation from answering a fetch after it', async () => {
    const { server, controller, getTodo, patchTodo } = scene();
    const before = controller.fetch(getTodo, { id: '1' });
    const patched = controller.fetch(patchTodo, { id: '1' }, { title: 'new' });
    server.calls[1]?.resolve({ id: '1', title: 'new' });
    await patched;
    const after = controller.fetch(getTodo, { id: '1' });
    expect(server.calls).toHaveLength(3);
    server.calls[2]?.resolve({ id: '1', title: 'new' });
    await after;
    server.calls[0]?.resolve({ id: '1', title: 'old' });
    expect(await before).toMatchObject({ title: 'new' });
    expect(controller.get(Todo, '1')).toBe(await after);
  });

  it('prevents a read from undoing a mutation that was pending when the read was sent', async () => {
    const { server, controller, getTodo, patchTodo } = scene();
    const patched = controller.fetch(patchTodo, { id: '1' }, { title: 'new' });
    const inside = controller.fetch(getTodo, { id: '1' });
    const landedInside = controller.fetch(getTodo, { id: '1' });
    server.calls[0]?.resolve({ id: '1', title: 'new' });
    await patched;
    server.calls[1]?.resolve({ id: '1', title: 'old' });
    await Promise.all([inside, landedInside]);
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'new' });
  });

  it('makes an answer stale that may be from before a mutation, so it is fetched again', async () => {
    const { server, controller, getTodo, deleteTodo } = scene();
    const before = controller.fetch(getTodo, { id: '1' });
    const changed = controller.fetch(deleteTodo, { id: '2' });
    server.calls[1]?.resolve({ id: '2' });
    await changed;
    server.calls[0]?.resolve({ id: '1' });
    await before;
    expect(controller.view(getTodo, { id: '1' }).current()).toMatchObject({ status: 'stale' });
    const after = controller.fetch(getTodo, { id: '1' });
    server.calls[2]?.resolve({ id: '1' });
    await after;
    expect(controller.view(getTodo, { id: '1' }).current()).toMatchObject({ status: 'fresh' });
  });

  it('lets a mutation win over a read that was answered while the mutation was pending', async () => {
    const { server, controller, getTodo, patchTodo } = scene();
    const patched = controller.fetch(patchTodo, { id: '1' }, { title: 'new' });
    const inside = controller.fetch(getTodo, { id: '1' });
    server.calls[1]?.resolve({ id: '1', title: 'old' });
    await inside;
    server.calls[0]?.resolve({ id: '1', title: 'new' });
    expect(await patched).toMatchObject({ title: 'new' });
  });

  it('of mutations is the order in which they were issued, not the order of their answers', async () => {
    const { server, controller, patchTodo } = scene();
    const args = [{ id: '1' }, {}] as const;
    const sent = [1, 2, 3].map(() => controller.fetch(patchTodo, ...args));
    server.calls[1]?.resolve({ id: '1', title: 'second' });
    await sent[1];
    server.calls[2]?.resolve({ id: '1', title: 'third' });
    await sent[2];
    server.calls[0]?.resolve({ id: '1', title: 'first', done: true });
    await sent[0];
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'third', done: true });
  });

  it('of mutations with forms and of their guesses is the order in which they were issued', async () => {
    const { server, controller, patchTodo } = scene();
    const save = new Endpoint((body: FormData): Promise<object> => server.fetch(body) as Promise<object>, {
      name: 'save',
      schema: Todo,
      sideEffect: true,
      getOptimisticResponse: (_snap: unknown, body: FormData) => Object.fromEntries(body.entries()),
    });
    const form = new FormData();
    form.append('id', '1');
    form.append('title', 'first');
    const first = controller.fetch(save, form);
    const second = controller.fetch(patchTodo, { id: '1' }, { title: 'second' });
    server.calls[1]?.resolve({ id: '1', title: 'second' });
    await second;
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'second' });
    server.calls[0]?.resolve({ id: '1', title: 'first', done: true });
    expect(await first).toMatchObject({ title: 'second', done: true });
  });

  it('keeps an added member when a list arrives that was requested before', async () => {
    const { server, controller, getTodos, todos } = scene();
    await controller.setResponse(getTodos, [{ id: '1' }]);
    const push = new Endpoint((body: object): Promise<object> => server.fetch(body) as Promise<object>, {
      name: 'push',
      schema: todos.push,
      sideEffect: true,
    });
    const list = controller.fetch(getTodos);
    const pushed = controller.fetch(push, {});
    server.calls[1]?.resolve({ id: '2' });
    await pushed;
    server.calls[0]?.resolve([{ id: '1' }]);
    await list;
    expect((controller.get(todos) as Todo[]).map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('keeps a deleted record deleted when a list arrives that was requested before', async () => {
    const { server, controller, getTodos, deleteTodo } = scene();
    const list = controller.fetch(getTodos);
    const deleted = controller.fetch(deleteTodo, { id: '1' });
    server.calls[1]?.resolve({ id: '1' });
    await deleted;
    server.calls[0]?.resolve([{ id: '1' }, { id: '2' }]);
    expect((await list).map(({ id }) => id)).toEqual(['2']);
    expect(controller.get(Todo, '1')).toBeUndefined();
  });
});

describe('a guess', () => {
  const orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]; // prettier-ignore
  const outcomes = [0, 1, 2, 3, 4, 5, 6, 7];
  it.each(orders)(
    'is removed without an effect on others when mutations settle in the order %i, %i, %i',
    async (...order) => {
      for (const outcome of outcomes) {
        const { server, controller, patchTodo } = scene();
        const fields = ['a', 'b', 'c'] as const;
        const truth: Record<string, unknown> = { id: '1', a: 0, b: 0, c: 0 };
        await controller.set(Todo, { id: '1' }, { ...truth });
        const plain = patchTodo.extend({
          getOptimisticResponse: (_snap: unknown, args: Id, body: object) => ({ ...args, ...body }),
        });
        const sent = fields.map((field) => controller.fetch(plain, { id: '1' }, { [field]: 1 }));
        const shown: Record<string, unknown> = { ...truth, a: 1, b: 1, c: 1 };
        for (const at of order) {
          const field = fields[at] as string;
          const isGood = (outcome & (1 << at)) > 0;
          shown[field] = isGood ? 1 : 0;
          if (isGood) server.calls[at]?.resolve({ id: '1', [field]: 1 });
          else server.calls[at]?.reject(new Error('no'));
          await Promise.allSettled([sent[at]]);
          expect(controller.store.row('Todo', '1')).toEqual(shown);
        }
      }
    },
  );

  it('exists separately for each of two equal mutations', async () => {
    const { server, controller, patchTodo } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', count: 0 });
    const add = patchTodo.extend({
      getOptimisticResponse: () => {
        const { count } = controller.store.row('Todo', '1') as { readonly count: number };
        return { id: '1', count: Math.min(count + 1, 2) };
      },
    });
    const count = (): unknown => (controller.store.row('Todo', '1') as { readonly count: number }).count;
    const sent = [1, 2].map(() => controller.fetch(add, { id: '1' }, {}));
    expect(count()).toBe(2);
    server.calls[0]?.resolve({ id: '1', count: 1 });
    await sent[0];
    expect(count()).toBe(2);
    server.calls[1]?.resolve({ id: '1', count: 2 });
    await sent[1];
    expect(count()).toBe(2);
    expect(controller.store.stats().layers).toBe(0);
  });

  it('that is made after a reset is not shown', async () => {
    let release = (): void => {};
    const slow: Manager = {
      middleware: () => (next) => async (action) => {
        if (action.type === actionTypes.OPTIMISTIC) await new Promise<void>((resolve) => (release = resolve));
        await next(action);
      },
      cleanup: () => {},
    };
    const { controller, patchTodo } = scene([slow]);
    const plain = patchTodo.extend({ getOptimisticResponse: (_snap: unknown, args: Id) => args });
    const patched = controller.fetch(plain, { id: '1' }, {});
    await Promise.all([
      expect(patched).rejects.toMatchObject({ code: 'request-reset' }),
      controller.resetEntireStore(),
    ]);
    release();
    await Promise.resolve();
    await Promise.resolve();
    expect(controller.store.stats()).toMatchObject({ rows: 0, layers: 0 });
  });

  it('is shown until the mutation is answered, even if other answers arrive', async () => {
    const { server, controller, getTodo, patchTodo } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });
    const patched = controller.fetch(patchTodo, { id: '1' }, { title: 'b' });
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'b' });
    await controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'a', done: true });
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'b', done: true });
    server.calls[0]?.resolve({ id: '1', title: 'b!' });
    await patched;
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'b!', done: true });
    expect(controller.store.stats().layers).toBe(0);
  });

  it('is rolled back alone when its mutation fails', async () => {
    const { server, controller, patchTodo } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });
    const first = controller.fetch(patchTodo, { id: '1' }, { title: 'b' });
    const second = controller.fetch(patchTodo, { id: '1' }, { done: true });
    server.calls[0]?.reject(new Error('no'));
    await expect(first).rejects.toThrow('no');
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'a', done: true });
    server.calls[1]?.reject(new Error('nor this'));
    await expect(second).rejects.toThrow('nor this');
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'a', done: false });
  });

  it('is shown in the turn in which the mutation is called', async () => {
    const { server, controller, patchTodo } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });
    const received: unknown[] = [];
    controller.watch(Todo, '1', (answer) => received.push((answer as { value?: Todo }).value?.title));
    const patched = controller.fetch(patchTodo, { id: '1' }, { title: 'b' });
    expect(received).toEqual(['a', 'b']);
    server.calls[0]?.resolve({ id: '1', title: 'b', done: false });
    await patched;
    expect(received).toEqual(['a', 'b']);
  });

  it('is rolled back with the mutation, even if a manager does not pass the error on', async () => {
    const deaf: Manager = {
      middleware: () => (next) => async (action) => {
        if (action.type !== actionTypes.SET_RESPONSE) await next(action);
      },
      cleanup: () => {},
    };
    const { server, controller, patchTodo } = scene([deaf]);
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });
    const patched = controller.fetch(patchTodo, { id: '1' }, { title: 'b' });
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'b' });
    server.calls[0]?.reject(new Error('down'));
    await expect(patched).rejects.toThrow('down');
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'a' });
  });

  it('that makes a manager throw makes the mutation reject after its answer', async () => {
    const clumsy = throwingAt(actionTypes.OPTIMISTIC);
    const { server, controller, patchTodo } = scene([clumsy]);
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });
    const patched = controller.fetch(patchTodo, { id: '1' }, { title: 'b' });
    server.calls[0]?.resolve({ id: '1', title: 'b' });
    await expect(patched).rejects.toThrow('clumsy');
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'a' });
  });

  it('is rolled back when the controller is disposed', async () => {
    const { controller, patchTodo } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });
    const patched = controller.fetch(patchTodo, { id: '1' }, { title: 'b' });
    controller.dispose();
    await expect(patched).rejects.toMatchObject({ code: 'request-reset' });
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'a' });
  });

  it('is rolled back when its response cannot be stored', async () => {
    const { server, controller, patchTodo } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });
    const patched = controller.fetch(patchTodo, { id: '1' }, { title: 'b' });
    server.calls[0]?.resolve({ todo: { id: '1', title: 'elsewhere' } });
    await expect(patched).rejects.toMatchObject({ code: 'pk-missing' });
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'a' });
  });

  it('is not made when snapshot.abort is thrown', async () => {
    const { server, controller, patchTodo } = scene();
    const patched = controller.fetch(patchTodo, { id: '1' }, { title: 'b' });
    expect(controller.get(Todo, '1')).toBeUndefined();
    server.calls[0]?.resolve({ id: '1', title: 'b' });
    expect(await patched).toMatchObject({ title: 'b' });
  });

  it('that throws is a warning in development, and the mutation is sent', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { server, controller, patchTodo } = scene();
    const wrong = patchTodo.extend({
      getOptimisticResponse: () => {
        throw new RangeError('mine');
      },
    });
    const unfiled = patchTodo.extend({ name: 'unfiled', getOptimisticResponse: () => ({ title: 'without an id' }) });
    for (const [at, endpoint] of [wrong, unfiled].entries()) {
      const patched = controller.fetch(endpoint, { id: '1' }, {});
      expect(controller.getError(endpoint, { id: '1' }, {})).toBeUndefined();
      server.calls[at]?.resolve({ id: '1' });
      await patched;
    }
    expect(log.mock.calls.flat()).toEqual([
      expect.stringMatching(
        /^No guess was made for patchTodo .*: mine\. .*snap\.abort\. See node_modules\/rejoin\/docs\/errors\.md#guess-failed\.$/,
      ),
      expect.stringMatching(/^No guess was made for unfiled .*: .*no primary key/),
    ]);
    log.mockRestore();
  });

  it('can read a stored answer with its expiry status, and is not shown if it throws snap.abort', async () => {
    const { server, controller, getTodo, patchTodo } = scene();
    const guessing = patchTodo.extend({
      getOptimisticResponse: (snap: SnapshotInterface, args: Id, body: object) => {
        const { data } = snap.getResponse(getTodo, args);
        if (!data) throw snap.abort;
        return { id: data.id, ...body };
      },
    });
    void controller.fetch(guessing, { id: '1' }, { title: 'guessed' });
    expect(controller.get(Todo, { id: '1' })).toBeUndefined();
    await controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'a' });
    expect(controller.get(Todo, { id: '1' })?.title).toBe('guessed');
    expect(server.calls).toHaveLength(1);
  });

  it('of a record without an id has a temporary id until the server assigns one', async () => {
    const { server, controller, getTodos, todos } = scene();
    await controller.setResponse(getTodos, [{ id: '1' }]);
    const push = new Endpoint((body: object): Promise<object> => server.fetch(body) as Promise<object>, {
      name: 'push',
      schema: todos.push,
      sideEffect: true,
      getOptimisticResponse: (_snap, body: object) => body,
    });
    const pushed = controller.fetch(push, { title: 'b' });
    expect(controller.get(todos)).toMatchObject([{ id: '1' }, { title: 'b' }]);
    server.calls[0]?.resolve({ id: '2', title: 'b' });
    await pushed;
    expect((controller.get(todos) as Todo[]).map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('can be made from stored responses of other requests', async () => {
    const { controller, getTodo, getTodos, patchTodo } = scene();
    await controller.setResponse(getTodos, [{ id: '1', title: 'a' }]);
    await controller.set(Todo, { id: '2' }, { id: '2', title: 'inferred' });
    await controller.setError(getTodo, { id: '9' }, new Error('known'));
    await controller.setResponse(getTodo, { id: '8' }, { id: '8' });
    controller.store.invalidate(Todo, '8');
    const unfiled = new Endpoint(async () => 1, { name: 'unfiled' });
    const seen: unknown[] = [];
    const guessing = patchTodo.extend({
      getOptimisticResponse: (snap) => {
        seen.push(
          snap.getResponse(getTodos).data,
          snap.getResponse(getTodo, { id: '2' }).data,
          snap.getResponseMeta(getTodos).expiryStatus,
          snap.getError(getTodo, { id: '9' }),
          snap.getResponse(unfiled).data,
          snap.getResponse(getTodo, { id: '8' }),
          snap.getResponse(getTodo, null),
          snap.getError(getTodo, null),
          snap.fetchedAt,
        );
        throw snap.abort;
      },
    });
    void controller.fetch(guessing, { id: '1' }, {});
    expect(seen).toMatchObject([
      [{ title: 'a' }],
      { title: 'inferred' },
      ExpiryStatus.Valid,
      { message: 'known' },
      undefined,
      { data: undefined, expiryStatus: ExpiryStatus.Invalid, expiresAt: 0 },
      { data: undefined, expiryStatus: ExpiryStatus.Valid, expiresAt: Number.POSITIVE_INFINITY },
      undefined,
      1000,
    ]);
  });
});

describe('stored data', () => {
  it.each([undefined, null, 5, 'text', true])('cannot be set to %s, which is not a record', async (value) => {
    const controller = new Controller();
    const union = new Union({ todo: Todo }, () => 'todo' as const);
    controller.store.write(Todo, { id: '1', title: 'a' });
    for (const schema of [Todo, union])
      await expect(controller.set(schema, { id: '1' }, value)).rejects.toMatchObject({ code: 'input-invalid' });
    await controller.set(Todo, { id: '1' }, () => undefined);
    await controller.set(Todo, { id: '1' }, () => null);
    await expect(controller.set(Todo, { id: '1' }, () => value ?? 0)).rejects.toMatchObject({ code: 'input-invalid' });
    expect(controller.get(Todo, { id: '1' })?.title).toBe('a');
  });

  it('is invalidated for one request, or for all that match', async () => {
    const { controller, getTodo } = scene();
    for (const id of ['1', '2']) await controller.setResponse(getTodo, { id }, { id });
    await controller.invalidate(getTodo, { id: '1' });
    expect(controller.getResponse(getTodo, { id: '1' })).toEqual({
      data: undefined,
      expiryStatus: ExpiryStatus.Invalid,
      expiresAt: 0,
    });
    expect(controller.view(getTodo, { id: '2' }).current()).toMatchObject({ status: 'fresh' });
    await controller.invalidateAll(getTodo);
    expect(controller.view(getTodo, { id: '2' }).current()).toEqual({ status: 'missing' });
    await controller.setResponse(getTodo, { id: '1' }, { id: '1' });
    expect(controller.view(getTodo, { id: '1' }).current()).toMatchObject({ status: 'fresh' });
  });

  it('is made stale by expireAll, and stays shown', async () => {
    const { controller, getTodo } = scene();
    await controller.setResponse(getTodo, { id: '1' }, { id: '1' });
    await controller.expireAll({ testKey: () => true });
    expect(controller.view(getTodo, { id: '1' }).current()).toMatchObject({ status: 'stale', value: { id: '1' } });
  });

  it('answers another request whose arguments lead to it, and is fresh as long as its rows are', async () => {
    const { controller, getTodo, getTodos, wait } = scene();
    await controller.setResponse(getTodos, [{ id: '1', title: 'a', done: false }]);
    expect(controller.getResponse(getTodo, { id: '1' })).toMatchObject({
      data: { id: '1' },
      expiryStatus: ExpiryStatus.Valid,
    });
    expect(controller.view(getTodo, { id: '1' }).current()).toMatchObject({ status: 'fresh' });
    wait(60_001);
    expect(controller.view(getTodo, { id: '1' }).current()).toMatchObject({ status: 'stale' });
    expect(controller.getResponse(getTodo, { id: '2' }).expiryStatus).toBe(ExpiryStatus.InvalidIfStale);
    controller.store.invalidate(Todo, '1');
    expect(controller.getResponse(getTodo, { id: '1' }).expiryStatus).toBe(ExpiryStatus.Invalid);
  });

  it('is set to a record, or by a function of the present value', async () => {
    const { controller } = scene();
    const rename = (todo: Todo): object => ({ id: todo.id, title: `${todo.title}!` });
    await controller.set(Todo, { id: '1' }, rename);
    expect(controller.get(Todo, '1')).toBeUndefined();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });
    await controller.set(Todo, { id: '1' }, rename);
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'a!' });
    await expect(controller.set(Todo, { id: '2' }, { title: 'no id' })).rejects.toMatchObject({ code: 'pk-missing' });
  });

  it('is set for a record that was read, by fields, or by a function that returns fields from the present value', async () => {
    const { controller } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a', done: true });
    const read = controller.get(Todo, '1') as Todo;
    await controller.set(read, { title: 'b' });
    expect(controller.get(Todo, '1')).toMatchObject({ id: '1', title: 'b', done: true });
    await controller.set(read, ({ title }) => ({ title: `${title}!` }));
    expect(controller.get(Todo, '1')).toMatchObject({ id: '1', title: 'b!', done: true });
    await controller.set(read, { id: '2', title: 'c' });
    expect(controller.get(Todo, '2')).toBeUndefined();
    expect(controller.get(Todo, '1')).toMatchObject({ id: '1', title: 'c' });
  });

  it('is set for a record whose pk consists of several fields', async () => {
    class Seat extends Entity {
      row = '';
      place = 0;
      guest = '';
      override pk(): string {
        return `${this.row}-${this.place}`;
      }
      static override key = 'Seat';
    }
    const { controller } = scene();
    await controller.set(Seat, 'A-5', { row: 'A', place: 5, guest: 'Ann' });
    await controller.set(controller.get(Seat, 'A-5') as Seat, { guest: 'Bob' });
    expect(controller.get(Seat, 'A-5')).toMatchObject({ row: 'A', place: 5, guest: 'Bob' });
  });

  it('stays as it was in a snapshot', async () => {
    const { controller } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });
    const snapshot = controller.snapshot();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'b' });
    expect(snapshot.get(Todo, '1')).toMatchObject({ title: 'a' });
  });

  it('is not read with null as arguments', async () => {
    const { controller, getTodo } = scene();
    expect(controller.getResponse(getTodo, null)).toMatchObject({ data: undefined, expiryStatus: ExpiryStatus.Valid });
    expect(controller.getResponseMeta(getTodo, null).expiresAt).toBe(Infinity);
    expect(controller.getError(getTodo, null)).toBeUndefined();
    await controller.invalidate(getTodo, null);
    await controller.subscribe(getTodo, null);
    await controller.unsubscribe(getTodo, null);
    expect(controller.store.stats().results).toBe(0);
  });
});

describe('resolve', () => {
  it('answers the request in flight', async () => {
    const { server, controller, getTodo } = scene();
    const fetched = controller.fetch(getTodo, { id: '1' });
    await controller.resolve(getTodo, { args: [{ id: '1' }], response: { id: '1', title: 'x' }, fetchedAt: 1000 });
    expect(await fetched).toBe(controller.get(Todo, '1'));
    server.calls[0]?.resolve({ id: '1', title: 'y' });
    await Promise.resolve();
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'x' });
  });

  it('rejects the request in flight, and rolls back its guess', async () => {
    const { server, controller, patchTodo } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });
    const fetched = controller.fetch(patchTodo, { id: '1' }, { title: 'b' });
    const error = new Error('no');
    const answer = {
      args: [{ id: '1' }, { title: 'b' }] as [Id, object],
      response: error,
      fetchedAt: 1000,
      error: true,
    };
    await controller.resolve(patchTodo, answer);
    await expect(fetched).rejects.toBe(error);
    expect(controller.get(Todo, '1')).toMatchObject({ title: 'a' });
    server.calls[0]?.reject(new Error('late'));
    await Promise.resolve();
    expect(controller.getError(patchTodo, { id: '1' }, { title: 'b' })).toBe(error);
  });
});

describe('resetEntireStore', () => {
  it('removes all data, and rejects requests in flight', async () => {
    const { server, controller, getTodo, patchTodo } = scene();
    await controller.setResponse(getTodo, { id: '1' }, { id: '1' });
    await controller.setError(getTodo, { id: '2' }, new Error('old'));
    const read = controller.fetch(getTodo, { id: '3' });
    const patched = controller.fetch(patchTodo, { id: '1' }, { title: 'guess' });
    await Promise.all([
      expect(read).rejects.toMatchObject({ code: 'request-reset' }),
      expect(patched).rejects.toMatchObject({ code: 'request-reset' }),
      controller.resetEntireStore(),
    ]);
    server.calls[0]?.resolve({ id: '3' });
    server.calls[1]?.reject(new Error('late'));
    await Promise.resolve();
    expect(controller.store.stats()).toMatchObject({ rows: 0, results: 0, layers: 0 });
    expect(controller.getError(getTodo, { id: '2' })).toBeUndefined();
  });
});

describe('a view', () => {
  it('returns the same object until the answer changes', async () => {
    const { controller, getTodo } = scene();
    const view = controller.view(getTodo, { id: '1' });
    expect(view.current()).toBe(view.current());
    await controller.setResponse(getTodo, { id: '1' }, { id: '1' });
    const answer = view.current();
    await controller.setResponse(getTodo, { id: '1' }, { id: '1' });
    expect(view.current()).toBe(answer);
    await controller.setError(getTodo, { id: '1' }, new Error('no'));
    const failed = view.current();
    expect(view.current()).toBe(failed);
    await controller.setError(getTodo, { id: '1' }, new Error('again'));
    expect(view.current()).not.toBe(failed);
  });

  it('notifies of answers of other requests and of errors, and of nothing after it has ended', async () => {
    const { controller, getTodo, todos } = scene();
    const received: Answer[] = [];
    const stop = controller.watch(getTodo, { id: '1' }, (answer) => received.push(answer));
    await controller.set(todos, [{ id: '1', title: 'a', done: false }]);
    await controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'b' });
    await controller.setError(getTodo, { id: '1' }, new Error('no'));
    await controller.invalidate(getTodo, { id: '1' });
    stop();
    await controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'c' });
    expect(received.map(({ status }) => status)).toEqual(['missing', 'fresh', 'fresh', 'failed', 'missing']);
  });

  it('is shown as long as one of its listeners is, also if another one is removed twice', () => {
    const { controller, getTodo } = scene();
    const args = { id: '1' };
    const [stop, stopOther] = [1, 2].map(() => controller.watch(getTodo, args, () => {}));
    stop?.();
    stop?.();
    expect(controller.isShown(getTodo.key(args))).toBe(true);
    stopOther?.();
    expect(controller.isShown(getTodo.key(args))).toBe(false);
  });

  it('keeps no listener that throws at its first call', () => {
    const { controller, getTodo } = scene();
    const args = { id: '1' };
    const listener = (): never => {
      throw new Error('mine');
    };
    expect(() => controller.watch(getTodo, args, listener)).toThrow('mine');
    expect(controller.isShown(getTodo.key(args))).toBe(false);
  });

  it('of a queryable follows its rows', async () => {
    const { controller } = scene();
    const received: Answer<Todo>[] = [];
    const stop = controller.watch(Todo, { id: '1' }, (answer) => received.push(answer));
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });
    controller.store.invalidate(Todo, '1');
    stop();
    expect(received).toMatchObject([
      { status: 'missing' },
      { status: 'fresh', value: { title: 'a' } },
      { status: 'missing' },
    ]);
  });

  it('of a queryable whose value cannot be built has the status failed', async () => {
    const { controller, todos } = scene();
    const broken = new Query(todos, (): number => {
      throw new RangeError('mine');
    });
    await controller.set(todos, [{ id: '1' }]);
    const view = controller.view(broken);
    expect(view.current()).toMatchObject({ status: 'failed', error: { code: 'hook-failed' } });
    expect(view.current()).toBe(view.current());
  });

  it('without a schema follows the result', async () => {
    const controller = new Controller({ store: new Store() });
    const say = new Endpoint(async (word: string) => ({ word }), { name: 'say' });
    const received: Answer[] = [];
    const stop = controller.watch(say, 'hi', (answer) => received.push(answer));
    const other = controller.view(say, 'hi').subscribe(() => {});
    await controller.fetch(say, 'hi');
    stop();
    other();
    expect(received).toMatchObject([{ status: 'missing' }, { status: 'fresh', value: { word: 'hi' } }]);
  });
});

describe('a manager', () => {
  it('gets an error with a cure if it fetches before all managers are installed', async () => {
    let fetched: Promise<unknown> | undefined;
    const hasty: Manager = {
      middleware: (api) => {
        fetched = api.fetch(new Endpoint(async () => ({ id: '1' }), { name: 'hasty' }));
        return (next) => next;
      },
      cleanup: () => {},
    };
    const made = new Controller({ managers: [hasty] });
    await expect(fetched).rejects.toMatchObject({ code: 'manager-too-early' });
    made.dispose();
  });

  it('sees every action in order, and can hold it back', async () => {
    const seen: Action['type'][] = [];
    const life: string[] = [];
    const recorder: Manager = {
      middleware: () => (next) => async (action) => {
        seen.push(action.type);
        await next(action);
      },
      init: () => life.push('init'),
      cleanup: () => life.push('cleanup'),
    };
    const { server, controller, getTodo } = scene([recorder]);
    const fetched = controller.fetch(getTodo, { id: '1' });
    server.calls[0]?.resolve({ id: '1' });
    await fetched;
    await controller.subscribe(getTodo, { id: '1' });
    await controller.unsubscribe(getTodo, { id: '1' });
    expect(seen).toEqual([actionTypes.FETCH, actionTypes.SET_RESPONSE, actionTypes.SUBSCRIBE, actionTypes.UNSUBSCRIBE]);
    controller.dispose();
    expect(life).toEqual(['init', 'cleanup']);
  });
});

describe('a manager that answers fetches itself', () => {
  const answering: Manager = {
    middleware: (controller) => (next) => async (action) => {
      if (action.type !== actionTypes.FETCH) return next(action);
      const { endpoint, args, key, fetchedAt } = action;
      const [{ id }] = args as [Id];
      const error = id === '';
      const request = controller.begin(action);
      const response = error ? new Error('no id') : { id, title: 'mine' };
      const type = actionTypes.SET_RESPONSE;
      await controller.dispatch({ type, endpoint, args, key, fetchedAt, request, response, error });
      controller.answer(action, error ? Promise.reject(response) : Promise.resolve(request.read?.()));
    },
    cleanup: () => {},
  };

  it('replaces the network', async () => {
    const { server, controller, getTodo } = scene([answering]);
    expect(await controller.fetch(getTodo, { id: '1' })).toBe(controller.get(Todo, '1'));
    expect(controller.getResponse(getTodo, { id: '1' })).toMatchObject({ data: { title: 'mine' }, expiresAt: 61_000 });
    await expect(controller.fetch(getTodo, { id: '' })).rejects.toThrow('no id');
    expect(controller.getResponse(getTodo, { id: '' })).toMatchObject({ expiresAt: 2000 });
    expect(server.calls).toHaveLength(0);
  });
});

it('a manager that throws while it handles an error does not hide the error', async () => {
  const clumsy = throwingAt(actionTypes.SET_RESPONSE);
  const { server, controller, getTodo } = scene([clumsy]);
  const fetched = controller.fetch(getTodo, { id: '1' });
  server.calls[0]?.reject(new Error('the request'));
  await expect(fetched).rejects.toThrow('the request');
});

test('a disposed controller ends its requests and accepts no more', async () => {
  const { controller, getTodo } = scene();
  const fetched = controller.fetch(getTodo, { id: '1' });
  controller.dispose();
  await expect(fetched).rejects.toMatchObject({ code: 'request-reset' });
  await expect(controller.fetch(getTodo, { id: '1' })).rejects.toMatchObject({ code: 'controller-disposed' });
});

test('a controller is ready when all of its managers are', async () => {
  const waits = [deferred(), deferred()];
  const managers = waits.map((wait) => {
    const manager = { middleware: () => async (action: unknown) => void action, cleanup: () => {}, ready: undefined };
    const waiting: Manager & { ready: Promise<void> | undefined } = Object.assign(manager, { ready: wait.promise });
    void wait.promise.then(() => (waiting.ready = undefined));
    return waiting;
  });
  const controller = new Controller({ managers });
  let isReady = false;
  const ready = controller.ready?.then(() => (isReady = true));
  waits[0]?.resolve();
  await waits[0]?.promise;
  expect(isReady).toBe(false);
  waits[1]?.resolve();
  await ready;
  expect(controller.ready).toBeUndefined();
});

import { expect, test } from 'vitest';
import { Controller, ExpiryStatus, type Platform, platform, resource } from '../../../src/index.ts';
import { Todo } from '../../model.ts';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly answer: (body: unknown, type?: string) => Promise<void>;
  readonly fail: () => Promise<void>;
}

/** A server whose answers the test sends, and a clock that the test sets. */
function scene() {
  const calls: Call[] = [];
  const clock = { now: 10_000_000 };
  const world: Platform = {
    ...platform,
    now: () => clock.now,
    fetch: (url, { method = 'GET' }) =>
      new Promise((resolve, reject) => {
        const settle = async (run: () => void): Promise<void> => {
          run();
          await new Promise((next) => setTimeout(next, 0));
        };
        calls.push({
          method,
          path: new URL(url).pathname,
          answer: (body, type = 'application/json') =>
            settle(() =>
              resolve(
                new Response(type === 'text/html' ? String(body) : JSON.stringify(body), {
                  headers: { 'content-type': type },
                }),
              ),
            ),
          fail: () => settle(() => reject(new TypeError('fetch failed'))),
        });
      }),
  };
  const todos = resource({
    urlPrefix: 'https://api.test',
    path: '/todos/:id',
    schema: Todo,
    optimistic: true,
    platform: world,
    timeout: Number.POSITIVE_INFINITY,
    dataExpiryLength: 60_000,
  });
  const controller = new Controller({ now: world.now });
  const last = (method: string, path: string): Call => {
    const call = calls.findLast((one) => one.method === method && one.path === path);
    if (call === undefined) throw new Error(`no ${method} ${path}`);
    return call;
  };
  const sent = (): Promise<void> => new Promise((next) => setTimeout(next, 0));
  return { calls, clock, todos, controller, last, sent };
}

const todo = (id: string, title: string): object => ({ id, title, done: false });

test('a mutation that is answered after a mutation of another record is not undone by a read between the two', async () => {
  const { todos, controller, last, sent } = scene();
  const slow = controller.fetch(todos.partialUpdate, { id: 'a' }, { title: 'new' });
  const fast = controller.fetch(todos.partialUpdate, { id: 'b' }, { title: 'b2' });
  await sent();
  await last('PATCH', '/todos/b').answer(todo('b', 'b2'));
  await fast;
  const list = controller.fetch(todos.getList);
  await sent();
  await last('GET', '/todos').answer([todo('a', 'old'), todo('b', 'b2')]);
  await list;
  await last('PATCH', '/todos/a').answer(todo('a', 'new'));
  await slow;

  expect(controller.get(Todo, { id: 'a' })?.title).toBe('new');
});

test('a deletion that is answered after another mutation is not undone by a read between the two', async () => {
  const { todos, controller, last, sent } = scene();
  await controller.setResponse(todos.getList, [todo('a', 'x'), todo('b', 'x')]);
  const slow = controller.fetch(todos.delete, { id: 'a' });
  const fast = controller.fetch(todos.partialUpdate, { id: 'b' }, { title: 'b2' });
  await sent();
  await last('PATCH', '/todos/b').answer(todo('b', 'b2'));
  await fast;
  const list = controller.fetch(todos.getList);
  await sent();
  await last('GET', '/todos').answer([todo('a', 'x'), todo('b', 'b2')]);
  await list;
  await last('DELETE', '/todos/a').answer({ id: 'a' });
  await slow;

  expect(controller.get(Todo, { id: 'a' })).toBeUndefined();
  expect(controller.get(todos.getList.schema)?.map(({ id }) => id)).toEqual(['b']);
});

test('a page of HTML is not an answer to a deletion', async () => {
  const { todos, controller, calls, sent } = scene();
  await controller.setResponse(todos.get, { id: 'a' }, todo('a', 'x'));
  const failed = controller.fetch(todos.delete, { id: 'a' }).catch((error: unknown) => error);
  await sent();
  expect(calls).toHaveLength(1);
  await calls[0]?.answer('<p>Welcome', 'text/html');

  expect(await failed).toMatchObject({ code: 'response-unexpected' });
  expect(controller.get(Todo, { id: 'a' })?.title).toBe('x');
});

test('fresh data is stale after the clock was set back', async () => {
  const { todos, controller, clock, calls, sent } = scene();
  await controller.setResponse(todos.get, { id: 'a' }, todo('a', 'x'));
  await controller.setError(todos.get, { id: 'b' }, new Error('busy'));
  expect(controller.fetchIfStale(todos.get, { id: 'a' })).not.toBeInstanceOf(Promise);
  clock.now -= 7_200_000;
  await controller.expireAll({ testKey: (key) => key.endsWith('/todos/b') });
  for (const id of ['a', 'b']) void Promise.resolve(controller.fetchIfStale(todos.get, { id })).catch(() => {});
  await sent();

  expect(calls.map(({ path }) => path)).toEqual(['/todos/a', '/todos/b']);
});

test('data that is inferred from answers to other requests is stale after the clock was set back', async () => {
  const { todos, controller, clock, calls, sent } = scene();
  await controller.setResponse(todos.getList, [todo('a', 'x')]);
  clock.now -= 7_200_000;
  void Promise.resolve(controller.fetchIfStale(todos.get, { id: 'a' })).catch(() => {});
  await sent();

  expect(calls.map(({ path }) => path)).toEqual(['/todos/a']);
});

test('a request that fails after a later one was answered changes nothing, although that answer has been removed since', async () => {
  const { todos, controller, calls, last, sent } = scene();
  const early = controller.fetch(todos.getList).catch((error: unknown) => error);
  const update = controller.fetch(todos.partialUpdate, { id: 'a' }, { title: 'new' });
  await sent();
  await last('PATCH', '/todos/a').answer(todo('a', 'new'));
  await update;
  const late = controller.fetch(todos.getList);
  await sent();
  await last('GET', '/todos').answer([todo('a', 'new')]);
  await late;
  await controller.invalidate(todos.getList);
  await controller.invalidate(todos.getList);
  await calls[0]?.fail();

  expect(await early).toBeInstanceOf(Error);
  expect(controller.getError(todos.getList)).toBeUndefined();
  const { expiryStatus } = controller.getResponse(todos.getList);
  expect(expiryStatus).toBe(ExpiryStatus.Invalid);
});

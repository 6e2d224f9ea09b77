import { describe, expect, test, vi } from 'vitest';
import {
  type Action,
  actionTypes,
  type Commit,
  type ControllerOptions,
  Endpoint,
  type Exchange,
  type Manager,
  NetworkManager,
  ResetError,
  RestEndpoint,
  retrying,
} from '../../src/index.ts';
import { Todo } from '../model.ts';
import { settled, todosOver, Transport } from './transport.ts';

function scene(options: ControllerOptions = {}) {
  const transport = new Transport();
  return { transport, ...todosOver(transport, options) };
}

describe('a request of a controller', () => {
  test('is aborted by a reset, except a mutation that the server may already carry out', async () => {
    const { transport, controller, todos } = scene();
    const reading = controller.fetch(todos.get, { id: '1' });
    const writing = controller.fetch(todos.update, { id: '2' }, { title: 'x' });
    await settled();
    await controller.resetEntireStore();
    await expect(reading).rejects.toBeInstanceOf(ResetError);
    await expect(writing).rejects.toMatchObject({ name: 'ResetError' });
    expect(transport.call('GET /todos/1').signal.reason).toBeInstanceOf(ResetError);
    expect(transport.call('PUT /todos/2').signal.aborted).toBe(false);
    transport.take('PUT /todos/2').fail();
    await settled();
    expect(transport.timers).toEqual([]);
  });

  test('is aborted when the controller is disposed', async () => {
    const { transport, controller, todos } = scene();
    const reading = controller.fetch(todos.get, { id: '1' });
    await settled();
    controller.dispose();
    await expect(reading).rejects.toBeInstanceOf(ResetError);
    expect(transport.call('GET /todos/1').signal.aborted).toBe(true);
  });

  test('is aborted by the signal of its endpoint, too', async () => {
    const { transport, controller, todos } = scene();
    const abort = new AbortController();
    const reading = controller.fetch(todos.get.extend({ signal: abort.signal }), { id: '1' });
    await settled();
    abort.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(transport.call('GET /todos/1').signal.aborted).toBe(true);
    expect(controller.getError(todos.get, { id: '1' })).toBeUndefined();
  });

  test('passes its exchange to the endpoint, also if a subclass overrides fetch() and calls super.fetch()', async () => {
    const seen: (Exchange | undefined)[] = [];
    const { transport, controller } = scene();
    class Traced extends RestEndpoint<{ path: '/todos/:id'; schema: typeof Todo }> {
      override async fetch(...args: readonly unknown[]): Promise<unknown> {
        await settled();
        seen.push(this.exchange);
        return super.fetch(...args);
      }
    }
    const get = new Traced({ path: '/todos/:id', schema: Todo, platform: transport });
    const reading = controller.fetch(get, { id: '1' });
    await settled();
    await settled();
    transport.take('GET /todos/1').answer({ id: '1' });
    await reading;
    expect(seen[0]).toMatchObject({ key: 'GET /todos/1' });
    expect(get.exchange).toBeUndefined();
    const alone = new Endpoint(
      async function alone(this: { exchange?: Exchange }) {
        seen.push(this.exchange);
        return 5;
      },
      { name: 'alone' },
    );
    expect(await controller.fetch(alone)).toBe(5);
    expect(seen[1]?.session).toBe(seen[0]?.session);
    await controller.resetEntireStore();
    await controller.fetch(alone);
    expect(seen[2]?.session).not.toBe(seen[0]?.session);
    await alone();
    expect(seen[3]).toBeUndefined();
  });
});

describe('requests to one origin', () => {
  test('are sent six at a time, mutations before reads, and the next one is also sent after a failure', async () => {
    const { transport, controller, todos } = scene();
    for (let id = 1; id <= 8; id++) controller.fetch(todos.get, { id: String(id) }).catch(() => {});
    void controller.fetch(todos.update, { id: '9' }, { title: 'x' });
    await settled();
    expect(transport.sent).toEqual([1, 2, 3, 4, 5, 6].map((id) => `GET /todos/${id}`));
    transport.take('GET /todos/3').fail();
    await settled();
    expect(transport.sent.at(-1)).toBe('PUT /todos/9');
    transport.take('GET /todos/1').answer({ id: '1' });
    await settled();
    expect(transport.sent.at(-1)).toBe('GET /todos/7');
    expect(transport.sent).toHaveLength(6);
  });

  test('are limited by the option of the manager, for each origin', async () => {
    const { transport, controller, todos } = scene({ managers: [new NetworkManager({ concurrency: 1 })] });
    const other = new RestEndpoint({ urlPrefix: 'https://other.example', path: '/todos', platform: transport });
    void controller.fetch(todos.get, { id: '1' });
    void controller.fetch(todos.get, { id: '2' });
    void controller.fetch(other);
    await settled();
    expect(transport.sent).toEqual(['GET /todos/1', 'GET https://other.example/todos']);
  });

  test('leave the queue if they are aborted before they are sent', async () => {
    const { transport, controller, todos } = scene({ managers: [new NetworkManager({ concurrency: 1 })] });
    const abort = new AbortController();
    controller.fetch(todos.get, { id: '1' }).catch(() => {});
    const waiting = controller.fetch(todos.get.extend({ signal: abort.signal }), { id: '2' });
    void controller.fetch(todos.get, { id: '3' });
    await settled();
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    transport.take('GET /todos/1').fail();
    await settled();
    expect(transport.sent).toEqual(['GET /todos/3']);
  });

  test('have a timeout that begins when they are sent, not when they begin to wait', async () => {
    const { transport, controller, todos } = scene({ managers: [new NetworkManager({ concurrency: 1 })] });
    controller.fetch(todos.get, { id: '1' }).catch(() => {});
    void controller.fetch(todos.get, { id: '2' });
    await settled();
    expect(transport.timers).toHaveLength(1);
    transport.timers[0]?.run();
    await settled();
    expect(controller.getError(todos.get, { id: '1' })).toMatchObject({ code: 'request-timeout' });
    expect(transport.sent).toContain('GET /todos/2');
  });

  test('are sent again after a failure by the option of the manager, unless the endpoint has its own', async () => {
    const { transport, controller, todos } = scene({
      managers: [new NetworkManager({ retry: retrying({ limit: 1 }) })],
    });
    const once = todos.get.extend({ retry: false });
    void controller.fetch(todos.get, { id: '1' }).catch(() => {});
    const failing = controller.fetch(once, { id: '2' });
    await settled();
    transport.take('GET /todos/1').fail();
    transport.take('GET /todos/2').fail();
    await expect(failing).rejects.toThrow('Failed to fetch');
    expect(transport.timers.map(({ milliseconds }) => milliseconds)).toEqual([150]);
    transport.timers[0]?.run();
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'again' });
    await settled();
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'again' });
  });
});

describe('answers that arrive together', () => {
  test('are stored in one commit, of which watchers are notified once', async () => {
    const { transport, controller, todos } = scene();
    await controller.setResponse(todos.getList, [{ id: '1' }, { id: '2' }, { id: '3' }]);
    const asked = ['1', '2', '3'].map((id) => controller.fetch(todos.get, { id }));
    await settled();
    const commits: Commit[] = [];
    controller.store.onCommit((commit) => commits.push(commit));
    let notifications = 0;
    controller.watch(todos.getList, () => void notifications++);
    for (const call of transport.calls) call.answer({ id: call.url.at(-1), title: 'new' });
    const all = await Promise.all(asked);
    expect(commits).toHaveLength(1);
    expect(notifications).toBe(2);
    expect(controller.getResponse(todos.getList).data).toEqual(all);
    for (const todo of all) expect(controller.get(Todo, { id: todo.id })).toBe(todo);
  });

  test('succeed and fail independently', async () => {
    const { transport, controller, todos } = scene();
    const asked = ['1', '2', '3'].map((id) => controller.fetch(todos.get, { id }));
    await settled();
    for (const call of transport.calls)
      call.answer(call.url.endsWith('2') ? { title: 'no id' } : { id: call.url.at(-1) });
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(controller.getError(todos.get, { id: '2' })).toMatchObject({ code: 'pk-missing' });
    expect(controller.store.stats().rows).toBe(2);
  });

  test('are stored before any later request is sent', async () => {
    const say = new Endpoint(async (id: string) => ({ id, title: 'of the server' }), { name: 'say', schema: Todo });
    const hasty: Manager = {
      middleware: (controller) => (next) => (action) => {
        const landing = next(action);
        if (action.type === actionTypes.SET_RESPONSE) void controller.invalidate(say, '1');
        return landing;
      },
      cleanup: () => {},
    };
    const { controller } = scene({ managers: [hasty] });
    expect(await controller.fetch(say, '1')).toMatchObject({ title: 'of the server' });
    expect(controller.getResponse(say, '1').data).toBeUndefined();
  });

  test('reach all listeners, even if one throws; its error is reported to the process', async () => {
    const { transport, controller, todos } = scene();
    const thrown = vi.fn<(error: unknown) => void>();
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', thrown);
    const received: string[] = [];
    const view = controller.view(todos.get, { id: '1' });
    view.subscribe(() => {
      throw new RangeError('listener');
    });
    view.subscribe(() => void received.push(view.current().status));
    const asked = controller.fetch(todos.get, { id: '1' });
    await settled();
    transport.take('GET /todos/1').answer({ id: '1' });
    expect(await asked).toMatchObject({ id: '1' });
    await settled();
    process.removeAllListeners('uncaughtException');
    for (const listener of before) process.on('uncaughtException', listener);
    expect(new Set(received)).toEqual(new Set(['fresh']));
    expect(thrown).toHaveBeenCalledWith(expect.objectContaining({ message: 'listener' }), 'uncaughtException');
  });

  test('include those of resolve(): outdated reads are fetched after it has answered a mutation', async () => {
    const { transport, controller, todos } = scene();
    const stop = controller.watch(todos.get, { id: '1' }, () => {});
    const { time } = transport;
    void controller.fetch(todos.get, { id: '1' });
    const changed = controller.fetch(todos.update, { id: '2' }, { title: 'x' });
    controller.fetch(todos.update, { id: '3' }, { title: 'x' }).catch(() => {});
    await settled();
    await controller.resolve(todos.update, {
      args: [{ id: '2' }, { title: 'x' }],
      response: { id: '2', title: 'y' },
      fetchedAt: time,
    });
    expect(await changed).toMatchObject({ title: 'y' });
    transport.take('GET /todos/1').answer({ id: '1' });
    await settled();
    expect(transport.sent).toEqual(['PUT /todos/2', 'PUT /todos/3']);
    await controller
      .resolve(todos.update, {
        args: [{ id: '3' }, { title: 'x' }],
        response: new Error('no'),
        error: true,
        fetchedAt: time,
      })
      .catch(() => {});
    await settled();
    expect(transport.sent).toContain('GET /todos/1');
    stop();
  });
});

describe('an outdated answer that is shown', () => {
  test('is fetched once, even if its reader fetches in its notification', async () => {
    const { transport, controller, todos } = scene();
    controller.watch(todos.get, { id: '1' }, ({ status }) => {
      if (status === 'stale') controller.fetch(todos.get, { id: '1' }).catch(() => {});
    });
    void controller.fetch(todos.get, { id: '1' });
    void controller.fetch(todos.update, { id: '2' }, { title: 'x' });
    await settled();
    transport.take('PUT /todos/2').answer({ id: '2' });
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'old' });
    await settled();
    expect(transport.sent).toHaveLength(1);
  });

  test('is not fetched while a later request is in flight, and an error of that request is not unhandled', async () => {
    const { transport, controller, todos } = scene();
    const unhandled = vi.fn<() => void>();
    process.on('unhandledRejection', unhandled);
    controller.watch(todos.get, { id: '1' }, () => {});
    void controller.fetch(todos.get, { id: '1' });
    void controller.fetch(todos.update, { id: '2' }, { title: 'x' });
    await settled();
    transport.take('PUT /todos/2').answer({ id: '2' });
    await settled();
    void controller.fetch(todos.get, { id: '1' }).catch(() => {});
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'old' });
    await settled();
    expect(transport.sent).toEqual(['GET /todos/1']);
    void controller.fetch(todos.update, { id: '2' }, { title: 'x' });
    await settled();
    transport.take('PUT /todos/2').answer({ id: '2' });
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'old' });
    await settled();
    transport.take('GET /todos/1').answer({}, { status: 404 });
    await settled();
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    expect(controller.getError(todos.get, { id: '1' })).toBeDefined();
  });

  test('is not fetched again after it has failed', async () => {
    const { transport, controller, todos } = scene();
    controller.watch(todos.get, { id: '1' }, () => {});
    controller.fetch(todos.get, { id: '1' }).catch(() => {});
    void controller.fetch(todos.update, { id: '2' }, { title: 'x' });
    await settled();
    transport.take('PUT /todos/2').answer({ id: '2' });
    await settled();
    transport.take('GET /todos/1').fail();
    await settled();
    expect(transport.sent).toEqual([]);
  });
});

test('1,000 invalidations in one turn, with 50 watchers that fetch when notified, send 50 requests, six at a time', async () => {
  const { transport, controller, todos } = scene();
  const ids = Array.from({ length: 50 }, (_, nth) => String(nth));
  for (const id of ids) {
    // oxlint-disable-next-line no-await-in-loop
    await controller.setResponse(todos.get, { id }, { id });
    controller.watch(todos.get, { id }, ({ status }) => {
      if (status === 'missing') void controller.fetch(todos.get, { id });
    });
  }
  for (let nth = 0; nth < 1000; nth++) void controller.invalidate(todos.get, { id: ids[nth % 50] as string });
  let sent = 0;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop
    await settled();
    expect(transport.calls.length).toBeLessThanOrEqual(6);
    const call = transport.calls.shift();
    if (call === undefined) break;
    sent++;
    call.answer({ id: call.url.slice('/todos/'.length) });
  }
  expect(sent).toBe(50);
});

test('a manager gets every action, and can run several in one commit', async () => {
  const actions: Action['type'][] = [];
  let notifications = 0;
  const recorder: Manager = {
    middleware: (controller) => (next) => (action) => {
      actions.push(action.type);
      if (action.type === actionTypes.SUBSCRIBE) {
        controller.batch(() => {
          for (const title of ['a', 'b'])
            void controller.setResponse(action.endpoint, ...([...action.args, { id: '1', title }] as never));
          controller.batch(() => void controller.set(Todo, { id: '1' }, { id: '1', title: 'c' }));
        });
      }
      return next(action);
    },
    init: (state) => {
      expect(state.get(Todo, { id: '1' })).toBeUndefined();
    },
    cleanup: () => {},
  };
  const { controller, todos } = scene({ managers: [recorder] });
  const shown: unknown[] = [];
  controller.watch(todos.get, { id: '1' }, (answer) => {
    notifications++;
    if ('value' in answer) shown.push(answer.value.title);
  });
  expect([...controller.shown()]).toMatchObject([{ key: 'GET /todos/1', args: [{ id: '1' }] }]);
  await controller.subscribe(todos.get, { id: '1' });
  expect(notifications).toBe(2);
  expect(shown).toEqual(['c']);
  expect(actions).toEqual([actionTypes.SUBSCRIBE, actionTypes.SET_RESPONSE, actionTypes.SET_RESPONSE, actionTypes.SET]);
});

test('allSettled() waits for requests in flight, and a request whose endpoint has ended has an aborted signal', async () => {
  const network = new NetworkManager();
  const { transport, controller, todos } = scene({ managers: [network] });
  const asked = controller.fetch(todos.get, { id: '1' });
  let isSettled = false;
  const all = network.allSettled().then(() => (isSettled = true));
  await settled();
  expect(isSettled).toBe(false);
  transport.take('GET /todos/1').answer({ id: '1' });
  await Promise.all([asked, all]);
  let seen: unknown;
  const late = new Endpoint(
    async function late(this: { exchange?: Exchange }) {
      await settled();
      seen = this.exchange?.signal.aborted;
    },
    { name: 'late' },
  );
  const forgotten = controller.fetch(late);
  await controller.resetEntireStore();
  await expect(forgotten).rejects.toBeInstanceOf(ResetError);
  await settled();
  expect(seen).toBe(true);
});

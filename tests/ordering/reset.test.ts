import { describe, expect, test } from 'vitest';
import {
  Controller,
  type ControllerOptions,
  Endpoint,
  getDefaultManagers,
  resource,
  retrying,
} from '../../src/index.ts';
import { Todo, User } from '../model.ts';
import { settled, todosOver, Transport } from './transport.ts';

function scene(options: ControllerOptions = {}) {
  const transport = new Transport();
  const { controller, todos } = todosOver(transport, options);
  const read = (): Promise<unknown> => controller.fetch(todos.get, { id: '1' });
  const show = (): void => void controller.view(todos.get, { id: '1' }).subscribe(() => {});
  const title = (): string | undefined => controller.get(Todo, { id: '1' })?.title;
  return { transport, controller, todos, read, show, title };
}

describe('a mutation that has arrived at the server when the store is reset', () => {
  test('continues, but its caller gets an error at once, and its answer is not stored', async () => {
    const { transport, controller, todos } = scene();
    const saved = controller.fetch(todos.update, { id: '1' }, { title: 'new' });
    await settled();
    await controller.resetEntireStore();
    await expect(saved).rejects.toMatchObject({ code: 'request-reset' });
    const call = transport.take('PUT /todos/1');
    expect(call.signal.aborted).toBe(false);
    call.answer({ id: '1', title: 'new' });
    await settled();
    expect(controller.store.stats()).toMatchObject({ rows: 0, results: 0, layers: 0 });
    expect(transport.timers).toEqual([]);
  });

  test.each([
    ['succeeds', 200],
    ['fails', 500],
  ])('makes shown data that was answered meanwhile be fetched again when it %s', async (_, status) => {
    const { transport, controller, todos, read, show, title } = scene();
    show();
    controller.fetch(todos.update, { id: '1' }, { title: 'new' }).catch(() => {});
    await settled();
    await controller.resetEntireStore();
    void read();
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'old' });
    await settled();
    expect([title(), transport.sent]).toEqual(['old', ['PUT /todos/1']]);
    transport.take('PUT /todos/1').answer({ id: '1', title: 'new' }, { status });
    await settled();
    expect(transport.sent).toEqual(['GET /todos/1']);
    transport.take('GET /todos/1').answer({ id: '1', title: 'new' });
    await settled();
    expect([title(), transport.sent]).toEqual(['new', []]);
  });

  test('makes the records in an earlier answer stale, also for readers of one of these records', async () => {
    const { transport, controller, todos } = scene();
    const users = resource({ path: '/users/:id', schema: User, platform: transport });
    controller.fetch(users.update, { id: '2' }, { name: 'new' }).catch(() => {});
    await settled();
    await controller.resetEntireStore();
    void controller.fetch(todos.getList);
    await settled();
    transport.take('PUT /users/2').answer({ id: '2', name: 'new' });
    await settled();
    transport.take('GET /todos').answer([{ id: '1', owner: { id: '2', name: 'old' } }]);
    await settled();
    void controller.fetchIfStale(users.get, { id: '2' });
    await settled();
    expect(transport.sent).toEqual(['GET /users/2']);
  });

  test('is still awaited after another mutation has ended', async () => {
    const { transport, controller, todos, read, show } = scene();
    show();
    controller.fetch(todos.update, { id: '1' }, { title: 'new' }).catch(() => {});
    await settled();
    await controller.resetEntireStore();
    void read();
    void controller.fetch(todos.update, { id: '2' }, { title: 'other' });
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'old' });
    // Answers that arrive at the same time are read in any order.
    await settled();
    transport.take('PUT /todos/2').answer({ id: '2', title: 'other' });
    await settled();
    transport.take('PUT /todos/1').answer({ id: '1', title: 'new' });
    await settled();
    expect(transport.sent).toEqual(['GET /todos/1']);
  });

  test('is not sent again', async () => {
    const { transport, controller, todos } = scene({
      managers: getDefaultManagers({ networkManager: { retry: retrying() } }),
    });
    controller.fetch(todos.update, { id: '1' }, { title: 'new' }).catch(() => {});
    await settled();
    await controller.resetEntireStore();
    transport.take('PUT /todos/1').fail();
    await settled();
    expect([transport.sent, transport.timers]).toEqual([[], []]);
  });

  test('is not awaited if its endpoint uses the signal', async () => {
    const { transport, controller, read, show } = scene();
    show();
    const save = new Endpoint(
      function save(this: { readonly exchange?: { readonly signal: AbortSignal } }): Promise<object> {
        return new Promise((_, reject) =>
          this.exchange?.signal.addEventListener('abort', () => reject(new Error('ended'))),
        );
      },
      { name: 'save', schema: Todo, sideEffect: true },
    );
    controller.fetch(save).catch(() => {});
    await settled();
    void controller.resetEntireStore();
    void read();
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'new' });
    await settled();
    expect(transport.sent).toEqual([]);
  });

  test('is aborted when the controller is disposed', async () => {
    const { transport, controller, todos } = scene();
    controller.fetch(todos.update, { id: '1' }, { title: 'new' }).catch(() => {});
    await settled();
    controller.dispose();
    expect(transport.call('PUT /todos/1').signal.aborted).toBe(true);
  });
});

describe('a reset by another controller of the store', () => {
  test('ends the requests that are in flight at once, with the error of an own reset', async () => {
    const { transport, controller, todos } = scene();
    const other = new Controller({ store: controller.store });
    const read = controller.fetch(todos.get, { id: '1' });
    const saved = controller.fetch(todos.update, { id: '2' }, { title: 'new' });
    await settled();
    await other.resetEntireStore();
    await expect(read).rejects.toMatchObject({ code: 'request-reset' });
    await expect(saved).rejects.toMatchObject({ code: 'request-reset' });
    expect(transport.call('GET /todos/1').signal.aborted).toBe(true);
    expect(transport.call('PUT /todos/2').signal.aborted).toBe(false);
  });

  test('keeps the error of an earlier request away from later readers', async () => {
    const { transport, controller, todos, read } = scene();
    const other = new Controller({ store: controller.store });
    read().catch(() => {});
    await settled();
    await other.resetEntireStore();
    transport.take('GET /todos/1').answer({}, { status: 403 });
    await settled();
    expect(controller.getError(todos.get, { id: '1' })).toBe(undefined);
  });
});

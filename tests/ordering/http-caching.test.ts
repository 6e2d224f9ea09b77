import { describe, expect, test } from 'vitest';
import { type Commit, Controller, httpCaching, resource } from '../../src/index.ts';
import { envelope } from '../../src/wire.ts';
import { Todo } from '../model.ts';
import { settled, Transport } from './transport.ts';

function scene() {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const todos = resource({ path: '/todos/:id', schema: Todo, platform: transport, caching: httpCaching() });
  const get = { id: '1' };
  /** Fetches, and answers. */
  const ask = async (value: unknown, init?: ResponseInit): Promise<Todo> => {
    const asked = controller.fetch(todos.get, get);
    await settled();
    transport.take('GET /todos/1').answer(value, init);
    await settled();
    return asked;
  };
  const etag = (tag: string): ResponseInit => ({ headers: { ETag: tag } });
  return { transport, controller, todos, ask, etag, get };
}

const NOT_MODIFIED: ResponseInit = { status: 304 };

describe('304', () => {
  test('is answered from the store: the data is fresh again, the object stays, and no observer is notified', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    const first = await ask({ id: '1', title: 'a' }, etag('"1"'));
    let notifications = 0;
    controller.watch(todos.get, get, () => void notifications++);
    const commits: Commit[] = [];
    controller.store.onCommit((commit) => commits.push(commit));
    transport.time += 50_000;
    const asked = controller.fetch(todos.get, get);
    await settled();
    expect(transport.call('GET /todos/1').headers['If-None-Match']).toBe('"1"');
    transport.take('GET /todos/1').answer(null, NOT_MODIFIED);
    expect(await asked).toBe(first);
    expect(controller.getResponse(todos.get, get)).toMatchObject({ data: first, expiresAt: transport.time + 60_000 });
    expect(commits.flatMap(({ rows, shown }) => [...rows, ...shown])).toEqual([]);
    expect(notifications).toBe(1);
  });

  test('makes stale or failed data fresh again, and notifies its readers', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    await ask({ id: '1', title: 'a' }, etag('"1"'));
    await controller.expireAll(todos.get);
    const statuses: string[] = [];
    controller.watch(todos.get, get, ({ status }) => void statuses.push(status));
    await ask(null, NOT_MODIFIED);
    const failing = controller.fetch(todos.get, get);
    await settled();
    transport.take('GET /todos/1').answer({}, { status: 404 });
    await expect(failing).rejects.toMatchObject({ status: 404 });
    await ask(null, NOT_MODIFIED);
    expect(statuses).toEqual(['stale', 'fresh', 'failed', 'fresh']);
    // The version can be used again.
    void controller.fetch(todos.get, get);
    await settled();
    expect(transport.call('GET /todos/1').headers['If-None-Match']).toBe('"1"');
  });

  test('has its own time of expiry', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    await ask({ id: '1' }, etag('"1"'));
    await ask(null, { ...NOT_MODIFIED, headers: { 'Cache-Control': 'max-age=5' } });
    expect(controller.getResponse(todos.get, get).expiresAt).toBe(transport.time + 5000);
  });

  test.each<[string, (given: ReturnType<typeof scene>) => Promise<unknown>]>([
    [
      'the application has invalidated the answer',
      ({ controller, todos, get }) => controller.invalidate(todos.get, get),
    ],
    ['the store was reset', ({ controller }) => controller.resetEntireStore()],
    ['the application has set the record', ({ controller }) => controller.set(Todo, get1, { id: '1', title: 'mine' })],
    [
      'the application has set the answer',
      ({ controller, todos }) => controller.setResponse(todos.get, get1, { id: '1' }),
    ],
    ['the record was deleted', async ({ controller }) => controller.store.invalidate(Todo, '1')],
  ])('is not requested when %s', async (_, happen) => {
    const given = scene();
    const { transport, controller, todos, ask, etag, get } = given;
    await ask({ id: '1', title: 'a' }, etag('"1"'));
    await happen(given);
    void controller.fetch(todos.get, get).catch(() => {});
    await settled();
    expect(transport.call('GET /todos/1').headers).not.toHaveProperty('If-None-Match');
  });

  test('is not requested after a failed request, if the application has changed the records', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    await ask({ id: '1', title: 'a' }, etag('"1"'));
    await controller.set(Todo, get, { id: '1', title: 'mine' });
    await controller.setError(todos.get, get, new Error('no'));
    void controller.fetch(todos.get, get);
    await settled();
    expect(transport.call('GET /todos/1').headers).not.toHaveProperty('If-None-Match');
  });

  test('is followed by a full request if the stored answer was removed meanwhile', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    await ask({ id: '1', title: 'a' }, etag('"1"'));
    const asked = controller.fetch(todos.get, get);
    await settled();
    await controller.invalidate(todos.get, get);
    transport.take('GET /todos/1').answer(null, NOT_MODIFIED);
    await settled();
    expect(transport.call('GET /todos/1').headers).not.toHaveProperty('If-None-Match');
    transport.take('GET /todos/1').answer({ id: '1', title: 'b' });
    expect(await asked).toMatchObject({ title: 'b' });
  });

  test('is followed by a full request if the stored answer has changed meanwhile, and that answer is newer than the change', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    await ask({ id: '1', title: 'a' }, etag('"1"'));
    const asked = controller.fetch(todos.get, get);
    const changed = controller.fetch(todos.update, get, { title: 'b' });
    await settled();
    transport.take('PUT /todos/1').answer({ id: '1', title: 'b' });
    await changed;
    await controller.set(Todo, get, { id: '1', title: 'mine' });
    transport.take('GET /todos/1').answer(null, NOT_MODIFIED);
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'of a colleague' });
    expect(await asked).toMatchObject({ title: 'of a colleague' });
    expect(controller.getResponse(todos.get, get)).toMatchObject({ expiresAt: transport.time + 60_000 });
  });

  test('leaves an answer stale that may be from before a mutation', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    await ask({ id: '1', title: 'a' }, etag('"1"'));
    void controller.fetch(todos.get, get);
    const changed = controller.fetch(todos.update, { id: '2' }, { title: 'x' });
    await settled();
    transport.take('PUT /todos/2').answer({ id: '2' });
    await changed;
    transport.take('GET /todos/1').answer(null, NOT_MODIFIED);
    await settled();
    expect(controller.getResponse(todos.get, get)).toMatchObject({ data: { title: 'a' }, expiresAt: 1 });
  });

  test('of an earlier request does not make the answer of a later one stale', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    await ask({ id: '1', title: 'a' }, etag('"1"'));
    void controller.fetch(todos.get, get);
    await settled();
    const earlier = transport.take('GET /todos/1');
    const changed = controller.fetch(todos.update, { id: '2' }, { title: 'x' });
    await settled();
    transport.take('PUT /todos/2').answer({ id: '2' });
    await changed;
    const later = controller.fetch(todos.get, get);
    await settled();
    transport.take('GET /todos/1').answer(null, NOT_MODIFIED);
    await later;
    earlier.answer(null, NOT_MODIFIED);
    await settled();
    expect(controller.getResponse(todos.get, get)).toMatchObject({ expiresAt: transport.time + 60_000 });
  });

  test('is not requested for a list that a mutation has changed, because the server may have the former list again', async () => {
    const { transport, controller, todos, etag } = scene();
    await controller.set(Todo, { id: '2' }, { id: '2', done: false });
    const done = controller.fetch(todos.getList, { done: true });
    await settled();
    transport.take('GET /todos?done=true').answer([{ id: '1', done: true }], etag('"1"'));
    await done;
    const changed = controller.fetch(todos.partialUpdate, { id: '2' }, { done: true });
    await settled();
    transport.take('PATCH /todos/2').answer({ id: '2', done: true });
    await changed;
    expect(controller.getResponse(todos.getList, { done: true }).data).toHaveLength(2);
    void controller.fetch(todos.getList, { done: true });
    await settled();
    expect(transport.call('GET /todos?done=true').headers).not.toHaveProperty('If-None-Match');
  });

  test('is not requested for an answer that came under a guess, because the guess may have changed it', async () => {
    const { transport, controller, todos, etag } = scene();
    const wire = envelope({ many: 'todos', total: 'total' });
    const counted = resource({ path: '/todos/:id', schema: Todo, platform: transport, caching: httpCaching(), wire });
    const args = { done: false };
    const read = async (list: readonly string[], total: number, tag: string): Promise<void> => {
      const reading = controller.fetch(counted.getList, args);
      await settled();
      transport
        .take('GET /todos?done=false')
        .answer({ todos: list.map((id) => ({ id, done: false })), total }, etag(tag));
      await reading;
    };
    const total = (): unknown => controller.getResponse(counted.getList, args).data?.total;
    await read(['1', '2'], 3, '"1"');
    const again = read(['1'], 2, '"2"');
    const patch = todos.partialUpdate.extend({
      getOptimisticResponse: (_snap, { id }) => ({ id, done: true }),
    });
    const changing = controller.fetch(patch, { id: '2' }, { done: true });
    // The server has carried out the change before it reads the list.
    await again;
    transport.take('PATCH /todos/2').answer({ id: '2', done: true });
    await changing;
    void controller.fetch(counted.getList, args);
    await settled();
    expect(transport.call('GET /todos?done=false').headers).not.toHaveProperty('If-None-Match');
    transport.take('GET /todos?done=false').answer({ todos: [{ id: '1', done: false }], total: 2 }, etag('"2"'));
    await settled();
    expect(total()).toBe(2);
  });

  test('is an error without a controller, which would have the stored answer', async () => {
    const { transport, todos, get } = scene();
    const asked = todos.get(get);
    await settled();
    transport.take('GET /todos/1').answer(null, NOT_MODIFIED);
    await expect(asked).rejects.toMatchObject({ status: 304 });
  });
});
const get1 = { id: '1' };

describe('If-Match', () => {
  test('has the version that was read, and later the version of the last mutation', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    await ask({ id: '1', title: 'a' }, etag('"1"'));
    void controller.fetch(todos.update, get, { title: 'b' });
    await settled();
    expect(transport.call('PUT /todos/1').headers['If-Match']).toBe('"1"');
    transport.take('PUT /todos/1').answer({ id: '1', title: 'b' }, etag('"2"'));
    await settled();
    void controller.fetch(todos.partialUpdate, get, { title: 'c' });
    await settled();
    expect(transport.call('PATCH /todos/1').headers['If-Match']).toBe('"2"');
    // The read data is not of that version.
    void controller.fetch(todos.get, get);
    await settled();
    expect(transport.call('GET /todos/1').headers).not.toHaveProperty('If-None-Match');
  });

  test('is not sent if a mutation has made the version unknown', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    await ask({ id: '1' }, etag('"1"'));
    void controller.fetch(todos.update, get, { title: 'b' });
    await settled();
    transport.take('PUT /todos/1').answer({ id: '1', title: 'b' });
    await settled();
    void controller.fetch(todos.update, get, { title: 'c' });
    await settled();
    expect(transport.call('PUT /todos/1').headers).not.toHaveProperty('If-Match');
  });

  test('that the server refuses is a conflict error, and rolls back the guess', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    await ask({ id: '1', title: 'a' }, etag('"1"'));
    const update = todos.update.extend({ getOptimisticResponse: () => ({ id: '1', title: 'b' }) });
    const changed = controller.fetch(update, get, { title: 'b' });
    await settled();
    expect(controller.get(Todo, get)?.title).toBe('b');
    transport.take('PUT /todos/1').answer({ title: 'A colleague was faster' }, { status: 412 });
    await expect(changed).rejects.toMatchObject({ name: 'NetworkError', code: 'version-conflict', status: 412 });
    expect(controller.get(Todo, get)?.title).toBe('a');
  });

  test('is not sent for a record that was never read, even after a mutation with a version', async () => {
    const { transport, controller, todos, etag, get } = scene();
    for (const tag of ['"1"', '"2"']) {
      void controller.fetch(todos.update, get, { title: 'b' });
      // oxlint-disable-next-line no-await-in-loop
      await settled();
      const call = transport.take('PUT /todos/1');
      expect(call.headers).not.toHaveProperty('If-Match');
      call.answer({ id: '1' }, etag(tag));
      // oxlint-disable-next-line no-await-in-loop
      await settled();
    }
  });

  test('is not sent with a create: neither the version of its list, nor that of the record that was created before', async () => {
    const { transport, controller, todos, etag } = scene();
    const listed = controller.fetch(todos.getList);
    await settled();
    transport.take('GET /todos').answer([], etag('"list"'));
    await listed;
    for (const id of ['1', '2']) {
      const created = controller.fetch(todos.getList.push, { title: id });
      // oxlint-disable-next-line no-await-in-loop
      await settled();
      const call = transport.take('POST /todos');
      expect(call.headers).not.toHaveProperty('If-Match');
      call.answer({ id, title: id }, { status: 201, ...etag(`"${id}"`) });
      // oxlint-disable-next-line no-await-in-loop
      await created;
    }
  });

  test('is sent with a POST that changes a record', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    await ask({ id: '1', title: 'a' }, etag('"1"'));
    const changed = controller.fetch(todos.partialUpdate.extend({ method: 'POST' }), get, { title: 'b' });
    await settled();
    const call = transport.take('POST /todos/1');
    expect(call.headers['If-Match']).toBe('"1"');
    call.answer({ id: '1', title: 'b' }, etag('"2"'));
    await changed;
  });

  test('is not the version of an outdated read that arrives while another mutation is pending', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    await ask({ id: '1' }, etag('"1"'));
    void controller.fetch(todos.get, get);
    void controller.fetch(todos.update, get, { title: 'b' });
    void controller.fetch(todos.update, { id: '2' }, { title: 'b' });
    await settled();
    transport.take('PUT /todos/1').answer({ id: '1', title: 'b' }, etag('"2"'));
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'a' }, etag('"1"'));
    await settled();
    void controller.fetch(todos.update, get, { title: 'c' });
    await settled();
    expect(transport.call('PUT /todos/1').headers['If-Match']).not.toBe('"1"');
  });

  test('stays the version of the mutation when an outdated read arrives after it', async () => {
    const { transport, controller, todos, ask, etag, get } = scene();
    await ask({ id: '1' }, etag('"1"'));
    void controller.fetch(todos.get, get);
    void controller.fetch(todos.update, get, { title: 'b' });
    await settled();
    transport.take('PUT /todos/1').answer({ id: '1', title: 'b' }, etag('"2"'));
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'a' }, etag('"1"'));
    await settled();
    void controller.fetch(todos.update, get, { title: 'c' });
    await settled();
    expect(transport.call('PUT /todos/1').headers['If-Match']).toBe('"2"');
  });
});

describe('Cache-Control', () => {
  test('max-age takes precedence over the expiry of the endpoint', async () => {
    const { transport, controller, todos, ask, get } = scene();
    await ask({ id: '1' }, { headers: { 'Cache-Control': 'max-age=300' } });
    expect(controller.getResponse(todos.get, get).expiresAt).toBe(transport.time + 300_000);
  });

  test('no-store: the answer is shown, is stale at once, and is removed with its last reader', async () => {
    const { controller, todos, ask, get } = scene();
    const secret = { headers: { 'Cache-Control': 'no-store' } };
    const stop = controller.watch(todos.get, get, () => {});
    expect(await ask({ id: '1', title: 'a' }, secret)).toMatchObject({ title: 'a' });
    expect(controller.getResponse(todos.get, get)).toMatchObject({
      data: { title: 'a' },
      expiresAt: expect.any(Number),
    });
    const { key } = { key: todos.get.key(get) };
    stop();
    // A reader that takes over in the same turn keeps it.
    const next = controller.watch(todos.get, get, () => {});
    await settled();
    expect(controller.store.result(key)).toBeDefined();
    next();
    await settled();
    expect(controller.store.result(key)).toBeUndefined();
  });

  test('no-store: an answer without a reader is removed by the next garbage collection', async () => {
    const { transport, controller, todos, ask, get } = scene();
    await ask({ id: '1', title: 'a' }, { headers: { 'Cache-Control': 'no-store' } });
    transport.time += 200_000;
    for (const _ of controller.collect());
    expect(controller.store.result(todos.get.key(get))).toBeUndefined();
    expect(controller.store.stats().rows).toBe(0);
  });

  test('no-store: a later answer that may be stored is kept', async () => {
    const { controller, todos, ask, get } = scene();
    const stop = controller.watch(todos.get, get, () => {});
    await ask({ id: '1' }, { headers: { 'Cache-Control': 'no-store' } });
    stop();
    await controller.setResponse(todos.get, get, { id: '1', title: 'b' });
    await settled();
    expect(controller.getResponse(todos.get, get).data).toMatchObject({ title: 'b' });
    expect(controller.store.result(todos.get.key(get))).toBeDefined();
  });
});

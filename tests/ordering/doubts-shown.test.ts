import { expect, test } from 'vitest';
import { Controller, hasMany, RestEndpoint, resource, Entity, Store } from '../../src/index.ts';
import { settled, Transport } from './transport.ts';

class Todo extends Entity {
  id = '';
  title = '';
  note = '';
  static override key = 'Todo';
}

/** Two controllers of one store. One edits a record that the other shows without a request. */
function scene() {
  const transport = new Transport();
  const store = new Store({ now: () => transport.time });
  const [editing, showing] = [0, 1].map(() => new Controller({ store, now: () => transport.time })) as [
    Controller,
    Controller,
  ];
  const todos = resource({ path: '/todos/:id', schema: Todo, platform: transport });
  const read = new RestEndpoint({ path: '/read/:id', schema: Todo, platform: transport });
  store.write(Todo, { id: '1', title: 'old', note: 'old' }, { expiresAt: transport.time + 60_000 });
  const view = showing.view(read, { id: '1' });
  const statuses: string[] = [];
  view.subscribe(() => statuses.push(view.current().status));
  const edit = async (change: object) => {
    editing.fetch(todos.partialUpdate, { id: '1' }, change).catch(() => {});
    await settled();
    return transport.take('PATCH /todos/1');
  };
  return { view, statuses, edit };
}

test('the reader of a record without a request is notified when edits leave the record in doubt, also edits of another controller', async () => {
  const { view, statuses, edit } = scene();
  const [first, second] = [await edit({ title: 'new' }), await edit({ title: 'newer' })];
  second?.answer({ id: '1', title: 'newer', note: 'old' });
  await settled();
  expect(view.current().status).toBe('fresh');
  first?.answer({ id: '1', title: 'new', note: 'old' });
  await settled();

  expect(view.current().status).toBe('stale');
  expect(statuses.at(-1)).toBe('stale');
});

test('the reader of a record without a request is notified when a failed edit may have changed the record on the server', async () => {
  const { view, statuses, edit } = scene();
  const only = await edit({ title: 'new' });
  only?.fail(new TypeError('offline'));
  await settled();

  expect(view.current().status).toBe('stale');
  expect(statuses.at(-1)).toBe('stale');
});

/** Two controllers of one store: what the first one changes, the second one shows. */
async function twoControllers() {
  const transport = new Transport();
  const store = new Store({ now: () => transport.time });
  const [editing, showing] = [0, 1].map(() => new Controller({ store, now: () => transport.time })) as [
    Controller,
    Controller,
  ];
  const { get, partialUpdate } = resource({ path: '/todos/:id', schema: Todo, platform: transport });
  await showing.setResponse(get, { id: '1' }, { id: '1', title: 'old' });
  showing.view(get, { id: '1' }).subscribe(() => {});
  editing.fetch(partialUpdate, { id: '1' }, { title: 'new' }).catch(() => {});
  await settled();
  return { transport, editing, showing, get };
}

test('data that a mutation leaves in doubt is fetched by every controller of the store that shows it', async () => {
  const { transport } = await twoControllers();
  transport.take('PATCH /todos/1').fail(new TypeError('offline'));
  await settled();
  expect(transport.sent).toEqual(['GET /todos/1']);
});

test('data that one controller reads during a mutation of another is fetched again if the mutation fails', async () => {
  const { transport, get, showing } = await twoControllers();
  void showing.fetch(get, { id: '1' });
  await settled();
  transport.take('GET /todos/1').answer({ id: '1', title: 'old' });
  await settled();
  transport.take('PATCH /todos/1').answer({}, { status: 422 });
  await settled();
  expect(transport.sent).toEqual(['GET /todos/1']);
});

test('a read is not shared across a mutation of another controller', async () => {
  const { transport, get, showing } = await twoControllers();
  void showing.fetch(get, { id: '1' });
  await settled();
  transport.take('PATCH /todos/1').answer({ id: '1', title: 'new' });
  await settled();
  void showing.fetch(get, { id: '1' });
  await settled();
  expect(transport.sent).toEqual(['GET /todos/1', 'GET /todos/1']);
});

test('data that one controller reads while a mutation of another ends is fetched again if any controller shows it', async () => {
  const { transport, editing, get, showing } = await twoControllers();
  void editing.fetch(get, { id: '1' });
  await settled();
  const read = transport.take('GET /todos/1');
  transport.take('PATCH /todos/1').answer({ id: '1', title: 'new' });
  await settled();
  read.answer({ id: '1', title: 'old' });
  await settled();
  expect(transport.sent).toEqual(['GET /todos/1']);
  transport.take('GET /todos/1').answer({ id: '1', title: 'newer' });
  await settled();
  expect(showing.getResponse(get, { id: '1' }).data).toMatchObject({ title: 'newer' });
});

test('a pending mutation of a disposed controller may still be carried out, so other controllers fetch its record again', async () => {
  const { transport, editing } = await twoControllers();
  editing.dispose();
  await settled();
  expect(transport.sent).toContain('GET /todos/1');
});

class Board extends Entity {
  id = '';
  first?: Todo;
  static override key = 'Board';
  static override schema = { first: Todo };
}

test('each record in doubt is fetched by the request that shows it most directly', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const options = { platform: transport } as const;
  const todos = resource({ ...options, path: '/todos/:id', schema: Todo });
  const board = new RestEndpoint({ ...options, path: '/boards/:id', schema: Board });
  await controller.setResponse(todos.get, { id: '1' }, { id: '1', title: 'old' });
  await controller.setResponse(board, { id: '1' }, { id: '1', first: { id: '1', title: 'old' } });
  await controller.setResponse(board, { id: '2' }, { id: '2', first: { id: '2', title: 'old' } });
  for (const view of [
    controller.view(todos.get, { id: '1' }),
    controller.view(board, { id: '1' }),
    controller.view(board, { id: '2' }),
  ])
    view.subscribe(() => void view.current());
  for (const id of ['1', '2']) controller.fetch(todos.partialUpdate, { id }, { title: 'new' }).catch(() => {});
  await settled();
  for (const id of ['1', '2']) transport.take(`PATCH /todos/${id}`)?.fail(new TypeError('offline'));
  await settled();

  expect(transport.sent).toEqual(['GET /todos/1', 'GET /boards/2']);
});

test('a failed create leaves no doubt about a list without an answer, even if a reader waits for it', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const todos = resource({ path: '/todos/:id', schema: Todo, platform: transport });
  controller.view(todos.getList).subscribe(() => {});
  controller.view(todos.getList).current();
  controller.fetch(todos.create, { title: 'new' }).catch(() => {});
  await settled();
  transport.take('POST /todos').fail();
  await settled();

  expect(transport.sent).toEqual([]);
});

test('a list that arrived during an edit leaves no doubt about a field that it does not contain', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const todos = resource({ path: '/todos/:id', schema: Todo, platform: transport });
  const stop = controller.watch(todos.getList, () => {});
  controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'new' }).catch(() => {});
  await settled();
  controller.fetch(todos.getList).catch(() => {});
  await settled();
  transport.take('GET /todos').answer([{ id: '1', title: 'new' }]);
  await settled();
  transport.take('PATCH /todos/1').answer({ id: '1', title: 'new', note: 'first' });
  await settled();

  expect(transport.sent).toEqual([]);
  stop();
});

class Line extends Entity {
  id = '';
  sku = '';
  orderId = '';
  static override key = 'Line';
}
class Order extends Entity {
  id = '';
  lines: readonly Line[] = [];
  static override key = 'Order';
  static override schema = { lines: hasMany(() => Line, 'orderId') };
}

test('records in doubt are fetched by the request that showed them as a relation, also if it was not read since they changed', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const options = { optimistic: true, platform: transport } as const;
  const orders = resource({ ...options, path: '/orders/:id', schema: Order });
  const lines = resource({ ...options, path: '/lines/:id', schema: Line });
  const answered = { id: '1', lines: [{ id: 'x', sku: 'old', orderId: '1' }] };
  await controller.setResponse(orders.getList, [answered] as never);
  controller.watch(orders.getList, () => {});
  expect(controller.getResponse(orders.getList).data?.[0]?.lines[0]?.sku).toBe('old');
  for (const sku of ['first', 'second']) {
    void controller.fetch(lines.partialUpdate, { id: 'x' }, { sku });
    await settled();
  }
  const [first, second] = [transport.take('PATCH /lines/x'), transport.take('PATCH /lines/x')];
  second?.answer({ id: 'x', sku: 'second', orderId: '1' });
  await settled();
  first?.answer({ id: 'x', sku: 'first', orderId: '1' });
  await settled();

  expect(transport.sent).toEqual(['GET /orders']);
});

import { expect, test, vi } from 'vitest';
import { distinct, arg, Collection, Controller, Endpoint, Entity, ExpiryStatus, from, hasMany } from 'rejoin';

class User extends Entity {
  id = '';
  static override key = 'User';
  static todos = hasMany(() => Todo, 'user');
}

class Todo extends Entity {
  id = '';
  title = '';
  isDone = false;
  user: User | undefined = undefined;
  static override key = 'Todo';
  static override schema = { user: User };
}

const TODOS = [
  { id: '1', title: 'a', isDone: true, user: 'u1' },
  { id: '2', title: 'b', user: 'u1' },
  { id: '3', title: 'c', user: 'u2' },
];

function todosOf() {
  const fetched = vi.fn<(asked: { readonly user?: string }) => Promise<object[]>>(async ({ user }) =>
    TODOS.filter((todo) => user === undefined || todo.user === user),
  );
  const todos = new Collection([Todo]);
  return { fetched, getTodos: new Endpoint(fetched, { name: 'getTodos', schema: todos }), todos };
}

const idsOf = (todos: readonly Todo[] | undefined): unknown => todos?.map(({ id }) => id);
const open = from(Todo).where({ isDone: false });

test('a query that is loaded by an endpoint is missing until the endpoint has answered, also when its records are stored', async () => {
  const { fetched, getTodos } = todosOf();
  const controller = new Controller();
  const openTodos = open.loadedBy(getTodos);
  void controller.set(Todo, { id: '9' }, { id: '9', title: 'of another page' });
  const view = controller.view(openTodos, {});
  expect(view.current().status).toBe('missing');
  expect(idsOf(controller.get(open))).toEqual(['9']);

  expect(idsOf(await controller.fetch(openTodos, {}))).toEqual(['9', '2', '3']);
  expect(view.current()).toEqual({ status: 'fresh', value: controller.get(open) });
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('readers of the endpoint and of queries that it loads share one request', async () => {
  const { fetched, getTodos } = todosOf();
  const controller = new Controller();
  const openTodos = open.loadedBy(getTodos);
  const titles = distinct(from(Todo).select(({ title }) => title)).loadedBy(getTodos);
  await Promise.all([controller.fetch(getTodos, {}), controller.fetch(openTodos, {}), controller.fetch(titles, {})]);
  expect(fetched).toHaveBeenCalledTimes(1);
  const { data, expiryStatus } = controller.getResponseMeta(titles, {});
  expect([data, expiryStatus]).toEqual([['a', 'b', 'c'], ExpiryStatus.Valid]);
  await controller.fetchIfStale(openTodos, {});
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('a loaded query shows every change, and is missing again when it is invalidated', async () => {
  const { getTodos } = todosOf();
  const controller = new Controller();
  const count = open.count().loadedBy(getTodos);
  await controller.fetch(getTodos, {});
  const view = controller.view(count, {});
  expect(view.current()).toEqual({ status: 'fresh', value: 2 });
  void controller.set(Todo, { id: '3' }, { id: '3', isDone: true });
  expect(view.current()).toEqual({ status: 'fresh', value: 1 });
  await controller.invalidate(getTodos, {});
  expect(view.current().status).toBe('missing');
});

test('the arguments of a request become those of the query', async () => {
  const { getTodos, todos } = todosOf();
  const controller = new Controller();
  const ofUser = User.todos.loadedBy(getTodos, ({ user }) => [user ?? '']);
  const named = from(Todo)
    .where({ user: arg('user') })
    .loadedBy(getTodos as typeof getTodos & ((args: { readonly user: string }) => Promise<unknown>));
  expect(idsOf(await controller.fetch(ofUser, { user: 'u1' }))).toEqual(['1', '2']);
  expect(idsOf(controller.getResponse(named, { user: 'u1' }).data)).toEqual(['1', '2']);
  const listed = from(todos)
    .where({ isDone: false })
    .loadedBy(getTodos, (asked) => [asked]);
  expect(idsOf(controller.getResponse(listed, { user: 'u1' }).data)).toEqual(['2']);
});

test('an answer without a record in it is an empty list, and not a missing one', async () => {
  const controller = new Controller();
  const getNone = new Endpoint(async () => [] as object[], { name: 'getNone', schema: [Todo] });
  expect(await controller.fetch(open.loadedBy(getNone))).toEqual([]);
});

test('a query of a collection is refused where the endpoint has the collection in an envelope', async () => {
  const { todos } = todosOf();
  const controller = new Controller();
  const getPage = new Endpoint(async () => ({ items: TODOS }), { name: 'getPage', schema: { items: todos } });
  const loaded = from(todos).loadedBy(getPage, () => [{}]);
  await expect(controller.fetch(loaded)).rejects.toThrow('Pass an endpoint whose schema is the collection');
});

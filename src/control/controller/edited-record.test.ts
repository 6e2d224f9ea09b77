import { expect, it } from 'vitest';
import { Todo, User } from '../../../tests/model.ts';
import { All, Collection, Controller, Endpoint, Entity, isLoaded, Store, Union } from '../../index.ts';
import { addGuess } from '../../state/store/layer.ts';
import { withoutDefaults } from './edited-record.ts';

const getTodo = new Endpoint(async ({ id }: { id: string }) => ({ id }), { name: 'getTodo', schema: Todo });
const isDoneLoaded = isLoaded(Todo, 'done');
const one = { id: '1' };

it('a record that a function has copied is still fetched for the fields that no answer had', async () => {
  const controller = new Controller();
  await controller.set(Todo, one, { id: '1', title: 'a' });
  const before = controller.get(Todo, one);
  await controller.set(Todo, one, (todo) => Object.assign({}, todo));
  expect(controller.get(Todo, one)).toBe(before);
  await controller.set(Todo, one, (todo) => Object.assign({}, todo, { title: 'b' }));
  expect(controller.get(Todo, one)?.title).toBe('b');
  expect(controller.get(isDoneLoaded, one)).toBe(false);
  expect(controller.view(getTodo, one).current().status).toBe('stale');
  await controller.set(Todo, one, (todo) => Object.assign({}, todo, { done: true }));
  expect(controller.get(isDoneLoaded, one)).toBe(true);
});

it('a record that a function has copied gets no field that only a pending optimistic update has', async () => {
  const controller = new Controller();
  await controller.set(Todo, one, { id: '1', title: 'a' });
  const guess = addGuess(controller.store, () => ({ schema: Todo, response: { id: '1', done: true } }));
  await controller.set(Todo, one, (todo) => Object.assign({}, todo, { title: 'b' }));
  expect(controller.get(Todo, one)).toMatchObject({ title: 'b', done: true });
  guess.drop();
  expect(controller.store.row('Todo', '1')).toEqual({ id: '1', title: 'b' });
});

it('the records in a record that a function has copied stay as they are', async () => {
  const controller = new Controller();
  const { store } = controller;
  await controller.set(Todo, one, { id: '1', title: 'a', owner: { id: '7' } });
  const owner = controller.get(Todo, one)?.owner;
  const asked = store.begin();
  await controller.set(Todo, one, (todo) => Object.assign({}, todo, { title: 'b' }));
  expect(controller.get(Todo, one)?.title).toBe('b');
  expect(controller.get(Todo, one)?.owner).toBe(owner);
  expect(store.row('User', '7')).toEqual({ id: '7' });
  store.write(User, { id: '7', name: 'Ann' }, { request: asked });
  expect(controller.get(Todo, one)?.owner?.name).toBe('Ann');
  await controller.set(Todo, one, (todo) => Object.assign({}, todo, { owner: { id: '7', name: 'Eve' } }));
  expect(controller.get(User, '7')?.name).toBe('Eve');
});

it('a record that a function has put into another one is not written, and a copy of one only with its changes', async () => {
  class Board extends Entity {
    id = '';
    first: Todo | undefined = undefined;
    all: Todo[] = [];
    static override key = 'BoardOfCopies';
    static override schema = { first: Todo, all: [Todo] };
  }
  const controller = new Controller();
  const { store } = controller;
  await controller.set(Board, one, { id: '1', first: { id: '7' } });
  await controller.set(Todo, '8', { id: '8' });
  await controller.set(Board, one, (board) => {
    const [seven, eight] = [controller.get(Todo, '7'), controller.get(Todo, '8')];
    const all = [eight, Object.assign({}, seven, { title: 'b' }), { id: '9', title: 'c' }];
    return Object.assign({}, board, { first: eight, all });
  });
  const rows = () => ['7', '8', '9'].map((id) => store.row('Todo', id));
  const changed = [{ id: '7', title: 'b' }, { id: '8' }, { id: '9', title: 'c' }];
  expect(rows()).toEqual(changed);
  expect(controller.get(Board, one)).toMatchObject({
    first: { id: '8' },
    all: [{ id: '8' }, { id: '7' }, { id: '9' }],
  });
  const todos = new Collection([Todo]);
  await controller.set(todos, {}, [{ id: '8' }, { id: '9' }]);
  await controller.set(todos, {}, (list) => list.map((todo) => Object.assign({}, todo)));
  expect(rows()).toEqual(changed);
});

it('the hooks of a class get the whole record that a function has made', async () => {
  class Task extends Todo {
    static override key = 'CheckedTask';
    static override validate(task: Partial<Todo>): string | undefined {
      return task.owner === undefined ? 'it has no owner' : undefined;
    }
  }
  const controller = new Controller();
  await controller.set(Task, one, { id: '1', title: 'a', owner: { id: '7', name: 'Ann' } });
  await controller.set(Task, one, (task) => Object.assign({}, task, { title: 'b' }));
  expect(controller.get(Task, one)).toMatchObject({ title: 'b', owner: { name: 'Ann' } });
});

it('a copied record keeps the related records that its pk is made of', async () => {
  class Desk extends Todo {
    static override key = 'DeskOfOwner';
    override pk(): string | undefined {
      return this.owner?.id;
    }
  }
  const controller = new Controller();
  await controller.set(Desk, '7', { title: 'a', owner: { id: '7', name: 'Ann' } });
  await controller.set(Desk, '7', (desk) => Object.assign({}, desk, { title: 'b' }));
  expect(controller.get(Desk, '7')).toMatchObject({ title: 'b', owner: { name: 'Ann' } });
});

it('the records of a list that a function has copied stay as they are', async () => {
  const controller = new Controller();
  const { store } = controller;
  const todos = new Collection([Todo]);
  await controller.set(todos, {}, [{ id: '1', title: 'a' }]);
  const [first] = controller.get(todos, {}) ?? [];
  const asked = store.begin();
  await controller.set(todos, {}, (list) => [...list, { id: '2', title: 'b' }]);
  expect(controller.get(todos, {})).toMatchObject([{ title: 'a' }, { title: 'b' }]);
  expect(controller.get(todos, {})?.[0]).toBe(first);
  expect(store.row('Todo', '1')).toEqual({ id: '1', title: 'a' });
  store.write(Todo, { id: '1', title: 'new' }, { request: asked });
  expect(controller.get(todos, {})?.[0]?.title).toBe('new');
  await controller.set(new All(Todo), (all) => all.map((todo) => Object.assign({}, todo, { done: true })));
  expect(controller.get(todos, {})).toMatchObject([{ title: 'new', done: true }, { done: true }]);
});

it('the records of several classes in a list that a function has copied are still in the list', async () => {
  const controller = new Controller();
  const either = new Collection([new Union({ todo: Todo, user: User }, 'id')]);
  await controller.set(either, {}, [{ id: 'todo', title: 'a' }, { id: 'user' }]);
  await controller.set(either, {}, (list) => list.toReversed());
  expect(controller.get(either, {})?.map(({ id }) => id)).toEqual(['user', 'todo']);
});

it('values that are not one record stay as they are', () => {
  const list = [{ id: '1' }];
  expect(withoutDefaults(new Store(), [Todo], list, list)).toBe(list);
  const record = { title: 'a' };
  expect(withoutDefaults(new Store(), Todo, record, record)).toBe(record);
  expect(withoutDefaults(new Store(), Todo, record, undefined)).toBeUndefined();
});

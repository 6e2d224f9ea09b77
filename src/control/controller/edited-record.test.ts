import { expect, it } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { Controller, Endpoint, isLoaded, Store } from '../../index.ts';
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

it('values that are not one record stay as they are', () => {
  const list = [{ id: '1' }];
  expect(withoutDefaults(new Store(), [Todo], list, list)).toBe(list);
  const record = { title: 'a' };
  expect(withoutDefaults(new Store(), Todo, record, record)).toBe(record);
  expect(withoutDefaults(new Store(), Todo, record, undefined)).toBeUndefined();
});

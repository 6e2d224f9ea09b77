import { expect, test } from 'vitest';
import { Todo, User } from '../../../tests/model.ts';
import { Collection } from '../../define/schema/collection.ts';
import { addGuess, type Layer } from './layer.ts';
import { Store } from './store.ts';
import { createdAs, NEVER_CREATED } from './temporary-pk.ts';
import { restore } from './restore.ts';
const todos: Collection = new Collection([Todo]);
const all = { args: [{}] };

function creating(store: Store): { readonly layer: Layer; readonly pk: string } {
  const layer = addGuess(store, () => ({ schema: todos.push, response: { title: 'x' }, args: [{}] }));
  return { layer, pk: layer.created[0]?.pk ?? '' };
}

test('a temporary pk leads to no record while its create is pending', () => {
  const store = new Store();
  const { pk } = creating(store);

  expect(createdAs(store.writer.core, pk)).toBeUndefined();
});

test('a temporary pk leads to no record while its create is pending whose guess can no longer be made', () => {
  const store = new Store();
  store.write(User, { id: '1', name: 'a' });
  const layer = addGuess(store, (snapshot) => {
    if (snapshot.get(User, '1')?.name !== 'a') throw new RangeError('no');
    return { schema: todos.push, response: { title: 'x' }, args: [{}] };
  });
  store.write(User, { id: '1', name: 'b' });

  expect(createdAs(store.writer.core, layer.created[0]?.pk ?? '')).toBeUndefined();
});

test('a temporary pk leads to no record while its create is pending that was added when the guess was made again', () => {
  const store = new Store();
  let titles = ['x'];
  const layer = addGuess(store, () => ({
    schema: [todos.push],
    response: titles.map((title) => ({ title })),
    args: [{}],
  }));
  titles = ['x', 'y'];
  layer.outdate();
  store.batch(() => addGuess(store, () => undefined).drop());

  const { created } = layer;
  expect(created.map(({ pk }) => createdAs(store.writer.core, pk))).toEqual([undefined, undefined]);
});

test('a temporary pk leads to the record that the server has created', () => {
  const store = new Store();
  const { layer, pk } = creating(store);

  layer.confirm(todos.push, { id: '9', title: 'x' }, all);

  expect(createdAs(store.writer.core, pk)).toEqual({ table: 'Todo', pk: '9' });
});

test('a temporary pk of a failed create leads to NEVER_CREATED', () => {
  const store = new Store();
  const { layer, pk } = creating(store);

  layer.drop();

  expect(createdAs(store.writer.core, pk)).toBe(NEVER_CREATED);
});

test('a temporary pk whose create was answered without a pk leads to NEVER_CREATED', () => {
  const store = new Store();
  const { layer, pk } = creating(store);

  layer.confirm(todos.push, { title: 'x' }, all);

  expect(createdAs(store.writer.core, pk)).toBe(NEVER_CREATED);
});

test('a temporary pk with which a record was stored is the pk of that record', () => {
  const store = new Store();
  const { layer, pk } = creating(store);
  layer.drop();

  store.write(Todo, { id: pk, title: 'sent back' });

  expect(createdAs(store.writer.core, pk)).toBeUndefined();
});

test('a temporary pk of another store leads to the record once the pk of the server is known, and before to none', () => {
  const store = new Store();
  const { pk } = creating(new Store());

  expect(createdAs(store.writer.core, pk)).toBeUndefined();
  restore(store.writer, [], [], { aliases: [{ table: 'Todo', temporary: pk, pk: '9' }] });

  expect(createdAs(store.writer.core, pk)).toEqual({ table: 'Todo', pk: '9' });
});

test('a pk that is not temporary leads to no other record', () => {
  const store = new Store();
  creating(store);

  expect(createdAs(store.writer.core, '9')).toBeUndefined();
});

test('a temporary pk whose record was deleted leads to NEVER_CREATED', () => {
  const store = new Store();
  const { layer, pk } = creating(store);
  layer.drop();
  store.write(Todo, { id: pk, title: 'sent back' });

  store.invalidate(Todo, pk);

  expect(createdAs(store.writer.core, pk)).toBe(NEVER_CREATED);
});

test('a guess that mentions a temporary pk has the pk of the server once there is one, here or in another store', () => {
  const store = new Store();
  const [here, there] = [creating(store), creating(store)];
  const mentioned: unknown[] = [];
  addGuess(store, () => ({ schema: User, response: { id: 'u', name: [here.pk, there.pk, 'x'] } }));
  const row = (): unknown => store.get(User, { id: 'u' })?.name;
  mentioned.push(row());

  here.layer.confirm(todos.push, { id: '9', title: 'x' }, all);
  mentioned.push(row());
  restore(store.writer, [], [], { aliases: [{ table: 'Todo', temporary: there.pk, pk: '8' }] });
  mentioned.push(row());

  expect(mentioned).toEqual([
    [here.pk, there.pk, 'x'],
    ['9', there.pk, 'x'],
    ['9', '8', 'x'],
  ]);
});

test('a guess that mentions a temporary pk has a number where the server has numbers, and is as before if the batch fails', () => {
  const store = new Store();
  const { layer, pk } = creating(store);
  const guess = addGuess(store, () => ({ schema: [User], response: [{ id: 'u', name: pk }] }));
  const failing = (): void =>
    store.batch(() => {
      layer.confirm(todos.push, { id: 9, title: 'x' }, all);
      throw new Error('failed');
    });

  expect(failing).toThrow('failed');
  expect(store.get(User, { id: 'u' })?.name).toBe(pk);
  layer.confirm(todos.push, { id: 9, title: 'x' }, all);
  expect(store.get(User, { id: 'u' })?.name).toBe(9);
  expect(guess.confirmed()?.response).toEqual([{ id: 'u', name: 9 }]);
});

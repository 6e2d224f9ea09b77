import { expect, it } from 'vitest';
import { User } from '../../../tests/model.ts';
import { Collection, Entity, Store, Values } from '../../index.ts';
import { addGuess } from './layer.ts';
import { Showing } from './showing.ts';

class Todo extends Entity {
  id = '';
  owner: User | undefined = undefined;
  reviewer: User | undefined = undefined;
  static override key = 'Todo';
  static override schema = { owner: User, reviewer: User };
}

function filled(): Store {
  const store = new Store();
  const owner = { id: 'u' };
  store.write([Todo], [{ id: '1', owner, reviewer: owner }, { id: '2', owner }, { id: '3' }], { resultKey: 'todos' }); // prettier-ignore
  store.write({ some: new Values(Todo), none: Todo }, { some: { a: '3' } }, { resultKey: 'object' });
  return store;
}

it.each([true, false])(
  'distance() returns the distance of a record from the answers that show it, read: %s',
  (isRead) => {
    const store = filled();
    if (isRead) for (const key of ['todos', 'object']) store.resultView(key).current();
    const far = (table: string, pk: string): unknown[] => {
      const showing = new Showing(store.writer.core, [[table, pk]]);
      return ['todos', 'object', 'none'].map((key) => showing.distance(key));
    };
    expect(far('Todo', '3')).toEqual([0, 0, undefined]);
    expect(far('User', 'u')).toEqual([1, undefined, undefined]);
    expect(far('User', 'none')).toEqual([undefined, undefined, undefined]);
    expect(far('Nothing', '1')).toEqual([undefined, undefined, undefined]);
  },
);

it('distance() searches an answer with a total, also if nothing has read the answer', () => {
  const store = new Store();
  const list = new Collection([Todo], { total: 'total' });
  store.write({ items: list, total: 0 }, { items: [{ id: '1' }], total: 1 }, { args: [{}], resultKey: 'todos' });
  const distance = (table: string): unknown => new Showing(store.writer.core, [[table, '{}']]).distance('todos');
  expect(distance('[Todo]')).toBe(0);
  expect(distance('[Todo]#total')).toBe(0);
});

it('expire() leaves a record as it is that only a guess has created', () => {
  const store = new Store();
  addGuess(store, () => ({ schema: Todo, response: { id: '1' }, args: [] }));
  new Showing(store.writer.core, [['Todo']]).expire();
  expect(store.get(Todo, '1')).toMatchObject({ id: '1' });
});

it('expire() makes stored records stale, and no others', () => {
  const store = filled();
  expect(store.get(Todo, 'asked for')).toBeUndefined();
  const showing = new Showing(store.writer.core, [
    ['Todo', '1'],
    ['Todo', 'asked for'],
  ]);
  showing.expire();
  expect(store.expiresAt(Todo, '1')).toBe(0);
  expect(store.expiresAt(Todo, '2')).toBe(Infinity);
});

it.each([
  ['read', ['todos', 'object']],
  ['unread', []],
  ['the first read', ['todos']],
  ['the second read', ['object']],
])('nearest() returns for each record the requests that show it most directly: %s', (_, read) => {
  const store = filled();
  store.write({ mine: User }, { mine: { id: 'me' } }, { resultKey: 'user' });
  for (const key of read) store.resultView(key).current();
  const nearest = (...records: (readonly [table: string, pk?: string])[]): string[] =>
    [...new Showing(store.writer.core, records).nearest(['todos', 'object', 'user', 'none'])].toSorted();
  expect(nearest(['Todo', '1'])).toEqual(['todos']);
  expect(nearest(['Todo', '3'])).toEqual(['object', 'todos']);
  // By way of a todo, although another user is shown directly.
  expect(nearest(['User', 'u'], ['User', 'me'])).toEqual(['todos', 'user']);
  // Of a whole table, those that show any row most directly.
  expect(nearest(['User'])).toEqual(['user']);
  expect(nearest(['User', 'none'], ['Nothing', '1'], ['Nothing'])).toEqual([]);
});

it('nearest() returns the answers that show a record most directly, whether or not they were read', () => {
  const store = new Store();
  class Board extends Entity {
    id = '';
    todo: Todo | undefined = undefined;
    static override key = 'Board';
    static override schema = { todo: Todo };
  }
  store.write(Board, { id: 'b', todo: { id: '1' } }, { resultKey: 'board' });
  store.write(Todo, { id: '1' }, { resultKey: 'todo' });
  const nearest = (): string[] => [...new Showing(store.writer.core, [['Todo', '1']]).nearest(['board', 'todo'])];
  for (const read of ['todo', 'board', 'neither']) {
    store.write(Todo, { id: '1', owner: { id: read } });
    store.resultView(read).current();
    expect(nearest()).toEqual(['todo']);
  }
  store.resultView('todo').current();
  store.resultView('board').current();
  expect(nearest()).toEqual(['todo']);
});

import { describe, expect, test } from 'vitest';
import { All, Collection, Invalidate, Store, Union, Values, dehydrate, hydrate } from '../../../src/index.ts';
import { Todo, User, pksOf, todos, undone } from './models.ts';
import { addGuess } from '../../../src/state/store/layer.ts';

// Faults that random histories have found, each as the shortest history that showed it.

describe('deletions and answers that arrive late', () => {
  test('an answer that was requested before a deletion adds no fields to the record that came after it', () => {
    const store = new Store();
    const before = store.begin();
    store.invalidate(User, 'u2');
    store.write(User, { id: 'u2' });
    store.write(User, { id: 'u2', name: 'old', age: 3 }, { request: before });

    expect(store.row('User', 'u2')).toEqual({ id: 'u2' });
  });

  test('a deletion that arrives late removes the fields that were requested before it', () => {
    const store = new Store();
    store.write(Todo, { id: 't3', done: true });
    const deletion = store.begin();
    store.write(Todo, { id: 't3' });
    store.write(new Invalidate(Todo), { id: 't3' }, { request: deletion });

    expect(store.row('Todo', 't3')).toEqual({ id: 't3' });
  });

  test('a late answer that adds a field and deletes the record again changes nothing, and notifies no observer', () => {
    const store = new Store();
    const late = store.begin();
    store.write(Todo, { id: 't3' });
    const live = store.query(Todo, ['t3']);
    let calls = 0;
    live.subscribe(() => calls++);
    const before = store.row('Todo', 't3');

    store.write(
      { one: Todo, gone: new Invalidate(Todo) },
      { one: { id: 't3', done: true }, gone: 't3' },
      { request: late },
    );

    expect(store.row('Todo', 't3')).toBe(before);
    expect(calls).toBe(0);
  });

  test('a deletion that arrived late hides answers that were requested before it', () => {
    const store = new Store();
    const first = store.begin();
    const deletion = store.begin();
    store.write(User, { id: 'u2', name: 'a' });
    store.invalidate(User, 'u2', { request: deletion });
    store.write(User, { id: 'u2', age: 3 }, { request: first });

    expect(store.row('User', 'u2')).toEqual({ id: 'u2', name: 'a' });
  });

  test('a list that was requested before a deletion does not bring the deleted member back', () => {
    const store = new Store();
    const before = store.begin();
    store.invalidate(Todo, 't2');
    store.write(todos, ['t2'], { args: [], request: before });
    store.write(Todo, { id: 't2', title: 'a' });

    expect(store.get(todos)).toEqual([]);
  });

  test('a deleted record leaves lists that were hydrated and not read yet', () => {
    const first = new Store();
    first.write(todos, [{ id: 't3' }], { args: [] });
    const store = new Store();
    hydrate(store, dehydrate(first));
    store.write(new Invalidate(Todo), { id: 't3' });
    store.write(Todo, { id: 't3', title: 'again' });

    expect(store.get(todos)).toEqual([]);
  });

  test('a deleted record leaves a list that a guess covers', () => {
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: todos, response: [], args: [] }));
    store.write(todos, [{ id: 't1' }, { id: 't3' }], { args: [] });
    store.invalidate(Todo, 't3');
    store.write(Todo, { id: 't3' });
    layer.drop();

    expect(pksOf(store.get(todos))).toEqual(['t1']);
  });
});

test('a late answer that contains a record and its deletion removes the record', () => {
  class Mail extends Todo {
    static override key = 'Mail';
    static override process(mail: { title?: unknown }): object | undefined {
      return mail.title === 'gone' ? undefined : { ...mail };
    }
  }
  const store = new Store();
  const before = store.begin();
  store.write(Mail, { id: 'm1', done: true });
  const answer = [
    { id: 'm1', title: 'b' },
    { id: 'm1', title: 'gone' },
  ];
  store.write([Mail], answer, { request: before });

  expect(store.row('Mail', 'm1')).toEqual({ id: 'm1', done: true });
});

describe('collections of several kinds, and maps', () => {
  const album = new Collection([new Union({ todo: Todo, user: User }, 'type')]);
  const board = new Collection(new Values(Todo));

  test('a list of several kinds does not bring back a record that was deleted after the list was requested', () => {
    const store = new Store();
    const before = store.begin();
    store.invalidate(Todo, 't1');
    store.write(
      album,
      [
        { id: 't1', type: 'todo' },
        { id: 't1', type: 'user' },
      ],
      { args: [], request: before },
    );
    store.write(Todo, { id: 't1' });

    expect(store.get(album)).toEqual([store.get(User, { id: 't1' })]);
  });

  test('a map of several kinds does not bring back a record that was deleted after the map was requested', () => {
    const store = new Store();
    const before = store.begin();
    store.invalidate(Todo, 't1');
    store.write(board, { first: 't1', second: { id: 't2' } }, { args: [], request: before });
    store.write(Todo, { id: 't1' });

    expect(store.get(board)).toEqual({ second: store.get(Todo, { id: 't2' }) });
  });

  test('a deleted record leaves a list of several kinds that was hydrated', () => {
    const first = new Store();
    first.write(album, [{ id: 't1', type: 'todo' }], { args: [] });
    const store = new Store();
    hydrate(store, dehydrate(first));
    expect(store.get(album)).toHaveLength(1);
    store.invalidate(Todo, 't1');
    store.write(Todo, { id: 't1' });

    expect(store.get(album)).toEqual([]);
  });
});

test('records can be deleted from maps and lists that were hydrated and that no schema has read', () => {
  const first = new Store();
  first.write(new Collection(new Values(Todo)), { todo: 't2', doing: 't1' }, { args: [] });
  first.write(todos, [{ id: 't2' }, { id: 't1' }], { args: [] });
  const store = new Store();
  hydrate(store, dehydrate(first));
  store.write(new Invalidate(Todo), { id: 't2' });
  store.write(new Invalidate(Todo), { id: 't2' });

  expect(pksOf(store.get(todos))).toEqual(['t1']);
});

test('after an undone batch that reset the store, a record that arrives is behind those that were there', () => {
  const store = new Store();
  store.write([Todo], [{ id: 't1' }, { id: 't3' }]);
  undone(
    (run) => store.batch(() => void run()),
    () => {
      store.reset();
      store.write([Todo], [{ id: 't3' }, { id: 't2' }]);
    },
  );
  store.write([Todo], [{ id: 't2' }, { id: 't1' }]);

  expect(pksOf(store.get(new All(Todo)))).toEqual(['t1', 't3', 't2']);
});

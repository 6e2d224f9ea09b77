import { describe, expect, test } from 'vitest';
import { Store, type SnapshotReader } from '../../../src/index.ts';
import { Todo, User, pksOf, todos, undone } from './models.ts';
import { addGuess } from '../../../src/state/store/layer.ts';

// Faults that random histories have found, each as the shortest history that showed it.

/** One year older, if there is such a record. */
function older(snapshot: SnapshotReader): { schema: unknown; response: unknown } | undefined {
  const row = snapshot.row('User', 'u2') as { age?: number } | undefined;
  return typeof row === 'object' ? { schema: User, response: { id: 'u2', age: (row.age ?? 0) + 1 } } : undefined;
}

const ageOf = (store: Store): unknown => (store.row('User', 'u2') as { age?: unknown }).age;

describe('guesses', () => {
  test('an answer that equals its guess keeps the object and notifies no observer', () => {
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: User, response: { id: 'u1', name: 'x' } }));
    const live = store.query(User, [{ id: 'u1' }]);
    const before = live.current();
    let calls = 0;
    live.subscribe(() => calls++);

    layer.confirm(User, { id: 'u1', name: 'x' });

    expect(live.current()).toBe(before);
    expect(calls).toBe(0);
  });

  test('confirming a create does not remove another record that has the guessed pk', () => {
    const store = new Store();
    store.write(todos, [{ id: 't2', title: 'real' }], { args: [] });
    const layer = addGuess(store, () => ({ schema: todos.push, response: { id: 't2', title: 'again' }, args: [] }));

    layer.confirm(todos.push, { id: 't1', title: 'other' }, { args: [] });

    expect((store.get(Todo, { id: 't2' }) as Todo).title).toBe('real');
    expect(pksOf(store.get(todos))).toEqual(['t2', 't1']);
  });

  test('a pending edit of a created record applies to the record under its pk of the server', () => {
    const store = new Store();
    const create = addGuess(store, () => ({ schema: todos.push, response: { title: 'x' }, args: [] }));
    store.write(todos, [], { args: [] });
    const [{ id }] = store.get(todos) as [Todo];
    addGuess(store, () => ({ schema: Todo, response: { id, title: 'y' } }));

    create.confirm(todos.push, { id: 's1', title: 'x' }, { args: [] });

    expect(store.get(Todo, { id: 's1' })).toMatchObject({ id: 's1', title: 'y' });
    expect(pksOf(store.get(todos))).toEqual(['s1']);
  });

  test('an undone batch does not change the values of a guess', () => {
    const store = new Store();
    addGuess(store, () => ({ schema: User, response: { id: 'u1', age: 3 } }));
    const before = store.get(User, { id: 'u1' });

    undone(
      (run) => store.batch(run),
      () => store.write(User, { id: 'u1', name: 'y' }),
    );

    expect(store.get(User, { id: 'u1' })).toBe(before);
  });

  test('a guess of a missing record is made again when the record arrives, also after a garbage collection', () => {
    const store = new Store();
    addGuess(store, older);
    Array.from(store.collect());

    store.write(User, { id: 'u2', age: 3 });

    expect(ageOf(store)).toBe(4);
  });

  test('a guess of a missing record is made again when the record arrives, also after an undone batch', () => {
    const store = new Store();
    addGuess(store, older);
    undone(
      (run) => store.batch(run),
      () => store.write(User, { id: 'u2' }),
    );

    store.write(User, { id: 'u2', age: 2 });

    expect(ageOf(store)).toBe(3);
  });
});

test('a guess is shown again if the batch that confirmed it fails', () => {
  const store = new Store();
  const layer = addGuess(store, () => ({ schema: User, response: { id: 'u1', age: 3 } }));

  undone(
    (run) => store.batch(run),
    () => {
      store.write(Todo, { id: 't1' });
      layer.confirm(User, { id: 'u2' });
      store.write(User, { id: 'u1', age: 3, name: 'c' });
    },
  );

  expect(store.get(User, { id: 'u1' })).toMatchObject({ id: 'u1', age: 3, name: '' });
});

test('observers are not notified of an answer with the members that pending guesses had added', () => {
  const store = new Store();
  store.write([Todo], [{ id: 't1' }, { id: 't2' }]);
  store.write(todos, []);
  for (const id of ['t1', 't2']) addGuess(store, () => ({ schema: todos.push, response: { id }, args: [] }));
  const live = store.query(todos, []);
  const shown = live.current();
  let calls = 0;
  live.subscribe(() => calls++);

  store.write(todos, ['t1', 't2']);

  expect(calls).toBe(0);
  expect(live.current()).toBe(shown);
});

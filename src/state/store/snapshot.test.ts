import { afterEach, describe, expect, it, vi } from 'vitest';
import { Todo, User } from '../../../tests/model.ts';
import { All, Collection, Entity, hasMany, INVALID, Lazy, Store } from '../../index.ts';
import { takeSnapshot } from './store-snapshot.ts';
import { addGuess } from './layer.ts';
const todos: Collection = new Collection([Todo]);
const all = { args: [{}] };

afterEach(() => vi.unstubAllGlobals());

function filled(): Store {
  const store = new Store();
  store.write(todos, [{ id: '1', title: 'a', owner: { id: 'u', name: 'x' } }, { id: '2' }], all);
  return store;
}

describe('a snapshot', () => {
  it('does not change, whether it was read before the store did or not', () => {
    const store = filled();
    const snapshot = takeSnapshot(store);
    const early = snapshot.get(Todo, '1') as Todo;
    store.write(todos, [{ id: '3' }], all);
    store.write(User, { id: 'u', name: 'y' });
    store.write(Todo, { id: '1', title: 'b' });
    store.invalidate(Todo, '2');
    expect(snapshot.get(Todo, '1')).toEqual(early);
    expect((snapshot.get(todos, {}) as Todo[]).map(({ id }) => id)).toEqual(['1', '2']);
    expect((snapshot.get(Todo, '1') as Todo).owner).toMatchObject({ name: 'x' });
    expect((snapshot.get(new All(Todo)) as Todo[]).map(({ id }) => id).sort()).toEqual(['1', '2']);
    expect(snapshot.row('Todo', '3')).toBeUndefined();
    expect(snapshot.pkOf('Todo', '3')).toBe('3');
    expect(snapshot.row('Todo', '1')).toEqual({ id: '1', title: 'a', owner: 'u' });
    expect((takeSnapshot(store).get(todos, {}) as Todo[]).map(({ id }) => id)).toEqual(['3']);
  });

  it('has a list of its time also if a member was read before a record in it changed, and the list only after that', () => {
    const store = filled();
    const snapshot = takeSnapshot(store);
    const before = snapshot.get(Todo, '1');
    store.write(User, { id: 'u', name: 'y' });
    store.get(todos, {});
    const [first] = snapshot.get(todos, {}) as Todo[];
    expect(first).toBe(before);
    expect(first?.owner).toMatchObject({ name: 'x' });
  });

  it('has the related records of its time, also if one of them refers to another record now', () => {
    const store = filled();
    const owned = hasMany(Todo, 'owner');
    store.get(owned, 'u');
    const snapshot = takeSnapshot(store);
    store.write(Todo, { id: '1', owner: 'v' });
    expect(store.get(owned, 'u')).toEqual([]);
    expect(snapshot.get(owned, 'u')).toMatchObject([{ id: '1', owner: { name: 'x' } }]);
  });

  it('has the records of its time also if only related records have changed', () => {
    const store = filled();
    const snapshot = takeSnapshot(store);
    store.write(User, { id: 'u', name: 'y' });
    expect(snapshot.get(new All(Todo))).toMatchObject([{ id: '1', owner: { name: 'x' } }, { id: '2' }]);
  });

  it('gives the same list for each `new All()` of a class, before and after a change', () => {
    const store = filled();
    const snapshot = takeSnapshot(store);
    const before = snapshot.get(new All(Todo));
    store.write(Todo, { id: '1', title: 'b' });
    expect(snapshot.get(new All(Todo))).toBe(before);
    expect(store.get(new All(Todo))).not.toBe(before);
  });

  it('of an empty store stays empty', () => {
    const store = new Store();
    const snapshot = takeSnapshot(store);
    store.write(Todo, { id: '1' });
    expect(snapshot.get(new All(Todo))).toBeUndefined();
    expect(snapshot.get(Todo, '1')).toBeUndefined();
    expect(snapshot.row('Nothing', '1')).toBeUndefined();
    expect(snapshot.pkOf('Nothing', '1')).toBe('1');
    class Other extends Entity {
      id = '';
      static override key = 'Other';
    }
    expect(snapshot.get(new All(Other))).toBeUndefined();
  });

  it('reads rows, queryables and normalized results', () => {
    const store = filled();
    const snapshot = takeSnapshot(store);
    store.invalidate(Todo, '1');
    expect(snapshot.read([Todo], ['1'])).toMatchObject([{ title: 'a' }]);
    expect(snapshot.read(Todo, 'none')).toBeUndefined();
    expect(takeSnapshot(store).read(Todo, '1', [])).toBe(INVALID);
    expect(takeSnapshot(store).get(Todo, '1')).toBeUndefined();
    expect(takeSnapshot(store).row('Todo', '1')).toBe(INVALID);
  });

  it('keeps a record that is collected later', () => {
    const store = new Store({ now: () => 1e9 });
    store.write(Todo, { id: '1', title: 'a' }, { expiresAt: 0 });
    const snapshot = takeSnapshot(store);
    store.reset();
    expect(snapshot.get(Todo, '1')).toMatchObject({ title: 'a' });
  });

  it('has the guesses of its time', () => {
    const store = filled();
    const layer = addGuess(store, () => ({ schema: Todo, response: { id: '1', title: 'guess' } }));
    const snapshot = takeSnapshot(store);
    layer.drop();
    expect(snapshot.get(Todo, '1')).toMatchObject({ title: 'guess' });
    expect(takeSnapshot(store).get(Todo, '1')).toMatchObject({ title: 'a' });
  });

  it('that is not referenced any more does not record changes', () => {
    let notifications = 0;
    let isHeld = true;
    class Weak {
      readonly #target: object;
      constructor(target: object) {
        this.#target = target;
      }
      deref(): object | undefined {
        notifications++;
        return isHeld ? this.#target : undefined;
      }
    }
    vi.stubGlobal('WeakRef', Weak);
    const store = filled();
    takeSnapshot(store);
    for (const title of ['b', 'c', 'd']) {
      store.write(Todo, { id: '1', title });
      isHeld = false;
    }
    expect(notifications).toBe(2);
  });

  it('may be taken and kept in any number', () => {
    const store = filled();
    const kept = [0, 1, 2].map((votes) => {
      store.write(Todo, { id: '1', votes });
      return takeSnapshot(store);
    });
    store.write(Todo, { id: '1', votes: 9 });
    expect(kept.map((snapshot) => (snapshot.row('Todo', '1') as { votes: number }).votes)).toEqual([0, 1, 2]);
  });
});

describe('while nothing has changed, a snapshot returns the objects of the store', () => {
  class Leaf extends Entity {
    id = '';
    leaves: Leaf[] = [];
    static override key = 'Leaf';
    static override maxEntityDepth = 2;
    static override schema: Record<string, unknown> = {};
  }
  Leaf.schema = { leaves: new Collection([Leaf]) };

  it('also of records and collections under a depth limit', () => {
    const store = new Store();
    store.write(Leaf, { id: '1', leaves: [{ id: '2', leaves: [{ id: '3' }] }] });
    const snapshot = takeSnapshot(store);
    const leaf = store.get(Leaf, '1') as Leaf;
    expect(snapshot.get(Leaf, '1')).toBe(leaf);
    store.write(Todo, { id: '1' });
    expect(snapshot.get(Leaf, '1')).toBe(leaf);
    store.write(Leaf, { id: '3', name: 'x' });
    expect(snapshot.get(Leaf, '1')).toBe(leaf);
  });

  it('also of requests', () => {
    const store = filled();
    store.write([Todo], [{ id: '1' }], { resultKey: 'k' });
    const snapshot = takeSnapshot(store);
    store.write(Todo, { id: '1', title: 'b' });
    const { result, value } = snapshot.request({ key: 'k', schema: [Todo] });
    expect(result).toBe(store.result('k'));
    expect(value).toMatchObject([{ title: 'a' }]);
  });
});

it('a snapshot knows which records temporary pks stood for', () => {
  const store = filled();
  const layer = addGuess(store, () => ({ schema: todos.push, response: { title: 'new' }, args: [{}] }));
  const [, , created] = store.get(todos, {}) as Todo[];
  layer.confirm(todos.push, { id: '9', title: 'new' }, all);
  const snapshot = takeSnapshot(store);
  store.write(Todo, { id: '9', title: 'later' });
  expect(snapshot.get(Todo, { id: (created as Todo).id })).toMatchObject({ id: '9', title: 'new' });
});

it('a snapshot, and a guess, have a created record that the server has confirmed without a pk', () => {
  const store = new Store();
  const args = [{}];
  store.write(todos, [], { args });
  const body = { title: 'new' };
  const layer = addGuess(store, () => ({ schema: todos.push, response: body, args }));
  layer.confirm(todos.push, body, { args, isPart: true });
  const snapshot = takeSnapshot(store);
  store.write(Todo, { id: '2', title: 'later' });
  const read: unknown[] = [];
  addGuess(store, (below) => void read.push(below.get(new All(Todo))));
  const titlesOf = (list: unknown): string[] => (list as Todo[]).map(({ title }) => title);
  expect(titlesOf(snapshot.get(new All(Todo)))).toEqual(['new']);
  expect(titlesOf(read[0])).toEqual(['new', 'later']);
});

it('a snapshot shows a created record as one object, also if its other lists are first read once the server has named it', () => {
  const store = filled();
  store.write(todos, [], { args: [{ orderBy: 'title' }] });
  const layer = addGuess(store, () => ({ schema: todos.push, response: { title: 'new' }, args: [{}] }));
  const snapshot = takeSnapshot(store);
  const [, , created] = snapshot.get(todos, {}) as Todo[];
  layer.confirm(todos.push, { id: '9', title: 'new' }, all);

  expect(snapshot.get(todos, { orderBy: 'title' })?.at(-1)).toBe(created);
  expect((snapshot.get(new All(Todo)) as Todo[]).at(-1)).toBe(created);
});

it('a snapshot that was read has the records that are deleted after that', () => {
  const store = new Store();
  store.write(User, { id: 'u1' });
  store.write(Todo, { id: '1' });
  const state = takeSnapshot(store);
  expect(state.get(new All(Todo))).toHaveLength(1);
  store.invalidate(User, 'u1');
  expect(state.get(new All(User))).toHaveLength(1);
  expect(store.get(new All(User))).toHaveLength(0);
});

it('a snapshot of an empty store stays empty, and returns the same objects again', () => {
  const store = new Store();
  const state = takeSnapshot(store);

  store.write(todos, [{ id: '1', title: 'a' }], { ...all, resultKey: 'k' });

  expect(state.get(Todo, '1')).toBeUndefined();
  expect(state.get(todos, {})).toBeUndefined();
  expect(state.request({ key: 'k', schema: todos }).state).toBeUndefined();
  expect(state.pkOf('Todo', '1')).toBe('1');
  expect(takeSnapshot(store).get(todos, {})).toBe(store.get(todos, {}));
});

it('a snapshot of an empty store returns the objects that the store returns', () => {
  const store = new Store();
  const members = new Lazy([Todo]).query;

  expect(takeSnapshot(store).get(members, ['1'])).toBe(store.get(members, ['1']));
});

it('a snapshot of a store without rows has the failure of a request', () => {
  const store = new Store();
  const failure = { error: new Error('offline'), policy: undefined, since: 0, expiresAt: 1 };
  store.note('k', { failure, since: 0, edits: 0 });
  const state = takeSnapshot(store);

  store.note('k', undefined);

  expect(state.request({ key: 'k', schema: todos }).state?.note?.failure).toBe(failure);
});

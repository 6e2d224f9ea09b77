import { expect, it } from 'vitest';
import { All, type DenormalizeDelegate, Entity, Invalidate, Query, Store } from '../../index.ts';

class Todo extends Entity {
  id = '';
  title = '';
  type = 'todo';
  static override key = 'Todo';
}
class Note extends Entity {
  id = '';
  type = 'note';
  static override key = 'Note';
}
const all = new All(Todo);
const gone = new Invalidate(Todo);
const idsOf = (list: unknown): string[] => (list as Todo[]).map(({ id }) => id);

function shown(store: Store, schema: All = all): () => readonly Todo[] {
  const live = store.query(schema as never, [] as never);
  live.subscribe(() => {});
  return () => live.current() as unknown as readonly Todo[];
}

/** A store with todos 0, 1, 2, … */
function filled(count: number): Store {
  const store = new Store();
  store.write(
    [Todo],
    Array.from({ length: count }, (_, at) => ({ id: `${at}`, title: 'a' })),
  );
  return store;
}

it.each([5, 200])(
  'the list of all records keeps the order of arrival of %d records while records are added, changed, removed and restored',
  (count) => {
    const store = filled(count);
    const read = shown(store);
    read();
    store.write(Todo, { id: 'new' });
    store.write(Todo, { id: '1', title: 'b' });
    store.write(gone, { id: '2' });
    expect(idsOf(read())).toEqual([...idsOf(filled(count).get(all)).filter((id) => id !== '2'), 'new']);
    store.write([gone], [{ id: '0' }, { id: '3' }]);
    store.write(Todo, { id: 'last' });
    expect(idsOf(read()).slice(0, 2)).toEqual(['1', '4']);
    expect(idsOf(read()).slice(-2)).toEqual(['new', 'last']);
    store.write(Todo, { id: '2' });
    expect(idsOf(read())).toEqual(idsOf(store.get(new All(Todo))));
    expect(idsOf(read()).slice(0, 3)).toEqual(['1', '2', '4']);
    expect(read().every((todo) => todo === store.get(Todo, todo.id))).toBe(true);
  },
);

it('the list of all records shows the former records after a batch was undone, in their former order', () => {
  const store = filled(4);
  const read = shown(store);
  const before = read();
  expect(() =>
    store.batch(() => {
      store.write(Todo, { id: 'new' });
      store.write(gone, { id: '1' });
      expect(idsOf(read())).toEqual(['0', '2', '3', 'new']);
      throw new Error('undo');
    }),
  ).toThrow('undo');
  expect(idsOf(read())).toEqual(idsOf(before));
});

it('the list of all records is the same array for all readers until a record is added, removed or changed', () => {
  const store = filled(3);
  const read = shown(store);
  const list = read();
  store.write(Note, { id: '1' });
  expect(read()).toBe(list);
  expect(store.get(new All(Todo))).toBe(list);
});

it('the list of all records of several entities has their records entity by entity', () => {
  const store = filled(2);
  const both = new All({ todo: Todo, note: Note }, 'type');
  const read = shown(store, both);
  expect(idsOf(read())).toEqual(['0', '1']);
  store.write(Note, { id: 'n' });
  store.write(Todo, { id: '2' });
  expect(idsOf(read())).toEqual(['0', '1', '2', 'n']);
  const list = read();
  store.write(gone, { id: '1' });
  expect(idsOf(read())).toEqual(['0', '2', 'n']);
  expect(read()[2]).toBe(list[3]);
});

it('the list of all records keeps its array if records of several entities turn out the same', () => {
  const both = new All({ todo: Todo, note: Note }, 'type');
  for (const frozen of [true, false]) {
    const store = new Store({ frozen });
    store.write(both, [{ id: '1', title: 'a', type: 'todo' }, { id: '2', type: 'note' }]); // prettier-ignore
    const read = shown(store, both);
    const list = read();
    expect(Object.isFrozen(list)).toBe(frozen);
    store.write(Todo, { id: '1', title: 'b' });
    store.write(Todo, { id: '1', title: 'a' });
    expect(read()).toBe(list);
  }
});

it('the list of all records runs queries with other arguments again only when a record has changed', () => {
  const store = filled(3);
  let runs = 0;
  const titles = new Query(all, (list: Todo[], mark: string) => {
    runs++;
    return list.map(({ title }) => title).join(mark);
  });
  const lives = ['+', '-'].map((mark) => store.query(titles, [mark]));
  for (const live of lives) live.subscribe(() => {});
  expect(lives.map((live) => live.current())).toEqual(['a+a+a', 'a-a-a']);
  store.write(Note, { id: '1' });
  store.write(Todo, { id: '0', title: 'b' });
  expect(lives.map((live) => live.current())).toEqual(['b+a+a', 'b-a-a']);
  store.write(Todo, { id: '3', title: 'c' });
  expect(lives.map((live) => live.current())).toEqual(['b+a+a+c', 'b-a-a-c']);
  expect(runs).toBe(6);
});

it('the list of all records releases its records when it has no reader any more', () => {
  let now = 0;
  const store = new Store({ now: () => now });
  store.write([Todo], [{ id: '1' }], { expiresAt: 1 });
  const live = store.query(all, []);
  const stop = live.subscribe(() => {});
  expect(idsOf(live.current())).toEqual(['1']);
  stop();
  now = 1e9;
  expect(Array.from(store.collect())).toEqual([]);
  expect(store.stats().rows).toBe(0);
  store.write(Todo, { id: '2' });
  expect(idsOf(store.get(new All(Todo)))).toEqual(['2']);
});

it('the list of all records can be read by a schema inside one of its own records', () => {
  const siblings = {
    normalize: (input: unknown) => input,
    denormalize: (_stored: unknown, delegate: DenormalizeDelegate) => delegate.unvisit(new All(Node), 'all'),
    queryKey: () => undefined,
  };
  class Node extends Entity {
    id = '';
    siblings: readonly Node[] | undefined = undefined;
    static override key = 'Node';
    static override schema = { siblings };
  }
  const store = new Store();
  store.write([Node], [{ id: '1', siblings: 'all' }, { id: '2', siblings: 'all' }]); // prettier-ignore
  const [one, two] = [store.get(Node, '1'), store.get(Node, '2')];
  expect(one?.siblings).toEqual([one, two]);
  expect(one?.siblings?.[0]).toBe(one);
  expect(two?.siblings).toBe(one?.siblings);
});

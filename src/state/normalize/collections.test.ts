import { describe, expect, it } from 'vitest';
import { Collection, Entity, Store, unshift } from '../../index.ts';
import { addGuess } from '../store/layer.ts';
import { restore } from '../store/restore.ts';
import { cellsFor } from './collections.ts';

class Todo extends Entity {
  id = '';
  group = '';
  static override key = 'Todo';
}
const todos: Collection = new Collection([Todo]);
const paged: Collection = new Collection([Todo], { nonFilterArgumentKeys: ['page', 'sort'] });
const keys: readonly Record<string, unknown>[] = [
  {},
  { group: 'a' },
  { group: 1 },
  { group: null },
  { group: { or: ['a', 'b'] } },
  { group: 'a', user: '7' },
  { group: 'a', page: '2' },
  { group: 'b', orderBy: 'name', user: true },
  { user: '7', sort: 'up' },
  { group: 'a', sort: 'name,title' },
];
const asked: readonly (readonly unknown[])[] = [
  [{}],
  [],
  [{ group: 'a' }],
  [{ group: '1' }, { user: 7 }],
  [{ group: 1, user: 7 }],
  [{ group: null }],
  [{ group: { or: ['a', 'b'] } }],
  [{ user: '7' }, { group: 'a' }],
  [{ group: 'b' }, { group: 'a', user: 'true' }],
  ['text', { group: 'a' }],
  [{ group: undefined, user: () => 7 }],
];

function filled(schema: Collection): Store {
  const store = new Store();
  for (const key of keys) store.write(schema, [], { args: [key] });
  for (const key of keys) crowd(store, schema, Object.keys(key));
  return store;
}

/** Adds lists with arguments of these names. Few lists would be checked without a lookup. */
function crowd(store: Store, schema: Collection, names: readonly string[]): void {
  for (let at = 0; at < 9; at++)
    store.write(schema, [], { args: [Object.fromEntries(names.map((name) => [name, `other ${at}`]))] });
}

const listsWith = (store: Store, pk: string): string[] =>
  [...store.rows()].flatMap(({ table, pk: list, row }) =>
    table === '[Todo]' && Array.isArray(row) && row.includes(pk) ? [list] : [],
  );

describe.each([
  ['the default filter', todos],
  ['arguments that do not select', paged],
])('a record that is pushed with %s', (_name, schema) => {
  it.each(asked.map((args) => ({ args })))(
    'joins the collections that going through all of them finds: $args',
    ({ args }) => {
      const filter = (schema.createCollectionFilter as (...given: unknown[]) => (key: object) => boolean).apply(
        schema,
        [...args],
      );
      const all = schema.addWith(
        unshift,
        (...given) =>
          (key) =>
            schema.createCollectionFilter(...given)(key),
      );
      const [store, slow] = [filled(schema), filled(schema)];
      store.write(schema.push, { id: '1' }, { args });
      slow.write(all, { id: '1' }, { args });
      expect(listsWith(store, '1')).toEqual(listsWith(slow, '1'));
      expect(listsWith(store, '1')).toEqual(
        listsWith(slow, '1').filter((pk) => filter(JSON.parse(pk) as Record<string, string>)),
      );
    },
  );
});

it('finds collections that are added and removed after the first push', () => {
  let now = 0;
  const store = new Store({ now: () => now });
  crowd(store, todos, ['group']);
  store.write(todos, [], { args: [{ group: 'a' }], expiresAt: 1 });
  store.write(todos.push, { id: '1' }, { args: [{ group: 'a' }] });
  store.write(todos, [], { args: [{ group: 'b' }] });
  store.write(todos.push, { id: '2' }, { args: [{ group: 'b' }] });
  expect(listsWith(store, '2')).toEqual(['{"group":"b"}']);
  now = 1e9;
  Array.from(store.collect());
  store.write(todos, ['3'], { args: [{ group: 'a' }] });
  store.write(todos.push, { id: '4' }, { args: [{ group: 'a' }] });
  expect(store.row('[Todo]', '{"group":"a"}')).toEqual(['3', '4']);
});

it('finds collections that are stored again after all with the same values were removed', () => {
  let now = 0;
  const store = new Store({ now: () => now });
  crowd(store, paged, ['group', 'page']);
  store.write(paged, [], { args: [{ group: 'a', page: '1' }], expiresAt: 1 });
  store.write(paged.push, { id: '1' }, { args: [{ group: 'a' }], expiresAt: 1 });
  now = 1e9;
  Array.from(store.collect());
  expect(store.row('[Todo]', '{"group":"a","page":"1"}')).toBeUndefined();
  for (const page of ['1', '2']) store.write(paged, [], { args: [{ group: 'a', page }] });
  store.write(paged.push, { id: '2' }, { args: [{ group: 'a' }] });
  expect(listsWith(store, '2')).toEqual(['{"group":"a","page":"1"}', '{"group":"a","page":"2"}']);
});

it('checks all collections if there are many combinations, or arguments that are not plain data', () => {
  const store = new Store();
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  crowd(store, todos, names);
  store.write(todos, [], { args: [Object.fromEntries(names.map((name) => [name, '1']))] });
  const [one, two] = ['1', '2'].map((value) => Object.fromEntries(names.map((name) => [name, value])));
  store.write(todos.push, { id: '1' }, { args: [one, two] });
  expect(listsWith(store, '1')).toHaveLength(1);
  const circle: Record<string, unknown> = { ...one };
  circle['a'] = circle;
  expect(() => store.write(todos.push, { id: '2' }, { args: [circle, one] })).not.toThrow();
  expect(listsWith(store, '2')).toHaveLength(1);
});

it('moves a record between two of many collections, by a field or by a rule with several values', () => {
  const tagged: Collection = new Collection([Todo], {
    where: { group: (todo) => Reflect.get(todo, 'tags') as unknown },
  });
  for (const [schema, was, is] of [
    [todos, { group: 'a' }, { group: 'b' }],
    [tagged, { tags: ['a'] }, { tags: ['b'] }],
  ] as const) {
    const store = new Store();
    crowd(store, schema, ['group']);
    store.write(schema, [{ id: '1', ...was }], { args: [{ group: 'a' }] });
    store.write(schema, [], { args: [{ group: 'b' }] });
    store.write(Todo, { id: '1', ...is });
    expect(listsWith(store, '1')).toEqual(['{"group":"b"}']);
  }
});

it('lets a guess join a collection that arrives after it was made', () => {
  const store = filled(todos);
  const push =
    (id: string, group: string): (() => object) =>
    () => ({
      schema: todos.push,
      response: { id },
      args: [{ group }],
    });
  const layer = addGuess(store, push('1', 'c') as never);
  addGuess(store, push('2', 'a') as never);
  store.write(todos, [], { args: [{ group: 'c' }] });
  expect(store.row('[Todo]', '{"group":"c"}')).toEqual(['1']);
  store.write(todos.push, { id: '3' }, { args: [{ group: 'a' }] });
  expect(store.row('[Todo]', '{"group":"a"}')).toEqual(['3', '2']);
  layer.drop();
  expect(store.row('[Todo]', '{"group":"c"}')).toEqual([]);
});

it('finds the rest after others with the same values were removed, and rows without content', () => {
  let now = 0;
  const store = new Store({ now: () => now });
  const stamp = { issue: 0, fetchedAt: 0, date: 0, expiresAt: 1 };
  restore(store.writer, [{ table: '[Todo]', pk: 'no key', row: [], stamp }], []);
  crowd(store, paged, ['group', 'page']);
  store.write(paged, [], { args: [{ group: 'a', page: 1 }], expiresAt: 1 });
  store.write(paged, [], { args: [{ group: 'a', page: 2 }] });
  store.write(paged.push, { id: '1' }, { args: [{ group: 'a' }] });
  expect(listsWith(store, '1')).toHaveLength(2);
  store.write(paged, [], { args: [{ group: 'a', page: 3 }], expiresAt: 1 });
  now = 1e9;
  Array.from(store.collect());
  expect(store.row('[Todo]', 'no key')).toBeUndefined();
  store.write(paged.push, { id: '2' }, { args: [{ group: 'a' }] });
  expect(listsWith(store, '2')).toEqual(['{"group":"a","page":"1"}', '{"group":"a","page":"2"}']);
});

describe('collections whose pk is the key in another form', () => {
  class Spaced extends Collection<(typeof Todo)[]> {
    override pk(_value: unknown, _parent: unknown, _key: unknown, [key]: readonly unknown[]): string {
      return JSON.stringify(key, undefined, 1);
    }
  }

  it('are found by the values of that key', () => {
    const spaced = new Spaced([Todo]);
    const store = new Store();
    crowd(store, spaced, ['group']);
    store.write(spaced, [], { args: [{ group: 'a' }] });
    store.write(spaced, [], { args: [{ group: 'b' }] });
    store.write(spaced.push, { id: '1', group: 'a' }, { args: [{}] });
    expect(store.get(spaced, { group: 'a' })).toMatchObject([{ id: '1' }]);
    expect(store.get(spaced, { group: 'b' })).toEqual([]);
  });

  it('belong to no list if the pk is not a key', () => {
    class Named extends Collection<(typeof Todo)[]> {
      override pk(): string {
        return 'mine';
      }
    }
    const named = new Named([Todo]);
    const store = new Store();
    store.write(named, [], { args: [{}] });
    store.write(named.push, { id: '1', group: 'a' }, { args: [{}] });
    expect(store.get(named, {})).toEqual([]);
  });
});

describe('of many collections, those are checked', () => {
  const stamp = { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 };
  /** Not as the library writes them, but valid: from another version, or written by hand. */
  const spaced = ['{"group": "z","page":"z"}', '{"group":"z", "page":"z"}', '{ "group":"z","page":"z"}'];
  const several = ['{"group":"a,b","page":"z"}', '{"group":"z","page":"1,2"}'];
  const store = new Store();
  for (const group of 'abcdefgh') for (const page of [1, 2, 3]) store.write(todos, [], { args: [{ group, page }] });
  restore(
    store.writer,
    [...spaced, ...several].map((pk) => ({ table: '[Todo]', pk, row: [], stamp })),
    [],
  );
  const checked = (values: Readonly<Record<string, readonly unknown[]>>): readonly string[] =>
    cellsFor(store.writer.core.reading.space.table('[Todo]'), {
      selects: (name) => Object.hasOwn(values, name),
      valuesOf: (name) => values[name] ?? [],
    }).map(({ pk }) => pk);
  const key = (group: string, page: number): string => `{"group":"${group}","page":"${page}"}`;
  const circle: unknown[] = [];
  circle.push(circle);

  it.each<[string, Record<string, readonly unknown[]>, readonly string[]]>([
    ['one value', { group: ['a'] }, [key('a', 1), key('a', 2), key('a', 3), ...spaced, several[0] as string]],
    ['no value', { group: [undefined] }, [...spaced, several[0] as string]],
    [
      'the values of all arguments',
      { group: ['a', 'b'], page: [1] },
      [key('a', 1), key('b', 1), ...spaced, ...several],
    ],
    ['an unknown value', { group: ['x'], page: [1] }, [...spaced, ...several]],
  ])('that have %s, and those whose key has another form or several values', (_, values, expected) => {
    expect(checked(values)).toEqual(expected);
  });

  it('all if no argument selects, if a value is not plain data, or if there are more combinations than 64', () => {
    const all = 24 + spaced.length + several.length;
    const many = (count: number): unknown[] => Array.from({ length: count }, (_, at) => `no ${at}`);
    expect(checked({})).toHaveLength(all);
    expect(checked({ group: [circle] })).toHaveLength(all);
    expect(checked({ group: many(65) })).toHaveLength(all);
    expect(checked({ group: many(64) })).toHaveLength(spaced.length + 1);
  });

  it('not any more once they are removed', () => {
    const own = new Store();
    for (const group of 'abcdefghij') own.write(todos, [], { args: [{ group }] });
    const table = own.writer.core.reading.space.table('[Todo]');
    const query = { selects: () => true, valuesOf: () => ['a'] };
    expect(cellsFor(table, query)).toHaveLength(1);
    for (const cell of cellsFor(table, query)) table.drop(cell);
    expect(cellsFor(table, query)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { Random } from '../../../tests/oracle/random.ts';
import { Collection, Entity, type Layer, Store, Union, Values } from '../../index.ts';
import { addGuess } from './layer.ts';

/** How many records were stored, also by guesses. */
let processed = 0;

class Todo extends Entity {
  id = '';
  title = '';
  group = '';
  static override key = 'EditedTodo';
  static override process(input: object): object {
    processed++;
    return { ...input };
  }
}
const todos = new Collection([Todo]);
const union = new Collection([new Union({ todo: Todo }, () => 'todo')]);
const map = new Collection(new Values(Todo));
const counted = new Collection([Todo], { total: 'count' });

/** How a record joins lists, by the lists. */
const joins = {
  'lists, at the end': { lists: todos, join: todos.push, empty: [] },
  'lists, at the start': { lists: todos, join: todos.unshift, empty: [] },
  'lists of a union': { lists: union, join: union.push, empty: [] },
  maps: { lists: map, join: map.assign, empty: {} },
};
type Join = (typeof joins)[keyof typeof joins];

const one = { args: [{}] };
const made = ({ empty }: Join, id: string): object => {
  const todo = { id, title: id };
  return Array.isArray(empty) ? todo : { [id]: todo };
};

function pushed(join: Join, count: number): { readonly store: Store; readonly layers: readonly Layer[] } {
  const store = new Store();
  store.write(join.lists, join.empty, one);
  const guess = (_: unknown, at: number): Layer =>
    addGuess(store, () => ({ schema: join.join, response: made(join, `${at}`), ...one }));
  return { store, layers: Array.from({ length: count }, guess) };
}

const idsIn = (store: Store, lists: Join['lists']): readonly string[] =>
  Object.values<Todo>(store.get<Collection>(lists as Collection, {}) ?? {}).map(({ id }) => id);

describe.each(Object.entries(joins))('guesses of records that join %s', (_, join) => {
  const orders = {
    'in their order': [0, 1, 2, 3, 4, 5],
    backwards: [5, 4, 3, 2, 1, 0],
    'in another': [3, 0, 5, 1, 4, 2],
  };

  it.each(Object.entries(orders))('are made once each, when answers arrive %s', (__, order) => {
    const { store, layers } = pushed(join, 6);
    processed = 0;
    for (const at of order) layers[at]?.confirm(join.join, made(join, `${at}`), one);
    expect(processed).toBe(6);
    expect([...idsIn(store, join.lists)].sort()).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  it.each(Object.entries(orders))('are made once each, when they fail %s', (__, order) => {
    const { store, layers } = pushed(join, 6);
    processed = 0;
    for (const at of order) {
      layers[at]?.drop();
      expect(idsIn(store, join.lists)).not.toContain(`${at}`);
    }
    expect(processed).toBe(0);
    expect(idsIn(store, join.lists)).toEqual([]);
  });

  it('are made again when their list is gone', () => {
    const { store } = pushed(join, 2);
    processed = 0;
    store.invalidate(join.lists, '{}');
    expect(processed).toBe(2);
    store.write(join.lists, join.empty, one);
    expect(idsIn(store, join.lists)).toHaveLength(2);
  });
});

it('guesses of records join a list that arrives later', () => {
  const { store } = pushed(joins['lists, at the end'], 2);
  store.write(todos, [], { args: [{ title: '1' }] });
  expect(store.row(todos.key, '{"title":"1"}')).toEqual(['1']);
});

it('a guess that moves a record between lists is made again for the record, and not for the lists', () => {
  const store = new Store();
  store.write(todos, [{ id: '1', group: 'a' }], { args: [{ group: 'a' }] });
  store.write(todos, [{ id: '2', group: 'b' }], { args: [{ group: 'b' }] });
  const layer = addGuess(store, () => ({ schema: Todo, response: { id: '1', group: 'b' } }));
  processed = 0;
  store.write(todos.push, { id: '3', group: 'b' }, { args: [{ group: 'b' }] });
  expect(processed).toBe(1);
  expect(store.row(todos.key, '{"group":"a"}')).toEqual([]);
  expect(store.row(todos.key, '{"group":"b"}')).toEqual(['2', '3', '1']);
  layer.drop();
  expect(store.row(todos.key, '{"group":"a"}')).toEqual(['1']);
  expect(store.row(todos.key, '{"group":"b"}')).toEqual(['2', '3']);
});

it('totals of pending creates are added up', () => {
  const store = new Store();
  const page = { data: counted, count: 0 };
  store.write(page, { data: [], count: 5 }, { ...one, resultKey: 'page' });
  const layers = ['a', 'b', 'c'].map((id) =>
    addGuess(store, () => ({ schema: counted.push, response: { id }, ...one })),
  );
  const count = (): unknown => (store.resultView('page', page).current() as { count: number }).count;
  expect(count()).toBe(8);
  processed = 0;
  layers[1]?.confirm(counted.push, { id: 'b' }, one);
  expect(count()).toBe(8);
  layers[0]?.drop();
  expect(count()).toBe(7);
  expect(processed).toBe(1);
});

it('a guess that reads the members of a list is made again when they change', () => {
  const { store, layers } = pushed(joins['lists, at the end'], 2);
  let asked = 0;
  addGuess(store, (snapshot) => {
    asked++;
    const { length } = snapshot.get(todos, {}) ?? [];
    return { schema: todos.push, response: { id: `after ${length}` }, ...one };
  });
  layers[0]?.drop();
  expect(asked).toBe(2);
  expect(idsIn(store, todos)).toEqual(['1', 'after 1']);
});

it('a guess of a whole list hides the edits below it, and not those above it', () => {
  const store = new Store();
  store.write(todos, [{ id: 'a' }], one);
  const push = (id: string) => (): { schema: unknown; response: unknown; args: readonly unknown[] } => ({
    schema: todos.push,
    response: { id },
    ...one,
  });
  const [below, whole, above] = [
    addGuess(store, push('b')),
    addGuess(store, () => ({ schema: todos, response: [{ id: 'c' }], ...one })),
    addGuess(store, push('d')),
  ];
  expect(idsIn(store, todos)).toEqual(['c', 'd']);
  below.confirm(todos.push, { id: 'b' }, one);
  expect(idsIn(store, todos)).toEqual(['c', 'd']);
  whole.drop();
  expect(idsIn(store, todos)).toEqual(['a', 'b', 'd']);
  above.drop();
  expect(idsIn(store, todos)).toEqual(['a', 'b']);
});

it('a guess can become the edit of another list, and no edit at all', () => {
  const store = new Store();
  store.write(todos, [], { args: [{ group: 'a' }] });
  store.write(todos, [], { args: [{ group: 'b' }] });
  store.write(Todo, { id: 'x', title: 'a' });
  addGuess(store, (snapshot) => {
    const group = snapshot.get(Todo, 'x')?.title;
    const args = [{ group }];
    if (group === 'whole') return { schema: todos, response: [{ id: 'y' }], args: [{ group: 'b' }] };
    return { schema: todos.push, response: { id: 'y', group }, args };
  });
  addGuess(store, () => ({ schema: todos.push, response: { id: 'z', group: 'b' }, args: [{ group: 'b' }] }));
  const rows = (): unknown[] => ['a', 'b'].map((group) => store.row(todos.key, JSON.stringify({ group })));
  expect(rows()).toEqual([['y'], ['z']]);
  for (const [title, expected] of [
    ['b', [[], ['y', 'z']]],
    ['whole', [[], ['y', 'z']]],
    ['a', [['y'], ['z']]],
  ] as const) {
    store.write(Todo, { id: 'x', title });
    expect(rows()).toEqual(expected);
  }
});

interface Step {
  readonly schema: unknown;
  readonly response: unknown;
  readonly args: readonly unknown[];
}

const groups = ['a', 'b'];
const some = ['1', '2', '3', '4', '5'];

function step(random: Random): Step {
  const id = random.pick(some);
  const group = random.pick(groups);
  const schema = random.pick([todos.push, todos.push, todos.unshift, todos.remove, Todo]);
  return { schema, response: { id, group }, args: [{ group }] };
}

function started(): Store {
  const store = new Store();
  for (const group of groups) store.write(todos, [], { args: [{ group }] });
  return store;
}

it('in random histories, lists are as if the confirmed changes and then the pending ones had been written', () => {
  for (let seed = 1; seed <= 80; seed++) {
    const random = new Random(seed);
    const store = started();
    const confirmed: Step[] = [];
    const pending: { readonly layer: Layer; readonly guess: Step }[] = [];
    for (let turn = 0; turn < 25; turn++) {
      const guess = step(random);
      if (pending.length < 3 || random.chance(0.5)) pending.push({ guess, layer: addGuess(store, () => guess) });
      else {
        const [{ layer, guess: own }] = pending.splice(random.below(pending.length), 1) as [(typeof pending)[number]];
        if (random.chance(0.3)) layer.drop();
        else {
          layer.confirm(own.schema, own.response, { args: own.args });
          confirmed.push(own);
        }
      }
      const fresh = started();
      for (const { schema, response, args } of confirmed) fresh.write(schema, response, { args });
      for (const {
        guess: { schema, response, args },
      } of pending)
        addGuess(fresh, () => ({ schema, response, args }));
      for (const group of groups) {
        const pk = JSON.stringify({ group });
        expect([seed, turn, group, store.row(todos.key, pk)]).toEqual([seed, turn, group, fresh.row(todos.key, pk)]);
      }
    }
  }
});

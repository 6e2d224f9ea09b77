import { describe, expect, it } from 'vitest';
import { Random } from '../../../tests/oracle/random.ts';
import { seedsInTurn } from '../../../tests/turn.ts';
import { Collection, Entity, Invalidate, type Layer, Store, Union, Values } from '../../index.ts';
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

interface Creation extends Step {
  readonly layer: Layer;
  /** What the server answers. A guess without an id gets a temporary one. */
  readonly answer: object;
}

const UNDO = new Error('All of it is undone.');

/** Creates at one end of a list, in a random history, while the confirmed list changes too. */
class Creations {
  readonly store: Store = new Store();
  readonly #random: Random;
  readonly #join: Join;
  readonly #confirmed: ((store: Store) => void)[] = [];
  #pending: readonly Creation[] = [];
  #ids = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#join = random.pick([joins['lists, at the end'], joins['lists, at the start'], joins['lists of a union']]);
    this.#write((store) => store.write(this.#join.lists, [], one));
  }

  turn(): void {
    const { store } = this;
    const kind = this.#random.below(8);
    const changing = [1, 2].map(() => this.#change());
    if (kind < 4) this.#push();
    else if (kind === 4) for (const change of changing) this.#write(change);
    else if (kind === 5) this.#settle(this.#random.below(4));
    else if (kind === 6) store.batch(() => this.#settle(this.#random.below(3)));
    else
      this.#unless(() => {
        for (const change of changing) change(store);
        this.#push();
        this.#settle(1);
        throw UNDO;
      });
  }

  /** The titles in the list, and in the list of a store to which the same was written. */
  shown(): readonly [string, string] {
    const fresh = new Store();
    for (const write of this.#confirmed) write(fresh);
    for (const { schema, response, args } of this.#pending) addGuess(fresh, () => ({ schema, response, args }));
    return [this.#titles(this.store), this.#titles(fresh)];
  }

  #titles(store: Store): string {
    const shown = (store.get<Collection>(this.#join.lists, {}) ?? []) as readonly Todo[];
    return shown.map(({ title }) => title).join();
  }

  #write(write: (store: Store) => void): void {
    write(this.store);
    this.#confirmed.push(write);
  }

  /** Undone, with everything that is known of it here. */
  #unless(run: () => void): void {
    const [pending, count] = [this.#pending, this.#confirmed.length];
    const error = (() => {
      try {
        return this.store.batch(run);
      } catch (thrown) {
        return thrown;
      }
    })();
    if (error !== UNDO) throw new Error('The batch threw another error.', { cause: error });
    this.#pending = pending;
    this.#confirmed.length = count;
  }

  #push(): void {
    const id = this.#random.chance(0.2) ? `${this.#random.below(this.#ids + 1)}` : `${this.#ids++}`;
    const title = `title ${id}`;
    const response = this.#random.chance(0.3) ? { title } : { id, title };
    const guess = { schema: this.#join.join, response, ...one };
    this.#pending = [...this.#pending, { ...guess, answer: { id, title }, layer: addGuess(this.store, () => guess) }];
  }

  #settle(count: number): void {
    for (let at = 0; at < count && this.#pending.length > 0; at++) {
      const { layer, schema, answer } = this.#pending[this.#random.below(this.#pending.length)] as Creation;
      this.#pending = this.#pending.filter((other) => other.layer !== layer);
      if (this.#random.chance(0.3)) layer.drop();
      else {
        layer.confirm(schema, answer, one);
        this.#confirmed.push((store) => store.write(schema, answer, one));
      }
    }
  }

  #change(): (store: Store) => void {
    const { lists, join } = this.#join;
    const id = `${this.#random.below(this.#ids + 1)}`;
    const ids = Array.from({ length: this.#random.below(5) }, () => `${this.#random.below(this.#ids + 1)}`);
    const records = ids.map((each) => ({ id: each, title: `title ${each}` }));
    return this.#random.pick<(store: Store) => void>([
      (store) => store.write(join, { id, title: `title ${id}` }, one),
      (store) => store.write(new Invalidate(Todo), { id }),
      (store) => store.write(lists, records, one),
      (store) => store.write(lists.remove, { id, title: `title ${id}` }, one),
    ]);
  }
}

it('in random histories of creates, lists are as if the confirmed changes and then the pending ones had been written', () => {
  const { seed: first, runs } = seedsInTurn(200, 4);
  for (let seed = first; seed < first + runs; seed++) {
    const creations = new Creations(new Random(seed));
    for (let turn = 0; turn < 40; turn++) {
      creations.turn();
      const [shown, expected] = creations.shown();
      expect([seed, turn, shown]).toEqual([seed, turn, expected]);
    }
  }
});

import { describe, expect, it } from 'vitest';
import { Random } from '../../../tests/oracle/random.ts';
import { seedsInTurn } from '../../../tests/turn.ts';
import {
  All,
  Collection,
  Entity,
  Invalidate,
  type Layer,
  type NormalizeDelegate,
  Store,
  Union,
  Values,
} from '../../index.ts';
import { addGuess } from './layer.ts';

/** How many records were stored, also by guesses. */
let processed = 0;

class Todo extends Entity {
  id = '';
  title = '';
  group = '';
  rank = 0;
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
const ordered = new Collection([Todo], { orderBy: (one: Todo, other: Todo) => one.rank - other.rank });

/** How a record joins lists, by the lists. */
const joins = {
  'lists, at the end': { lists: todos, join: todos.push, empty: [] },
  'lists, at the start': { lists: todos, join: todos.unshift, empty: [] },
  'lists of a union': { lists: union, join: union.push, empty: [] },
  'lists with an order': { lists: ordered, join: ordered.push, empty: [] },
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

describe('a pending create in a list with an order', () => {
  const ranked = (id: string, rank: number): object => ({ id, title: id, rank });
  const create = (store: Store, record: object): Layer =>
    addGuess(store, () => ({ schema: ordered.push, response: record, ...one }));

  it('is made once, and has its place, in whatever order others are answered', () => {
    const store = new Store();
    store.write(ordered, [ranked('x', 2)], one);
    const layers = [3, 1, 2, 1].map((rank, at) => create(store, ranked(`${at}`, rank)));
    expect(idsIn(store, ordered)).toEqual(['1', '3', 'x', '2', '0']);
    processed = 0;
    layers[3]?.confirm(ordered.push, ranked('3', 1), one);
    expect(idsIn(store, ordered)).toEqual(['3', '1', 'x', '2', '0']);
    layers[0]?.confirm(ordered.push, ranked('0', 0), one);
    layers[1]?.drop();
    expect(idsIn(store, ordered)).toEqual(['0', '3', 'x', '2']);
    expect(processed).toBe(2);
  });

  it('has another place when a record beside it changes, and is not made again', () => {
    const store = new Store();
    store.write(ordered, [ranked('x', 2), ranked('y', 4)], one);
    create(store, ranked('1', 3));
    processed = 0;
    store.write(Todo, ranked('y', 2));
    expect(idsIn(store, ordered)).toEqual(['x', 'y', '1']);
    addGuess(store, () => ({ schema: Todo, response: ranked('x', 5) }));
    expect(idsIn(store, ordered)).toEqual(['y', '1', 'x']);
    expect(processed).toBe(2);
  });

  it('has its place among many that arrive', () => {
    const store = new Store();
    store.write(ordered, [], one);
    create(store, ranked('1', 50));
    const arrived = Array.from({ length: 100 }, (_, rank) => ranked(`r${rank}`, rank));
    store.write(ordered, arrived, one);
    expect(idsIn(store, ordered).indexOf('1')).toBe(51);
  });

  it('depends on the order if its guess also moves a member', () => {
    const store = new Store();
    store.write(ordered, [ranked('w', 1), ranked('x', 2), ranked('y', 4), ranked('z', 9)], one);
    addGuess(store, () => ({
      schema: { created: ordered.push, changed: Todo },
      response: { created: ranked('1', 3), changed: ranked('z', 10) },
      ...one,
    }));
    expect(idsIn(store, ordered)).toEqual(['w', 'x', '1', 'y', 'z']);
    // The place of `z` was found without it.
    store.write(Todo, ranked('x', 3.5));
    expect(idsIn(store, ordered)).toEqual(['w', '1', 'x', 'y', 'z']);
  });
});

describe('pending creates in a first page', () => {
  const page = { args: [{ limit: 2 }] };
  const shownIn = (store: Store): readonly string[] => (store.get(todos, { limit: 2 }) ?? []).map(({ id }) => id);
  const create = (store: Store, id: string, schema: unknown = todos.unshift): Layer =>
    addGuess(store, () => ({ schema, response: { id }, ...page }));

  it('are made once each, and are shown if there is room for them', () => {
    const store = new Store();
    store.write(todos, [{ id: 'a' }, { id: 'b' }], page);
    const layers = ['1', '2', '3'].map((id) => create(store, id));
    expect(shownIn(store)).toEqual(['3', '2']);
    processed = 0;
    layers[2]?.drop();
    expect(shownIn(store)).toEqual(['2', '1']);
    layers[0]?.confirm(todos.unshift, { id: '1' }, page);
    layers[1]?.drop();
    expect(shownIn(store)).toEqual(['1', 'a']);
    expect(processed).toBe(1);
  });

  it('show the same members, whether or not their edits are of one kind', () => {
    const store = new Store();
    store.write(todos, [{ id: 'a' }, { id: 'b' }], page);
    create(store, '1');
    create(store, '1');
    create(store, 'b');
    expect(shownIn(store)).toEqual(['1', 'a']);
  });

  it('are shown at its end when an equal answer says that no page follows', () => {
    const store = new Store();
    store.write(todos, [{ id: 'a' }], page);
    const confirmed = create(store, 'b', todos.push);
    confirmed.confirm(todos.push, { id: 'b' }, page);
    create(store, 'c', todos.push).confirm(todos.push, { id: 'c' }, page);
    store.write(todos.remove, { id: 'b' }, page);
    create(store, 'd', todos.push);
    expect(shownIn(store)).toEqual(['a']);
    store.write(todos, [{ id: 'a' }], page);
    expect(shownIn(store)).toEqual(['a', 'd']);
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

it('records that pending mutations move between lists are in one of them, in whatever order these are answered', () => {
  const store = new Store();
  const [from, to] = ['a', 'b'].map((group) => ({ args: [{ group }] }));
  const at = (group: string): unknown => store.row(todos.key, JSON.stringify({ group }));
  store.write(
    todos,
    ['1', '2', '3', '4'].map((id) => ({ id, group: 'a' })),
    from,
  );
  store.write(todos, [], to);
  const moved = (id: string): object => ({ id, group: 'b' });
  const layers = ['1', '2', '3'].map((id) =>
    addGuess(store, () => ({ schema: todos.move, response: moved(id), args: [{ group: 'b' }] })),
  );
  expect([at('a'), at('b')]).toEqual([['4'], ['1', '2', '3']]);
  processed = 0;
  new Store().write(todos.move, moved('3'), to);
  const ofAnswer = processed;
  processed = 0;
  layers[2]?.confirm(todos.move, moved('3'), to);
  expect([at('a'), at('b')]).toEqual([['4'], ['3', '1', '2']]);
  layers[0]?.drop();
  expect([at('a'), at('b')]).toEqual([
    ['1', '4'],
    ['3', '2'],
  ]);
  expect(processed).toBe(ofAnswer);
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

it('in random histories of all kinds of edits, tracked lists are as if all edits were repeated', () => {
  const lists = [todos, union, ordered, new Collection([Todo], { create: 'first' })];
  const { seed: from, runs } = seedsInTurn(50, 4);
  for (let seed = from; seed < from + runs; seed++) {
    const random = new Random(seed);
    const list = random.pick(lists);
    const isUnion = list === union;
    const keys = [{ group: 'a' }, { group: 'b' }, ...(isUnion ? [] : [{ group: 'a', limit: 4 }])];
    const written: ((store: Store) => void)[] = [];
    const store = new Store();
    const write = (change: (store: Store) => void): void => {
      written.push(change);
      change(store);
    };
    const record = (): Record<'id' | 'title' | 'group', string> & { readonly rank: number } => {
      const id = `${random.below(8)}`;
      return { id, title: id, group: random.pick(groups), rank: random.below(5) };
    };
    const arrive = (): void => {
      for (const args of keys) {
        const records = Array.from({ length: random.below(5) }, () => ({ ...record(), group: args.group }));
        const unique = [...new Map(records.map((each) => [each.id, each])).values()];
        write((to) =>
          to.write(
            list,
            unique.sort((first, second) => first.rank - second.rank),
            { args: [args] },
          ),
        );
      }
    };
    arrive();
    let pending: readonly { readonly layer: Layer; readonly guess: Step }[] = [];
    for (let turn = 0; turn < 40; turn++) {
      const kind = random.below(8);
      const { group, ...rest } = record();
      const settled = random.pick(pending);
      if (kind === 7) arrive();
      else if (kind < 4 || settled === undefined) {
        const schema = random.pick([list.push, list.unshift, list.remove, isUnion ? list.push : list.move, Todo, Todo]);
        const guess = { schema, response: { ...rest, group }, args: [{ group }] };
        pending = [...pending, { guess, layer: addGuess(store, () => guess) }];
      } else {
        pending = pending.filter((other) => other !== settled);
        const { args, response, schema } = settled.guess;
        if (kind === 4) settled.layer.drop();
        else {
          settled.layer.confirm(schema, response, { args });
          written.push((to) => to.write(schema, response, { args }));
        }
      }
      const fresh = new Store();
      for (const change of written) change(fresh);
      for (const { guess } of pending) addGuess(fresh, () => guess);
      for (const key of keys) {
        const rows = [store, fresh].map((each) => each.get<Collection>(list as Collection, key) as readonly Todo[]);
        const [shown, expected] = rows.map((row) => row.map(({ id, rank }) => `${id}:${rank}`).join());
        expect([seed, turn, key, shown]).toEqual([seed, turn, key, expected]);
      }
    }
  }
});

interface Creation extends Step {
  readonly layer: Layer;
  /** What the server answers. A guess without an id gets a temporary one. */
  readonly answer: object;
}

/** The lists of `Creations`. More than one in four has an order. */
const kinds = [
  joins['lists, at the end'],
  joins['lists, at the start'],
  joins['lists of a union'],
  joins['lists with an order'],
  joins['lists with an order'],
];

const UNDO = new Error('All of it is undone.');

/** Creates in a list or in its first page, in a random history, while the confirmed list changes too. */
class Creations {
  readonly store: Store = new Store();
  readonly #random: Random;
  readonly #join: Join;
  readonly #args: readonly [Readonly<Record<string, unknown>>];
  readonly #confirmed: ((store: Store) => void)[] = [];
  #pending: readonly Creation[] = [];
  #ids = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#join = random.pick(kinds);
    // A first page that is not full is the last one.
    this.#args = [random.chance(0.6) ? {} : { limit: random.below(5) + 1 }];
    this.#write((store) => store.write(this.#join.lists, [], this.#options));
  }

  get #options(): { readonly args: readonly unknown[] } {
    return { args: this.#args };
  }

  turn(): void {
    const { store } = this;
    const kind = this.#random.below(8);
    const changing = [1, 2].map(() => this.#change());
    if (kind < 4) this.#push();
    else if (kind === 4) for (const change of changing) this.#write(change);
    else if (kind === 5) this.#settle(this.#random.below(4));
    else if (kind === 6) store.batch(() => this.#settle(this.#random.below(3)));
    // What an answer says about the page after it is not undone.
    else if (!('limit' in this.#args[0]))
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
    const shown = (store.get<Collection>(this.#join.lists, this.#args[0]) ?? []) as readonly Todo[];
    return shown.map(({ title, rank }) => `${title}:${rank}`).join();
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
    const rank = this.#random.below(4);
    const isEdit = this.#random.chance(0.15);
    const response = this.#random.chance(0.3) && !isEdit ? { title, rank } : { id, title, rank };
    const guess = { schema: isEdit ? Todo : this.#join.join, response, ...this.#options };
    const answer = { id, title, rank: this.#random.chance(0.2) ? 5 : rank };
    this.#pending = [...this.#pending, { ...guess, answer, layer: addGuess(this.store, () => guess) }];
  }

  #settle(count: number): void {
    for (let at = 0; at < count && this.#pending.length > 0; at++) {
      const { layer, schema, answer } = this.#pending[this.#random.below(this.#pending.length)] as Creation;
      this.#pending = this.#pending.filter((other) => other.layer !== layer);
      if (this.#random.chance(0.3)) layer.drop();
      else {
        layer.confirm(schema, answer, this.#options);
        this.#confirmed.push((store) => store.write(schema, answer, this.#options));
      }
    }
  }

  #change(): (store: Store) => void {
    const { lists, join } = this.#join;
    const id = `${this.#random.below(this.#ids + 1)}`;
    const ids = Array.from({ length: this.#random.below(5) }, () => `${this.#random.below(this.#ids + 1)}`);
    const rank = this.#random.below(4);
    const records = ids.map((each) => ({ id: each, title: `title ${each}`, rank: this.#random.below(4) }));
    if (this.#random.chance(0.7)) records.sort((before, after) => before.rank - after.rank);
    return this.#random.pick<(store: Store) => void>([
      (store) => store.write(join, { id, title: `title ${id}`, rank }, this.#options),
      (store) => store.write(Todo, { id, title: `title ${id}`, rank }),
      (store) => store.write(new Invalidate(Todo), { id }),
      (store) => store.write(lists, records, this.#options),
      (store) => store.write(lists.remove, { id, title: `title ${id}` }, this.#options),
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

it('a guess that adds a record by a function of the application is made again when the list changes', () => {
  const store = new Store();
  const inOrder = (existing: readonly string[], incoming: readonly string[]): string[] =>
    [...existing, ...incoming].sort();
  const join = todos.addWith(inOrder);
  const ids = (): unknown => (store.get(todos, {}) as unknown as Todo[]).map(({ id }) => id);
  store.write(todos, [{ id: '1' }, { id: '3' }], one);
  const layer = addGuess(store, () => ({ schema: join, response: { id: '2' }, ...one }));
  addGuess(store, () => ({ schema: join, response: { id: '0' }, ...one }));
  expect(ids()).toEqual(['0', '1', '2', '3']);
  store.write(todos, [{ id: '3' }, { id: '4' }], one);
  expect(ids()).toEqual(['0', '2', '3', '4']);
  layer.drop();
  expect(ids()).toEqual(['0', '3', '4']);
});

describe('pending creates in a long list with an order', () => {
  let compared = 0;
  const sorted = new Collection([Todo], {
    orderBy: (first: Todo, second: Todo) => {
      compared++;
      return first.rank - second.rank;
    },
  });
  const inList = (store: Store): readonly number[] => (store.get(sorted, {}) ?? []).map(({ rank }) => rank);
  const create = (rank: number): object => ({ id: `new ${rank}`, rank });

  function long(ranks: readonly number[]): { readonly store: Store; readonly push: (rank: number) => Layer } {
    const store = new Store();
    store.write(
      sorted,
      ranks.map((rank) => ({ id: `${rank}`, rank })),
      one,
    );
    const push = (rank: number): Layer =>
      addGuess(store, () => ({ schema: sorted.push, response: create(rank), ...one }));
    return { store, push };
  }

  class Other extends Entity {
    id = '';
    static override key = 'OtherOfEdited';
  }

  it('compare a few members with the new one, and not all of them', () => {
    const { push, store } = long(Array.from({ length: 2000 }, (_, at) => at));
    compared = 0;
    const layer = push(1000.5);
    expect(inList(store)[1001]).toBe(1000.5);
    layer.confirm(sorted.push, create(1000.5), one);
    expect(inList(store)[1001]).toBe(1000.5);
    expect(compared).toBeLessThan(100);
  });

  it('are not compared again after a batch that was undone has changed other records', () => {
    const { push, store } = long(Array.from({ length: 100 }, (_, at) => at));
    [1.5, 7.5, 3.5].map(push);
    const shown = store.get(sorted, {});
    compared = 0;
    const undone = (): unknown =>
      store.batch(() => {
        store.write(new All(Other), [{ id: '1' }]);
        throw new RangeError('no');
      });
    expect(undone).toThrow('no');
    expect(store.get(sorted, {})).toBe(shown);
    push(5.5).drop();
    expect(inList(store).slice(0, 6)).toEqual([0, 1, 1.5, 2, 3, 3.5]);
    expect(compared).toBeLessThan(30);
  });

  it.each([
    ['is in order', Array.from({ length: 2000 }, (_, at) => at)],
    ['is not', [...Array.from({ length: 2000 }, (_, at) => at), 7.5]],
  ])('are in their places while many come and go, if the list %s', (_, ranks) => {
    const { push, store } = long(ranks);
    const ranksOf = (from: number, to: number): number[] =>
      Array.from({ length: to - from }, (__, at) => 100 * (from + at) + 0.5);
    const layers = ranksOf(0, 19).map(push);
    const placed = (list: readonly number[]): readonly number[] => list.filter((rank) => rank % 100 === 0.5);
    expect(placed(inList(store))).toEqual(ranksOf(0, 19));
    for (const [at, layer] of layers.entries()) {
      if (at % 2 === 0) layer.drop();
      else layer.confirm(sorted.push, create(100 * at + 0.5), one);
      const left = ranksOf(0, 19).filter((rank, nth) => nth > at || nth % 2 === 1);
      expect(placed(inList(store))).toEqual(left);
      expect(inList(store).filter((rank) => rank % 100 !== 0.5)).toEqual(ranks);
    }
  });
});

describe('pending removals of members', () => {
  const removal = (store: Store, id: string): Layer =>
    addGuess(store, () => ({ schema: todos.remove, response: { id }, ...one }));

  it('leave the list as readers see it when an answer removes one of them', () => {
    const store = new Store();
    store.write(todos, [{ id: '1' }, { id: '2' }, { id: '3' }], one);
    const layers = ['1', '2'].map((id) => removal(store, id));
    const shown = store.get(todos, {});
    expect(idsIn(store, todos)).toEqual(['3']);
    layers[1]?.confirm(todos.remove, { id: '2' }, one);
    expect(store.get(todos, {})).toBe(shown);
    layers[0]?.drop();
    expect(idsIn(store, todos)).toEqual(['1', '3']);
  });

  it('hide a member as long as one of them is pending', () => {
    const store = new Store();
    store.write(todos, [{ id: '1' }, { id: '2' }], one);
    const layers = ['1', '1', '2'].map((id) => removal(store, id));
    layers[0]?.drop();
    expect(idsIn(store, todos)).toEqual([]);
    store.write(todos, [{ id: '2' }, { id: '1' }, { id: '3' }], one);
    expect(idsIn(store, todos)).toEqual(['3']);
    layers[1]?.drop();
    expect(idsIn(store, todos)).toEqual(['1', '3']);
  });

  it('are repeated when another guess adds a member, and when their list is gone', () => {
    const store = new Store();
    store.write(todos, [{ id: '1' }, { id: '2' }], one);
    removal(store, '1');
    const create = addGuess(store, () => ({ schema: todos.push, response: { id: '3' }, ...one }));
    create.confirm(todos.push, { id: '3' }, one);
    expect(idsIn(store, todos)).toEqual(['2', '3']);
    store.invalidate(todos, '{}');
    store.write(todos, [{ id: '1' }, { id: '4' }], one);
    expect(idsIn(store, todos)).toEqual(['4']);
  });

  it('in random histories, leave the members that no pending one removes', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = new Random(seed);
      const lists = random.pick([todos, union]);
      const store = new Store();
      let base: readonly string[] = [];
      const write = (ids: readonly string[]): void => {
        const records = ids.map((id) => ({ id, title: id }));
        store.write(lists, records, one);
        base = ids;
      };
      write([]);
      let pending: { readonly layer: Layer; readonly id: string }[] = [];
      for (let turn = 0; turn < 60; turn++) {
        const id = random.pick(some);
        const kind = random.below(5);
        const settled = random.pick(pending);
        if (kind === 0) write(Array.from({ length: random.below(6) }, () => random.pick(some)));
        else if (kind < 3 || settled === undefined) {
          const guess = { schema: lists.remove, response: { id, title: id }, ...one };
          pending.push({ id, layer: addGuess(store, () => guess) });
        } else {
          pending = pending.filter((other) => other !== settled);
          if (kind === 3) settled.layer.drop();
          else {
            settled.layer.confirm(lists.remove, { id: settled.id, title: settled.id }, one);
            base = base.filter((other) => other !== settled.id);
          }
        }
        const hidden = new Set(pending.map((other) => other.id));
        const left = base.filter((other) => !hidden.has(other));
        expect([seed, turn, idsIn(store, lists)]).toEqual([seed, turn, left]);
      }
    }
  });
});

it('a guess that edits lists, and then reads them, sees the edits', () => {
  const store = new Store();
  store.write(ordered, [{ id: '1', rank: 2 }], one);
  store.write(map, {}, one);
  const seen: unknown[] = [];
  const looking = {
    normalize: (_input: unknown, _parent: unknown, _key: unknown, delegate: NormalizeDelegate) => {
      seen.push(Array.from(delegate.getEntities(ordered.key)), delegate.getEntity(map.key, '{}'));
    },
    denormalize: () => undefined,
    queryKey: () => undefined,
  };
  const schema = { list: ordered.push, entries: map.assign, looking };
  const response = { list: { id: '3', rank: 1 }, entries: { a: { id: '4' } }, looking: {} };
  const layer = addGuess(store, () => ({ schema, response, ...one }));
  expect(seen).toEqual([[['{}', ['3', '1']]], { a: '4' }]);
  // What it has read decides its guess, so it is made again.
  store.write(Todo, { id: '1', rank: 0 });
  expect(seen.slice(2)).toEqual([[['{}', ['1', '3']]], { a: '4' }]);
  layer.drop();
  expect(idsIn(store, ordered)).toEqual(['1']);
});

it('a guess that sets an entry of a map as the server has set it since notifies no observer when it is over', () => {
  const store = new Store();
  store.write(map, { first: { id: '1' } }, one);
  store.write(Todo, { id: '2', title: 'two' });
  const layer = addGuess(store, () => ({ schema: map.assign, response: { first: { id: '2' } }, ...one }));
  store.write(map.assign, { first: { id: '2' } }, one);
  const live = store.query(map, one.args as never);
  const shown = live.current();
  let calls = 0;
  live.subscribe(() => calls++);
  layer.drop();
  expect(live.current()).toBe(shown);
  expect(calls).toBe(0);
});

describe('a pending mutation that sets no entry of a map', () => {
  it('shows the map as it was after a batch that was undone', () => {
    const store = new Store();
    const first = { args: [{}] };
    store.write(map, { a: { id: '1' } }, first);
    addGuess(store, () => ({ schema: map.assign, response: {}, ...first }));
    const shown = store.get(map, {});

    const undone = (): unknown =>
      store.batch(() => {
        store.write(map, { b: { id: '2' } }, first);
        throw new RangeError('no');
      });

    expect(undone).toThrow('no');
    expect(store.get(map, {})).toBe(shown);
  });
});

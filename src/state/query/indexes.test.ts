import { expect, test, vi } from 'vitest';
import { arg } from '../../define/query/argument.ts';
import { count } from './aggregates.ts';
import { Entity } from '../../define/schema/entity.ts';
import type { EntityIndex } from '../../define/schema/indexes.ts';
import { addGuess } from '../store/layer.ts';
import { takeSnapshot } from '../store/store-snapshot.ts';
import { Store } from '../store/store.ts';
import { hasMany } from './has-many.ts';
import { from, type LiveQuery } from './live-query.ts';
import { on } from './on.ts';
import { descendants } from './tree.ts';

let built = 0;

class Counted extends Entity {
  id = '';
  constructor() {
    super();
    built++;
  }
}

class User extends Counted {
  name = '';
  team = '';
  email = '';
  static override key = 'User';
  static override indexes: readonly EntityIndex[] = [{ unique: 'email' }, { unique: ['name', 'team'] }];
  static todos = hasMany(() => Todo, 'userId');
}

class Todo extends Counted {
  userId = '';
  state = 'open';
  size = 0;
  rank: number | null = 0;
  date: Date | undefined = undefined;
  static override key = 'Todo';
  static override schema = { date: (text: string) => new Date(text) };
  static override indexes: readonly EntityIndex[] = [['state', 'size'], 'rank'];
  get half(): number {
    return this.size / 2;
  }
}

const SIZE = 100;
const rows = Array.from({ length: SIZE }, (_, at) => ({
  id: `t${at}`,
  userId: `u${at % 10}`,
  state: at % 4 === 0 ? 'done' : 'open',
  size: at % 5,
  rank: (at * 37) % SIZE,
}));

function storeOf(): Store {
  const store = new Store();
  store.write([Todo], rows);
  return store;
}

/** Returns the result of a query, and how many records were built for it. */
function read(store: Store, query: object, ...args: unknown[]): readonly [ids: unknown, built: number] {
  // One of each class is made for its defaults.
  for (const { defaults } of [User, Todo]) void defaults;
  built = 0;
  const known = store.query(query as never, args as never).current() as unknown;
  return [Array.isArray(known) ? known.map((todo: Todo) => todo.id).join() : known, built];
}

const idsOf = (passing: readonly { readonly id: string }[]): string => passing.map(({ id }) => id).join();
const byRank = (one: (typeof rows)[number], other: (typeof rows)[number]): number => one.rank - other.rank;

test('a query builds only the records that it shows if fields of the rows decide', () => {
  const store = storeOf();
  const top = from(Todo)
    .where({ state: 'open', size: { gte: 2 } })
    .orderBy('rank', 'desc')
    .limit(3);
  const due = rows
    .filter(({ state, size }) => state === 'open' && size >= 2)
    .sort(byRank)
    .reverse();
  expect(read(store, top)).toEqual([idsOf(due.slice(0, 3)), 3]);
  expect(read(store, from(Todo).where({ state: 'done' }).count())).toEqual([25, 0]);
  expect(read(store, from(Todo).where({ state: 'none' }).exists())).toEqual([false, 0]);
  expect(read(store, from(Todo).where({ state: 'done' }).orderBy('size').one())[1]).toBe(1);
  expect(read(store, User.todos.orderBy('rank').limit(2), 'u3')).toEqual([
    idsOf(
      rows
        .filter(({ userId }) => userId === 'u3')
        .sort(byRank)
        .slice(0, 2),
    ),
    2,
  ]);
});

test('a query builds no record whose row does not pass, also if functions check the rest', () => {
  const store = storeOf();
  const halves = from(Todo)
    .where({ state: 'done' })
    .where(({ half }) => half < 1);
  const due = rows.filter(({ state, size }) => state === 'done' && size < 2);
  expect(read(store, halves)).toEqual([idsOf(due), 25]);
  store.write(Todo, { id: 't1', state: 'done', size: 0 });
  expect(read(store, halves)).toEqual([['t0', 't1', ...due.slice(1).map(({ id }) => id)].join(), 1]);
});

test('a query checks a row again when the row changes, whether or not its record was built', () => {
  const store = storeOf();
  const last = from(Todo).where({ state: 'open' }).orderBy('rank', 'desc').limit(2);
  const view = store.query(last, []);
  let calls = 0;
  view.subscribe(() => calls++);
  const ids = (): string => idsOf(view.current() as never);
  const open = rows
    .filter(({ state }) => state === 'open')
    .sort(byRank)
    .reverse();
  expect(ids()).toBe(idsOf(open.slice(0, 2)));
  const before = view.current();
  store.write(Todo, { id: open[9]?.id, rank: 1 });
  expect(view.current()).toBe(before);
  expect(calls).toBe(0);
  store.write(Todo, { id: open[9]?.id, rank: 1000 });
  expect(ids()).toBe(idsOf([open[9] as never, open[0] as never]));
  const guess = addGuess(store, () => ({ schema: Todo, response: { id: open[9]?.id, state: 'done' } }));
  expect(ids()).toBe(idsOf(open.slice(0, 2)));
  guess.drop();
  store.batch(() => {
    store.write(Todo, { id: open[9]?.id, rank: 0 });
    store.write(Todo, { id: open[9]?.id, rank: 2000 });
    store.invalidate(Todo, String(open[0]?.id));
  });
  expect(ids()).toBe(idsOf([open[9] as never, open[1] as never]));
  store.reset();
  store.write(Todo, { id: 'new', rank: 3 });
  expect(ids()).toBe('new');
});

test('a query shows the new record when a nested record changes that is not in the row', () => {
  const store = new Store();
  class Owned extends Entity {
    id = '';
    rank = 0;
    user: User | undefined = undefined;
    static override key = 'Owned';
    static override schema = { user: User };
  }
  store.write([Owned], [{ id: '1', rank: 1, user: { id: 'u', name: 'Ann' } }]);
  const top = from(Owned)
    .where({ user: 'u' })
    .orderBy('rank')
    .limit(1)
    .with({ todos: from(User).where({ name: 'Bob' }) });
  const names = (): unknown => (store.get(top) as unknown as Owned[])[0]?.user?.name;
  expect(names()).toBe('Ann');
  store.write(User, { id: 'u', name: 'Bob' });
  expect(names()).toBe('Bob');
  expect((store.get(top) as unknown as { todos: User[] }[])[0]?.todos.length).toBe(1);
});

test('a query uses the default of the class for a field that a row lacks', () => {
  const store = storeOf();
  store.write(Todo, { id: 'bare' });
  expect(read(store, from(Todo).where({ size: 0, state: 'open', userId: '' }).limit(5))).toEqual(['bare', 1]);
});

test('a query builds all records if its condition uses a deserialized field', () => {
  const store = storeOf();
  store.write(Todo, { id: 't1', date: '2026-01-01' });
  const dated = from(Todo)
    .where({ date: new Date('2026-01-01') })
    .limit(1);
  expect(read(store, dated)).toEqual(['t1', 100]);
  expect(read(storeOf(), from(Todo).where({ half: 2 }).limit(1))).toEqual(['t4', 100]);
});

test('a query keeps the rows that it counts from garbage collection', () => {
  let now = 0;
  const store = new Store({ now: () => now });
  store.write([Todo], rows, { expiresAt: 1 });
  const open = from(Todo).where({ state: 'open' });
  const view = store.query(open.count(), []);
  const stop = view.subscribe(() => {});
  expect(view.current()).toBe(75);
  now = 1e9;
  Array.from(store.collect());
  expect(view.current()).toBe(75);
  stop();
  Array.from(store.collect());
  expect(store.get(open.count())).toBe(0);
});

test('a query finds rows by several fields at once, and by a range of an index', () => {
  const store = storeOf();
  const two = from(Todo).where({ state: 'done', size: arg('size') });
  expect(read(store, two, { size: 3 })).toEqual([
    idsOf(rows.filter(({ state, size }) => state === 'done' && size === 3)),
    5,
  ]);
  const between = from(Todo).where({ rank: { gt: 10, lte: 20 } });
  const due = rows.filter(({ rank }) => rank > 10 && rank <= 20);
  expect(read(storeOf(), between)).toEqual([idsOf(due), 10]);
  expect(read(store, between.orderBy('rank').limit(2))).toEqual([idsOf([...due].sort(byRank).slice(0, 2)), 2]);
  expect(
    read(
      store,
      from(Todo)
        .where({ rank: { gte: arg('least') } })
        .count(),
      { least: 90 },
    ),
  ).toEqual([10, 0]);
  expect(
    read(
      store,
      from(Todo)
        .where({ rank: { lt: 10 } })
        .count(),
    ),
  ).toEqual([10, 0]);
  store.write(
    [Todo],
    [
      { id: 't0', rank: 15 },
      { id: 't1', rank: null, state: 'done', size: 3 },
      { id: 'x', rank: 11 },
    ],
  );
  store.invalidate(Todo, String(due[0]?.id));
  expect(read(store, between)[0]).toBe(
    idsOf(['t0', ...due.slice(1).map(({ id }) => id), 'x'].map((id) => ({ id })) as never),
  );
  expect(read(store, two, { size: 3 })[0]).toContain('t1');
});

test.each<[string, object, (row: (typeof rows)[number]) => boolean]>([
  ['all values but one', { rank: { not: 15 } }, ({ rank }) => rank !== 15],
  ['ranges of two indexes', { state: { gte: 'e' }, rank: { lt: 20 } }, ({ state, rank }) => state > 'e' && rank < 20],
  [
    'ranges of two indexes in the other order',
    { rank: { gte: 20 }, state: { lt: 'e' } },
    ({ state, rank }) => state < 'e' && rank >= 20,
  ],
  ['a range without an end', { rank: { gte: 90 } }, ({ rank }) => rank >= 90],
  ['a range that begins twice', { rank: { gte: 10, gt: 80 } }, ({ rank }) => rank > 80],
  ['a range from nothing', { rank: { gte: null } }, () => false],
  ['a range from no number', { rank: { lte: Number.NaN } }, () => false],
  ['a range of another type', { rank: { gt: 'a' } }, () => false],
  ['a range of a date', { rank: { lt: new Date(30) } }, ({ rank }) => rank < 30],
])('an index does not change which records a query shows: %s', (_, condition, passes) => {
  const store = storeOf();
  store.write(Todo, { id: 'none', rank: null, state: 'x' });
  const shown = store.get(from(Todo).where(condition as { readonly rank: number }).where({ id: { not: 'none' } })); // prettier-ignore
  expect(idsOf(shown as readonly Todo[])).toBe(idsOf(rows.filter(passes)));
});

test('a record whose indexed value changes is found once in each range', () => {
  const store = storeOf();
  const [low, all] = [{ lt: 20 }, { gte: 0 }].map((rank) => from(Todo).where({ rank }).orderBy('rank'));
  expect(store.get(low as LiveQuery)).toHaveLength(20);
  store.write(Todo, { id: 't0', rank: 7 });
  expect(store.get(all as LiveQuery)).toHaveLength(SIZE);
  store.write(Todo, { id: 't0', rank: 90 });
  expect(store.get(low as LiveQuery)).toHaveLength(19);
});

test('a value without an order is an error for readers of its index, and does not disturb a write', () => {
  class Unordered {
    valueOf(): never {
      throw new TypeError('no order');
    }
  }
  class Parcel extends Entity {
    id = '';
    size: unknown = 0;
    static override key = 'Parcel';
    static override indexes = ['size'] as const;
  }
  const store = new Store();
  store.write([Parcel], [{ id: '1', size: 1 }, { id: '2', size: 2 }]); // prettier-ignore
  const queries = [
    from(Parcel).orderBy('size').limit(2),
    from(Parcel).where({ size: { gte: 1 } }),
    from(Parcel)
      .where({ size: { gte: 1 } })
      .limit(9),
  ];
  const views = queries.map((query) => store.query(query));
  for (const view of views) view.subscribe(() => {});
  const shown = (): unknown[] => views.map((view) => (view.current() as readonly Parcel[]).map(({ id }) => id));
  expect(shown()).toEqual(queries.map(() => ['1', '2']));
  store.write(Parcel, { id: '1', size: new Unordered() });
  store.write(Parcel, { id: '3', size: new Unordered() });
  for (const view of views)
    expect(() => view.current()).toThrow(expect.objectContaining({ code: 'query-failed', entity: 'Parcel' }));
  expect(store.stats().rows).toBe(3);
  store.write([Parcel], [{ id: '1', size: 3 }, { id: '3', size: 0 }]); // prettier-ignore
  const two = ['2', '1'];
  expect(shown().map((ids) => (ids as readonly string[]).toSorted())).toEqual([['2', '3'], two.toSorted(), two.toSorted()]); // prettier-ignore
});

test('an index does not order records by another collation', () => {
  const store = storeOf();
  const down = (one: string, other: string): number => (one < other ? 1 : -1);
  const first = from(Todo).orderBy('state', { collation: down }).limit(1);
  expect(store.get(first)?.[0]?.state).toBe('open');
  expect(store.get(from(Todo).orderBy('state').limit(1))?.[0]?.state).toBe('done');
});

test('an index of a deserialized field is not used for a range of its values', () => {
  class Event extends Entity {
    id = '';
    date: Date | undefined = undefined;
    static override key = 'Event';
    static override schema = { date: (text: string) => new Date(text) };
    static override indexes = ['date'];
  }
  const store = new Store();
  store.write([Event], ['2026-03-01', 'March 9, 2026', '2026-01-01'].map((date, at) => ({ id: `${at}`, date }))); // prettier-ignore
  const later = from(Event).where({ date: { gte: new Date('2026-02-01') } });
  expect(idsOf(store.get(later) as readonly Event[])).toBe('0,1');
});

test('a query reads a part of an ordered index, which all queries of that order share', () => {
  const store = storeOf();
  const ranked = [...rows].sort(byRank);
  const page = from(Todo).orderBy('rank', 'desc').offset(arg('from')).limit(2);
  const down = [...ranked].reverse();
  const view = store.query(page, [{ from: 0 }]);
  view.subscribe(() => {});
  const first = view.current();
  expect(idsOf(first as never)).toBe(idsOf(down.slice(0, 2)));
  expect(read(store, page, { from: 2 })).toEqual([idsOf(down.slice(2, 4)), 2]);
  store.write(Todo, { id: down[50]?.id, rank: 2 });
  expect(view.current()).toBe(first);
  store.write(Todo, { id: down[50]?.id, rank: 99 });
  // Records with equal sort keys are sorted by pk.
  const tied = [down[0], down[50]].map((row) => String(row?.id)).sort();
  expect(read(store, page, { from: 0 })[0]).toBe(tied.join());
  expect(
    read(
      store,
      from(Todo)
        .orderBy('rank')
        .after((first as readonly Todo[])[0])
        .limit(2),
      {},
    )[0],
  ).toBe(tied.filter((id) => id > String(down[0]?.id)).join());
  store.invalidate(Todo, String(down[1]?.id));
  store.write(Todo, { id: 'none', rank: null });
  expect(read(store, from(Todo).orderBy('rank', { nulls: 'first' }).limit(1))[0]).toBe('none');
});

test('a unique index finds a record', () => {
  const store = new Store();
  store.write(
    [User],
    [
      { id: '1', email: 'a@b', name: 'Ann', team: 'red' },
      { id: '2', email: 'c@d', name: 'Ann', team: 'blue' },
    ],
  );
  expect((store.get(User, { email: 'c@d' }) as User).id).toBe('2');
  expect((store.get(User, { name: 'Ann', team: 'red' }) as User).id).toBe('1');
  expect(store.get(User, { name: 'Ann' })).toBeUndefined();
  const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  store.write(User, { id: '1', email: 'c@d' });
  expect((store.get(User, { email: 'c@d' }) as User).id).toBe('2');
  expect(String(log.mock.lastCall)).toContain('Several User records have the same email');
  log.mockRestore();
  store.write(User, { id: '1', team: 'green' });
  expect(store.get(User, { name: 'Ann', team: 'red' })).toBeUndefined();
});

test('of several records with the value of a unique index, the one that arrived last is found, whenever the index is first read', () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const stores = [new Store(), new Store()];
  for (const [at, store] of stores.entries()) {
    if (at === 0) store.get(User, { email: 'a@b' });
    store.write([User], [{ id: '1', email: 'a@b' }, { id: '2' }, { id: '3', email: 'a@b' }]);
    store.write(User, { id: '2', email: 'a@b' });
    expect(store.get(User, { email: 'a@b' })).toBe(store.get(User, '3'));
    store.invalidate(User, '3');
    expect(store.get(User, { email: 'a@b' })).toBe(store.get(User, '2'));
  }
  log.mockRestore();
});

test('a record that cannot be built is an error only for readers that show it', () => {
  class Fragile extends Entity {
    id = '';
    rank = 0;
    text = '';
    static override key = 'Fragile';
    static override schema = { text: (text: string) => (text === 'bad' ? JSON.parse('{') : text) };
  }
  const store = new Store();
  store.write(
    [Fragile],
    [
      { id: '1', rank: 1, text: 'good' },
      { id: '2', rank: 2, text: 'bad' },
    ],
  );
  const at = from(Fragile).orderBy('rank').offset(arg('at')).limit(1);
  expect(read(store, at, { at: 0 })[0]).toBe('1');
  expect(read(store, from(Fragile).groupBy('rank', { all: count() }).count())[0]).toBe(2);
});

test.each([
  [
    from(Todo).where(({ size }, { least }: { least: number }) => size >= least),
    "where({ field: arg('least') }) in place of the function",
  ],
  [from(Todo).where({ size: { gte: arg('least') }, userId: { not: '' } }), "static indexes = ['size', 'userId']"],
  [from(Todo).where(({ size }) => size > 1), undefined],
])(
  'warns once of a large table that a query searches for each of its readers %#, with the index that would help',
  (query, cure) => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const store = new Store();
    store.write(
      [Todo],
      Array.from({ length: 5001 }, (_, at) => ({ id: String(at), size: at })),
    );
    const limited = [1, 2, 3, 4, 5, 6].map((most) => query.limit(most));
    for (const each of limited.slice(0, 3))
      store.query(each as never, (cure === undefined ? [] : [{ least: 1 }]) as never).current();
    expect(log).not.toHaveBeenCalled();
    for (const each of limited)
      store.query(each as never, (cure === undefined ? [] : [{ least: 1 }]) as never).current();
    expect(log.mock.calls.map(String).filter((text) => text.includes(cure ?? ''))).toHaveLength(
      cure === undefined ? 0 : 1,
    );
    log.mockRestore();
  },
);

test('warns once of a condition or an order by a field that neither the class nor a row has', () => {
  class Doc extends Entity {
    id = '';
    title = '';
    get size(): number {
      return this.title.length;
    }
    static override key = 'Doc';
    static override schema = { at: (text: string) => new Date(text) };
  }
  const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const store = new Store();
  const docs = from(Doc);
  const misspelled = [docs.where({ titel: 'a' } as never), docs.orderBy('seize' as never)];
  const right = [docs.where({ size: 1, at: null, pages: 3 } as never), docs.orderBy('title'), docs.where(() => true)];
  store.write(Doc, { id: '1' });
  store.invalidate(Doc, '1');
  for (const query of misspelled) store.get(query);
  expect(log).not.toHaveBeenCalled();
  store.write([Doc], [{ id: '1' }, { id: '2', pages: 3 }]);
  for (const query of [...right, ...misspelled, ...misspelled]) store.get(query.limit(2));
  expect(log.mock.calls.map(String)).toEqual([
    expect.stringContaining('A query of Doc names the field titel, which no Doc has. Correct its name'),
    expect.stringContaining('A query of Doc names the field seize, which no Doc has. Correct its name'),
  ]);
  log.mockRestore();
});

test('a join that is read in a snapshot, with the warnings of development, has the rows of the snapshot', () => {
  class Doc extends Entity {
    id = '';
    by = '';
    static override key = 'Doc';
  }
  class Author extends Entity {
    id = '';
    name = '';
    static override key = 'Author';
  }
  const store = new Store();
  store.write([Doc], [{ id: '1', by: '7' }]);
  store.write([Author], [{ id: '7', name: 'Ann' }]);
  const state = takeSnapshot(store);
  store.write(Author, { id: '7', name: 'Bea' });
  const names = from(Doc)
    .join('author', Author, on('by', 'id'))
    .select(({ author }) => author.name);

  expect(state.get(names)).toEqual(['Ann']);
  expect(store.get(names)).toEqual(['Bea']);
});

class Place extends Entity {
  id = '';
  parentId = '';
  ownerId = '';
  rank = 0;
  get reversed(): number {
    return -this.rank;
  }
  static override key = 'Place';
  static override indexes: readonly EntityIndex[] = ['rank'];
  static below = descendants(() => Place, 'parentId');
  static owned = hasMany(
    () => Place,
    (place: Place) => place.ownerId,
  );
}

test('the first records of a relation by an indexed field are its own, and not those of the table', () => {
  const store = new Store();
  store.write(
    [Place],
    ['a', 'b', 'c', 'd'].map((id, rank) => ({
      id,
      rank,
      parentId: rank > 1 ? 'b' : '',
      ownerId: rank > 2 ? 'b' : 'a',
    })),
  );
  expect(store.get(Place.below.orderBy('rank').one(), 'b')?.id).toBe('c');
  expect(store.get(Place.owned.orderBy('rank').one(), 'b')?.id).toBe('d');
});

test('the first records by a getter, or by a function that reads one, are those of the records', () => {
  const store = new Store();
  store.write(
    [Place],
    ['a', 'b', 'c'].map((id, rank) => ({ id, rank })),
  );
  const ids = (query: LiveQuery<Place>): unknown => store.get(query.limit(2))?.map(({ id }) => id);
  expect(ids(from(Place).orderBy('reversed'))).toEqual(['c', 'b']);
  expect(ids(from(Place).orderBy((place) => place.reversed))).toEqual(['c', 'b']);
});

test('a range that ends with a bigint, a date or no number is read beside an index of the field', () => {
  class Amount extends Entity {
    id = '';
    value: unknown = null;
    static override key = 'Amount';
    static override indexes = ['value'] as const;
  }
  const store = new Store();
  store.write([Amount], [{ id: 'a', value: 1 }, { id: 'b', value: 5n }, { id: 'c', value: 9 }, { id: 'd' }]); // prettier-ignore
  const ids = (end: unknown): unknown =>
    store
      .get(
        from(Amount)
          .where({ value: { lte: end } })
          .orderBy('id')
          .limit(9),
      )
      ?.map(({ id }) => id);
  expect([6n, new Date(6), 6, Number.NaN, null].map(ids)).toEqual([['a', 'b'], ['a', 'b'], ['a', 'b'], [], []]);
});

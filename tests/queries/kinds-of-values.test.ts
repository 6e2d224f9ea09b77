import { BigNumber } from 'bignumber.js';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  arg,
  avg,
  Collection,
  collect,
  count,
  distinct,
  Entity,
  from,
  hasMany,
  type LiveQuery,
  type Selected,
  max,
  min,
  on,
  Store,
  sum,
  Union,
} from 'rejoin';

/** Dates, missing values and trees in live queries: what other libraries test with each of their operators. */
class Room extends Entity {
  id = 0;
  name = '';
  floor = 0;
  static override key = 'Room';
  static visits = hasMany(() => Visit, 'roomId');
  static onFloor = hasMany(() => Visit, { floor: 'floor' });
}

class Visit extends Entity {
  id = 0;
  roomId: number | string | null = null;
  floor = 0;
  at: Date | null = null;
  points: unknown = null;
  static override key = 'Visit';
  static override schema = { at: (text: string) => new Date(text) };
  static remarks = hasMany(() => Remark, 'visitId');
}

class Remark extends Entity {
  id = 0;
  visitId = 0;
  text = '';
  static override key = 'Remark';
}

const visits = from(Visit);
const byId = visits.select(({ id }) => id);

function storeOf(...written: readonly object[]): Store {
  const store = new Store();
  store.write([Visit], written);
  return store;
}

describe('dates', () => {
  const store = storeOf(
    { id: 1, at: '2026-01-01' },
    { id: 2, at: '2026-01-01T00:00:00Z' },
    { id: 3, at: 'soon' },
    { id: 4, at: '2026-03-01' },
    { id: 5, at: null },
  );
  const first = new Date('2026-01-01');

  test.each<readonly [kind: string, query: LiveQuery<number, [], Selected<Visit>>, due: readonly number[]]>([
    ['equal by time', byId.where({ at: first }), [1, 2]],
    ['one of several', byId.where({ at: { in: [first, new Date('2026-03-01')] } }), [1, 2, 4]],
    ['later', byId.where({ at: { gt: first } }), [4]],
    ['earlier', byId.where({ at: { lt: new Date('2027-01-01') } }), [1, 2, 4]],
    ['sorted, with what is not a date at the end', byId.orderBy('at'), [1, 2, 4, 3, 5]],
    ['sorted backwards, with what is not a date at the end', byId.orderBy('at', 'desc'), [4, 1, 2, 3, 5]],
    ['sorted, with what is not a date first', byId.orderBy('at', { nulls: 'first' }), [3, 5, 1, 2, 4]],
  ])('%s', (_kind, query, due) => {
    expect(store.get(query)).toEqual(due);
  });

  test('are grouped and joined by time, and min() and max() ignore invalid dates', () => {
    const whole = visits.groupBy(() => 'all', { first: min(({ at }) => at), last: max(({ at }) => at) }).one();
    expect(store.get(whole)).toEqual({ key: 'all', first, last: new Date('2026-03-01') });
    expect(store.get(visits.groupBy('at', { visits: count() }).select((group) => group.visits))).toEqual([2, 1, 1, 1]);
    const together = visits.join('same', Visit, on('at', 'at')).where(({ id, same }) => id <= same.id);
    expect(store.get(together.select(({ id, same }) => [id, same.id]))).toEqual([[1, 1], [1, 2], [2, 2], [4, 4]]); // prettier-ignore
  });
});

describe('values that are missing, or alike', () => {
  const store = storeOf(
    { id: 1, points: 0, roomId: 1 },
    { id: 2, points: -0, roomId: '1' },
    { id: 3, points: 1, roomId: 9 },
    { id: 4, points: '1', roomId: null },
    { id: 5, points: null, roomId: null },
  );
  store.write(Room, { id: 1, name: 'Hall' });

  test.each<readonly [kind: string, query: LiveQuery<number, [], Selected<Visit>>, due: readonly number[]]>([
    ['a number does not equal a text', byId.where({ points: 1 }), [3]],
    ['null equals null', byId.where({ points: null }), [5]],
    ['null is another value than any number', byId.where({ points: { not: 1 } }), [1, 2, 4, 5]],
    ['null is neither greater nor less', byId.where({ roomId: { gte: 0 } }).where({ roomId: { lt: 5 } }), [1]],
    ['null can be one of several', byId.where({ points: { in: [null, 1] } }), [3, 5]],
    ['nothing is one of none', byId.where({ points: { in: [] } }), []],
    ['a limit of 0', byId.limit(0), []],
    ['an offset behind the end', byId.offset(5), []],
    ['an offset without a limit', byId.offset(3), [4, 5]],
  ])('%s', (_kind, query, due) => {
    expect(store.get(query)).toEqual(due);
  });

  test('null is a value that a reader can pass', () => {
    const query = byId.where({ points: arg('points') });
    expect(store.get(query, { points: null })).toEqual([5]);
  });

  test('0 and -0 are one group, and one distinct value', () => {
    const groups = visits.groupBy('points', { visits: count() });
    expect(store.get(groups)).toEqual([
      { points: 0, visits: 2 },
      { points: 1, visits: 1 },
      { points: '1', visits: 1 },
      { points: null, visits: 1 },
    ]);
    expect(store.get(distinct(visits.select(({ points }) => points)))).toEqual([0, 1, '1', null]);
  });

  test('a join treats 1 and the text 1 as one key, and finds nothing for null', () => {
    const seated = visits.leftJoin('room', Room, on('roomId', 'id'));
    expect(store.get(seated.select(({ id, room }) => [id, room?.name]))).toEqual([
      [1, 'Hall'],
      [2, 'Hall'],
      [3, undefined],
      [4, undefined],
      [5, undefined],
    ]);
    expect(store.get(seated.where(({ room }) => room === undefined).select(({ id }) => id))).toEqual([3, 4, 5]);
    const same = visits
      .join('same', Visit, on('roomId', 'roomId'))
      .select(({ id, same: { id: other } }) => [id, other]);
    expect(store.get(same)).toEqual([[1, 1], [1, 2], [2, 1], [2, 2], [3, 3]]); // prettier-ignore
  });

  test('a sum of no number is 0, other aggregates of no number are undefined, and no record makes no group', () => {
    const none = { total: sum(() => null), mean: avg(() => null), least: min(() => null) };
    expect(store.get(visits.groupBy(() => 'all', none).one())).toEqual({ key: 'all', total: 0 });
    expect(store.get(visits.where({ id: 9 }).groupBy(() => 'all', none))).toEqual([]);
    expect(store.get(visits.where({ id: 9 }).count())).toBe(0);
  });
});

/** Returns a function that reads a query, and counts the notifications since the last read. */
function watch<Value>(store: Store, query: LiveQuery<never> | object): () => readonly [Value, notifications: number] {
  let notifications = 0;
  const view = store.query(query as LiveQuery, []);
  view.subscribe(() => notifications++);
  view.current();
  return () => {
    const now = [view.current() as Value, notifications] as const;
    notifications = 0;
    return now;
  };
}

describe('changes in one batch', () => {
  test('notify each reader once, after the last change', () => {
    const store = storeOf({ id: 1, roomId: 1 }, { id: 2, roomId: 1 });
    store.write([Room], [{ id: 1, name: 'Hall' }, { id: 2, name: 'Attic' }]); // prettier-ignore
    const pairs = watch<string[]>(
      store,
      visits.join('room', Room, on('roomId', 'id')).select(({ id, room }) => `${id} ${room.name}`),
    );
    const groups = watch(store, visits.groupBy('roomId', { visits: count() }));
    store.batch(() => {
      store.write(Room, { id: 1, name: 'Lobby' });
      store.write(Visit, { id: 2, roomId: 2 });
      store.write(Visit, { id: 3, roomId: 2 });
    });
    expect(pairs()).toEqual([['1 Lobby', '2 Attic', '3 Attic'], 1]);
    expect(groups()).toEqual([
      [
        { roomId: 1, visits: 1 },
        { roomId: 2, visits: 2 },
      ],
      1,
    ]);
  });

  test('notify no reader when a record leaves a window and returns, or is deleted and stored again', () => {
    const store = storeOf({ id: 1, points: 5 }, { id: 2, points: 4 }, { id: 3, points: 1 });
    const best = watch<Visit[]>(store, visits.orderBy('points', 'desc').limit(2));
    const [before] = best();
    store.batch(() => {
      store.write(Visit, { id: 1, points: 0 });
      store.write(Visit, { id: 1, points: 5 });
    });
    const [after, notifications] = best();
    expect([after === before, notifications]).toEqual([true, 0]);
    store.batch(() => {
      store.invalidate(Visit, '1');
      store.write(Visit, { id: 1, points: 5 });
    });
    expect(best()[0].map(({ id }) => id)).toEqual([1, 2]);
  });
});

describe('a tree of relations', () => {
  const withVisits = from(Room).with({
    visits: Room.visits.orderBy('points', 'desc').limit(2).with({ remarks: Visit.remarks }),
  });

  function storeOfRooms(): Store {
    const store = storeOf(
      { id: 1, roomId: 1, points: 1 },
      { id: 2, roomId: 1, points: 5 },
      { id: 3, roomId: 1, points: 3 },
      { id: 4, roomId: 2, points: 9 },
    );
    store.write([Room], [{ id: 1, name: 'Hall', floor: 1 }, { id: 2, name: 'Attic', floor: 1 }, { id: 3, name: 'Bath' }]); // prettier-ignore
    store.write([Remark], [{ id: 1, visitId: 1, text: 'a' }, { id: 2, visitId: 4, text: 'b' }]); // prettier-ignore
    return store;
  }

  type Shown = readonly (Room & { readonly visits: readonly (Visit & { readonly remarks: readonly Remark[] })[] })[];
  const linesOf = (rooms: Shown): string[] =>
    rooms.map(({ id, visits: shown }) =>
      [id, ...shown.map((visit) => `${visit.id}:${visit.remarks.map(({ text }) => text).join('')}`)].join(' '),
    );

  test('cuts the list of each parent, and follows children that move and parents that come and go', () => {
    const store = storeOfRooms();
    const rooms = watch<Shown>(store, withVisits);
    const [before] = rooms();
    expect(linesOf(before)).toEqual(['1 2: 3:', '2 4:b', '3']);
    // Of a visit that is not among the two of its room.
    store.write(Remark, { id: 1, text: 'changed' });
    const [same, none] = rooms();
    expect([same === before, none]).toEqual([true, 0]);
    store.write(Visit, { id: 3, roomId: 3 });
    const [moved, notifications] = rooms();
    expect([linesOf(moved), notifications]).toEqual([['1 2: 1:changed', '2 4:b', '3 3:'], 1]);
    expect([moved[0] === before[0], moved[1] === before[1]]).toEqual([false, true]);
    store.batch(() => {
      store.write(Room, { id: 4, name: 'Cellar' });
      store.write(Visit, { id: 5, roomId: 4 });
      store.write(Remark, { id: 3, visitId: 5, text: 'c' });
      store.invalidate(Room, '1');
    });
    expect(rooms().map((part) => (typeof part === 'number' ? part : linesOf(part)))).toEqual([['2 4:b', '3 3:', '4 5:c'], 1]); // prettier-ignore
  });

  test('has numbers, groups and single records of each parent, and lists that parents have in common', () => {
    const store = storeOfRooms();
    store.write(Visit, { id: 1, floor: 1 });
    const summed = from(Room).with({
      visitCount: Room.visits.count(),
      isVisited: Room.visits.exists(),
      best: Room.visits.orderBy('points', 'desc').one(),
      sums: Room.visits.groupBy('floor', { points: sum(({ points }) => Number(points)) }),
      near: Room.onFloor,
    });
    const lines = summed.select(({ visitCount, isVisited, best, sums, near }) =>
      [visitCount, isVisited, best?.id, sums.map(({ floor, points }) => `${floor}=${points}`), near.length].join(' '),
    );
    expect(store.get(lines)).toEqual(['3 true 2 0=8,1=1 1', '1 true 4 0=9 1', '0 false   3']);
    const visited = from(summed)
      .where(({ visitCount }) => visitCount > 0)
      .orderBy('visitCount')
      .select(({ name }) => name);
    expect(store.get(visited)).toEqual(['Attic', 'Hall']);
    store.write(Visit, { id: 4, roomId: 3 });
    expect(store.get(visited)).toEqual(['Bath', 'Hall']);
  });
});

describe('values of Temporal', () => {
  class Booking extends Entity {
    id = '';
    day: Temporal.PlainDate | null = null;
    static override key = 'Booking';
    static override indexes = ['day'] as const;
    static override schema = { day: (text: string) => Temporal.PlainDate.from(text) };
  }
  const bookings = from(Booking);
  const ids = bookings.select(({ id }) => id);
  const day = Temporal.PlainDate.from('2026-01-02');
  const bookedOn = (): Store => {
    const store = new Store();
    store.write(
      [Booking],
      [
        { id: 'a', day: '2026-01-02' },
        { id: 'b', day: '2025-12-31' },
        { id: 'c', day: null },
        { id: 'd', day: '2026-01-02' },
      ],
    );
    return store;
  };

  test.each<readonly [string, (store: Store) => unknown, readonly string[]]>([
    ['equal', (store) => store.get(ids.where({ day })), ['a', 'd']],
    ['equal to an argument', (store) => store.get(ids.where({ day: arg('day') }), { day }), ['a', 'd']],
    ['one of several', (store) => store.get(ids.where({ day: { in: [day, null] } })), ['a', 'c', 'd']],
    ['not equal', (store) => store.get(ids.where({ day: { not: day } })), ['b', 'c']],
    ['not less', (store) => store.get(ids.where({ day: { gte: day } })), ['a', 'd']],
    ['in order', (store) => store.get(ids.orderBy('day', 'desc')), ['a', 'd', 'b', 'c']],
  ])('are found: %s', (_, read, found) => {
    expect(read(bookedOn())).toEqual(found);
  });

  test('are keys of groups, of distinct values and of joins', () => {
    const store = bookedOn();
    const perDay = bookings.groupBy('day', { bookings: count() }).select((group) => [`${group.day}`, group.bookings]);
    expect(store.get(perDay)).toEqual([
      ['2025-12-31', 1],
      ['2026-01-02', 2],
      ['null', 1],
    ]);
    const last = bookings.groupBy(() => 'all', { day: max((booking) => booking.day) }).one();
    expect(String(store.get(last)?.day)).toBe('2026-01-02');
    const days = distinct(bookings.select((booking) => booking.day));
    expect(store.get(days)?.map(String)).toEqual(['2025-12-31', '2026-01-02', 'null']);
    const pairs = bookings.join('same', Booking, on('day', 'day')).select(({ id, same }) => `${id}${same.id}`);
    expect(store.get(pairs)).toEqual(['aa', 'ad', 'bb', 'da', 'dd']);
    store.write(Booking, { id: 'd', day: '2025-12-31' });
    expect(store.get(pairs)).toEqual(['aa', 'bb', 'bd', 'db', 'dd']);
  });
});

describe('decimals', () => {
  class Offer extends Entity {
    id = '';
    price = new BigNumber(0);
    static override key = 'Offer';
    static override schema = { price: BigNumber };
  }
  const offers = from(Offer);
  const ids = offers.select(({ id }) => id);

  test('are compared as numbers, and not as texts', () => {
    const store = new Store();
    const prices = { a: '9.50', b: '10.10', c: '100', d: '9.5' };
    store.write(
      [Offer],
      Object.entries(prices).map(([id, price]) => ({ id, price })),
    );
    expect(store.get(ids.orderBy('price'))).toEqual(['a', 'd', 'b', 'c']);
    expect(store.get(ids.where({ price: { gt: new BigNumber(10) } }))).toEqual(['b', 'c']);
    expect(store.get(ids.where({ price: new BigNumber('9.5') }))).toEqual(['a', 'd']);
    const most = offers.groupBy(() => 'all', { price: max((offer) => offer.price) }).one();
    expect(String(store.get(most)?.price)).toBe('100');
    store.write(Offer, { id: 'b', price: 'soon' });
    expect(store.get(ids.orderBy('price'))).toEqual(['a', 'd', 'c', 'b']);
  });
});

class Owner extends Entity {
  id = '';
  static override key = 'Owner';
}

class Pet extends Entity {
  id = '';
  name: string | undefined = undefined;
  owner: Owner | null = null;
  static override key = 'Pet';
  static override schema = { owner: Owner };
}

describe('a reference is compared by its pk, whether or not its record is stored', () => {
  const pets = from(Pet);
  const of = (query: LiveQuery<Pet>): LiveQuery<string, [], Selected<Pet>> => query.select(({ id }) => id);
  const ids = of(pets);
  const owner = Owner.fromJS({ id: 'o1' });

  test.each<readonly [string, LiveQuery<string, [], Selected<Pet>>, readonly string[]]>([
    ['equal', ids.where({ owner: 'o2' }), ['b']],
    ['equal to a record', ids.where({ owner }), ['a']],
    ['null', ids.where({ owner: null }), ['c']],
    ['one of some', ids.where({ owner: { in: ['o2', null] } }), ['b', 'c']],
    ['not one', ids.where({ owner: { not: 'o2' } }), ['a', 'c']],
    ['not a record', ids.where({ owner: { not: owner } }), ['b', 'c']],
    ['not null', ids.where({ owner: { not: null } }), ['a', 'b']],
    ['two conditions', ids.where({ owner: { not: null, in: ['o2', null] } }), ['b']],
    ['greater, for stored records', ids.where({ owner: { gte: 'o1' } }), ['a']],
    ['equal, in the result of another query', of(from(pets.orderBy('id').limit(3)).where({ owner: 'o2' })), ['b']],
    ['not one, in the result of another query', of(from(pets).where({ owner: { not: owner } })), ['b', 'c']],
    ['greater, in the result of another query', of(from(pets).where({ owner: { gte: 'o1' } })), ['a']],
    ['a missing field that is not a reference, in another query', of(from(pets).where({ name: 'Rex' })), []],
    ['null, beside a relation', of(from(pets.with({ all: pets.count() })).where({ owner: null })), ['c']],
    ['several times: each condition counts', ids.where({ owner: { in: ['o1'] } }).where({ owner: 'o2' }), []],
    [
      'several times, with a limit',
      ids
        .where({ owner: 'o2' })
        .where({ owner: { in: ['o1', 'o2'] } })
        .limit(2),
      ['b'],
    ],
  ])('%s', (_, query, found) => {
    const store = new Store();
    store.write(
      [Pet],
      [
        { id: 'a', owner: { id: 'o1' } },
        { id: 'b', owner: 'o2' },
        { id: 'c', owner: null },
      ],
    );
    const view = store.query(query);
    view.subscribe(() => {});
    expect(view.current()).toEqual(found);
    store.write(Pet, { id: 'd', owner: 'o2' });
    store.invalidate(Pet, 'd');
    expect(view.current()).toEqual(found);
  });
});

test('a reference of a member of a collection is compared by its pk, also while it changes from one missing record to another', () => {
  const pets = new Collection([Pet]);
  const store = new Store();
  store.write(pets, [{ id: 'a', owner: 'o1' }, { id: 'b', owner: 'o2' }, { id: 'c', owner: 'o2' }], { args: [{}] }); // prettier-ignore
  const view = store.query(from(pets).where({ owner: 'o2' }).orderBy('id', 'desc'), [{}]);
  view.subscribe(() => {});
  const shown = (): unknown => (view.current() as readonly Pet[]).map(({ id }) => id);
  expect(shown()).toEqual(['c', 'b']);
  store.write(Pet, { id: 'b', owner: 'o1' });
  expect(shown()).toEqual(['c']);
  store.write(Pet, { id: 'a', owner: 'o2' });
  expect(shown()).toEqual(['c', 'a']);
  store.write(Owner, { id: 'o2' });
  expect(shown()).toEqual(['c', 'a']);
  store.invalidate(Owner, 'o2');
  store.write(Pet, { id: 'c', owner: null });
  expect(shown()).toEqual(['a']);
});

test('records of two classes with the same pk are two groups, two distinct values, and not joined', () => {
  class Photo extends Entity {
    id = '';
    type = 'photo';
    static override key = 'Photo';
  }
  class Film extends Entity {
    id = '';
    type = 'film';
    static override key = 'Film';
  }
  class Note extends Entity {
    id = '';
    about: Photo | Film | undefined = undefined;
    static override key = 'Note';
    static override schema = { about: new Union({ photo: Photo, film: Film }, 'type') };
  }
  const store = new Store();
  const notes = ['photo', 'film', 'photo'].map((type, at) => ({ id: `${at}`, about: { type, id: '1' } }));
  store.write([Note], notes);

  const groups = from(Note).groupBy('about', { notes: collect(({ id }) => id) });
  expect(store.get(groups.select(({ about, notes: ids }) => [about?.constructor.name, ids]))).toEqual([
    ['Film', ['1']],
    ['Photo', ['0', '2']],
  ]);
  const about = distinct(from(Note).select((note) => note.about));
  expect(store.get(about)).toEqual([store.get(Film, { id: '1' }), store.get(Photo, { id: '1' })]);
  const photo = on('about', (one: Photo) => one);
  const pairs = from(Note).join('photo', Photo, photo);
  expect(store.get(pairs.select(({ id }) => id))).toEqual(['0', '2']);
  const all = from(Note).leftJoin('photo', Photo, photo);
  const view = store.query(all.select((note) => [note.id, note.photo?.id]));
  view.subscribe(() => {});
  expect(view.current()).toEqual([['0', '1'], ['1', undefined], ['2', '1']]); // prettier-ignore
  store.write(Note, { id: '1', about: { type: 'photo', id: '1' } });
  store.write(Note, { id: '2', about: { type: 'film', id: '1' } });
  expect(view.current()).toEqual([['0', '1'], ['1', '1'], ['2', undefined]]); // prettier-ignore
});

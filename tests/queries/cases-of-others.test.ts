import { describe, expect, test } from 'vitest';
import { on, distinct, arg, avg, collect, count, Entity, from, type LiveQuery, max, min, Store, sum } from 'rejoin';

/** The examples of live queries in the documentation of other libraries, with changes of their records. */
class Department extends Entity {
  id = 0;
  name = '';
  budget = 0;
  static override key = 'Department';
}

class Person extends Entity {
  id = 0;
  name = '';
  age = 0;
  isActive = true;
  departmentId: number | null = null;
  static override key = 'Person';
}

class Order extends Entity {
  id = 0;
  buyerId = 0;
  status = 'open';
  amount = 0;
  static override key = 'Order';
}

const DEPARTMENTS = [
  { id: 1, name: 'Research', budget: 90 },
  { id: 2, name: 'Sales', budget: 50 },
  { id: 3, name: 'Legal', budget: 20 },
];

const PEOPLE = [
  { id: 1, name: 'Ann', age: 31, departmentId: 1 },
  { id: 2, name: 'Bob', age: 45, departmentId: 1 },
  { id: 3, name: 'Cid', age: 28, isActive: false, departmentId: 2 },
  { id: 4, name: 'Dee', age: 45, departmentId: 2 },
  { id: 5, name: 'Eve', age: 31, departmentId: null },
];

const ORDERS = [
  { id: 1, buyerId: 1, status: 'paid', amount: 100 },
  { id: 2, buyerId: 1, status: 'open', amount: 40 },
  { id: 3, buyerId: 2, status: 'paid', amount: 75 },
  { id: 4, buyerId: 4, status: 'paid', amount: 20 },
  { id: 5, buyerId: 4, status: 'void', amount: 300 },
];

function company(): Store {
  const store = new Store();
  store.write([Department], DEPARTMENTS);
  store.write([Person], PEOPLE);
  store.write([Order], ORDERS);
  return store;
}

/** Returns the result of a query now, and after each of the changes. */
function shown(store: Store, query: unknown, changes: readonly (() => unknown)[], args: object = {}): unknown[] {
  const view = store.query(query as LiveQuery, [args] as never);
  view.subscribe(() => {});
  return [
    view.current(),
    ...changes.map((change) => {
      change();
      return view.current();
    }),
  ];
}

const people = from(Person);
const namesOf = people.select(({ name }) => name);

describe('filters', () => {
  test('conditions can be combined, be alternatives, and match a part of a text', () => {
    const store = company();
    const adults = namesOf.where({ isActive: true }).where(({ age, name }) => age > 40 || name.startsWith('A'));
    expect(
      shown(store, adults, [
        () => store.write(Person, { id: 3, isActive: true, age: 50 }),
        () => store.write(Person, { id: 1, name: 'Zoe' }),
        () => store.invalidate(Person, '2'),
      ]),
    ).toEqual([
      ['Ann', 'Bob', 'Dee'],
      ['Ann', 'Bob', 'Cid', 'Dee'],
      ['Bob', 'Cid', 'Dee'],
      ['Cid', 'Dee'],
    ]);
  });

  test('a field equals one of several values that each reader passes', () => {
    const store = company();
    const among = namesOf.where({ departmentId: { in: arg('departments') } });
    const changes = [() => store.write(Person, { id: 5, departmentId: 2 })];
    expect(shown(store, among, changes, { departments: [2, 3] })).toEqual([
      ['Cid', 'Dee'],
      ['Cid', 'Dee', 'Eve'],
    ]);
  });
});

describe('joins', () => {
  test('an inner join leaves out people without a department, until they have one', () => {
    const store = company();
    const inDepartment = people
      .join('department', Department, on('departmentId', 'id'))
      .select(({ name, department }) => `${name} in ${department.name}`);
    expect(
      shown(store, inDepartment, [
        () => store.write(Person, { id: 5, departmentId: 9 }),
        () => store.write(Department, { id: 9, name: 'Press' }),
        () => store.invalidate(Department, '1'),
        () => store.write(Department, { id: 2, name: 'Trade' }),
      ]),
    ).toEqual([
      ['Ann in Research', 'Bob in Research', 'Cid in Sales', 'Dee in Sales'],
      ['Ann in Research', 'Bob in Research', 'Cid in Sales', 'Dee in Sales'],
      ['Ann in Research', 'Bob in Research', 'Cid in Sales', 'Dee in Sales', 'Eve in Press'],
      ['Cid in Sales', 'Dee in Sales', 'Eve in Press'],
      ['Cid in Trade', 'Dee in Trade', 'Eve in Press'],
    ]);
  });

  test('a left join keeps departments without people, with conditions on both sides', () => {
    const store = company();
    const seats = from(Department)
      .leftJoin('person', people.where({ isActive: true }), on('id', 'departmentId'))
      .select(({ name, person }) => [name, person?.name ?? '-']);
    expect(
      shown(store, seats, [
        () => store.write(Person, { id: 4, isActive: false }),
        () => store.write(Person, { id: 1, departmentId: 3 }),
      ]),
    ).toEqual([
      [['Research', 'Ann'], ['Research', 'Bob'], ['Sales', 'Dee'], ['Legal', '-']], // prettier-ignore
      [['Research', 'Ann'], ['Research', 'Bob'], ['Sales', '-'], ['Legal', '-']], // prettier-ignore
      [['Research', 'Bob'], ['Sales', '-'], ['Legal', 'Ann']], // prettier-ignore
    ]);
  });

  test('joins of three kinds of records are sorted and limited', () => {
    const store = company();
    const largest = from(Order)
      .where({ status: 'paid' })
      .join('buyer', Person, on('buyerId', 'id'))
      .join(
        'department',
        Department,
        on(({ buyer }) => buyer.departmentId, 'id'),
      )
      .orderBy('amount', 'desc')
      .limit(2)
      .select(({ amount, buyer, department }) => `${department.name}, ${buyer.name}: ${amount}`);
    expect(
      shown(store, largest, [
        () => store.write(Order, { id: 5, status: 'paid' }),
        () => store.write(Person, { id: 4, departmentId: null }),
        () => store.write(Order, { id: 6, buyerId: 2, status: 'paid', amount: 80 }),
      ]),
    ).toEqual([
      ['Research, Ann: 100', 'Research, Bob: 75'],
      ['Sales, Dee: 300', 'Research, Ann: 100'],
      ['Research, Ann: 100', 'Research, Bob: 75'],
      ['Research, Ann: 100', 'Research, Bob: 80'],
    ]);
  });
});

describe('groups', () => {
  const perDepartment = people.groupBy('departmentId', {
    people: count(),
    oldest: max(({ age }) => age),
    youngest: min(({ age }) => age),
    mean: avg(({ age }) => age),
    names: collect(({ name }) => name),
  });

  test('aggregates follow people who move, join and leave', () => {
    const store = company();
    const [before, moved, left] = shown(store, perDepartment, [
      () => store.write(Person, { id: 2, departmentId: 2 }),
      () => store.invalidate(Person, '5'),
    ]);
    expect(before).toEqual([
      { departmentId: 1, people: 2, oldest: 45, youngest: 31, mean: 38, names: ['Ann', 'Bob'] },
      { departmentId: 2, people: 2, oldest: 45, youngest: 28, mean: 36.5, names: ['Cid', 'Dee'] },
      { departmentId: null, people: 1, oldest: 31, youngest: 31, mean: 31, names: ['Eve'] },
    ]);
    expect(moved).toEqual([
      { departmentId: 1, people: 1, oldest: 31, youngest: 31, mean: 31, names: ['Ann'] },
      { departmentId: 2, people: 3, oldest: 45, youngest: 28, mean: 118 / 3, names: ['Bob', 'Cid', 'Dee'] },
      { departmentId: null, people: 1, oldest: 31, youngest: 31, mean: 31, names: ['Eve'] },
    ]);
    expect(left).toEqual((moved as unknown[]).slice(0, 2));
  });

  test('groups by several keys are filtered by their sums, beside a total of all', () => {
    const store = company();
    const spending = from(Order)
      .groupBy(({ buyerId, status }) => [buyerId, status], { total: sum(({ amount }) => amount) })
      .where({ total: { gte: 75 } })
      .select(({ key, total }) => [...key, total]);
    const total = from(Order)
      .groupBy(() => 'all', { total: sum(({ amount }) => amount) })
      .one();
    const changes = [() => store.write(Order, { id: 2, amount: 90 }), () => store.write(Order, { id: 1, amount: 10 })];
    expect(shown(store, spending, changes)).toEqual([
      [[1, 'paid', 100], [2, 'paid', 75], [4, 'void', 300]], // prettier-ignore
      [[1, 'open', 90], [1, 'paid', 100], [2, 'paid', 75], [4, 'void', 300]], // prettier-ignore
      [[1, 'open', 90], [2, 'paid', 75], [4, 'void', 300]], // prettier-ignore
    ]);
    expect(store.get(total)).toEqual({ key: 'all', total: 495 });
  });

  test('groups of a join are sorted by their counts', () => {
    const store = company();
    const revenue = from(Order)
      .where({ status: 'paid' })
      .join('buyer', Person, on('buyerId', 'id'))
      .groupBy(({ buyer }) => buyer.departmentId, { revenue: sum(({ amount }) => amount) })
      .orderBy('revenue', 'desc')
      .select(({ key, revenue: paid }) => [key, paid]);
    expect(
      shown(store, revenue, [
        () => store.write(Person, { id: 1, departmentId: 2 }),
        () => store.write(Order, { id: 3, status: 'void' }),
      ]),
    ).toEqual([
      [[1, 175], [2, 20]], // prettier-ignore
      [[2, 120], [1, 75]], // prettier-ignore
      [[2, 120]], // prettier-ignore
    ]);
  });
});

describe('queries of queries', () => {
  test('a query of the largest orders has their mean and their buyers', () => {
    const store = company();
    const largest = from(Order).orderBy('amount', 'desc').limit(3);
    const mean = largest.groupBy(() => 0, { mean: avg(({ amount }) => amount) }).one();
    const buyers = distinct(
      from(largest)
        .join('buyer', Person, on('buyerId', 'id'))
        .select(({ buyer }) => buyer.name),
    );
    expect(store.get(mean)?.mean).toBe((300 + 100 + 75) / 3);
    expect(
      shown(store, buyers, [
        () => store.write(Order, { id: 4, amount: 500 }),
        () => store.write(Order, { id: 2, amount: 600 }),
        () => store.invalidate(Order, '5'),
      ]),
    ).toEqual([
      ['Ann', 'Bob', 'Dee'],
      ['Ann', 'Dee'],
      ['Ann', 'Dee'],
      ['Ann', 'Dee'],
    ]);
    expect(store.get(mean)?.mean).toBe((500 + 600 + 100) / 3);
  });

  test('groups of groups count how many people have how many orders', () => {
    const store = company();
    const histogram = from(Order).groupBy('buyerId', { orders: count() }).groupBy('orders', { buyers: count() });
    expect(
      shown(store, histogram, [
        () => store.write(Order, { id: 6, buyerId: 2 }),
        () => store.write(Order, { id: 7, buyerId: 2 }),
      ]),
    ).toEqual([
      [{ orders: 1, buyers: 1 }, { orders: 2, buyers: 2 }], // prettier-ignore
      [{ orders: 2, buyers: 3 }],
      [{ orders: 2, buyers: 2 }, { orders: 3, buyers: 1 }], // prettier-ignore
    ]);
  });
});

describe('order and windows', () => {
  const byAge = namesOf.orderBy('age', 'desc');

  test('equal records are sorted by the next order, and finally by pk', () => {
    const store = company();
    expect(shown(store, byAge.orderBy('name', 'desc'), [() => store.write(Person, { id: 1, age: 45 })])).toEqual([
      ['Dee', 'Bob', 'Eve', 'Ann', 'Cid'],
      ['Dee', 'Bob', 'Ann', 'Eve', 'Cid'],
    ]);
    expect(store.get(byAge)).toEqual(['Ann', 'Bob', 'Dee', 'Eve', 'Cid']);
  });

  test('a page in the middle changes with records before it, in it and after it', () => {
    const store = company();
    const page = byAge.offset(1).limit(2);
    expect(
      shown(store, page, [
        () => store.write(Person, { id: 6, name: 'Fay', age: 60 }),
        () => store.write(Person, { id: 2, age: 1 }),
        () => store.invalidate(Person, '6'),
        () => store.write(Person, { id: 3, age: 2 }),
        () => store.write(Person, { id: 5, age: 31.5 }),
      ]),
    ).toEqual([
      ['Dee', 'Ann'],
      ['Bob', 'Dee'],
      ['Dee', 'Ann'],
      ['Ann', 'Eve'],
      ['Ann', 'Eve'],
      ['Eve', 'Ann'],
    ]);
  });

  test('a page whose records are removed is filled with the next records, until there are none', () => {
    const store = company();
    const remove = (id: string) => () => store.invalidate(Person, id);
    expect(shown(store, byAge.limit(2), ['2', '4', '1', '5', '3'].map(remove))).toEqual([
      ['Bob', 'Dee'],
      ['Dee', 'Ann'],
      ['Ann', 'Eve'],
      ['Eve', 'Cid'],
      ['Cid'],
      [],
    ]);
  });

  test('pages that each begin after the last record of the page before have each record once', () => {
    const store = company();
    const page = people.orderBy('age').after(arg('last')).limit(2);
    const seen: string[] = [];
    let last: Person | undefined;
    for (;;) {
      const persons: readonly Person[] = store.get(page, { last }) ?? [];
      if (persons.length === 0) break;
      seen.push(...persons.map(({ name }) => name));
      last = persons.at(-1);
      // Meanwhile other records are added before it.
      store.write(Person, { id: 10 + seen.length, name: 'New', age: 1 });
    }
    expect(seen).toEqual(['Cid', 'Ann', 'Eve', 'Bob', 'Dee']);
  });
});

import { describe, expect, test } from 'vitest';
import { avg, belongsTo, count, distinct, Entity, from, hasMany, max, min, on, Store, sum } from 'rejoin';
import { NAMES, shownBy } from './tanstack.mjs';

/** The kinds of live queries that the guide of TanStack DB lists, in both libraries over the same rows and changes. */
class Department extends Entity {
  id = 0;
  name = '';
  budget = 0;
  static override key = 'Department';
  static people = hasMany(() => Person, 'departmentId');
}

class Person extends Entity {
  id = 0;
  name = '';
  age = 0;
  isActive = true;
  departmentId: number | null = null;
  bossId: number | null = null;
  static override key = 'Person';
  static orders = hasMany(() => Order, 'buyerId');
  static department = belongsTo(() => Department, 'departmentId');
}

class Order extends Entity {
  id = 0;
  buyerId = 0;
  status = 'open';
  amount = 0;
  static override key = 'Order';
}

const CLASSES = { departments: Department, people: Person, orders: Order };
const ROWS = {
  departments: [
    { id: 1, name: 'Research', budget: 90 },
    { id: 2, name: 'Sales', budget: 50 },
    { id: 3, name: 'Legal', budget: 20 },
  ],
  people: [
    { id: 1, name: 'Ann', age: 31, isActive: true, departmentId: 1, bossId: null },
    { id: 2, name: 'Bob', age: 45, isActive: true, departmentId: 1, bossId: 1 },
    { id: 3, name: 'Cid', age: 28, isActive: false, departmentId: 2, bossId: 1 },
    { id: 4, name: 'Dee', age: 45, isActive: true, departmentId: 2, bossId: 3 },
    { id: 5, name: 'Eve', age: 30, isActive: true, departmentId: null, bossId: 9 },
  ],
  orders: [
    { id: 1, buyerId: 1, status: 'paid', amount: 100 },
    { id: 2, buyerId: 1, status: 'open', amount: 40 },
    { id: 3, buyerId: 2, status: 'paid', amount: 75 },
    { id: 4, buyerId: 4, status: 'paid', amount: 20 },
    { id: 5, buyerId: 4, status: 'void', amount: 300 },
  ],
};

/** Changes: rows are added, changed, moved into results and out of them, and removed. A row without fields is removed. */
const CHANGES: readonly (readonly [kind: keyof typeof ROWS, id: number, fields?: object])[] = [
  ['people', 6, { name: 'Fay', age: 19, isActive: true, departmentId: 3, bossId: 2 }],
  ['people', 3, { isActive: true, age: 50 }],
  ['people', 2, { departmentId: 2, name: 'bob' }],
  ['orders', 6, { buyerId: 5, status: 'paid', amount: 500 }],
  ['orders', 1, { amount: 10 }],
  ['orders', 5, { status: 'paid' }],
  ['departments', 1, { name: 'Science', budget: 10 }],
  ['people', 5, { departmentId: 1, bossId: null }],
  ['orders', 3],
  ['departments', 2],
  ['people', 4],
  ['departments', 2, { name: 'Trade', budget: 70 }],
  ['people', 1],
];

const people = from(Person);
const orders = from(Order);
const named = people.select(({ id, name }) => ({ id, name }));
const inDepartment = on('departmentId', 'id');
const paid = orders.where({ status: 'paid' });

const OURS: Readonly<Record<string, object>> = {
  'all rows': named,
  'a value': named.where({ age: 45 }),
  'a boolean': named.where({ isActive: true }),
  'several conditions': named.where({ isActive: true }).where({ age: { gt: 30 } }),
  alternatives: named.where(({ age, name }) => age < 30 || (age >= 45 && name !== 'Bob')),
  'a range': named.where({ age: { gte: 30, lte: 45 } }),
  'one of some': named.where({ departmentId: { in: [2, 3] } }),
  'no value': named.where({ departmentId: null }),
  'a part of a text': named.where(({ name }) => name.startsWith('B')),
  'a part of a text in any case': named.where(({ name }) => name.toLowerCase().startsWith('b')),
  'computed values': people.select(({ id, name, age, departmentId }) => ({
    id,
    text: `${name.toUpperCase()}!`,
    letters: name.length,
    next: age + 1,
    department: departmentId ?? 0,
  })),
  'a value by conditions': people.select(({ id, age }) => ({ id, is: age > 40 ? 'old' : 'young' })),
  'a function as filter': named.where(({ name, age }) => name.length + age > 40),
  'a function as selection': people.select(({ id, name, age }) => ({ id, text: `${name} ${age}` })),
  'inner join': people
    .join('department', Department, inDepartment)
    .select(({ name, department }) => ({ person: name, department: department.name })),
  'left join': people
    .leftJoin('department', Department, inDepartment)
    .select(({ name, department }) => ({ person: name, department: department?.name })),
  'right join': from(Department)
    .leftJoin('person', Person, on('id', 'departmentId'))
    .select(({ name, person }) => ({ person: person?.name, department: name })),
  'self join': people
    .join('boss', Person, on('bossId', 'id'))
    .select(({ name, boss }) => ({ person: name, boss: boss.name })),
  'two joins': orders
    .join('person', Person, on('buyerId', 'id'))
    .join(
      'department',
      Department,
      on(({ person }) => person.departmentId, 'id'),
    )
    .select(({ id, person, department }) => ({ id, person: person.name, department: department.name })),
  'join by several fields': orders
    .join(
      'twin',
      Order,
      on(
        ({ buyerId, status }) => [buyerId, status],
        ({ buyerId, status }) => [buyerId, status],
      ),
    )
    .select(({ id, twin }) => ({ id, twin: twin.id })),
  'conditions on both sides of a join': people
    .where({ isActive: true })
    .join('department', from(Department).where({ budget: { gte: 50 } }), inDepartment)
    .select(({ name, department }) => ({ person: name, department: department.name })),
  'groups with every aggregate': people
    .groupBy('departmentId', {
      people: count(),
      years: sum(({ age }) => age),
      mean: avg(({ age }) => age),
      youngest: min(({ age }) => age),
      oldest: max(({ age }) => age),
    })
    .select(({ departmentId, ...group }) => ({ key: departmentId, ...group })),
  'groups of several keys': orders
    .groupBy(({ buyerId, status }) => [buyerId, status], { total: sum(({ amount }) => amount) })
    .select(({ key: [buyer, status], total }) => ({ buyer, status, total })),
  having: people
    .groupBy('departmentId', { people: count() })
    .where({ people: { gt: 1 } })
    .select(({ departmentId, people: size }) => ({ key: departmentId, people: size })),
  'groups in order': orders
    .groupBy('status', { total: sum(({ amount }) => amount) })
    .orderBy('total', 'desc')
    .limit(2),
  'groups of a join': orders
    .join('person', Person, on('buyerId', 'id'))
    .groupBy(({ person }) => person.departmentId, { total: sum(({ amount }) => amount) }),
  'one group of all': orders
    .groupBy(() => 'all', { total: sum(({ amount }) => amount), orders: count() })
    .select(({ total, orders: size }) => ({ total, orders: size })),
  // This library sorts texts by code unit, and the other one by locale.
  order: named.orderBy('age', 'desc').orderBy('name', { collation: (one, other) => one.localeCompare(other) }),
  'order with nulls first': named.orderBy('departmentId', { nulls: 'first' }),
  'order with nulls last': named.orderBy('departmentId', 'desc'),
  'limit and offset': named.orderBy('age').offset(1).limit(3),
  'order by a joined field': people
    .join('department', Department, inDepartment)
    .orderBy(({ department }) => department.budget, 'desc')
    .limit(3)
    .select(({ name, department }) => ({ person: name, department: department.name })),
  distinct: distinct(orders.select(({ status }) => ({ status }))),
  'one row': named.where({ id: 2 }).limit(1),
  'a query of a query': from(people.where({ age: { gt: 29 } }))
    .where({ isActive: true })
    .select(({ id, name }) => ({ id, name })),
  'a query of the first rows': from(orders.orderBy('amount', 'desc').limit(3))
    .where({ status: 'paid' })
    .select(({ id }) => ({ id })),
  'a join with a query': people
    .join('paid', paid, on('id', 'buyerId'))
    .select((person) => ({ person: person.name, amount: person.paid.amount })),
  'groups of groups': orders.groupBy('buyerId', { orders: count() }).groupBy('orders', { buyers: count() }),
  'related rows inside': from(Department)
    .with({ people: Department.people.select(({ name }) => ({ name })) })
    .select(({ id, people: own }) => ({ id, people: own })),
  'a related row inside': people
    .with({ department: Person.department })
    .select(({ id, department }) => ({ id, department: department && { name: department.name } })),
  'related rows inside, first in order': from(Department)
    .with({
      people: Department.people
        .orderBy('age', 'desc')
        .limit(1)
        .select(({ name }) => ({ name })),
    })
    .select(({ id, people: own }) => ({ id, people: own })),
  'related rows in related rows': from(Department)
    .with({
      people: Department.people
        .with({ orders: Person.orders.select(({ amount }) => ({ amount })) })
        .select(({ name, orders: own }) => ({ name, orders: own })),
    })
    .select(({ id, people: own }) => ({ id, people: own })),
};

/** The queries in which the order counts. */
const ORDERED = /^order|^limit|in order$/;

function shownByRejoin(query: unknown): readonly unknown[] {
  const store = new Store();
  for (const kind of ['departments', 'people', 'orders'] as const) store.write([CLASSES[kind]], ROWS[kind]);
  const view = store.query(query as ReturnType<typeof from<typeof Person>>);
  view.subscribe(() => {});
  const shown: unknown[] = [view.current()];
  for (const [kind, id, fields] of CHANGES) {
    if (fields === undefined) store.invalidate(CLASSES[kind], String(id));
    else store.write(CLASSES[kind], { id, ...fields });
    shown.push(view.current());
  }
  return shown;
}

/** Returns rows as texts, with sorted fields, without fields that have no value, and without the name of the key of a group, which only one library has. */
function textsOf(rows: unknown, isOrdered: boolean): readonly string[] {
  const texts = (rows as readonly object[]).map((row) => textOf(row));
  return isOrdered ? texts : texts.sort();
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...textsOf(value, false)].join()}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return fields
    .map(([name, inner]) => `${name}: ${textOf(inner)}`)
    .sort()
    .join(', ');
}

describe('the other library shows the same, at first and after each change', () => {
  test('is tested with all kinds of queries of its guide', () => {
    expect(Object.keys(OURS)).toEqual(NAMES);
  });

  test.each(NAMES)('%s', async (name) => {
    const theirs = await shownBy(name, ROWS, CHANGES);
    const isOrdered = ORDERED.test(name);
    const texts = (shown: readonly unknown[]): unknown => shown.map((rows) => textsOf(rows, isOrdered));
    expect(texts(shownByRejoin(OURS[name]))).toEqual(texts(theirs));
  });
});

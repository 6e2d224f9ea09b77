// The kinds of live queries that the guide of TanStack DB lists, as that library writes them.
import {
  add,
  and,
  avg,
  caseWhen,
  coalesce,
  concat,
  count,
  createLiveQueryCollection,
  eq,
  gt,
  gte,
  ilike,
  inArray,
  isNull,
  length,
  like,
  lt,
  lte,
  materialize,
  max,
  min,
  not,
  or,
  sum,
  toArray,
  upper,
} from '@tanstack/db';
import { synced } from '../../bench/peers/tanstack-synced.mjs';

const nameOf = ({ person }) => ({ id: person.id, name: person.name });
const people = (q, all) => q.from({ person: all.people });
const inDepartment = ({ person, department }) => eq(person.departmentId, department.id);
const pair = ({ person, department }) => ({ person: person?.name, department: department?.name });

const QUERIES = {
  'all rows': (q, all) => people(q, all).select(nameOf),
  'a value': (q, all) =>
    people(q, all)
      .where(({ person }) => eq(person.age, 45))
      .select(nameOf),
  'a boolean': (q, all) =>
    people(q, all)
      .where(({ person }) => person.isActive)
      .select(nameOf),
  'several conditions': (q, all) =>
    people(q, all)
      .where(({ person }) => eq(person.isActive, true))
      .where(({ person }) => gt(person.age, 30))
      .select(nameOf),
  alternatives: (q, all) =>
    people(q, all)
      .where(({ person }) => or(lt(person.age, 30), and(gte(person.age, 45), not(eq(person.name, 'Bob')))))
      .select(nameOf),
  'a range': (q, all) =>
    people(q, all)
      .where(({ person }) => and(gte(person.age, 30), lte(person.age, 45)))
      .select(nameOf),
  'one of some': (q, all) =>
    people(q, all)
      .where(({ person }) => inArray(person.departmentId, [2, 3]))
      .select(nameOf),
  'no value': (q, all) =>
    people(q, all)
      .where(({ person }) => isNull(person.departmentId))
      .select(nameOf),
  'a part of a text': (q, all) =>
    people(q, all)
      .where(({ person }) => like(person.name, 'B%'))
      .select(nameOf),
  'a part of a text in any case': (q, all) =>
    people(q, all)
      .where(({ person }) => ilike(person.name, 'b%'))
      .select(nameOf),
  'computed values': (q, all) =>
    people(q, all).select(({ person }) => ({
      id: person.id,
      text: concat(upper(person.name), '!'),
      letters: length(person.name),
      next: add(person.age, 1),
      department: coalesce(person.departmentId, 0),
    })),
  'a value by conditions': (q, all) =>
    people(q, all).select(({ person }) => ({ id: person.id, is: caseWhen(gt(person.age, 40), 'old', 'young') })),
  'a function as filter': (q, all) =>
    people(q, all)
      .fn.where(({ person }) => person.name.length + person.age > 40)
      .select(nameOf),
  'a function as selection': (q, all) =>
    people(q, all).fn.select(({ person }) => ({ id: person.id, text: `${person.name} ${person.age}` })),
  'inner join': (q, all) => people(q, all).innerJoin({ department: all.departments }, inDepartment).select(pair),
  'left join': (q, all) => people(q, all).leftJoin({ department: all.departments }, inDepartment).select(pair),
  'right join': (q, all) => people(q, all).rightJoin({ department: all.departments }, inDepartment).select(pair),
  'self join': (q, all) =>
    people(q, all)
      .innerJoin({ boss: all.people }, ({ person, boss }) => eq(person.bossId, boss.id))
      .select(({ person, boss }) => ({ person: person.name, boss: boss.name })),
  'two joins': (q, all) =>
    q
      .from({ order: all.orders })
      .innerJoin({ person: all.people }, ({ order, person }) => eq(order.buyerId, person.id))
      .innerJoin({ department: all.departments }, inDepartment)
      .select(({ order, person, department }) => ({ id: order.id, person: person.name, department: department.name })),
  'join by several fields': (q, all) =>
    q
      .from({ order: all.orders })
      .innerJoin({ twin: all.orders }, ({ order, twin }) =>
        and(eq(order.buyerId, twin.buyerId), eq(order.status, twin.status)),
      )
      .select(({ order, twin }) => ({ id: order.id, twin: twin.id })),
  'conditions on both sides of a join': (q, all) =>
    people(q, all)
      .innerJoin({ department: all.departments }, inDepartment)
      .where(({ person }) => eq(person.isActive, true))
      .where(({ department }) => gte(department.budget, 50))
      .select(pair),
  'groups with every aggregate': (q, all) =>
    people(q, all)
      .groupBy(({ person }) => person.departmentId)
      .select(({ person }) => ({
        key: person.departmentId,
        people: count(person.id),
        years: sum(person.age),
        mean: avg(person.age),
        youngest: min(person.age),
        oldest: max(person.age),
      })),
  'groups of several keys': (q, all) =>
    q
      .from({ order: all.orders })
      .groupBy(({ order }) => [order.buyerId, order.status])
      .select(({ order }) => ({ buyer: order.buyerId, status: order.status, total: sum(order.amount) })),
  having: (q, all) =>
    people(q, all)
      .groupBy(({ person }) => person.departmentId)
      .select(({ person }) => ({ key: person.departmentId, people: count(person.id) }))
      .having(({ $selected }) => gt($selected.people, 1)),
  'groups in order': (q, all) =>
    q
      .from({ order: all.orders })
      .groupBy(({ order }) => order.status)
      .select(({ order }) => ({ status: order.status, total: sum(order.amount) }))
      .orderBy(({ $selected }) => $selected.total, 'desc')
      .limit(2),
  'groups of a join': (q, all) =>
    q
      .from({ order: all.orders })
      .innerJoin({ person: all.people }, ({ order, person }) => eq(order.buyerId, person.id))
      .groupBy(({ person }) => person.departmentId)
      .select(({ order, person }) => ({ key: person.departmentId, total: sum(order.amount) })),
  'one group of all': (q, all) =>
    q.from({ order: all.orders }).select(({ order }) => ({ total: sum(order.amount), orders: count(order.id) })),
  order: (q, all) =>
    people(q, all)
      .orderBy(({ person }) => person.age, 'desc')
      .orderBy(({ person }) => person.name)
      .select(nameOf),
  'order with nulls first': (q, all) =>
    people(q, all)
      .orderBy(({ person }) => person.departmentId, { direction: 'asc', nulls: 'first' })
      .orderBy(({ person }) => person.id)
      .select(nameOf),
  'order with nulls last': (q, all) =>
    people(q, all)
      .orderBy(({ person }) => person.departmentId, { direction: 'desc', nulls: 'last' })
      .orderBy(({ person }) => person.id)
      .select(nameOf),
  'limit and offset': (q, all) =>
    people(q, all)
      .orderBy(({ person }) => person.age)
      .orderBy(({ person }) => person.id)
      .offset(1)
      .limit(3)
      .select(nameOf),
  'order by a joined field': (q, all) =>
    people(q, all)
      .innerJoin({ department: all.departments }, inDepartment)
      .orderBy(({ department }) => department.budget, 'desc')
      .orderBy(({ person }) => person.id)
      .limit(3)
      .select(pair),
  distinct: (q, all) =>
    q
      .from({ order: all.orders })
      .select(({ order }) => ({ status: order.status }))
      .distinct(),
  'one row': (q, all) =>
    people(q, all)
      .where(({ person }) => eq(person.id, 2))
      .select(nameOf)
      .findOne(),
  'a query of a query': (q, all) =>
    q
      .from({ old: people(q, all).where(({ person }) => gt(person.age, 29)) })
      .where(({ old }) => old.isActive)
      .select(({ old }) => ({ id: old.id, name: old.name })),
  'a query of the first rows': (q, all) =>
    q
      .from({
        top: q
          .from({ order: all.orders })
          .orderBy(({ order }) => order.amount, 'desc')
          .limit(3),
      })
      .where(({ top }) => eq(top.status, 'paid'))
      .select(({ top }) => ({ id: top.id })),
  'a join with a query': (q, all) =>
    people(q, all)
      .innerJoin(
        { paid: q.from({ order: all.orders }).where(({ order }) => eq(order.status, 'paid')) },
        ({ person, paid }) => eq(person.id, paid.buyerId),
      )
      .select(({ person, paid }) => ({ person: person.name, amount: paid.amount })),
  'groups of groups': (q, all) =>
    q
      .from({
        buyer: q
          .from({ order: all.orders })
          .groupBy(({ order }) => order.buyerId)
          .select(({ order }) => ({ buyerId: order.buyerId, orders: count(order.id) })),
      })
      .groupBy(({ buyer }) => buyer.orders)
      .select(({ buyer }) => ({ orders: buyer.orders, buyers: count(buyer.buyerId) })),
  'related rows inside': (q, all) =>
    q.from({ department: all.departments }).select(({ department }) => ({
      id: department.id,
      people: toArray(
        q
          .from({ person: all.people })
          .where(({ person }) => eq(person.departmentId, department.id))
          .select(({ person }) => ({ name: person.name })),
      ),
    })),
  'a related row inside': (q, all) =>
    people(q, all).select(({ person }) => ({
      id: person.id,
      department: materialize(
        q
          .from({ department: all.departments })
          .where(({ department }) => eq(department.id, person.departmentId))
          .select(({ department }) => ({ name: department.name }))
          .findOne(),
      ),
    })),
  'related rows inside, first in order': (q, all) =>
    q.from({ department: all.departments }).select(({ department }) => ({
      id: department.id,
      people: toArray(
        q
          .from({ person: all.people })
          .where(({ person }) => eq(person.departmentId, department.id))
          .orderBy(({ person }) => person.age, 'desc')
          .orderBy(({ person }) => person.id)
          .limit(1)
          .select(({ person }) => ({ name: person.name })),
      ),
    })),
  'related rows in related rows': (q, all) =>
    q.from({ department: all.departments }).select(({ department }) => ({
      id: department.id,
      people: toArray(
        q
          .from({ person: all.people })
          .where(({ person }) => eq(person.departmentId, department.id))
          .select(({ person }) => ({
            name: person.name,
            orders: toArray(
              q
                .from({ order: all.orders })
                .where(({ order }) => eq(order.buyerId, person.id))
                .select(({ order }) => ({ amount: order.amount })),
            ),
          })),
      ),
    })),
};

export const NAMES = Object.keys(QUERIES);

/** A collection that is changed record by record, as a server would report it. */
function changing(id, rows) {
  const { collection, apply } = synced(id, rows);
  const known = new Map(rows.map((row) => [row.id, row]));
  return {
    collection,
    change(rowId, fields) {
      const old = known.get(rowId);
      if (fields === undefined) known.delete(rowId);
      else known.set(rowId, { ...old, id: rowId, ...fields });
      apply(fields === undefined ? 'delete' : old === undefined ? 'insert' : 'update', [known.get(rowId) ?? old]);
    },
  };
}

/** Returns the result of a query at first, and after each change. */
export async function shownBy(name, rows, changes) {
  const sources = Object.fromEntries(Object.entries(rows).map(([kind, all]) => [kind, changing(kind, all)]));
  const all = Object.fromEntries(Object.entries(sources).map(([kind, { collection }]) => [kind, collection]));
  const live = createLiveQueryCollection({ startSync: true, query: (q) => QUERIES[name](q, all) });
  live.subscribeChanges(() => {});
  await live.preload();
  const shown = [structuredClone(plain(live.toArray))];
  for (const [kind, id, fields] of changes) {
    sources[kind].change(id, fields);
    await Promise.resolve();
    shown.push(structuredClone(plain(live.toArray)));
  }
  return shown;
}

/** Leaves out what the library adds to each row. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !field.startsWith('$'))
      .map(([field, inner]) => [field, plain(inner)]),
  );
}

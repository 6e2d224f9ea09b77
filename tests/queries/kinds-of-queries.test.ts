import { expect, test } from 'vitest';
import { avg, count, distinct, Entity, from, max, min, on, Store, sum } from 'rejoin';

/** Each kind of live query that other libraries test, with its result before and after changes. */
class Team extends Entity {
  id = 0;
  name = '';
  static override key = 'Team';
}

class Worker extends Entity {
  id = 0;
  name = '';
  salary: number | null = null;
  teamId: number | null = null;
  bossId: number | null = null;
  static override key = 'Worker';
}

const workers = from(Worker);
const paid = workers.where({ salary: { not: null } });
const perTeam = paid.groupBy('teamId', { people: count(), total: sum((worker) => worker.salary) });
const namesOf = (list: readonly { readonly name: string }[]): string => list.map(({ name }) => name).join();

function storeOf(): Store {
  const store = new Store();
  store.write([Team], [{ id: 1, name: 'Red' }, { id: 2, name: 'Blue' }, { id: 3, name: 'Empty' }]); // prettier-ignore
  store.write(
    [Worker],
    [
      { id: 1, name: 'Ann', salary: 50, teamId: 1, bossId: null },
      { id: 2, name: 'Bob', salary: null, teamId: 1, bossId: 1 },
      { id: 3, name: 'Cid', salary: 30, teamId: 2, bossId: 1 },
      { id: 4, name: 'Dan', salary: 30, teamId: null, bossId: 3 },
    ],
  );
  return store;
}

const remove = (store: Store, ...ids: readonly number[]): void => {
  for (const id of ids) store.invalidate(Worker, String(id));
};
const write = (store: Store, worker: object): void => void store.write(Worker, worker);

test.each<
  readonly [
    kind: string,
    read: (store: Store) => unknown,
    before: unknown,
    change: (store: Store) => void,
    after: unknown,
  ]
>([
  [
    'ascending order, nulls last',
    (store) => namesOf(store.get(workers.orderBy('salary').orderBy('name')) ?? []),
    'Cid,Dan,Ann,Bob',
    (store) => write(store, { id: 1, salary: null }),
    'Cid,Dan,Ann,Bob',
  ],
  [
    'ascending order, nulls first',
    (store) => namesOf(store.get(workers.orderBy('salary', { nulls: 'first' })) ?? []),
    'Bob,Cid,Dan,Ann',
    (store) => write(store, { id: 4, salary: null }),
    'Bob,Dan,Cid,Ann',
  ],
  [
    'descending order, nulls last, by two fields of different directions',
    (store) => namesOf(store.get(workers.orderBy('salary', 'desc').orderBy('name', 'desc')) ?? []),
    'Ann,Dan,Cid,Bob',
    (store) => write(store, { id: 2, salary: 40 }),
    'Ann,Bob,Dan,Cid',
  ],
  [
    'an inner join that loses its last pair on one side',
    (store) => store.get(workers.join('team', Team, on('teamId', 'id')))?.map(({ name, team }) => name + team.name),
    ['AnnRed', 'BobRed', 'CidBlue'],
    (store) => store.invalidate(Team, '2'),
    ['AnnRed', 'BobRed'],
  ],
  [
    'a left join read from the other side, in the place of a right join',
    (store) => store.get(from(Team).leftJoin('worker', paid, on('id', 'teamId')))?.map((team) => team.worker?.name),
    ['Ann', 'Cid', undefined],
    (store) => remove(store, 1),
    [undefined, 'Cid', undefined],
  ],
  [
    'a join of a class with itself',
    (store) => store.get(workers.join('boss', Worker, on('bossId', 'id')))?.map(({ name, boss }) => name + boss.name),
    ['BobAnn', 'CidAnn', 'DanCid'],
    (store) => write(store, { id: 3, bossId: 4 }),
    ['BobAnn', 'CidDan', 'DanCid'],
  ],
  [
    'a join with groups of another query',
    (store) =>
      store.get(from(Team).leftJoin('sums', perTeam, on('id', 'teamId')))?.map(({ name, sums }) => [name, sums?.total]),
    [
      ['Red', 50],
      ['Blue', 30],
      ['Empty', undefined],
    ],
    (store) => write(store, { id: 2, salary: 5, teamId: 3 }),
    [
      ['Red', 50],
      ['Blue', 30],
      ['Empty', 5],
    ],
  ],
  [
    'groups that have enough',
    (store) => store.get(perTeam.where({ total: { gte: 30 } }).orderBy('total', 'desc'))?.map(({ teamId }) => teamId),
    [1, 2, null],
    (store) => write(store, { id: 4, salary: 29 }),
    [1, 2],
  ],
  [
    'groups by several values, with the mean and both ends',
    (store) =>
      store.get(
        paid.groupBy(({ teamId, salary }) => [teamId !== null, salary !== 50], {
          mean: avg((worker) => worker.salary),
          least: min((worker) => worker.salary),
          most: max((worker) => worker.salary),
        }),
      )?.length,
    3,
    (store) => remove(store, 1),
    2,
  ],
  [
    'an aggregate whose records all go, one by one',
    (store) => store.get(paid.groupBy(() => 'all', { people: count() }).one())?.people,
    3,
    (store) => {
      for (const id of [1, 3, 4]) remove(store, id);
    },
    undefined,
  ],
  [
    'distinct objects of several fields',
    (store) =>
      store.get(distinct(workers.select(({ salary, teamId }) => ({ salary, inTeam: teamId !== null }))).count()),
    4,
    (store) => write(store, { id: 1, salary: 30 }),
    3,
  ],
  [
    'a query of a query of a query',
    (store) => namesOf(store.get(from(from(paid.orderBy('salary').limit(2)).where({ teamId: 2 })).limit(1)) ?? []),
    'Cid',
    (store) => write(store, { id: 4, salary: 1, teamId: 2 }),
    'Dan',
  ],
  [
    'functions that filter, sort and select',
    (store) =>
      store.get(
        workers
          .where((worker) => worker.name > 'A' && worker.salary !== null)
          .orderBy((worker) => -(worker.salary ?? 0))
          .select((worker) => worker.name.toUpperCase()),
      ),
    ['ANN', 'CID', 'DAN'],
    (store) => remove(store, 3, 4),
    ['ANN'],
  ],
  [
    'none of some values, and a value that is not there',
    (store) => namesOf(store.get(workers.where(({ id }) => ![1, 2].includes(id)).where({ teamId: null })) ?? []),
    'Dan',
    (store) => write(store, { id: 3, teamId: null }),
    'Cid,Dan',
  ],
])('%s', (_kind, read, before, change, after) => {
  const store = storeOf();
  expect(read(store)).toEqual(before);
  change(store);
  expect(read(store)).toEqual(after);
});

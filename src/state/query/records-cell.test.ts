import { expect, test, vi } from 'vitest';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { CellFinder } from '../denormalize/cell-finder.ts';
import type { Cell } from '../graph/cell.ts';
import { resolve } from '../graph/resolve.ts';
import { SortedList } from '../../std/sorted-list.ts';
import { addGuess } from '../store/layer.ts';
import { Store } from '../store/store.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { from } from './live-query.ts';
import { type Change, ReceiverCell } from './source-cell.ts';
import { rowsOf, sourceFor } from './sources.ts';

class User extends Entity {
  id = '';
  static override key = 'User';
}

class Voted extends Entity {
  id = '';
  votes = 0;
  static override key = 'Voted';
}

class Receiving extends ReceiverCell {
  readonly received: unknown[] = [];

  override receive(changes: readonly Change[] | undefined): void {
    this.received.push(changes);
  }
}

test.each([
  ['records', false],
  ['rows', true],
] as const)('the cell reads all %s again when a table reports a change without the changed rows', (what, isOfRows) => {
  const finder = new CellFinder(false);
  const plan = finder.space.planOf(User) as EntityPlan;
  const sourceOf = (): Cell =>
    sourceFor(finder, plan, what, isOfRows, () => rowsOf(finder, plan, { indexed: [], between: undefined }, []));
  const source = sourceOf();
  const receiving = new Receiving();
  receiving.link([source]);
  resolve(source);
  finder.space.table('User').signals.rows.emit(new Map());
  resolve(source);
  expect(receiving.received).toEqual([undefined, undefined]);
  receiving.link([]);
  expect(sourceOf()).not.toBe(source);
});

test('a record that was removed and arrives again comes last, and those that were after it can still be removed', () => {
  const store = new Store();
  const live = store.query(from(User));
  const [first, second] = ['1', '2'].map((id) => addGuess(store, () => ({ schema: User, response: { id } })));
  const shown = (): unknown => (live.current() as readonly User[] | undefined)?.map(({ id }) => id);
  expect(shown()).toEqual(['1', '2']);
  first?.drop();
  store.write(User, { id: '1' });
  second?.drop();
  expect(shown()).toEqual(['1']);
});

test('a record that was collected while a query for another class of its table looked for it is found by that class when it arrives again', () => {
  let now = 0;
  const store = new Store({ now: () => now });
  class UserDetail extends Entity {
    id = '';
    static override key = 'User';
  }
  store.write(User, { id: '1' }, { expiresAt: 0 });
  now = 200_000;
  store.query(from(UserDetail).where({ id: { not: '1' } })).subscribe(() => {});
  expect(Array.from(store.collect())).toEqual([]);
  expect(store.row('User', '1')).toBeUndefined();
  store.write(UserDetail, { id: '1' });
  expect(store.get(UserDetail, { id: '1' })).toMatchObject({ id: '1' });
});

test('records of the second class of a table follow each change of their rows', () => {
  const store = new Store();
  class UserDetail extends Entity {
    id = '';
    name = '';
    static override key = 'User';
  }
  store.write([User], [{ id: '1' }, { id: '2' }]);
  const live = store.query(from(UserDetail).where(({ name }) => name !== 'x'));
  live.subscribe(() => {});
  const shown = (): unknown => (live.current() as readonly UserDetail[]).map(({ id, name }) => `${id} ${name}`);
  expect(shown()).toEqual(['1 ', '2 ']);
  store.write(UserDetail, { id: '1', name: 'a' });
  expect(shown()).toEqual(['1 a', '2 ']);
  store.write(UserDetail, { id: '1', name: 'x' });
  expect(shown()).toEqual(['2 ']);
  store.invalidate(UserDetail, '2');
  expect(shown()).toEqual([]);
  expect((live.current() as readonly unknown[]).every((one) => one instanceof UserDetail)).toBe(true);
});

test.each([
  ['shown', 'x'],
  ['not shown', 'guess'],
])('a created record of the second class of a table takes the place of its guess, which was %s', (_, hidden) => {
  const store = new Store();
  class UserDetail extends Entity {
    id = '';
    name = '';
    static override key = 'User';
  }
  const all = new Collection([UserDetail]);
  store.write([User], [{ id: '1' }]);
  store.write(all, [], { args: [{}] });
  const live = store.query(from(UserDetail).where({ name: { not: hidden } }));
  live.subscribe(() => {});
  const shown = (): unknown => (live.current() as readonly UserDetail[]).map(({ name }) => name);
  expect(shown()).toEqual(['']);
  const layer = addGuess(store, () => ({ schema: all.push, response: { name: 'guess' }, args: [{}] }));
  expect(shown()).toEqual(hidden === 'x' ? ['', 'guess'] : ['']);
  layer.confirm(all.push, { id: '2', name: 'new' }, { args: [{}] });
  expect(shown()).toEqual(['', 'new']);
});

test('after a collection, a query of the second class of a table still shows the records that other readers show', () => {
  const store = new Store();
  class UserDetail extends Entity {
    id = '';
    name = '';
    static override key = 'User';
  }
  store.write([User], [{ id: '1' }]);
  // Both queries begin with the same rows. One is observed, and shows no record.
  store.query(from(UserDetail).count()).subscribe(() => {});
  const byName = from(UserDetail).orderBy('name').limit(1);
  expect(store.get(byName)).toHaveLength(1);
  Array.from(store.collect());
  expect(store.get(UserDetail, '1')).toBe(store.get(byName)?.[0]);
});

test('a query that was not read during thousands of changes of few records reads all records again', () => {
  const store = new Store();
  const ids = ['1', '2', '3'];
  store.write(
    [Voted],
    ids.map((id) => ({ id, votes: 0 })),
  );
  const view = store.query(from(Voted).orderBy('votes', 'desc'), []);
  view.subscribe(() => {});
  view.current();
  const sorted = vi.spyOn(SortedList.prototype, 'replaceAll');
  store.batch(() => {
    for (let votes = 1; votes <= 300; votes++)
      for (const id of ids) store.write(Voted, { id, votes: votes * Number(id) });
  });
  const shown = (): unknown => (view.current() as readonly Voted[]).map(({ votes }) => votes);
  expect(shown()).toEqual([900, 600, 300]);
  expect(sorted).not.toHaveBeenCalled();
  store.batch(() => {
    for (let votes = 1; votes <= 1000; votes++)
      for (const id of ids) store.write(Voted, { id, votes: -votes * Number(id) });
  });
  expect(shown()).toEqual([-1000, -2000, -3000]);
  expect(sorted).toHaveBeenCalledTimes(1);
  sorted.mockRestore();
});

test('an undone batch that has changed several rows leaves each of them once, in lists and in counts', () => {
  const store = new Store();
  store.write([Voted], [{ id: '1', votes: 1 }, { id: '2', votes: 2 }]); // prettier-ignore
  const low = from(Voted).where({ votes: { lt: 5 } });
  const lists = [from(Voted).orderBy('votes').limit(5), low.orderBy('votes').limit(3), low];
  const size = low.count();
  const read = (): unknown => [...lists.map((list) => store.get(list)?.map(({ id }) => id)), store.get(size)];
  const before = read();
  expect(before).toEqual([['1', '2'], ['1', '2'], ['1', '2'], 2]);
  expect(() => {
    store.batch(() => {
      store.write(Voted, { id: '1', votes: 3 });
      store.write(Voted, { id: '2', votes: 9 });
      throw new Error('undone');
    });
  }).toThrow('undone');
  expect(read()).toEqual(before);
});

test('a query looks at no other records when a created record gets the pk of the server', () => {
  const store = new Store();
  const all = new Collection([Voted]);
  const args = [{}];
  store.write(all, Array.from({ length: 20 }, (_, votes) => ({ id: `${votes}`, votes })), { args }); // prettier-ignore
  let looks = 0;
  const live = store.query(from(Voted).where(() => looks++ >= 0));
  live.subscribe(() => {});
  const layer = addGuess(store, () => ({ schema: all.push, response: { votes: 20 }, args }));
  expect(live.current()).toHaveLength(21);
  looks = 0;
  layer.confirm(all.push, { id: '20', votes: 20 }, { args });
  expect((live.current() as readonly Voted[]).at(-1)).toBe(store.get(Voted, { id: '20' }));
  expect(looks).toBeLessThan(10);
});

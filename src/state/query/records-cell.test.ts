import { expect, test } from 'vitest';
import { Entity } from '../../define/schema/entity.ts';
import { CellFinder } from '../denormalize/cell-finder.ts';
import type { Cell } from '../graph/cell.ts';
import { resolve } from '../graph/resolve.ts';
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

class Receiving extends ReceiverCell {
  readonly received: unknown[] = [];

  override receive(changes: readonly Change[] | undefined): void {
    this.received.push(changes);
  }
}

test.each([
  ['members', false],
  ['rows', true],
] as const)(
  'has all %s read again when a table says that something happened, and not to which row',
  (what, isOfRows) => {
    const finder = new CellFinder(false);
    const plan = finder.space.planOf(User) as EntityPlan;
    const sourceOf = (): Cell =>
      sourceFor(finder, plan, what, isOfRows, () => rowsOf(finder, plan, what, [], undefined));
    const source = sourceOf();
    const receiving = new Receiving();
    receiving.link([source]);
    resolve(source);
    finder.space.table('User')[what].happened(new Map());
    resolve(source);
    expect(receiving.received).toEqual([undefined, undefined]);
    receiving.link([]);
    expect(sourceOf()).not.toBe(source);
  },
);

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

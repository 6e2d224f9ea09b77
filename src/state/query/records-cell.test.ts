import { expect, test } from 'vitest';
import { Entity } from '../../define/schema/entity.ts';
import { CellFinder } from '../denormalize/cell-finder.ts';
import { Cell } from '../graph/cell.ts';
import { resolve } from '../graph/resolve.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { allRecords } from './sources.ts';
import type { Change, Receiver } from './source-cell.ts';

class User extends Entity {
  id = '';
  static override key = 'User';
}

class Receiving extends Cell implements Receiver {
  readonly received: unknown[] = [];

  receive(changes: readonly Change[] | undefined): void {
    this.received.push(changes);
  }
}

test('reads everything again when a signal of the table does not name a row', () => {
  const finder = new CellFinder(false);
  const plan = finder.space.planOf(User) as EntityPlan;
  const records = allRecords(finder, plan);
  const receiving = new Receiving();
  receiving.link([records]);
  resolve(records);
  finder.space.table('User').members.happened(new Map());
  resolve(records);
  expect(receiving.received).toEqual([undefined, undefined]);
  receiving.link([]);
  expect(allRecords(finder, plan)).not.toBe(records);
});

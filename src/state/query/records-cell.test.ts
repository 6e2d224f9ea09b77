import { expect, test } from 'vitest';
import { Entity } from '../../define/schema/entity.ts';
import { CellFinder } from '../denormalize/cell-finder.ts';
import { Cell } from '../graph/cell.ts';
import { resolve } from '../graph/resolve.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { allRecords, rowsWith } from './sources.ts';
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

test.each([
  ['members', allRecords],
  ['rows', (finder: CellFinder, plan: EntityPlan) => rowsWith(finder, plan, [], undefined)],
] as const)(
  'has all %s read again when a table says that something happened, and not to which row',
  (what, sourceOf) => {
    const finder = new CellFinder(false);
    const plan = finder.space.planOf(User) as EntityPlan;
    const source = sourceOf(finder, plan);
    const receiving = new Receiving();
    receiving.link([source]);
    resolve(source);
    finder.space.table('User')[what].happened(new Map());
    resolve(source);
    expect(receiving.received).toEqual([undefined, undefined]);
    receiving.link([]);
    expect(sourceOf(finder, plan)).not.toBe(source);
  },
);

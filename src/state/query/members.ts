import type { Cell } from '../graph/cell.ts';
import type { RowCell } from '../tables/table.ts';
import type { Item } from './source-cell.ts';

/** Which rows of a table are meant. */
export interface Membership {
  /** Change with every row that comes or goes; for those who read rows alone, with every one that changes. */
  readonly signals: readonly Cell[];
  rows(): Iterable<RowCell>;
  has(row: RowCell): boolean;
  /** Nothing depends on the signals any more. */
  end(): void;
  /** Of rows that are found by way of others: the place of each. Default: by arrival. */
  readonly places?: ReadonlyMap<Item, number>;
  /** Of such rows: whether a change of this part can lead to others. */
  leads?(part: Cell): boolean;
}

/** The order of rows of which nothing else decides. */
export function byPk(one: Item, other: Item): number {
  return one.pk < other.pk ? -1 : one.pk > other.pk ? 1 : 0;
}

import type { Cell } from '../graph/cell.ts';
import type { RowCell } from '../tables/table.ts';
import type { Item } from './source-cell.ts';

/** The rows of a table that belong to a source. */
export interface Membership {
  /** Signals for each row that is added or removed, and for a reader of rows, for each row that changes. */
  readonly signals: readonly Cell[];
  rows(): Iterable<RowCell>;
  has(row: RowCell): boolean;
  /** Called when nothing depends on the signals any more. */
  end(): void;
  /** For rows that are found through other rows: the index of each. Default: the order of arrival. */
  readonly places?: ReadonlyMap<Item, number>;
  /** For such rows: returns whether a change of this part can lead to other rows. */
  leads?(part: Cell): boolean;
}

/** Compares items by pk, where no order tells them apart. */
export function byPk(one: Item, other: Item): number {
  return one.pk < other.pk ? -1 : one.pk > other.pk ? 1 : 0;
}

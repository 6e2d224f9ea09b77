import type { RowCell } from '../tables/table.ts';
import type { Change } from './source-cell.ts';

/** The value and place of a row before it changed, and whether it belongs to the source now. */
export interface ChangedRow extends Pick<Change, 'before' | 'arrival'> {
  readonly item: RowCell;
  isMember: boolean;
}

/** Up to this length, searching a list is faster than making a set of it. */
const FEW = 16;

/** The rows that have changed since the last build, each once. */
export class ChangedRows {
  list: readonly ChangedRow[] = NONE;
  #rows: Set<RowCell> | undefined = undefined;

  has(row: RowCell): boolean {
    if (this.#rows !== undefined) return this.#rows.has(row);
    for (const { item } of this.list) if (item === row) return true;
    return false;
  }

  add(changed: ChangedRow): void {
    // Mostly one row changes. An array literal has no unused capacity.
    if (this.list.length === 0) this.list = [changed];
    else (this.list as ChangedRow[]).push(changed);
    this.#rows?.add(changed.item);
    if (this.list.length === FEW) this.#rows = new Set(this.list.map(({ item }) => item));
  }
}

const NONE: readonly ChangedRow[] = [];

import { QueryCell } from '../denormalize/query-cell.ts';
import type { Cell } from '../graph/cell.ts';
import { isObject } from '../../define/schema/fields.ts';
import { inDoubt } from '../../define/schema/stamp.ts';
import { parentsOf } from '../graph/edges.ts';
import { RowCell } from '../tables/table.ts';
import type { StoreCore } from './store-core.ts';
import { RequestCell } from './request-cell.ts';

/** In an answer that was never read, records are searched up to this distance, which is not included. */
const MAX_DISTANCE = 2;

/** Finds the requests whose answers show given records. The distance of a record is the number of other records around it in an answer. */
export class Showing {
  readonly #core: StoreCore;
  /** The rows of each given record. For a table, all of its rows. */
  readonly #groups: readonly (readonly RowCell[])[];
  readonly #records: ReadonlySet<RowCell>;
  /** The distance of the nearest of the records, for each cell that shows one of them. */
  readonly #distances = new Map<Cell, number>();

  /** A record without a pk stands for all rows of its table. */
  constructor(core: StoreCore, records: Iterable<readonly [table: string, pk?: string]>) {
    this.#core = core;
    this.#groups = Array.from(records, ([name, pk]) => {
      const table = core.reading.space.tables.get(name);
      const cells = pk === undefined ? table?.cells.values() : [table?.find(pk)];
      // A missing record is shown nowhere. Its readers wait for it.
      return [...(cells ?? [])].filter(isKnown);
    });
    this.#records = new Set(this.#groups.flat());
    const levels = levelsAbove([...this.#records], this.#distances);
    // Visits all levels, which fills `#distances`.
    while (levels.next().done !== true);
  }

  /** Makes the records stale for readers that have no request of their own for them. */
  expire(): void {
    for (const cell of this.#records) {
      const confirmed = this.#core.confirmed(cell);
      if (confirmed.stamp !== undefined) confirmed.stamp = inDoubt(confirmed.stamp);
    }
  }

  /**
   * Yields the records that a restored answer may show, if no schema has read the answer yet: those whose pk is in the answer, or in a row that
   * the answer may show.
   */
  *#recordsMentionedIn(stored: unknown): Generator<readonly [record: RowCell, distance: number]> {
    let ahead: unknown[] = [stored];
    const seen = new Set<string>();
    for (let distance = 0; distance < MAX_DISTANCE && ahead.length > 0; distance++) {
      const found: unknown[] = [];
      for (const pk of ahead.flatMap((data) => [...textsIn(data)])) {
        if (seen.has(pk)) continue;
        seen.add(pk);
        for (const table of this.#core.reading.space.tables.values()) {
          const cell = table.cells.get(pk);
          if (cell === undefined) continue;
          if (this.#records.has(cell)) yield [cell, distance];
          found.push(cell.row);
        }
      }
      ahead = found;
    }
  }

  /** Yields the keys of observed requests that show one of the records at distance 0. */
  *observed(): Generator<string> {
    for (const [cell, distance] of this.#distances)
      if (distance === 0 && cell instanceof RequestCell && cell.isObserved) yield cell.key;
  }

  /** Returns the distance of the nearest of the records in the answer of a request. `undefined` if it shows none of them. */
  distance(key: string): number | undefined {
    const cells = this.#cellsThatRead(key);
    if (cells.length > 0) return cells.map((cell) => this.#distances.get(cell)).find((one) => one !== undefined);
    // The first record is the nearest.
    for (const [, distance] of this.#recordsIn(key)) return distance;
    return undefined;
  }

  /** Returns, for each record, those of some requests that show it at the least distance. */
  nearest(keys: readonly string[]): ReadonlySet<string> {
    const keysByCell = new Map(keys.flatMap((key) => this.#cellsThatRead(key).map((cell) => [cell, key] as const)));
    const isUnread = (key: string): boolean => this.#cellsThatRead(key).length === 0;
    const unread = keys.filter(isUnread).map((key) => [key, new Map(this.#recordsIn(key))] as const);
    const found = new Set<string>();
    for (const group of this.#groups) {
      const distances = unread.map(([, shown]) => leastDistance(group, shown));
      const least = Math.min(...distances);
      const nearest = nearestAbove(group, keysByCell, least);
      for (const key of nearest.keys) found.add(key);
      if (least === Number.POSITIVE_INFINITY || least > nearest.distance) continue;
      unread.forEach(([key], at) => distances[at] === least && found.add(key));
    }
    return found;
  }

  /** Returns the cells that have read an answer since it arrived. */
  #cellsThatRead(key: string): readonly Cell[] {
    return [...this.#core.requestCells.of(key)].filter((cell) => cell.clean);
  }

  /** Yields the records in an answer that was not read since it arrived, nearest first. */
  *#recordsIn(key: string): Generator<readonly [record: RowCell, distance: number]> {
    const { reading, requestCells, states } = this.#core;
    const result = states.readable(states.get(key), undefined);
    if (result === undefined) return;
    // A restored result has no schema of its own, so that of a reader is used.
    const schema = result.schema ?? requestCells.schemaOf(key);
    if (schema === undefined) return yield* this.#recordsMentionedIn(result.stored);
    const root = new QueryCell(reading, () => ({ ...result, schema }));
    let ahead: Cell[] = [root];
    const seen = new Set<Cell>();
    try {
      for (let distance = 0; distance < MAX_DISTANCE && ahead.length > 0; distance++) {
        const further: Cell[] = [];
        for (let cell = ahead.pop(); cell !== undefined; cell = ahead.pop()) {
          if (seen.has(cell)) continue;
          seen.add(cell);
          if (cell instanceof RowCell && this.#records.has(cell.home)) yield [cell.home, distance];
          // Rows that no schema reads as values, such as totals, have no parts.
          if (!(cell instanceof RowCell) || cell.table.hasReader) cell.prepare();
          for (const part of cell.parts) if (part !== undefined) (isRecord(cell) ? further : ahead).push(part);
        }
        ahead = further;
      }
    } finally {
      root.release();
    }
  }
}

function isKnown(cell: RowCell | undefined): cell is RowCell {
  return cell?.row !== undefined;
}

/** Yields the texts in plain data. */
function* textsIn(data: unknown): Generator<string> {
  if (typeof data === 'string') yield data;
  else if (isObject(data)) for (const member of Object.values(data)) yield* textsIn(member);
}

/** Visits all cells that show the given ones, level by level, and notes their distances. Yields each level before it visits the next one. */
function* levelsAbove(cells: readonly Cell[], distances: Map<Cell, number>): Generator<readonly Cell[]> {
  let ahead: Cell[] = [...cells];
  for (let distance = 0; ahead.length > 0; distance++) {
    const level: Cell[] = [];
    const further: Cell[] = [];
    for (let cell = ahead.pop(); cell !== undefined; cell = ahead.pop()) {
      if (distances.has(cell)) continue;
      distances.set(cell, distance);
      level.push(cell);
      for (const parent of parentsOf(cell.parents)) (isOtherRecord(parent, cell) ? further : ahead).push(parent);
    }
    yield level;
    ahead = further;
  }
}

/** Returns the distance of the nearest of some rows. Infinite if none has a distance. */
function leastDistance(group: readonly RowCell[], distances: ReadonlyMap<RowCell, number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const cell of group) least = Math.min(least, distances.get(cell) ?? Number.POSITIVE_INFINITY);
  return least;
}

/** Returns the requests whose cells show one of the rows at the least distance. The search ends at the distance `limit`. */
function nearestAbove(
  group: readonly RowCell[],
  keysByCell: ReadonlyMap<Cell, string>,
  limit: number,
): { readonly keys: readonly string[]; readonly distance: number } {
  let distance = 0;
  for (const level of levelsAbove(group, new Map())) {
    if (distance > limit) break;
    const found = level.map((cell) => keysByCell.get(cell)).filter((key) => key !== undefined);
    if (found.length > 0) return { keys: found, distance };
    distance++;
  }
  return { keys: [], distance: Number.POSITIVE_INFINITY };
}

/** Returns whether a parent is a record, and not a variant of the record that the cell is. */
function isOtherRecord(parent: Cell, cell: Cell): boolean {
  return isRecord(parent) && !(cell instanceof RowCell && (parent as RowCell).home === cell);
}

/** Returns whether a cell is one of a record, and not of a list. */
function isRecord(cell: Cell): boolean {
  return cell instanceof RowCell && cell.table.collection === undefined;
}

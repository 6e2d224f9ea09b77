import { QueryCell } from '../denormalize/query-cell.ts';
import type { Cell } from '../graph/cell.ts';
import { parentsOf } from '../graph/edges.ts';
import { RowCell } from '../tables/table.ts';
import type { Ground } from './ground.ts';
import { RequestCell } from './request-cell.ts';

/** Up to how many records lie around a record in an answer that was never read. */
const DEEPEST = 2;

/** Finds the requests whose answers show certain records. */
export class Showing {
  readonly #ground: Ground;
  readonly #records = new Set<RowCell>();
  /** For each cell that shows one of the records: how many other records lie in between. */
  readonly #distances = new Map<Cell, number>();

  /** Without a pk, all rows of the table are meant. */
  constructor(ground: Ground, records: Iterable<readonly [table: string, pk?: string]>) {
    this.#ground = ground;
    for (const [name, pk] of records) {
      const table = ground.reading.space.tables.get(name);
      const cells = pk === undefined ? table?.cells.values() : [table?.find(pk)];
      for (const cell of cells ?? []) if (cell !== undefined) this.#records.add(cell);
    }
    let ahead: Cell[] = [...this.#records];
    for (let distance = 0; ahead.length > 0; distance++) ahead = this.#climb(ahead, distance);
  }

  /** Visits what shows the cells with no other record in between; returns the records around these. */
  #climb(cells: Cell[], distance: number): Cell[] {
    const around: Cell[] = [];
    for (let cell = cells.pop(); cell !== undefined; cell = cells.pop()) {
      if (this.#distances.has(cell)) continue;
      this.#distances.set(cell, distance);
      for (const parent of parentsOf(cell.parents)) (isOtherRecord(parent, cell) ? around : cells).push(parent);
    }
    return around;
  }

  /** The records are stale from now on, for whoever finds them without a request of their own. */
  expire(): void {
    for (const cell of this.#records) {
      const place = this.#ground.layers.confirmed(cell);
      if (place.stamp !== undefined) place.stamp = { ...place.stamp, expiresAt: 0 };
    }
  }

  /** The keys of the requests that somebody observes, and that show one of the records with no other in between. */
  *observed(): Generator<string> {
    for (const [cell, distance] of this.#distances)
      if (distance === 0 && cell instanceof RequestCell && cell.observers !== undefined) yield cell.key;
  }

  /** How many other records lie between a record and the answer of a request; `undefined` where it shows none. */
  distance(key: string): number | undefined {
    const { requestCells, reading, states } = this.#ground;
    let isRead = false;
    for (const cell of requestCells.of(key)) {
      if (!cell.clean) continue;
      isRead = true;
      const distance = this.#distances.get(cell);
      if (distance !== undefined) return distance;
    }
    const result = isRead ? undefined : states.readable(states.get(key), undefined);
    return result && this.#descend(new QueryCell(reading, () => result));
  }

  /** Looks through an answer that was not read since it came. */
  #descend(root: QueryCell): number | undefined {
    let ahead: Cell[] = [root];
    const seen = new Set<Cell>();
    try {
      for (let distance = 0; distance < DEEPEST && ahead.length > 0; distance++) {
        const inside: Cell[] = [];
        for (let cell = ahead.pop(); cell !== undefined; cell = ahead.pop()) {
          if (seen.has(cell)) continue;
          seen.add(cell);
          if (cell instanceof RowCell && this.#records.has(cell)) return distance;
          cell.prepare();
          for (const part of cell.parts) if (part !== undefined) (isRecord(cell) ? inside : ahead).push(part);
        }
        ahead = inside;
      }
      return undefined;
    } finally {
      root.release();
    }
  }
}

function isOtherRecord(parent: Cell, cell: Cell): boolean {
  return isRecord(parent) && !(cell instanceof RowCell && (parent as RowCell).home === cell);
}

function isRecord(cell: Cell): boolean {
  return cell instanceof RowCell && cell.table.collection === undefined;
}

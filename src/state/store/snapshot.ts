import type { Denormalize, Queryable, SchemaArgs } from '../../define/schema/infer.ts';
import { INVALID, type Invalid, type Row } from '../../define/schema/schema.ts';
import { QueryCell } from '../denormalize/query-cell.ts';
import { Reading } from '../denormalize/reading.ts';
import { queryable } from '../denormalize/query-key.ts';
import { resolve } from '../graph/resolve.ts';
import type { RowCell } from '../tables/table.ts';
import type { Space } from '../tables/space.ts';

type Shown = Row | Invalid | undefined;

/** Reads a store as it was at one moment, or as it is below an optimistic layer. */
export class SnapshotReader {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** The value of a queryable; `undefined` where there is none. */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined {
    const value = resolve(new QueryCell(this.#reading, queryable(this.#reading.space, schema, args)));
    return value === INVALID ? undefined : (value as Denormalize<S>);
  }

  /** The value of a normalized result: `undefined` while missing, `INVALID` while invalid. */
  read(schema: unknown, stored: unknown, args: readonly unknown[] = []): unknown {
    return resolve(new QueryCell(this.#reading, () => ({ schema, stored, args })));
  }

  row(table: string, pk: string): Row | Invalid | undefined {
    return this.#reading.space.find(table, pk)?.row;
  }
}

/** The rows that a snapshot has to keep because they changed after it was taken, by table and pk. */
export type Kept = Map<string, Map<string, Shown>>;

/** Snapshots of a space. One costs what is read through it, and what changes while it is in use. */
export class Snapshots {
  readonly #ground: Space;
  readonly #kept = new Set<WeakRef<Kept>>();

  constructor(ground: Space) {
    this.#ground = ground;
  }

  /** Rows in `kept` are read as they are there; it is the snapshot's from then on. */
  take(frozen: boolean, kept: Kept = new Map()): SnapshotReader {
    this.#kept.add(new WeakRef(kept));
    const reading = new Reading(frozen, {
      fetch: (cell) => {
        const { name } = cell.table;
        const rows = kept.get(name);
        cell.row =
          rows?.has(cell.pk) === true ? rows.get(cell.pk) : this.#ground.tables.get(name)?.cells.get(cell.pk)?.row;
        if (cell.row !== undefined) cell.table.remember();
      },
      fetchAll: (table) => {
        for (const pk of this.#ground.tables.get(table.name)?.cells.keys() ?? []) table.place(pk);
        for (const pk of kept.get(table.name)?.keys() ?? []) table.place(pk);
      },
      aliases: () => new Map(),
    });
    return new SnapshotReader(reading);
  }

  /** A row is shown differently from now on. */
  changed(cell: RowCell, before: Shown): void {
    for (const ref of this.#kept) {
      const kept = ref.deref();
      if (kept === undefined) this.#kept.delete(ref);
      else keep(kept, cell, before);
    }
  }

  get isAny(): boolean {
    return this.#kept.size > 0;
  }
}

function keep(kept: Kept, { table, pk }: RowCell, before: Shown): void {
  const rows = kept.get(table.name) ?? new Map<string, Shown>();
  kept.set(table.name, rows);
  if (!rows.has(pk)) rows.set(pk, before);
}

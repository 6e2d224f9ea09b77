import type { Row } from '../../define/schema/schema.ts';
import type { RowCell } from '../tables/table.ts';
import { type Table, isRow } from '../tables/table.ts';
import type { WriteLog } from './write-log.ts';

export interface StoredCollection {
  readonly pk: string;
  readonly row: Row;
  /** The key object that the pk is the JSON of. */
  readonly args: Readonly<Record<string, unknown>>;
}

type Args = StoredCollection['args'];

/** Key objects, parsed once for each collection: a create looks at every collection of its kind. */
const parsed = new WeakMap<RowCell, Args | undefined>();

export function collectionsOf(table: Table, log: WriteLog): readonly StoredCollection[] {
  const found: StoredCollection[] = [];
  for (const cell of table.cells.values()) {
    const row = log.place(cell).row;
    if (!isRow(row)) continue;
    const args = argsOf(cell);
    if (args !== undefined) found.push({ pk: cell.pk, row, args });
  }
  return found;
}

function argsOf(cell: RowCell): Args | undefined {
  if (!parsed.has(cell)) parsed.set(cell, parseArgs(cell.pk));
  return parsed.get(cell);
}

function parseArgs(pk: string): Args | undefined {
  try {
    const args: unknown = JSON.parse(pk);
    return typeof args === 'object' && args !== null ? (args as Args) : undefined;
  } catch {
    // Rows can come from outside, by hydrate(): a pk that is no key object belongs to no collection.
    return undefined;
  }
}

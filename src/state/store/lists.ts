import { isListsOf } from '../tables/followers.ts';
import type { StoreWriter } from './store-writer.ts';

/** The stored lists in which records of a table can be. */
export function* listsIn(writer: StoreWriter, table: string): Generator<readonly [table: string, pk: string]> {
  writer.takeOut();
  for (const { cells, name } of writer.core.reading.space.tables.values())
    if (isListsOf(name, table)) for (const { pk, row } of cells.values()) if (row !== undefined) yield [name, pk];
}

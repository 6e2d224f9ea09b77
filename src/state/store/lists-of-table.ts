import { isListsOf } from '../../define/schema/list-table.ts';
import type { StoreWriter } from './store-writer.ts';

/** Returns the stored lists that may contain records of a table, and those whose rules read such records. */
export function* listsIn(writer: StoreWriter, table: string): Generator<readonly [table: string, pk: string]> {
  writer.removeDeletedFromCollections();
  const { followers, tables } = writer.core.reading.space;
  const readers = new Set(followers.readersOf(table).map(({ key }) => key));
  for (const { cells, name } of tables.values())
    if (isListsOf(name, table) || readers.has(name))
      for (const { pk, row } of cells.values()) if (row !== undefined) yield [name, pk];
}

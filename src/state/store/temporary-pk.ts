import { INVALID, type TableRef } from '../../define/schema/schema.ts';
import type { StoreCore } from './store-core.ts';

/** Stands for a record that no answer has named. */
export const NEVER_CREATED: unique symbol = Symbol('NEVER_CREATED');

/**
 * The record that a temporary pk stands for since its create was confirmed. `NEVER_CREATED` where the create has failed;
 * `undefined` while it is pending, where a record was stored with this pk, and for a pk that is no temporary one.
 */
export function createdAs(
  { confirmed, layers, reading, temporaryPks }: StoreCore,
  pk: string,
): TableRef | typeof NEVER_CREATED | undefined {
  if (!temporaryPks.isOwn(pk)) return undefined;
  for (const { aliases, cells, name } of reading.space.tables.values()) {
    const server = aliases.get(pk);
    if (server !== undefined) return temporaryPks.isOwn(server) ? NEVER_CREATED : { table: name, pk: server };
    const cell = cells.get(pk);
    const row = cell && confirmed(cell).row;
    if (row !== undefined) return row === INVALID ? NEVER_CREATED : undefined;
  }
  return layers?.isCreating(pk) === true ? undefined : NEVER_CREATED;
}

import { INVALID, type TableRef } from '../../define/schema/row.ts';
import type { StoreCore } from './store-core.ts';
import { TEMPORARY } from '../tables/temporary-names.ts';

/** Returned for a record whose create failed, or that was never answered. */
export const NEVER_CREATED: unique symbol = Symbol('NEVER_CREATED');

/**
 * Returns the record that was created under a temporary pk, once its create was confirmed. `NEVER_CREATED` if the create failed. `undefined`
 * while the create is pending, if a record was stored with this pk, or for any other pk.
 */
export function createdAs(
  { confirmed, layers, reading, temporaryPks }: StoreCore,
  pk: string,
): TableRef | typeof NEVER_CREATED | undefined {
  if (!pk.startsWith(TEMPORARY)) return undefined;
  const isOwn = temporaryPks.isOwn(pk);
  for (const { aliases, cells, name } of reading.space.tables.values()) {
    const server = aliases.get(pk);
    if (server !== undefined) return temporaryPks.isOwn(server) ? NEVER_CREATED : { table: name, pk: server };
    if (!isOwn) continue;
    const cell = cells.get(pk);
    const row = cell && confirmed(cell).row;
    if (row !== undefined) return row === INVALID ? NEVER_CREATED : undefined;
  }
  return !isOwn || layers?.isCreating(pk) === true ? undefined : NEVER_CREATED;
}

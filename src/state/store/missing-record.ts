import type { EntityInterface } from '../../define/schema/entity.ts';
import { Invalidate } from '../../define/schema/invalidate.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import { isRow } from '../tables/table.ts';
import type { Store } from './store.ts';
import type { WriteOptions } from './write-options.ts';

/** The read whose answer it was. */
type AnsweredRead = Required<Pick<WriteOptions, 'request' | 'answeredRequest'>>;

/**
 * Deletes a record of which the server has answered that it does not exist. Not if data of the record has arrived since the read was sent, or may still arrive from
 * a request that was sent before: the record may have been made again.
 */
export function deleteMissing(store: Store, entity: EntityInterface, pk: string, read: AnsweredRead): void {
  const { request } = read;
  const { confirmed, reading, tickets } = store.writer.core;
  const cell = reading.space.find(entity.key, pk);
  if (cell === undefined || !isRow(confirmed(cell).row) || tickets.isAnyOlder(request.issue)) return;
  // A stored row has a stamp.
  const { issue, latest } = confirmed(cell).stamp as Stamp;
  const isNewer = issue > request.issue || Number(latest) >= request.issue;
  if (!isNewer) store.write(new Invalidate(entity), pk, read);
}

/** Returns the issue of the request that brought a record last; `undefined` if the store has it only as a guess, or not at all. */
export function confirmedIssue(store: Store, table: string, pk: string): number | undefined {
  const { confirmed, reading } = store.writer.core;
  const cell = reading.space.find(table, pk);
  const known = cell && confirmed(cell);
  return isRow(known?.row) ? known?.stamp?.issue : undefined;
}

import type { CollectionKey } from './collection-key.ts';
import { isOrderUnknown, ListOrder } from './list-order.ts';
import { memberKind } from './list-related.ts';
import { Candidate } from './candidate.ts';
import type { FollowedCollection } from './list-rules.ts';
import type { RowAccess } from './record-view.ts';
import { INVALID } from './row.ts';

/** Returns the order of a list, if it is known. Maps have none. */
export function orderOf(collection: FollowedCollection, args: CollectionKey, rows: RowAccess): ListOrder | undefined {
  const { isMap, key, orderBy, schema } = collection;
  if (isMap || orderBy === undefined || isOrderUnknown(args, orderBy)) return undefined;
  return new ListOrder(key, args, orderBy, (member) => {
    const ref = schema.kinds.refOf(member);
    const row = ref && rows.getEntity(ref.table, ref.pk);
    if (row === undefined || row === INVALID) return undefined;
    return new Candidate(collection, { entity: memberKind(collection, ref?.table)[1], row, asked: [] }, rows);
  });
}

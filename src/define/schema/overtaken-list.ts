import { equalPlain } from '../../std/plain.ts';
import { indexIn, missingIn } from './collection-members.ts';
import type { NormalizeDelegate } from './delegate.ts';
import { pageIn } from './list-arguments.ts';
import { moveByOrder } from './list-place.ts';
import type { FollowedCollection } from './list-rules.ts';
import type { ListedMembers } from './list-writer.ts';
import { totalBeside } from './list-evidence.ts';
import { totalPk, totalsOf } from './total.ts';
import { ChangeRules } from './merge-rules.ts';
import { orderOf } from './order-of.ts';
import type { Row, StoredCollection } from './row.ts';
import type { Stamp } from './stamp.ts';
import { Trust } from './trust.ts';

/** Replaces the members of a list. The list is as fresh as the answer, and stays newer than other reads. */
class OvertakenRules extends ChangeRules {
  override merge(existing: unknown, incoming: unknown): unknown {
    return equalPlain(existing, incoming) ? existing : incoming;
  }

  override mergeMetaWithStore(known: Stamp, { date, expiresAt, fetchedAt, issue }: Stamp): Stamp {
    return { ...known, date, expiresAt, fetchedAt, sent: issue };
  }
}

/**
 * Stores a list that was requested before the stored list changed, by a message of a stream for example. A member about which something newer
 * than the answer is known stays in the list, or out of it. All others are those of the answer. An answer that may be from before a mutation is
 * left out, because it is requested again.
 */
export function mergeOvertaken(
  collection: FollowedCollection,
  { args, issue, pk, row }: StoredCollection,
  sentList: Row,
  delegate: NormalizeDelegate,
): void {
  const { meta } = delegate;
  if (issue >= meta.issue || !delegate.isCurrentRead) return;
  if (delegate.rowsOf(collection.key)(pk)?.stamp?.pages !== undefined) return;
  const isNewer = (member: unknown): boolean => {
    const ref = collection.schema.kinds.refOf(member);
    return ref !== undefined && Number(delegate.rowsOf(ref.table)(ref.pk)?.stamp?.issue) > meta.issue;
  };
  const [stored, sent] = [row, sentList] as [ListedMembers, ListedMembers];
  const gone = missingIn(stored, sent).filter(isNewer);
  const left = missingIn(gone, sent);
  const added = missingIn(sent, stored).filter(isNewer);
  const order = orderOf(collection, args, delegate);
  const all =
    order === undefined
      ? atEnds(stored, left, added, collection.create === 'first')
      : (moveByOrder(order)(left, added) as ListedMembers);
  delegate.mergeEntity(new OvertakenRules(collection.key), pk, inPage(collection, { args, pk }, all, delegate));
  const count = totalBeside(sentList) + added.length - gone.length;
  if (collection.total === undefined || Number.isNaN(count)) return;
  delegate.mergeEntity(new OvertakenRules(totalsOf(collection.key)), totalPk(collection, args), { count });
}

/** Adds members at the end of a list at which they are in the stored list. `isFirst`: the end if the lists have no other member in common. */
function atEnds(stored: ListedMembers, list: ListedMembers, added: ListedMembers, isFirst: boolean): ListedMembers {
  const start = stored.findIndex((member) => indexIn(list, member) >= 0);
  const isBefore = (member: unknown): boolean => (start < 0 ? isFirst : indexIn(stored, member) < start);
  return [...added.filter(isBefore), ...list, ...added.filter((member) => !isBefore(member))];
}

/** Cuts a page that is longer than its size, unless the cursor of the next page belongs to its last member. */
function inPage(
  collection: FollowedCollection,
  { args, pk }: Pick<StoredCollection, 'args' | 'pk'>,
  list: ListedMembers,
  delegate: NormalizeDelegate,
): ListedMembers {
  const size = pageIn(collection, args)?.size;
  if (size === undefined || list.length <= size) return list;
  const trust = Trust.in(collection.key, delegate);
  if (!trust.isAccompanied) return list.slice(0, size);
  delegate.onUndo(trust.restorer(pk, []));
  trust.noteGrown(pk);
  return list;
}

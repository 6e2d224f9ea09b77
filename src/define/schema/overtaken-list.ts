import { equalPlain } from '../../std/plain.ts';
import { Candidate } from './candidate.ts';
import type { CollectionKey } from './collection-key.ts';
import { indexIn, missingIn } from './collection-members.ts';
import { cutOf, stampWithoutPages, stampWithPages, withPages } from './collection-pages.ts';
import type { NormalizeDelegate } from './delegate.ts';
import { pageIn } from './list-arguments.ts';
import { moveByOrder } from './list-place.ts';
import { memberKind } from './list-related.ts';
import type { FollowedCollection } from './list-rules.ts';
import { type ListedMembers, ListWriter } from './list-writer.ts';
import { totalBeside } from './list-evidence.ts';
import { totalPk, totalsOf } from './total.ts';
import { ChangeRules } from './merge-rules.ts';
import { orderOf } from './order-of.ts';
import { INVALID, type Row, type StampedRow, type StoredCollection, type TableRef } from './row.ts';
import { sentOf, type Stamp } from './stamp.ts';
import { Trust } from './trust.ts';

/** Replaces the members of a list. The list is as fresh as the answer, and stays newer than other reads. */
class OvertakenRules extends ChangeRules {
  readonly #lists: readonly [list: ListedMembers, former: ListedMembers];

  /** `list` and `former`: the members of the answer and of the stored list, without those that have changed since the list was requested. */
  constructor(key: string, ...lists: readonly [list: ListedMembers, former: ListedMembers]) {
    super(key);
    this.#lists = lists;
  }

  override merge(existing: unknown, incoming: unknown): unknown {
    return equalPlain(existing, incoming) ? existing : incoming;
  }

  override mergeMetaWithStore(known: Stamp, incoming: Stamp, existing: ListedMembers, members: ListedMembers): Stamp {
    const { date, expiresAt, fetchedAt, issue: sent } = incoming;
    const { pages } = stampWithPages(incoming, known, ...this.#lists);
    const cut = cutOf(incoming, known, existing, members);
    const changed = { ...stampWithoutPages(known), date, expiresAt, fetchedAt, sent, cut };
    return pages === undefined ? changed : { ...changed, pages: { ...pages, without: changed.issue } };
  }
}

/**
 * Stores a list that was requested before the stored list changed, by a message of a stream for example. A member about which something newer
 * than the answer is known stays in the list, or out of it. All others, and the further pages, are as if the answer had come before the change.
 * An answer that may be from before a mutation is left out, because it is requested again.
 */
export function mergeOvertaken(
  collection: FollowedCollection,
  { args, issue, pk, row }: StoredCollection,
  sentList: Row,
  delegate: NormalizeDelegate,
): void {
  const { meta } = delegate;
  const known = delegate.rowsOf(collection.key)(pk)?.stamp as Stamp;
  if ((known.pages?.arrived ?? issue) >= meta.issue || !delegate.isCurrentRead) return;
  const [stored, sent] = [row, sentList] as [ListedMembers, ListedMembers];
  const place = { args, pk };
  const gone = missingIn(stored, sent).filter((member) => isGone(collection, place, member, delegate));
  const left = gone.length === 0 ? sent : missingIn(gone, sent);
  const paged = known.pages?.added.flatMap(([, members]) => members) ?? [];
  const changed = missingIn(paged, stored).filter((member) => newerRow(collection, member, delegate) !== undefined);
  const unchanged = missingIn(changed, stored);
  const former = unchanged.length === 0 ? stored : unchanged;
  const list = withPages(left, former, known, meta);
  const added = missingIn(list, changed);
  const order = orderOf(collection, args, delegate);
  const all =
    order === undefined
      ? atEnds(stored, list, added, collection.create === 'first')
      : (moveByOrder(order)(list, added) as ListedMembers);
  // Behind the last member of a page, others would be missing.
  const end = indexIn(all, list.at(-1)) + 1;
  const isCut = order !== undefined && known.pages !== undefined && end > 0;
  const whole = isCut ? all.slice(0, end) : inPage(collection, place, all, end, delegate);
  delegate.mergeEntity(new OvertakenRules(collection.key, left, former), pk, list.length > left.length ? all : whole);
  const count = totalBeside(sentList) + added.length - gone.length;
  if (collection.total === undefined || Number.isNaN(count)) return;
  delegate.mergeEntity(new OvertakenRules(totalsOf(collection.key), [], []), totalPk(collection, args), { count });
}

/** Doubts a list if a further page arrived without a newer record that belongs behind the members which were there before. */
export function doubtBehind(
  collection: FollowedCollection,
  { args, pk, row }: StoredCollection,
  delegate: NormalizeDelegate,
): void {
  const behind = Trust.in(collection.key, delegate).behind(pk);
  const isMissing = (member: unknown): boolean =>
    newerRow(collection, member, delegate) !== undefined && !isOut(collection, args, member, delegate);
  if (missingIn(row as ListedMembers, behind).some(isMissing)) delegate.doubtAlways(collection.key, pk);
}

/**
 * Removes members of an answer that have left the list since it was requested, and moves those that have changed to their places in its order. If the
 * last record of a page has changed, only the server knows whether others come before it.
 */
export function correctChanged(
  collection: FollowedCollection,
  { args, issue, pk }: StoredCollection,
  sentList: Row,
  delegate: NormalizeDelegate,
): void {
  const sent = sentList as ListedMembers;
  const { latest, meta } = delegate;
  const { row: stored, stamp } = delegate.rowsOf(collection.key)(pk) as StampedRow;
  const { pages } = stamp as Stamp;
  const isOfAnswer = sentOf(stamp as Stamp) === meta.issue || pages?.added.some(([at]) => at === meta.issue) === true;
  if (latest === meta.issue || !isOfAnswer) return;
  const row = stored as ListedMembers;
  const newer = sent.filter((one) => newerRow(collection, one, delegate) !== undefined);
  const changed = missingIn(missingIn(row, newer), newer);
  if (changed.length === 0) return;
  const list = { args, issue, pk, row };
  const lists = new ListWriter(collection, delegate, Trust.in(collection.key, delegate));
  lists.isOfRead = true;
  const gone = changed.filter((member) => isOut(collection, args, member, delegate));
  if (gone.length > 0) lists.leave(list, gone);
  const order = orderOf(collection, args, delegate);
  if (order === undefined) return;
  const isInOrder = order.isKept(row);
  const isComparable = (member: unknown): boolean => order.isKept([member]);
  if (!isInOrder && order.isSure) lists.place(list, missingIn(gone, changed).filter(isComparable));
  if (lists.partOf(list) !== undefined && changed.includes(sent.at(-1))) delegate.doubtAlways(collection.key, pk);
}

type ListPlace = Pick<StoredCollection, 'args' | 'pk'>;

/** Returns the row of a member, if it is newer than the answer. */
function newerRow(
  { schema }: FollowedCollection,
  member: unknown,
  delegate: NormalizeDelegate,
): StampedRow | undefined {
  const ref = schema.kinds.refOf(member);
  const found = ref && delegate.rowsOf(ref.table)(ref.pk);
  return Number(found?.stamp?.issue) > delegate.meta.issue ? found : undefined;
}

/** Returns whether a member of the answer has left the list since: it was deleted or removed, or belongs to other lists now. */
function isGone(
  collection: FollowedCollection,
  { args, pk }: ListPlace,
  member: unknown,
  delegate: NormalizeDelegate,
): boolean {
  const isNewer = newerRow(collection, member, delegate) !== undefined;
  const hasLeft = isNewer && Trust.in(collection.key, delegate).hasLeft(pk, member);
  return hasLeft || isOut(collection, args, member, delegate);
}

/** Returns whether a member of the answer was deleted since, or belongs to other lists now. Other tabs know this, but not which members were removed. */
function isOut(
  collection: FollowedCollection,
  args: CollectionKey,
  member: unknown,
  delegate: NormalizeDelegate,
): boolean {
  const found = newerRow(collection, member, delegate);
  if (found === undefined || found.row === INVALID) return found !== undefined;
  const { table } = collection.schema.kinds.refOf(member) as TableRef;
  const [, entity] = memberKind(collection, table);
  const is = new Candidate(collection, { entity, row: found.row as Row, asked: [] }, delegate);
  return is.belongsTo(args, Trust.in(collection.key, delegate)) === 'no';
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
  { args, pk }: ListPlace,
  list: ListedMembers,
  end: number,
  delegate: NormalizeDelegate,
): ListedMembers {
  const size = pageIn(collection, args)?.size;
  if (size === undefined || list.length <= size) return list;
  const trust = Trust.in(collection.key, delegate);
  if (!trust.isAccompanied && collection.hasPages !== true) return list.slice(0, size);
  delegate.onUndo(trust.restorer(pk, []));
  trust.noteGrown(pk);
  return list.slice(0, end);
}

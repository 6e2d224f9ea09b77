import { equalPlain } from '../../std/plain.ts';
import { Candidate } from './candidate.ts';
import type { CollectionKey } from './collection-key.ts';
import { indexIn, type ListedMembers, missingIn, push } from './collection-members.ts';
import { cutOf, stampWithoutPages, stampWithPages, withPages } from './collection-pages.ts';
import type { NormalizeDelegate } from './delegate.ts';
import { pageIn } from './list-arguments.ts';
import { moveByOrder } from './list-place.ts';
import { memberKind } from './list-related.ts';
import type { FollowedCollection } from './list-rules.ts';
import { ListWriter } from './list-writer.ts';
import { totalBeside } from './list-evidence.ts';
import { totalPk, totalsOf } from './total.ts';
import { ChangeRules } from './merge-rules.ts';
import { orderOf } from './order-of.ts';
import { INVALID, type Row, type StampedRow, type StoredCollection, type TableRef } from './row.ts';
import { sentOf, type Stamp } from './stamp.ts';
import { Trust } from './trust.ts';

/** Replaces the members of a list. The list becomes as fresh as the answer, and keeps its place in the order of requests. */
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
 * Stores an answer that was requested before the stored list changed, for example by a message of a stream. If the store has newer data of a
 * record than the answer, the newer data decides whether the record is in the list. The answer decides about all other records. Further pages
 * stay behind it. An answer that may be from before a mutation is ignored, because the list is requested again.
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
  const gone = missingIn(stored, sent).filter((member) => hasLeftSince(collection, place, member, delegate));
  const remaining = gone.length === 0 ? sent : missingIn(gone, sent);
  const furtherPages = known.pages?.added.flatMap(([, members]) => members) ?? [];
  const changed = missingIn(furtherPages, stored).filter(
    (member) => newerRow(collection, member, delegate) !== undefined,
  );
  const unchanged = missingIn(changed, stored);
  const former = unchanged.length === 0 ? stored : unchanged;
  const list = withPages(remaining, former, known, meta);
  const added = missingIn(list, changed);
  const order = orderOf(collection, args, delegate);
  const all =
    order === undefined
      ? addAtEnds(stored, list, added, collection.create === 'first')
      : (moveByOrder(order)(list, added) as ListedMembers);
  // The server may have other records between the last member of the page and a member behind it.
  const end = indexIn(all, list.at(-1)) + 1;
  const isCutAtEnd = order !== undefined && known.pages !== undefined && end > 0;
  const cut = isCutAtEnd ? all.slice(0, end) : cutToPage(collection, place, all, end, delegate);
  const hasFurtherPages = list.length > remaining.length;
  delegate.mergeEntity(new OvertakenRules(collection.key, remaining, former), pk, hasFurtherPages ? all : cut);
  const count = totalBeside(sentList) + added.length - gone.length;
  if (collection.total === undefined || Number.isNaN(count)) return;
  delegate.mergeEntity(new OvertakenRules(totalsOf(collection.key), [], []), totalPk(collection, args), { count });
}

/**
 * Adds newer records that a further page lacks, and that belong behind the members which were there before the page. Those that belong behind the page
 * too stay out of the list.
 */
export function joinBehind(collection: FollowedCollection, list: StoredCollection, delegate: NormalizeDelegate): void {
  const behind = Trust.in(collection.key, delegate).behind(list.pk);
  const isMissing = (member: unknown): boolean =>
    newerRow(collection, member, delegate) !== undefined &&
    !isDeletedOrElsewhere(collection, list.args, member, delegate);
  const members = missingIn(list.row as ListedMembers, behind).filter(isMissing);
  if (members.length === 0) return;
  // If the list has changed since the page was requested, it is not known whether the page is the last one.
  if (list.issue === delegate.meta.issue) new ListWriter(collection, delegate, true).join(list, members, push);
  else delegate.doubtAlways(collection.key, list.pk);
}

/**
 * Corrects the members of an answer that have changed since it was requested: removes those that no longer belong to the list, and moves the
 * others to their places in its order. If the last record of a page has changed, the list is in doubt: only the server knows whether other
 * records come before it.
 */
export function correctChangedMembers(
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
  if (latest === meta.issue || !delegate.isOutdated || !isOfAnswer) return;
  const row = stored as ListedMembers;
  const newer = sent.filter((one) => newerRow(collection, one, delegate) !== undefined);
  // Those that are still in the stored list.
  const changed = missingIn(missingIn(row, newer), newer);
  if (changed.length === 0) return;
  const list = { args, issue, pk, row };
  const lists = new ListWriter(collection, delegate, true);
  const gone = changed.filter((member) => isDeletedOrElsewhere(collection, args, member, delegate));
  if (gone.length > 0) lists.leave(list, gone);
  const order = orderOf(collection, args, delegate);
  if (order === undefined) return;
  const isInOrder = order.isKept(row);
  const isComparable = (member: unknown): boolean => order.isKept([member]);
  if (!isInOrder && order.isSure) lists.place(list, missingIn(gone, changed).filter(isComparable));
  if (lists.pageOf(list) !== undefined && changed.includes(sent.at(-1))) delegate.doubtAlways(collection.key, pk);
}

type ListPlace = Pick<StoredCollection, 'args' | 'pk'>;

/** Returns the stored row of a member, if it is newer than the answer. */
function newerRow(
  { schema }: FollowedCollection,
  member: unknown,
  delegate: NormalizeDelegate,
): StampedRow | undefined {
  const ref = schema.kinds.refOf(member);
  const found = ref && delegate.rowsOf(ref.table)(ref.pk);
  return Number(found?.stamp?.issue) > delegate.meta.issue ? found : undefined;
}

/** Returns whether a member of the answer has left the list since: it was removed or deleted, or belongs to other lists now. */
function hasLeftSince(
  collection: FollowedCollection,
  { args, pk }: ListPlace,
  member: unknown,
  delegate: NormalizeDelegate,
): boolean {
  const isNewer = newerRow(collection, member, delegate) !== undefined;
  const wasRemoved = isNewer && Trust.in(collection.key, delegate).hasLeft(pk, member);
  return wasRemoved || isDeletedOrElsewhere(collection, args, member, delegate);
}

/**
 * Returns whether a member of the answer was deleted since, or belongs to other lists now. Each tab knows this, whereas it knows only its own
 * removals of members.
 */
function isDeletedOrElsewhere(
  collection: FollowedCollection,
  args: CollectionKey,
  member: unknown,
  delegate: NormalizeDelegate,
): boolean {
  const found = newerRow(collection, member, delegate);
  if (found === undefined || found.row === INVALID) return found !== undefined;
  const { table } = collection.schema.kinds.refOf(member) as TableRef;
  const [, entity] = memberKind(collection, table);
  const candidate = new Candidate(collection, { entity, row: found.row as Row, asked: [] }, delegate);
  return candidate.belongsTo(args, Trust.in(collection.key, delegate)) === 'no';
}

/** Adds each member at that end of a list at which the stored list has it. `isFirst`: whether that is the start if the lists have no other member in common. */
function addAtEnds(stored: ListedMembers, list: ListedMembers, added: ListedMembers, isFirst: boolean): ListedMembers {
  const start = stored.findIndex((member) => indexIn(list, member) >= 0);
  const isBefore = (member: unknown): boolean => (start < 0 ? isFirst : indexIn(stored, member) < start);
  return [...added.filter(isBefore), ...list, ...added.filter((member) => !isBefore(member))];
}

/** Cuts a list that is longer than its page, unless the cursor of the next page belongs to its last member. */
function cutToPage(
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

import type { ListPage } from './argument-names.ts';
import type { CollectionKey } from './collection-key.ts';
import {
  type ListedMembers,
  assign,
  includes,
  type MergeMembers,
  missingIn,
  push,
  unshift,
  without,
} from './collection-members.ts';
import type { EditTarget } from './edited-member.ts';
import { pageIn } from './list-arguments.ts';
import type { Move } from './list-move.ts';
import { isOrderUnknown, type ListOrder } from './list-order.ts';
import { isFull, moveByOrder, placementIn, sizeOf } from './list-place.ts';
import type { FollowedCollection } from './list-rules.ts';
import { IssueOrder } from './joined-members.ts';
import { memberEdit } from './member-edit.ts';
import { endOf, isOwnMerge, MemberRules } from './member-rules.ts';
import { orderOf } from './order-of.ts';
import { PlacedMembers } from './placed-members.ts';
import type { NormalizeDelegate } from './delegate.ts';
import type { StoredCollection, TableRef } from './row.ts';
import { Trust } from './trust.ts';

/** A first page whose size only the server knows. */
const FIRST_PAGE: ListPage = { size: undefined, isFirst: true };

/** Adds, moves and removes members of the lists of a collection, or notes that a list is in doubt. `ListFollower` decides which of these. */
export class ListWriter {
  readonly #collection: FollowedCollection;
  readonly #delegate: NormalizeDelegate;
  readonly #trust: Trust;
  /** Whether the write is a read that changed records and created none. */
  isOfRead: boolean;

  constructor(collection: FollowedCollection, delegate: NormalizeDelegate, isOfRead = false) {
    this.#collection = collection;
    this.#delegate = delegate;
    this.#trust = Trust.in(collection.key, delegate);
    this.isOfRead = isOfRead;
  }

  /** Adds a changed record to a list. If the list has no order, only the server knows the index of the record, so the list is in doubt. */
  moveIn(list: StoredCollection, member: unknown): void {
    const isIndexKnown = this.#collection.isMap || this.#collection.orderBy !== undefined || sizeOf(list.row) === 0;
    this.join(list, [member], push);
    if (!isIndexKnown) this.doubt(list.pk);
  }

  /** Moves a changed record to its place in the order of a list. On a page, the record may now belong to another page, or may come from one. */
  sort(list: StoredCollection, member: unknown, move: Move): void {
    const { args, pk, row } = list;
    const order = this.orderOf(args);
    // Among records that are equal in this order, the record keeps its place.
    const mayMove = move.mayReorder(args, order);
    const isWhole = order !== undefined && this.pageOf(list) === undefined;
    if (order !== undefined && mayMove) {
      const isThere = includes(row, member);
      if (isThere && (isWhole || move.isUpward(order))) this.#placed.note(list, [member]);
      else if (!isWhole && move.in(args)[1] === 'yes') {
        if (isThere) this.leave(list, [member]);
        this.join(list, [member], push);
      }
    }
    if (order?.isSure === false || (mayMove && !isWhole)) this.doubt(pk);
  }

  /** Puts members of a list in their places. If the place of a member is behind all other members of a page, the member leaves the page. */
  place(list: StoredCollection, members: ListedMembers): void {
    if (this.pageOf(list) === undefined) return this.#placed.note(list, members);
    this.#merge(without, list.pk, members);
    this.join(list, members, push);
  }

  /** Puts the members that the write moves in their places. Called when all its changes were handled. */
  settle(): void {
    for (const { list, members } of this.#placed.take()) {
      const order = this.orderOf(list.args) as ListOrder;
      this.#merge(moveByOrder(order), list.pk, members);
      if (!order.isSure) this.doubt(list.pk);
    }
  }

  get #placed(): PlacedMembers {
    return PlacedMembers.in(this.#collection.key, this.#delegate);
  }

  /** Returns the page that the arguments of a list select, or `undefined` if the list is whole. A first page that is not full is whole. */
  pageOf(list: StoredCollection): ListPage | undefined {
    const { args, pk } = list;
    const isFirst = this.#trust.isFirst(pk, sizeOf(list.row));
    const page = pageIn(this.#collection, args) ?? (isFirst ? FIRST_PAGE : undefined);
    const isWhole = page?.isFirst === true && !isFull(page, list.row) && this.#trust.lastPage(pk) !== undefined;
    return isWhole ? undefined : page;
  }

  /**
   * Returns whether a record that a list lacks has its place in the list. That is always so for a whole list. For a page, the order decides:
   * false if the place is before the page, `undefined` if it is behind the page, or not known.
   */
  hasGapFor(list: StoredCollection, member: unknown): boolean | undefined {
    const page = this.pageOf(list);
    if (page === undefined) return true;
    const members = list.row as ListedMembers;
    const at = this.orderOf(list.args)?.indexFor(members, member) ?? members.length;
    return at < members.length ? page.isFirst === true || at > 0 : undefined;
  }

  /** Adds members to a list to which they belong: by its order, if it is known, or else by `merge`. */
  join(list: StoredCollection, members: ListedMembers, merge: MergeMembers): void {
    const { args, pk } = list;
    if (this.#collection.isMap) return this.#enter(list, members);
    const own = merge === push && this.#collection.create === 'first' ? unshift : merge;
    const order = this.orderOf(args);
    if (this.#delegate.source === 'guess' && (order !== undefined || isOwnMerge(own)))
      return this.edit(list, order === undefined ? (own === unshift ? 'first' : 'last') : 'ordered', members);
    const page = this.pageOf(list);
    const isLast = this.#trust.mayNameNext(pk);
    const isWholeToEnd = this.#trust.lastPage(pk) !== undefined;
    const isGrown = this.#trust.isGrown(pk);
    const isLonger = sizeOf(list.row) > Number(page?.size) && !isGrown;
    // From now on, a page follows. A guess does not note this: without the guess, the page may not be full.
    const addsAny = (): boolean => missingIn(list.row as ListedMembers, members).length > 0;
    if (page !== undefined && !isLonger && this.#delegate.source !== 'guess' && addsAny()) {
      this.#delegate.onUndo(this.#trust.restorer(pk, []));
      this.#trust.notePage(pk, true);
      if ((isLast || this.#trust.isAccompanied) && sizeOf(list.row) === page.size) this.#trust.noteGrown(pk);
    }
    const byIssue = IssueOrder.of(this.#collection.key, list, this.#delegate);
    const end = endOf(own);
    const placement = placementIn(list, page, {
      merge: (end && byIssue?.merge(end)) ?? own,
      isAtEnd: end === 'last' && byIssue?.hasLaterAtEnd(list.row) !== true,
      order,
      comesBefore: byIssue && ((other) => byIssue.isLater(other)),
      isOrderUnknown: isOrderUnknown(args, this.#collection.orderBy),
      isLast,
      hasPages: this.#collection.hasPages === true,
      isAccompanied: this.#trust.isAccompanied,
      isGrown,
      isRestored: !this.#trust.hasArrivedSince(pk, 0),
      isWholeToEnd,
    });
    const mayBeCut = page !== undefined && this.#collection.hasPages === true && placement.merge !== own;
    if (placement.merge !== undefined) {
      this.#merge(mayBeCut ? this.#notingBehind(placement.merge, pk) : placement.merge, pk, members, isOwnMerge(merge));
      const target = order === undefined ? end : 'ordered';
      if (target !== undefined) byIssue?.note(list.row, members, target);
      if (order !== undefined && page === undefined) this.#placed.note(list, members, true);
    } else if (mayBeCut) this.#trust.noteMembers(pk, 'behind', members);
    if (!placement.isCertain || order?.isSure === false) this.doubt(pk);
    else if (this.#delegate.source === 'mutation') this.#trust.noteJoined(pk, members, this.#delegate);
  }

  /** Returns a function that adds members as `merge` does, and notes those that are not on the page afterwards. */
  #notingBehind(merge: MergeMembers, pk: string): MergeMembers {
    return (existing: ListedMembers, incoming: ListedMembers) => {
      const merged = merge(existing, incoming) as ListedMembers;
      this.#trust.noteMembers(pk, 'behind', missingIn(merged, incoming));
      return merged;
    };
  }

  /** Edits the members of a list as a guess does. The list is not read. */
  edit({ args, pk }: StoredCollection, target: EditTarget, members: ListedMembers): void {
    const isJoining = target !== 'moved' && target !== 'out';
    const page = isJoining ? pageIn(this.#collection, args) : undefined;
    if (page !== undefined && page.isFirst !== true) return;
    this.#delegate.editEntity(this.#collection.key, pk, {
      repeat: memberEdit(target, this.#collection),
      incoming: members,
    });
  }

  /**
   * Adds members to a map under their pks, if the map uses pks as names. Otherwise only the server knows the names, so the map is in doubt.
   */
  #enter(map: StoredCollection, members: ListedMembers): void {
    if (!this.#trust.areNamesPks || this.pageOf(map) !== undefined) return this.doubt(map.pk);
    const { kinds } = this.#collection.schema;
    const entries = members.map((member) => [(kinds.refOf(member) as TableRef).pk, member] as const);
    this.#delegate.mergeEntity(
      new MemberRules(this.#collection.key, assign, true, this.isOfRead),
      map.pk,
      Object.fromEntries(entries),
    );
    if (this.#delegate.source === 'mutation') this.#trust.noteJoined(map.pk, members, this.#delegate);
  }

  /** Returns the order of a list, if it is known. */
  orderOf(args: CollectionKey): ListOrder | undefined {
    return orderOf(this.#collection, args, this.#delegate);
  }

  /** Removes members from a list. */
  leave(list: StoredCollection, members: ListedMembers): void {
    this.#merge(without, list.pk, members);
    this.#placed.note(list, []);
  }

  #merge(merge: MergeMembers, pk: string, members: ListedMembers, isOwn = true): void {
    this.#delegate.mergeEntity(new MemberRules(this.#collection.key, merge, isOwn, this.isOfRead), pk, members);
  }

  /** Notes that only the server knows the members of a list. */
  doubt(pk: string): void {
    this.#delegate.doubt(this.#collection.key, pk);
  }
}

import type { CollectionKey } from './collection-key.ts';
import { ListJoin } from './collection-members.ts';
import { isOrderUnknown, ListOrder } from './list-order.ts';
import { insertByOrder, isFull } from './list-place.ts';
import { kindOf } from './list-related.ts';
import { Candidate, type FollowedCollection, pageIn } from './list-rules.ts';
import type { RowAccess } from './record-view.ts';
import { INVALID, type RowPlace } from './schema.ts';
import { Trust } from './trust.ts';

type JoinedList = readonly unknown[];

/** Adds created members to the lists of a collection: in their order, or at one end. A page does not become longer than its size. */
class OrderedJoin extends ListJoin {
  readonly #collection: FollowedCollection;

  constructor(isAtStart: boolean, collection: FollowedCollection) {
    super(isAtStart);
    this.#collection = collection;
  }

  get readsRows(): boolean {
    return this.#collection.orderBy !== undefined;
  }

  override whole(list: JoinedList, members: JoinedList, place: RowPlace): JoinedList {
    const order = this.orderIn(place);
    return order === undefined
      ? super.whole(list, members, place)
      : (insertByOrder(order)(list, members) as JoinedList);
  }

  override orderIn({ args, getEntity }: RowPlace): ListOrder | undefined {
    return orderOf(this.#collection, args, { getEntity });
  }

  override mostIn(list: JoinedList, place: RowPlace): number {
    const page = pageIn(this.#collection, place.args);
    // Further pages may have been added to this list.
    if (page?.size === undefined || list.length > page.size) return Number.POSITIVE_INFINITY;
    if (this.isAtStart || this.orderIn(place) !== undefined) return page.size;
    // At the end of a page that others may follow, nothing is shown.
    const isLast = Trust.in(this.#collection.key, place).lastPage(place.pk) !== undefined;
    return isLast && !isFull(page, list) ? page.size : list.length;
  }
}

const JOINS = new WeakMap<FollowedCollection, readonly [atEnd: ListJoin, atStart: ListJoin]>();

/** Returns how created members join the lists of a collection. The same object for each guess, so that their edits are of one kind. */
export function joinOf(collection: FollowedCollection, isAtStart: boolean): ListJoin {
  let found = JOINS.get(collection);
  if (found === undefined)
    JOINS.set(collection, (found = [new OrderedJoin(false, collection), new OrderedJoin(true, collection)]));
  return found[isAtStart ? 1 : 0];
}

/** Returns the order of a list, if it is known. Maps have none. */
export function orderOf(collection: FollowedCollection, args: CollectionKey, rows: RowAccess): ListOrder | undefined {
  const { isMap, key, orderBy, schema } = collection;
  if (isMap || orderBy === undefined || isOrderUnknown(args, orderBy)) return undefined;
  return new ListOrder(key, args, orderBy, (member) => {
    const ref = schema.kinds.refOf(member);
    const row = ref && rows.getEntity(ref.table, ref.pk);
    if (row === undefined || row === INVALID) return undefined;
    return new Candidate(collection, { entity: kindOf(collection, ref?.table)[1], row, asked: [] }, rows);
  });
}

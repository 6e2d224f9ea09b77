import { moved, spliced } from '../../std/splice.ts';
import type { ListPage } from './argument-names.ts';
import type { ListOrder } from './list-order.ts';
import { includes, type MergeMembers, placeOfOnly, push, without } from './collection-members.ts';

type PlacedList = readonly unknown[];

/** Where new members of a list go. */
export interface Placing {
  /** What puts them into a list that has no order of its own. */
  readonly merge: MergeMembers;
  /** The order of the list, where it is known. */
  readonly order: ListOrder | undefined;
  /** Whether only the server knows the order of the list. */
  readonly isOrderUnknown: boolean;
}

/** What puts new members into a list, and whether the list is then what the server would send. */
export interface Placed {
  readonly merge: MergeMembers | undefined;
  readonly isCertain: boolean;
}

/** Whether a page is full, as far as its arguments say. */
export function isFull({ size }: ListPage, list: object): boolean {
  return size === undefined || sizeOf(list) >= size;
}

/** How many members there are. The names of all would be made first. */
export function sizeOf(members: object): number {
  return Array.isArray(members) ? members.length : Object.keys(members).length;
}

/** Puts new members into a list that is whole or, with `page`, into a page of a list where that is the one that they are on. */
export function placed(
  list: PlacedList,
  page: ListPage | undefined,
  { isOrderUnknown, merge: given, order }: Placing,
): Placed {
  const isCertain = !isOrderUnknown;
  const merge = order === undefined ? given : sortedIn(order);
  if (page === undefined) return { merge, isCertain };
  if (page.isFirst !== true) return { merge: undefined, isCertain: false };
  const { size } = page;
  if (size === undefined) return { merge, isCertain: false };
  // Further pages have joined this one.
  if (list.length > size) return { merge, isCertain };
  // It is on the last page.
  if (merge === push) return { merge: undefined, isCertain };
  return { merge: (existing, incoming) => (merge(existing, incoming) as PlacedList).slice(0, size), isCertain };
}

/** Puts a member that has changed into the place where it belongs now. */
export function movedIn(order: ListOrder): MergeMembers {
  const merge = sortedIn(order);
  return (existing: PlacedList, incoming: PlacedList) => {
    const [member] = incoming;
    const at = incoming.length === 1 ? placeOfOnly(existing, member) : undefined;
    if (at === undefined) return merge(without(existing, incoming), incoming);
    const place = order.placeIn(existing, member, at);
    return place === at ? existing : moved(existing, at, place);
  };
}

function sortedIn(order: ListOrder): MergeMembers {
  return (existing: PlacedList, incoming: PlacedList) =>
    incoming.reduce(
      (list: PlacedList, member) =>
        includes(list, member) ? list : spliced(list, order.placeIn(list, member), 0, [member]),
      existing,
    );
}

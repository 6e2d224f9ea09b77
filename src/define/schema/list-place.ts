import { copyOf, moved, spliced } from '../../std/splice.ts';
import type { ListPage } from './argument-names.ts';
import type { ListOrder } from './list-order.ts';
import {
  type ListedMembers,
  indexIn,
  type MergeMembers,
  missingIn,
  indexOfOnly,
  without,
} from './collection-members.ts';

/** The facts about a list that decide how new members are added to it. */
export interface PlacementOptions {
  /** Adds members to a list without an order. */
  readonly merge: MergeMembers;
  /** Whether `merge` adds at the end. */
  readonly isAtEnd: boolean;
  /** The order of the list, if it is known. */
  readonly order: ListOrder | undefined;
  /** Whether new members come before another one that is equal to them in this order. */
  readonly comesBefore: ((other: unknown) => boolean) | undefined;
  /** Whether only the server knows the order of the list. */
  readonly isOrderUnknown: boolean;
  /** Whether the list may be the last page, of which the answer would name the next page if there was one. */
  readonly isLast: boolean;
  /** Whether the answer may have other values beside the list, such as the cursor of the next page. */
  readonly isAccompanied: boolean;
  /** Whether further pages may be on their way to the list. */
  readonly hasPages: boolean;
  /** Whether no other members of the list exist behind the stored ones. */
  readonly isWholeToEnd: boolean;
  /** Whether the list has more members than a page because some joined it, and not because further pages were added. */
  readonly isGrown: boolean;
  /** Whether the list was restored: it is not known whether it is a last page, and which other values were beside it. */
  readonly isRestored: boolean;
}

/** How new members are added to one list. */
export interface Placement {
  /** Adds the members. `undefined` if they belong to another page, or may do so. */
  readonly merge: MergeMembers | undefined;
  /** Whether the result is what the server would send. */
  readonly isCertain: boolean;
}

/** Returns whether a page is full. Without a page size it counts as full. */
export function isFull({ size }: ListPage, list: object): boolean {
  return size === undefined || sizeOf(list) >= size;
}

/** Returns the number of members. For a list, its length: `Object.keys` would create the names of all. */
export function sizeOf(members: object): number {
  return Array.isArray(members) ? members.length : Object.keys(members).length;
}

/** Decides how to add new members to a whole list, or to one page of it. It reads the members of the list only for a page. */
export function placementIn(
  list: { readonly row: object },
  page: ListPage | undefined,
  {
    comesBefore,
    hasPages,
    isAccompanied,
    isAtEnd,
    isGrown,
    isOrderUnknown,
    isLast,
    isRestored,
    isWholeToEnd,
    merge: given,
    order,
  }: PlacementOptions,
): Placement {
  const isCertain = !isOrderUnknown;
  const merge = order === undefined ? given : insertByOrder(order, comesBefore);
  if (page === undefined) return { merge, isCertain };
  if (page.isFirst !== true) return { merge: undefined, isCertain: false };
  const { size } = page;
  if (size === undefined) return { merge, isCertain: false };
  const { length } = list.row as ListedMembers;
  // Further pages were added to this list.
  const isLonger = length > size && !isGrown;
  // A restored page that is not full is probably the last one.
  const isOpenAtEnd = isWholeToEnd || (isRestored && length < size);
  const isPageCertain = isCertain && (isLonger || !(isLast && length === size));
  // A member at the end belongs to the last page.
  if (order === undefined && isAtEnd)
    return {
      merge: isOpenAtEnd && (isLonger || length < size) ? merge : undefined,
      isCertain: isPageCertain && (isLonger || !isRestored),
    };
  const isCursorKnown = isLonger || !(isAccompanied || isRestored) || length < size;
  // The page may become longer than its size in these cases: the next page begins after its last member, so a list of both pages would have a
  // gap without this member; or it is the last page, so no next page would contain this member.
  const maxLength = isLonger || isAccompanied || isLast || hasPages ? Number.POSITIVE_INFINITY : size;
  return {
    merge: (existing: ListedMembers, incoming) => {
      const merged = merge(existing, incoming) as ListedMembers;
      // The server may have other records between the last member of the page and a member behind it.
      const end = order === undefined || isOpenAtEnd ? maxLength : indexIn(merged, existing.at(-1)) + 1;
      return merged.slice(0, Math.min(end, maxLength));
    },
    isCertain: isPageCertain && isCursorKnown,
  };
}

/** Returns a function that moves a changed member to its place in an order. */
export function moveByOrder(order: ListOrder): MergeMembers {
  const merge = insertByOrder(order);
  return (existing: ListedMembers, incoming: ListedMembers) => {
    const [member] = incoming;
    const at = incoming.length === 1 ? indexOfOnly(existing, member) : undefined;
    if (at === undefined) return merge(without(existing, incoming), incoming);
    const index = order.indexFor(existing, member, { without: at });
    return index === at ? existing : moved(existing, at, index);
  };
}

/** Returns a function that adds members to a list that does not have them yet, each at its place in an order. */
function insertByOrder(order: ListOrder, comesBefore?: (other: unknown) => boolean): MergeMembers {
  return (existing: ListedMembers, incoming: ListedMembers) => {
    const missing = missingIn(existing, incoming);
    if (missing.length === 0) return existing;
    if (missing.length === 1)
      return spliced(existing, order.indexFor(existing, missing[0], { comesBefore }), 0, missing);
    const made = copyOf(existing);
    for (const member of missing) made.splice(order.indexFor(made, member, { comesBefore }), 0, member);
    return made;
  };
}

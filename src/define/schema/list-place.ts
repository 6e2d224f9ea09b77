import { copyOf, moved, spliced } from '../../std/splice.ts';
import type { ListPage } from './argument-names.ts';
import type { ListOrder } from './list-order.ts';
import { indexIn, type MergeMembers, missingIn, indexOfOnly, without } from './collection-members.ts';

type Members = readonly unknown[];

/** How new members are added to a list. */
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
  /** Whether the list may be a last page, and its answer would name the next page if there was one. */
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
  const { length } = list.row as Members;
  // Further pages have been added to this list.
  const isLonger = length > size && !isGrown;
  const isOpen = isWholeToEnd || (isRestored && length < size);
  const isPageCertain = isCertain && (isLonger || !(isLast && length === size));
  // A member at the end belongs to the last page. A restored page with free space is probably the last one.
  if (order === undefined && isAtEnd)
    return {
      merge: isOpen && (isLonger || length < size) ? merge : undefined,
      isCertain: isPageCertain && (isLonger || !isRestored),
    };
  const isCursorKnown = isLonger || !(isAccompanied || isRestored) || length < size;
  // The next page begins after the last member. Without this member, a list of both pages would have a gap. A last page has no next page
  // that would bring it back.
  const most = isLonger || isAccompanied || isLast || hasPages ? Number.POSITIVE_INFINITY : size;
  return {
    merge: (existing: Members, incoming) => {
      const merged = merge(existing, incoming) as Members;
      // In an order, others may come before a member that is behind the last one.
      const end = order === undefined || isOpen ? most : indexIn(merged, existing.at(-1)) + 1;
      return merged.slice(0, Math.min(end, most));
    },
    isCertain: isPageCertain && isCursorKnown,
  };
}

/** Returns a function that moves a changed member to its place in an order. */
export function moveByOrder(order: ListOrder): MergeMembers {
  const merge = insertByOrder(order);
  return (existing: Members, incoming: Members) => {
    const [member] = incoming;
    const at = incoming.length === 1 ? indexOfOnly(existing, member) : undefined;
    if (at === undefined) return merge(without(existing, incoming), incoming);
    const index = order.indexFor(existing, member, { without: at });
    return index === at ? existing : moved(existing, at, index);
  };
}

/** Returns a function that adds members to a list that does not have them yet, each at its place in an order. */
function insertByOrder(order: ListOrder, comesBefore?: (other: unknown) => boolean): MergeMembers {
  return (existing: Members, incoming: Members) => {
    const missing = missingIn(existing, incoming);
    if (missing.length === 0) return existing;
    if (missing.length === 1)
      return spliced(existing, order.indexFor(existing, missing[0], { comesBefore }), 0, missing);
    const made = copyOf(existing);
    for (const member of missing) made.splice(order.indexFor(made, member, { comesBefore }), 0, member);
    return made;
  };
}

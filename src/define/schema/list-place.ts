import { spliced } from '../../std/splice.ts';
import { isSort, type Page } from './argument-names.ts';
import type { CollectionKey } from './collection-key.ts';
import type { Loose } from './infer.ts';
import { includes, type MergeMembers, push, without } from './members.ts';

type List = readonly unknown[];
type Order = ((one: Loose, other: Loose, key: CollectionKey) => number) | undefined;

/** Where new members of a list go. */
export interface Placing {
  readonly args: CollectionKey;
  /** What puts them into a list that has no order of its own. */
  readonly merge: MergeMembers;
  readonly orderBy?: Order;
  /** What stands for a member where it is compared; `undefined` where it is not there. */
  readonly viewOf: (member: unknown) => object | undefined;
}

/** What puts new members into a list, and whether the list is then what the server would send. */
export interface Placed {
  readonly merge: MergeMembers | undefined;
  readonly isCertain: boolean;
}

/** Whether nobody but the server knows the order in which a list with this key comes. */
export function isOrderUnknown(args: CollectionKey, orderBy: Order): boolean {
  return Object.keys(args).some(isSort) && (orderBy === undefined || orderBy.length < 3);
}

/** Whether a page is full, as far as its arguments say. */
export function isFull({ size }: Page, list: object): boolean {
  return size === undefined || Object.keys(list).length >= size;
}

/** Puts new members into a list that is whole or, with `page`, into a page of a list where that is the one that they are on. */
export function placed(list: List, page: Page | undefined, placing: Placing): Placed {
  const { args, orderBy } = placing;
  const isCertain = !isOrderUnknown(args, orderBy);
  const merge = sortedIn(placing) ?? placing.merge;
  if (page === undefined) return { merge, isCertain };
  if (page.isFirst !== true) return { merge: undefined, isCertain: false };
  const { size } = page;
  if (size === undefined) return { merge, isCertain: false };
  // Further pages have joined this one.
  if (list.length > size) return { merge, isCertain };
  // It is on the last page.
  if (merge === push) return { merge: undefined, isCertain };
  return { merge: (existing, incoming) => (merge(existing, incoming) as List).slice(0, size), isCertain };
}

/** Puts a member that has changed into the place where it belongs now; `undefined` where the list has no order of its own. */
export function movedIn(placing: Placing): MergeMembers | undefined {
  const merge = sortedIn(placing);
  return merge && ((existing: List, incoming: List) => merge(without(existing, incoming), incoming) as unknown);
}

function sortedIn(placing: Placing): MergeMembers | undefined {
  const { args, orderBy, viewOf } = placing;
  if (orderBy === undefined || isOrderUnknown(args, orderBy)) return undefined;
  return (existing: List, incoming: List) =>
    incoming.reduce((list: List, member) => {
      const view = viewOf(member);
      if (includes(list, member) || view === undefined) return push(list, [member]);
      const order = (other: unknown): number | undefined => {
        const compared = viewOf(other);
        return compared && orderBy(compared, view, args);
      };
      return spliced(list, placeIn(list, order), 0, [member]);
    }, existing);
}

/** The place behind the last member that does not come after. Those that are not there now have no order. */
function placeIn(list: List, order: (member: unknown) => number | undefined): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    let at = middle;
    let found = order(list[at]);
    while (found === undefined && ++at < high) found = order(list[at]);
    if (found === undefined || found > 0) high = middle;
    else low = at + 1;
  }
  return low;
}

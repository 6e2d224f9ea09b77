/** One stretch of a list that another took the place of. */
export interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly added: number;
}

type List = readonly unknown[];

/** How a list was made of another, so that the two need not be compared: that takes longer than making it. */
const origins = new WeakMap<List, { readonly from: List; readonly splice: Splice }>();

/** The one stretch in which two lists differ; `undefined` when they are the same. */
export function differenceOf(old: List, now: List): Splice | undefined {
  const origin = origins.get(now);
  if (origin?.from === old) {
    // Asked once: the list before is not to live as long as this one.
    origins.delete(now);
    return origin.splice;
  }
  const least = Math.min(old.length, now.length);
  let head = 0;
  while (head < least && old[head] === now[head]) head++;
  if (head === least && old.length === now.length) return undefined;
  let tail = 0;
  const most = least - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  return { at: head, removed: old.length - tail - head, added: now.length - tail - head };
}

/** Puts `items` into the place of the stretch, in the list itself; gives what was there. */
export function replaceStretch<T>(list: T[], { at, removed }: Splice, items: readonly T[]): readonly T[] {
  const gone = list.slice(at, at + removed);
  if (items.length <= removed) {
    for (let step = 0; step < items.length; step++) list[at + step] = items[step] as T;
    if (removed > items.length) list.splice(at + items.length, removed - items.length);
    return gone;
  }
  const rest = list.splice(at);
  for (const item of items) list.push(item);
  for (let step = removed; step < rest.length; step++) list.push(rest[step] as T);
  return gone;
}

/** So many items can be handed on as arguments. */
const MOST_ARGUMENTS = 64;

/** A copy of the list with `items` in the place of the stretch. */
export function withStretch(list: List, { at, removed }: Splice, items: List): unknown[] {
  if (at === list.length) return list.concat(items);
  // Copies what stays, and nothing twice.
  if (items.length <= MOST_ARGUMENTS) return list.toSpliced(at, removed, ...items);
  const copy = list.slice();
  replaceStretch(copy, { at, removed, added: items.length }, items);
  return copy;
}

/** As `withStretch`, for a list that takes the place of the one before: `differenceOf` knows how it was made. */
export function spliced(list: List, at: number, removed: number, items: List): List {
  const splice = { at, removed, added: items.length };
  const now = withStretch(list, splice, items);
  origins.delete(list);
  origins.set(now, { from: list, splice });
  return now;
}

/** What each item of a list stands for, in the order of the list: places are found by it, which is quicker than by text. */
export interface Members {
  readonly parts: readonly unknown[];
  /** Whether `parts` are those of this list now. */
  isLinkedTo(list: List): boolean;
  /** What an item stands for, whether or not the list holds it; `undefined` where that cannot be told. */
  memberOf(item: unknown): unknown;
}

const membersOf = new WeakMap<List, Members>();

/** From now on places in a list can be found by its members. */
export function setMembers(list: List, members: Members): void {
  membersOf.set(list, members);
}

/** Where a member stands in a list: -1 where it does not, `undefined` where that is not known or it stands there twice. */
export function placeOfMember(list: List, member: unknown): number | undefined {
  const known = membersOf.get(list);
  if (known?.isLinkedTo(list) !== true || member === undefined) return undefined;
  const at = known.parts.indexOf(member);
  return at >= 0 && known.parts.includes(member, at + 1) ? undefined : at;
}

/** Where the member that an item stands for is in a list, as `placeOfMember`. */
export function placeOf(list: List, item: unknown): number | undefined {
  return placeOfMember(list, membersOf.get(list)?.memberOf(item));
}

/** The list without `item`; `undefined` unless it holds it once. */
export function withoutOnly(list: List, item: unknown): List | undefined {
  const place = placeOf(list, item);
  if (place !== undefined && list[place] === item) return spliced(list, place, 1, []);
  const at = list.indexOf(item);
  return at < 0 || list.includes(item, at + 1) ? undefined : spliced(list, at, 1, []);
}

/** A change of a list: at index `at`, `removed` items were replaced by `added` items. */
export interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly added: number;
}

type PlainList = readonly unknown[];

/** How a list was made from another list. With it, the two lists need not be compared, which would take longer than making the copy did. */
interface SpliceOrigin {
  readonly from: PlainList;
  /** In the order in which they were applied. All but the last only remove items. */
  readonly splices: readonly Splice[];
}

const origins = new WeakMap<PlainList, SpliceOrigin>();

/** With more splices than this, comparing the two lists is faster than replaying the splices. */
const MOST_SPLICES = 16;

/**
 * Returns the splices that turn `old` into `now`, in the order in which they apply. All but the last only remove items.
 * Returns none if both lists hold the same items.
 */
export function differencesOf(old: PlainList, now: PlainList): readonly Splice[] {
  const origin = origins.get(now);
  if (origin?.from === old) {
    // Each origin is read once. Keeping it would keep the old list in memory as long as the new one.
    origins.delete(now);
    return origin.splices;
  }
  const least = Math.min(old.length, now.length);
  let head = 0;
  while (head < least && old[head] === now[head]) head++;
  if (head === least && old.length === now.length) return NONE;
  let tail = 0;
  const most = least - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  return [{ at: head, removed: old.length - tail - head, added: now.length - tail - head }];
}

const NONE: readonly Splice[] = [];

/** How many items are passed as arguments of one call. Engines limit the number of arguments. */
const MOST_ARGUMENTS = 64;

/** Applies a splice to the list itself. Returns the removed items. */
export function replaceStretch<T>(list: T[], { at, removed }: Splice, items: readonly T[]): readonly T[] {
  if (items.length <= MOST_ARGUMENTS) return list.splice(at, removed, ...items);
  const rest = list.splice(at);
  for (const item of items) list.push(item);
  for (let step = removed; step < rest.length; step++) list.push(rest[step] as T);
  rest.length = removed;
  return rest;
}

/** Copies a list. Engines are slow to `slice` a frozen array, and to spread an array that `map` made. */
export function copyOf<T>(list: readonly T[]): T[] {
  return Object.isFrozen(list) ? [...list] : list.slice();
}

/** Returns a copy of the list with a splice applied. */
export function withStretch(list: PlainList, { at, removed }: Splice, items: PlainList): unknown[] {
  if (items.length === 0) {
    const copy = copyOf(list);
    copy.splice(at, removed);
    return copy;
  }
  // `concat` allocates the full length at once, so nothing is copied twice. `toSpliced` is slow for frozen arrays and for those that `map` made.
  const copy = (Object.isFrozen(list) ? [...list] : list).concat(items);
  if (at === list.length) return copy;
  for (let last = 0; last < items.length; last++) copy.pop();
  replaceStretch(copy, { at, removed, added: items.length }, items);
  return copy;
}

/** As `withStretch`, and records the splice, so that `differencesOf` need not compare the copy with the list. */
export function spliced(list: PlainList, at: number, removed: number, items: PlainList): PlainList {
  const splice = { at, removed, added: items.length };
  const now = withStretch(list, splice, items);
  const { from, splices } = origins.get(list) ?? { from: list, splices: NONE };
  const isContinued = splices.length < MOST_SPLICES && splices.at(-1)?.added === 0;
  // The copy has a recorded origin that reaches further back, so the origin of `list` is not needed any more.
  origins.delete(list);
  origins.set(now, isContinued ? { from, splices: [...splices, splice] } : { from: list, splices: [splice] });
  return now;
}

/** Returns a copy with the item at `from` moved to `to`, an index in the list without that item. Records it for `differencesOf`. */
export function moved(list: PlainList, from: number, to: number): PlainList {
  const now = copyOf(list);
  now.splice(to, 0, ...now.splice(from, 1));
  origins.set(now, {
    from: list,
    splices: [
      { at: from, removed: 1, added: 0 },
      { at: to, removed: 0, added: 1 },
    ],
  });
  return now;
}

/** The members that the items of a list stand for, in the order of the list. Finding an index by member is faster than by text. */
export interface ListParts {
  readonly parts: readonly unknown[];
  /** Whether `parts` belong to this list now. */
  isLinkedTo(list: PlainList): boolean;
  /** The member that an item stands for, even if the list does not hold the item. `undefined` if it is not known. */
  memberOf(item: unknown): unknown;
  has(member: unknown): boolean;
  /** Whether the list may hold a member twice. */
  readonly hasRepeats: boolean;
}

const membersOf = new WeakMap<PlainList, ListParts>();

/** Lets `placeOfMember` find indexes in this list by member. */
export function setMembers(list: PlainList, members: ListParts): void {
  membersOf.set(list, members);
}

/** The index of a member in a list. -1 if the list does not hold it; `undefined` if the index is not known, or the list holds the member twice. */
export function placeOfMember(list: PlainList, member: unknown): number | undefined {
  const known = membersOf.get(list);
  if (known?.isLinkedTo(list) !== true || member === undefined) return undefined;
  if (!known.has(member)) return -1;
  const at = known.parts.indexOf(member);
  return known.hasRepeats && known.parts.includes(member, at + 1) ? undefined : at;
}

/** As `placeOfMember`, for the member that an item stands for. */
export function placeOf(list: PlainList, item: unknown): number | undefined {
  return placeOfMember(list, membersOf.get(list)?.memberOf(item));
}

/** Returns the list without `item`; `undefined` unless the list holds it exactly once. */
export function withoutOnly(list: PlainList, item: unknown): PlainList | undefined {
  const place = placeOf(list, item);
  if (place !== undefined && list[place] === item) return spliced(list, place, 1, []);
  const at = list.indexOf(item);
  return at < 0 || list.includes(item, at + 1) ? undefined : spliced(list, at, 1, []);
}

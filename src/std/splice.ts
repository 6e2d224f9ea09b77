import { NameIndex } from './name-index.ts';

/** A change of a list: at index `at`, `removed` items were replaced by `added` items. */
export interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly added: number;
}

type PlainList = readonly unknown[];

/** Facts about a list beside its items. */
interface ListFacts {
  /**
   * The list that it was made from. With it, the two lists need not be compared, which would take longer than making the copy did. `undefined`
   * after it was read once: keeping it would keep the old list in memory as long as the new one.
   */
  from: PlainList | undefined;
  /** In the order in which they were applied to `from`. All but the last only remove items. */
  splices: readonly Splice[];
  members: ListParts | undefined;
  /** The items by name, if many have been searched. Only the latest of several copies has them. */
  byName: NameIndex | undefined;
  /** How many items have been searched by name in it and the lists that it was made from. */
  searches: number;
  /** For an open list: the splices that were applied to it since it was opened. */
  open: Splice[] | undefined;
}

const facts = new WeakMap<PlainList, ListFacts>();

function factsOf(list: PlainList): ListFacts {
  let known = facts.get(list);
  if (known === undefined) {
    known = { from: undefined, splices: NONE, members: undefined, byName: undefined, searches: 0, open: undefined };
    facts.set(list, known);
  }
  return known;
}

/** With more splices than this, comparing the two lists is faster than replaying the splices. */
const MAX_SPLICES = 16;

/**
 * Returns the splices that turn `old` into `now`, in the order in which they apply. All but the last only remove items.
 * Returns none if both lists hold the same items.
 */
export function differencesOf(old: PlainList, now: PlainList): readonly Splice[] {
  const known = facts.get(now);
  if (known?.from === old) {
    known.from = undefined;
    return known.splices;
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
const MAX_ARGUMENTS = 64;

/** Applies a splice to the list itself. Returns the removed items. */
export function replaceStretch<T>(list: T[], { at, removed }: Splice, items: readonly T[]): readonly T[] {
  if (items.length <= MAX_ARGUMENTS) return list.splice(at, removed, ...items);
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

/** Copies a list, with room for more items: adding them allocates nothing. */
export function roomyCopyOf(list: PlainList, more: PlainList): unknown[] {
  if (more.length === 0) return copyOf(list);
  // `concat` allocates the full length at once. `toSpliced` takes three to four times as long for arrays of more than 16,000 items.
  const copy = (Object.isFrozen(list) ? [...list] : list).concat(more);
  for (let last = 0; last < more.length; last++) copy.pop();
  return copy;
}

/** Returns a copy of the list with a splice applied. */
export function withRange(list: PlainList, splice: Splice, items: PlainList): unknown[] {
  const copy = roomyCopyOf(list, items);
  replaceStretch(copy, splice, items);
  return copy;
}

/**
 * As `withRange`, and records the splice, so that `differencesOf` need not compare the copy with the list. Items are added to an open list itself,
 * which is then returned.
 */
export function spliced(list: PlainList, at: number, removed: number, items: PlainList): PlainList {
  const splice = { at, removed, added: items.length };
  const known = facts.get(list);
  if (known?.open !== undefined && removed === 0) {
    replaceStretch(list as unknown[], splice, items);
    known.open.push(splice);
    known.from = undefined;
    passNameIndex(list, list, [], at, items.length);
    return list;
  }
  const now = withRange(list, splice, items);
  const { from, splices = NONE } = known ?? {};
  // The copy refers to the list from which `list` was made, so `list` need not refer to it any more.
  if (known !== undefined) known.from = undefined;
  passNameIndex(list, now, list.slice(at, at + removed), at, items.length);
  const isContinued = from !== undefined && splices.length < MAX_SPLICES && splices.at(-1)?.added === 0;
  return isContinued ? withFacts(now, from, [...splices, splice]) : withFacts(now, list, [splice]);
}

/** Opens a list, if it was copied from another one and nothing else has the copy. Until it is closed, items are added to the list itself. */
export function openCopy(list: unknown, from: unknown): void {
  const known = facts.get(list as PlainList);
  if (known?.from === from && known !== undefined) known.open = [];
}

/** Closes a list, if it is open. Called before anything keeps the list. */
export function closeList(list: unknown): void {
  const known = facts.get(list as PlainList);
  if (known !== undefined) known.open = undefined;
}

/** Returns a function that returns a copy of an open list as it is now, without what is added later. `undefined` for other lists. */
export function restorerOf(list: unknown): (() => PlainList) | undefined {
  const open = facts.get(list as PlainList)?.open;
  const count = open?.length;
  return (
    open &&
    (() => {
      const restored = copyOf(list as PlainList);
      for (const { at, added } of open.slice(count).reverse()) restored.splice(at, added);
      return restored;
    })
  );
}

/** Returns a copy with the item at `from` moved to `to`, an index in the list without that item. Records it for `differencesOf`. */
export function moved(list: PlainList, from: number, to: number): PlainList {
  const now = [...list];
  const items = now.splice(from, 1);
  now.splice(to, 0, ...items);
  passNameIndex(list, now, items, to, 1);
  return withFacts(now, list, [
    { at: from, removed: 1, added: 0 },
    { at: to, removed: 0, added: 1 },
  ]);
}

/** Returns a copy with several splices applied, in order. All but the last must only remove items; the last adds `items`. Records them. */
export function splicedBy(list: PlainList, splices: readonly Splice[], items: PlainList): PlainList {
  const now = copyOf(list);
  for (const [at, splice] of splices.entries()) replaceStretch(now, splice, at < splices.length - 1 ? [] : items);
  return withFacts(now, list, splices);
}

/** Records how a list came from another one that holds other items. The splices are as for `splicedBy`. */
export function noteDifferences(list: PlainList, from: PlainList, splices: readonly Splice[]): PlainList {
  return withFacts(list, from, splices);
}

function withFacts(list: PlainList, from: PlainList, splices: readonly Splice[]): PlainList {
  const former = facts.get(from);
  // Otherwise each list would keep all earlier ones in memory.
  if (former !== undefined) former.from = undefined;
  const own = factsOf(list);
  own.from = from;
  own.splices = splices;
  return list;
}

/** A list that is shorter, or was searched fewer times, is searched item by item. */
const MIN_FOR_INDEX = 32;

/** Returns the index of an item by its name, or -1. `undefined` if the list has to be searched item by item. */
export function indexByName(list: PlainList, item: unknown, nameOf: (item: unknown) => unknown): number | undefined {
  if (list.length < MIN_FOR_INDEX) return undefined;
  const known = factsOf(list);
  if (known.searches++ === MIN_FOR_INDEX) {
    known.byName = NameIndex.of(list, nameOf);
    // The list, and each copy, has an item twice.
    if (known.byName === undefined) known.searches = Number.NEGATIVE_INFINITY;
  }
  return known.byName?.indexOf(list, item);
}

/** Passes the index by name on to a copy of a list from which items are `gone`, and which has `added` items from index `at` on. */
export function passNameIndex(list: PlainList, now: PlainList, gone: PlainList, at: number, added: number): void {
  const known = facts.get(list);
  if (known === undefined || known.searches === 0) return;
  const own = factsOf(now);
  const byName = known.byName?.replace(now, gone, at, added);
  // If there was no room for more labels, or another copy has them, the next search makes them again.
  own.searches = byName === undefined ? Math.min(known.searches, MIN_FOR_INDEX) : known.searches;
  known.byName = undefined;
  own.byName = byName;
}

/** The members that the items of a list refer to, in the order of the list. Finding an index by member is faster than by text. */
export interface ListParts {
  readonly parts: readonly unknown[];
  /** Whether `parts` belong to this list now. */
  isLinkedTo(list: PlainList): boolean;
  /** The member that an item refers to, even if the list does not hold the item. `undefined` if it is not known. */
  memberOf(item: unknown): unknown;
  has(member: unknown): boolean;
  /** Whether the list may hold a member twice. */
  readonly hasRepeats: boolean;
}

/** Lets `indexOfMember` find indexes in this list by member. */
export function setListParts(list: PlainList, members: ListParts): void {
  factsOf(list).members = members;
}

/** Returns the index of a member in a list. -1 if the list does not hold it; `undefined` if the index is not known, or the list holds the member twice. */
export function indexOfMember(list: PlainList, member: unknown): number | undefined {
  return indexAmong(list, facts.get(list)?.members, member);
}

/** As `indexOfMember`, for the member that an item refers to. */
export function indexOfItem(list: PlainList, item: unknown): number | undefined {
  const members = facts.get(list)?.members;
  return indexAmong(list, members, members?.memberOf(item));
}

function indexAmong(list: PlainList, known: ListParts | undefined, member: unknown): number | undefined {
  if (known?.isLinkedTo(list) !== true || member === undefined) return undefined;
  if (!known.has(member)) return -1;
  const at = known.parts.indexOf(member);
  return known.hasRepeats && known.parts.includes(member, at + 1) ? undefined : at;
}

/** Returns the list without `item`; `undefined` unless the list holds it exactly once. */
export function withoutOnly(list: PlainList, item: unknown): PlainList | undefined {
  const index = indexOfItem(list, item);
  if (index !== undefined && list[index] === item) return spliced(list, index, 1, []);
  const at = list.indexOf(item);
  return at < 0 || list.includes(item, at + 1) ? undefined : spliced(list, at, 1, []);
}

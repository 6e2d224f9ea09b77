/** One stretch of a list that another took the place of. */
export interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly added: number;
}

type PlainList = readonly unknown[];

/** How a list was made of another, so that the two need not be compared: that takes longer than making it. */
interface SpliceOrigin {
  readonly from: PlainList;
  /** One after the other. All but the last only remove. */
  readonly splices: readonly Splice[];
}

const origins = new WeakMap<PlainList, SpliceOrigin>();

/** With more splices than this, comparing is quicker. */
const MOST_SPLICES = 16;

/**
 * What makes the one list the other: stretches that take the place of others, one after the other, of which all but the last
 * only remove. None where the lists are the same.
 */
export function differencesOf(old: PlainList, now: PlainList): readonly Splice[] {
  const origin = origins.get(now);
  if (origin?.from === old) {
    // Asked once: the list before is not to live as long as this one.
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

/** So many items can be handed on as arguments. */
const MOST_ARGUMENTS = 64;

/** Puts `items` into the place of the stretch, in the list itself. Returns what was there. */
export function replaceStretch<T>(list: T[], { at, removed }: Splice, items: readonly T[]): readonly T[] {
  if (items.length <= MOST_ARGUMENTS) return list.splice(at, removed, ...items);
  const rest = list.splice(at);
  for (const item of items) list.push(item);
  for (let step = removed; step < rest.length; step++) list.push(rest[step] as T);
  rest.length = removed;
  return rest;
}

/** A copy, made as quickly as engines can: they are slow to `slice` what is frozen, and to spread what `map` has made. */
export function copyOf<T>(list: readonly T[]): T[] {
  return Object.isFrozen(list) ? [...list] : list.slice();
}

/** A copy of the list with `items` in the place of the stretch. */
export function withStretch(list: PlainList, { at, removed }: Splice, items: PlainList): unknown[] {
  if (items.length === 0) {
    const copy = copyOf(list);
    copy.splice(at, removed);
    return copy;
  }
  // Has room for all, and so nothing is copied twice. `toSpliced` would be slow where the list is frozen, or made by `map`.
  const copy = (Object.isFrozen(list) ? [...list] : list).concat(items);
  if (at === list.length) return copy;
  for (let last = 0; last < items.length; last++) copy.pop();
  replaceStretch(copy, { at, removed, added: items.length }, items);
  return copy;
}

/** As `withStretch`, for a list that takes the place of the one before: `differencesOf` knows how it was made. */
export function spliced(list: PlainList, at: number, removed: number, items: PlainList): PlainList {
  const splice = { at, removed, added: items.length };
  const now = withStretch(list, splice, items);
  const { from, splices } = origins.get(list) ?? { from: list, splices: NONE };
  const isContinued = splices.length < MOST_SPLICES && splices.at(-1)?.added === 0;
  // What another is made of now is not asked again how it was made.
  origins.delete(list);
  origins.set(now, isContinued ? { from, splices: [...splices, splice] } : { from: list, splices: [splice] });
  return now;
}

/** A copy of the list with an item in another place, counted without it; `differencesOf` knows how it was made. */
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

/** What each item of a list stands for, in the order of the list: places are found by it, which is quicker than by text. */
export interface ListParts {
  readonly parts: readonly unknown[];
  /** Whether `parts` are those of this list now. */
  isLinkedTo(list: PlainList): boolean;
  /** What an item stands for, whether or not the list holds it; `undefined` where that cannot be told. */
  memberOf(item: unknown): unknown;
  has(member: unknown): boolean;
  /** Whether a member may stand in the list twice. */
  readonly hasRepeats: boolean;
}

const membersOf = new WeakMap<PlainList, ListParts>();

/** From now on places in a list can be found by its members. */
export function setMembers(list: PlainList, members: ListParts): void {
  membersOf.set(list, members);
}

/** Where a member stands in a list: -1 where it does not, `undefined` where that is not known or it stands there twice. */
export function placeOfMember(list: PlainList, member: unknown): number | undefined {
  const known = membersOf.get(list);
  if (known?.isLinkedTo(list) !== true || member === undefined) return undefined;
  if (!known.has(member)) return -1;
  const at = known.parts.indexOf(member);
  return known.hasRepeats && known.parts.includes(member, at + 1) ? undefined : at;
}

/** Where the member that an item stands for is in a list, as `placeOfMember`. */
export function placeOf(list: PlainList, item: unknown): number | undefined {
  return placeOfMember(list, membersOf.get(list)?.memberOf(item));
}

/** The list without `item`; `undefined` unless it holds it once. */
export function withoutOnly(list: PlainList, item: unknown): PlainList | undefined {
  const place = placeOf(list, item);
  if (place !== undefined && list[place] === item) return spliced(list, place, 1, []);
  const at = list.indexOf(item);
  return at < 0 || list.includes(item, at + 1) ? undefined : spliced(list, at, 1, []);
}

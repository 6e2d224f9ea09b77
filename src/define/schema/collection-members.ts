import type { KeyFilter } from './collection-key.ts';
import { isObject } from './fields.ts';
import { withEntries, withoutEntries } from '../../std/entries.ts';
import { copyPlain } from '../../std/plain.ts';
import { placeOf, spliced, withoutOnly } from '../../std/splice.ts';
import type { Loose } from './infer-schema.ts';
import type { ListOrder } from './list-order.ts';
import { ChangeRules } from './merge-rules.ts';
import type { RepeatEdits, RowPlace } from './schema.ts';

/** Returns the new members of a collection, made from the present and the incoming ones. */
export type MergeMembers = (existing: Loose, incoming: Loose) => unknown;
/** Returns, for the arguments of a request, a filter for the collections that the request concerns. */
export type CollectionFilter = (...args: readonly unknown[]) => KeyFilter;

/** Merge rules that change the members of a stored collection, and never replace it as a whole. */
export class MemberRules extends ChangeRules {
  readonly #merge: MergeMembers;
  readonly #isOwn: boolean;
  readonly repeat: RepeatEdits | undefined;

  /** `isOwn`: `merge` is a function of this library, so it changes nothing in place. */
  constructor(
    key: string,
    merge: MergeMembers,
    isOwn: boolean = isOwnMerge(merge),
    isOfRead: boolean = false,
    repeat: RepeatEdits | undefined = REPEATS.get(merge),
  ) {
    super(key, isOfRead);
    this.#merge = merge;
    this.#isOwn = isOwn;
    this.repeat = repeat;
  }

  override merge(existing: unknown, incoming: unknown): unknown {
    if (this.#isOwn) return this.#merge(existing, incoming);
    // Copies, because a function of the application may change its arguments, or keep its result.
    return copyPlain(this.#merge(copyPlain(existing), copyPlain(incoming)));
  }
}

/** Adds incoming members at the end, except those that are in the list already. */
export function push(existing: readonly unknown[], incoming: readonly unknown[]): readonly unknown[] {
  const added = missingIn(existing, incoming);
  return added.length === 0 ? existing : spliced(existing, existing.length, 0, added);
}

/** Adds incoming members at the start, except those that are in the list already. */
export function unshift(existing: readonly unknown[], incoming: readonly unknown[]): readonly unknown[] {
  const added = missingIn(existing, incoming);
  return added.length === 0 ? existing : spliced(existing, 0, 0, added);
}

/** Sets entries of a map. */
export function assign(existing: object, incoming: object): object {
  return withEntries(existing, Object.entries(incoming));
}

/** Returns whether a list or a map has a member. */
export function includes(existing: object, member: unknown): boolean {
  if (Array.isArray(existing)) return indexIn(existing, member) >= 0;
  return Object.values(existing).some((other) => isSame(other, member));
}

/** Returns the index of a member in a list, from an index on, or -1. The member of a polymorphic list can be another object for each answer. */
export function indexIn(list: readonly unknown[], member: unknown, from: number = 0): number {
  const place = from === 0 ? placeIn(list, member) : undefined;
  if (place !== undefined) return place;
  const at = list.indexOf(member, from);
  if (at >= 0 || typeof member === 'string') return at;
  return list.findIndex((other, index) => index >= from && isSame(other, member));
}

/** Removes members from a list or a map. */
export function without(existing: object, leaving: object): object {
  const members: readonly unknown[] = Object.values(leaving);
  const names = namesOf(members);
  if (Array.isArray(existing)) {
    const place = members.length === 1 ? placeIn(existing, members[0]) : undefined;
    if (place !== undefined) return place < 0 ? existing : spliced(existing, place, 1, []);
    const rest = members.length === 1 && typeof members[0] === 'string' ? withoutOnly(existing, members[0]) : undefined;
    if (rest !== undefined) return rest;
    const left = existing.filter((member) => !names.has(nameOf(member)));
    return left.length === existing.length ? existing : left;
  }
  return withoutEntries(existing, (member) => names.has(nameOf(member)));
}

/** Returns whether `merge` is a function of this library. */
export function isOwnMerge(merge: MergeMembers): boolean {
  return REPEATS.has(merge);
}

/** Adds members at one end of a list. */
export class ListJoin implements RepeatEdits {
  readonly isAtStart: boolean;
  readonly isOnce: boolean = true;

  constructor(isAtStart: boolean) {
    this.isAtStart = isAtStart;
  }

  over(row: object, edits: readonly object[], place: RowPlace): object {
    const list = row as readonly unknown[];
    const made = this.whole(list, this.inTurn(edits as readonly (readonly unknown[])[]), place);
    const most = this.mostIn(list, place);
    return made.length > most ? made.slice(0, most) : made;
  }

  /** Returns the members of edits in the order in which they are added. */
  inTurn(edits: readonly (readonly unknown[])[]): readonly unknown[] {
    return this.isAtStart ? firstOfEach(edits).flatMap((members) => members.reverse()) : edits.flat();
  }

  /** Returns a list to which members are added one after the other, also those for which a page has no room. */
  whole(list: readonly unknown[], members: readonly unknown[], _place: RowPlace): readonly unknown[] {
    return this.isAtStart ? unshift(list, [...members].reverse()) : push(list, members);
  }

  /** Returns the order of a list, if its members have one. */
  orderIn(_place: RowPlace): ListOrder | undefined {
    return undefined;
  }

  /** Returns how many members a list may have when others have joined it. */
  mostIn(_list: readonly unknown[], _place: RowPlace): number {
    return Number.POSITIVE_INFINITY;
  }
}

/** Applies several edits of `push`. */
export const pushAll: ListJoin = new ListJoin(false);

/** Applies several edits of `unshift`. */
export const unshiftAll: ListJoin = new ListJoin(true);

/** Applies several edits of `assign`. */
export const assignAll: RepeatEdits = {
  over: (map: Loose, edits: readonly Loose[]) => assign(map, Object.fromEntries(edits.flatMap(Object.entries))),
};

/** Applies several edits of `without`. */
export const withoutAll: RepeatEdits = {
  isOnce: true,
  over: (members: Loose, edits: readonly Loose[]) => without(members, edits.flatMap(Object.values)),
};

/** The functions of this library, which change nothing in place. With each, how several of its edits are applied at once. */
const REPEATS: ReadonlyMap<unknown, RepeatEdits> = new Map<unknown, RepeatEdits>([
  [push, pushAll],
  [unshift, unshiftAll],
  [assign, assignAll],
  [without, withoutAll],
]);

/** Returns lists without the members that an earlier list has. */
function firstOfEach(lists: readonly (readonly unknown[])[]): unknown[][] {
  const known = new Set<unknown>();
  return lists.map((list) => list.filter((member) => known.size < known.add(nameOf(member)).size));
}

/** Returns the members that a list does not have, each once. */
export function missingIn(existing: readonly unknown[], incoming: readonly unknown[]): readonly unknown[] {
  const [only] = incoming;
  if (incoming.length === 1) return includes(existing, only) ? [] : incoming;
  const missing = new Map<unknown, unknown>();
  for (const member of incoming) if (!missing.has(nameOf(member))) missing.set(nameOf(member), member);
  for (const member of existing) missing.delete(nameOf(member));
  return [...missing.values()];
}

/** Returns the index of a member in a shown list, -1 if it is not there, or `undefined` if the list has no index of its members. */
function placeIn(list: readonly unknown[], member: unknown): number | undefined {
  const place = placeOf(list, member);
  return place === undefined || place < 0 || isSame(list[place], member) ? place : undefined;
}

/** Returns the index of a member, or `undefined` if the list does not have it, or has it more than once. */
export function placeOfOnly(list: readonly unknown[], member: unknown): number | undefined {
  const place = placeIn(list, member);
  if (place !== undefined) return place < 0 ? undefined : place;
  const isIt = (other: unknown): boolean => isSame(other, member);
  const at = list.findIndex(isIt);
  return at >= 0 && list.findLastIndex(isIt) === at ? at : undefined;
}

function namesOf(members: readonly unknown[]): Set<unknown> {
  return new Set(members.map(nameOf));
}

/** Returns whether two members have the same name. Most comparisons make no name. */
export function isSame(one: unknown, other: unknown): boolean {
  if (isMemberRef(one) && isMemberRef(other)) return one.id === other.id && one.schema === other.schema;
  return nameOf(one) === nameOf(other);
}

function isMemberRef(member: unknown): member is Record<'id' | 'schema', string> {
  return isObject(member) && typeof member['schema'] === 'string' && typeof member['id'] === 'string';
}

/**
 * Returns a value that is equal for the same member. A member of a polymorphic collection is a new object for each response, so its JSON is
 * compared.
 */
export function nameOf(member: unknown): unknown {
  return isObject(member) && 'schema' in member ? JSON.stringify([member['schema'], member['id']]) : member;
}

import type { KeyFilter } from './collection-key.ts';
import { isObject } from './fields.ts';
import { withEntries, withoutEntries } from '../../std/map-entries.ts';
import { indexByName, indexOfItem, spliced } from '../../std/splice.ts';
import type { Loose } from './infer-schema.ts';

/** The members of a list in their stored form. */
export type ListedMembers = readonly unknown[];
/** Returns the new members of a collection, made from the present and the incoming ones. */
export type MergeMembers = (existing: Loose, incoming: Loose) => unknown;
/** Returns, for the arguments of a request, a filter for the collections that the request concerns. */
export type CollectionFilter = (...args: readonly unknown[]) => KeyFilter;

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
  return Object.values(existing).some((other) => isSameMember(other, member));
}

/** Returns the index of a member in a list, from an index on, or -1. The member of a polymorphic list can be another object for each answer. */
export function indexIn(list: readonly unknown[], member: unknown, from: number = 0): number {
  const known = from === 0 ? knownIndexOf(list, member) : undefined;
  if (known !== undefined) return known;
  const at = list.indexOf(member, from);
  if (at >= 0 || typeof member === 'string') return at;
  return list.findIndex((other, index) => index >= from && isSameMember(other, member));
}

/** Removes members from a list or a map. */
export function without(existing: object, leaving: object): object {
  const members: readonly unknown[] = Object.values(leaving);
  if (Array.isArray(existing) && members.length === 1) {
    const at = indexIn(existing, members[0]);
    if (at < 0) return existing;
    if (!isRepeated(existing, members[0], at)) return spliced(existing, at, 1, []);
  }
  const names = namesOf(members);
  if (Array.isArray(existing)) {
    const left = existing.filter((member) => !names.has(memberName(member)));
    return left.length === existing.length ? existing : left;
  }
  return withoutEntries(existing, (member) => names.has(memberName(member)));
}

/** In a list that is this many times as long, each member is searched. The list may have an index. */
const MIN_TIMES_LONGER = 32;

/** Returns the members that a list does not have, each once. */
export function missingIn(existing: readonly unknown[], incoming: readonly unknown[]): readonly unknown[] {
  const [only] = incoming;
  if (incoming.length === 1) return includes(existing, only) ? [] : incoming;
  const missing = new Map<unknown, unknown>();
  for (const member of incoming) if (!missing.has(memberName(member))) missing.set(memberName(member), member);
  if (incoming.length * MIN_TIMES_LONGER < existing.length) {
    for (const [name, member] of missing) if (indexIn(existing, member) >= 0) missing.delete(name);
  } else for (const member of existing) missing.delete(memberName(member));
  return [...missing.values()];
}

/** Returns the index of a member, -1 if it is not there, or `undefined` if the list has no index of its members. */
function knownIndexOf(list: readonly unknown[], member: unknown): number | undefined {
  const index = indexOfItem(list, member);
  if (index === undefined) return indexByName(list, member, memberName);
  return index < 0 || isSameMember(list[index], member) ? index : undefined;
}

/** Returns the index of a member, or `undefined` if the list does not have it, or has it more than once. */
export function indexOfOnly(list: readonly unknown[], member: unknown): number | undefined {
  const index = knownIndexOf(list, member) ?? indexIn(list, member);
  return index < 0 || isRepeated(list, member, index) ? undefined : index;
}

/** Returns how often a list has a member: 0, 1, or 2 for more than once. */
export function countIn(list: readonly unknown[], member: unknown): number {
  const at = indexIn(list, member);
  if (at < 0) return 0;
  return isRepeated(list, member, at) ? 2 : 1;
}

/** Returns whether a list has a member again after an index. */
function isRepeated(list: readonly unknown[], member: unknown, at: number): boolean {
  // The index of a list that knows its members is that of the only one.
  return knownIndexOf(list, member) === undefined && indexIn(list, member, at + 1) >= 0;
}

function namesOf(members: readonly unknown[]): Set<unknown> {
  return new Set(members.map(memberName));
}

/** Returns whether two members have the same name. Most comparisons make no name. */
export function isSameMember(one: unknown, other: unknown): boolean {
  if (isMemberRef(one) && isMemberRef(other)) return one.id === other.id && one.schema === other.schema;
  return memberName(one) === memberName(other);
}

function isMemberRef(member: unknown): member is Record<'id' | 'schema', string> {
  return isObject(member) && typeof member['schema'] === 'string' && typeof member['id'] === 'string';
}

/**
 * Returns a value that is equal for the same member. A member of a polymorphic collection is a new object for each response, so its JSON is
 * compared.
 */
export function memberName(member: unknown): unknown {
  return isObject(member) && 'schema' in member ? JSON.stringify([member['schema'], member['id']]) : member;
}

import type { CollectionKey } from './collection-key.ts';
import { setField } from './fields.ts';
import type { Loose } from './infer.ts';
import { type FileItem, inputInvalid, type Kinds, type MemberRef } from './polymorphic.ts';
import { RowRules } from './row-rules.ts';
import { type DenormalizeDelegate, INVALID, type NormalizeDelegate, type SchemaSimple } from './schema.ts';
import { fileEntries } from './values.ts';

/** Makes the members of a collection out of those it has and those that come. */
export type MergeMembers = (existing: Loose, incoming: Loose) => Loose;
/** Says for the arguments of a request which collections it is about. */
export type CollectionFilter = (...args: Loose[]) => (collectionKey: Loose) => boolean;

/** What is said of a collection to the schemas that change its members. */
export interface MembersOf {
  readonly key: string;
  readonly kinds: Kinds;
  /** Whether members have keys of their own (Values), or an order (an array). */
  readonly isMap: boolean;
  readonly createCollectionFilter: CollectionFilter;
}

/** Changes the members of stored collections, and never replaces a collection as a whole. */
export class MemberRules extends RowRules {
  override readonly key: string;
  readonly #merge: MergeMembers;

  constructor(key: string, merge: MergeMembers) {
    super();
    this.key = key;
    this.#merge = merge;
  }

  override merge(existing: Loose, incoming: Loose): unknown {
    return this.#merge(existing, incoming);
  }

  /** A member comes or goes whether the list is older or newer: the list could not know of it. */
  override mergeWithStore(_existingMeta: unknown, _incomingMeta: unknown, existing: Loose, incoming: Loose): unknown {
    return typeof existing === typeof incoming ? this.merge(existing, incoming) : incoming;
  }
}

/** Files one record and gives the member that a collection holds for it. */
export type FileMember = (value: unknown, parent: unknown, key: string | undefined) => unknown;

/** What `push`, `unshift`, `assign`, `remove` and `move` of a collection have in common. */
export abstract class MemberSchema<Value> implements SchemaSimple {
  declare readonly '~types': {
    readonly value: Value;
    readonly nullable: Value | undefined;
    readonly stored: unknown;
    readonly args: undefined;
  };
  readonly collection: MembersOf;

  constructor(collection: MembersOf) {
    this.collection = collection;
  }

  abstract normalize(input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): unknown;

  /** One record for one, a list for a list. */
  denormalize(stored: unknown, delegate: DenormalizeDelegate): Loose {
    const { kinds, isMap } = this.collection;
    if (Array.isArray(stored)) return stored.map((member) => kinds.read(member, delegate)).filter(isThere);
    if (!isMap || typeof stored !== 'object' || stored === null) return kinds.read(stored, delegate);
    const values = {};
    for (const [name, member] of Object.entries(stored)) {
      const value = kinds.read(member, delegate);
      if (isThere(value)) setField(values, name, value);
    }
    return values;
  }

  queryKey(): undefined {
    return undefined;
  }

  /** Files what came: the members in the form in which collections hold them, and what stays in the result. */
  protected file(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    file: FileMember,
  ): { readonly members: Loose; readonly stored: unknown } {
    if (this.collection.isMap) {
      const members = fileEntries(input, file);
      return { members, stored: members };
    }
    if (Array.isArray(input)) {
      const stored = input.map((value) => file(value, parent, key));
      return { members: stored.filter(isMember), stored };
    }
    if (input === undefined || input === null) throw inputInvalid('A record', input, this.collection.key);
    const stored = file(input, parent, key);
    return { members: [stored].filter(isMember), stored };
  }

  /** Merges into every stored collection whose key passes. */
  protected mergeInto(
    rules: MemberRules,
    members: Loose,
    isMeant: (key: CollectionKey) => boolean,
    delegate: NormalizeDelegate,
  ): void {
    // Found first, merged after: merging changes what is being gone through.
    const meant: string[] = [];
    for (const { pk, args } of delegate.getCollections(rules.key)) if (isMeant(args)) meant.push(pk);
    for (const pk of meant) delegate.mergeEntity(rules, pk, members);
  }
}

/** Files through `visit` or `create` of the walk. */
export function memberFile(kinds: Kinds, file: FileItem): FileMember {
  return (value, parent, key) => kinds.file(file, value, parent, key);
}

/** Puts those that are not there yet behind the others. */
export function push(existing: readonly unknown[], incoming: readonly unknown[]): readonly unknown[] {
  const added = missingIn(existing, incoming);
  return added.length === 0 ? existing : [...existing, ...added];
}

/** Puts those that are not there yet before the others. */
export function unshift(existing: readonly unknown[], incoming: readonly unknown[]): readonly unknown[] {
  const added = missingIn(existing, incoming);
  return added.length === 0 ? existing : [...added, ...existing];
}

/** Sets entries of a map. */
export function assign(existing: object, incoming: object): object {
  return { ...existing, ...incoming };
}

/** Takes members out, of a list or of a map. */
export function without(existing: object, leaving: object): object {
  const names = namesOf(Object.values(leaving));
  if (Array.isArray(existing)) {
    const left = existing.filter((member) => !names.has(nameOf(member)));
    return left.length === existing.length ? existing : left;
  }
  const left = {};
  for (const [key, member] of Object.entries(existing)) if (!names.has(nameOf(member))) setField(left, key, member);
  return left;
}

function missingIn(existing: readonly unknown[], incoming: readonly unknown[]): readonly unknown[] {
  const names = namesOf(existing);
  const missing: unknown[] = [];
  for (const member of incoming) {
    const name = nameOf(member);
    if (names.has(name)) continue;
    names.add(name);
    missing.push(member);
  }
  return missing;
}

function namesOf(members: readonly unknown[]): Set<unknown> {
  return new Set(members.map(nameOf));
}

/** Tells members apart by what they refer to. A member of several kinds is an object, made anew for each response. */
function nameOf(member: unknown): unknown {
  if (typeof member !== 'object' || member === null || !('schema' in member)) return member;
  const { id, schema } = member as MemberRef;
  return JSON.stringify([schema, id]);
}

function isMember(member: unknown): boolean {
  return member !== undefined && member !== null;
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== INVALID;
}

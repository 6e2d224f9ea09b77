import { type CollectionKey, equalityFilter } from './collection-key.ts';
import { isObject } from './fields.ts';
import type { SchemaTypes } from './infer-schema.ts';
import { IssueOrder } from './joined-members.ts';
import { ListFollower } from './list-follow.ts';
import { selects } from './list-arguments.ts';
import type { FollowedCollection } from './list-rules.ts';
import type { CollectionFilter, MergeMembers } from './collection-members.ts';
import { MemberRules } from './member-rules.ts';
import { inputInvalid } from './input-invalid.ts';
import { type Kinds } from './polymorphic.ts';
import type { CollectionQuery, DenormalizeDelegate, NormalizeDelegate } from './delegate.ts';
import type { SchemaSimple } from './schema.ts';
import { Trust } from './trust.ts';
import { normalizeEntries, Values } from './values.ts';

/** The part of a collection that schemas use to change its members. */
export interface ChangeableCollection {
  readonly key: string;
  /** The schema of a list, whose members have an order, or of a map, whose members have names. */
  readonly schema: SchemaSimple & { readonly kinds: Kinds };
  readonly createCollectionFilter: CollectionFilter;
  /** The rules for which records belong to its lists. `undefined` if the collection has a filter of its own. */
  lists(): FollowedCollection | undefined;
}

/** The schema of a response whose records join or leave stored collections. */
export abstract class MemberSchema<Value> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<Value, Value | undefined, unknown, undefined>;
  readonly collection: ChangeableCollection;

  constructor(collection: ChangeableCollection) {
    this.collection = collection;
  }

  abstract normalize(input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): unknown;

  /** Returns one record for one, and a list for a list. */
  denormalize(stored: unknown, delegate: DenormalizeDelegate): unknown {
    const { schema } = this.collection;
    return Array.isArray(stored) || (this.isMap && isObject(stored))
      ? schema.denormalize(stored, delegate)
      : schema.kinds.read(stored, delegate);
  }

  queryKey(): undefined {
    return undefined;
  }

  /** Whether the members have names. */
  get isMap(): boolean {
    return this.collection.schema instanceof Values;
  }

  /** Normalizes the response. Returns the members as collections store them, and the form for the result. */
  protected normalizeMembers(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    normalizeOne: (value: unknown, parent: unknown, key: string | undefined) => unknown,
  ): { readonly members: object; readonly stored: unknown } {
    if (this.isMap) {
      const members = normalizeEntries(input, normalizeOne);
      return { members, stored: members };
    }
    if (input === undefined || input === null) throw inputInvalid('A record', input, this.collection.key);
    const stored = Array.isArray(input)
      ? input.map((value) => normalizeOne(value, parent, key))
      : normalizeOne(input, parent, key);
    return { members: (Array.isArray(stored) ? stored : [stored]).filter(isMember), stored };
  }

  /** Merges members into every stored collection whose key passes `isMeant`. */
  protected mergeInto(
    rules: MemberRules,
    members: object,
    isMeant: (key: CollectionKey) => boolean,
    delegate: NormalizeDelegate,
    query: CollectionQuery | undefined,
  ): void {
    for (const list of delegate.getCollections(rules.key, query)) {
      if (!isMeant(list.args)) continue;
      const { end, key } = rules;
      if (rules.isRemoval) Trust.in(key, delegate).noteMembers(list.pk, 'left', Object.values(members));
      const byIssue = end && IssueOrder.of(key, list, delegate);
      delegate.mergeEntity(byIssue ? new MemberRules(key, byIssue.merge(end), true) : rules, list.pk, members);
      if (end !== undefined) byIssue?.note(list.row, Object.values(members), end);
    }
  }
}

/** How the records of a response change collections. */
export interface CollectionChange {
  readonly merge: MergeMembers;
  /** `create`: records without a pk get a temporary one. */
  readonly method: 'create' | 'visit';
  /** Selects the collections to change. Default: the filter of the collection. */
  readonly createFilter?: CollectionFilter | undefined;
}

/** Records that join or leave every collection that the arguments select. A record that leaves stays stored. */
export class MemberChange<Value = unknown> extends MemberSchema<Value> {
  /** @internal */
  readonly changesMembers: true = true;
  readonly #rules: MemberRules;
  readonly #change: CollectionChange;

  constructor(collection: ChangeableCollection, change: CollectionChange) {
    super(collection);
    this.#rules = new MemberRules(collection.key, change.merge);
    this.#change = change;
  }

  override normalize(input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): unknown {
    const { schema } = this.collection;
    const { method, createFilter, merge } = this.#change;
    const { members, stored } = this.normalizeMembers(input, parent, key, (value, of, at) =>
      schema.kinds.normalize(delegate, value, of, at, method),
    );
    const own = createFilter === undefined ? this.collection.lists() : undefined;
    const lists = own && ((delegate.decidingCollection(own.key) as FollowedCollection | undefined) ?? own);
    if (lists !== undefined && method === 'create' && !this.isMap) {
      new ListFollower(lists, delegate).create(members as readonly unknown[], merge);
      return stored;
    }
    const filter = lists
      ? equalityFilter(delegate.args.slice(0, 2), (name) => selects(lists, name))
      : (createFilter ?? this.collection.createCollectionFilter)(...delegate.args);
    this.mergeInto(this.#rules, members, filter, delegate, filter.query);
    return stored;
  }
}

function isMember(member: unknown): boolean {
  return member !== undefined && member !== null;
}

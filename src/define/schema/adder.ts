import {
  type CollectionFilter,
  memberFile,
  MemberRules,
  MemberSchema,
  type MembersOf,
  type MergeMembers,
  without,
} from './members.ts';
import type { NormalizeDelegate } from './schema.ts';

/** Records that are created, and join every collection that the arguments are about. */
export class Adder<Value = unknown> extends MemberSchema<Value> {
  readonly #rules: MemberRules;
  readonly #createFilter: CollectionFilter;

  constructor(collection: MembersOf, merge: MergeMembers, createFilter?: CollectionFilter) {
    super(collection);
    this.#rules = new MemberRules(collection.key, merge);
    this.#createFilter = createFilter ?? ((...args) => collection.createCollectionFilter(...args));
  }

  override normalize(input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): unknown {
    const create = memberFile(this.collection.kinds, (schema, value, of, at) => delegate.create(schema, value, of, at));
    const { members, stored } = this.file(input, parent, key, create);
    this.mergeInto(this.#rules, members, this.#createFilter(...delegate.args), delegate);
    return stored;
  }
}

/** Records that leave every collection that the arguments are about. The records themselves stay. */
export class Remover<Value = unknown> extends MemberSchema<Value> {
  readonly #rules: MemberRules;

  constructor(collection: MembersOf) {
    super(collection);
    this.#rules = new MemberRules(collection.key, without);
  }

  override normalize(input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): unknown {
    const visit = memberFile(this.collection.kinds, (schema, value, of, at) => delegate.visit(schema, value, of, at));
    const { members, stored } = this.file(input, parent, key, visit);
    this.mergeInto(this.#rules, members, this.collection.createCollectionFilter(...delegate.args), delegate);
    return stored;
  }
}

import { isEntity } from './entity.ts';
import type { KeyFilter } from './collection-key.ts';
import { isObject } from './fields.ts';
import { type ChangeableCollection, MemberSchema } from './collection-change.ts';
import { type MergeMembers, without } from './collection-members.ts';
import { MemberRules } from './member-rules.ts';
import { pkIfAny, pkOf } from './pk.ts';
import type { NormalizeDelegate } from './delegate.ts';
import type { Fields } from '../../std/plain.ts';

/** Changed records, which leave the collections to which they no longer belong, and join those to which they now belong. */
export class CollectionMove<Value = unknown> extends MemberSchema<Value> {
  readonly #joining: MemberRules;
  readonly #leaving: MemberRules;

  constructor(collection: ChangeableCollection, merge: MergeMembers) {
    super(collection);
    this.#joining = new MemberRules(collection.key, merge);
    this.#leaving = new MemberRules(collection.key, without);
  }

  override normalize(input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): unknown {
    const move = (value: unknown, of: unknown, at: string | undefined): unknown => this.#move(value, of, at, delegate);
    return this.isMap && isRecord(input)
      ? move(input, parent, key)
      : this.normalizeMembers(input, parent, key, move).stored;
  }

  #move(value: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): unknown {
    const record = this.#storedRecord(value, parent, key, delegate);
    const before = fieldsOf(record.row());
    const member = this.collection.schema.kinds.normalize(delegate, value, parent, key);
    const now = fieldsOf(record.row()) ?? {};
    const after: Record<string, unknown> = { ...before, ...bodyOf(delegate.args) };
    // Stored fields from the response take precedence over the arguments of the request.
    for (const field of record.fields) after[field] = now[field];
    if (member === undefined) return undefined;
    this.#follow(this.isMap ? { [this.#entryOf(member, key, delegate)]: member } : [member], before, after, delegate);
    return member;
  }

  /** Returns the name of a member in maps: its key in the response, else its name in a stored map, else its pk. */
  #entryOf(member: unknown, key: string | undefined, delegate: NormalizeDelegate): string {
    if (key !== undefined) return key;
    const name = JSON.stringify(member);
    for (const { row } of delegate.getCollections(this.collection.key))
      for (const [entry, other] of Object.entries(row)) if (JSON.stringify(other) === name) return entry;
    return String(this.collection.schema.kinds.refOf(member)?.pk ?? member);
  }

  /** Returns a reader of the stored row of a record, and the names of its fields. Called before the record is stored. */
  #storedRecord(
    value: unknown,
    parent: unknown,
    key: string | undefined,
    delegate: NormalizeDelegate,
  ): { readonly row: () => unknown; readonly fields: readonly string[] } {
    const { kinds } = this.collection.schema;
    const name = kinds.nameOfPart(delegate, value, parent, key);
    const entity = kinds.schemaOf(name);
    if (!isEntity(entity)) return { row: () => undefined, fields: [] };
    const processed =
      typeof value === 'object' ? fieldsOf(entity.process(value, parent, key, delegate.args)) : undefined;
    const pk = processed ? pkOf(entity, processed, parent, key, delegate.args) : pkIfAny(value);
    return {
      row: () => (pk === undefined ? undefined : delegate.getEntity(entity.key, pk)),
      fields: Object.keys(processed ?? {}),
    };
  }

  #follow(member: object, before: Fields | undefined, after: Fields, delegate: NormalizeDelegate): void {
    const filterFor = (record: Fields): KeyFilter =>
      this.collection.createCollectionFilter(...argsFor(record, delegate.args));
    const belonged = before === undefined ? NONE : filterFor(before);
    const belongs = filterFor(after);
    this.mergeInto(this.#leaving, member, (key) => belonged(key) && !belongs(key), delegate, belonged.query);
    this.mergeInto(this.#joining, member, (key) => belongs(key) && !belonged(key), delegate, belongs.query);
  }
}

const NONE: KeyFilter = () => false;

/**
 * Returns the arguments as a request for this record would have them. The body is the record. Its fields also replace parameters of the
 * same name, because otherwise the record would still count as belonging to the collection that it leaves.
 */
function argsFor(record: Fields, args: readonly unknown[]): readonly unknown[] {
  const params = args.length < 2 ? undefined : fieldsOf(args[0]);
  if (params === undefined) return [record];
  return [Object.fromEntries(Object.entries(params).map(([name, value]) => [name, record[name] ?? value])), record];
}

/** Returns whether an input is one record, and not a map of records. */
function isRecord(input: unknown): boolean {
  return isObject(input) && Object.values(input).some((member) => typeof member !== 'object');
}

function bodyOf(args: readonly unknown[]): Fields {
  const body = args.at(-1);
  return Array.isArray(body) ? {} : (fieldsOf(body) ?? {});
}

function fieldsOf(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
}

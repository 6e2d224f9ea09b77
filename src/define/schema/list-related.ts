import { memo } from '../../std/memo.ts';
import { fieldOfArgument, isSort } from './argument-names.ts';
import type { CollectionKey } from './collection-key.ts';
import { type EntityInterface, isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import { isOrderUnknown, sortWordsOf } from './list-order.ts';
import type { Candidate } from './candidate.ts';
import { conditionsOf, isConditionObject, isRuled } from './list-arguments.ts';
import type { FollowedCollection } from './list-rules.ts';
import type { CollectionQuery, NormalizeDelegate } from './delegate.ts';
import { type RecordChange, type Row, rowName, type TableRef } from './row.ts';

/** Returns whether a collection has functions that can read records other than its members. */
export function hasRules({ orderBy, where }: FollowedCollection): boolean {
  return orderBy !== undefined || Object.values(where).some((rule) => typeof rule === 'function');
}

/**
 * Returns the tables of the records to which members refer, directly or through others. With `words`: only by fields with which a word
 * starts, as `owner_name` starts with `owner`.
 */
export function tablesBehind(collection: FollowedCollection, words: readonly string[] = ANY): ReadonlySet<string> {
  const tables = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (schema: unknown): void => {
    if (Object(schema) !== schema || seen.has(schema)) return;
    seen.add(schema);
    const { key, schema: inner } = schema as { readonly key?: unknown; readonly schema?: unknown };
    if (typeof key === 'string') tables.add(key);
    if (isEntity(schema)) Object.values(schema.schema).forEach(visit);
    else if (inner !== undefined) visit(inner);
    else if (isObject(schema)) Object.values(schema).forEach(visit);
  };
  for (const { schema } of entitiesOf(collection))
    for (const [field, inner] of Object.entries(schema))
      if (words === ANY || words.some((word) => word.startsWith(field))) visit(inner);
  return tables;
}

/** Stands for all words. */
const ANY: readonly string[] = [];

/** Words that end with `id`, such as `owner_id` and `owner[id]`. */
const IDS = /id\]?$/i;

/**
 * Returns whether a word names a field of a related record, as `owner_name` does. The words `owner` and `owner_id` select the related record
 * itself, so they do not.
 */
function isOfRelated(collection: FollowedCollection, word: string): boolean {
  if (IDS.test(word)) return false;
  return entitiesOf(collection).some(({ schema }) =>
    Object.keys(schema).some((field) => word !== field && word.startsWith(field)),
  );
}

/** Selects the lists of which `isNamedIn` may be true, by the names of their arguments. */
export function namingRelated(collection: FollowedCollection): CollectionQuery {
  const mayName = (name: string): boolean =>
    isSort(name) || isConditionObject(collection, name) || isOfRelated(collection, fieldOfArgument(name));
  return { selects: () => false, valuesOf: () => [], concerns: (names) => names.some(mayName) };
}

/** Returns the words in the key of a list that only the server understands: by which it sorts, and names of arguments without a rule. */
function wordsOf(collection: FollowedCollection, args: CollectionKey): readonly string[] {
  const names = conditionsOf(collection, args)
    .filter(([name]) => !isRuled(collection, name))
    .map(([name]) => fieldOfArgument(name))
    .filter((word) => isOfRelated(collection, word));
  return isOrderUnknown(args, collection.orderBy) ? [...names, ...sortWordsOf(args)] : names;
}

/** Returns whether a list that only the server can sort or filter names a field of these records: `sort: 'owner.name'`. */
export function isNamedIn(
  collection: FollowedCollection,
  args: CollectionKey,
  changed: readonly RecordChange[],
): boolean {
  const tables = tablesBehind(collection, wordsOf(collection, args));
  return changed.some(({ table }) => tables.has(table));
}

/** Returns whether these records may decide the order of a list, or which members it has. */
export function isDecidedBy(
  collection: FollowedCollection,
  args: CollectionKey,
  changed: readonly RecordChange[],
): boolean {
  const isByRule = conditionsOf(collection, args).some(([name]) => isRuled(collection, name));
  return isByRule || collection.orderBy !== undefined || isNamedIn(collection, args, changed);
}

/** Returns the classes of the members with the names of their kinds. Only collections whose members all are records follow changes. */
export function memberKinds({
  schema,
}: FollowedCollection): readonly (readonly [name: string | undefined, entity: EntityInterface])[] {
  return schema.kinds.entries() as readonly (readonly [string | undefined, EntityInterface])[];
}

/** Returns the class of the members in a table, with the name of its kind. Without a table, the first one. */
export function memberKind(
  collection: FollowedCollection,
  table: string | undefined,
): readonly [name: string | undefined, entity: EntityInterface] {
  const all = memberKinds(collection);
  const found = all.length > 1 ? all.find(([, { key }]) => key === table) : undefined;
  return (found ?? all[0]) as (typeof all)[number];
}

/** Returns the classes of the members. */
export function entitiesOf(collection: FollowedCollection): readonly EntityInterface[] {
  return memberKinds(collection).map(([, entity]) => entity);
}

/** With so many notes more than twice the number of members, all rules run again, so that members that were removed are forgotten. */
const MAX_NOTED = 1000;

/** Remembers which related records the rules read, and from which members. */
export class Related {
  /** The sort arguments for which `#seen` is valid, as JSON. */
  readonly #sorts: string;
  /** The rows of members whose rules have run. */
  readonly #seen = new WeakSet<Row>();
  /** By table and field: the arguments whose rules read that field. */
  readonly #arguments = new Map<string, Set<string>>();
  /** By related record: the members whose rules read it. */
  readonly #members = new Map<string, Map<string, TableRef>>();
  /** How many members there were when all rules ran. */
  #size = 0;
  /** How many times members were noted. Those that were removed since are still noted. */
  #noted = 0;

  constructor(sorts: string) {
    this.#sorts = sorts;
  }

  /** Returns the records that the rules read, after running the rules on every member that is not in `#seen`. */
  static in(
    collection: FollowedCollection,
    delegate: NormalizeDelegate,
    candidateOf: (member: TableRef) => Candidate,
  ): Related {
    const notes = delegate.notes(collection.key);
    const sorts = sortsOf(collection, delegate);
    const text = JSON.stringify(sorts);
    const known = notes.get('related');
    const isKnown = known instanceof Related && known.#sorts === text;
    const related = isKnown ? known : new Related(text);
    for (const { key: table } of entitiesOf(collection))
      for (const [pk, row] of isKnown ? delegate.getChanged(table, collection.key) : delegate.getEntities(table)) {
        if (!isKnown) related.#size++;
        if (!isObject(row) || related.#seen.has(row)) continue;
        related.#seen.add(row);
        const candidate = candidateOf({ table, pk });
        candidate.runAll(sorts);
        related.note({ table, pk }, candidate);
      }
    if (related.#noted > MAX_NOTED + 2 * related.#size) notes.delete('related');
    else notes.set('related', related);
    return related;
  }

  note(member: TableRef, { fieldReads, related }: Candidate): void {
    this.#noted++;
    for (const { argument, field = '', table } of fieldReads)
      memo(this.#arguments, `${table} ${field}`, () => new Set()).add(argument);
    for (const ref of related.keys())
      memo(this.#members, ref, () => new Map()).set(rowName(member.table, member.pk), member);
  }

  /** Returns the arguments whose rules read a changed field. */
  argumentsOf(changes: readonly RecordChange[]): ReadonlySet<string> {
    const found = new Set<string>();
    for (const { after = {}, before = {}, table } of changes)
      for (const field of ['', ...Object.keys({ ...before, ...after })])
        if (field === '' || Reflect.get(before, field) !== Reflect.get(after, field))
          for (const name of this.#arguments.get(`${table} ${field}`) ?? []) found.add(name);
    return found;
  }

  /** Returns the members whose rules read any of these records. */
  membersOf(records: readonly TableRef[]): Iterable<TableRef> {
    const found = new Map<string, TableRef>();
    for (const { table, pk } of records)
      for (const [name, member] of this.#members.get(rowName(table, pk)) ?? []) found.set(name, member);
    return found.values();
  }
}

/** Returns the distinct sort arguments of the stored lists, for an `orderBy` that uses the key. Empty without `orderBy`. */
function sortsOf(
  { key, orderBy }: FollowedCollection,
  delegate: NormalizeDelegate,
): readonly Readonly<Record<string, unknown>>[] {
  if (orderBy === undefined) return [];
  if (orderBy.length < 3) return [{}];
  const found = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { args } of delegate.getCollections(key)) {
    const sorts = Object.fromEntries(Object.entries(args).filter(([name]) => isSort(name)));
    found.set(JSON.stringify(sorts), sorts);
  }
  return [...found.values()];
}

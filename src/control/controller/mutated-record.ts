import { pkOfPart } from '../../define/schema/pk.ts';
import { memberSchemas } from '../../define/schema/bare-answer.ts';
import { formEntries } from '../../std/form-entries.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { Queryable } from '../../define/schema/infer-schema.ts';
import type { Collection } from '../../define/schema/collection.ts';
import { isCollection, isMemberChange } from '../../define/schema/collection-schema.ts';
import { Invalidate } from '../../define/schema/invalidate.ts';
import { isUnion, type Kinds } from '../../define/schema/polymorphic.ts';
import { isObject } from '../../define/schema/fields.ts';
import type { Store } from '../../state/store/store.ts';
import { isPlain } from '../../std/plain.ts';

/** The record that a mutation is about. */
export interface MutatedRecord {
  readonly entity: EntityWithPk;
  readonly pk: string;
  /** As `recordName` returns it. */
  readonly name: string;
}

export interface EntityWithPk {
  readonly key: string;
  pk(value: unknown, parent?: unknown, key?: string, args?: readonly unknown[]): string | number | undefined;
}

/**
 * Returns the record that the arguments of a mutation name, by its pk or by its fields in `static indexes`. `undefined` if they name none, or if the
 * schema is not that of one record.
 */
export function mutatedRecordOf(
  { schema }: EndpointInterface,
  args: readonly unknown[],
  store?: Pick<Store, 'get' | 'row'>,
): MutatedRecord | undefined {
  if (Array.isArray(schema)) return undefined;
  const first = plainArg(args[0]);
  const isFields = typeof first === 'object' && first !== null;
  // An only argument can be a body, and the parameters of a create name its lists. Their fields do not name the record that is changed.
  const areParams = isFields && (args.length > 1 || schema instanceof Invalidate) && !isMemberChange(schema);
  const entity = store && areParams ? entityOfPart(store, schema, first) : entityOf(schema);
  if (entity === undefined) return undefined;
  const pk = isFields
    ? (pkOfPart(entity, first, args) ?? (store && areParams ? storedPk(store, entity, first) : undefined))
    : first;
  const isPk = (typeof pk === 'string' && pk !== '') || typeof pk === 'number';
  return isPk ? { entity, pk: String(pk), name: recordName(entity.key, pk) } : undefined;
}

/** Returns the class of the record that parameters, or a part of a record, name. Of a union: the class that the part names, or that has the record. */
export function entityOfPart(
  store: Pick<Store, 'get' | 'row'>,
  schema: unknown,
  params: object,
): EntityWithPk | undefined {
  const entity = entityOf(schema);
  if (entity !== undefined) return entity;
  const kinds = kindsOf(schema);
  const kindName = kinds?.kindNameIn(params);
  const all = kindName === undefined ? kinds?.entries().map(([, kind]) => kind) : [kinds?.schemaOf(kindName)];
  const entities = all?.filter(isEntityLike);
  return (
    entities?.find((kind) => isObject(storedValue(store, kind, params))) ??
    // The record may be hidden by the guess of its deletion.
    entities?.find((kind) => store.row(kind.key, String(pkOfPart(kind, params, []))))
  );
}

function storedPk(store: Pick<Store, 'get'>, entity: EntityWithPk, params: object): string | number | undefined {
  const found = storedValue(store, entity, params);
  return isObject(found) ? pkOfPart(entity, found, []) : undefined;
}

/** Returns the value that parameters lead to. `undefined` if it cannot be built: readers get the error, but a mutation may repair the record. */
function storedValue(store: Pick<Store, 'get'>, entity: EntityWithPk, params: object): unknown {
  try {
    return store.get(entity as unknown as Queryable, params);
  } catch {
    return undefined;
  }
}

/**
 * Returns the names of the record that the arguments of a mutation name. Without a store, the class of a record of a union is not known, so it has a
 * name for each class.
 */
export function recordNamesOf(endpoint: EndpointInterface, args: readonly unknown[]): readonly string[] {
  const record = mutatedRecordOf(endpoint, args);
  if (record !== undefined) return [record.name];
  const kinds = isUnionRecord(endpoint.schema) ? kindsOf(endpoint.schema) : undefined;
  const params = plainArg(args[0]);
  if (kinds === undefined || !isObject(params)) return [];
  const entities = entitiesOf(kinds);
  const [pk] = entities.flatMap((entity) => pkOfPart(entity, params, args) ?? []);
  return pk === undefined ? [] : entities.map(({ key }) => recordName(key, pk));
}

/**
 * Returns the table and pk of the record that a mutation changes, for other tabs. Of a union: the class that has the record, or that the data names,
 * or else the first. No pk for a create. `undefined` if the records are not known.
 */
export function mutatedTableOf(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  store: Pick<Store, 'row'>,
): { readonly table: string; readonly pk: string | undefined } | undefined {
  const [name] = recordNamesOf(endpoint, args);
  const pk = name === undefined ? undefined : tableAndPkOf(name)[1];
  const kinds = kindsOf(endpoint.schema);
  const named = args.map((arg) => kinds?.schemaOf(kinds.kindNameIn(plainArg(arg))));
  const all = [entityOf(endpoint.schema), ...named, ...(kinds?.entries().map(([, kind]) => kind) ?? [])];
  const entities = all.filter(isEntityLike);
  const entity = entities.find(({ key }) => store.row(key, String(pk)) !== undefined) ?? entities[0];
  return entity && { table: entity.key, pk };
}

/** Returns whether a schema is a union, or one that deletes a record of a union or moves it between lists. */
function isUnionRecord(schema: unknown): boolean {
  return isUnion(schema) || schema instanceof Invalidate || collectionTableOf(schema) !== undefined;
}

/** Returns a text that identifies a record. Its number says where the name of the table ends. */
export function recordName(table: string, pk: string | number): string {
  return `${table.length} ${table}${pk}`;
}

/** As `recordName`, with the real pk in place of a temporary one once it is known. */
export function nameNow(store: Pick<Store, 'pkOf'>, table: string, pk: string): string {
  return recordName(table, store.pkOf(table, pk));
}

/** The inverse of `recordName`. */
export function tableAndPkOf(name: string): readonly [table: string, pk: string] {
  const from = name.indexOf(' ') + 1;
  const to = from + Number(name.slice(0, from));
  return [name.slice(from, to), name.slice(to)];
}

/** Turns `FormData` into a record; returns any other argument unchanged. */
export function plainArg(arg: unknown): unknown {
  return arg instanceof FormData ? Object.fromEntries(formEntries(arg)) : arg;
}

/** Returns the entity of a schema of one record or a list, also inside `Invalidate`, wrappers and changes of a collection. */
export function entityOf(schema: unknown): EntityWithPk | undefined {
  const one: unknown = Array.isArray(schema) && schema.length === 1 ? schema[0] : schema;
  const list = memberOf(memberOf(one, 'collection'), 'schema');
  const inner = memberOf(list ?? one, 'schema') ?? one;
  return isEntityLike(inner) ? inner : undefined;
}

/** Returns the class of a record, also of a union if the record tells it. */
export function entityOfRecord(schema: unknown, record: unknown): EntityWithPk | undefined {
  const kinds = kindsOf(schema);
  const kind = kinds?.schemaOf(kinds.kindNameIn(record));
  return entityOf(schema) ?? (isEntityLike(kind) ? kind : undefined);
}

/** Returns the classes of the union in a schema: of one record, a list, a deletion or a change of a collection. */
export function kindsOf(schema: unknown): Kinds | undefined {
  const one: unknown = Array.isArray(schema) && schema.length === 1 ? schema[0] : schema;
  const list = memberOf(memberOf(one, 'collection'), 'schema');
  const kinds = memberOf(list ?? one, 'kinds') as Kinds | undefined;
  return kinds?.isPolymorphic === true ? kinds : undefined;
}

/** Returns the classes of a schema: one, or those of a union. */
export function classesOf(schema: unknown): readonly EntityWithPk[] {
  const entity = entityOf(schema);
  return entity === undefined ? entitiesOf(kindsOf(schema)) : [entity];
}

function entitiesOf(kinds: Kinds | undefined): readonly EntityWithPk[] {
  return kinds?.entries().flatMap(([, kind]) => (isEntityLike(kind) ? [kind] : [])) ?? [];
}

/** Returns the records that a stored answer refers to, directly or in its members. */
export function recordsIn(schema: unknown, stored: unknown): (readonly [table: string, pk: string])[] {
  const entity = entityOf(schema);
  if (entity !== undefined) {
    const pks: unknown[] = Array.isArray(stored) ? stored : [stored];
    return pks.flatMap((pk) => (typeof pk === 'string' ? [[entity.key, pk] as const] : []));
  }
  const kinds = kindsOf(schema);
  if (kinds !== undefined)
    return [stored].flat().flatMap((member) => {
      const ref = kinds.refOf(member);
      return ref === undefined ? [] : [[ref.table, ref.pk] as const];
    });
  if (!isPlain(stored)) return [];
  return Object.entries(memberSchemas(schema) ?? {}).flatMap(([name, member]) =>
    recordsIn(member, memberOf(stored, name)),
  );
}

/** Returns the table of the collections whose members a schema changes. */
export function collectionTableOf(schema: unknown): string | undefined {
  const key = memberOf(memberOf(schema, 'collection'), 'key');
  return typeof key === 'string' ? key : undefined;
}

/** Returns the wanted collection that a schema reads, alone or in an object. */
export function collectionReadBy(schema: unknown, isWanted: (list: Collection) => boolean): Collection | undefined {
  if (isCollection(schema)) return isWanted(schema) ? schema : undefined;
  for (const part of isPlain(schema) ? Object.values(schema) : []) {
    const found = collectionReadBy(part, isWanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

function memberOf(schema: unknown, name: string): unknown {
  return typeof schema === 'object' && schema !== null ? Reflect.get(schema, name) : undefined;
}

function isEntityLike(schema: unknown): schema is EntityWithPk {
  if (typeof schema !== 'function') return false;
  const { key, pk } = schema as unknown as { readonly key?: unknown; readonly pk?: unknown };
  return typeof key === 'string' && typeof pk === 'function';
}

import { type Description, type OwnerKey, type RelationStart, sourceOf } from '../../define/query/description.ts';
import { keyIn } from '../../define/query/compare.ts';
import { checkArgument } from '../../define/query/check-argument.ts';
import type { Test } from '../../define/query/condition.ts';
import type { EntityInterface } from '../../define/schema/entity.ts';
import { isObject } from '../../define/schema/fields.ts';
import { hasPk, temporaryPksOf } from '../../define/schema/key-of.ts';
import { pkIfAny } from '../../define/schema/pk.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { type Fields, MAX_DEPTH } from '../../std/plain.ts';
import { warn } from '../../std/warn.ts';
import type { Cells } from '../denormalize/cells.ts';
import { valueName, valueNamesIn, refName } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { Renames } from './renames.ts';
import type { RecordsCell } from './records-cell.ts';

/** What a lookup finds: the rows that have one of these values, by the names that lookups use for values, in these fields. */
export type Indexed = readonly [fields: readonly string[], names: readonly string[]];

/** The way from an owner to its related records. */
export interface RelationPath extends RelationStart {
  /** Returns field values by which lookups find the records. */
  indexed?(key: OwnerKey): readonly Indexed[];
  /** Returns a condition for the records, if no lookup can find them. */
  test?(key: OwnerKey, renames: Renames): Test;
  /** Returns the records that are found through other records, and only those of them that the lookups in `indexed` find too. */
  records?(cells: Cells, plan: EntityPlan, key: OwnerKey, indexed: readonly Indexed[]): RecordsCell;
}

/** Returns the path of a query that is a relation. */
export function pathIn({ path }: Description): RelationPath | undefined {
  return path;
}

/** Returns the source entity of a description. */
export function sourceEntity(description: Description): EntityInterface {
  const { entity } = sourceOf(description);
  checkArgument(
    'hasMany() or through()',
    description.source(),
    () => entity === undefined && 'an entity class, or a function that returns one',
  );
  return entity as EntityInterface;
}

/** The records whose fields equal fields of the owner, or one field of which refers to the owner. */
export class FieldsPath implements RelationPath {
  readonly #fields: readonly (readonly [theirs: string, own?: string])[];
  readonly by: string;
  readonly ownedBy: string | undefined;

  /** Each field comes with the field of the owner that it equals. A field that comes alone refers to the owner. */
  constructor(fields: readonly (readonly [theirs: string, own?: string])[]) {
    this.#fields = fields;
    this.by = fields.map(([theirs]) => theirs).join(' and ');
    this.ownedBy = fields[0]?.length === 1 ? this.by : undefined;
  }

  keyOf(owner: unknown, entity: EntityInterface): OwnerKey {
    return this.#fields.map(([theirs, own]) => {
      if (own === undefined) return refNames(owner, entity, theirs);
      if (Object(owner) !== owner)
        throw ownerMissing(
          found(entity, this.by),
          owner,
          inDevelopment(() => 'Pass the record itself.'),
          entity,
        );
      return valueNames((owner as Fields)[own]);
    });
  }

  indexed(key: OwnerKey): readonly Indexed[] {
    return this.#fields.map(([theirs], at) => [[theirs], key[at] as readonly string[]]);
  }
}

/** Returns the names that an owner has in a field that refers to it. */
function refNames(owner: unknown, entity: EntityInterface, field: string): readonly string[] {
  warn(entity, 'field-unknown', () =>
    field in (entity.defaults as object) || field in entity.schema
      ? undefined
      : `A relation finds ${entity.key} records by the field ${field}, which ${entity.key} does not have. Correct its name, or give it a default.`,
  );
  const names = ownerNames(owner, entity, field);
  const kinds = kindsIn(entity.schema[field]);
  return kinds === undefined ? names : names.map((id) => refName(kindOf(owner, kinds, entity, field), id));
}

/** The records for which a function returns the pk of the owner, or a list with that pk. */
export class FunctionPath implements RelationPath {
  readonly #ownerOf: (record: unknown) => unknown;
  readonly by: string = 'a function';

  constructor(ownerOf: (record: never) => unknown) {
    this.#ownerOf = ownerOf as (record: unknown) => unknown;
  }

  keyOf(owner: unknown, entity: EntityInterface): OwnerKey {
    return [ownerNames(owner, entity, this.by), hasPk(owner) ? [String(keyIn(owner))] : []];
  }

  /** Records of two tables can have the same pk. A bare pk fits a record of any table. */
  test([names = [], tables = []]: OwnerKey, renames: Renames): Test {
    const isOne = renames.isAmong(names);
    return (record) =>
      [this.#ownerOf(record)].flat().some((one) => {
        const isOfTable = !hasPk(one) || tables.every((table) => table === keyIn(one));
        return isOfTable && valueNames(one).some(isOne);
      });
  }
}

/** Returns a nested record with the pk of its owner in a field, if the record lacks it. A field that is a list of owners stays as it is. */
export function withOwner(item: unknown, field: string, { defaults }: EntityInterface, owner: string): unknown {
  if (!isObject(item) || item[field] !== undefined) return item;
  const given = (defaults as Readonly<Record<string, unknown>>)[field];
  if (Array.isArray(given)) return item;
  return { ...item, [field]: pkLike(owner, given) };
}

/** Returns a pk as a number if the default of its field is one. A temporary pk stays a text. */
export function pkLike(pk: string, given: unknown): string | number {
  return typeof given === 'number' && String(Number(pk)) === pk ? Number(pk) : pk;
}

/** Throws if a relation to one record is read for a value that is no record. */
export function assertOwner(owner: unknown): asserts owner is Fields {
  if (Object(owner) === owner) return;
  throw ownerMissing(
    'to one',
    owner,
    inDevelopment(() => 'Pass the record that refers to it.'),
  );
}

/** Returns the pk of an owner, and the temporary pks under which it was created. */
export function ownerNames(owner: unknown, entity: EntityInterface, by: string): readonly string[] {
  const names = valueNames(owner);
  if (names.length === 0 || Array.isArray(owner))
    throw ownerMissing(
      found(entity, by),
      owner,
      inDevelopment(() => 'Pass the record that they belong to, or its pk.'),
      entity,
    );
  return names;
}

/** Returns the names of a value in lookups. For a record: its pk, and the temporary pks under which it was created. */
export function valueNames(value: unknown): readonly string[] {
  // Without the first step, a list that is nested in thousands of lists would overflow the call stack.
  if (Array.isArray(value)) return [...new Set(value.flat(MAX_DEPTH).flatMap(valueNames))];
  if (!hasPk(value)) return valueNamesIn(value);
  const pk = pkIfAny(value.pk());
  return pk === undefined ? [] : [...new Set([pk, ...temporaryPksOf(value)])];
}

/** Returns the pks in a field that refers to records. An empty text and `false` mean that there is no record. */
export function referredPks(stored: unknown): readonly string[] {
  return Array.isArray(stored) ? stored.flatMap(referredPks) : [pkIfAny(stored) ?? []].flat();
}

/** Returns the classes of a field that may refer to several, by name. */
export function kindsIn(schema: unknown): Fields | undefined {
  const [given] = Array.isArray(schema) ? (schema as readonly unknown[]) : [schema];
  const { isUnion, isPolymorphic, schema: kinds } = Object(given) as Fields;
  return isUnion === true || isPolymorphic === true ? (kinds as Fields) : undefined;
}

function kindOf(owner: unknown, kinds: Fields, entity: EntityInterface, by: string): string {
  const { key } = Object((owner as object).constructor) as Partial<EntityInterface>;
  const kind = Object.keys(kinds).find((name) => (kinds[name] as Partial<EntityInterface>).key === key);
  if (kind === undefined)
    throw ownerMissing(
      found(entity, by),
      owner,
      inDevelopment(() => `Pass a record of ${Object.keys(kinds).join(' or ')}: a pk does not tell the class.`),
      entity,
    );
  return kind;
}

function ownerMissing(what: string, owner: unknown, cure: string | undefined, entity?: EntityInterface): DataError {
  const given = valueName(owner) ?? (Object(owner) === owner ? 'an object that is no record' : String(owner));
  return new DataError('owner-missing', `A relation ${what} was read for ${given}.`, { entity: entity?.key, cure });
}

/** Names the records that a relation finds, in texts. */
function found({ key }: EntityInterface, by: string): string {
  return `that finds ${key} records by ${by}`;
}

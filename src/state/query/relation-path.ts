import { type Description, type OwnerKey, type RelationStart, sourceOf } from '../../define/query/description.ts';
import type { Test } from '../../define/query/condition.ts';
import type { EntityInterface } from '../../define/schema/entity.ts';
import { hasPk, keyOf } from '../../define/schema/key-of.ts';
import { pkIfAny } from '../../define/schema/pk.ts';
import { DataError } from '../../std/data-error.ts';
import type { Fields } from '../../std/plain.ts';
import type { Cells } from '../denormalize/cells.ts';
import { nameOf, namesIn, refName } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { RecordsCell } from './records-cell.ts';
import type { Indexed } from './sources.ts';

/** How a relation leads from a record to others. */
export interface RelationPath extends RelationStart {
  /** The values of fields by which lookups find them. */
  indexed?(key: OwnerKey): readonly Indexed[];
  /** What they have to be, where no lookup can tell. */
  test?(key: OwnerKey): Test;
  /** Them all, where they are found by way of others; `indexed` says what else has to be true. */
  records?(cells: Cells, plan: EntityPlan, key: OwnerKey, indexed: readonly Indexed[]): RecordsCell;
}

/** How a query leads to its records, if it is a relation. */
export function pathIn({ path }: Description): RelationPath | undefined {
  return path;
}

/** The entity that a description begins with. */
export function entityIn(description: Description): EntityInterface {
  const source = sourceOf(description);
  if (source.kind === 'entity') return source.entity;
  throw new DataError('query-invalid', 'hasMany() and through() take an entity class, or a function that returns one.');
}

/** To the records that refer to one in a field. */
export class FieldPath implements RelationPath {
  readonly ownedBy: string;
  readonly isShared: boolean = false;

  constructor(field: string) {
    this.ownedBy = field;
  }

  get by(): string {
    return this.ownedBy;
  }

  keyOf(owner: unknown, entity: EntityInterface): OwnerKey {
    const names = ownerNames(owner, entity, this.ownedBy);
    const kinds = kindsIn(entity.schema[this.ownedBy]);
    return [kinds === undefined ? names : names.map((id) => refName(kindOf(owner, kinds, entity, this.ownedBy), id))];
  }

  indexed(key: OwnerKey): readonly Indexed[] {
    return [[this.ownedBy, key.flat()]];
  }
}

/** To the records whose fields are the same as fields of one, each by the name of the other. */
export class FieldsPath implements RelationPath {
  readonly #fields: readonly (readonly [theirs: string, own: string])[];
  readonly isShared: boolean = true;

  constructor(fields: Readonly<Record<string, string>>) {
    this.#fields = Object.entries(fields);
  }

  get by(): string {
    return this.#fields.map(([theirs]) => theirs).join(' and ');
  }

  keyOf(owner: unknown, entity: EntityInterface): OwnerKey {
    if (Object(owner) !== owner) throw ownerMissing(entity, this.by, owner, 'Pass the record itself.');
    return this.#fields.map(([, own]) => valueNames((owner as Fields)[own]));
  }

  indexed(key: OwnerKey): readonly Indexed[] {
    return this.#fields.map(([theirs], at) => [theirs, key[at] as readonly string[]]);
  }
}

/** To the records of which a function gives the pk of one, or a list with it. */
export class FunctionPath implements RelationPath {
  readonly #ownerOf: (record: unknown) => unknown;
  readonly by: string = 'a function';
  readonly isShared: boolean = true;

  constructor(ownerOf: (record: never) => unknown) {
    this.#ownerOf = ownerOf as (record: unknown) => unknown;
  }

  keyOf(owner: unknown, entity: EntityInterface): OwnerKey {
    return [ownerNames(owner, entity, this.by)];
  }

  test(key: OwnerKey): Test {
    const names = key.flat();
    return (record) => valueNames(this.#ownerOf(record)).some((name) => names.includes(name));
  }
}

/** The pk of the record that a relation is read for, and the one that it was created under. */
export function ownerNames(owner: unknown, entity: EntityInterface, by: string): readonly string[] {
  const names = valueNames(owner);
  if (names.length === 0 || Array.isArray(owner))
    throw ownerMissing(entity, by, owner, 'Pass the record that they belong to, or its pk.');
  return names;
}

/** The names that lookups have for a value: of a record, those of its pk, and of the pk that it was created under. */
export function valueNames(value: unknown): readonly string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(valueNames))];
  if (!hasPk(value)) return namesIn(value);
  const pk = pkIfAny(value.pk());
  return pk === undefined ? [] : [...new Set([pk, keyOf(value)])];
}

/** The kinds of a field that may refer to several. */
function kindsIn(schema: unknown): Fields | undefined {
  const [given] = Array.isArray(schema) ? (schema as readonly unknown[]) : [schema];
  const { isUnion, isPolymorphic, schema: kinds } = Object(given) as Fields;
  return isUnion === true || isPolymorphic === true ? (kinds as Fields) : undefined;
}

function kindOf(owner: unknown, kinds: Fields, entity: EntityInterface, by: string): string {
  const { key } = Object((owner as object).constructor) as Partial<EntityInterface>;
  const kind = Object.keys(kinds).find((name) => (kinds[name] as Partial<EntityInterface>).key === key);
  if (kind === undefined)
    throw ownerMissing(
      entity,
      by,
      owner,
      `Pass a record of one of the kinds ${Object.keys(kinds).join(', ')}: a pk does not say which.`,
    );
  return kind;
}

function ownerMissing({ key }: EntityInterface, by: string, owner: unknown, cure: string): DataError {
  return new DataError(
    'owner-missing',
    `A relation that finds ${key} records by ${by} was read for ${nameOf(owner) ?? String(owner)}. ${cure}`,
    { entity: key },
  );
}

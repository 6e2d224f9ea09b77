import type { NamedArgs } from '../../define/query/argument.ts';
import {
  type FieldComparison,
  comparisonsFor,
  type Condition,
  fieldOf,
  listOf,
  type ReadField,
  type Test,
  testOf,
} from '../../define/query/condition.ts';
import type { Entity } from '../../define/schema/entity.ts';
import { indexFields } from '../../define/schema/indexes.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import { memo } from '../../std/memo.ts';
import type { Fields } from '../../std/plain.ts';
import type { Cells } from '../denormalize/cells.ts';
import { USUAL } from '../denormalize/variant.ts';
import { valueName, valueNamesIn, namesTogether } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';
import { renamesOf } from './renames.ts';
import { type Indexed, valueNames } from './relation-path.ts';

/** The rows of a table that a query reads. */
export interface RowsAsked {
  /** The values by which lookups find them. */
  readonly indexed: readonly Indexed[];
  /** Without such values: a range of an index in which they all are. */
  readonly between: Between | undefined;
  /** The fields whose values tests compare by name, so that a renamed one may pass or fail. */
  readonly byName?: readonly string[];
}

/** The conditions of a query, sorted by how they are checked. */
export interface RowConditions extends RowsAsked {
  readonly byName: readonly string[];
  /** Tests of rows, without the conditions that lookups answer. */
  readonly tests: readonly Test[];
  /** Tests of records. */
  readonly rest: readonly Test[];
}

/** A range of values of a field. It may contain rows that do not match. Without `from` it begins with the first value, without `to` it ends with the last. */
export interface Between {
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** The names of the values that fields must have. */
type Equalities = Map<string, readonly string[]>;

/**
 * Sorts the conditions of `where()`, given the arguments of the reader. `owned` has the conditions of a relation. `isOnRecords`: lookups can be
 * used, but no tests of rows.
 */
export function rowConditions(
  plan: EntityPlan,
  conditions: readonly Condition[],
  named: NamedArgs,
  owned: readonly Indexed[],
  isOnRecords: boolean,
  cells: Cells,
): RowConditions {
  const read = storedField(plan);
  const equal: Equalities = new Map();
  // A lookup by one of these fields alone is worth making.
  const alone = new Set<string>();
  const tests: Test[] = [];
  const rest: Test[] = [];
  let between: Between | undefined;
  const byName = new Set<string>();
  for (const comparison of comparisonsFor(conditions, named)) {
    if (typeof comparison === 'function') {
      rest.push(comparison);
      continue;
    }
    const { field, name, value } = comparison;
    const isRef = isReference(plan, field);
    const isOfRows = isRef ? isByPk(name) : isStored(plan, field);
    const names = isOfRows && !equal.has(field) ? lookupNames(comparison) : undefined;
    if (names !== undefined) equal.set(field, names);
    if (isRef || comparison.isArgument || isIndexed(plan, field)) alone.add(field);
    const isBound = isOfRows && !isByPk(name) && (typeof value === 'string' || Number.isFinite(value));
    if (isBound && isIndexed(plan, field) && (between?.field ?? field) === field)
      between = { ...between, field, ...(name.startsWith('g') ? { from: value } : { to: value }) };
    // Names decide about a reference, but not about other values: 1 and '1' have the same name.
    if (isRef && names !== undefined) continue;
    if (isComparedByName(comparison)) byName.add(field);
    if (isOnRecords || !isOfRows) rest.push(itemTest(comparison, cells));
    // A reference is compared by the pk in the row, even if that record is not stored.
    else tests.push(isRef ? refTest(comparison, read, cells) : valueTest(comparison, read, cells));
  }
  return { indexed: [...owned, ...lookedUp(plan, equal, alone)], between, byName: [...byName], tests, rest };
}

/** Returns the lookups that find these values. A lookup by several fields replaces those by each of them. */
function lookedUp(
  { entity: { indexes = [] } }: EntityPlan,
  equal: Equalities,
  alone: ReadonlySet<string>,
): readonly Indexed[] {
  const several = indexes.map(indexFields).flatMap((fields): Indexed[] => {
    const names = fields.map((field) => equal.get(field));
    if (fields.length < 2 || !names.every((some) => some !== undefined)) return [];
    for (const field of fields) equal.delete(field);
    return [[fields, namesTogether(names)]];
  });
  return [
    ...several,
    ...[...equal].flatMap(([field, names]): Indexed[] => (alone.has(field) ? [[[field], names]] : [])),
  ];
}

/** Returns whether the pk of a reference decides a comparison. */
function isByPk(name: string): boolean {
  return name === '' || name === 'in' || name === 'not';
}

function valuesOf({ name, value }: FieldComparison): readonly unknown[] {
  return name === 'in' ? listOf(value) : [value];
}

/** Returns a test of the pk that rows have in a field. */
function refTest(comparison: FieldComparison, read: ReadField, cells: Cells): Test {
  const values = valuesOf(comparison);
  const isOne = renamesOf(cells, comparison.field).isAmong(values.flatMap(valueNames));
  return (row) => {
    const stored = read(row, comparison.field);
    const isSame = values.includes(stored) || valueNamesIn(stored).some(isOne);
    return isSame !== (comparison.name === 'not');
  };
}

/** Returns whether a comparison is for a value that may be a pk, of which another one may be the temporary pk. */
export function isComparedByName(comparison: FieldComparison): boolean {
  if (!isByPk(comparison.name)) return false;
  return valuesOf(comparison).some((value) => typeof value !== 'boolean' && valueNames(value).length > 0);
}

/** Returns a test of a value. A text that is a temporary pk equals the pk that the server has assigned. */
function valueTest(comparison: FieldComparison, read: ReadField, cells: Cells): Test {
  const test = testOf(comparison, read);
  if (!isComparedByName(comparison)) return test;
  const isRenamed = renamesOf(cells, comparison.field).isRenamed(valuesOf(comparison).flatMap(valueNames));
  const isNot = comparison.name === 'not';
  return (item) => {
    const passes = Boolean(test(item));
    if (passes !== isNot) return passes;
    const name = valueName(read(item, comparison.field));
    return name !== undefined && isRenamed(name) ? !isNot : passes;
  };
}

/**
 * Returns a test for records or other items. References of records are compared by the pk in the row, too, if that record is not stored.
 */
export function itemTest(comparison: FieldComparison | Test, cells: Cells): Test {
  if (typeof comparison === 'function') return comparison;
  const test = valueTest(comparison, fieldOf, cells);
  const { field, name } = comparison;
  if (!isByPk(name)) return test;
  const ofRow = refTest(comparison, fieldOf, cells);
  // The row that each record was built from. A query also tests the former record of a change.
  const rows = new WeakMap<object, object>();
  return (item) => {
    if (fieldOf(item, field) !== undefined || !hasPk(item)) return test(item);
    const plan = cells.space.planOf(item.constructor) as EntityPlan;
    return isReference(plan, field) ? ofRow(memo(rows, item, () => rowOf(item, plan, cells))) : test(item);
  };
}

function rowOf(record: Pick<Entity, 'pk'>, plan: EntityPlan, cells: Cells): object {
  return Object((cells.find(plan, String(record.pk()), USUAL, undefined) as RowCell).home.row) as object;
}

/** Returns a function that reads a field of a row. A field that the row lacks has the default of the class. */
export function storedField({ entity }: Pick<EntityPlan, 'entity'>): ReadField {
  const defaults = entity.defaults as Fields;
  return (row, field) => ((Object.hasOwn(row as Fields, field) ? row : defaults) as Fields)[field];
}

/** Returns whether a field refers to a record. It is compared by the pk in the row, even if that record is not stored. */
function isReference({ current: { refs } }: EntityPlan, field: string): boolean {
  return refs.some(({ name, plan, isForeign }) => name === field && plan.kind === 'entity' && !isForeign);
}

/** Returns whether records have the same value in a field as their rows. */
export function isStored({ current: { converts, entity, hooks, refNames } }: EntityPlan, field: string): boolean {
  const isConverted = converts.some(({ name }) => name === field);
  return !hooks.create && !hooks.fromJS && !isConverted && !refNames.has(field) && !(field in entity.prototype);
}

/** Returns whether the field is the first one of an index of the class. */
export function isIndexed({ entity: { indexes = [] } }: EntityPlan, field: string): boolean {
  return indexes.some((index) => indexFields(index)[0] === field);
}

/** Returns whether every row of the class is a valid record. */
export function isAlwaysValid(plan: EntityPlan): boolean {
  const { hooks, refs } = plan.current;
  const isRequired = refs.some((field) => field.plan.kind !== 'list' && plan.requires(field));
  return !hooks.validate && !hooks.create && !hooks.fromJS && !isRequired;
}

/** Returns the names by which a lookup finds the values of a comparison. `undefined` if no lookup can find them. */
function lookupNames(comparison: FieldComparison): readonly string[] | undefined {
  if (comparison.name !== '' && comparison.name !== 'in') return undefined;
  const names = valuesOf(comparison).map(valueNames);
  return names.some((each) => each.length === 0) ? undefined : names.flat();
}

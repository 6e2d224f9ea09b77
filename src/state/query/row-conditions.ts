import { Argument, type NamedArgs } from '../../define/query/argument.ts';
import {
  comparisonsIn,
  type Condition,
  fieldOf,
  listOf,
  operandOf,
  type ReadField,
  type Test,
  testOf,
} from '../../define/query/condition.ts';
import type { Entity } from '../../define/schema/entity.ts';
import { fieldsOf } from '../../define/schema/indexes.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import { memo } from '../../std/memo.ts';
import type { Fields } from '../../std/plain.ts';
import type { Cells } from '../denormalize/cells.ts';
import { USUAL } from '../denormalize/variant.ts';
import { namesIn, namesTogether } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';
import { type Indexed, valueNames } from './relation-path.ts';

/** The rows of a table that a query reads. */
export interface RowsAsked {
  /** The values by which lookups find them. */
  readonly indexed: readonly Indexed[];
  /** Without such values: a range of an index in which they all are. */
  readonly between: Between | undefined;
}

/** The conditions of a query, sorted by how they are checked. */
export interface RowConditions extends RowsAsked {
  /** The conditions that rows decide, without those that lookups answer, and their tests. */
  readonly decided: readonly Condition[];
  readonly tests: readonly Test[];
  /** The conditions that only records decide. */
  readonly rest: readonly Condition[];
}

/** A range of values of a field, with both ends. It may contain rows that do not match. */
export interface Between {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The names of the values that fields must have. */
type Equalities = Map<string, readonly string[]>;

/** Sorts the conditions of `where()`, given the arguments of the reader. `owned` has the conditions of a relation. */
export function rowConditions(
  plan: EntityPlan,
  conditions: readonly Condition[],
  named: NamedArgs,
  owned: readonly Indexed[],
): RowConditions {
  const read = storedField(plan);
  const equal: Equalities = new Map();
  // A lookup by one of these fields alone is worth making.
  const alone = new Set<string>();
  const decided: Condition[] = [];
  const tests: Test[] = [];
  const rest: Condition[] = [];
  let between: Between | undefined;
  const sort = (field: string, operand: unknown): void => {
    const isRef = isReference(plan, field);
    const isOfRows = isRef ? isByPk(operand) : isStored(plan, field);
    const condition = { [field]: operand };
    if (!isOfRows) return void rest.push(condition);
    const names = namesOf(operand, named);
    // A second condition for a field is a test.
    const isLookedUp = names !== undefined && !equal.has(field);
    if (isLookedUp) equal.set(field, names);
    if (isRef || operand instanceof Argument || isIndexed(plan, field)) alone.add(field);
    if (isIndexed(plan, field)) between ??= betweenOf(field, operand, named);
    // Names decide about a reference, but not about other values: 1 and '1' have the same name.
    if (isRef && isLookedUp) return;
    decided.push(condition);
    // A reference is compared by the pk in the row, even if that record is not stored.
    tests.push(isRef ? refTest(field, operand, named, read) : testOf(condition, named, read));
  };
  for (const condition of conditions)
    if (typeof condition === 'function') rest.push(condition);
    else for (const [field, operand] of Object.entries(condition)) sort(field, operand);
  return { indexed: [...owned, ...lookedUp(plan, equal, alone)], between, decided, tests, rest };
}

function betweenOf(field: string, operand: unknown, named: NamedArgs): Between | undefined {
  const { gt, gte = gt, lt, lte = lt } = Object.fromEntries(comparisonsIn(operand)) as Fields;
  const [from, to] = [gte, lte].map((bound) => bound && operandOf(bound, named));
  const isBound = [from, to].every(
    (bound) => bound === undefined || typeof bound === 'string' || Number.isFinite(bound),
  );
  return isBound && from !== to ? { field, from, to } : undefined;
}

/** Returns the lookups that find these values. A lookup by several fields replaces those by each of them. */
function lookedUp(
  { entity: { indexes = [] } }: EntityPlan,
  equal: Equalities,
  alone: ReadonlySet<string>,
): readonly Indexed[] {
  const several = indexes.map(fieldsOf).flatMap((fields): Indexed[] => {
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

/** The comparisons of a reference that its pk decides. */
const BY_PK: ReadonlySet<string> = /* #__PURE__ */ new Set(['', 'in', 'not']);

function isByPk(operand: unknown): boolean {
  return comparisonsIn(operand).every(([name]) => BY_PK.has(name));
}

/** Returns a test of the pk that rows have in a field. */
function refTest(field: string, operand: unknown, named: NamedArgs, read: ReadField): Test {
  const tests = comparisonsIn(operand).map(([name, given]): Test => {
    const value = operandOf(given, named);
    const values = name === 'in' ? listOf(value) : [value];
    const names = values.flatMap(valueNames);
    return (row) => {
      const stored = read(row, field);
      const isSame = values.includes(stored) || namesIn(stored).some((own) => names.includes(own));
      return isSame !== (name === 'not');
    };
  });
  return (row) => tests.every((test) => test(row));
}

/**
 * Returns the test of a condition for records or other items. References of records are compared by the pk in the row, too, if that record is
 * not stored.
 */
export function itemTest(condition: Condition, named: NamedArgs, cells: Cells): Test {
  if (typeof condition === 'function') return testOf(condition, named);
  const tests = Object.entries(condition).map(([field, operand]): Test => {
    const test = testOf({ [field]: operand }, named);
    if (!isByPk(operand)) return test;
    const ofRow = refTest(field, operand, named, fieldOf);
    // The row that each record was built from. A query also tests the former record of a change.
    const rows = new WeakMap<object, object>();
    return (item) => {
      if (fieldOf(item, field) !== undefined || !hasPk(item)) return test(item);
      const plan = cells.space.planOf(item.constructor) as EntityPlan;
      return isReference(plan, field) ? ofRow(memo(rows, item, () => rowOf(item, plan, cells))) : test(item);
    };
  });
  return (item) => tests.every((test) => test(item));
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
  return indexes.some((index) => fieldsOf(index)[0] === field);
}

/** Returns whether every row of the class is a valid record. */
export function isAlwaysValid(plan: EntityPlan): boolean {
  const { hooks, refs } = plan.current;
  const isRequired = refs.some((field) => field.plan.kind !== 'list' && plan.requires(field));
  return !hooks.validate && !hooks.create && !hooks.fromJS && !isRequired;
}

/** Returns the names by which a lookup finds the values of an operand. `undefined` if no lookup can find them. */
function namesOf(operand: unknown, named: NamedArgs): string[] | undefined {
  const [[comparison, given] = [], ...others] = comparisonsIn(operand);
  if (others.length > 0 || (comparison !== '' && comparison !== 'in')) return undefined;
  const value = operandOf(given, named);
  const names = (comparison === 'in' ? listOf(value) : [value]).map(valueNames);
  return names.some((each) => each.length === 0) ? undefined : names.flat();
}

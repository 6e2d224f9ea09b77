import { Argument, type NamedArgs } from '../../define/query/argument.ts';
import {
  type Condition,
  isComparison,
  listOf,
  operandOf,
  type ReadField,
  type Test,
  testOf,
} from '../../define/query/condition.ts';
import { fieldsOf } from '../../define/schema/indexes.ts';
import type { Fields } from '../../std/plain.ts';
import { namesIn, namesTogether } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { type Indexed, valueNames } from './relation-path.ts';

/** The conditions of a query, sorted by how they are checked. */
export interface RowConditions {
  /** The conditions by which lookups find records. */
  readonly indexed: readonly Indexed[];
  /** The conditions to check on the records that lookups find. */
  readonly rest: readonly Condition[];
  /** A test of fields whose values rows store as records have them. Tests with the same name are equal. */
  readonly stored: readonly [name: string, test: Test] | undefined;
  /** A range of an index in which all matching rows are. */
  readonly between: Between | undefined;
  /** All conditions as tests of rows. `undefined` if some condition needs the record. */
  readonly tests: readonly Test[] | undefined;
}

/** A range of values of a field, with both ends. It may contain rows that do not match. */
export interface Between {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The names of the values that fields must have. `isAlone`: a lookup by this field alone is worth making. */
type Equalities = Map<string, { readonly names: readonly string[]; readonly isAlone: boolean }>;

/** Sorts the conditions of `where()`, given the arguments of the reader. `owned` has the conditions of a relation. */
export function rowConditions(
  plan: EntityPlan,
  conditions: readonly Condition[],
  named: NamedArgs,
  owned: readonly Indexed[],
): RowConditions {
  const read = storedField(plan);
  const equal: Equalities = new Map();
  const tests = owned.map((indexed) => namesTest(indexed, read));
  const stored: (readonly [name: string | undefined, test: Test])[] = [];
  let isForRows = true;
  let between: Between | undefined;
  const rest = conditions.map((condition) => {
    if (typeof condition === 'function') {
      isForRows = false;
      return condition;
    }
    const fields = Object.entries(condition).filter(([field, operand]) => {
      const isRef = isReference(plan, field);
      if (!isRef && !isStored(plan, field)) return !(isForRows = false);
      const names = namesOf(operand, named);
      const isAlone = isRef || operand instanceof Argument || isIndexed(plan, field);
      if (names !== undefined) equal.set(field, { names, isAlone });
      if (isRef && names !== undefined) return !tests.push(namesTest([[field], names], read));
      if (isRef) return !(isForRows = false);
      const test = testOf({ [field]: operand }, named, read);
      if (isIndexed(plan, field)) between ??= betweenOf(field, operand, named);
      stored.push([nameOfTest(field, operand, named), test]);
      return tests.push(test);
    });
    return Object.fromEntries(fields);
  });
  const indexed = [...owned, ...lookedUp(plan, equal)];
  return { indexed, rest, stored: together(stored), between, tests: isForRows ? tests : undefined };
}

function betweenOf(field: string, operand: unknown, named: NamedArgs): Between | undefined {
  if (!isComparison(operand)) return undefined;
  const bound = (...names: readonly string[]): unknown => {
    const name = names.find((each) => operand[each] !== undefined);
    return name && operandOf(operand[name], named);
  };
  const [from, to] = [bound('gt', 'gte'), bound('lt', 'lte')];
  const isBound = [from, to].every((value) => value === undefined || isNamed(value));
  return isBound && from !== to ? { field, from, to } : undefined;
}

/** Joins the tests that have a name. */
function together(given: readonly (readonly [name: string | undefined, test: Test])[]): RowConditions['stored'] {
  const stored = given.filter(([name]) => name !== undefined);
  if (stored.length === 0) return undefined;
  const tests = stored.map(([, test]) => test);
  return [stored.map(([name]) => name).join(), (row) => tests.every((test) => test(row))];
}

/** Returns the name of a test: equal for equal comparisons. `undefined` if an operand is not plain data. */
function nameOfTest(field: string, operand: unknown, named: NamedArgs): string | undefined {
  const operands = isComparison(operand) ? Object.entries(operand) : [['is', operand] as const];
  const known = operands.map(([name, given]) => [name, operandOf(given, named)]);
  return known.every(([, value]) => isNamed(value)) ? JSON.stringify([field, known]) : undefined;
}

/** Returns the lookups that find these values. A lookup by several fields replaces those by each of them. */
function lookedUp({ entity: { indexes = [] } }: EntityPlan, equal: Equalities): Indexed[] {
  const left = new Map(equal);
  const several = indexes.map(fieldsOf).flatMap((fields): Indexed[] => {
    const names = fields.map((field) => left.get(field)?.names);
    if (fields.length < 2 || !names.every((some) => some !== undefined)) return [];
    for (const field of fields) left.delete(field);
    return [[fields, namesTogether(names)]];
  });
  const alone = [...left].filter(([, { isAlone }]) => isAlone);
  return [...several, ...alone.map(([field, { names }]): Indexed => [[field], names])];
}

/** Returns a test whether the field of a lookup has one of these values. */
function namesTest([[field = ''], names]: Indexed, read: ReadField): Test {
  return (row) => namesIn(read(row, field)).some((name) => names.includes(name));
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

function isNamed(operand: unknown): boolean {
  if (Array.isArray(operand)) return operand.every(isNamed);
  return typeof operand === 'string' || typeof operand === 'boolean' || Number.isFinite(operand) || operand === null;
}

/** Returns the names by which a lookup finds the values of an operand. `undefined` if no lookup can find them. */
function namesOf(operand: unknown, named: NamedArgs): string[] | undefined {
  const among = isComparison(operand) ? operand['in'] : undefined;
  if (isComparison(operand) && (among === undefined || Object.keys(operand).length > 1)) return undefined;
  const values = among === undefined ? [operandOf(operand, named)] : listOf(operandOf(among, named));
  const names = values.map(valueNames);
  return names.some((each) => each.length === 0) ? undefined : names.flat();
}

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

/** What a query asks of records, as far as rows can tell. */
export interface RowConditions {
  /** What lookups find. */
  readonly indexed: readonly Indexed[];
  /** What is still to be asked of the records that they have found. */
  readonly rest: readonly Condition[];
  /** What is asked of the fields that rows have as records do, and a name that tells it from what others ask. */
  readonly stored: readonly [name: string, test: Test] | undefined;
  /** A stretch of an index by which rows are found. */
  readonly between: Between | undefined;
  /** All that is asked, to be asked of rows; `undefined` where only records can tell. */
  readonly tests: readonly Test[] | undefined;
}

/** From which value of a field to which; rows may be among them that are asked for by neither. */
export interface Between {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The fields that are asked for by value, each with the names of its values. */
type Equalities = Map<string, { readonly names: readonly string[]; readonly isAlone: boolean }>;

/** What `where()` has said, for readers who pass these arguments; `owned` finds the records of a relation. */
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
  let isTold = true;
  let between: Between | undefined;
  const rest = conditions.map((condition) => {
    if (typeof condition === 'function') {
      isTold = false;
      return condition;
    }
    const fields = Object.entries(condition).filter(([field, operand]) => {
      const isRef = isReference(plan, field);
      if (!isRef && !isStored(plan, field)) return !(isTold = false);
      const names = namesOf(operand, named);
      const isAlone = isRef || operand instanceof Argument || isListed(plan, field);
      if (names !== undefined) equal.set(field, { names, isAlone });
      if (isRef && names !== undefined) return !tests.push(namesTest([[field], names], read));
      if (isRef) return !(isTold = false);
      const test = testOf({ [field]: operand }, named, read);
      if (isListed(plan, field)) between ??= betweenOf(field, operand, named);
      stored.push([nameOfTest(field, operand, named), test]);
      return tests.push(test);
    });
    return Object.fromEntries(fields);
  });
  const indexed = [...owned, ...lookedUp(plan, equal)];
  return { indexed, rest, stored: together(stored), between, tests: isTold ? tests : undefined };
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

/** All of these tests that have a name. */
function together(given: readonly (readonly [name: string | undefined, test: Test])[]): RowConditions['stored'] {
  const stored = given.filter(([name]) => name !== undefined);
  if (stored.length === 0) return undefined;
  const tests = stored.map(([, test]) => test);
  return [stored.map(([name]) => name).join(), (row) => tests.every((test) => test(row))];
}

/** What tells apart what a field is compared with; `undefined` where that is no plain data. */
function nameOfTest(field: string, operand: unknown, named: NamedArgs): string | undefined {
  const operands = isComparison(operand) ? Object.entries(operand) : [['is', operand] as const];
  const known = operands.map(([name, given]) => [name, operandOf(given, named)]);
  return known.every(([, value]) => isNamed(value)) ? JSON.stringify([field, known]) : undefined;
}

/** The lookups that find these values. One by several fields takes the place of one for each. */
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

/** Whether rows have these values in a field that records are looked up by. */
function namesTest([[field = ''], names]: Indexed, read: ReadField): Test {
  return (row) => namesIn(read(row, field)).some((name) => names.includes(name));
}

/** Reads a field of a row as the record has it: a row that lacks the field has what the class says. */
export function storedField({ entity }: Pick<EntityPlan, 'entity'>): ReadField {
  const defaults = entity.defaults as Fields;
  return (row, field) => ((Object.hasOwn(row as Fields, field) ? row : defaults) as Fields)[field];
}

/** Whether a field refers to a record: it is looked up by the pk in the row, whether or not that record is there. */
function isReference({ current: { refs } }: EntityPlan, field: string): boolean {
  return refs.some(({ name, plan, isForeign }) => name === field && plan.kind === 'entity' && !isForeign);
}

/** Whether records have in a field what their rows have there. */
export function isStored({ current: { converts, entity, hooks, refNames } }: EntityPlan, field: string): boolean {
  const isConverted = converts.some(({ name }) => name === field);
  return !hooks.create && !hooks.fromJS && !isConverted && !refNames.has(field) && !(field in entity.prototype);
}

/** Whether the class names a field first in an index. */
export function isListed({ entity: { indexes = [] } }: EntityPlan, field: string): boolean {
  return indexes.some((index) => fieldsOf(index)[0] === field);
}

/** Whether every row is a record: of some classes, a row can be none that is valid. */
export function isAlwaysValid(plan: EntityPlan): boolean {
  const { hooks, refs } = plan.current;
  const isRequired = refs.some((field) => field.plan.kind !== 'list' && plan.requires(field));
  return !hooks.validate && !hooks.create && !hooks.fromJS && !isRequired;
}

function isNamed(operand: unknown): boolean {
  if (Array.isArray(operand)) return operand.every(isNamed);
  return typeof operand === 'string' || typeof operand === 'boolean' || Number.isFinite(operand) || operand === null;
}

/** The names under which a lookup has what a field has to be; `undefined` where a lookup cannot tell. */
function namesOf(operand: unknown, named: NamedArgs): string[] | undefined {
  const among = isComparison(operand) ? operand['in'] : undefined;
  if (isComparison(operand) && (among === undefined || Object.keys(operand).length > 1)) return undefined;
  const values = among === undefined ? [operandOf(operand, named)] : listOf(operandOf(among, named));
  const names = values.map(valueNames);
  return names.some((each) => each.length === 0) ? undefined : names.flat();
}

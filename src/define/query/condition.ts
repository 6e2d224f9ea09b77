import { DataError } from '../../std/data-error.ts';
import { isPlain, type Fields } from '../../std/plain.ts';
import { Argument, type NamedArgs } from './argument.ts';
import { compareValues, isSameValue } from './compare.ts';
import { queryInvalid } from './query-invalid.ts';

/** Returns whether a record passes a condition. */
export type Test = (record: unknown) => boolean;

/** Reads a field of a record. */
export type ReadField = (record: unknown, field: string) => unknown;

export const fieldOf: ReadField = (record, field) => (record as Fields)[field];

/** The argument of `where()`: a function, or the values that fields must have. */
export type Condition = ((record: never, args: never) => unknown) | Fields;

const COMPARISONS: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
  gt: (value, operand) => isComparable(value, operand) && compareValues(value, operand) > 0,
  gte: (value, operand) => isComparable(value, operand) && compareValues(value, operand) >= 0,
  lt: (value, operand) => isComparable(value, operand) && compareValues(value, operand) < 0,
  lte: (value, operand) => isComparable(value, operand) && compareValues(value, operand) <= 0,
  in: (value, operand) => listOf(operand).some((one) => isSameValue(value, one)),
  not: (value, operand) => !isSameValue(value, operand),
};

/** Throws if `where()` cannot take this condition. */
export function assertCondition(condition: unknown): void {
  if (typeof condition !== 'function' && (!isPlain(condition) || Array.isArray(condition)))
    throw queryInvalid('where()', condition, 'conditions such as { field: value }, or a function');
}

/** Returns the values of the comparison `in`. Throws if they are not a list. */
export function listOf(operand: unknown): readonly unknown[] {
  if (Array.isArray(operand)) return operand;
  throw queryInvalid('in of where()', operand, 'a list of values');
}

/** Returns the test for readers who pass these arguments. */
export function testOf(condition: Condition, args: NamedArgs, read: ReadField = fieldOf): Test {
  if (typeof condition === 'function') {
    const predicate = condition as (record: unknown, args: NamedArgs) => unknown;
    return (record) => isTrue(predicate(record, args));
  }
  const tests = Object.entries(condition).map(([field, operand]) => fieldTest(field, operand, args, read));
  return (record) => tests.every((test) => test(record));
}

/** Returns whether the result of a function is truthy. A promise always would be, so it is an error. */
function isTrue(result: unknown): boolean {
  if (typeof result !== 'object' || typeof (result as PromiseLike<unknown> | null)?.then !== 'function')
    return Boolean(result);
  throw new DataError(
    'query-invalid',
    'A function of where() returned a promise. It must return true or false at once.',
  );
}

/** Returns an operand, or the value that readers pass for it if it is an argument. Throws if they pass none. */
export function operandOf(operand: unknown, args: NamedArgs): unknown {
  if (!(operand instanceof Argument)) return operand;
  const given = args[operand.name];
  if (given === undefined) throw argumentMissing(operand.name);
  return given;
}

function fieldTest(field: string, operand: unknown, args: NamedArgs, read: ReadField): Test {
  if (!isComparison(operand)) {
    const asked = operandOf(operand, args);
    return (record) => isSameValue(read(record, field), asked);
  }
  const comparisons = Object.entries(operand).map(([name, given]) => {
    const asked = operandOf(given, args);
    const compare = COMPARISONS[name] as (value: unknown, operand: unknown) => boolean;
    return (value: unknown): boolean => compare(value, asked);
  });
  return (record) => {
    const value = read(record, field);
    return comparisons.every((compare) => compare(value));
  };
}

/** Returns whether an operand has comparisons, such as `{ gt: 1 }`. Any other operand is the value that the field must have. */
export function isComparison(operand: unknown): operand is Fields {
  if (!isPlain(operand) || Array.isArray(operand)) return false;
  const names = Object.keys(operand);
  return names.length > 0 && names.every((name) => Object.hasOwn(COMPARISONS, name));
}

/** `null` and `undefined` are neither greater nor less than any value. */
function isComparable(value: unknown, operand: unknown): boolean {
  return value !== null && value !== undefined && operand !== null && operand !== undefined;
}

function argumentMissing(name: string): DataError {
  return new DataError(
    'argument-missing',
    `A query needs the argument ${name}, but was read without it. Pass it: useQuery(query, { ${name}: … }).`,
  );
}

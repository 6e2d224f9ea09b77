import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isPlain, type Fields } from '../../std/plain.ts';
import { Argument, type NamedArgs } from './argument.ts';
import { compareValues, isLacking, isSameValue } from './compare.ts';
import { checkArgument } from './check-argument.ts';

/** Returns whether a record passes a condition. */
export type Test = (record: unknown) => unknown;

/** Reads a field of a record. */
export type ReadField = (record: unknown, field: string) => unknown;

export const fieldOf: ReadField = (record, field) => (record as Fields)[field];

/** The argument of `where()`: a function, or the values that fields must have. */
export type Condition = ((record: never, args: never) => unknown) | Fields;

type Compares = (value: unknown, operand: unknown) => boolean;

/** `null`, `undefined`, `NaN` and invalid dates are neither greater nor less than any value. */
function orderTest(isExpected: (order: number) => boolean): Compares {
  return (value, operand) => !isLacking(value) && !isLacking(operand) && isExpected(compareValues(value, operand));
}

/** The comparisons by name. An operand without a name is the value that a field must have. */
const COMPARISONS: Readonly<Record<string, Compares>> = {
  '': isSameValue,
  gt: /* #__PURE__ */ orderTest((order) => order > 0),
  gte: /* #__PURE__ */ orderTest((order) => order >= 0),
  lt: /* #__PURE__ */ orderTest((order) => order < 0),
  lte: /* #__PURE__ */ orderTest((order) => order <= 0),
  in: (value, operand) => listOf(operand).some((one) => isSameValue(value, one)),
  not: (value, operand) => !isSameValue(value, operand),
};

/** Throws if `where()` cannot take this condition, in development. */
export function checkCondition(condition: unknown): void {
  checkArgument(
    'where()',
    condition,
    () =>
      typeof condition !== 'function' &&
      (!isPlain(condition) || Array.isArray(condition)) &&
      'conditions such as { field: value }, or a function',
  );
  checkArgument('where()', condition, () => {
    // A function has no entries.
    for (const [field, operand] of Object.entries(condition as Fields))
      checkArgument(`where() for ${field}`, operand, () => {
        const isObject = isPlain(operand) && !Array.isArray(operand) && Object.keys(operand).length > 0;
        const names = Object.keys(COMPARISONS).filter(Boolean).join(', ');
        // No value equals a plain object with other members than comparisons.
        return isObject && !comparisonsIn(operand)[0]?.[0] && `a value, or comparisons by their names: ${names}`;
      });
    return false;
  });
}

/** Returns the values of the comparison `in`. Throws if they are not a list. */
export function listOf(operand: unknown): readonly unknown[] {
  if (Array.isArray(operand)) return operand;
  throw new DataError('query-invalid', `in of where() of a query was given ${String(operand)}.`, {
    cure: inDevelopment(() => 'Pass a list of values.'),
  });
}

/** One comparison of a condition, with the value for readers who pass these arguments. */
export interface FieldComparison {
  readonly field: string;
  /** One of the names of comparisons. '' if the field must have the value. */
  readonly name: string;
  readonly value: unknown;
  /** Whether the value of the field is an argument. */
  readonly isArgument: boolean;
}

/** Returns the comparisons in conditions, and a test for each condition that is a function. */
export function comparisonsFor(conditions: readonly Condition[], args: NamedArgs): readonly (FieldComparison | Test)[] {
  return conditions.flatMap((condition): (FieldComparison | Test)[] => {
    if (typeof condition === 'function') return [testBy(condition as Predicate, args)];
    return Object.entries(condition).flatMap(([field, operand]) =>
      comparisonsIn(operand).map(([name, given]) => ({
        field,
        name,
        value: operandOf(given, args),
        isArgument: operand instanceof Argument,
      })),
    );
  });
}

type Predicate = (record: unknown, args: NamedArgs) => unknown;

function testBy(predicate: Predicate, args: NamedArgs): Test {
  return (record) => {
    const answer = predicate(record, args);
    // A promise, or a method that was not called, would always count as true.
    checkArgument(
      'where()',
      answer,
      () =>
        (typeof answer === 'function' ||
          typeof (Object(answer) as Partial<PromiseLike<unknown>>).then === 'function') &&
        'a function that returns true or false at once, not a promise or a method',
    );
    return answer;
  };
}

/** Returns the test of a comparison. */
export function testOf({ field, name, value }: FieldComparison, read: ReadField = fieldOf): Test {
  const compare = COMPARISONS[name] as Compares;
  return (record) => compare(read(record, field), value);
}

/** Returns an operand, or the value that readers pass for it if it is an argument. Throws if they pass none. */
export function operandOf(operand: unknown, args: NamedArgs): unknown {
  if (!(operand instanceof Argument)) return operand;
  const { name } = operand;
  if (args[name] === undefined)
    throw new DataError('argument-missing', `A query needs the argument ${name}, but was read without it.`, {
      cure: inDevelopment(
        () =>
          `Pass it: useQuery(query, { ${name}: … }). After loadedBy(), pass it to the endpoint, or return it from the function that loadedBy() takes.`,
      ),
    });
  return args[name];
}

/** Returns the comparisons of an operand: those of `{ gt: 1 }`, or with the name '' the value that the field must have. */
function comparisonsIn(operand: unknown): readonly (readonly [name: string, operand: unknown])[] {
  const named = isPlain(operand) && !Array.isArray(operand) ? Object.entries(operand) : [];
  const areComparisons = named.length > 0 && named.every(([name]) => name !== '' && Object.hasOwn(COMPARISONS, name));
  return areComparisons ? named : [['', operand]];
}

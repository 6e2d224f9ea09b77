/** Types of the conditions and orders of a query. */
import type { WithPk } from '../schema/infer-schema.ts';
import type { Argument } from './argument.ts';

/** In place of a promise, as an `async` function or an endpoint returns, or of a method that was not called: an error of the compiler. */
export type NoPromise<Value> =
  Value extends PromiseLike<unknown>
    ? 'A query takes a function that returns its value at once, not a promise.'
    : Value extends (...args: never[]) => unknown
      ? 'A query takes a function that returns a value, not a method. Call the method.'
      : unknown;

/** What a function of `where()` returns, or an error of the compiler. A function without `return` keeps no record. */
export type Judgement<Kept> = [Kept] extends [void]
  ? [Kept] extends [undefined]
    ? unknown
    : 'A function of where() returns whether to keep the record. It has no return.'
  : NoPromise<Kept>;

// Editors show the result of a condition, and otherwise the name of the type. A mapped type over `keyof Row & string` is one of objects only.
/** The names of the fields of a record, without its methods. */
export type FieldName<Row> = [Row] extends [unknown]
  ? {
      [field in keyof Row & string]: Row[field] extends (...args: never[]) => unknown ? never : field;
    }[keyof Row & string]
  : never;

/**
 * The types of a union that are lists, records of any names, or functions: each equals only itself, and has no order. Other objects may be values
 * such as dates and decimals, because a static `compare` of their class does not show in their type.
 */
type CompoundIn<Value> = Value extends Iterable<unknown> | ((...args: never[]) => unknown)
  ? Value extends string
    ? never
    : Value
  : Value extends object
    ? string extends keyof Value
      ? Value
      : never
    : never;

/** The names of the fields by which records can be sorted. */
export type OrderField<Row> = [Row] extends [unknown]
  ? { [field in keyof Row & string]: [NoOrder<Row[field]>] extends [never] ? field : never }[keyof Row & string]
  : never;

/** What is in a type without an order. `never` if some of its values have one. */
type NoOrder<Value> = unknown extends Value
  ? never
  : [Exclude<Value, CompoundIn<Value> | null | undefined>] extends [never]
    ? CompoundIn<Value>
    : never;

/** What a function that sorts records returns, or an error of the compiler. */
export type SortKey<Key> = [NoOrder<Key>] extends [never]
  ? NoPromise<Key>
  : 'A list or a function has no order. Return one value. To sort by several, call orderBy() for each.';

/** The values that a field can be compared with: a reference can be compared with a record or with its pk. */
export type Operand<Value> = Value extends WithPk
  ? Value | string | number
  : Value extends CompoundIn<Value>
    ? 'A list is compared by a function: where((record) => …).'
    : Value;

/** The comparisons for a field: greater or less than a value, one of some values, or not a value. */
export interface Comparison<Value> {
  readonly gt?: NonNullable<Operand<Value>> | Argument;
  readonly gte?: NonNullable<Operand<Value>> | Argument;
  readonly lt?: NonNullable<Operand<Value>> | Argument;
  readonly lte?: NonNullable<Operand<Value>> | Argument;
  readonly in?: readonly Operand<Value>[] | Argument;
  readonly not?: Operand<Value> | null | undefined | Argument;
}

/** The conditions for the fields of a record. */
export type FieldConditions<Row> = {
  readonly [field in FieldName<Row>]?: Operand<Row[field]> | Argument | Comparison<Row[field]>;
};

/** An error of the compiler for conditions of which some name no field, or no comparison. The compiler itself complains only if none of them does. */
export type KnownConditions<Row, Asked> = [keyof Asked] extends [FieldName<Row>]
  ? [OddComparison<Asked[keyof Asked]>] extends [never]
    ? unknown
    : {
        readonly [field in keyof Asked]: [OddComparison<Asked[field]>] extends [never]
          ? unknown
          : { readonly [name in OddComparison<Asked[field]>]: `There is no comparison ${name & string}.` };
      }
  : string extends keyof Asked
    ? unknown
    : { readonly [field in keyof Asked]: field extends FieldName<Row> ? unknown : NoSuch<field> };
/** The names beside those of comparisons. A decimal may have methods of these names. */
type OddComparison<Asked> = Asked extends Comparing ? Exclude<keyof Asked, keyof Comparison<unknown>> : never;
type Comparing = {
  readonly [name in keyof Comparison<unknown>]-?: {
    readonly [only in name]: Compared | readonly Compared[];
  };
}[keyof Comparison<unknown>];
type Compared = string | number | bigint | boolean | Date | Argument | WithPk | null | undefined;
type NoSuch<Name> = `There is no field ${Name & string}.`;

/** The arguments that conditions have, with the types of the fields that they are compared with. */
export type ArgumentsIn<Conditions, Row> = UnionToIntersection<
  { [field in keyof Conditions & keyof Row]: ArgsOfField<Conditions[field], Row[field]> }[keyof Conditions & keyof Row]
>;

type ArgsOfField<Conditions, Value> =
  Conditions extends Argument<infer Name>
    ? Readonly<Record<Name, Operand<Value>>>
    : // Only objects have operands. Otherwise the methods of strings and numbers would count as operands.
      Conditions extends object
      ? { [name in keyof Conditions]: ArgOfOperand<Conditions[name], Value, name> }[keyof Conditions]
      : never;

type ArgOfOperand<Conditions, Value, Name> =
  Conditions extends Argument<infer Passed>
    ? Readonly<Record<Passed, Name extends 'in' ? readonly Operand<Value>[] : Operand<Value>>>
    : never;

// Each member of the union becomes a parameter of a function type, so that an argument whose own type is a union is not split.
export type UnionToIntersection<Union> = [Union] extends [never]
  ? unknown
  : (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
    ? All
    : unknown;

/** Shows an object type by its fields in editors, and not by the name of the type that made it. */
export type AsFields<Type> = { readonly [name in keyof Type]: Type[name] } & {};

import type { ReadEndpoint } from '../endpoint/infer-endpoint.ts';
import type { AnyClass, List, Loose, SchemaTypes, WithPk } from '../schema/infer-schema.ts';
import type { Aggregate, RecordOfGroup } from './aggregates.ts';
import type { Argument } from './argument.ts';

/** The names of the fields of a record: its methods are none. */
export type FieldName<Row> = keyof {
  [field in keyof Row as Row[field] extends (...args: never[]) => unknown ? never : field]: unknown;
} &
  keyof Row &
  string;

/** What a field can be compared with: a record stands for its pk, and the other way round. */
type Operand<Value> = Value extends WithPk ? Value | string | number : Value;

/** What a field has to be: before or behind something, one of some, or not something. */
export interface Comparison<Value> {
  readonly gt?: Operand<Value> | Argument;
  readonly gte?: Operand<Value> | Argument;
  readonly lt?: Operand<Value> | Argument;
  readonly lte?: Operand<Value> | Argument;
  readonly in?: readonly Operand<Value>[] | Argument;
  readonly not?: Operand<Value> | null | undefined | Argument;
}

/** What the fields of a record have to be. */
export type FieldConditions<Row> = {
  readonly [field in FieldName<Row>]?: Operand<Row[field]> | Argument | Comparison<Row[field]>;
};

/** The arguments that conditions mention, with the types of the fields that they are compared with. */
export type ArgumentsIn<Asked, Row> = UnionToIntersection<
  { [field in keyof Asked & keyof Row]: ArgsOfField<Asked[field], Row[field]> }[keyof Asked & keyof Row]
>;

type ArgsOfField<Asked, Value> =
  Asked extends Argument<infer Name>
    ? Readonly<Record<Name, Operand<Value>>>
    : // What is no object has no operands in it, and methods that would count as some.
      Asked extends object
      ? { [name in keyof Asked]: ArgOfOperand<Asked[name], Value, name> }[keyof Asked]
      : never;

type ArgOfOperand<Asked, Value, Name> =
  Asked extends Argument<infer Passed>
    ? Readonly<Record<Passed, Name extends 'in' ? readonly Operand<Value>[] : Operand<Value>>>
    : never;

// In a position of its own for each, so that an argument that is a union itself stays one.
type UnionToIntersection<Union> = [Union] extends [never]
  ? unknown
  : (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
    ? All
    : unknown;

/** The arguments that a query is read with: the record that it is about, if any, and what it names. */
export type QueryArgsOf<Owner extends readonly unknown[], Named> = keyof Named extends never
  ? Owner
  : [...Owner, args: Named];

/** The record that a field refers to, or its pk. Of a field with the pk alone, no type says what records it refers to. */
export type OwnerOf<Value> = Value extends readonly (infer Item)[]
  ? OwnerOf<Item>
  : Value extends null | undefined
    ? never
    : Value extends WithPk
      ? Operand<Value>
      : Value | WithPk;

/** What a record is joined by: a field, or a function. */
export type JoinBy<Row> = FieldName<Row> | ((record: Row) => unknown);

/** What can be joined with the records of a query: those of an entity, or of a query that is read for nothing. */
export type Joinable =
  | AnyClass
  | {
      readonly '~types': {
        readonly value: readonly unknown[];
        readonly args: readonly [] | readonly [named: Readonly<Record<string, unknown>>];
      };
    };

export type JoinedItem<Other extends Joinable> = Other extends AnyClass
  ? InstanceOf<Other>
  : Other extends { readonly '~types': { readonly value: readonly (infer Item)[] } }
    ? Item
    : never;

/** The arguments that a joined query names. */
export type NamedOf<Other extends Joinable> = Other extends {
  readonly '~types': { readonly args: readonly [named: infer Named] };
}
  ? Named
  : unknown;

/** The members of a collection. */
export type MemberOf<Value> = Value extends readonly (infer Item)[] ? Item : Value[keyof Value];

/** How a relation leads to records. */
export type PathTo<Row> =
  | FieldName<Row>
  | ((record: Row) => unknown)
  | { readonly [field in FieldName<Row>]?: string }
  | ThroughLinks;

/** A path that leads over other records. */
interface ThroughLinks {
  readonly '~owner': (owner: never) => void;
}

/** What a relation is read for, given the path by which it leads to records. */
export type OwnerBy<Row, Path> = Path extends keyof Row
  ? OwnerOf<Row[Path]>
  : Path extends { readonly '~owner': (owner: infer Owner) => void }
    ? Owner
    : Path extends (...args: never[]) => unknown
      ? WithPk | string | number
      : Readonly<Record<Path[keyof Path] & string, unknown>>;

export type InstanceOf<Class extends AnyClass> = Class extends { readonly prototype: infer Instance }
  ? Instance
  : never;

type OfRow<Value, Row> = Value extends RecordOfGroup
  ? Row
  : Value extends readonly RecordOfGroup[]
    ? readonly Row[]
    : Value;

/** A group: its key, and what was worked out of its records. */
export type GroupOf<Name extends string, Key, Aggregates, Row> = Readonly<Record<Name, Key>> & {
  readonly [name in keyof Aggregates]: Aggregates[name] extends Aggregate<never, infer Value>
    ? OfRow<Value, Row>
    : never;
};

/** What is read beside a record, by the name of its field. */
export type Beside<Added> = {
  readonly [name in keyof Added]: Added[name] extends { readonly '~types': { readonly value: infer Value } }
    ? Value
    : never;
};

/** The arguments that relations beside a record mention. */
export type ArgumentsBeside<Added> = UnionToIntersection<
  {
    [name in keyof Added]: Added[name] extends { readonly '~types': { readonly args: [unknown, infer Named] } }
      ? Named
      : never;
  }[keyof Added]
>;

export type ResultOf<Result extends string, Item> = Result extends 'list'
  ? List<Item>
  : Result extends 'one'
    ? Item | undefined
    : Result extends 'count'
      ? number
      : boolean;

/** An endpoint that loads what a query is about. */
export interface Loader {
  (...args: Loose): Promise<unknown>;
  readonly schema?: unknown;
  extend(options: never): unknown;
}

/** The endpoint of a query that is loaded by another one. */
export type LoadedEndpoint<E extends Loader, Value> = ReadEndpoint<(...args: Parameters<E>) => Promise<Value>> & {
  readonly schema: { readonly '~types': SchemaTypes<Value, Value | undefined, unknown, undefined> };
};

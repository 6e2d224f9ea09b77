import type { AnyClass, WithPk } from '../schema/infer-schema.ts';
import type { Aggregate, RecordOfGroup } from './aggregate.ts';
import type { AsFields, FieldName } from './infer-condition.ts';
import type { PkIn, TargetOr } from './infer-relation.ts';
import type { InstanceOf } from './infer-source.ts';

// A type of a query has few parameters, because editors print them all: its items, its arguments, and its source. The arguments are a `readonly` tuple
// if the first of them is an owner. The source is the class of the records, or one of the interfaces in `infer-source.ts`.

/** The arguments that a query is read with: its owner if it has one, and the named arguments if it has any. */
export type QueryArgsOf<Args extends readonly unknown[]> = Args extends unknown[]
  ? Args
  : Args extends readonly [infer One, ...infer Named]
    ? [PkIn<One>] extends [never]
      ? [owner: One, ...Named]
      : [owner: TargetOr<One>, ...Named]
    : Args;

/** The owner of a query, if it has one. */
export type OwnerAmong<Args extends readonly unknown[]> = Args extends unknown[]
  ? []
  : Args extends readonly [infer One, ...unknown[]]
    ? [owner: One]
    : never;

/** The arguments of a query with more named arguments. */
export type WithNamed<Args extends readonly unknown[], Named> = [keyof Named] extends [never]
  ? Args
  : Args extends unknown[]
    ? [args: BothNamed<Args, Named>]
    : Args extends readonly [infer One, ...infer Before]
      ? readonly [owner: One, args: BothNamed<Before, Named>]
      : never;

type BothNamed<Before, Named> = Before extends [infer Former] ? AsFields<Former & Named> : Named;

/** The values by which records are joined, by kind. Two of one kind can be equal: a record equals its pk, and 1 equals '1'. */
interface JoinKeys {
  readonly pk: WithPk | string | number | bigint;
  readonly boolean: boolean;
  readonly object: unknown;
}

export type JoinKind = keyof JoinKeys;

/** The key of a kind by which a record is joined: a field, or a function. */
export type JoinBy<Row, Kind extends JoinKind> =
  | { [field in FieldName<Row>]: Kind extends KindOfKey<Row[field]> ? field : never }[FieldName<Row>]
  | ((record: Row) => JoinKeys[Kind] | null | undefined);

/** A field without a known type may have values of any kind. */
type KindOfKey<Value> = unknown extends Value
  ? JoinKind
  : [NonNullable<Value>] extends [never]
    ? JoinKind
    : KindOfValue<NonNullable<Value>>;

type KindOfValue<Value> = Value extends JoinKeys['pk'] ? 'pk' : Value extends boolean ? 'boolean' : 'object';

/** The sources that a query can be joined with: an entity, or a query without an owner. */
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

/** The named arguments of a joined query. */
export type NamedOf<Other> = Other extends { readonly '~types': { readonly args: readonly [named: infer Named] } }
  ? Named
  : unknown;

/** The members of a collection. */
export type MemberOf<Value> = Value extends readonly (infer Item)[] ? Item : Value[keyof Value];

type OfRow<Value, Row> = Value extends RecordOfGroup
  ? Row
  : Value extends readonly RecordOfGroup[]
    ? readonly Row[]
    : Value;

/** An error of the compiler for groups without aggregates. */
export type SomeOf<Aggregates> = {} extends Aggregates
  ? 'Groups have at least one aggregate: { posts: count() }.'
  : unknown;

/** A group: its key and its aggregates. */
export type GroupOf<Name extends string, Key, Aggregates, Row> = AsFields<
  Record<Name, Key> & {
    [name in keyof Aggregates]: Aggregates[name] extends Aggregate<never, infer Value> ? OfRow<Value, Row> : never;
  }
>;

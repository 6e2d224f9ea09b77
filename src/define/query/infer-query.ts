import type { WrongOption } from '../endpoint/infer-options.ts';
import type { AnyClass, List, WithPk } from '../schema/infer-schema.ts';
import type { Aggregate, RecordOfGroup } from './aggregate.ts';
import type { FieldName, Operand, UnionToIntersection } from './infer-condition.ts';

// A type of a query has few parameters, because editors print them all: its items, its arguments, and its source. The arguments are a `readonly` tuple
// if the first of them is an owner. The source is the class of the records, or one of the interfaces below.

/** The source of a query of other items than records of a class: of joined records, or of the result of another query. @hidden */
export interface ItemsOf<Class> {
  /** Exists only in types. */
  readonly '~class': Class;
}
/** The source of a query that adds relations to such items. Its conditions and orders see the items without them. @hidden */
export interface Rows<Row, Class> extends ItemsOf<Class> {
  /** Exists only in types. */
  readonly '~row': Row;
}
/** The source of a query after `select()`. Its conditions and orders see the records. @hidden */
export interface Selected<Row> {
  /** Exists only in types. */
  readonly '~row': Row;
  /** Exists only in types. */
  readonly '~selected': true;
}
/** The source of a query whose result is not a list. @hidden */
export interface Returning<Result extends 'one' | 'count' | 'exists', Source> {
  /** Exists only in types. */
  readonly '~result': Result;
  /** Exists only in types. */
  readonly '~source': Source;
}

/** What the conditions and orders of a query see. */
export type RowOf<Item, Source> = Source extends AnyClass
  ? InstanceOf<Source>
  : Source extends { readonly '~row': infer Row }
    ? Row
    : Source extends { readonly '~source': infer Inner }
      ? RowOf<Item, Inner>
      : Item;

/** The class of the records of a query. `unknown` without one. */
export type ClassOf<Source> = Source extends AnyClass
  ? Source
  : Source extends { readonly '~class': infer Class }
    ? Class
    : Source extends { readonly '~source': infer Inner }
      ? ClassOf<Inner>
      : unknown;

/** The source of the list of a query. */
export type ListSource<Source> = Source extends { readonly '~source': infer Inner } ? Inner : Source;

/** The source of a query with relations in its items. */
export type SourceWith<Item, Source> = Source extends AnyClass | { readonly '~row': unknown }
  ? Source
  : Source extends Returning<infer Result, infer Inner>
    ? Returning<Result, SourceWith<Item, Inner>>
    : Rows<Item, ClassOf<Source>>;

/** The source of a query of the items of another query. */
export type OfItems<Source> = Source extends AnyClass
  ? ItemsOf<Source>
  : Source extends Returning<infer Result, infer Inner>
    ? Returning<Result, OfItems<Inner>>
    : Source extends { readonly '~class': infer Class }
      ? unknown extends Class
        ? unknown
        : ItemsOf<Class>
      : unknown;

/** The source of a query of a query. */
export type FromQuery<Item, Source> = Source extends AnyClass
  ? [InstanceOf<Source>] extends [Item]
    ? Source
    : ItemsOf<Source>
  : OfItems<Source>;

/** An error of the compiler for a query of a query that has no list of items. */
export type ListOnly<Source> =
  Source extends Returning<infer Result, unknown>
    ? `A query of a query reads a list. Leave out ${Result}() of the inner one.`
    : unknown;

/** The source of a query of groups. */
export type OfGroups<Source> = Source extends Returning<infer Result, unknown> ? Returning<Result, unknown> : unknown;

/** The source of a query with a `select()`. */
export type Selecting<Item, Source> =
  Source extends Returning<infer Result, infer Inner>
    ? Returning<Result, Selected<RowOf<Item, Inner>>>
    : Selected<RowOf<Item, Source>>;

/** The value of a query. */
export type ValueOfQuery<Item, Source> =
  Source extends Returning<infer Result, unknown>
    ? Result extends 'one'
      ? Item | undefined
      : Result extends 'count'
        ? number
        : boolean
    : List<Item>;

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

/** The record that a field refers to, or its pk. */
export type OwnerOf<Class extends AnyClass, Field extends keyof InstanceOf<Class>> = OwnerIn<
  InstanceOf<Class>[Field],
  Class,
  Field
>;

type OwnerIn<Value, Class extends AnyClass, Field> = Value extends readonly (infer Item)[]
  ? OwnerIn<Item, Class, Field>
  : Value extends null | undefined
    ? never
    : Value extends WithPk
      ? Operand<Value>
      : Value | OwnerByPk<Class, Field>;

/** The owner of a relation by a field that has only a pk. The type of the field does not name its class. @hidden */
export interface OwnerByPk<Class, Field> extends WithPk {
  /** Exists only in types: tells relations apart. */
  readonly '~pkIn'?: readonly [of: Class, field: Field];
}

/**
 * The owner of a relation as readers pass it. If the class with the pk also says by `belongsTo()` to which class it belongs, only records of that
 * class are allowed, and otherwise any record. Only a call may ask for it: inside of a class, its members have no types yet.
 */
type TargetOr<One> = One extends { readonly '~pkIn'?: readonly [infer Class, infer Field] }
  ? '~pkIn' extends keyof One
    ? [TargetsIn<Class, Field>] extends [never]
      ? One
      : TargetsIn<Class, Field>
    : One
  : One;

/** The records to which a field with a pk refers. A function without an annotation has an owner of any type, and names no field. */
type TargetsIn<Class, Field> =
  | TargetsOfMembers<Class, Field>
  | (Class extends { readonly schema: infer Fields } ? TargetsOfMembers<Fields, Field> : never);
type TargetsOfMembers<Members, Field> = {
  [name in keyof Members]-?: Members[name] extends {
    readonly '~target': infer Target;
    readonly '~owned': readonly [owner: infer Owner];
  }
    ? 0 extends 1 & Owner
      ? never
      : Field extends keyof Owner
        ? unknown extends Owner[Field]
          ? Target
          : never
        : never
    : never;
}[keyof Members];

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

/** The names of the fields that can refer to a record. */
export type ReferenceName<Row> = [Row] extends [unknown]
  ? {
      [field in keyof Row & string]: NonNullable<Row[field]> extends boolean | Date | ((...args: never[]) => unknown)
        ? never
        : field;
    }[keyof Row & string]
  : never;

/** A path from an owner to its records. */
export type PathTo<Row> =
  | ReferenceName<Row>
  | ((record: Row) => unknown)
  | { readonly [field in FieldName<Row>]?: string }
  | ThroughLinks;

/** The fields of the other class that a path names. A wrong name has to be `never`. */
export type PathOf<Row, Path> = Path extends string | ThroughLinks
  ? Path
  : Path extends (...args: never[]) => infer Pk
    ? NonNullable<Pk> extends PromiseLike<unknown> | boolean | Date
      ? (record: Row) => 'The function of a relation returns a pk, or a list of pks.'
      : Path
    : [keyof Path] extends [never]
      ? never
      : { readonly [name in keyof Path]: name extends FieldName<Row> ? Path[name] : never };

/** A path through linking records, such as memberships between users and groups. */
interface ThroughLinks {
  readonly '~owner': (owner: never) => void;
}

/** The type of the owner of a relation, by its path. */
export type OwnerBy<Class extends AnyClass, Path> = Path extends keyof InstanceOf<Class>
  ? OwnerOf<Class, Path>
  : Path extends { readonly '~owner': (owner: infer Owner) => void }
    ? Owner
    : Path extends (...args: never[]) => unknown
      ? WithPk | string | number
      : Readonly<Record<Path[keyof Path] & string, unknown>>;

export type InstanceOf<Class extends AnyClass> = Class extends { readonly prototype: infer Instance }
  ? Instance
  : never;

/** A class of records. */
export type RecordClass = abstract new (...args: never[]) => WithPk;

type OfRow<Value, Row> = Value extends RecordOfGroup
  ? Row
  : Value extends readonly RecordOfGroup[]
    ? readonly Row[]
    : Value;

/** Shows an object type by its fields in editors, and not by the name of the type that made it. */
export type AsFields<Type> = { readonly [name in keyof Type]: Type[name] } & {};

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

/** The relations that are read beside a record, by the names of their fields. */
export type Beside<Added> = AsFields<{
  [name in keyof Added]: ValueIn<Added[name]>;
}>;

/** A relation that can be read for a record. */
interface ReadFor<Owner> {
  readonly '~owned': readonly [owner: Owner];
}

/** A relation that is a static member of the class, or that names its field too: `{ [their field]: 'id' }`. */
type DeclaredWith<Field extends string> =
  `This class declares no relation by ${Field}. Make it a static member, or write { ${Field}: 'id' }`;

/** The relations of `Added` that can be read for a record of a class, and what to write in place of each other one. */
export type OwnedBy<Row, Added, Source, Class> = Source extends { readonly '~selected': true }
  ? 'A value of select() has no relations. Write with() before select().'
  : Unless<
      Added,
      {
        readonly [name in keyof Added]: RelationGiven<Added[name]> &
          (name extends keyof Row ? NewName<Row, name, ValueIn<Added[name]>> : unknown) &
          (Added[name] extends { readonly '~owned': readonly [owner: infer Owner] }
            ? Row extends Owner
              ? DeclaredBy<Row, PkIn<Owner>, Class>
              : ReadFor<Row>
            : unknown);
      }
    >;
/** What a type has to be, unless it is already. Editors show no more than the type then. */
type Unless<Given, Needed> = Given extends Needed ? unknown : Needed;
/** An error of the compiler for a collection. */
type RelationGiven<Added> = Added extends { readonly keepsRows: true }
  ? 'A collection is not a relation. Write from(collection).'
  : unknown;
type ValueIn<Added> = Added extends { readonly '~types': { readonly value: infer Value } } ? Value : never;

/** An error of the compiler for the name of a member that a record has already, unless it is a related record, or a list of them, that the value can replace. */
export type NewName<Row, Name, Value> = Name extends keyof Row
  ? unknown extends Row[Name]
    ? unknown
    : [Value, NonNullable<Row[Name]>] extends [Row[Name], object]
      ? unknown
      : NameTaken<Name>
  : unknown;
type NameTaken<Name> = WrongOption<`Choose another name: each record has a member ${Name & string} already.`>;

/** An error of the compiler for a second `select()`. */
export type SelectedOnce<Source> = Source extends { readonly '~selected': true }
  ? 'This query has a select() already. Write from(query).select(…).'
  : unknown;

/** A relation by a field that has only a pk belongs to the class that declares it. A relation from a class to itself is always allowed: inside of the class, its members have no types yet. */
type DeclaredBy<Row, Pk, Class> = [Pk] extends [never]
  ? unknown
  : unknown extends Class
    ? unknown
    : Pk extends readonly [of: infer Target extends AnyClass, field: infer Field extends string]
      ? Row extends InstanceOf<Target>
        ? unknown
        : Pk extends PksIn<Class>
          ? unknown
          : DeclaredWith<Field>
      : unknown;

/** The fields with the pk of the owner, of the relations that a class declares. */
type PksIn<Class> =
  | PksOfMembers<Class>
  | (Class extends { readonly schema: infer Fields } ? PksOfMembers<Fields> : never);
type PksOfMembers<Members> = {
  [name in keyof Members]: Members[name] extends { readonly '~owned': readonly [owner: infer Owner] }
    ? PkIn<Owner>
    : never;
}[keyof Members];

type PkIn<Owner> = Owner extends { readonly '~pkIn'?: infer Pk }
  ? '~pkIn' extends keyof Owner
    ? NonNullable<Pk>
    : never
  : never;

/** The named arguments of the relations that are read beside a record. */
export type ArgumentsBeside<Added> = UnionToIntersection<
  {
    [name in keyof Added]: Added[name] extends { readonly '~args': infer Args } ? NamedIn<Args> : never;
  }[keyof Added]
>;
type NamedIn<Args> = Args extends [infer Named] ? Named : Args extends readonly [unknown, infer Named] ? Named : never;

import type { WrongOption } from '../endpoint/infer-options.ts';
import type { AnyClass, WithPk } from '../schema/infer-schema.ts';
import type { AsFields, FieldName, Operand, UnionToIntersection } from './infer-condition.ts';
import type { InstanceOf } from './infer-source.ts';

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
export type TargetOr<One> = One extends { readonly '~pkIn'?: readonly [infer Class, infer Field] }
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

/** A class of records. */
export type RecordClass = abstract new (...args: never[]) => WithPk;

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

export type PkIn<Owner> = Owner extends { readonly '~pkIn'?: infer Pk }
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

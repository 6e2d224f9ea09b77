/** Types that follow from a schema. Only files named `infer-…` may contain `any`. */
import type { SchemaSimple } from './schema.ts';

// Subclasses override the hooks of an entity with narrower parameters, and spread and index what `super` returns. Neither compiles with
// `unknown`.
export type Loose = any;

/** Any class. It has no constraint on statics, because then the types of classes that refer to each other would depend on themselves. */
export type AnyClass = abstract new (...args: never[]) => unknown;

/** The instance type of a class, also of an abstract one. */
export type AbstractInstanceType<Class> = Class extends { readonly prototype: infer Instance } ? Instance : never;

/** The members that make a class an entity, without `schema`. `AnyClass` has the reason. */
export interface EntityLike<Instance = Loose> {
  readonly prototype: Instance;
  readonly key: string;
  pk(value: Loose, parent?: Loose, key?: string, args?: Loose): Loose;
  createIfValid(props: Loose): Loose;
}

/** Entity classes by the names of their kinds. */
export type EntityMap<Instance = Loose> = Readonly<Record<string, EntityLike<Instance>>>;

/** A function that converts a stored value: `Temporal.Instant.from`, `Number`, `BigNumber`. */
export type Serializable<Value = Loose> = ((value: Loose) => Value) | (abstract new (value: Loose) => Value);

/** Anything that a schema can consist of. */
export type Schema =
  | null
  | string
  | SchemaSimple
  | EntityLike
  | Serializable
  | readonly Schema[]
  | { readonly [field: string]: Loose };

/**
 * The types of a schema class, in a member that exists only in types. A schema class of your own does not need it: its value has the return
 * type of `denormalize`.
 */
export interface SchemaTypes<Value, Nullable, Stored, Args> {
  /** The type of its value. */
  readonly value: Value;
  /** The type of its value if there may be none. */
  readonly nullable: Nullable;
  /** The stored form. */
  readonly stored: Stored;
  /** The arguments for reading it without a request. `undefined` if it cannot be read without one. */
  readonly args: Args;
}

export type IsAny<S> = 0 extends 1 & S ? true : false;

type ChangedInPlace = 'What was read is not changed in place. Change a copy: [...list], or list.toSorted().';
/**
 * A list that was read. It is assignable to an array, and an array is assignable to it. Calls of methods that change it in place do not
 * compile.
 */
export interface List<Item> extends Array<Item> {
  readonly [at: number]: Item;
  readonly length: number;
  push(this: ChangedInPlace, ...items: Item[]): number;
  pop(this: ChangedInPlace): Item | undefined;
  shift(this: ChangedInPlace): Item | undefined;
  unshift(this: ChangedInPlace, ...items: Item[]): number;
  splice(this: ChangedInPlace, start: number, deleteCount?: number, ...items: Item[]): Item[];
  sort(this: ChangedInPlace, compare?: (one: Item, other: Item) => number): this;
  reverse(this: ChangedInPlace): Item[];
  fill(this: ChangedInPlace, value: Item, start?: number, end?: number): this;
  copyWithin(this: ChangedInPlace, target: number, start: number, end?: number): this;
}

/** The return type of a function as readers get it: its lists are readonly. */
export type Read<Value> =
  IsAny<Value> extends true
    ? Value
    : Value extends (infer Item)[]
      ? number extends Value['length']
        ? List<Item>
        : Value
      : Value;

/** The type of the value of a schema. */
export type Denormalize<S> =
  IsAny<S> extends true
    ? Loose
    : S extends EntityLike<infer Instance>
      ? Instance
      : S extends { readonly '~types': { readonly value: infer Value } }
        ? Value
        : S extends { denormalize(...args: Loose[]): infer Value }
          ? Value
          : S extends Serializable
            ? Deserialized<S>
            : S extends readonly (infer Item)[]
              ? List<Denormalize<Item>>
              : S extends object
                ? { readonly [field in keyof S]: Denormalize<S[field]> }
                : S;

/** The type of the value of a schema if parts of it may be missing. */
export type DenormalizeNullable<S> =
  IsAny<S> extends true
    ? Loose
    : S extends EntityLike<infer Instance>
      ? Instance | undefined
      : S extends { readonly '~types': { readonly nullable: infer Value } }
        ? Value
        : S extends { denormalize(...args: Loose[]): infer Value }
          ? Value | undefined
          : S extends Serializable
            ? Deserialized<S>
            : S extends readonly (infer Item)[]
              ? List<Denormalize<Item>> | undefined
              : S extends object
                ? { readonly [field in keyof S]: DenormalizeNullable<S[field]> }
                : S;

/** The stored form of a schema. */
export type Normalize<S> =
  IsAny<S> extends true
    ? Loose
    : S extends EntityLike
      ? string
      : S extends { readonly '~types': { readonly stored: infer Stored } }
        ? Stored
        : S extends { normalize(...args: Loose[]): infer Stored }
          ? Stored
          : S extends Serializable
            ? Loose
            : S extends readonly (infer Item)[]
              ? Normalize<Item>[]
              : S extends object
                ? { [field in keyof S]: Normalize<S[field]> }
                : S;

/** As `Normalize`, if nothing may be stored. */
export type NormalizeNullable<S> = S extends { readonly '~types': unknown } | EntityLike | readonly unknown[]
  ? Normalize<S> | undefined
  : S extends object
    ? { [field in keyof S]: NormalizeNullable<S[field]> }
    : Normalize<S>;

export type DenormalizeObject<Map> = { readonly [field in keyof Map]: Denormalize<Map[field]> };
export type DenormalizeNullableObject<Map> = { readonly [field in keyof Map]: DenormalizeNullable<Map[field]> };

// `Date()` without `new` returns a string, so a Date is constructed with `new`, as classes are.
type Deserialized<S> = S extends DateConstructor
  ? Date
  : S extends (...args: Loose[]) => infer Value
    ? Value
    : S extends abstract new (...args: Loose[]) => infer Value
      ? Value
      : never;

/** The value of one member of a schema: one of several entities in a map, or the value of a single schema. */
export type Member<S> = S extends EntityMap<infer Instance> ? Instance : Denormalize<S>;
/** The stored form of one member. */
export type StoredMember<S> = S extends EntityMap
  ? { readonly id: string; readonly schema: KindName<S> }
  : Normalize<S>;

/** How the entities of a map are distinguished: by a field of the record, or by a function that returns the name. */
export type SchemaAttribute<S> =
  S extends EntityMap<infer Instance>
    ? (Instance extends unknown ? keyof Instance & string : never) | SchemaFunction<keyof S | KindName<S>>
    : undefined;
// Numeric names are stored as strings, as all property names are.
type KindName<Kinds> = `${keyof Kinds & (string | number)}`;
export type SchemaFunction<Name = string> = (value: Loose, parent: Loose, key: string | undefined) => Name;

/** The fields by which an entity can be read. A number can be passed as a string, and the other way round. */
export type EntityFields<Instance> = {
  readonly [field in keyof Instance as Instance[field] extends (...args: Loose[]) => Loose ? never : field]?: ArgValue<
    Instance[field]
  >;
};
type ArgValue<Value> = Value extends number ? Value | string : Value extends string ? Value | number : Value;

/**
 * The fields of a record that can be sent or set, without methods and without fields that only the client adds. A referenced record can be
 * given as its pk, or as a plain object with its fields.
 */
export type Changes<Instance, Joined = never, Schemas = unknown> =
  IsAny<Instance> extends true
    ? Partial<Instance>
    : {
        [
          field in keyof Instance as field extends Joined
            ? never
            : Instance[field] extends (...args: never[]) => unknown
              ? never
              : field
        ]?: Referable<Instance[field]> | (field extends keyof Schemas ? Converted<Schemas[field]> : never);
      };
/** The stored form of a field that a function converts: `string` for `(iso: string) => new Date(iso)`. */
type Converted<Field> = Field extends (stored: infer Stored) => unknown
  ? unknown extends Stored
    ? never
    : Stored
  : never;
type Referable<Value> =
  IsAny<Value> extends true
    ? Value
    : Value extends WithPk
      ? Value | Changes<Value> | string | number
      : Value extends readonly (infer Item extends WithPk)[]
        ? readonly (Item | Changes<Item> | string | number)[]
        : string extends keyof Value
          ? { readonly [name in keyof Value]: Referable<Value[name]> }
          : Value;
/** A record: an object with a primary key. @hidden */
export interface WithPk {
  pk(...args: never[]): unknown;
}

/** The type of the body for a record. */
export type RecordBody<S> = Changes<
  Denormalize<S>,
  JoinedIn<S>,
  S extends { readonly schema: infer Fields } ? Fields : unknown
>;
/** Fields that the client adds to a record, and that are not stored with it. */
type JoinedIn<S> = S extends { readonly schema: infer Fields }
  ? { [field in keyof Fields]: IsJoined<Fields[field]> extends true ? field : never }[keyof Fields]
  : never;
type IsJoined<Field> =
  IsAny<Field> extends true
    ? false
    : Field extends { readonly '~types': { readonly stored: undefined } }
      ? true
      : false;

/** The arguments for the lenses of the Scalar fields of an entity. */
export type LensFields<S> = S extends { readonly schema: infer Fields }
  ? Intersection<LensField<Fields[keyof Fields]>>
  : unknown;
type LensField<Field> = Field extends {
  readonly lens: Loose;
  readonly '~types': { readonly args: readonly (infer Argument)[] };
}
  ? [IsAny<Argument> extends true ? Readonly<Record<string, Loose>> : Argument]
  : never;
// Each member of the union becomes a parameter of a function type, so that an argument whose own type is a union is not split.
type Intersection<Boxed> = (Boxed extends [infer Each] ? (each: Each) => void : never) extends (
  all: infer Every,
) => void
  ? Every
  : unknown;

/** The arguments for reading a schema. */
export type SchemaArgs<S> =
  IsAny<S> extends true
    ? Loose
    : S extends EntityLike<infer Instance>
      ? [key: (EntityFields<Instance> & LensFields<S>) | string | number]
      : S extends { readonly '~types': { readonly args: infer Args } }
        ? Args extends readonly unknown[]
          ? Args
          : never
        : S extends { queryKey(args: infer Args, ...rest: Loose[]): Loose }
          ? Args
          : S extends object
            ? ObjectArgs<S>
            : never;

/** The arguments for reading an object: every member is read with all of them. */
export type ObjectArgs<Map> = { [field in keyof Map]: SchemaArgs<Map[field]> }[keyof Map];

/** A schema that can be read without a request. */
export type Queryable<Instance = Loose> =
  | EntityLike<Instance>
  | {
      queryKey(args: Loose, unvisit: Loose, delegate: Loose): Loose;
      readonly '~types'?: { readonly args: readonly unknown[] };
    };

/** The default arguments of a collection: those of a request. */
export type DefaultArgs =
  | []
  | [urlParams: Readonly<Record<string, Loose>>]
  | [urlParams: Readonly<Record<string, Loose>>, body: Readonly<Record<string, Loose>>];

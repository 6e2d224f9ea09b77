/**
 * What the compiler works out from a schema. The only files of this folder where `any` may stand are those named infer.
 */
import type { SchemaSimple } from './schema.ts';

// Hooks of an entity are overridden with narrower parameters, and what `super` gives back is spread and indexed there:
// neither compiles against `unknown`.
export type Loose = any;

/**
 * Anything that makes instances. Shallow on purpose: a constraint on statics would make the types of classes that refer
 * to each other depend on themselves.
 */
export type AnyClass = abstract new (...args: never[]) => unknown;

/** The instances of a class, abstract or not. */
export type AbstractInstanceType<Class> = Class extends { readonly prototype: infer Instance } ? Instance : never;

/** What makes a class an entity, without its `schema`: see `AnyClass`. */
export interface EntityLike<Instance = Loose> {
  readonly prototype: Instance;
  readonly key: string;
  pk(value: Loose, parent?: Loose, key?: string, args?: Loose): Loose;
  createIfValid(props: Loose): Loose;
}

/** Entities by the name that their records carry. */
export type EntityMap<Instance = Loose> = Readonly<Record<string, EntityLike<Instance>>>;

/** A function that makes a richer value of a stored one: `Temporal.Instant.from`, `Number`, `BigNumber`. */
export type Serializable<Value = Loose> = ((value: Loose) => Value) | (abstract new (value: Loose) => Value);

/** Anything that may stand in a schema. */
export type Schema =
  | null
  | string
  | SchemaSimple
  | EntityLike
  | Serializable
  | readonly Schema[]
  | { readonly [field: string]: Loose };

/**
 * What a schema class tells the compiler, in a member that no instance has. A schema of your own needs none: it reads
 * as what its `denormalize` returns.
 */
export interface SchemaTypes<Value, Nullable, Stored, Args> {
  /** What it reads as. */
  readonly value: Value;
  /** What it reads as while there is nothing. */
  readonly nullable: Nullable;
  /** What it is stored as. */
  readonly stored: Stored;
  /** The arguments it can be queried by; `undefined` if it cannot. */
  readonly args: Args;
}

export type IsAny<S> = 0 extends 1 & S ? true : false;

type ChangedInPlace = 'What was read is not changed in place. Change a copy: [...list], or list.toSorted().';
/**
 * A list that was read. It can be passed wherever an array is taken, and an array wherever it is; what would change it in
 * place does not compile.
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

/** What a function returned, as it is read: its lists are readonly. */
export type Read<Value> =
  IsAny<Value> extends true
    ? Value
    : Value extends (infer Item)[]
      ? number extends Value['length']
        ? List<Item>
        : Value
      : Value;

/** What a schema reads as. */
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

/** What a schema reads as while parts of it may not be there. */
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

/** What a schema is stored as. */
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

/** As `Normalize`, while there may be nothing. */
export type NormalizeNullable<S> = S extends { readonly '~types': unknown } | EntityLike | readonly unknown[]
  ? Normalize<S> | undefined
  : S extends object
    ? { [field in keyof S]: NormalizeNullable<S[field]> }
    : Normalize<S>;

export type DenormalizeObject<Map> = { readonly [field in keyof Map]: Denormalize<Map[field]> };
export type DenormalizeNullableObject<Map> = { readonly [field in keyof Map]: DenormalizeNullable<Map[field]> };

// `Date()` called as a function gives the present as text, so it is constructed; so is what can only be constructed.
type Deserialized<S> = S extends DateConstructor
  ? Date
  : S extends (...args: Loose[]) => infer Value
    ? Value
    : S extends abstract new (...args: Loose[]) => infer Value
      ? Value
      : never;

/** One of what a polymorphic schema may hold: a map of entities, or a single schema. */
export type Member<S> = S extends EntityMap<infer Instance> ? Instance : Denormalize<S>;
/** What stays in the place of it. */
export type StoredMember<S> = S extends EntityMap
  ? { readonly id: string; readonly schema: KindName<S> }
  : Normalize<S>;

/** How records of a map of entities are told apart: by a field, or by a function that gives the name. */
export type SchemaAttribute<S> =
  S extends EntityMap<infer Instance>
    ? (Instance extends unknown ? keyof Instance & string : never) | SchemaFunction<keyof S | KindName<S>>
    : undefined;
// A number that names a kind is kept as text, as every name of a member is.
type KindName<Kinds> = `${keyof Kinds & (string | number)}`;
export type SchemaFunction<Name = string> = (value: Loose, parent: Loose, key: string | undefined) => Name;

/** The fields by which an entity can be asked for. A number asks for the text of it too, and the other way round. */
export type EntityFields<Instance> = {
  readonly [field in keyof Instance as Instance[field] extends (...args: Loose[]) => Loose ? never : field]?: ArgValue<
    Instance[field]
  >;
};
type ArgValue<Value> = Value extends number ? Value | string : Value extends string ? Value | number : Value;

/**
 * What can be sent or set of a record: its fields, without methods and without what is joined to it on the client. A record that it
 * refers to can be named by its pk.
 */
export type Changes<Instance, Joined = never> =
  IsAny<Instance> extends true
    ? Partial<Instance>
    : {
        [
          field in keyof Instance as field extends Joined
            ? never
            : Instance[field] extends (...args: never[]) => unknown
              ? never
              : field
        ]?: Referable<Instance[field]>;
      };
type Referable<Value> =
  IsAny<Value> extends true
    ? Value
    : Value extends WithPk
      ? Value | string | number
      : Value extends readonly (infer Item extends WithPk)[]
        ? readonly (Item | string | number)[]
        : Value;
/** What has a primary key: a record. */
export interface WithPk {
  pk(...args: never[]): unknown;
}

/** The body of a record that a schema reads. */
export type RecordBody<S> = Changes<Denormalize<S>, JoinedIn<S>>;
/** The fields that are no part of a stored record. */
type JoinedIn<S> = S extends { readonly schema: infer Fields }
  ? { [field in keyof Fields]: IsJoined<Fields[field]> extends true ? field : never }[keyof Fields]
  : never;
type IsJoined<Field> =
  IsAny<Field> extends true
    ? false
    : Field extends { readonly '~types': { readonly stored: undefined } }
      ? true
      : false;

/** What the lenses of an entity's own Scalar fields look for beside its fields. */
export type LensFields<S> = S extends { readonly schema: infer Fields }
  ? Intersection<LensField<Fields[keyof Fields]>>
  : unknown;
type LensField<Field> = Field extends {
  readonly lens: Loose;
  readonly '~types': { readonly args: readonly (infer Argument)[] };
}
  ? [IsAny<Argument> extends true ? Readonly<Record<string, Loose>> : Argument]
  : never;
// In a position of its own for each, so that an argument that is a union itself stays one.
type Intersection<Boxed> = (Boxed extends [infer Each] ? (each: Each) => void : never) extends (
  all: infer Every,
) => void
  ? Every
  : unknown;

/** The arguments that a schema is queried by. */
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

/** The arguments of a join: each part is asked for with all of them. */
export type ObjectArgs<Map> = { [field in keyof Map]: SchemaArgs<Map[field]> }[keyof Map];

/** A schema that can be read without a request. */
export type Queryable<Instance = Loose> =
  | EntityLike<Instance>
  | {
      queryKey(args: Loose, unvisit: Loose, delegate: Loose): Loose;
      readonly '~types'?: { readonly args: readonly unknown[] };
    };

/** The arguments of a collection that says nothing about them: those of a request. */
export type DefaultArgs =
  | []
  | [urlParams: Readonly<Record<string, Loose>>]
  | [urlParams: Readonly<Record<string, Loose>>, body: Readonly<Record<string, Loose>>];

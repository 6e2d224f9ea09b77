import type { Denormalize, DefaultArgs, EntityLike, Loose } from './infer-schema.ts';
import { All } from './all.ts';
import { ArraySchema } from './array.ts';
import { Collection } from './collection.ts';
import type { CollectionContent } from './collection-options.ts';
import { EntityMixin } from './entity-mixin.ts';
import { Invalidate } from './invalidate.ts';
import { Lazy } from './lazy.ts';
import { unshift } from './collection-members.ts';
import { ObjectSchema } from './object.ts';
import { Query } from './query.ts';
import { Scalar } from './scalar.ts';
import { Union } from './union.ts';
import { Values } from './values.ts';

/** The schema classes under short names: `new schema.Array(…)`. */
export const schema: Readonly<{
  All: typeof All;
  Array: typeof ArraySchema;
  Collection: typeof Collection;
  Entity: typeof EntityMixin;
  EntityMixin: typeof EntityMixin;
  Invalidate: typeof Invalidate;
  Lazy: typeof Lazy;
  Object: typeof ObjectSchema;
  Query: typeof Query;
  Scalar: typeof Scalar;
  Union: typeof Union;
  Values: typeof Values;
  unshift: typeof unshift;
}> = Object.freeze({
  All,
  Array: ArraySchema,
  Collection,
  Entity: EntityMixin,
  EntityMixin,
  Invalidate,
  Lazy,
  Object: ObjectSchema,
  Query,
  Scalar,
  Union,
  Values,
  unshift,
});

// The same names as types. Each has an alias here, because inside the namespace the name would refer to itself.
type AllOf<S> = All<S>;
type CollectionOf<S extends CollectionContent, Args extends readonly unknown[], Parent> = Collection<S, Args, Parent>;
type InvalidateOf<S> = Invalidate<S>;
type LazyOf<S> = Lazy<S>;
type QueryOf<S, Process extends (value: Denormalize<S>, ...args: Loose) => unknown> = Query<S, Process>;
type ScalarOf<Argument> = Scalar<Argument>;
type UnionOf<Kinds extends Readonly<Record<string, unknown>>> = Union<Kinds>;
type ValuesOf<S> = Values<S>;

/** The classes of `schema` as types, such as `schema.Collection<[typeof Todo]>`. */
export declare namespace schema {
  type All<S = unknown> = AllOf<S>;
  type Array<S = unknown> = ArraySchema<S>;
  type Collection<
    S extends CollectionContent = Loose,
    Args extends readonly unknown[] = DefaultArgs,
    Parent = Loose,
  > = CollectionOf<S, Args, Parent>;
  type EntityInterface<Instance = Loose> = EntityLike<Instance>;
  type Invalidate<S = unknown> = InvalidateOf<S>;
  type Lazy<S = unknown> = LazyOf<S>;
  type Object<Map extends Readonly<Record<string, unknown>> = Readonly<Record<string, unknown>>> = ObjectSchema<Map>;
  type Query<
    S = unknown,
    Process extends (value: Denormalize<S>, ...args: Loose) => unknown = (
      value: Denormalize<S>,
      ...args: Loose
    ) => Loose,
  > = QueryOf<S, Process>;
  type Scalar<Argument = Loose> = ScalarOf<Argument>;
  type Union<Kinds extends Readonly<Record<string, unknown>> = Readonly<Record<string, unknown>>> = UnionOf<Kinds>;
  type Values<S = unknown> = ValuesOf<S>;
}

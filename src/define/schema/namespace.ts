import { All } from './all.ts';
import { ArraySchema } from './array.ts';
import { Collection } from './collection.ts';
import { EntityMixin } from './entity-mixin.ts';
import { Invalidate } from './invalidate.ts';
import { Lazy } from './lazy.ts';
import { unshift } from './members.ts';
import { ObjectSchema } from './object.ts';
import { Query } from './query.ts';
import { Scalar } from './scalar.ts';
import { Union } from './union.ts';
import { Values } from './values.ts';

/** The schema classes under their short names: `new schema.Array(…)`. */
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

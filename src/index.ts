export { All } from './define/schema/all.ts';
export { Collection, type CollectionOptions } from './define/schema/collection.ts';
export { Entity, type EntityInterface } from './define/schema/entity.ts';
export { EntityMixin } from './define/schema/entity-mixin.ts';
export type {
  AbstractInstanceType,
  DefaultArgs,
  Denormalize,
  DenormalizeNullable,
  EntityFields,
  EntityMap,
  Normalize,
  NormalizeNullable,
  ObjectArgs,
  Queryable,
  Schema,
  SchemaArgs,
  Serializable,
} from './define/schema/infer.ts';
export { Invalidate } from './define/schema/invalidate.ts';
export { Lazy } from './define/schema/lazy.ts';
export { unshift } from './define/schema/members.ts';
export { schema } from './define/schema/namespace.ts';
export { Query } from './define/schema/query.ts';
export { validateRequired } from './define/schema/required.ts';
export { Scalar } from './define/schema/scalar.ts';
export {
  type DenormalizeDelegate,
  INVALID,
  type NormalizeDelegate,
  type QueryDelegate,
  type Row,
  type SchemaSimple,
  type Stamp,
} from './define/schema/schema.ts';
export { Union } from './define/schema/union.ts';
export { Values } from './define/schema/values.ts';
export { dehydrate } from './state/hydrate/dehydrate.ts';
export type { Dehydrated } from './state/hydrate/dehydrated.ts';
export { hydrate } from './state/hydrate/hydrate.ts';
export type { Commit, ResultChange, RowChange } from './state/store/commit.ts';
export type { Guess, Intent } from './state/store/layer.ts';
export type { Ticket } from './state/store/requests.ts';
export type { StoredRow } from './state/store/ground.ts';
export type { Result } from './state/store/results.ts';
export type { SnapshotReader } from './state/store/snapshot.ts';
export {
  type Layer,
  type Readable,
  Store,
  type StoreOptions,
  type StoreStats,
  type WriteOptions,
} from './state/store/store.ts';
export { DataError } from './std/data-error.ts';

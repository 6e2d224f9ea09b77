/** Types of the values that endpoints resolve to. */
import type { Denormalize, DenormalizeNullable, Loose } from '../schema/infer-schema.ts';

/** The type that an endpoint, or a function that fetches, resolves to. */
export type ResolveType<E extends (...args: Loose) => Loose> = Awaited<ReturnType<E>>;

/** The arguments of an endpoint, or `null` for no request. */
export type ArgsOrNull<E extends (...args: Loose) => Loose> = Parameters<E> | readonly [null];

type WithSchema = { readonly schema?: Loose } & ((...args: Loose) => Loose);

/** The value that an application reads from an endpoint: that of its schema, or without a schema, the type that it resolves to. */
export type ValueOf<E extends WithSchema> = E['schema'] extends undefined | null
  ? ResolveType<E>
  : Denormalize<E['schema']>;
/** As `ValueOf`, if there may be no value yet. */
export type NullableValueOf<E extends WithSchema> = E['schema'] extends undefined | null
  ? ResolveType<E> | undefined
  : DenormalizeNullable<E['schema']>;

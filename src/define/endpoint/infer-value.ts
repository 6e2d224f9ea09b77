/** Types of the values that endpoints resolve to. */
import type { Denormalize, DenormalizeNullable, IsAny, Loose } from '../schema/infer-schema.ts';

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

/**
 * The arguments of a call with a list as its body, for an endpoint that adds members to collections or removes them. For other endpoints: more arguments
 * than any call has, so that the compiler explains a wrong call by the form of one record alone.
 */
export type ListArgs<E extends WithSchema> =
  IsAny<E['schema']> extends true
    ? NoListArgs
    : E['schema'] extends { readonly collection: object }
      ? WithListBody<Parameters<E>>
      : NoListArgs;
type WithListBody<Args> = Args extends [...infer Before, infer Body]
  ? IsAny<Body> extends true
    ? NoListArgs
    : [Extract<Body, readonly unknown[]>] extends [never]
      ? NoListArgs
      : [...Before, body: Extract<Body, readonly unknown[]>]
  : NoListArgs;
export type NoListArgs = [never, never, never, never, never, never, never, never];

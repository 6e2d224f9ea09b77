/** What the compiler knows of what an endpoint gives. */
import type { Denormalize, DenormalizeNullable, Loose } from '../schema/infer-schema.ts';

/** What an endpoint, or a function that fetches, resolves to. */
export type ResolveType<E extends (...args: Loose) => Loose> = Awaited<ReturnType<E>>;

/** The arguments of an endpoint; `null` for none of its requests. */
export type ArgsOrNull<E extends (...args: Loose) => Loose> = Parameters<E> | readonly [null];

type WithSchema = { readonly schema?: Loose } & ((...args: Loose) => Loose);

/** What an application reads of an endpoint: the value of its schema, or without one what it resolves to. */
export type ValueOf<E extends WithSchema> = E['schema'] extends undefined | null
  ? ResolveType<E>
  : Denormalize<E['schema']>;
/** As `ValueOf`, while there may be nothing. */
export type NullableValueOf<E extends WithSchema> = E['schema'] extends undefined | null
  ? ResolveType<E> | undefined
  : DenormalizeNullable<E['schema']>;

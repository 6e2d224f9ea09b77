/**
 * What the compiler knows of endpoints. The only files of this folder where `any` may stand are those named infer.
 */
import type { Loose, Schema } from '../schema/infer-schema.ts';
import type { ResolveType } from './infer-value.ts';
import type { EndpointExtraOptions, SnapshotInterface } from './options.ts';

/** A function that fetches. */
export type FetchFunction<Args extends readonly Loose[] = Loose, Resolved = Loose> = (
  ...args: Args
) => Promise<Resolved>;

/** What an endpoint must have to be used. */
export interface EndpointInterface<
  F extends FetchFunction = FetchFunction,
  S = Loose,
  M = Loose,
> extends EndpointExtraOptions {
  (...args: Parameters<F>): ReturnType<F>;
  /** Names the request; two calls with the same key are the same request. */
  key(...args: Parameters<F>): string;
  /** Whether a request key may be one of this endpoint. */
  testKey(key: string): boolean;
  /** Whether it changes something, so that it is neither repeated nor shared. */
  readonly sideEffect?: M;
  /** What the response is filed under; without one it is kept as it is. */
  readonly schema?: S;
}

/** An endpoint that only reads. */
export type ReadEndpoint<
  F extends FetchFunction = FetchFunction,
  S extends Schema | undefined = Loose,
> = EndpointInterface<F, S, undefined | false>;

/** An endpoint that changes something. */
export type MutationEndpoint<
  F extends FetchFunction = FetchFunction,
  S extends Schema | undefined = Loose,
> = EndpointInterface<F, S, true>;

/** The members that `new Endpoint` and `extend` take, beside your own. */
export interface EndpointOptions<F extends FetchFunction = FetchFunction> extends EndpointExtraOptions {
  readonly name?: string;
  readonly schema?: Loose;
  readonly sideEffect?: boolean | undefined;
  key?(...args: Parameters<F>): string;
  testKey?(key: string): boolean;
  getOptimisticResponse?(snap: SnapshotInterface, ...args: Parameters<F>): ResolveType<F>;
}

/** As `EndpointOptions`, with another function. */
export interface EndpointExtendOptions<F extends FetchFunction = FetchFunction> extends EndpointOptions<F> {
  readonly fetch?: Loose;
}

/** Members of your own. */
interface Others {
  readonly [name: string]: Loose;
}

/** An endpoint made by `new Endpoint`. */
export interface EndpointInstance<
  F extends FetchFunction = FetchFunction,
  S = Loose,
  M = Loose,
> extends EndpointInterface<F, S, M> {
  readonly name: string;
  readonly schema: S;
  readonly sideEffect: M;
  /** Every call runs through it. */
  fetch(...args: Parameters<F>): ReturnType<F>;
  /** An endpoint with other members. */
  extend<O extends EndpointExtendOptions<Loose> & Others>(options: O): Extended<F, S, M, this, O>;
  /** An endpoint whose first arguments are given. */
  bind<Bound extends readonly Loose[]>(
    thisArg: unknown,
    ...args: Bound
  ): EndpointInstance<(...args: Rest<Parameters<F>, Bound>) => ReturnType<F>, S, M>;
}

/** An endpoint as it is passed around; the same as `EndpointInstance`. */
export type EndpointInstanceInterface<F extends FetchFunction = FetchFunction, S = Loose, M = Loose> = EndpointInstance<
  F,
  S,
  M
>;

/** A type that is not inferred from where it stands. */
export type NI<T> = NoInfer<T>;

type Rest<All extends readonly unknown[], First extends readonly unknown[]> = First extends readonly [
  unknown,
  ...infer More,
]
  ? All extends readonly [unknown?, ...infer Tail]
    ? Rest<Tail, More>
    : []
  : All;

/** What `extend` gives: the new members over the old ones. */
export type Extended<F extends FetchFunction, S, M, Self, O> = EndpointInstance<
  O extends { readonly fetch: infer G extends FetchFunction } ? G : F,
  O extends { readonly schema: infer T } ? T : S,
  O extends { readonly sideEffect: infer N } ? N : M
> &
  Omit<Self, keyof EndpointInstance | keyof O> &
  Omit<O, keyof EndpointInstance>;

/** `Endpoint`, as a class: it can be called with `new`, and extended. */
export interface EndpointConstructor {
  new <F extends FetchFunction = FetchFunction, O extends EndpointOptions<F> & Others = EndpointOptions<F>>(
    fetchFunction: F,
    options?: O,
  ): EndpointInstance<
    F,
    O extends { readonly schema: infer S } ? S : undefined,
    O extends { readonly sideEffect: infer M } ? M : undefined
  > &
    Omit<O, keyof EndpointInstance>;
  readonly prototype: EndpointInstance;
}

/** The arguments of an endpoint. */
export type ArgsOf<E extends (...args: Loose) => Loose> = Parameters<E>;
/** The first argument of an endpoint. */
export type EndpointParam<E extends (...args: Loose) => Loose> = Parameters<E>[0];
/** The plain function that an endpoint is. */
export type EndpointToFunction<E extends (...args: Loose) => Promise<Loose>> = (
  this: E,
  ...args: Parameters<E>
) => ReturnType<E>;
/** The names of everything that an endpoint has. */
export type KeyofEndpointInstance = keyof EndpointInstance;

/** Arguments, and one more behind them, which comes in the place of those that are left out. */
export type WithLast<Args extends readonly unknown[], Last> = number extends Args['length']
  ? readonly [...Args, Last]
  : Args extends readonly []
    ? readonly [Last]
    : Args extends readonly [infer First, ...infer More]
      ? readonly [First, ...WithLast<More, Last>]
      : Args extends readonly [(infer First)?, ...infer More]
        ? readonly [Last] | readonly [First | undefined, ...WithLast<More, Last>]
        : never;

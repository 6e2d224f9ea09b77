/** Types of endpoints. Only files named `infer-…` may contain `any`. */
import type { Loose, Schema } from '../schema/infer-schema.ts';
import type { SpelledOptions } from './infer-options.ts';
import type { ResolveType } from './infer-value.ts';
import type { EndpointExtraOptions, SnapshotInterface } from './options.ts';

/** A function that fetches. */
export type FetchFunction<Args extends readonly Loose[] = Loose, Resolved = Loose> = (
  ...args: Args
) => Promise<Resolved>;

/** The members that every endpoint needs. */
export interface EndpointInterface<
  F extends FetchFunction = FetchFunction,
  S = Loose,
  M = Loose,
> extends EndpointExtraOptions {
  (...args: Parameters<F>): ReturnType<F>;
  /** Names the request. Two calls with the same key are the same request. */
  key(...args: Parameters<F>): string;
  /** Returns whether a request key can belong to this endpoint. */
  testKey(key: string): boolean;
  /** Whether the endpoint changes something on the server. Its requests are then neither repeated nor shared. */
  readonly sideEffect?: M;
  /** The schema that normalizes the response. Without a schema, the response is stored as it is. */
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

/** An endpoint for a hook that reads. The error of the compiler about a mutation says what to call. */
export interface NoMutation extends EndpointInterface<
  FetchFunction,
  Loose,
  | undefined
  | false
  | 'A hook that reads was given a mutation. Write useMutation(endpoint), or call useController().fetch(endpoint, ...args) in an event handler.'
> {}

/** The options of `new Endpoint` and `extend`. Other members are allowed. */
export interface EndpointOptions<F extends FetchFunction = FetchFunction> extends EndpointExtraOptions {
  readonly name?: string;
  readonly schema?: Loose;
  readonly sideEffect?: boolean | undefined;
  key?(...args: Parameters<F>): string;
  testKey?(key: string): boolean;
  getOptimisticResponse?(snap: SnapshotInterface, ...args: Parameters<F>): ResolveType<F>;
}

/** As `EndpointOptions`, with a function that replaces `fetch`. */
export interface EndpointExtendOptions<F extends FetchFunction = FetchFunction> extends EndpointOptions<F> {
  readonly fetch?: Loose;
}

type EndpointOptionName = keyof EndpointInstance | keyof EndpointExtendOptions;

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
  /** Runs at each call of the endpoint. */
  fetch(...args: Parameters<F>): ReturnType<F>;
  /** Returns a copy of the endpoint with other members. */
  extend<O extends EndpointExtendOptions<Loose> & Others & Partial<Omit<this, keyof EndpointInstance>>>(
    options: O & SpelledOptions<O, EndpointOptionName, this>,
  ): Extended<F, S, M, this, O>;
  /** Returns a copy of the endpoint with its first arguments fixed. */
  bind<Bound extends Partial<Parameters<F>>>(
    thisArg: unknown,
    ...args: Bound
  ): EndpointInstance<(...args: Rest<Parameters<F>, Bound>) => ReturnType<F>, S, M> &
    Omit<this, keyof EndpointInstance>;
}

/** The same type as `EndpointInstance`. */
export type EndpointInstanceInterface<F extends FetchFunction = FetchFunction, S = Loose, M = Loose> = EndpointInstance<
  F,
  S,
  M
>;

/** A type parameter that is not inferred from this position. */
export type NI<T> = NoInfer<T>;

type Rest<All extends readonly unknown[], First extends readonly unknown[]> = First extends readonly [
  unknown,
  ...infer More,
]
  ? All extends readonly [unknown?, ...infer Tail]
    ? Rest<Tail, More>
    : []
  : All;

/** The type of `extend`: the new members replace the old ones. */
export type Extended<F extends FetchFunction, S, M, Self, O> = EndpointInstance<
  O extends { readonly fetch: infer G extends FetchFunction } ? G : F,
  O extends { readonly schema: infer T } ? T : S,
  O extends { readonly sideEffect: infer N } ? N : M
> &
  OwnMembers<Self, keyof O> &
  OwnMembers<O>;

/** The members that are not those of every endpoint. Editors show nothing if there are none. */
type OwnMembers<Self, Changed extends PropertyKey = never> = [
  Exclude<keyof Self, keyof EndpointInstance | Changed>,
] extends [never]
  ? unknown
  : Omit<Self, keyof EndpointInstance | Changed>;

/** The members of `this` in the function of an endpoint, besides the options. */
type EndpointThis = EndpointInstance & { readonly signal?: AbortSignal; readonly exchange?: Loose };

/** The type of the class `Endpoint`, for `new` and `extends`. */
export interface EndpointConstructor {
  new <
    F extends (this: EndpointThis & O, ...args: Loose[]) => Promise<Loose> = FetchFunction,
    O extends EndpointOptions<F> & Others = EndpointOptions<F>,
  >(
    fetchFunction: F,
    options?: O & SpelledOptions<O, EndpointOptionName, unknown>,
  ): EndpointInstance<
    F,
    O extends { readonly schema: infer S } ? S : undefined,
    O extends { readonly sideEffect: infer M } ? M : undefined
  > &
    OwnMembers<O>;
  readonly prototype: EndpointInstance;
}

/** The arguments of an endpoint. */
export type ArgsOf<E extends (...args: Loose) => Loose> = Parameters<E>;
/** The first argument of an endpoint. */
export type EndpointParam<E extends (...args: Loose) => Loose> = Parameters<E>[0];
/** The plain function type of an endpoint. */
export type EndpointToFunction<E extends (...args: Loose) => Promise<Loose>> = (
  this: E,
  ...args: Parameters<E>
) => ReturnType<E>;
/** The names of all members of an endpoint. @hidden */
export type KeyofEndpointInstance = keyof EndpointInstance;

/** Arguments with one more at the end. Optional arguments may be left out before it. */
export type WithLast<Args extends readonly unknown[], Last> = number extends Args['length']
  ? readonly [...Args, Last]
  : Args extends readonly []
    ? readonly [Last]
    : Args extends readonly [infer First, ...infer More]
      ? readonly [First, ...WithLast<More, Last>]
      : Args extends readonly [(infer First)?, ...infer More]
        ? readonly [Last] | readonly [First | undefined, ...WithLast<More, Last>]
        : never;

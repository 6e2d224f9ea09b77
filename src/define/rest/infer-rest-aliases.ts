/** Public aliases of the types of REST endpoints. */
import type { EndpointExtraOptions, SnapshotInterface } from '../endpoint/options.ts';
import type { EndpointInterface, FetchFunction } from '../endpoint/infer-endpoint.ts';
import type { ResolveType } from '../endpoint/infer-value.ts';
import type { Loose, IsAny } from '../schema/infer-schema.ts';
import type {
  HasPath,
  MergeGenerics,
  Option,
  ParamsOf,
  PartialRestGenerics,
  ProcessOption,
  RestArgs,
  RestResult,
} from './infer-args.ts';
import type {
  AddGenerics,
  ExtendedInstance,
  MoveGenerics,
  PageGenerics,
  PagesGenerics,
  RemoveGenerics,
  RestEndpointInstance,
  RestInstanceBase,
  WithOwn,
} from './infer-rest.ts';
import type { RestOptions } from './infer-rest-options.ts';

/** A function that sends a request with parameters and a body. `undefined`: no body. */
export type RestFetch<Params = Loose, Body = undefined, Resolved = Loose> = [Body] extends [undefined]
  ? ParamFetchNoBody<Params, Resolved>
  : ParamFetchWithBody<Params, Body, Resolved>;

/** A function that sends a request with a body. The parameters are optional if none is required. */
export type ParamFetchWithBody<Params, Body = Loose, Resolved = Loose> = (
  ...args: WithParams<Params, [body: Body]>
) => Promise<Resolved>;

/** A function that sends a request without a body. */
export type ParamFetchNoBody<Params, Resolved = Loose> = (
  ...args: IsAny<Params> extends true
    ? [params: Params]
    : MayLack<Params> extends true
      ? [params?: Params]
      : [params: Params]
) => Promise<Resolved>;

type WithParams<Params, Body extends unknown[]> =
  IsAny<Params> extends true
    ? Body | [params: Params, ...Body]
    : MayLack<Params> extends true
      ? Body | [params: Params, ...Body]
      : [params: Params, ...Body];
type MayLack<Params> = undefined extends Params ? true : {} extends Params ? true : false;

/** The fetch function of an endpoint that reads. */
export type FetchGet<Args extends readonly Loose[] = [Loose], Resolved = Loose> = (
  this: RestEndpointInstance,
  ...args: Args
) => Promise<Resolved>;
/** The fetch function of a mutation. */
export type FetchMutate<Args extends readonly Loose[] = [Loose, {}] | [{}], Resolved = Loose> = (
  this: RestEndpointInstance,
  ...args: Args
) => Promise<Resolved>;

/** The members that every REST endpoint has. */
type RestMembers = Pick<RestInstanceBase, 'path' | 'urlPrefix' | 'method' | 'requestInit' | 'signal'>;

/** A REST endpoint of which only the function type is known. */
export interface RestInstanceOf<F extends FetchFunction, S = Loose, M = Loose>
  extends EndpointInterface<F, S, M>, RestMembers {
  readonly name: string;
  readonly schema: S;
  readonly sideEffect: M;
  /** Runs at each call of the endpoint. */
  fetch(...args: Loose): Promise<Loose>;
  /** Returns a copy of the endpoint with other options. */
  extend(options: Loose): RestEndpointInstance;
}

/** A REST endpoint, described by a function, a schema and a side effect, or by its options. */
export type RestInstance<F = Loose, S = Loose, M = Loose, O extends HasPath = Loose> =
  IsAny<F> extends true
    ? RestEndpointInstance<O>
    : F extends FetchFunction
      ? RestInstanceOf<F, S, M>
      : F extends HasPath
        ? RestEndpointInstance<F>
        : never;

/** An endpoint with these parameters and this body. */
export type RestType<Params = Loose, Body = undefined, S = Loose, M = Loose, Resolved = Loose> = RestInstance<
  RestFetch<Params, Body, Resolved>,
  S,
  M
>;
/** An endpoint with these parameters and a body. */
export type RestTypeWithBody<Params = Loose, S = Loose, M = Loose, Body = Loose, Resolved = Loose> = RestInstance<
  ParamFetchWithBody<Params, Body, Resolved>,
  S,
  M
>;
/** An endpoint with these parameters and no body. */
export type RestTypeNoBody<Params = Loose, S = Loose, M = Loose, Resolved = Loose> = RestInstance<
  ParamFetchNoBody<Params, Resolved>,
  S,
  M
>;

/** The function type of an endpoint with the options `O`. */
export type OptionsToFunction<O extends HasPath> = (...args: RestArgs<O>) => Promise<RestResult<O, Loose>>;

/** Creates records in a list. Described by a function, a schema and options, or by the options of the list. */
export type AddEndpoint<F = Loose, S = 'push', O extends HasPath = Loose> = MutationInstance<
  F,
  S,
  O,
  F extends HasPath ? AddGenerics<F, S extends 'unshift' ? 'unshift' : 'push'> : never
>;
/** Removes records from a list. */
export type RemoveEndpoint<F = Loose, S = Loose, O extends HasPath = Loose> = MutationInstance<
  F,
  S,
  O,
  F extends HasPath ? RemoveGenerics<F> : never
>;
/** Changes records, and moves them to the lists to which they then belong. */
export type MoveEndpoint<F = Loose, S = Loose, O extends HasPath = Loose> = MutationInstance<
  F,
  S,
  O,
  F extends HasPath ? MoveGenerics<F> : never
>;
type MutationInstance<F, S, O extends HasPath, Generics extends HasPath> =
  IsAny<F> extends true
    ? RestInstanceBase
    : F extends FetchFunction
      ? RestType<ParamsOf<O>, Option<O, 'body', Loose>, S, true, ResolveType<F>>
      : RestInstanceBase<Generics>;

/** Reads pages of a list. Takes all parameters of a page. `E` is the list endpoint, or its options. */
export type PaginationEndpoint<E = Loose, Params = Loose> = RestInstanceBase<
  PagesGenerics<GenericsOf<E>, Params extends readonly [infer First, ...unknown[]] ? First : Params>
>;
/** Reads pages of a list. `Field` is the parameter that names a page. */
export type PaginationFieldEndpoint<E = Loose, Field extends string = string> = RestInstanceBase<
  PageGenerics<GenericsOf<E>, Field>
>;

/** The options of an endpoint. If `E` already is options, `E` itself. */
export type GenericsOf<E> =
  IsAny<E> extends true
    ? Loose
    : E extends RestEndpointInstance<infer O>
      ? O
      : E extends RestInstanceBase<infer O>
        ? O
        : E extends HasPath
          ? E
          : never;

/** The options of an endpoint with the function type `F` that do not affect types. */
export interface RestEndpointOptions<F extends FetchFunction = FetchFunction, S = Loose>
  extends
    Omit<EndpointExtraOptions, 'getOptimisticResponse'>,
    Omit<RestOptions, 'getOptimisticResponse' | 'fetch' | 'key' | 'url' | keyof EndpointExtraOptions> {
  readonly sideEffect?: boolean | undefined;
  readonly schema?: S;
  readonly fetch?: F;
  getOptimisticResponse?(this: Loose, snap: SnapshotInterface, ...args: Parameters<F>): Loose;
  key?(this: Loose, ...args: Parameters<F>): string;
  url?(this: Loose, ...args: Parameters<F>): string;
}
/** The options of `new RestEndpoint`, given the options `O` that affect types. */
export type RestEndpointConstructorOptions<O extends HasPath = Loose> = RestOptions<O> & ProcessOption<O, Loose>;
/** The options of `extend` for an endpoint `E`, given the options `O` that affect types. */
export type RestEndpointExtendOptions<
  O extends PartialRestGenerics = PartialRestGenerics,
  E = Loose,
  _F extends FetchFunction = FetchFunction,
> = RestEndpointConstructorOptions<MergeGenerics<GenericsOf<E>, O, unknown> & HasPath>;
/** The endpoint `E`, extended with `O`. */
export type RestExtendedEndpoint<O, E> = WithOwn<ExtendedInstance<GenericsOf<E>, O, unknown>, O, E>;
/** The names of all members of a REST endpoint. @hidden */
export type KeyofRestEndpoint = keyof RestEndpointInstance;

/** Options, with defaults for those that are not given. @hidden */
export type Defaults<O, D> = {
  readonly [name in keyof O | keyof D]: name extends keyof O ? Exclude<O[name], undefined> : D[Extract<name, keyof D>];
};
/** The type of an option, or if it is not given, that of the endpoint. @hidden */
export type FromFallBack<Name extends keyof E, O, E> = Name extends keyof O ? O[Name] : E[Name];
/** The `sideEffect` of a method. @hidden */
export type MethodToSide<Method> = Method extends 'GET' ? undefined : Method extends string ? true : undefined;

/** Types by the names that applications import, made of those that the endpoints have. */
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
  RestInstance as Instance,
  RestInstanceBase,
  RestOptions,
} from './infer-rest.ts';

/** A function that sends a request with parameters of the address and a body; `undefined` for none. */
export type RestFetch<Params = Loose, Body = undefined, Resolved = Loose> = [Body] extends [undefined]
  ? ParamFetchNoBody<Params, Resolved>
  : ParamFetchWithBody<Params, Body, Resolved>;

/** A function that sends a request with a body. The parameters may be left out where none is required. */
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

/** A function that reads. */
export type FetchGet<Args extends readonly Loose[] = [Loose], Resolved = Loose> = (
  this: Instance,
  ...args: Args
) => Promise<Resolved>;
/** A function that changes something. */
export type FetchMutate<Args extends readonly Loose[] = [Loose, {}] | [{}], Resolved = Loose> = (
  this: Instance,
  ...args: Args
) => Promise<Resolved>;

/** What every REST endpoint has beside its function. */
type RestMembers = Pick<RestInstanceBase, 'path' | 'urlPrefix' | 'method' | 'requestInit' | 'signal'>;

/** A REST endpoint of which is known what function it is. */
export interface RestInstanceOf<F extends FetchFunction, S = Loose, M = Loose>
  extends EndpointInterface<F, S, M>, RestMembers {
  readonly name: string;
  readonly schema: S;
  readonly sideEffect: M;
  /** Every call runs through it. */
  fetch(...args: Loose): Promise<Loose>;
  /** An endpoint with other options. */
  extend(options: Loose): Instance;
}

/** A REST endpoint: of a function, a schema and whether it changes something, or of options. */
export type RestInstance<F = Loose, S = Loose, M = Loose, O extends HasPath = Loose> =
  IsAny<F> extends true
    ? Instance<O>
    : F extends FetchFunction
      ? RestInstanceOf<F, S, M>
      : F extends HasPath
        ? Instance<F>
        : never;

/** An endpoint with these parameters and this body. */
export type RestType<Params = Loose, Body = undefined, S = Loose, M = Loose, Resolved = Loose> = RestInstance<
  RestFetch<Params, Body, Resolved>,
  S,
  M
>;
export type RestTypeWithBody<Params = Loose, S = Loose, M = Loose, Body = Loose, Resolved = Loose> = RestInstance<
  ParamFetchWithBody<Params, Body, Resolved>,
  S,
  M
>;
export type RestTypeNoBody<Params = Loose, S = Loose, M = Loose, Resolved = Loose> = RestInstance<
  ParamFetchNoBody<Params, Resolved>,
  S,
  M
>;

/** The function that an endpoint with the options `O` is. */
export type OptionsToFunction<O extends HasPath> = (...args: RestArgs<O>) => Promise<RestResult<O, Loose>>;

/** What creates records in a list: of the function, the schema and the options of the endpoint, or of the options of the list. */
export type AddEndpoint<F = Loose, S = 'push', O extends HasPath = Loose> = MutationInstance<
  F,
  S,
  O,
  F extends HasPath ? AddGenerics<F, S extends 'unshift' ? 'unshift' : 'push'> : never
>;
/** What takes records out of a list. */
export type RemoveEndpoint<F = Loose, S = Loose, O extends HasPath = Loose> = MutationInstance<
  F,
  S,
  O,
  F extends HasPath ? RemoveGenerics<F> : never
>;
/** What changes records, which go to the lists that they then belong to. */
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

/** Pages of a list, by all their parameters. The list is an endpoint, or its options. */
export type PaginationEndpoint<E = Loose, Params = Loose> = RestInstanceBase<
  PagesGenerics<GenericsOf<E>, Params extends readonly [infer First, ...unknown[]] ? First : Params>
>;
/** Pages of a list, by the parameter that asks for one. */
export type PaginationFieldEndpoint<E = Loose, Field extends string = string> = RestInstanceBase<
  PageGenerics<GenericsOf<E>, Field>
>;

/** The options of an endpoint; options are given as they are. */
export type GenericsOf<E> =
  IsAny<E> extends true
    ? Loose
    : E extends Instance<infer O>
      ? O
      : E extends RestInstanceBase<infer O>
        ? O
        : E extends HasPath
          ? E
          : never;

/** The options of an endpoint that is the function `F`, beside those that decide about types. */
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
/** The options of `new RestEndpoint` beside those that decide about types, which are `O`. */
export type RestEndpointConstructorOptions<O extends HasPath = Loose> = RestOptions<O> & ProcessOption<O, Loose>;
/** The options of `extend` beside those that decide about types, which are `O`; of an endpoint `E`, which is the function `F`. */
export type RestEndpointExtendOptions<
  O extends PartialRestGenerics = PartialRestGenerics,
  E = Loose,
  _F extends FetchFunction = FetchFunction,
> = RestEndpointConstructorOptions<MergeGenerics<GenericsOf<E>, O, unknown> & HasPath>;
/** The endpoint `E` with other options. */
export type RestExtendedEndpoint<O, E> = ExtendedInstance<GenericsOf<E>, O, unknown>;
/** The names of everything that a REST endpoint has. */
export type KeyofRestEndpoint = keyof Instance;

/** Options, and defaults for those that are not given. */
export type Defaults<O, D> = {
  readonly [name in keyof O | keyof D]: name extends keyof O ? Exclude<O[name], undefined> : D[Extract<name, keyof D>];
};
/** An option, or where it is not given, that of the endpoint. */
export type FromFallBack<Name extends keyof E, O, E> = Name extends keyof O ? O[Name] : E[Name];
/** Whether a method changes something. */
export type MethodToSide<Method> = Method extends 'GET' ? undefined : Method extends string ? true : undefined;

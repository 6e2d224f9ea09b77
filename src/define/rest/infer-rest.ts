/**
 * Types of REST endpoints. Members that are endpoints themselves are interfaces over the same options, so that the types of unused members
 * are never computed.
 */
import type { EndpointExtraOptions, SnapshotInterface } from '../endpoint/options.ts';
import type { Inferred, OnlyOptions, SpelledOptions } from '../endpoint/infer-options.ts';
import type { Exchange, Refresh } from '../endpoint/exchange.ts';
import type { HeadersGiven, Platform } from '../../std/platform.ts';
import type { Retry } from '../endpoint/retry.ts';
import type { Collection } from '../schema/collection.ts';
import type { CollectionItem } from '../schema/collection-options.ts';
import type { Loose, IsAny, RecordBody } from '../schema/infer-schema.ts';
import type { Caching } from './caching.ts';
import type {
  HasPath,
  MergeGenerics,
  MethodOf,
  Option,
  OrForm,
  ParamsArg,
  ParamsOf,
  ProcessOption,
  RestArgs,
  RestGenerics,
  RestResult,
  SideEffectOf,
  UnknownGenerics,
  Something,
  WithProcess,
} from './infer-args.ts';
import type { Content } from './parse-response.ts';
import type { AnyWire } from './wire-shape.ts';
import type { CollectionIn } from './infer-record.ts';
import type { ExtendGenerics, ExtendOptions, ResponseMeta, RestOptions } from './infer-rest-options.ts';

/** A REST endpoint with the options `O`, without the members for lists. */
export interface RestInstanceBase<O extends HasPath = Loose> extends EndpointExtraOptions {
  (...args: RestArgs<O>): Promise<RestResult<O, this['process']>>;
  readonly name: string;
  readonly path: O['path'];
  readonly urlPrefix: string;
  readonly method: IsAny<O> extends true ? string : MethodOf<O>;
  readonly schema: Option<O, 'schema', undefined>;
  readonly sideEffect: SideEffectOf<O>;
  readonly body?: Option<O, 'body', undefined>;
  readonly searchParams?: Option<O, 'searchParams', undefined>;
  readonly paginationField?: Option<O, 'paginationField', undefined>;
  readonly movePath?: string;
  readonly content?: Content | undefined;
  readonly requestInit?: RequestInit | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeout: number;
  readonly retry?: Retry | false | undefined;
  readonly refresh?: Refresh | false | undefined;
  readonly caching?: Caching | undefined;
  /** The request in flight. Only in methods that run for a fetch of a controller. */
  readonly exchange?: Exchange | undefined;
  readonly idempotencyKey?: boolean | string | (() => string) | undefined;
  readonly parseJson: (text: string) => unknown;
  readonly origins: readonly string[];
  readonly wire?: AnyWire | undefined;
  readonly platform: Platform;

  /** Names the request by its method and address. */
  key(...args: RestArgs<O>): string;
  /** Returns whether a request key can belong to this endpoint. */
  testKey(key: string): boolean;
  getOptimisticResponse?(snap: SnapshotInterface, ...args: RestArgs<O>): Loose;

  /** Sends the request and returns the processed response. Runs at each call of the endpoint. */
  fetch(...args: Loose): Promise<Loose>;
  /** Returns the address: the path with its parameters, and the other parameters as the query. */
  url(...args: RestArgs<O> | ParamsArg<ParamsOf<O>>): string;
  /** Returns the query for the parameters that are not in the path. */
  searchToString(params: Readonly<Record<string, Loose>>): string;
  /** Returns the options of the request. Override it to change the body. */
  getRequestInit(body?: Loose, call?: Loose): RequestInit | Promise<RequestInit>;
  /** Returns the headers of the request. */
  getHeaders(headers: Record<string, string>, call?: Loose): HeadersGiven | Promise<HeadersGiven>;
  /** Sends the request. Throws if the status is not a success. */
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  /** Reads the response. */
  parseResponse(response: Response): Promise<Loose>;
  /** Changes the response before it is stored. */
  process(value: Loose, ...args: Loose): Loose;
  /** Called with each successful response before its body is read. */
  onResponse?(meta: ResponseMeta): void;

  /** Returns a copy of the endpoint with other options. */
  extend<N extends ExtendGenerics, P = unknown>(
    options: Inferred<N, UntypedOption> &
      ExtendOptions<O, N, P> &
      SpelledOptions<N, RestOptionName, this> &
      Partial<Own<this>>,
  ): WithOwn<ExtendedInstance<O, WithProcess<Something<N>, P>, this>, N, this>;
  /** Returns a copy of the endpoint with its first arguments fixed. */
  bind(thisArg: unknown, ...args: Loose): RestEndpointInstance;
}

/** A REST endpoint with the options `O`. */
export interface RestEndpointInstance<O extends HasPath = Loose> extends RestInstanceBase<O>, ListMembers<O> {}

/** An extended endpoint with the members that its class and the options of `extend` add. */
export type WithOwn<Extended, N, Self> = [keyof Own<N> | keyof Own<Self>] extends [never]
  ? Extended
  : Extended & Own<N> & Omit<Own<Self>, keyof N>;

/** The names of the options and the members that every REST endpoint has. */
export type RestOptionName = keyof RestEndpointInstance | keyof RestOptions | keyof RestGenerics;
export type UntypedOption = Exclude<keyof RestOptions, keyof RestGenerics>;
type Own<T> = { readonly [Name in keyof T as string extends Name ? never : Exclude<Name, RestOptionName>]: T[Name] };

/** An extended endpoint. The conditional type has no name, so that editors show its members. */
export type ExtendedInstance<O, N, Self> =
  MergeGenerics<O, N, Self> extends infer All extends HasPath ? RestEndpointInstance<All> : never;

/** The members for lists. This is a type and not an interface: editors would show each interface by name, with all options. */
type ListMembers<O extends HasPath> = {
  /** Creates records at the end of the lists that match the arguments. */
  readonly push: RestInstanceBase<AddGenerics<O, 'push'>>;
  /** Creates records at the start of the lists. */
  readonly unshift: RestInstanceBase<AddGenerics<O, 'unshift'>>;
  /** Sets entries of the maps that match the arguments. */
  readonly assign: RestInstanceBase<AssignGenerics<O>>;
  /** Removes records from the lists. */
  readonly remove: RestInstanceBase<RemoveGenerics<O>>;
  /** Changes records, and moves them to the lists to which they then belong. */
  readonly move: RestInstanceBase<MoveGenerics<O>>;

  /** Reads a further page. Its records are added to the end of the list. */
  readonly getPage: [Option<O, 'paginationField', undefined>] extends [infer Field extends string]
    ? RestInstanceBase<PageGenerics<O, Field>>
    : undefined;
  /** As `getPage`, for the argument with this name, or for a function that removes the cursor from the arguments. */
  paginated<const Field extends string>(cursorField: Field): RestInstanceBase<PageGenerics<O, Field>>;
  paginated<Args extends readonly Loose[]>(
    removeCursor: (...args: Args) => readonly RestArgs<O>[number][],
  ): RestInstanceBase<PagesGenerics<O, Args[0]>>;
};

type ListChangeIn<S, Name extends 'push' | 'unshift' | 'assign' | 'remove' | 'move'> =
  CollectionIn<S> extends infer C
    ? [C] extends [never]
      ? undefined
      : C extends { readonly [name in Name]: infer Change }
        ? Change
        : undefined
    : never;

/** The body of one record. If no type is declared, it follows from the schema. */
type BodyOfMember<O> = 'body' extends keyof O ? O['body'] : BodyIn<Option<O, 'schema', undefined>>;
type BodyIn<S> =
  CollectionIn<S> extends infer C
    ? [C] extends [never]
      ? Partial<Loose>
      : C extends Collection<infer Members, Loose>
        ? RecordBody<CollectionItem<Members>>
        : Partial<Loose>
    : never;
/** The body of a change: some fields of a record. No body if records have none. */
type ChangeBody<B> = [B] extends [undefined] ? undefined : Partial<B>;

export interface ListGenerics<O extends HasPath> {
  readonly path: O['path'];
  readonly searchParams: Option<O, 'searchParams', undefined>;
}
export interface AddGenerics<O extends HasPath, Name extends 'push' | 'unshift'> {
  readonly path: O['path'];
  /** Optional, because the body can have what the list requires. */
  readonly searchParams: Option<O, 'searchParams', undefined> | undefined;
  readonly method: 'POST';
  readonly schema: ListChangeIn<Option<O, 'schema', undefined>, Name>;
  readonly body: OrForm<BodyOfMember<O> | readonly BodyOfMember<O>[]>;
}
interface AssignGenerics<O extends HasPath> extends ListGenerics<O> {
  readonly method: 'POST';
  readonly schema: ListChangeIn<Option<O, 'schema', undefined>, 'assign'>;
  readonly body: OrForm<Readonly<Record<string, BodyOfMember<O>>>>;
}
export interface RemoveGenerics<O extends HasPath> extends ListGenerics<O> {
  readonly method: 'PATCH';
  readonly schema: ListChangeIn<Option<O, 'schema', undefined>, 'remove'>;
  readonly body: OrForm<BodyOfMember<O> | readonly BodyOfMember<O>[]>;
}
export interface MoveGenerics<O extends HasPath> {
  readonly path: O extends { readonly movePath: infer Path extends string } ? Path : O['path'];
  readonly searchParams: O extends { readonly movePath: string } ? undefined : Option<O, 'searchParams', undefined>;
  readonly method: 'PATCH';
  readonly schema: ListChangeIn<Option<O, 'schema', undefined>, 'move'>;
  readonly body: OrForm<ChangeBody<BodyOfMember<O>>>;
}

/**
 * The arguments of the list and the cursor. If the list is read with a body, the cursor is in the body, unless it is one of the search
 * parameters.
 */
export type PageGenerics<O extends HasPath, Field extends string> = PageEndpointOptions<O> &
  (IsAskedByBody<O> extends true
    ? Field extends keyof PresentOr<Option<O, 'searchParams', undefined>>
      ? InSearch<O, Field> & { readonly body: Option<O, 'body', undefined> }
      : {
          readonly searchParams: Option<O, 'searchParams', undefined>;
          readonly body: PresentOr<Option<O, 'body', undefined>> & Cursor<Field>;
        }
    : InSearch<O, Field>);
type InSearch<O, Field extends string> = {
  readonly searchParams: PresentOr<Option<O, 'searchParams', undefined>> & Cursor<Field>;
};
// An intersection with `undefined` would be `never`.
type PresentOr<T> = [T] extends [undefined] ? unknown : NonNullable<T>;
interface PageEndpointOptions<O extends HasPath> {
  readonly path: O['path'];
  readonly method: MethodOf<O>;
  readonly sideEffect: SideEffectOf<O>;
  readonly schema: Option<O, 'schema', undefined>;
  readonly paginationField: Option<O, 'paginationField', undefined>;
}
type Cursor<Field extends string> = { readonly [name in Field]: string | number | boolean };
// For a list that is read by GET, `body` is the type of records that are created in it.
type IsAskedByBody<O extends HasPath> = MethodOf<O> extends 'GET' ? false : 'body' extends keyof O ? true : false;
export interface PagesGenerics<O extends HasPath, Params> {
  readonly path: O['path'];
  readonly method: MethodOf<O>;
  readonly schema: Option<O, 'schema', undefined>;
  readonly searchParams: Params;
}

/** The type of the class `RestEndpoint`, for `new` and `extends`. */
export interface RestEndpointConstructor {
  // A class that extends this one gives only `O`. So `Given` is empty for its options, which may be members that the class adds.
  new <O extends RestGenerics = UnknownGenerics, P = unknown, Given = {}>(
    options: Inferred<O, UntypedOption> &
      RestOptions<O> &
      ProcessOption<O, P> & { readonly [name in keyof Given]: unknown } & OnlyOptions<Given, RestOptionName>,
  ): RestEndpointInstance<WithProcess<O, P>>;
  readonly prototype: RestInstanceBase;
}

/** An endpoint that reads. */
export type GetEndpoint<O extends HasPath = { readonly path: string; readonly schema: Loose }> =
  RestEndpointInstance<O>;
/** A mutation. */
export type MutateEndpoint<
  O extends RestGenerics = { readonly path: string; readonly schema: Loose; readonly body: Loose },
> = RestEndpointInstance<O extends { readonly method: string } ? O : O & { readonly method: 'POST' }>;

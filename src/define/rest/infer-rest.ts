/**
 * What the compiler knows of REST endpoints. Members that lead to further endpoints are interfaces over the same
 * options, so that nothing of them is worked out before it is used.
 */
import type { EndpointExtraOptions } from '../endpoint/options.ts';
import type { Exchange, Refresh } from '../endpoint/exchange.ts';
import type { HeadersGiven, Platform } from '../../std/platform.ts';
import type { Retry } from '../endpoint/retry.ts';
import type { Collection, CollectionItem } from '../schema/collection.ts';
import type { Denormalize, EntityLike, Loose, IsAny, RecordBody } from '../schema/infer-schema.ts';
import type { Union } from '../schema/union.ts';
import type { Caching } from './caching.ts';
import type {
  BodyOf,
  CallOf,
  ContentFor,
  HasPath,
  MergeGenerics,
  MethodOf,
  Option,
  OrForm,
  PartialRestGenerics,
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
import type { AnyWire, Wire } from './wire-shape.ts';

/** What is to be known of a response beside its body. */
export interface ResponseMeta {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly headers: Headers;
  /** When the request was sent and its response came, by the clock of the platform. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** The options of a REST endpoint that decide nothing about types. */
export interface RestOptions<O extends HasPath = Loose> extends Omit<EndpointExtraOptions, 'getOptimisticResponse'> {
  readonly name?: string;
  /** Stands before the path: the origin, and what all paths begin with. */
  readonly urlPrefix?: string;
  /** Options that every request of the endpoint has. */
  readonly requestInit?: RequestInit | undefined;
  /** Aborts the requests of the endpoint. */
  readonly signal?: AbortSignal | undefined;
  /** After how many milliseconds a request has failed. Default: 30,000; `Infinity`: never. */
  readonly timeout?: number | undefined;
  /** How a request that failed is sent again: `retrying()`, or `false`. Default: as the NetworkManager says, or not. */
  readonly retry?: Retry | false | undefined;
  /** How the body of the response is read: what is filed under a schema has to be JSON. */
  readonly content?: ContentFor<O> | undefined;
  /** What makes credentials anew when a request was answered with 401, or `false`. Default: as the NetworkManager says, or nothing. */
  readonly refresh?: Refresh | false | undefined;
  /** Versions and `Cache-Control`, with `httpCaching()`. Default: the controller alone decides what is fresh. */
  readonly caching?: Caching | undefined;
  /** Lets the server tell a repeated request from a second one; then any method is repeated. `true` makes up a key. */
  readonly idempotencyKey?: boolean | string | (() => string) | undefined;
  /** Reads JSON. Default: `JSON.parse`; with `parseLossless`, integers that a number cannot hold are strings. */
  readonly parseJson?: ((text: string) => unknown) | undefined;
  /** Origins that headers and bodies may be sent to, beside that of `urlPrefix`. */
  readonly origins?: readonly string[] | undefined;
  /** Records that are created in the list, or moved, show at once as they will probably be. */
  readonly optimistic?: boolean | undefined;
  /** The shape that records have on the wire, by a function of `rejoin/wire`. What it names as references are fields of the records. */
  readonly wire?: Wire<FieldsOf<RecordIn<O>>, Loose, Loose> | undefined;
  /** The environment that requests run in. */
  readonly platform?: Platform | undefined;
  getOptimisticResponse?(this: Loose, snap: Loose, ...args: RestArgs<O>): Loose;
  getRequestInit?(this: Loose, body: BodyOf<O>, call: CallOf<O>): RequestInit | Promise<RequestInit>;
  getHeaders?(this: Loose, headers: Record<string, string>, call: CallOf<O>): HeadersGiven | Promise<HeadersGiven>;
  fetchResponse?(this: Loose, url: string, init: RequestInit): Promise<Response>;
  parseResponse?(this: Loose, response: Response): Promise<Loose>;
  onResponse?(this: Loose, meta: ResponseMeta): void;
  fetch?(this: Loose, ...args: Loose): Promise<Loose>;
  url?(this: Loose, ...args: Loose): string;
  searchToString?(this: Loose, params: Readonly<Record<string, Loose>>): string;
  key?(this: Loose, ...args: Loose): string;
  testKey?(this: Loose, key: string): boolean;
}

/** What `extend` takes. The other options have a place in it, or one of them alone would seem to be a mistake. */
export type ExtendGenerics = PartialRestGenerics & { readonly [name in keyof RestOptions]?: unknown };

/** The options of `extend` that decide nothing about types, and `process`. */
export type ExtendOptions<O extends HasPath, N, P> = RestOptions<MergeGenerics<O, N, unknown> & HasPath> &
  ProcessOption<MergeGenerics<O, N, unknown> & HasPath, P> &
  FittingContent<O, N>;
/** A schema that comes to an endpoint whose body is read as something else wants it read as data. */
export type FittingContent<O, N> = 'content' extends keyof N
  ? unknown
  : [Option<O, 'content', undefined>] extends [ContentFor<MergeGenerics<O, N, unknown>> | undefined]
    ? unknown
    : { readonly content: ContentFor<MergeGenerics<O, N, unknown>> };

/** A REST endpoint whose options have the types `O`, without what a list has besides. */
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
  /** The request that is being sent, in methods that run for a fetch of a controller. */
  readonly exchange?: Exchange | undefined;
  readonly idempotencyKey?: boolean | string | (() => string) | undefined;
  readonly parseJson: (text: string) => unknown;
  readonly origins: readonly string[];
  readonly wire?: AnyWire | undefined;
  readonly platform: Platform;

  /** Names the request: its method and address. */
  key(...args: RestArgs<O>): string;
  /** Whether a request key may be one of this endpoint. */
  testKey(key: string): boolean;
  getOptimisticResponse?(snap: Loose, ...args: RestArgs<O>): Loose;

  /** Sends the request and makes of the response what is filed. Every call runs through it. */
  fetch(...args: Loose): Promise<Loose>;
  /** The address: the path filled, and what is not in the path as the query. */
  url(...args: Loose): string;
  /** The query of the parameters that are not in the path. */
  searchToString(params: Readonly<Record<string, Loose>>): string;
  /** The options of the request. Override it to change the body. */
  getRequestInit(body?: Loose, call?: Loose): RequestInit | Promise<RequestInit>;
  /** The headers of the request. */
  getHeaders(headers: Record<string, string>, call?: Loose): HeadersGiven | Promise<HeadersGiven>;
  /** Sends the request. What has no successful status is an error. */
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  /** Reads the response. */
  parseResponse(response: Response): Promise<Loose>;
  /** Makes of what was read what is to be filed. */
  process(value: Loose, ...args: Loose): Loose;
  /** Is told of each successful response before it is read. */
  onResponse?(meta: ResponseMeta): void;

  /** An endpoint with other options. */
  extend<N extends ExtendGenerics, P = unknown>(
    options: Readonly<N> & ExtendOptions<O, N, P>,
  ): ExtendedInstance<O, WithProcess<Something<N>, P>, this>;
  /** An endpoint whose first arguments are given. */
  bind(thisArg: unknown, ...args: Loose): RestInstance;
}

/** A REST endpoint whose options have the types `O`. */
export interface RestInstance<O extends HasPath = Loose> extends RestInstanceBase<O>, ListMembers<O> {}

/** An endpoint with other options. The condition gives it no name, so that editors show what it comes to. */
export type ExtendedInstance<O, N, Self> =
  MergeGenerics<O, N, Self> extends infer All extends HasPath ? RestInstance<All> : never;

/** What a list has besides. No interface: an editor would show each by the name of it, with all options. */
type ListMembers<O extends HasPath> = {
  /** Creates records behind those of the lists that the arguments are about. */
  readonly push: RestInstanceBase<AddGenerics<O, 'push'>>;
  /** Creates records before those of the lists. */
  readonly unshift: RestInstanceBase<AddGenerics<O, 'unshift'>>;
  /** Sets entries of the maps. */
  readonly assign: RestInstanceBase<AssignGenerics<O>>;
  /** Takes records out of the lists. */
  readonly remove: RestInstanceBase<RemoveGenerics<O>>;
  /** Changes records, which go to the lists that they then belong to. */
  readonly move: RestInstanceBase<MoveGenerics<O>>;

  /** The next page: what it brings is put behind what the list has. */
  readonly getPage: [Option<O, 'paginationField', undefined>] extends [infer Field extends string]
    ? RestInstanceBase<PageGenerics<O, Field>>
    : undefined;
  /** As `getPage`, by the name of the argument that asks for a page, or by a function that leaves it out. */
  paginated<const Field extends string>(cursorField: Field): RestInstanceBase<PageGenerics<O, Field>>;
  paginated<Args extends readonly Loose[]>(
    removeCursor: (...args: Args) => readonly Loose[],
  ): RestInstanceBase<PagesGenerics<O, Args[0]>>;
};

/** The first collection in a schema. */
export type CollectionIn<S> =
  S extends Collection<Loose, Loose>
    ? S
    : S extends { readonly schema: infer Inner; readonly '~types': Loose }
      ? CollectionIn<Inner>
      : S extends (...args: never[]) => unknown
        ? never
        : S extends abstract new (...args: never[]) => unknown
          ? never
          : S extends Readonly<Record<string, unknown>>
            ? { [name in keyof S]: CollectionIn<S[name]> }[keyof S]
            : never;

type MembersIn<S> =
  CollectionIn<S> extends infer C
    ? [C] extends [never]
      ? Loose
      : C extends Collection<infer Members, Loose>
        ? Denormalize<CollectionItem<Members>>
        : Loose
    : never;

/** The records that an endpoint reads or changes. */
type RecordIn<O> =
  IsAny<O> extends true
    ? Loose
    : Option<O, 'schema', undefined> extends infer S
      ? S extends EntityLike | Union
        ? Denormalize<S>
        : S extends readonly (infer Item)[]
          ? Denormalize<Item>
          : MembersIn<S>
      : never;
/** The names of the fields of records, whatever their kind. */
export type FieldsOf<Value> = IsAny<Value> extends true ? Loose : Value extends unknown ? keyof Value & string : never;

type AdderIn<S, Name extends 'push' | 'unshift' | 'assign' | 'remove' | 'move'> =
  CollectionIn<S> extends infer C
    ? [C] extends [never]
      ? undefined
      : C extends { readonly [name in Name]: infer Adder }
        ? Adder
        : undefined
    : never;

/** The body of one record, in the absence of a type for it. */
type BodyOfMember<O> = 'body' extends keyof O ? O['body'] : BodyIn<Option<O, 'schema', undefined>>;
type BodyIn<S> =
  CollectionIn<S> extends infer C
    ? [C] extends [never]
      ? Partial<Loose>
      : C extends Collection<infer Members, Loose>
        ? RecordBody<CollectionItem<Members>>
        : Partial<Loose>
    : never;
/** The body of a change: a part of a record. Without a body there is none. */
type ChangeBody<B> = [B] extends [undefined] ? undefined : Partial<B>;

export interface ListGenerics<O extends HasPath> {
  readonly path: O['path'];
  readonly searchParams: Option<O, 'searchParams', undefined>;
}
export interface AddGenerics<O extends HasPath, Name extends 'push' | 'unshift'> extends ListGenerics<O> {
  readonly method: 'POST';
  readonly schema: AdderIn<Option<O, 'schema', undefined>, Name>;
  readonly body: OrForm<BodyOfMember<O> | readonly BodyOfMember<O>[]>;
}
interface AssignGenerics<O extends HasPath> extends ListGenerics<O> {
  readonly method: 'POST';
  readonly schema: AdderIn<Option<O, 'schema', undefined>, 'assign'>;
  readonly body: OrForm<Readonly<Record<string, BodyOfMember<O>>>>;
}
export interface RemoveGenerics<O extends HasPath> extends ListGenerics<O> {
  readonly method: 'PATCH';
  readonly schema: AdderIn<Option<O, 'schema', undefined>, 'remove'>;
  readonly body: OrForm<BodyOfMember<O> | readonly BodyOfMember<O>[]>;
}
export interface MoveGenerics<O extends HasPath> {
  readonly path: O extends { readonly movePath: infer Path extends string } ? Path : O['path'];
  readonly searchParams: O extends { readonly movePath: string } ? undefined : Option<O, 'searchParams', undefined>;
  readonly method: 'PATCH';
  readonly schema: AdderIn<Option<O, 'schema', undefined>, 'move'>;
  readonly body: OrForm<ChangeBody<BodyOfMember<O>>>;
}

/** The arguments of the list, and the cursor; in the body where the list is asked for with one. */
export type PageGenerics<O extends HasPath, Field extends string> = PageEndpointOptions<O> &
  (IsAskedByBody<O> extends true
    ? {
        readonly searchParams: Option<O, 'searchParams', undefined>;
        readonly body: PresentOr<Option<O, 'body', undefined>> & Cursor<Field>;
      }
    : { readonly searchParams: PresentOr<Option<O, 'searchParams', undefined>> & Cursor<Field> });
// Nothing and something is something.
type PresentOr<T> = [T] extends [undefined] ? unknown : NonNullable<T>;
interface PageEndpointOptions<O extends HasPath> {
  readonly path: O['path'];
  readonly method: MethodOf<O>;
  readonly sideEffect: SideEffectOf<O>;
  readonly schema: Option<O, 'schema', undefined>;
  readonly paginationField: Option<O, 'paginationField', undefined>;
}
type Cursor<Field extends string> = { readonly [name in Field]: string | number | boolean };
// The body of a list that is read by GET is that of the records which are created in it.
type IsAskedByBody<O extends HasPath> = MethodOf<O> extends 'GET' ? false : 'body' extends keyof O ? true : false;
export interface PagesGenerics<O extends HasPath, Params> {
  readonly path: O['path'];
  readonly method: MethodOf<O>;
  readonly schema: Option<O, 'schema', undefined>;
  readonly searchParams: Params;
}

/** `RestEndpoint`, as a class: it can be called with `new`, and extended. */
export interface RestEndpointConstructor {
  new <O extends RestGenerics = UnknownGenerics, P = unknown>(
    options: Readonly<O> & RestOptions<O> & ProcessOption<O, P>,
  ): RestInstance<WithProcess<O, P>>;
  readonly prototype: RestInstanceBase;
}

/** An endpoint that reads. */
export type GetEndpoint<O extends HasPath = { readonly path: string; readonly schema: Loose }> = RestInstance<O>;
/** An endpoint that changes something. */
export type MutateEndpoint<
  O extends RestGenerics = { readonly path: string; readonly schema: Loose; readonly body: Loose },
> = RestInstance<O extends { readonly method: string } ? O : O & { readonly method: 'POST' }>;

/** Types that follow from the options of a REST endpoint: the arguments of a call, and the type that it resolves to. */
import type { ValidOutput } from '../../std/standard-schema.ts';
import type { Loose, IsAny } from '../schema/infer-schema.ts';
import type { PathArgs } from './infer-path.ts';
import type { RestCall } from './params-and-body.ts';
import type { Content } from './parse-response.ts';

/** The options that affect types. The others are in `RestOptions`. */
export interface RestGenerics {
  /** The path template. */
  readonly path: string;
  /** The schema that normalizes the response. Without a schema, the response is stored as it is. */
  readonly schema?: Loose;
  /** Default: GET. With a body or a side effect: POST. */
  readonly method?: string;
  /** The type of the body. `undefined`: no body. */
  readonly body?: Loose;
  /** The type of the search parameters. */
  readonly searchParams?: Loose;
  /** The search parameter that names a page. */
  readonly paginationField?: string;
  /** How the body of the response is read. */
  readonly content?: Content | undefined;
  readonly sideEffect?: boolean | undefined;
  /** Only for lists: the path of one record, for `move`. */
  readonly movePath?: string;
  readonly validate?: Loose;
  /** A function that changes the response before it is stored. `ProcessOption` has its type. */
  readonly process?: unknown;
}

/**
 * The option `process`, apart from the other options. TypeScript infers the other options first. If `process` were among them, its return
 * type would be fixed before its parameters are known.
 */
export interface ProcessOption<O extends HasPath, Returned> {
  /** Changes the response before it is stored. */
  process?(this: Loose, value: Loose, ...args: Positions<RestArgs<O>>): Returned;
}

/**
 * Arguments with or without parameters as one tuple in place of a union of two. TypeScript refuses a function that leaves out arguments of
 * a union.
 */
type Positions<Args extends readonly Loose[]> =
  IsUnion<Args> extends false ? Args : [paramsOrBody: Args[0], body?: Extract<Args, readonly [Loose, Loose]>[1]];
type IsUnion<All, One = All> = One extends unknown ? ([All] extends [One] ? false : true) : never;

/** Options, with the return type of their `process`. */
export type WithProcess<O, Returned> = unknown extends Returned
  ? O
  : Omit<O, 'process'> & { process(...args: Loose): Returned };

/**
 * The options of an endpoint that declares none in types, such as that of a class without type parameters. They are `unknown` and not
 * `any`, so that wrong calls are errors.
 */
export interface UnknownGenerics extends RestGenerics {
  readonly schema?: unknown;
  readonly isUnknown?: true;
}
type IsUnknown<O> = IsAny<O> extends true ? false : 'isUnknown' extends keyof O ? true : false;

/** The options that the type of a call needs at least. */
export interface HasPath {
  readonly path: string;
}

/** As `RestGenerics`, for `extend`. */
export type PartialRestGenerics = { readonly [name in keyof RestGenerics]?: RestGenerics[name] };

/** The type of an option, or `Otherwise` if it is not given. */
export type Option<O, Name extends string, Otherwise> = Name extends keyof O ? O[Name] : Otherwise;

/** The method: as given, or as it follows from the other options. */
export type MethodOf<O> =
  IsUnknown<O> extends true
    ? string
    : Option<O, 'method', undefined> extends infer M extends string
      ? M
      : Option<O, 'sideEffect', undefined> extends true
        ? 'POST'
        : IsNone<Option<O, 'body', undefined>> extends true
          ? 'GET'
          : 'POST';

export type SideEffectOf<O> =
  IsUnknown<O> extends true
    ? Loose
    : 'sideEffect' extends keyof O
      ? O['sideEffect']
      : MethodOf<O> extends 'GET'
        ? undefined
        : true;

/** The body of a mutation that declares no body type. */
export type AnyBody = object | string;

/** The body of a call. `undefined`: no body. */
export type BodyOf<O> =
  IsAny<O> extends true
    ? Loose
    : MethodOf<O> extends 'GET' | 'HEAD'
      ? undefined
      : 'body' extends keyof O
        ? O['body']
        : MethodOf<O> extends 'DELETE'
          ? undefined
          : SideEffectOf<O> extends true
            ? AnyBody
            : AnyBody | undefined;

/** A call as parameters and body. */
export type CallOf<O extends HasPath> =
  IsAny<O> extends true ? Loose : RestCall<unknown extends ParamsOf<O> ? {} : NonNullable<ParamsOf<O>>, BodyOf<O>>;

/** The parameters of a call: those in the path and the search parameters. */
export type ParamsOf<O extends HasPath> =
  Option<O, 'searchParams', undefined> extends infer Search
    ? IsNone<Search> extends true
      ? PathArgs<O['path']>
      : IsAny<PathArgs<O['path']>> extends true
        ? WithOthers<Search>
        : unknown extends PathArgs<O['path']>
          ? Search
          : PathArgs<O['path']> & NonNullable<Search>
    : never;
/** Search parameters, and any parameters of a path that is not known at compile time. */
type WithOthers<Search> = (NonNullable<Search> & Readonly<Record<string, Loose>>) | Extract<Search, undefined>;

/** The parameters as an argument: absent, optional or required. */
export type ParamsArg<P> =
  IsAny<P> extends true
    ? [params?: Readonly<Record<string, Loose>>]
    : unknown extends P
      ? []
      : undefined extends P
        ? [params?: P]
        : {} extends P
          ? [params?: P]
          : [params: P];

type WithBody<Params extends readonly unknown[], B> = Params extends []
  ? BodyArg<B>
  : Params extends [unknown]
    ? [...Params, body: B]
    : BodyArg<B> | [params: Params[0], body: B];
// After required parameters the body is required too. Otherwise a single argument would be taken as the parameters.
type BodyArg<B> = IsAny<B> extends true ? [body: B] : undefined extends B ? [body?: B] : [body: B];

/** The arguments of an endpoint: parameters first, then the body. */
export type RestArgs<O extends HasPath> =
  IsAny<O> extends true
    ? Loose[]
    : IsUnknown<O> extends true
      ? [paramsOrBody?: unknown, body?: unknown]
      : string extends MethodOf<O>
        ? Loose[]
        : IsNone<BodyOf<O>> extends true
          ? ParamsArg<ParamsOf<O>>
          : WithBody<ParamsArg<ParamsOf<O>>, BodyOf<O>>;

/** True for `undefined`, but not for `any`. */
type IsNone<T> = IsAny<T> extends true ? false : [T] extends [undefined] ? true : false;

/** A body, or form data in place of it. */
export type OrForm<B> = IsNone<B> extends true ? undefined : B | FormData;

interface ContentValues {
  json: Loose;
  blob: Blob;
  text: string;
  arrayBuffer: ArrayBuffer;
  stream: ReadableStream<Uint8Array>;
}

/** The allowed values of `content`: with a schema and without `process`, the response must be JSON. */
export type ContentFor<O> =
  IsAny<O> extends true
    ? Content
    : IsUnknown<O> extends true
      ? Content
      : [Option<O, 'process', undefined>] extends [undefined]
        ? Option<O, 'schema', undefined> extends undefined | null | string
          ? Content
          : 'json'
        : Content;

/** The type that a call resolves to: the return type of `process`, else the output of the validator, else by `content`. */
export type RestResult<O, Process> = Process extends (...args: Loose) => infer Returned
  ? IsAny<Returned> extends true
    ? OptionsResult<O>
    : Awaited<Returned>
  : OptionsResult<O>;

type OptionsResult<O> =
  IsAny<O> extends true
    ? Loose
    : IsUnknown<O> extends true
      ? unknown
      : O extends { process(...args: Loose): infer Returned }
        ? Awaited<Returned>
        : O extends { readonly validate: infer V extends object }
          ? ValidOutput<V>
          : O extends { readonly content: infer C extends Content }
            ? ContentValues[C]
            : Loose;

/** Options with others that override them. The return type of a class's `process` is kept. */
export type MergeGenerics<O, Given, Self> = Merged<O, Something<Given>, Self>;
export type Something<Given> = IsNothing<Given> extends true ? {} : Given;
// If no given option affects types, the inferred type has every optional member. It counts as empty.
type IsNothing<Given> = IsAny<Given> extends true ? false : PartialRestGenerics extends Given ? true : false;
// The conditional type has no name, so that editors show its members.
type Merged<O, N, Self> = Omit<O, keyof N | 'method' | 'sideEffect' | 'process' | Unsent<N>> &
  Pick<N, Extract<keyof N, keyof RestGenerics>> &
  KeptMethod<O, N> &
  KeptProcess<O, N, Self> extends infer All
  ? { readonly [name in keyof All]: All[name] }
  : never;
// A DELETE does not inherit the body of another method.
type Unsent<N> = N extends { readonly method: 'DELETE' } ? 'body' : never;
// A new method decides again whether there is a side effect.
type KeptMethod<O, N> = 'method' extends keyof N
  ? unknown
  : Pick<O, Exclude<Extract<keyof O, 'method' | 'sideEffect'>, keyof N>>;
type KeptProcess<O, N, Self> = 'process' extends keyof N
  ? unknown
  : Self extends { process(...args: Loose): infer Returned }
    ? IsAny<Returned> extends true
      ? [Option<O, 'process', undefined>] extends [undefined]
        ? unknown
        : Pick<O, Extract<keyof O, 'process'>>
      : { process: Self['process'] }
    : unknown;

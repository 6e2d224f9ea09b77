/**
 * What the compiler works out from the options of a REST endpoint: the arguments of a call, and what it resolves to.
 */
import type { ValidOutput } from '../../std/standard-schema.ts';
import type { Loose, IsAny } from '../schema/infer-schema.ts';
import type { PathArgs } from './infer-path.ts';
import type { RestCall } from './params-and-body.ts';
import type { Content } from './parse-response.ts';

/** The options that decide about types. The others are in `RestOptions`. */
export interface RestGenerics {
  /** The path template. */
  readonly path: string;
  /** What the response is filed under; `undefined`: it is kept as it is. */
  readonly schema?: Loose;
  /** Default: GET; POST where there is a body or a side effect. */
  readonly method?: string;
  /** The type of the body. `undefined`: there is none. */
  readonly body?: Loose;
  /** The type of the arguments that are not in the path. */
  readonly searchParams?: Loose;
  /** The search parameter by which pages are asked for. */
  readonly paginationField?: string;
  /** How the body of the response is read. */
  readonly content?: Content | undefined;
  readonly sideEffect?: boolean | undefined;
  /** The path of a record, for `move`, where the endpoint is that of the list. */
  readonly movePath?: string;
  readonly validate?: Loose;
  /** What becomes of the response before it is filed: a function. What it takes and returns is said in `ProcessOption`. */
  readonly process?: unknown;
}

/**
 * The option `process`. It is not part of the other options: TypeScript settles these before it looks at functions whose parameters it
 * works out from them, and would settle what `process` returns with them.
 */
export interface ProcessOption<O extends HasPath, Returned> {
  /** What becomes of the response before it is filed. */
  process?(this: Loose, value: Loose, ...args: RestArgs<O>): Returned;
}

/** Options, and what their `process` returns. */
export type WithProcess<O, Returned> = unknown extends Returned
  ? O
  : Omit<O, 'process'> & { process(...args: Loose): Returned };

/**
 * The options of an endpoint about which the compiler was told nothing, as that of a class without type parameters. They are not known;
 * if they were `any`, nothing that is wrong with its calls would be an error.
 */
export interface UnknownGenerics extends RestGenerics {
  readonly schema?: unknown;
  readonly isUnknown?: true;
}
type IsUnknown<O> = IsAny<O> extends true ? false : 'isUnknown' extends keyof O ? true : false;

/** As much of the options as is needed to say what a call takes. */
export interface HasPath {
  readonly path: string;
}

/** As `RestGenerics`, for `extend`. */
export type PartialRestGenerics = { readonly [name in keyof RestGenerics]?: RestGenerics[name] };

/** An option, or `Otherwise` where it is not given. */
export type Option<O, Name extends string, Otherwise> = Name extends keyof O ? O[Name] : Otherwise;

/** The method: as given, or as the other options let one expect. */
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

export type SideEffectOf<O> = 'sideEffect' extends keyof O
  ? O['sideEffect']
  : MethodOf<O> extends 'GET'
    ? undefined
    : true;

/** What may be sent where nothing is said of the body. */
export type AnyBody = object | string;

/** The body of a call; `undefined`: there is none. */
export type BodyOf<O> =
  IsAny<O> extends true
    ? Loose
    : MethodOf<O> extends 'GET'
      ? undefined
      : 'body' extends keyof O
        ? O['body']
        : MethodOf<O> extends 'DELETE'
          ? undefined
          : SideEffectOf<O> extends true
            ? AnyBody
            : AnyBody | undefined;

/** The arguments of a call by their meaning. */
export type CallOf<O extends HasPath> =
  IsAny<O> extends true ? Loose : RestCall<unknown extends ParamsOf<O> ? {} : NonNullable<ParamsOf<O>>, BodyOf<O>>;

/** The parameters of a call: of the path and of the query. */
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
/** Search parameters, and whatever a path may need that is only known when it runs. */
type WithOthers<Search> = (NonNullable<Search> & Readonly<Record<string, Loose>>) | Extract<Search, undefined>;

/** No argument, one that may be left out, or one that may not. */
type ParamsArg<P> =
  IsAny<P> extends true
    ? [params?: Loose]
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
// Behind required parameters it has to be passed, or they would be taken for it.
type BodyArg<B> = IsAny<B> extends true ? [body: B] : undefined extends B ? [body?: B] : [body: B];

/** The arguments of an endpoint: those of the path and of the query first, then the body. */
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

/** Whether something is not there at all. `any` is there. */
type IsNone<T> = IsAny<T> extends true ? false : [T] extends [undefined] ? true : false;

/** A body, or a form with it. */
export type OrForm<B> = IsNone<B> extends true ? undefined : B | FormData;

interface ContentValues {
  json: Loose;
  blob: Blob;
  text: string;
  arrayBuffer: ArrayBuffer;
  stream: ReadableStream<Uint8Array>;
}

/** How a body can be read: where a schema files it, as data, unless a `process` makes data of it. */
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

/** What a call resolves to: what `process` returns, else what the validator does, else what `content` says. */
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

/** Options with others over them. What `process` of a class returns stays known. */
export type MergeGenerics<O, Given, Self> = Merged<O, Something<Given>, Self>;
export type Something<Given> = IsNothing<Given> extends true ? {} : Given;
// Where nothing decides about types, all that is inferred is what there might be.
type IsNothing<Given> = IsAny<Given> extends true ? false : PartialRestGenerics extends Given ? true : false;
// The condition gives it no name, so that editors show what it comes to.
type Merged<O, N, Self> = Omit<O, keyof N | 'method' | 'sideEffect' | 'process' | Unsent<N>> &
  Pick<N, Extract<keyof N, keyof RestGenerics>> &
  KeptMethod<O, N> &
  KeptProcess<O, N, Self> extends infer All
  ? { readonly [name in keyof All]: All[name] }
  : never;
// The body of another method is none that a DELETE sends.
type Unsent<N> = N extends { readonly method: 'DELETE' } ? 'body' : never;
// A new method says anew whether there is a side effect.
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

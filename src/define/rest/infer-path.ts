/**
 * Types for path templates. They parse a path as path-template.ts does at run time. The path is split at slashes before single characters
 * are read, so that a hundred paths compile fast.
 */
import type { Loose } from '../schema/infer-schema.ts';

type Special = ':' | '*' | '{' | '}' | '\\';
type Ending =
  | ('/' | '.' | '-' | ',' | ';' | '?' | '&' | '=' | '+' | '!' | '@' | '~' | '%' | '#' | ' ' | "'" | '|')
  | ('(' | ')' | '[' | ']' | '<' | '>' | '"' | Special);

// Parameters are kept as text: `!` required or `?` optional, then `:` for one segment or `*` for many, then the name.
type FoundParameter<
  Name extends string,
  Depth extends 1[],
  Kind extends ':' | '*',
> = `${Depth extends [] ? '!' : '?'}${Kind}${Name}`;

type Segments<S extends string, Depth extends 1[] = [], Keys extends string = never> = S extends `${infer A}/${infer B}`
  ? A extends `${string}${Special}${string}`
    ? Walk<A, B, Depth, Keys>
    : Segments<B, Depth, Keys>
  : S extends `${string}${Special}${string}`
    ? Walk<S, '', Depth, Keys>
    : Keys;

type Walk<S extends string, Rest extends string, Depth extends 1[], Keys extends string> = S extends ''
  ? Segments<Rest, Depth, Keys>
  : S extends `\\${infer _}${infer R}`
    ? Walk<R, Rest, Depth, Keys>
    : S extends `{${infer R}`
      ? Walk<R, Rest, [...Depth, 1], Keys>
      : S extends `}${infer R}`
        ? Walk<R, Rest, Depth extends [1, ...infer Outer extends 1[]] ? Outer : [], Keys>
        : S extends `${infer Kind extends ':' | '*'}"${infer Name}"${infer R}`
          ? Walk<R, Rest, Depth, Keys | FoundParameter<Name, Depth, Kind>>
          : S extends `${infer Kind extends ':' | '*'}${infer R}`
            ? Named<R> extends [infer Name extends string, infer After extends string]
              ? Walk<After, Rest, Depth, Keys | FoundParameter<Name, Depth, Kind>>
              : never
            : S extends `${infer _}${infer R}`
              ? Walk<R, Rest, Depth, Keys>
              : never;

type Named<S extends string> = S extends `${string}${Ending}${string}` ? TakeName<S> : [S, ''];
type TakeName<S extends string, Name extends string = ''> = S extends `${infer C}${infer R}`
  ? C extends Ending
    ? [Name, S]
    : TakeName<R, `${Name}${C}`>
  : [Name, ''];

type Value<Key extends string> = Key extends `${string}*${string}` ? readonly string[] : string | number;

// Mapped types are written out where all parameters are required: editors then show the parameters, not the name of a type.
type ArgsByName<Keys extends string> = [Extract<Keys, `?${string}`>] extends [never]
  ? { readonly [Key in Keys as ParameterName<Key>]: Value<KindOf<Key>> }
  : Flat<
      Required<Extract<Keys, `!${string}`>> & {
        readonly [Key in Extract<Keys, `?${string}`> as ParameterName<Key>]?: Value<KindOf<Key>> | undefined;
      }
    >;
type Required<Keys extends string> = { readonly [Key in Keys as ParameterName<Key>]: Value<KindOf<Key>> };
type ParameterName<Key extends string> = Key extends `${'!' | '?'}${':' | '*'}${infer Name}` ? Name : never;
// The name is dropped, because it may contain a `*`.
type KindOf<Key extends string> = Key extends `${'!' | '?'}*${string}` ? '*' : ':';
type Flat<T> = { readonly [field in keyof T]: T[field] };

/** The names of the parameters in a path. */
export type PathKeys<Path extends string> = string extends Path ? string : ParameterName<Segments<Path>>;

/** The parameters in a path: `'/posts/:id{/:part}'` → `{ id: string | number; part?: string | number }`. */
export type PathArgs<Path extends string> = string extends Path
  ? Loose
  : [Segments<Path>] extends [never]
    ? unknown
    : ArgsByName<Segments<Path>>;

/** Parameters of these names. */
export type KeysToArgs<Key extends string> = { readonly [Name in Key]: string | number };

/** The parameters in a path, and any search parameters. `undefined` too, if no parameter is required. */
export type PathArgsAndSearch<Path extends string> =
  | (PathArgs<Path> & Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>)
  | ({} extends PathArgs<Path> ? undefined : never);

/**
 * The path of the list that a record is in: the path of the record without the parameters that name the record. These are the last
 * parameter and those in the same segment. A suffix such as `.json` or `.:format` stays.
 */
export type ShortenPath<Path extends string> = string extends Path
  ? string
  : Cut<Path> extends [infer Before extends string, infer After extends string]
    ? BeforeRecord<Path, Before, Suffix<After>>
    : Path;

type BeforeRecord<Path extends string, Before extends string, End extends string> =
  Cut<Before> extends [infer Former extends string, infer Between extends string]
    ? Between extends '.' | '{.'
      ? Path extends `${Before}${infer Format}`
        ? BeforeRecord<Path, Former, `${Between}${Format}`>
        : never
      : Between extends `${string}${'/' | '{' | '}'}${string}`
        ? `${Trim<BeforeParenthesis<Before>>}${End}`
        : BeforeRecord<Path, Former, End>
    : `${Trim<BeforeParenthesis<Before>>}${End}`;

/** The text before the last parameter, and the text after its name. */
type Cut<S extends string, Before extends string = ''> = S extends `${infer A}:${infer B}`
  ? B extends `${string}${':' | '*'}${string}`
    ? Cut<B, `${Before}${A}:`>
    : [`${Before}${A}`, BehindName<B>]
  : S extends `${infer A}*${infer B}`
    ? B extends `${string}*${string}`
      ? Cut<B, `${Before}${A}*`>
      : [`${Before}${A}`, BehindName<B>]
    : undefined;
type BehindName<S extends string> = S extends `"${string}"${infer R}`
  ? R
  : Named<S> extends [string, infer R extends string]
    ? R
    : '';
type Trim<S extends string> = S extends `${infer A}{` ? Trim<A> : S extends `${infer A}/` ? Trim<A> : S;
// An escaped parenthesis without a closing one encloses the parameter.
type BeforeParenthesis<S extends string> = S extends `${infer A}\\(${infer B}`
  ? B extends `${infer Inside}\\)${infer C}`
    ? `${A}\\(${Inside}\\)${BeforeParenthesis<C>}`
    : B extends `${string}/${string}`
      ? S
      : A
  : S;
type Suffix<S extends string> = S extends `${string}\\)${infer R}`
  ? Suffix<R>
  : S extends `}${infer R}`
    ? Suffix<R>
    : S extends `.${string}`
      ? S extends `${string}${'/' | '{' | '}'}${string}`
        ? ''
        : S
      : '';

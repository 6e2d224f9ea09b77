/** Types of resources. A resource is an interface over its options, so that the types of unused members are never computed. */
import type { Collection } from '../schema/collection.ts';
import type { EntityLike, Loose, IsAny, WithPk, Denormalize, RecordBody } from '../schema/infer-schema.ts';
import type { Invalidate } from '../schema/invalidate.ts';
import type { ListOptions } from '../schema/list-rules.ts';
import type { Union } from '../schema/union.ts';
import type {
  ContentFor,
  HasPath,
  MergeGenerics,
  Option,
  OrForm,
  ProcessOption,
  Something,
  WithProcess,
} from './infer-args.ts';
import type { ShortenPath } from './infer-path.ts';
import type { AnyWire, Wire } from './wire-shape.ts';
import type { Inferred, OnlyOptions, WrongOption, SpelledOptions } from '../endpoint/infer-options.ts';
import type {
  ExtendedInstance,
  RestEndpointInstance,
  RestInstanceBase,
  RestOptionName,
  UntypedOption,
  WithOwn,
} from './infer-rest.ts';
import type { ExtendGenerics, ExtendOptions, FittingContent, RestOptions } from './infer-rest-options.ts';
import type { FieldsOf } from './infer-record.ts';

/** The options of a resource that affect types. */
export interface ResourceGenerics {
  /** The path of one record. The path of the list is the same without the last parameter. */
  readonly path: string;
  /** The entity class of the records, or a union of classes. */
  readonly schema: Loose;
  /** The type of the body of `create`, `update` and `getList.push`. Default: the fields of the entity. */
  readonly body?: Loose;
  /** The type of the search parameters of the list. */
  readonly searchParams?: Loose;
  /** The search parameter that names a page of the list. */
  readonly paginationField?: string;
  /** The form of records in requests and responses, made by a function of `rejoin/wire`: their envelope, and other field names. */
  readonly wire?: AnyWire;
  /** A class of endpoints to use instead of `RestEndpoint`. */
  readonly Endpoint?: abstract new (options: Loose) => Loose;
  /** A class of collections to use instead of `Collection`. */
  readonly Collection?: abstract new (...args: Loose[]) => Loose;
}

type Handed =
  | 'urlPrefix'
  | 'dataExpiryLength'
  | 'errorExpiryLength'
  | 'pollFrequency'
  | 'invalidIfStale'
  | 'errorPolicy'
  | 'offline'
  | 'requestInit'
  | 'getHeaders'
  | 'getRequestInit'
  | 'fetchResponse'
  | 'parseResponse'
  | 'signal'
  | 'timeout'
  | 'retry'
  | 'refresh'
  | 'caching'
  | 'idempotencyKey'
  | 'parseJson'
  | 'origins'
  | 'platform'
  | 'onResponse'
  | 'searchToString'
  | 'serial'
  | 'whole'
  | 'needs'
  | 'refetches'
  | 'extra';

/** The options of a resource that do not affect types. Most are passed to its endpoints. */
export interface ResourceOptions extends Pick<RestOptions, Handed> {
  /** Mutations show their expected result at once. */
  readonly optimistic?: boolean;
  /** Changes the responses of all endpoints before they are stored. */
  process?(this: Loose, value: Loose, ...args: Loose): Loose;
  /** Search parameters that sort or page the list, and do not filter it. Lists that differ only in these have the same members. */
  readonly nonFilterArgumentKeys?: ((key: string) => boolean) | RegExp | readonly string[];
}

/** Checks that the references that a wire names are fields of the records. */
export type FittingWire<O extends ResourceGenerics> = O extends { readonly wire: Wire<infer Refs, Loose, Loose> }
  ? [Refs] extends [FieldsOf<Denormalize<O['schema']>>]
    ? unknown
    : { readonly wire: Wire<FieldsOf<Denormalize<O['schema']>>, Loose, Loose> }
  : unknown;

/** Checks that the schema of a resource is one of a single record. */
export type FittingSchema<O extends ResourceGenerics> =
  IsAny<O['schema']> extends true
    ? unknown
    : O['schema'] extends readonly unknown[] | RecordOfClass | string | number | boolean | null | undefined
      ? { readonly schema: WrongOption<'The schema of a resource is the class of its records, or a Union of classes.'> }
      : unknown;
interface RecordOfClass extends WithPk {
  readonly normalize?: never;
  readonly prototype?: never;
}

/** Checks that an option of a resource is one that is known, or a member of its class of endpoints. */
export type KnownOptions<O extends ResourceGenerics> = OnlyOptions<
  O,
  keyof ResourceGenerics | keyof ResourceOptions | keyof ResourceList<O> | ClassMember<O>
> &
  (O extends { readonly list: infer List } ? { readonly list: OnlyOptions<List, keyof ListOptions> } : unknown);
type ClassMember<O> = O extends { readonly Endpoint: abstract new (options: Loose) => infer Instance }
  ? keyof Instance
  : never;

/** The option for the lists of a resource. */
export interface ResourceList<O extends ResourceGenerics> {
  /** Which records belong to a list, their order, and where the total is. */
  readonly list?: ListOptions<Denormalize<O['schema']>>;
}

/** The endpoints of a resource. This is a type and not an interface: editors would show each interface by name, with all options. */
export type ResourceMembers<O extends ResourceGenerics> = {
  /** Reads one record. */
  readonly get: RestEndpointInstance<OfRecord<'GET', O['path'], O['schema'], OthersOf<O>>>;
  /**
   * Reads the list of records. Its members `push`, `unshift`, `assign`, `remove` and `move` change lists, and `getPage` reads more of them.
   */
  readonly getList: RestEndpointInstance<
    OfList<O['path'], O['schema'], SearchOf<O>, Option<O, 'paginationField', undefined>, OthersOf<O>>
  >;
  /** Creates a record. It is `getList.push`, and changes with `extend` of `getList`. */
  readonly create: RestEndpointInstance<
    OfList<O['path'], O['schema'], SearchOf<O>, Option<O, 'paginationField', undefined>, OthersOf<O>>
  >['push'];
  /** Replaces a record. */
  readonly update: RestEndpointInstance<OfChange<'PUT', O['path'], O['schema'], OthersOf<O>>>;
  /** Changes some fields of a record. */
  readonly partialUpdate: RestEndpointInstance<OfPart<O['path'], O['schema'], OthersOf<O>>>;
  /** Deletes a record. */
  readonly delete: RestEndpointInstance<OfDelete<O['path'], O['schema']>>;
};

/** The type of `resource()`. */
export interface Resource<O extends ResourceGenerics = { readonly path: string; readonly schema: Loose }>
  extends ResourceMembers<O>, ResourceExtend<ResourceMembers<O>> {}

type Base = Readonly<Record<string, Loose>>;

/** The overloads of `extend`. A new member starts from `get`. */
export interface ResourceExtend<Members> {
  /** Changes the options of a member, or adds a member with this name. */
  extend<const Name extends string, N extends ExtendGenerics, P = unknown>(
    name: Name,
    options: Inferred<N, UntypedOption> &
      ExtendOptions<OptionsOf<Members, Name>, N, P> &
      SpelledOptions<N, RestOptionName, unknown>,
  ): ResourceOf<Members, { readonly [name in Name]: ExtendedMember<Members, Name, WithProcess<Something<N>, P>> }>;
  /** Adds members that are made from the present ones. */
  extend<More extends Base>(make: (resource: Members) => More): ResourceOf<Members, More>;
  /** Changes the options of several members. */
  extend<const Changes extends { readonly [name in keyof Members]?: MemberOptions<OptionsOf<Members, name>> }>(
    changes: Changes & FittingContents<Members, Changes>,
  ): ResourceOf<Members, { readonly [name in keyof Changes]: ExtendedMember<Members, name, Changes[name]> }>;
}

/** A resource with more members. They replace members of the same name. */
export type ResourceOf<Members, More> = Joined<Members, More> & ResourceExtend<Joined<Members, More>>;
type Joined<Members, More> = {
  readonly [name in keyof Members | keyof More]: name extends keyof More
    ? More[name]
    : name extends keyof Members
      ? CreateOf<name, More> extends infer Create
        ? [Create] extends [never]
          ? Members[name]
          : Create
        : never
      : never;
};
/** The type of `create` after `getList` was changed. */
type CreateOf<Name, More> = Name extends 'create'
  ? More extends { readonly getList: { readonly push: infer Push } }
    ? Push
    : never
  : never;

type ExtendedMember<Members, Name, N> = WithOwn<
  ExtendedInstance<OptionsOf<Members, Name>, N, unknown>,
  N,
  Name extends keyof Members ? Members[Name] : unknown
>;
/** The options of a member. A new member has those of `get`. */
type OptionsOf<Members, Name> = (
  Name extends keyof Members ? Members[Name] : Members extends { readonly get: infer Get } ? Get : never
) extends infer E
  ? E extends RestEndpointInstance<infer O>
    ? O
    : E extends RestInstanceBase<infer O>
      ? O
      : never
  : never;
/** The options that a member can be extended with. Its functions get the arguments that the member had before. */
type MemberOptions<O extends HasPath> = ExtendGenerics & Omit<RestOptions<O>, 'content'> & ProcessOption<O, Loose>;
/** The values of `content` that fit each extended member. */
type FittingContents<Members, Changes> = {
  readonly [name in keyof Changes]: Fitting<OptionsOf<Members, name>, Changes[name]> &
    SpelledOptions<Changes[name], RestOptionName, unknown>;
};
type Fitting<O extends HasPath, N> = FittingContent<O, N> & {
  readonly content?: ContentFor<MergeGenerics<O, N, unknown>> | undefined;
};

// Members are described by type parameters and not by one object of all options, because editors show them.
/** The options that affect types and that members do not have as type parameters. */
type OthersOf<O extends ResourceGenerics> =
  IsAny<O> extends true ? Loose : { readonly [name in Extract<keyof O, 'body' | 'wire' | 'Endpoint'>]: O[name] };
type SearchOf<O extends ResourceGenerics> = Option<O, 'searchParams', AnySearch | undefined>;
/** The search parameters of a list that declares none. @hidden */
export interface AnySearch {
  readonly [name: string]: string | number | boolean | undefined;
}

interface Common<Others> {
  /** As in the class of endpoints, if the resource has one. */
  readonly process: Others extends { readonly Endpoint: abstract new (...args: Loose) => infer Instance }
    ? ProcessOf<Instance>
    : undefined;
}
type AnyProcess = (value: Loose, ...args: Loose) => Loose;
type ProcessOf<Instance> =
  IsAny<Instance> extends true ? AnyProcess : Instance extends { process: infer P } ? P : AnyProcess;

/** The options of a member that answers with a record. @hidden */
export interface OfRecord<Method extends string, Path extends string, S, Others> extends Common<Others> {
  readonly path: Path;
  readonly schema: S;
  readonly method: Method;
}
/** The options of the list of a resource. @hidden */
export interface OfList<Path extends string, S, Search, Page, Others> extends Common<Others> {
  readonly path: ShortenPath<Path>;
  readonly schema: ListSchema<S, Others>;
  readonly method: 'GET';
  readonly movePath: Path;
  readonly body: MemberBody<S, Others>;
  readonly paginationField: Page;
  readonly searchParams: Search;
}
/** The options of a member that sends a record. @hidden */
export interface OfChange<Method extends string, Path extends string, S, Others> extends OfRecord<
  Method,
  Path,
  S,
  Others
> {
  readonly body: OrForm<MemberBody<S, Others>>;
}
/** The options of a member that sends a part of a record. @hidden */
export interface OfPart<Path extends string, S, Others> extends OfRecord<'PATCH', Path, S, Others> {
  readonly body: OrForm<MemberBody<S, Others> extends undefined ? undefined : Partial<MemberBody<S, Others>>>;
}
/** The options of the member that deletes a record. @hidden */
export interface OfDelete<Path extends string, S> {
  readonly path: Path;
  readonly method: 'DELETE';
  readonly schema: S extends EntityLike | Union ? Invalidate<Deleted<S>> : S;
}
type Deleted<S> = S extends Union<infer Map> ? Map : S;

type MemberBody<S, Others> = 'body' extends keyof Others
  ? Others['body']
  : Others extends { readonly wire: Wire<infer Refs, infer Only, Loose> }
    ? WireBody<RecordBody<S>, Refs, Only>
    : RecordBody<S>;
/** A body whose references may be records or pks, and which has the write-only fields. */
type WireBody<Body, Refs extends string, Only> = [Refs | keyof Only] extends [never]
  ? Body
  : { [field in keyof Body]: field extends Refs ? Referred<Body[field]> : Body[field] } & Partial<Only>;
type Referred<Value> = Value extends readonly (infer Item)[] ? readonly (Item | Pk)[] : Value | Pk | null | undefined;
type Pk = string | number;

/** The schema of a list. If the wire has more fields for a page, it is an object with `items`. */
type ListSchema<S, Others> = Others extends { readonly wire: Wire<Loose, Loose, infer Page> }
  ? [Page] extends [undefined]
    ? Collection<readonly [S]>
    : { readonly items: Collection<readonly [S]> } & Page
  : Collection<readonly [S]>;

/**
 * What the compiler knows of resources. A resource is an interface over its options: of a member that is not used,
 * nothing is worked out.
 */
import type { Collection } from '../schema/collection.ts';
import type { EntityLike, Loose, IsAny } from '../schema/infer-schema.ts';
import type { Denormalize, RecordBody } from '../schema/infer-schema.ts';
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
import type {
  ExtendedInstance,
  ExtendGenerics,
  ExtendOptions,
  FieldsOf,
  FittingContent,
  RestInstance,
  RestInstanceBase,
  RestOptions,
} from './infer-rest.ts';

/** The options of a resource that decide about types. */
export interface ResourceGenerics {
  /** The path of one record. Without its last parameter it is that of the list. */
  readonly path: string;
  /** The entity, or the union of entities, that the records are. */
  readonly schema: Loose;
  /** The type of the body of `push`, `update` and the like. Default: fields of the entity. */
  readonly body?: Loose;
  /** The type of the search parameters of the list. */
  readonly searchParams?: Loose;
  /** The search parameter by which pages of the list are asked for. */
  readonly paginationField?: string;
  /** The shape that records have on the wire, by a function of `rejoin/wire`: what is around them, and other names in bodies. */
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
  | 'onResponse';

/** The options of a resource that decide nothing about types. Most are handed to its endpoints. */
export interface ResourceOptions extends Pick<RestOptions, Handed> {
  /** Every mutation shows its probable outcome at once. */
  readonly optimistic?: boolean;
  /** Search parameters that sort or page the list rather than select: lists that differ in them take the same members. */
  readonly nonFilterArgumentKeys?: ((key: string) => boolean) | RegExp | readonly string[];
}

/** The fields that a wire names as references are fields of the records. */
export type FittingWire<O extends ResourceGenerics> = O extends { readonly wire: Wire<infer Refs, Loose, Loose> }
  ? [Refs] extends [FieldsOf<Denormalize<O['schema']>>]
    ? unknown
    : { readonly wire: Wire<FieldsOf<Denormalize<O['schema']>>, Loose, Loose> }
  : unknown;

/** What the lists of a resource know of themselves. */
export interface ResourceList<O extends ResourceGenerics> {
  /** Which records belong to which list, in which order, and what counts them. */
  readonly list?: ListOptions<Denormalize<O['schema']>>;
}

/** The endpoints of a resource. No interface: an editor would show each by the name of it, with all options. */
export type ResourceMembers<O extends ResourceGenerics> = {
  /** One record. */
  readonly get: RestInstance<OfRecord<'GET', O['path'], O['schema'], OthersOf<O>>>;
  /** The list of records, and by its members `push`, `unshift`, `assign`, `remove`, `move` and `getPage` what changes it. */
  readonly getList: RestInstance<
    OfList<O['path'], O['schema'], SearchOf<O>, Option<O, 'paginationField', undefined>, OthersOf<O>>
  >;
  /** Creates a record. It does what `getList.push` does, and follows `extend` of `getList`. */
  readonly create: RestInstance<
    OfList<O['path'], O['schema'], SearchOf<O>, Option<O, 'paginationField', undefined>, OthersOf<O>>
  >['push'];
  /** Replaces a record. */
  readonly update: RestInstance<OfChange<'PUT', O['path'], O['schema'], OthersOf<O>>>;
  /** Changes a part of a record. */
  readonly partialUpdate: RestInstance<OfPart<O['path'], O['schema'], OthersOf<O>>>;
  /** Deletes a record. */
  readonly delete: RestInstance<OfDelete<O['path'], O['schema']>>;
};

/** A resource, as `resource()` makes it. */
export interface Resource<O extends ResourceGenerics = { readonly path: string; readonly schema: Loose }>
  extends ResourceMembers<O>, ResourceExtend<ResourceMembers<O>> {}

type Base = Readonly<Record<string, Loose>>;

/** What `extend` can be told of a member, or of a new one, which starts from `get`. */
export interface ResourceExtend<Members> {
  /** Other options for one member, or a new member by the name of `name`. */
  extend<const Name extends string, N extends ExtendGenerics, P = unknown>(
    name: Name,
    options: Readonly<N> & ExtendOptions<OptionsOf<Members, Name>, N, P>,
  ): ResourceOf<Members, { readonly [name in Name]: ExtendedMember<Members, Name, WithProcess<Something<N>, P>> }>;
  /** Members made of those there are. */
  extend<More extends Base>(make: (resource: Members) => More): ResourceOf<Members, More>;
  /** Other options for several members. */
  extend<const Changes extends { readonly [name in keyof Members]?: MemberOptions<OptionsOf<Members, name>> }>(
    changes: Changes & FittingContents<Members, Changes>,
  ): ResourceOf<Members, { readonly [name in keyof Changes]: ExtendedMember<Members, name, Changes[name]> }>;
}

/** A resource with further members, or others in the place of those that it had. */
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
/** What `create` becomes where the list is changed. */
type CreateOf<Name, More> = Name extends 'create'
  ? More extends { readonly getList: { readonly push: infer Push } }
    ? Push
    : never
  : never;

type ExtendedMember<Members, Name, N> = ExtendedInstance<OptionsOf<Members, Name>, N, unknown>;
/** The options of a member; those of `get` for a new one. */
type OptionsOf<Members, Name> = (
  Name extends keyof Members ? Members[Name] : Members extends { readonly get: infer Get } ? Get : never
) extends infer E
  ? E extends RestInstance<infer O>
    ? O
    : E extends RestInstanceBase<infer O>
      ? O
      : never
  : never;
/** What one of several members can be changed to. Its functions are told of the arguments that the member has had. */
type MemberOptions<O extends HasPath> = ExtendGenerics & Omit<RestOptions<O>, 'content'> & ProcessOption<O, Loose>;
/** What each of the members, as they are changed, may read its body as. */
type FittingContents<Members, Changes> = {
  readonly [name in keyof Changes]: Fitting<OptionsOf<Members, name>, Changes[name]>;
};
type Fitting<O extends HasPath, N> = FittingContent<O, N> & {
  readonly content?: ContentFor<MergeGenerics<O, N, unknown>> | undefined;
};

// What members are made of is said by position, and not by an object of all options: editors show it.
/** The options that decide about types beside those that members name. */
type OthersOf<O extends ResourceGenerics> =
  IsAny<O> extends true ? Loose : { readonly [name in Extract<keyof O, 'body' | 'wire' | 'Endpoint'>]: O[name] };
type SearchOf<O extends ResourceGenerics> = Option<O, 'searchParams', AnySearch | undefined>;
/** The search parameters of a list of which nothing is said. */
interface AnySearch {
  readonly [name: string]: string | number | boolean | undefined;
}

interface Common<Others> {
  /** As in the class of endpoints, where there is one. */
  readonly process: Others extends { readonly Endpoint: abstract new (...args: Loose) => infer Instance }
    ? ProcessOf<Instance>
    : undefined;
}
type AnyProcess = (value: Loose, ...args: Loose) => Loose;
type ProcessOf<Instance> =
  IsAny<Instance> extends true ? AnyProcess : Instance extends { process: infer P } ? P : AnyProcess;

interface OfRecord<Method extends string, Path extends string, S, Others> extends Common<Others> {
  readonly path: Path;
  readonly schema: S;
  readonly method: Method;
}
interface OfList<Path extends string, S, Search, Page, Others> extends Common<Others> {
  readonly path: ShortenPath<Path>;
  readonly schema: ListSchema<S, Others>;
  readonly method: 'GET';
  readonly movePath: Path;
  readonly body: MemberBody<S, Others>;
  readonly paginationField: Page;
  readonly searchParams: Search;
}
interface OfChange<Method extends string, Path extends string, S, Others> extends OfRecord<Method, Path, S, Others> {
  readonly body: OrForm<MemberBody<S, Others>>;
}
interface OfPart<Path extends string, S, Others> extends OfRecord<'PATCH', Path, S, Others> {
  readonly body: OrForm<MemberBody<S, Others> extends undefined ? undefined : Partial<MemberBody<S, Others>>>;
}
interface OfDelete<Path extends string, S> {
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
/** A body in which references are records or their pks, and which has fields that are never read. */
type WireBody<Body, Refs extends string, Only> = [Refs | keyof Only] extends [never]
  ? Body
  : { [field in keyof Body]: field extends Refs ? Referred<Body[field]> : Body[field] } & Partial<Only>;
type Referred<Value> = Value extends readonly (infer Item)[] ? readonly (Item | Pk)[] : Value | Pk | null | undefined;
type Pk = string | number;

/** The list, or where the wire says what else there is to a page, an object with its items. */
type ListSchema<S, Others> = Others extends { readonly wire: Wire<Loose, Loose, infer Page> }
  ? [Page] extends [undefined]
    ? Collection<readonly [S]>
    : { readonly items: Collection<readonly [S]> } & Page
  : Collection<readonly [S]>;

/** Public aliases of the types of resources. */
import type { EndpointInterface } from '../endpoint/infer-endpoint.ts';
import type { Loose, IsAny } from '../schema/infer-schema.ts';
import type { Hookified } from './hookify-resource.ts';
import type { GenericsOf, RestExtendedEndpoint } from './infer-rest-aliases.ts';
import type { PartialRestGenerics } from './infer-args.ts';
import type { ResourceExtend, ResourceGenerics } from './infer-resource.ts';
import type { RestInstanceBase } from './infer-rest.ts';
import type { ExtendOptions } from './infer-rest-options.ts';

/** The members that every resource has. */
export interface ResourceInterface {
  readonly get: RestInstanceBase;
  readonly getList: RestInstanceBase;
  readonly update: RestInstanceBase;
  readonly partialUpdate: RestInstanceBase;
  readonly delete: RestInstanceBase;
}

/** A resource with other options for some of its members. */
export type ResourceExtension<R, Name extends Exclude<Extract<keyof R, string>, 'extend'>, O> = {
  readonly [name in keyof R]: name extends Name ? RestExtendedEndpoint<O, R[name]> : R[name];
};

/** A resource in which some endpoints are replaced. */
export type ExtendedResource<R extends ResourceInterface, T extends Readonly<Record<string, EndpointInterface>>> = Omit<
  R,
  keyof T
> &
  T;

/** A resource with other options for each of its members. */
export type CustomResource<
  R extends ResourceInterface,
  _O extends ResourceGenerics = { readonly path: string; readonly schema: Loose },
  Get = Loose,
  GetList = Loose,
  Update = Loose,
  PartialUpdate = Loose,
  Delete = Loose,
> = CustomMembers<R, Get, GetList, Update, PartialUpdate, Delete> &
  ResourceExtend<CustomMembers<R, Get, GetList, Update, PartialUpdate, Delete>>;
interface CustomMembers<R extends ResourceInterface, Get, GetList, Update, PartialUpdate, Delete> {
  readonly get: Custom<R['get'], Get>;
  readonly getList: Custom<R['getList'], GetList>;
  readonly update: Custom<R['update'], Update>;
  readonly partialUpdate: Custom<R['partialUpdate'], PartialUpdate>;
  readonly delete: Custom<R['delete'], Delete>;
}
type Custom<E, O> = IsAny<O> extends true ? E : PartialRestGenerics extends O ? E : RestExtendedEndpoint<O, E>;

/** The options for each extended member of a resource. */
export interface ResourceEndpointExtensions<
  R extends ResourceInterface,
  Get extends PartialRestGenerics = Loose,
  GetList extends PartialRestGenerics = Loose,
  Update extends PartialRestGenerics = Loose,
  PartialUpdate extends PartialRestGenerics = Loose,
  Delete extends PartialRestGenerics = Loose,
> {
  readonly get?: Extension<R['get'], Get>;
  readonly getList?: Extension<R['getList'], GetList>;
  readonly update?: Extension<R['update'], Update>;
  readonly partialUpdate?: Extension<R['partialUpdate'], PartialUpdate>;
  readonly delete?: Extension<R['delete'], Delete>;
}
type Extension<E, O> = Readonly<O> & ExtendOptions<GenericsOf<E>, O, Loose>;

/** The members of a resource as hooks. */
export type HookResource<R extends object> = Hookified<R>;
/** An endpoint to which `hookifyResource` can give other request options. @hidden */
export interface HookableEndpointInterface extends EndpointInterface {
  extend(...args: Loose): HookableEndpointInterface;
}

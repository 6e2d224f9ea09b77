/** Types by the names that applications import, made of those that the endpoints have. */
import type { EndpointInstance } from '../endpoint/infer.ts';
import type { Loose } from '../schema/infer.ts';
import type { HasPath, RestArgs, RestResult } from './infer-args.ts';
import type { AddGenerics, PageGenerics, PagesGenerics, RestInstanceBase } from './infer-rest.ts';

/** A function that sends a request with parameters of the address and a body; `undefined` for none. */
export type RestFetch<Params = Loose, Body = undefined, Resolved = Loose> = [Body] extends [undefined]
  ? (params: Params) => Promise<Resolved>
  : (...args: [body: Body] | [params: Params, body: Body]) => Promise<Resolved>;

/** An endpoint of such a function. */
export type RestType<Params = Loose, Body = undefined, S = Loose, M = undefined, Resolved = Loose> = EndpointInstance<
  RestFetch<Params, Body, Resolved>,
  S,
  M
> &
  Pick<RestInstanceBase, 'path' | 'urlPrefix' | 'method'>;

/** The function that an endpoint with the options `O` is. */
export type OptionsToFunction<O extends HasPath> = (...args: RestArgs<O>) => Promise<RestResult<O, Loose>>;

/** `push`, or `unshift`, of a list with the options `O`. */
export type AddEndpoint<O extends HasPath = Loose, Name extends 'push' | 'unshift' = 'push'> = RestInstanceBase<
  AddGenerics<O, Name>
>;

/** Pages of a list with the options `O`, by all their parameters. */
export type PaginationEndpoint<O extends HasPath = Loose, Params = Loose> = RestInstanceBase<PagesGenerics<O, Params>>;

/** Pages of a list with the options `O`, by the parameter that asks for one. */
export type PaginationFieldEndpoint<O extends HasPath = Loose, Field extends string = string> = RestInstanceBase<
  PageGenerics<O, Field>
>;

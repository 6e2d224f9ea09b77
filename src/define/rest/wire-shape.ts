import type { Collection } from '../schema/collection.ts';
import type { Loose } from '../schema/infer-schema.ts';
import type { ListOptions } from '../schema/list-rules.ts';
import type { Reasons } from './error-reasons.ts';
import type { RestCall } from './params-and-body.ts';

/** The endpoint of a request or an answer. */
export interface WireEndpoint {
  readonly name: string;
  readonly method: string;
  readonly schema?: unknown;
  readonly sideEffect?: boolean | undefined;
}

/**
 * The form of records in the requests and responses of a server, made by a function of `rejoin/wire`: the option `wire` of a resource or an
 * endpoint. Schemas, optimistic updates and the application see records only in the form of their classes.
 */
export interface Wire<Refs extends string = never, Only = {}, Page = undefined> {
  /** The media type of bodies, and of the `Accept` header. Default: JSON. */
  readonly mediaType?: string | undefined;
  /** Returns the records in an answer, in the form of their classes. */
  read(answer: Loose, endpoint: WireEndpoint, headers: Headers): unknown;
  /** Returns the body in the form of the server: data, which is sent as JSON, or a form, which is sent as it is. */
  write?(body: object, endpoint: WireEndpoint, call: RestCall | undefined): object;
  /** Returns the fields of a body that become part of the record, for optimistic updates. */
  guess?(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Returns the search parameters in the form of the server. */
  search?(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Returns the schema of a list. `collection` makes the collection in it. Default: the collection itself. */
  list?(collection: (options?: Pick<ListOptions, 'total'>) => Collection): unknown;
  /** Returns the reasons in the body of an error. */
  reasons?(data: unknown): Reasons;
  readonly '~types'?: { readonly refs: Refs; readonly only: Only; readonly page: Page };
}

/** Any wire. */
export type AnyWire = Wire<Loose, Loose, Loose>;

import type { Collection } from '../schema/collection.ts';
import type { Loose } from '../schema/infer-schema.ts';
import type { ListOptions } from '../schema/list-rules.ts';
import type { Reasons } from './error-reasons.ts';
import type { RestCall } from './params-and-body.ts';

/** The endpoint that a request or an answer is of. */
export interface WireEndpoint {
  readonly name: string;
  readonly method: string;
  readonly schema?: unknown;
  readonly sideEffect?: boolean | undefined;
}

/**
 * The shape that the records of a server have on the wire, as the functions of `rejoin/wire` make it: the option `wire` of a
 * resource or an endpoint. Everything else, schemas and guesses among it, sees records as their classes have them.
 */
export interface Wire<Refs extends string = never, Only = {}, Page = undefined> {
  /** The media type of bodies, and that which is asked for. Default: JSON. */
  readonly mediaType?: string | undefined;
  /** The records in an answer. */
  read(answer: Loose, endpoint: WireEndpoint, headers: Headers): unknown;
  /** What a body is sent as. */
  write?(body: object, endpoint: WireEndpoint, call: RestCall | undefined): object;
  /** What of a body becomes part of the record. */
  guess?(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** The search parameters as the server has them. */
  search?(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** The schema of a list, given what makes the collection. Default: the collection itself. */
  list?(collection: (options?: Pick<ListOptions, 'total'>) => Collection): unknown;
  /** What the body of an error says. */
  reasons?(data: unknown): Reasons;
  readonly '~types'?: { readonly refs: Refs; readonly only: Only; readonly page: Page };
}

/** Any shape. */
export type AnyWire = Wire<Loose, Loose, Loose>;

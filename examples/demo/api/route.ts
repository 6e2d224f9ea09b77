import type { Clock } from './clock.ts';
import type { Database, Queries } from './database/database.ts';
import type { Change, Channel } from './channel.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Market } from './market.ts';
import type { Simulations } from './simulation.ts';

/** The objects that all routes of a server share. */
export interface World {
  readonly database: Database;
  readonly clock: Clock;
  readonly market: Market;
  readonly changes: Channel;
  readonly items: Channel;
  readonly simulations: Simulations;
}

/** A request that has been checked against its route. */
export interface ApiRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The body, as its schema describes it. */
  readonly body: unknown;
  readonly headers: Headers;
  readonly url: URL;
  /** The session whose network is simulated, if the client sent one. */
  readonly session: string | undefined;
  /** The database; for a request that writes, its transaction. */
  readonly queries: Queries;
  /** Aborts when the client leaves, goes offline, or the server stops. */
  readonly signal: AbortSignal;
  /** Sends an event to all listeners of /events when the transaction is committed. */
  publish(change: Change): void;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The description of an answer in the document. */
export interface Answer {
  readonly description: string;
  readonly schema?: JsonSchema;
  /** Default: `application/json`. */
  readonly type?: string;
}

export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** `/posts/{id}` */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly params?: Readonly<Record<string, JsonSchema>>;
  readonly query?: Readonly<Record<string, JsonSchema>>;
  readonly body?: JsonSchema;
  /** The answers of the route itself. The answers of all routes (304, 412, 422, …) are added to the document. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Whether answers must not be cached: no `ETag`, `Cache-Control: no-store`. */
  readonly volatile?: boolean;
  /** Whether the route is not a part of the API: it is neither simulated nor in a transaction. */
  readonly control?: boolean;
  handle(request: ApiRequest): Promise<Reply | Response> | Reply | Response;
}

export const ID: JsonSchema = { type: 'string', pattern: '^[1-9][0-9]{0,8}$', description: 'a whole number above 0' };

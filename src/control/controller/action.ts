import type { Queryable } from '../../define/schema/infer-schema.ts';
import type { SchemaSimple } from '../../define/schema/schema.ts';
import type { Ticket } from '../../state/store/tickets.ts';
import type { Responses } from '../view/responses.ts';
import type { Mutations } from './mutations.ts';
import type { EndpointCall, RequestInFlight } from './request-in-flight.ts';

type Types = {
  readonly FETCH: 'rejoin/fetch';
  readonly SET: 'rejoin/set';
  readonly SET_RESPONSE: 'rejoin/setresponse';
  readonly OPTIMISTIC: 'rejoin/optimistic';
  readonly RESET: 'rejoin/reset';
  readonly SUBSCRIBE: 'rejoin/subscribe';
  readonly UNSUBSCRIBE: 'rejoin/unsubscribe';
  readonly INVALIDATE: 'rejoin/invalidate';
  readonly INVALIDATEALL: 'rejoin/invalidateall';
  readonly EXPIREALL: 'rejoin/expireall';
};

const types: Types = {
  FETCH: 'rejoin/fetch',
  SET: 'rejoin/set',
  SET_RESPONSE: 'rejoin/setresponse',
  OPTIMISTIC: 'rejoin/optimistic',
  RESET: 'rejoin/reset',
  SUBSCRIBE: 'rejoin/subscribe',
  UNSUBSCRIBE: 'rejoin/unsubscribe',
  INVALIDATE: 'rejoin/invalidate',
  INVALIDATEALL: 'rejoin/invalidateall',
  EXPIREALL: 'rejoin/expireall',
};

/** The types of actions. Managers compare with them. `FETCH_TYPE` is another name for `FETCH`, and so on. */
export const actionTypes: Types & { readonly [name in keyof Types as `${name}_TYPE`]: Types[name] } =
  /* #__PURE__ */ withLongNames(types);

function withLongNames(given: Types): typeof actionTypes {
  const long = Object.entries(given).map(([name, type]) => [`${name}_TYPE`, type]);
  return Object.freeze({ ...given, ...Object.fromEntries(long) }) as typeof actionTypes;
}

/** Holds the promise that `fetch` returns to its caller. */
export interface FetchCaller {
  answer?: Promise<unknown>;
}

/** Asks for the answer of a request. The manager that handles the action passes the promise of the answer to `controller.answer`. */
export interface FetchAction extends EndpointCall {
  readonly type: Types['FETCH'];
  /** The caller, for `controller.answer`. */
  readonly caller: FetchCaller;
  readonly fetchedAt: number;
}

/** A request was answered, or failed. */
export interface SetResponseAction extends EndpointCall {
  readonly type: Types['SET_RESPONSE'];
  /** The response. With `error`, the error. */
  readonly response: unknown;
  readonly error?: boolean;
  /** The request that this answers. Without it, the answer counts as the answer of a request sent now. */
  readonly request?: RequestInFlight;
  /** The place in the order of an answer without a request, such as a message of a stream. */
  readonly ticket?: Ticket;
  readonly fetchedAt: number;
  /** Whether it answers the request in flight of this key that was sent at `fetchedAt`. */
  readonly isResolving?: boolean;
  /** Whether a mutation settled, or the key was expired, after the request was sent, so that the answer may have data from before that. */
  readonly isOutdated?: boolean;
  /** Default of the network manager for endpoints that do not set it. */
  readonly dataExpiryLength?: number | undefined;
  readonly errorExpiryLength?: number | undefined;
}

/** Shows the guess of a mutation. */
export interface OptimisticAction extends EndpointCall {
  readonly type: Types['OPTIMISTIC'];
  readonly request: RequestInFlight;
}

/** Stores a record that the application has made. */
export interface SetAction {
  readonly type: Types['SET'];
  readonly schema: Queryable | SchemaSimple;
  readonly args: readonly unknown[];
  /** A record, or a function that makes it from the present value. */
  readonly value: unknown;
  /** The place of the record in the order. Without it, the record is later than everything before it. */
  readonly ticket?: Ticket;
}

/** Removes all data. */
export interface ResetAction {
  readonly type: Types['RESET'];
  /** Writes new data after everything was removed, in the same commit. */
  readonly fill?: () => void;
  /** Whether the user has logged out in another tab, which deletes what is saved of the user. */
  readonly isElsewhere?: boolean;
}

/** Begins or ends a subscription of an endpoint. */
export interface SubscribeAction extends EndpointCall {
  readonly type: Types['SUBSCRIBE'] | Types['UNSUBSCRIBE'];
}

/** Removes the result of a request. */
export interface InvalidateAction {
  readonly type: Types['INVALIDATE'];
  readonly key: string;
}

/** Applies to every request key for which `testKey` returns true. */
export interface AllAction {
  readonly type: Types['INVALIDATEALL'] | Types['EXPIREALL'];
  readonly testKey: (key: string) => boolean;
  /** Whether the reads in flight have newer data than the results. Default: their answers are stale. */
  readonly areReadsNewer?: boolean;
}

/** Every action that passes through the managers of a controller. */
export type Action =
  | FetchAction
  | SetResponseAction
  | OptimisticAction
  | SetAction
  | ResetAction
  | SubscribeAction
  | InvalidateAction
  | AllAction;

/** The state that actions change. */
export interface Applied {
  readonly responses: Responses;
  readonly mutations: Mutations;
}

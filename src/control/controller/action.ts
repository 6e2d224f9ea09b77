import type { Queryable } from '../../define/schema/infer-schema.ts';
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

/** The types of actions, for managers to compare with. `FETCH_TYPE` is another name for `FETCH`, and so on. */
export const actionTypes: Types & { readonly [name in keyof Types as `${name}_TYPE`]: Types[name] } =
  /* #__PURE__ */ withLongNames(types);

function withLongNames(given: Types): typeof actionTypes {
  const long = Object.entries(given).map(([name, type]) => [`${name}_TYPE`, type]);
  return Object.freeze({ ...given, ...Object.fromEntries(long) }) as typeof actionTypes;
}

/** Where the caller of `fetch` finds the answer. */
export interface FetchCaller {
  answer?: Promise<unknown>;
}

/** An answer is wanted. The manager that gets it passes it to `controller.answer`. */
export interface FetchAction extends EndpointCall {
  readonly type: Types['FETCH'];
  /** The caller, for `controller.answer`. */
  readonly asker: FetchCaller;
  readonly fetchedAt: number;
}

/** A request was answered, or failed. */
export interface SetResponseAction extends EndpointCall {
  readonly type: Types['SET_RESPONSE'];
  /** The response, or with `error` what it failed with. */
  readonly response: unknown;
  readonly error?: boolean;
  /** The request that is answered. Without it the answer counts as asked for now. */
  readonly request?: RequestInFlight;
  /** The place in the order of what was not asked for. */
  readonly ticket?: Ticket;
  readonly fetchedAt: number;
  /** Whether it answers the request of this key that is under way since `fetchedAt`. */
  readonly isResolving?: boolean;
  /** Whether a mutation settled since it was asked for, so that it may be from before. */
  readonly isOutdated?: boolean;
  /** For endpoints that do not say. */
  readonly dataExpiryLength?: number | undefined;
  readonly errorExpiryLength?: number | undefined;
}

export interface OptimisticAction extends EndpointCall {
  readonly type: Types['OPTIMISTIC'];
  readonly request: RequestInFlight;
}

export interface SetAction {
  readonly type: Types['SET'];
  readonly schema: Queryable;
  readonly args: readonly unknown[];
  /** A record, or what makes one of the present value. */
  readonly value: unknown;
  /** Its place in the order. Without it, it counts as set now. */
  readonly ticket?: Ticket;
}

export interface ResetAction {
  readonly type: Types['RESET'];
  /** Writes what there is from then on, in the same commit. */
  readonly fill?: () => void;
}

export interface SubscribeAction extends EndpointCall {
  readonly type: Types['SUBSCRIBE'] | Types['UNSUBSCRIBE'];
}

export interface InvalidateAction {
  readonly type: Types['INVALIDATE'];
  readonly key: string;
}

/** Concerns every request key that `testKey` is true of. */
export interface AllAction {
  readonly type: Types['INVALIDATEALL'] | Types['EXPIREALL'];
  readonly testKey: (key: string) => boolean;
}

export type Action =
  | FetchAction
  | SetResponseAction
  | OptimisticAction
  | SetAction
  | ResetAction
  | SubscribeAction
  | InvalidateAction
  | AllAction;

/** What actions are applied to. */
export interface Applied {
  readonly responses: Responses;
  readonly mutations: Mutations;
}

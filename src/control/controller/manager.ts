import type { EndpointInterface } from '../../define/endpoint/infer.ts';
import type { Ticket } from '../../state/store/requests.ts';
import type { StoredResponse } from '../view/responses.ts';
import type { Action, FetchAction } from './action.ts';

/** What managers may ask of the controller. */
export interface MiddlewareAPI {
  now(): number;
  dispatch(action: Action): Promise<void>;
  fetch(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<unknown>;
  getResponseMeta(endpoint: EndpointInterface, ...args: readonly unknown[]): StoredResponse;
  resetEntireStore(): Promise<void>;
  expireAll(only: { readonly testKey: (key: string) => boolean }): Promise<void>;
  invalidateAll(only: { readonly testKey: (key: string) => boolean }): Promise<void>;
  /** A request starts: its place in the order. */
  begin(endpoint: EndpointInterface): Ticket;
  /** A request ended without an answer. */
  abandon(request: Ticket): void;
  /** The value of a response that has landed; the very object that readers get. */
  landed(request: Ticket): unknown;
  /** Says what a fetch resolves to. */
  answer(fetch: FetchAction, answer: Promise<unknown>): void;
}

export type Dispatch = (action: Action) => Promise<void>;
export type Middleware = (controller: MiddlewareAPI) => (next: Dispatch) => Dispatch;

/** A middleware with a life. */
export interface Manager {
  readonly middleware: Middleware;
  /** Called once the controller is ready. */
  init?(): void;
  cleanup(): void;
}

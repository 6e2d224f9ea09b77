/** Types under the names that applications import, derived from the types of the controller. */
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { Loose, Normalize } from '../../define/schema/infer-schema.ts';
import type { Snapshot } from '../view/controller-snapshot.ts';
import type { Action, AllAction, SubscribeAction } from './action.ts';
import type { Dispatch } from './manager.ts';

/** Any action. */
export type ActionTypes = Action;
/** Ends a subscription of an endpoint. */
export type UnsubscribeAction = SubscribeAction;
/** Removes the results of several requests. */
export type InvalidateAllAction = AllAction;
/** Makes the results of several requests stale. */
export type ExpireAllAction = AllAction;
/** Dispatches an action. */
export type DataClientDispatch = Dispatch;
/** Dispatches an action. */
export type GenericDispatch = Dispatch;
/** The result of `getState()`. Methods of a controller take it as their last argument. */
// The type parameter is for annotations of applications only.
// oxlint-disable-next-line no-unused-vars
export type State<_T = unknown> = Snapshot;

/** The `update` of an endpoint: gets the normalized result, and returns functions that change the results of other requests, by request key. */
export type UpdateFunction<
  Source extends EndpointInterface = EndpointInterface,
  Updated extends EndpointInterface = EndpointInterface,
> = (
  stored: Normalize<Source['schema']>,
  ...args: Parameters<Source>
) => Record<string, (before: Loose) => Normalize<Updated['schema']>>;

/** The `update` of an endpoint. */
export type EndpointUpdateFunction<
  Source extends EndpointInterface,
  Updates extends Record<string, Loose> = Record<string, Loose>,
> = (stored: ResultEntry<Source>, ...args: Parameters<Source>) => Updates;
/** The normalized result of an endpoint. */
export type ResultEntry<E extends EndpointInterface> = Normalize<E['schema']>;
/** Whether stored data may be shown or has to be fetched, as a number. */
export type ExpiryStatusInterface = 1 | 2 | 3;

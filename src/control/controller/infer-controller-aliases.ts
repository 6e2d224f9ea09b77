/** Types by the names that applications import, made of those that the controller has. */
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { Loose, Normalize } from '../../define/schema/infer-schema.ts';
import type { Snapshot } from '../view/controller-snapshot.ts';
import type { Action, AllAction, SubscribeAction } from './action.ts';
import type { Dispatch } from './manager.ts';

/** Any action. */
export type ActionTypes = Action;
export type UnsubscribeAction = SubscribeAction;
export type InvalidateAllAction = AllAction;
export type ExpireAllAction = AllAction;
/** Hands an action on. */
export type DataClientDispatch = Dispatch;
export type GenericDispatch = Dispatch;
/** What `getState()` gives, and what the methods of a controller take as their last argument. */
// What it is a state of is for the one who names it.
// oxlint-disable-next-line no-unused-vars
export type State<_T = unknown> = Snapshot;

/** The `update` of an endpoint: given what came, in refs, what becomes of the results of another endpoint, by request key. */
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
/** What an endpoint came to, in refs. */
export type ResultEntry<E extends EndpointInterface> = Normalize<E['schema']>;
/** How far what is stored can be relied on, as a number. */
export type ExpiryStatusInterface = 1 | 2 | 3;

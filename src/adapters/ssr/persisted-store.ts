import { createElement, type FunctionComponent, type ReactNode } from 'react';
import type { Controller } from '../../control/controller/controller.ts';
import type { Manager } from '../../control/controller/manager.ts';
import { dehydrate } from '../../state/hydrate/dehydrate.ts';
import type { Store } from '../../state/store/store.ts';
import { DataProvider } from '../react/data-provider.tsx';
import { DEFAULT_ID, type WholeState } from './page-part.ts';
import { toScriptJson } from './script-json.ts';
import { ServerSession } from './server-session.ts';

/** Suspends until all requests have been answered. Returns the state of the whole store. */
export type UseReadyState = () => WholeState;

/**
 * Returns the parts that render a page with its whole state at the end: a provider, a hook that waits for the state, the
 * controller and its store. Create one for each request.
 */
export function createPersistedStore(
  managers?: readonly Manager[],
): readonly [
  ServerDataProvider: FunctionComponent<{ readonly children?: ReactNode }>,
  useReadyState: UseReadyState,
  controller: Controller,
  store: Store,
] {
  const session = new ServerSession(managers && { managers });
  const { controller } = session;
  const ServerDataProvider = ({ children }: { readonly children?: ReactNode }): ReactNode =>
    createElement(DataProvider, { controller }, children);
  const useReadyState = (): WholeState => {
    const waiting = session.settled();
    // A promise is what React waits for, in all of its versions.
    // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error
    if (waiting !== undefined) throw waiting;
    return { now: controller.now(), state: dehydrate(controller.store) };
  };
  return [ServerDataProvider, useReadyState, controller, controller.store];
}

/** The props of the component that writes the state into the page. */
export interface ServerDataProps {
  readonly data: WholeState;
  readonly id?: string;
  readonly nonce?: string | undefined;
}

/** The state of a page, as a script element that browsers do not run. */
export function ServerData({ data, id = DEFAULT_ID, nonce }: ServerDataProps): ReactNode {
  return createElement('script', {
    type: 'application/json',
    'data-rejoin-state': id,
    nonce,
    dangerouslySetInnerHTML: { __html: toScriptJson(data) },
  });
}

/** A component that renders the state of the page when all requests are answered. Place it after the components that read. */
export function createServerDataComponent(
  useReadyState: UseReadyState,
  id?: string,
): FunctionComponent<{ readonly nonce?: string }> {
  return function ServerDataComponent({ nonce }) {
    return createElement(ServerData, { data: useReadyState(), nonce, ...(id !== undefined && { id }) });
  };
}

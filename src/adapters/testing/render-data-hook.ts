import { type ComponentType, createElement, type ReactNode, Suspense, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Controller } from '../../control/controller/controller.ts';
import { NetworkManager } from '../../control/controller/network-manager.ts';
import { SubscriptionManager } from '../../control/manager/subscription-manager.ts';
import type { Fixture, FixtureOptions, Interceptor } from '../../control/testing/fixture.ts';
import { type InitialState, mockInitialState } from '../../control/testing/initial-state.ts';
import { DataProvider } from '../react/data-provider.tsx';
import { useController } from '../react/controller-context.ts';
import { act } from './act.ts';
import { Boundary } from './boundary.ts';
import { MockResolver } from './mock-resolver.ts';
import { waitFor, type WaitOptions } from './wait-for.ts';

export interface RenderDataHookOptions<Props, Data = unknown> {
  readonly initialProps?: Props;
  /** Requests that have been answered before the first render. */
  readonly initialFixtures?: readonly (Fixture | Interceptor)[];
  /** Requests that will be answered without a network. */
  readonly resolverFixtures?: FixtureOptions<Data>['fixtures'];
  readonly getInitialInterceptorData?: () => Data;
  /** Is rendered around the hook, inside of the provider, with the props of the hook. */
  readonly wrapper?: ComponentType<Props & { children: ReactNode }>;
}

export interface RenderedDataHook<Result, Props> {
  /** `current` is what the hook returned last on the screen; `error` what it threw instead. */
  readonly result: { readonly current: Result; readonly error: Error | undefined };
  readonly rerender: (props?: Props) => void;
  readonly unmount: () => void;
  readonly waitFor: (check: () => unknown, options?: WaitOptions) => Promise<void>;
  readonly waitForNextUpdate: (options?: WaitOptions) => Promise<void>;
  /** The one that the hook has. */
  readonly controller: Controller;
  /** Unmounts, and ends requests and timers. */
  readonly cleanup: () => void;
  /** Resolves when no request is under way any more, and its answer is on the screen. */
  readonly allSettled: () => Promise<unknown>;
}

export type RenderDataHook = <Props, Result, Data = unknown>(
  callback: (props: Props) => Result,
  options?: RenderDataHookOptions<Props, Data>,
) => RenderedDataHook<Result, Props>;

/** What a provider under test is given. */
export interface TestedProviderProps {
  readonly controller: Controller;
  readonly initialState: InitialState;
  readonly children?: ReactNode;
}

const rendered = new Set<() => void>();

/** Cleans up after every hook that is still rendered. A test runner with a global `afterEach` does so by itself. */
export function cleanup(): void {
  for (const end of rendered) end();
}

/** Makes a `renderDataHook` for a provider of your own. */
export function makeRenderDataHook(Provider: ComponentType<TestedProviderProps>): RenderDataHook {
  return (callback, options = {}) => new HookRun(Provider, callback, options).start();
}

/** Renders a hook in a provider with a store of its own, and answers its requests with fixtures. */
export const renderDataHook: RenderDataHook = makeRenderDataHook(DataProvider);

// As soon as it is loaded: runners take hooks of theirs outside of tests only.
(globalThis as { afterEach?: (run: () => void) => void }).afterEach?.(cleanup);

class HookRun<Props, Result, Data> {
  readonly #callback: (props: Props) => Result;
  readonly #options: RenderDataHookOptions<Props, Data>;
  readonly #Provider: ComponentType<TestedProviderProps>;
  readonly #network = new NetworkManager();
  readonly #own: Controller;
  readonly #initialState: InitialState;
  readonly #listeners = new Set<() => void>();
  readonly #root = createRoot(document.createElement('div'), { onCaughtError: () => {} });
  readonly #result: { current: Result; error: Error | undefined } = {
    current: undefined as Result,
    error: undefined,
  };
  #controller: Controller;
  #attempt = 0;
  #updates = 0;

  constructor(
    Provider: ComponentType<TestedProviderProps>,
    callback: (props: Props) => Result,
    options: RenderDataHookOptions<Props, Data>,
  ) {
    this.#Provider = Provider;
    this.#callback = callback;
    this.#options = options;
    this.#own = new Controller({ managers: [this.#network, new SubscriptionManager()] });
    this.#controller = this.#own;
    this.#initialState = mockInitialState(options.initialFixtures);
  }

  start(): RenderedDataHook<Result, Props> {
    this.#render(this.#options.initialProps as Props);
    rendered.add(this.#end);
    const onceChanged = this.#onceChanged;
    const waitForNextUpdate = async (options?: WaitOptions): Promise<void> => {
      const before = this.#updates;
      return waitFor(() => this.#updates > before, onceChanged, options);
    };
    return {
      result: this.#result,
      rerender: (props = this.#options.initialProps) => this.#render(props as Props),
      unmount: () => {
        act(() => this.#root.unmount());
      },
      waitFor: async (check, options) => waitFor(check, onceChanged, options),
      waitForNextUpdate,
      controller: this.#controller,
      cleanup: this.#end,
      allSettled: async () => act(async () => this.#network.allSettled()),
    };
  }

  readonly #onceChanged = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly #end = (): void => {
    if (!rendered.delete(this.#end)) return;
    act(() => this.#root.unmount());
    this.#own.dispose();
  };

  readonly #update = (outcome: { readonly current: Result } | { readonly error: Error }): void => {
    Object.assign(this.#result, { error: undefined, ...outcome });
    this.#updates++;
    for (const listener of this.#listeners) listener();
  };

  /** Calls the hook, and learns what came of it once it is on the screen. */
  readonly #Probe = ({ props }: { readonly props: Props }): null => {
    const current = this.#callback(props);
    useLayoutEffect(() => this.#update({ current }));
    return null;
  };

  /** Learns which controller is around, even if the hook has none yet. */
  readonly #Around = ({ children }: { readonly children?: ReactNode }): ReactNode => {
    this.#controller = useController();
    return children;
  };

  #render(props: Props): void {
    const { resolverFixtures: fixtures, getInitialInterceptorData, wrapper: Wrapper } = this.#options;
    const probe = createElement(this.#Probe, { props });
    const wrapped =
      Wrapper === undefined ? probe : createElement(Wrapper, props as Props & { children: ReactNode }, probe);
    const guarded = createElement(
      Boundary,
      { attempt: this.#attempt++, onError: (error) => this.#update({ error: error as Error }) },
      createElement(Suspense, { fallback: null }, wrapped),
    );
    const around = createElement(this.#Around, null, guarded);
    const inside =
      fixtures === undefined
        ? around
        : createElement(
            MockResolver<Data>,
            { fixtures, ...(getInitialInterceptorData && { getInitialInterceptorData }) },
            around,
          );
    act(() =>
      this.#root.render(
        createElement(this.#Provider, { controller: this.#own, initialState: this.#initialState }, inside),
      ),
    );
  }
}

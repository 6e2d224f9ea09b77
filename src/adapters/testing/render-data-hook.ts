import { type ComponentType, createElement, type ReactNode, Suspense, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { type Action, actionTypes } from '../../control/controller/action.ts';
import { Controller } from '../../control/controller/controller.ts';
import type { Manager } from '../../control/controller/manager.ts';
import { NetworkManager } from '../../control/controller/network-manager.ts';
import { SubscriptionManager } from '../../control/manager/subscription-manager.ts';
import type { Fixture, FixtureOptions, Interceptor } from '../../control/testing/fixture.ts';
import { type InitialState, mockInitialState } from '../../control/testing/initial-state.ts';
import { isActing } from '../react/acting.ts';
import { DataProvider } from '../react/data-provider.tsx';
import { useController } from '../react/controller-context.ts';
import { act, isActEnvironment } from './act.ts';
import { Boundary } from './boundary.ts';
import { MockResolver } from './mock-resolver.ts';
import { waitFor, type WaitOptions } from './wait-for.ts';

/** The options of `renderDataHook`. */
export interface RenderDataHookOptions<Props, Data = unknown> {
  readonly initialProps?: Props;
  /** Answers that are stored before the first render. */
  readonly initialFixtures?: readonly (Fixture | Interceptor)[];
  /** Answers for later requests, in place of a network. */
  readonly resolverFixtures?: FixtureOptions<Data>['fixtures'];
  readonly getInitialInterceptorData?: () => Data;
  /** Rendered around the hook, inside the provider, with the props of the hook. */
  readonly wrapper?: ComponentType<Props & { children: ReactNode }>;
}

/** A hook that `renderDataHook` has rendered, and the functions to test it. */
export interface RenderedDataHook<Result, Props> {
  /** `current` is the value that the hook returned in the last committed render; `error` is what it threw instead. */
  readonly result: { readonly current: Result; readonly error: Error | undefined };
  readonly rerender: (props?: Props) => void;
  readonly unmount: () => void;
  readonly waitFor: (check: () => unknown, options?: WaitOptions) => Promise<void>;
  readonly waitForNextUpdate: (options?: WaitOptions) => Promise<void>;
  /** The controller of the hook. */
  readonly controller: Controller;
  /** Unmounts, and ends requests and timers. */
  readonly cleanup: () => void;
  /** Resolves when no request is in flight any more, and all answers are on the screen. */
  readonly allSettled: () => Promise<unknown>;
}

/** The type of `renderDataHook`. */
export interface RenderDataHook {
  <Props, Result, Data = unknown>(
    callback: (props: Props) => Result,
    options?: RenderDataHookOptions<Props, Data>,
  ): RenderedDataHook<Result, Props>;
  /** Ends every hook that this function has rendered. */
  readonly cleanup: () => void;
  /** Resolves when these hooks have no request in flight any more, and all answers are on the screen. */
  readonly allSettled: () => Promise<void>;
}

/** The props of a provider under test. */
export interface TestedProviderProps {
  readonly controller: Controller;
  readonly initialState: InitialState;
  readonly children?: ReactNode;
}

type EndableHook = Pick<RenderedDataHook<unknown, unknown>, 'cleanup' | 'allSettled'>;

const rendered = new Set<EndableHook>();

/** Unmounts every hook that is still rendered. With a global `afterEach`, this happens automatically. */
export function cleanup(): void {
  cleanUp(rendered);
}

/** Cleans up every hook. Throws the first error after all of them. */
function cleanUp(hooks: Iterable<EndableHook>): void {
  const errors: unknown[] = [];
  for (const hook of hooks) {
    try {
      hook.cleanup();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Creates a `renderDataHook` for a provider of your own. */
export function makeRenderDataHook(Provider: ComponentType<TestedProviderProps>): RenderDataHook {
  const own = new WeakSet<EndableHook>();
  const ofThis = (): EndableHook[] => [...rendered].filter((hook) => own.has(hook));
  const render = <Props, Result, Data = unknown>(
    callback: (props: Props) => Result,
    options: RenderDataHookOptions<Props, Data> = {},
  ): RenderedDataHook<Result, Props> => {
    const hook = new HookRun(Provider, callback, options).start();
    own.add(hook);
    return hook;
  };
  return Object.assign(render, {
    cleanup: () => cleanUp(ofThis()),
    allSettled: async () => {
      // oxlint-disable-next-line no-await-in-loop -- React warns about acts that overlap
      for (const hook of ofThis()) await hook.allSettled();
    },
  });
}

/** Renders a hook in a provider with a store of its own, and answers its requests with fixtures. */
export const renderDataHook: RenderDataHook = makeRenderDataHook(DataProvider);

// When the module is loaded, because test runners accept `afterEach` only outside of tests.
(globalThis as { afterEach?: (run: () => void) => void }).afterEach?.(cleanup);

/** Stores answers inside `act` where React requires it, so that a test that awaits an answer outside of `act` gets no warning. */
const storeInAct: Manager = {
  middleware: () => (next) => (action) => {
    if (action.type !== actionTypes.SET_RESPONSE || !isActEnvironment() || isActing()) return next(action);
    let stored = Promise.resolve();
    act(() => {
      stored = next(action);
      // Answers wait for others of their turn, and are stored before any other action.
      void next(NOTHING);
    });
    return stored;
  },
  cleanup: () => {},
};

const NOTHING: Action = { type: actionTypes.INVALIDATEALL, testKey: () => false };

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
  /** How many requests were sent. */
  #sent = 0;

  readonly #counting: Manager = {
    middleware: () => (next) => (action) => {
      if (action.type === actionTypes.FETCH) this.#sent++;
      return next(action);
    },
    cleanup: () => {},
  };

  constructor(
    Provider: ComponentType<TestedProviderProps>,
    callback: (props: Props) => Result,
    options: RenderDataHookOptions<Props, Data>,
  ) {
    this.#Provider = Provider;
    this.#callback = callback;
    this.#options = options;
    this.#own = new Controller({ managers: [this.#counting, storeInAct, this.#network, new SubscriptionManager()] });
    this.#controller = this.#own;
    this.#initialState = mockInitialState(options.initialFixtures);
  }

  start(): RenderedDataHook<Result, Props> {
    try {
      this.#render(this.#options.initialProps as Props);
    } catch (error) {
      // The caller gets no hook to clean up.
      this.#end();
      throw error;
    }
    const onChange = this.#onChange;
    const waitForNextUpdate = async (options?: WaitOptions): Promise<void> => {
      const before = this.#updates;
      return waitFor(() => this.#updates > before, onChange, options);
    };
    const hook: RenderedDataHook<Result, Props> = {
      result: this.#result,
      rerender: (props = this.#options.initialProps) => this.#render(props as Props),
      unmount: () => {
        act(() => this.#root.unmount());
      },
      waitFor: async (check, options) => waitFor(check, onChange, options),
      waitForNextUpdate,
      controller: this.#controller,
      cleanup: () => {
        if (rendered.delete(hook)) this.#end();
      },
      allSettled: async () => this.#allSettled(),
    };
    rendered.add(hook);
    return hook;
  }

  readonly #onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #end(): void {
    try {
      act(() => this.#root.unmount());
    } finally {
      this.#own.dispose();
    }
  }

  /** What an answer renders may send further requests, and is rendered when an `act` ends. */
  async #allSettled(): Promise<void> {
    for (let sent = -1; sent < this.#sent;) {
      sent = this.#sent;
      // oxlint-disable-next-line no-await-in-loop -- one request leads to the next
      await act(async () => this.#network.allSettled());
    }
  }

  readonly #update = (outcome: { readonly current: Result } | { readonly error: Error }): void => {
    Object.assign(this.#result, { error: undefined, ...outcome });
    this.#updates++;
    for (const listener of this.#listeners) listener();
  };

  /** Calls the hook, and stores its result when the render is committed. */
  readonly #Probe = ({ props }: { readonly props: Props }): null => {
    const current = this.#callback(props);
    useLayoutEffect(() => this.#update({ current }));
    return null;
  };

  /** Stores the controller of the provider, even before the hook has run. */
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

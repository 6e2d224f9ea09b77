import { memo } from '../../std/memo.ts';
import { type ReactNode, startTransition, Suspense, useContext, useEffect, useMemo, useState } from 'react';
import type { Controller } from '../../control/controller/controller.ts';
import type { Rendering } from '../../control/screen/rendering.ts';
import { Screen } from '../../control/screen/screen.ts';
import { isActing, isInTransition } from './acting.ts';
import { Arriving } from './arriving.ts';
import { registerScreen, ControllerContext, ScreenContext } from './controller-context.ts';
import { CommitTracker } from './commit-tracker.ts';
import { OwnController, type OwnOptions } from './own-controller.ts';
import { SuspenseRetry } from './suspense-retry.tsx';
import { WhenReady } from './when-ready.ts';

/** The corner for a button of developer tools. Ignored. */
export type DevToolsPosition = 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right';

/** The props of `DataProvider`. */
export interface DataProviderProps extends OwnOptions {
  readonly children?: ReactNode;
  /** The controller to provide. You dispose of it. Default: a controller that lives as long as the provider. */
  readonly controller?: Controller | undefined;
  /** Fills the controller before a component reads from it. Called once. */
  readonly initialState?: ((controller: Controller) => void) | undefined;
  /**
   * Whether content stays on the screen while invalidated data is fetched again. Default: the Suspense fallback is shown. A
   * provider inside another one of the same controller has the value of the outer one.
   */
  readonly keepsScreen?: boolean | undefined;
  /** Makes the first render in a browser equal to that of the server. */
  readonly rendering?: Rendering | undefined;
  /** Accepted so that applications of other libraries compile. There is no button. */
  readonly devButton?: DevToolsPosition | null | undefined;
}

/** Provides a controller to the hooks of all components below. */
export function DataProvider(props: DataProviderProps): ReactNode {
  const { controller: given, initialState, keepsScreen: isKept = false, rendering, children } = props;
  const [own, setOwn] = useState(() => new OwnController(props));
  useEffect(() => (given ? undefined : own.keep(() => setOwn(own.renewed()))), [own, given]);
  const controller = given ?? own.controller;
  useFilled(controller, initialState);
  const { store } = controller;
  const outer = useContext(ScreenContext);
  const screen = useMemo(
    () => new Screen(store, { later: startTransition, isKept, rendering, isHeldBack: isActing, isInTransition }, outer),
    [store, isKept, rendering, outer],
  );
  registerScreen(screen);
  // Content from the server is on the page already.
  const shown = rendering === undefined ? <WhenReady controller={controller}>{children}</WhenReady> : children;
  return (
    <ControllerContext.Provider value={controller}>
      {/* Components below several providers of one store show one state of it. */}
      <ScreenContext.Provider value={outer?.of(store) ?? screen}>
        {/* First, so that its effects come before those of the readers. */}
        <CommitTracker screen={screen} />
        {/* Without this boundary, React would drop a controller whose first component suspends, and each new controller would fetch again. */}
        <SuspenseRetry screen={screen}>
          {given === undefined ? <Suspense fallback={null}>{shown}</Suspense> : shown}
        </SuspenseRetry>
        {/* Last, so that all components have been rendered before it. */}
        <Arriving screen={screen} />
      </ScreenContext.Provider>
    </ControllerContext.Provider>
  );
}

const filled = new WeakMap<Controller, Set<unknown>>();

/** Calls `initialState` once: for a controller, and for a provider, which may get another function in each render. */
function useFilled(controller: Controller, fill: DataProviderProps['initialState']): void {
  const [done] = useState(() => new WeakSet<Controller>());
  if (fill === undefined || done.has(controller)) return;
  done.add(controller);
  const called = memo(filled, controller, () => new Set());
  if (called.has(fill)) return;
  called.add(fill);
  fill(controller);
}

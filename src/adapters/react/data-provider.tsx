import { type ReactNode, Suspense, useEffect, useMemo, useReducer, useState } from 'react';
import type { Controller } from '../../control/controller/controller.ts';
import type { Rendering } from '../../control/view/rendering.ts';
import { Screen } from '../../control/view/screen.ts';
import { announceCopy, ControllerContext, PlaceContext } from './controller-context.ts';
import { OwnController, type OwnOptions } from './own-controller.ts';
import { fillOnce } from './requests-of.ts';
import { following, NONE } from './use-answer.ts';
import { useFixup } from './use-fixup.ts';

export interface DataProviderProps extends OwnOptions {
  readonly children?: ReactNode;
  /** The controller to provide. It is yours to dispose of. Default: one of its own, for as long as this is mounted. */
  readonly controller?: Controller | undefined;
  /** Fills the controller before anybody reads of it. Called once. */
  readonly initialState?: ((controller: Controller) => void) | undefined;
  /** Whether a screen stays while what was invalidated is fetched again. Default: its fallback shows. */
  readonly keepsScreen?: boolean | undefined;
  /** What the first render in a browser has to say, because the server did. */
  readonly rendering?: Rendering | undefined;
  /** Taken from applications that come from elsewhere; there is no button. */
  readonly devButton?: string | null | undefined;
}

/** Provides a controller to the hooks below. */
export function DataProvider(props: DataProviderProps): ReactNode {
  const { controller: given, initialState, keepsScreen: isKept = false, rendering, children } = props;
  const [own, setOwn] = useState(() => new OwnController(props));
  useEffect(() => (given ? undefined : own.keep(() => setOwn(own.renewed()))), [own, given]);
  useEffect(announceCopy, []);
  const controller = given ?? own.controller;
  fillOnce(controller, initialState);
  const { store } = controller;
  const screen = useMemo(() => new Screen(store), [store]);
  const place = useMemo(() => ({ screen, isKept, rendering }), [screen, isKept, rendering]);
  return (
    <ControllerContext.Provider value={controller}>
      <PlaceContext.Provider value={place}>
        {/* First, so that its effects come before those of the readers. */}
        <Followed screen={screen} />
        {/* What suspends above every boundary would take a controller with it that is not mounted yet, and ask for ever. */}
        {given === undefined ? <Suspense fallback={null}>{children}</Suspense> : children}
      </PlaceContext.Provider>
    </ControllerContext.Provider>
  );
}

/** As a part of the screen, learns which commits are on it. */
function Followed({ screen }: { readonly screen: Screen }): null {
  const [followed, follow] = useReducer(following, NONE);
  useFixup(() => screen.show(followed), [screen, followed]);
  useFixup(() => screen.start(follow), [screen]);
  return null;
}

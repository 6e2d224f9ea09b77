import { type Context, createContext, useContext } from 'react';
import type { Controller } from '../../control/controller/controller.ts';
import type { Rendering } from '../../control/view/rendering.ts';
import type { Screen } from '../../control/view/screen.ts';
import { DataError } from '../../std/data-error.ts';

/** The controller that hooks act on. */
export const ControllerContext: Context<Controller | undefined> = /* #__PURE__ */ named('Controller');

/** What a provider knows of the root that it is in. */
export interface Place {
  readonly screen: Screen;
  /** Whether a screen stays while what was invalidated is fetched again. */
  readonly isKept: boolean;
  readonly rendering: Rendering | undefined;
}

export const PlaceContext: Context<Place | undefined> = /* #__PURE__ */ named('Place');

/** A context with a name for the developer tools. */
function named<Value>(name: string): Context<Value | undefined> {
  const context = createContext<Value | undefined>(undefined);
  context.displayName = `Rejoin.${name}`;
  return context;
}

/** The controller around here. */
export function useController(): Controller {
  const controller = useContext(ControllerContext);
  if (controller === undefined) throw providerMissing();
  return controller;
}

export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (place === undefined) throw providerMissing();
  return place;
}

/** Under this name a page knows which copy of this module its providers are from. */
const COPY = 'rejoin.react';
type Page = Record<string, unknown>;

export function announceCopy(): void {
  (globalThis as Page)[COPY] = ControllerContext;
}

function providerMissing(): DataError {
  const copy = (globalThis as Page)[COPY];
  return copy === undefined || copy === ControllerContext
    ? new DataError(
        'provider-missing',
        'A hook was used outside of a <DataProvider>. Render one around the application.',
      )
    : new DataError(
        'library-twice',
        'The <DataProvider> is from another copy of rejoin. Make the bundler use one copy.',
      );
}

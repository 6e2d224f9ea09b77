import { type Context, createContext, startTransition, useContext } from 'react';
import type { Controller } from '../../control/controller/controller.ts';
import { Screen } from '../../control/screen/screen.ts';
import type { Store } from '../../state/store/store.ts';
import { DataError } from '../../std/data-error.ts';
import { IS_DEVELOPMENT, IS_SERVER } from './environment.ts';

/** The controller that hooks act on. */
export const ControllerContext: Context<Controller | undefined> = /* #__PURE__ */ named('Controller');

export const ScreenContext: Context<Screen | undefined> = /* #__PURE__ */ named('Screen');

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

/** The only screen that there has been on this page; `null` once there were others. */
let only: Screen | null | undefined;

/** Called in render, before a component below looks for it. */
export function announce(screen: Screen): void {
  (globalThis as GlobalNames)[COPY] = ControllerContext;
  if (only !== screen) only = only === undefined && !IS_SERVER ? screen : null;
}

/** No provider uses it any more. */
export function retire(screen: Screen): void {
  if (only === screen) only = null;
}

/** The screen that a component is on. `near` is the controller around it, where that is known. */
export function useScreen(near?: Controller): Screen {
  // Of each component that reads a context, React copies something whenever one of its neighbours changes: with 10,000 rows
  // that doubles the time of a change. In development the context is asked: only it knows which components are outside of a provider.
  if (only && !IS_DEVELOPMENT && (near === undefined || near.store === only.store)) return only;
  // oxlint-disable-next-line react-hooks/rules-of-hooks
  const screen = useContext(ScreenContext);
  // oxlint-disable-next-line react-hooks/rules-of-hooks
  const controller = useContext(ControllerContext);
  if (controller === undefined) throw providerMissing();
  return screen?.store === controller.store ? screen : screenOf(controller);
}

const alone = new WeakMap<Store, Screen>();

/** The screen of a controller that is provided without a provider: it shows each change as soon as it can. */
function screenOf({ store }: Controller): Screen {
  // Another is on this page.
  only = null;
  const known = alone.get(store) ?? new Screen(store, { later: startTransition, isKept: false, rendering: undefined });
  alone.set(store, known);
  return known;
}

/** Under this name a page knows which copy of this module its providers are from. */
const COPY = 'rejoin.react';
type GlobalNames = Record<string, unknown>;

function providerMissing(): DataError {
  const copy = (globalThis as GlobalNames)[COPY];
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

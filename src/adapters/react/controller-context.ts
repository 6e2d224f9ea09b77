import { memo } from '../../std/memo.ts';
import { type Context, createContext, startTransition, useContext } from 'react';
import type { Controller } from '../../control/controller/controller.ts';
import { Screen } from '../../control/screen/screen.ts';
import type { Store } from '../../state/store/store.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { IS_DEVELOPMENT, IS_SERVER } from './environment.ts';

/** The controller that hooks use. */
export const ControllerContext: Context<Controller | undefined> = /* #__PURE__ */ namedContext('Controller');

export const ScreenContext: Context<Screen | undefined> = /* #__PURE__ */ namedContext('Screen');

/** Creates a context with a name that React's developer tools show. */
function namedContext<Value>(name: string): Context<Value | undefined> {
  const context = createContext<Value | undefined>(undefined);
  context.displayName = `Rejoin.${name}`;
  return context;
}

/** Returns the controller of the nearest provider. */
export function useController(): Controller {
  const controller = useContext(ControllerContext);
  if (controller === undefined) throw providerMissing();
  return controller;
}

/** The only screen of this page so far; `null` once there were others. */
let onlyScreen: Screen | null | undefined;

/** Announces a screen. Called in render, before components below look for it. */
export function registerScreen(screen: Screen): void {
  (globalThis as GlobalNames)[COPY] = ControllerContext;
  if (onlyScreen !== screen) onlyScreen = onlyScreen === undefined && !IS_SERVER ? screen : null;
}

/** Call it when no provider uses a screen any more. */
export function removeScreen(screen: Screen): void {
  if (onlyScreen === screen) onlyScreen = null;
}

/** Returns the screen of a component. */
export function useScreen(): Screen {
  // For each component that reads a context, React copies its list of contexts whenever a sibling changes: with 10,000 rows
  // that doubles the time of a change. Development reads the context, because only it shows which components are outside of a provider.
  if (onlyScreen && !IS_DEVELOPMENT && nearest()?.store === onlyScreen.store) return onlyScreen;
  // oxlint-disable-next-line react-hooks/rules-of-hooks
  const screen = useContext(ScreenContext);
  // oxlint-disable-next-line react-hooks/rules-of-hooks
  const controller = useContext(ControllerContext);
  if (controller === undefined) throw providerMissing();
  return screen?.store === controller.store ? screen : screenOf(controller);
}

/**
 * Returns the controller of the component that React is rendering. The component does not read the context: only React's internals show the value. In a version
 * with other names this returns `undefined`, and every component reads the context.
 */
function nearest(): Controller | undefined {
  const { _currentValue: controller } = ControllerContext as { readonly _currentValue?: Controller | undefined };
  return controller;
}

const screensWithoutProvider = new WeakMap<Store, Screen>();

/** Returns the screen of a controller without a `DataProvider`: it shows each change at once. */
function screenOf({ store }: Controller): Screen {
  // The page has another screen.
  onlyScreen = null;
  return memo(
    screensWithoutProvider,
    store,
    () => new Screen(store, { later: startTransition, isKept: false, rendering: undefined }),
  );
}

/** The name of the global by which two copies of this module on one page find each other. */
const COPY = 'rejoin.react';
type GlobalNames = Record<string, unknown>;

function providerMissing(): DataError {
  const copy = (globalThis as GlobalNames)[COPY];
  return copy === undefined || copy === ControllerContext
    ? new DataError('provider-missing', 'A hook was used outside of a <DataProvider>.', {
        cure: inDevelopment(() => 'Render one around the application.'),
      })
    : new DataError('library-twice', 'The <DataProvider> is from another copy of rejoin.', {
        cure: inDevelopment(() => 'Make the bundler use one copy.'),
      });
}

import type { Controller } from '../../control/controller/controller.ts';
import { hydrate } from '../../state/hydrate/hydrate.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { DEFAULT_ID, withLaterTimes, type WholeState } from './page-part.ts';
import { fromScriptJson } from './script-json.ts';

/** Returns the state of the page, for the prop `initialState` of the provider. */
export function getInitialData(id: string = DEFAULT_ID): (controller: Controller) => void {
  const data = dataOf(id);
  if (data === undefined)
    throw new DataError('state-invalid', `The page has no state with the id ${id}.`, {
      cure: inDevelopment(() => 'Pass the id that the server has used.'),
    });
  const { now, state } = data;
  return (controller) => hydrate(controller.store, withLaterTimes(state, controller.now() - now));
}

/** As `getInitialData`, but waits until the page contains the state. */
export async function awaitInitialData(id: string = DEFAULT_ID): Promise<(controller: Controller) => void> {
  if (typeof document === 'undefined')
    throw new DataError('browser-only', 'awaitInitialData() was called outside of a browser page.', {
      cure: inDevelopment(() => 'Call it in the file that only the browser starts with.'),
    });
  // The script may be further down in the page, so it is looked up again when the page has been parsed.
  if (document.readyState === 'loading')
    await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
  return getInitialData(id);
}

function dataOf(id: string): WholeState | undefined {
  const scripts = [...document.querySelectorAll('script[data-rejoin-state]')];
  const script = scripts.find((element) => element.getAttribute('data-rejoin-state') === id);
  return script && (fromScriptJson(script.textContent ?? '') as WholeState);
}

import { useEffect, useReducer } from 'react';
import { withChange } from '../../control/screen/arrivals.ts';
import type { Screen } from '../../control/screen/screen.ts';
import { useIsomorphicLayoutEffect } from './environment.ts';

/**
 * The last child of a provider, without output. Tells `screen.arrivals` which changes React has rendered, and which are on the screen, so that
 * the promises of `fetch()` and `set()` resolve when their change is shown.
 */
export function Arriving({ screen }: { readonly screen: Screen }): null {
  const { arrivals, store } = screen;
  const [changes, rerender] = useReducer(withChange, undefined);
  const isAwaited = arrivals.isAwaited;
  void Promise.resolve().then(() => arrivals.noteRendered(changes));
  useIsomorphicLayoutEffect(() => arrivals.start(store, rerender), [arrivals, store]);
  useIsomorphicLayoutEffect(() => {
    if (isAwaited) arrivals.noteShown(changes);
    else arrivals.end(changes);
  });
  // Passive effects run after layout effects: when the promise resolves, the effects of the new content have run too.
  useEffect(() => {
    if (isAwaited) arrivals.end(changes);
  }, [isAwaited && changes]);
  return null;
}

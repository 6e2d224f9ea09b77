import { useEffect, useReducer } from 'react';
import { withChange } from '../../control/screen/arrivals.ts';
import type { Screen } from '../../control/screen/screen.ts';
import { useFixup } from './environment.ts';

/** Rendered last in a screen, it learns which changes are on the screen, and which were rendered and suspend. */
export function Arriving({ screen }: { readonly screen: Screen }): null {
  const { arrivals, store } = screen;
  const [changes, follow] = useReducer(withChange, undefined);
  const isAwaited = arrivals.isAwaited;
  void Promise.resolve().then(() => arrivals.tried(changes));
  useFixup(() => arrivals.start(store, follow), [arrivals, store]);
  useFixup(() => {
    if (isAwaited) arrivals.shown(changes);
    else arrivals.end(changes);
  });
  // Passive effects run after layout effects: when the promise resolves, the effects of the new content have run too.
  useEffect(() => {
    if (isAwaited) arrivals.end(changes);
  }, [isAwaited && changes]);
  return null;
}

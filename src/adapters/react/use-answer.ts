import { startTransition, useDebugValue, useEffect, useReducer, useRef } from 'react';
import type { Answer } from '../../control/view/answer.ts';
import { inspectorOf } from '../../control/screen/inspector.ts';
import type { Rerender, ViewReader } from '../../control/screen/reader.ts';
import { including, NO_ENTRIES } from '../../control/screen/commit-entry.ts';
import { inDevelopment } from '../../std/development.ts';
import { isInTransition } from './acting.ts';
import { useIsomorphicLayoutEffect } from './environment.ts';

/**
 * Returns the answer that a reader shows, consistent with all other readers of the screen: a change made in a transition is shown when
 * the transition is, and a component that mounts late shows the same state as the others.
 */
export function useAnswer<Value>(reader: ViewReader<Value>): Answer<Value> {
  // The commits that this component has rendered, or renders now. They are React state, so that React decides when a transition shows them.
  const [included, rerender] = useReducer(including, NO_ENTRIES);
  // Development builds of React warn of more than ten components that one `startTransition` updates, because the readers of most stores
  // are updated without regard to transitions. Readers here wait for the transition. React does not count what an inner `startTransition` updates.
  const rerenderUncounted: Rerender =
    inDevelopment(() => (entry) => (isInTransition() ? startTransition(() => rerender(entry)) : rerender(entry))) ??
    rerender;
  const { rendering } = reader.screen.options;
  // A provider has `rendering` either always or never, so the hooks are the same in each render.
  const answer = rendering?.useFirst(reader.view, included, reader.isWaiting) ?? reader.read(included);
  const inspector = inspectorOf(reader.screen.store);
  inspector?.noteRender(reader);
  const hadContent = useRef(false);
  useIsomorphicLayoutEffect(() => {
    reader.settle(answer, included, rerenderUncounted, hadContent.current);
    hadContent.current = 'value' in answer;
    inspector?.noteShown(reader, answer);
  });
  useEffect(() => reader.listen(), [reader]);
  useDebugValue(answer);
  return answer;
}

import { startTransition, useDebugValue, useEffect, useMemo, useReducer } from 'react';
import type { Answer, LiveView } from '../../control/view/answer.ts';
import type { Entry } from '../../control/view/moment.ts';
import { Reader } from '../../control/view/reader.ts';
import { usePlace } from './controller-context.ts';
import { useFirst } from './use-first.ts';
import { useFixup } from './use-fixup.ts';

export const NONE: readonly Entry[] = [];

/** The commits that are followed, one more with each call; those on the screen need not be remembered. */
export function following(followed: readonly Entry[], entry: Entry | undefined): readonly Entry[] {
  const pending = followed.filter(({ isOnScreen }) => !isOnScreen);
  return entry === undefined ? pending : [...pending, entry];
}

/**
 * What a view says, in step with everything else on the screen: what changes in a transition is shown with it, and what
 * comes into being late shows what the others show. `isWaiting` says that the caller suspends where there is nothing.
 */
export function useAnswer<Value>(view: LiveView<Value>, isWaiting = false): Answer<Value> {
  const { screen, isKept, rendering } = usePlace();
  // A provider always has one or never: the hooks are the same in each render.
  const first = rendering && useFirst(rendering);
  const [followed, follow] = useReducer(following, NONE);
  const reader = useMemo(
    () =>
      new Reader(view, screen, (entry, answer) => {
        // Nobody asked for a screen to go because something caught up with it.
        const isGoing = isWaiting && answer.status === 'missing' && (entry === undefined || isKept);
        if (isGoing) startTransition(() => follow(entry));
        else follow(entry);
      }),
    [view, screen, isWaiting, isKept],
  );
  const answer = useMemo(
    () => first?.(view) ?? reader.read(followed),
    // The first answer is for the first render.
    [reader, followed],
  );
  useFixup(() => reader.settle(answer, followed));
  useEffect(
    () => reader.listen(answer, followed),
    // It is about the reader; the rest is as of its first frame.
    [reader],
  );
  useDebugValue(answer);
  return answer;
}

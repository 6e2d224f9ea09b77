import { type Dispatch, useDebugValue, useEffect, useReducer } from 'react';
import type { Answer } from '../../control/view/answer.ts';
import type { Entry } from '../../control/view/moment.ts';
import type { Reader } from '../../control/view/reader.ts';
import { useFixup } from './surroundings.ts';

/** The commits that are followed, and what has one more followed. */
export function useFollowed(): [followed: readonly Entry[], follow: Dispatch<Entry | undefined>] {
  return useReducer(following, NONE);
}

const NONE: readonly Entry[] = [];

/** Those on the screen need not be remembered. */
function following(followed: readonly Entry[], entry: Entry | undefined): readonly Entry[] {
  const pending = followed.filter(({ isOnScreen }) => !isOnScreen);
  return entry === undefined ? pending : [...pending, entry];
}

/**
 * What a reader shows, in step with everything else on the screen: what changes in a transition is shown with it, and what
 * comes into being late shows what the others show.
 */
export function useAnswer<Value>(reader: Reader<Value>): Answer<Value> {
  const [followed, follow] = useFollowed();
  const { rendering } = reader.screen.options;
  // A provider always has one or never: the hooks are the same in each render.
  const answer = rendering?.useFirst(reader.view, followed) ?? reader.read(followed);
  const arrival = [reader];
  // They are about its arrival; the rest is as of its first frame.
  useFixup(() => reader.settle(answer, followed, follow), arrival);
  useEffect(() => reader.listen(answer, followed, follow), arrival);
  useDebugValue(answer);
  return answer;
}

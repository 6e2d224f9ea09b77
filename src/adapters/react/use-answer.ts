import { useDebugValue, useEffect, useReducer } from 'react';
import type { Answer } from '../../control/view/answer.ts';
import type { Entry } from '../../control/screen/moment.ts';
import type { ViewReader } from '../../control/screen/reader.ts';
import { following } from '../../control/screen/screen.ts';
import { useFixup } from './environment.ts';

const NONE: readonly Entry[] = [];

/**
 * What a reader shows, in step with everything else on the screen: what changes in a transition is shown with it, and what
 * comes into being late shows what the others show.
 */
export function useAnswer<Value>(reader: ViewReader<Value>): Answer<Value> {
  const [followed, follow] = useReducer(following, NONE);
  const { rendering } = reader.screen.options;
  // A provider always has one or never: the hooks are the same in each render.
  const answer = rendering?.useFirst(reader.view, followed) ?? reader.read(followed);
  useFixup(() => reader.settle(answer, followed, follow));
  useEffect(() => reader.listen(), [reader]);
  useDebugValue(answer);
  return answer;
}

import { useId, useSyncExternalStore } from 'react';
import type { Answer, LiveView } from '../../control/view/answer.ts';
import type { Rendering } from '../../control/view/rendering.ts';

/** What a reader says on a server, and at first in a browser, where more may be known by then than what was sent. */
export function useFirst(rendering: Rendering): <Value>(view: LiveView<Value>) => Answer<Value> | undefined {
  const id = useId();
  const isFirst = useSyncExternalStore(never, isHere, isSent);
  return (view) => (isFirst ? rendering.first(id, view) : undefined);
}

const never = (): (() => void) => () => {};
const isHere = (): boolean => false;
const isSent = (): boolean => true;

import { useId, useMemo, useSyncExternalStore } from 'react';
import type { Answer, LiveView } from '../../control/view/answer.ts';
import type { Rendering } from '../../control/screen/rendering.ts';

/** Identifies each reader of a page by its id. */
export abstract class PageRendering implements Rendering {
  /** The answer that the reader with this id shows in its first render, in place of the answer of the view. `isWaiting`: whether it suspends. */
  abstract first<Value>(id: string, view: LiveView<Value>, isWaiting: boolean): Answer<Value>;

  readonly useFirst: Rendering['useFirst'] = (view, followed, isWaiting) => {
    const id = useId();
    const isFirst = useSyncExternalStore(never, isHere, isSent);
    return useMemo(() => (isFirst ? this.first(id, view, isWaiting) : undefined), [view, followed]);
  };
}

const never = (): (() => void) => () => {};
const isHere = (): boolean => false;
const isSent = (): boolean => true;

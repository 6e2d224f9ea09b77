import { useId, useMemo, useState, useSyncExternalStore } from 'react';
import type { Answer, LiveView } from '../../control/view/answer.ts';
import type { Rendering } from '../../control/screen/rendering.ts';
import { useIsomorphicLayoutEffect } from '../react/environment.ts';

/** Identifies each reader of a page by its id. */
export abstract class PageRendering implements Rendering {
  /** The answer that the reader with this id shows in its first render, in place of the answer of the view. `isWaiting`: whether it suspends. */
  abstract first<Value>(id: string, view: LiveView<Value>, isWaiting: boolean): Answer<Value>;

  readonly useFirst: Rendering['useFirst'] = (view, included, isWaiting) => {
    const id = useId();
    const [sent] = useState(sentComponent);
    const isFirst = useSyncExternalStore(never, sent.isSent, sent.noteSent) && !sent.isHydrated();
    const answer = useMemo(() => (isFirst ? this.first(id, view, isWaiting) : undefined), [isFirst, view, included]);
    useIsomorphicLayoutEffect(sent.noteHydrated);
    return answer;
  };
}

/** Whether a component came with the page. React asks for the state of the server only when it hydrates, or renders on a server. */
interface SentComponent {
  readonly isSent: () => boolean;
  readonly noteSent: () => boolean;
  readonly isHydrated: () => boolean;
  readonly noteHydrated: () => void;
}

/**
 * The answers of `isSent` and `noteSent` are the same for one component. If they differed, React would render each component again after it is hydrated,
 * and React 18 would replace boundaries below it that are not hydrated yet.
 */
function sentComponent(): SentComponent {
  let isSent = false;
  let isHydrated = false;
  return {
    isSent: () => isSent,
    noteSent: () => (isSent = true),
    isHydrated: () => isHydrated,
    noteHydrated: () => void (isHydrated = true),
  };
}

const never = (): (() => void) => () => {};

import type { Answer, LiveView } from '../view/answer.ts';

/** Makes the first render in a browser show what the server rendered, even if newer data is stored by then. */
export interface Rendering {
  /** A hook that returns the answer of the first render; `undefined` to read the view. `isWaiting`: whether the reader suspends. */
  readonly useFirst: <Value>(view: LiveView<Value>, included: unknown, isWaiting: boolean) => Answer<Value> | undefined;
}

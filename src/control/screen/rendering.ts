import type { Answer, LiveView } from '../view/answer.ts';

/** Makes the first render in a browser say what the server said, also where more is known by then. */
export interface Rendering {
  /** A hook: what a reader shows at first, until it has something to follow; `undefined` where it asks the view. */
  readonly useFirst: <Value>(view: LiveView<Value>, followed: unknown) => Answer<Value> | undefined;
}

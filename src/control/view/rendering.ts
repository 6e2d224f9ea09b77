import type { Answer, LiveView } from './answer.ts';

/** Makes the first render in a browser say what the server said, also where more is known by then. */
export interface Rendering {
  /** What the reader with this id shows first; called where it would otherwise ask the view. */
  first<Value>(id: string, view: LiveView<Value>): Answer<Value>;
}

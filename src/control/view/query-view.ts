import type { Queryable } from '../../define/schema/infer-schema.ts';
import type { Store } from '../../state/store/store.ts';
import { type Answer, answerOf, type LiveView, MISSING, nextAnswer } from './answer.ts';

/** Returns the live value of a queryable. It has no request of its own, so it is never stale. */
export function queryView<Value = unknown>(
  store: Store,
  queryable: Queryable,
  args: readonly unknown[],
): LiveView<Value> {
  let last: Answer<Value> = MISSING;
  const { current, subscribe } = store.query(queryable, args);
  const read = (): Answer<Value> => answerOf(current());
  return {
    current: () => (last = nextAnswer(last, read)),
    subscribe,
    at: (earlier) => answerOf(earlier.get(queryable, args)),
  };
}

import type { Queryable } from '../../define/schema/infer-schema.ts';
import type { Readable, Store } from '../../state/store/store.ts';
import { type Answer, answerOf, type LiveView, MISSING, nextAnswer } from './answer.ts';

/** The live value of a queryable. It has no request of its own, so it is never stale. */
export function queryView<Value = unknown>(
  store: Store,
  queryable: Queryable,
  args: readonly unknown[],
): LiveView<Value> {
  let last: Answer<Value> = MISSING;
  let observers = 0;
  // An observed view keeps its cell. Otherwise the cell may be collected at any time, so it is looked up at each read.
  let readable: Readable | undefined;
  const read = (): Answer<Value> =>
    answerOf(readable === undefined ? store.get(queryable, ...args) : readable.current());
  return {
    current: () => (last = nextAnswer(last, read)),
    subscribe: (onChange) => {
      readable ??= store.query(queryable, args);
      observers++;
      const stop = readable.subscribe(onChange);
      return () => {
        if (--observers === 0) readable = undefined;
        stop();
      };
    },
    at: (earlier) => answerOf(earlier.get(queryable, args)),
  };
}

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
  let known: Readable | undefined;
  // The first read throws if the arguments cannot be encoded.
  const readable = (): Readable => (known ??= store.query(queryable, args));
  const read = (): Answer<Value> => answerOf(readable().current());
  return {
    current: () => (last = nextAnswer(last, read)),
    subscribe: (onChange) => readable().subscribe(onChange),
    at: (earlier) => answerOf(earlier.get(queryable, args)),
  };
}

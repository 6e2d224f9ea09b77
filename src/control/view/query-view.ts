import type { Queryable } from '../../define/schema/infer.ts';
import { INVALID } from '../../define/schema/schema.ts';
import type { Readable, Store } from '../../state/store/store.ts';
import { type Answer, type LiveView, nextAnswer, MISSING } from './answer.ts';

/** What a queryable reads, live. It has no request of its own, so it is never stale. */
export function queryView<Value>(store: Store, queryable: Queryable, args: readonly unknown[]): LiveView<Value> {
  let last: Answer<Value> = MISSING;
  let observers = 0;
  // What is observed keeps its cell; otherwise it may be collected at any time, and is found anew.
  let held: Readable | undefined;
  const read = (): Answer<Value> => answerOf(held === undefined ? store.get(queryable, ...args) : held.current());
  return {
    current: () => (last = nextAnswer(last, read)),
    subscribe: (onChange) => {
      held ??= store.query(queryable, args);
      observers++;
      const stop = held.subscribe(onChange);
      return () => {
        if (--observers === 0) held = undefined;
        stop();
      };
    },
    at: (moment) => answerOf(moment.get(queryable, args)),
  };
}

function answerOf<Value>(value: unknown): Answer<Value> {
  return value === undefined || value === INVALID ? MISSING : { status: 'fresh', value: value as Value };
}

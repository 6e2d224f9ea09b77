import type { Queryable } from '../../define/schema/infer.ts';
import { INVALID } from '../../define/schema/schema.ts';
import type { Store } from '../../state/store/store.ts';
import { type Answer, type LiveView, nextAnswer, MISSING } from './answer.ts';

/** What a queryable reads, live. It has no request of its own, so it is never stale. */
export function queryView<Value>(store: Store, queryable: Queryable, args: readonly unknown[]): LiveView<Value> {
  let last: Answer<Value> = MISSING;
  const read = (): Answer<Value> => answerOf(store.query(queryable, args).current());
  return {
    current: () => (last = nextAnswer(last, read)),
    subscribe: (onChange) => store.query(queryable, args).subscribe(onChange),
    at: (moment) => answerOf(moment.get(queryable, args)),
  };
}

function answerOf<Value>(value: unknown): Answer<Value> {
  return value === undefined || value === INVALID ? MISSING : { status: 'fresh', value: value as Value };
}

import type { Queryable } from '../../define/schema/infer-schema.ts';
import type { Readable, Store } from '../../state/store/store.ts';
import { type Answer, answerOf, type LiveView, MISSING, nextAnswer } from './answer.ts';
import type { Moment } from './moment.ts';

/** What a queryable reads, live. It has no request of its own, so it is never stale. */
export class QueryView<Value = unknown> implements LiveView<Value> {
  readonly #store: Store;
  readonly #queryable: Queryable;
  readonly #args: readonly unknown[];
  #last: Answer<Value> = MISSING;
  #observers = 0;
  /** What is observed keeps its cell; otherwise it may be collected at any time, and is found anew. */
  #held: Readable | undefined;

  constructor(store: Store, queryable: Queryable, args: readonly unknown[]) {
    this.#store = store;
    this.#queryable = queryable;
    this.#args = args;
  }

  current(): Answer<Value> {
    return (this.#last = nextAnswer(this.#last, () => this.#read()));
  }

  #read(): Answer<Value> {
    return answerOf(this.#held === undefined ? this.#store.get(this.#queryable, ...this.#args) : this.#held.current());
  }

  subscribe(onChange: () => void): () => void {
    this.#held ??= this.#store.query(this.#queryable, this.#args);
    this.#observers++;
    const stop = this.#held.subscribe(onChange);
    return () => {
      if (--this.#observers === 0) this.#held = undefined;
      stop();
    };
  }

  at(moment: Moment): Answer<Value> {
    return answerOf(moment.get(this.#queryable, this.#args));
  }
}

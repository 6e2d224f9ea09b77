import type { Store } from '../../state/store/store.ts';
import type { RequestInFlight } from './request-in-flight.ts';
import { nameNow } from './mutated-record.ts';

/** A mutation and its place in a queue. */
interface QueuedMutation {
  readonly request: RequestInFlight;
  /** Kept when it and those before it are over. */
  readonly over: Promise<unknown>;
  /** Its place among all. */
  readonly place: number;
}

/** The queues of mutations that wait for each other, as `serial` of their endpoints says. */
export class MutationQueues {
  readonly #store: Store;
  /** The last mutation of each queue. */
  readonly #last = new Map<string, QueuedMutation>();
  /** The same for records that were still being created when they were changed: their queues have other names since. */
  readonly #unnamed = new Map<string, QueuedMutation>();
  #count = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Puts a mutation at the end of its queue. Resolves when the one before it is over; `undefined` where none is. */
  take(request: RequestInFlight): Promise<unknown> | undefined {
    const queue = this.#queueOf(request);
    if (queue === undefined) return undefined;
    const before = this.#lastOf(queue)?.over;
    const { pk } = request.mutation?.subject ?? {};
    const queues = pk !== undefined && this.#store.writer.core.temporaryPks.isOwn(pk) ? this.#unnamed : this.#last;
    // One that is ended while it waits does not let the next one pass those before it.
    const over = Promise.allSettled([before, request.promise]);
    const queued: QueuedMutation = { request, over, place: ++this.#count };
    queues.set(queue, queued);
    void over.then(() => queues.get(queue) === queued && queues.delete(queue));
    return before;
  }

  #lastOf(queue: string): QueuedMutation | undefined {
    let last = this.#last.get(queue);
    for (const queued of this.#unnamed.values())
      if (queued.place > (last?.place ?? 0) && this.#queueOf(queued.request) === queue) last = queued;
    return last;
  }

  /** The name of its queue: a record that was still being created when it was asked for has another pk now. */
  #queueOf({ asked: { endpoint, args, key }, mutation }: RequestInFlight): string | undefined {
    const { serial } = endpoint;
    if (typeof serial === 'function') return serial(...args);
    if (serial !== true) return undefined;
    const { entity, pk } = mutation?.subject ?? {};
    return entity === undefined || pk === undefined ? key : nameNow(this.#store, entity.key, pk);
  }
}

import type { Store } from '../../state/store/store.ts';
import type { RequestInFlight } from './request-in-flight.ts';
import { nameNow } from './mutated-record.ts';

/** A mutation in a queue. */
interface QueuedMutation {
  readonly request: RequestInFlight;
  /** Resolves when this mutation and all before it in the queue are over. */
  readonly ended: Promise<unknown>;
  /** Its number among the mutations of all queues. */
  readonly number: number;
  /** The name of the queue. It changes with the pk of the record. */
  name: string;
}

/** Queues of mutations that are sent one after the other. The option `serial` of an endpoint says which queue. */
export class MutationQueues {
  readonly #store: Store;
  /** The last mutation of each queue. */
  readonly #last = new Map<string, QueuedMutation>();
  /** The last mutations of records that were still being created. The name of such a queue changes when the record gets its pk. */
  readonly #unnamed = new Map<string, QueuedMutation>();
  #count = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds a mutation to its queue. Returns a promise that resolves when those before it are over; `undefined` if there are none. */
  take(request: RequestInFlight): Promise<unknown> | undefined {
    const queue = this.#queueOf(request);
    if (queue === undefined) return undefined;
    const before = this.#lastOf(queue)?.ended;
    const { pk } = request.mutation?.mutatedRecord ?? {};
    const queues = pk !== undefined && this.#store.writer.core.temporaryPks.isOwn(pk) ? this.#unnamed : this.#last;
    // If a waiting mutation is aborted, the next one still waits for those before it.
    const ended = Promise.allSettled([before, request.promise]);
    const queued: QueuedMutation = { request, ended, number: ++this.#count, name: queue };
    queues.set(queue, queued);
    void ended.then(() => queues.get(queued.name) === queued && queues.delete(queued.name));
    return before;
  }

  /** Call it when an edit has changed the pk of a record: the queues of records have the names of the records. */
  changePk(from: string, to: string): void {
    const last = this.#last.get(from);
    if (last === undefined) return;
    this.#last.delete(from);
    this.#last.set(to, last);
    last.name = to;
  }

  #lastOf(queue: string): QueuedMutation | undefined {
    let last = this.#last.get(queue);
    for (const queued of this.#unnamed.values())
      if (queued.number > (last?.number ?? 0) && this.#queueOf(queued.request) === queue) last = queued;
    return last;
  }

  /** Returns the name of the queue now: a record that was being created when the mutation was issued may have its real pk by now. */
  #queueOf({ call: { endpoint, args, key }, mutation }: RequestInFlight): string | undefined {
    const { serial } = endpoint;
    if (typeof serial === 'function') return serial(...args);
    if (serial !== true) return undefined;
    const { entity, pk } = mutation?.mutatedRecord ?? {};
    return entity === undefined || pk === undefined ? key : nameNow(this.#store, entity.key, pk);
  }
}

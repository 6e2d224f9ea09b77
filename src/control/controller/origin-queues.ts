import { reasonOf, throwIfAborted } from '../../std/cancelling.ts';
import { memo } from '../../std/memo.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';

/** The waiting requests, each by the function that lets it start. */
type Waiters = Set<() => void>;

interface OriginQueue {
  running: number;
  readonly urgent: Waiters;
  readonly others: Waiters;
}

/** Limits how many requests to one origin run at a time. The others wait in a queue, the urgent ones first. */
export class OriginQueues {
  readonly #limit: number;
  readonly #queues = new Map<string, OriginQueue>();

  constructor(limit: number) {
    if (!(limit >= 1)) throw concurrencyInvalid(limit);
    this.#limit = limit;
  }

  /** Waits until a request may start; the signal ends the wait. Returns a function that lets the next one start. Its second call does nothing. */
  async enter(origin: string, isUrgent: boolean, signal: AbortSignal): Promise<() => void> {
    const queue = memo(this.#queues, origin, (): OriginQueue => ({ running: 0, urgent: new Set(), others: new Set() }));
    if (queue.running < this.#limit) queue.running++;
    else await wait(isUrgent ? queue.urgent : queue.others, signal);
    let isRunning = true;
    return () => {
      if (isRunning) this.#leave(origin, queue);
      isRunning = false;
    };
  }

  #leave(origin: string, queue: OriginQueue): void {
    const waiting = queue.urgent.size > 0 ? queue.urgent : queue.others;
    const [enter] = waiting;
    // The next request starts.
    if (enter !== undefined && waiting.delete(enter)) enter();
    else if (--queue.running === 0) this.#queues.delete(origin);
  }
}

function wait(waiting: Waiters, signal: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  return new Promise((resolve, reject) => {
    waiting.add(resolve);
    // Does nothing once the request has started.
    signal.addEventListener('abort', () => {
      waiting.delete(resolve);
      reject(reasonOf(signal));
    });
  });
}

function concurrencyInvalid(limit: number): DataError {
  return new DataError('concurrency-invalid', `The concurrency of a NetworkManager is ${limit}.`, {
    cure: inDevelopment(() => 'Give a number from 1 on, or Infinity for no limit.'),
  });
}

import { memo } from '../../std/memo.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';

/** The waiting requests, each by the function that lets it start. */
type Waiters = Set<() => void>;

interface OriginQueue {
  inside: number;
  readonly urgent: Waiters;
  readonly others: Waiters;
}

/** Limits how many requests to one origin run at a time. The others wait in a queue, the urgent ones first. */
export class OriginQueues {
  readonly #most: number;
  readonly #lines = new Map<string, OriginQueue>();

  constructor(most: number) {
    if (!(most >= 1)) throw concurrencyInvalid(most);
    this.#most = most;
  }

  /** Waits until a request may start; the signal ends the wait. Returns a function that lets the next one start. Its second call does nothing. */
  async enter(origin: string, isUrgent: boolean, signal: AbortSignal): Promise<() => void> {
    const line = memo(this.#lines, origin, (): OriginQueue => ({ inside: 0, urgent: new Set(), others: new Set() }));
    if (line.inside < this.#most) line.inside++;
    else await wait(isUrgent ? line.urgent : line.others, signal);
    let isInside = true;
    return () => {
      if (isInside) this.#leave(origin, line);
      isInside = false;
    };
  }

  #leave(origin: string, line: OriginQueue): void {
    const waiting = line.urgent.size > 0 ? line.urgent : line.others;
    const [enter] = waiting;
    // The next request starts.
    if (enter !== undefined && waiting.delete(enter)) enter();
    else if (--line.inside === 0) this.#lines.delete(origin);
  }
}

function wait(waiting: Waiters, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    waiting.add(resolve);
    // Does nothing once the request has started.
    signal.addEventListener('abort', () => {
      waiting.delete(resolve);
      reject(signal.reason as Error);
    });
  });
}

function concurrencyInvalid(most: number): DataError {
  return new DataError('concurrency-invalid', `The concurrency of a NetworkManager is ${most}.`, {
    cure: inDevelopment(() => 'Give a number from 1 on, or Infinity for no limit.'),
  });
}

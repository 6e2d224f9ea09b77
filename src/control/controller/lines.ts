import { DataError } from '../../std/data-error.ts';

interface Waiting {
  readonly isUrgent: boolean;
  readonly enter: () => void;
}

interface Line {
  inside: number;
  readonly waiting: Waiting[];
}

/** Lets no more than so many requests to one origin run at a time. The others wait in line, the urgent ones in front. */
export class Lines {
  readonly #most: number;
  readonly #lines = new Map<string, Line>();

  constructor(most: number) {
    if (!(most >= 1)) throw concurrencyInvalid(most);
    this.#most = most;
  }

  /** Waits for a place, unless the signal ends it. Gives what makes room for the next; a second call does nothing. */
  async enter(origin: string, isUrgent: boolean, signal: AbortSignal): Promise<() => void> {
    const line = this.#lines.get(origin) ?? { inside: 0, waiting: [] };
    this.#lines.set(origin, line);
    if (line.inside < this.#most) line.inside++;
    else await wait(line.waiting, isUrgent, signal);
    let isInside = true;
    return () => {
      if (isInside) this.#leave(origin, line);
      isInside = false;
    };
  }

  #leave(origin: string, line: Line): void {
    const { waiting } = line;
    const urgent = waiting.findIndex(({ isUrgent }) => isUrgent);
    const [next] = waiting.splice(Math.max(urgent, 0), 1);
    // Whoever comes next takes the very place that has become free.
    if (next !== undefined) next.enter();
    else if (--line.inside === 0) this.#lines.delete(origin);
  }
}

function wait(line: Waiting[], isUrgent: boolean, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      line.splice(line.indexOf(waiting), 1);
      reject(signal.reason as Error);
    };
    const waiting: Waiting = {
      isUrgent,
      enter: () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      },
    };
    line.push(waiting);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

function concurrencyInvalid(most: number): DataError {
  return new DataError(
    'concurrency-invalid',
    `The concurrency of a NetworkManager is ${most}. Give a number from 1 on, or Infinity for no limit.`,
  );
}

import { fileURLToPath } from 'node:url';
import { createParser } from 'eventsource-parser';
import type { EventSourceMessage } from 'eventsource-parser';
import type { Clock } from './clock.ts';
import { SCHEMA } from './database/database.ts';
import { openPostgres } from './database/postgres.ts';
import { startApi } from './start-api.ts';
import type { Api, StartApiOptions } from './start-api.ts';

const ROWS = 100;
/** Where databases in memory keep snapshots, which make the next start fast. */
export const SNAPSHOTS: string = fileURLToPath(
  new URL('../node_modules/.cache/rejoin-demo/snapshots', import.meta.url),
);

interface Timer {
  at: number;
  readonly every: number | undefined;
  readonly call: () => void;
}

/** A clock that tests advance. */
export class ManualClock implements Clock {
  #now = Date.UTC(2026, 5, 1);
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  /** How many timers are pending. */
  get waiting(): number {
    return this.#timers.size;
  }

  sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#timers.delete(timer);
        resolve();
      };
      const timer: Timer = { at: this.#now + milliseconds, every: undefined, call: end };
      this.#timers.add(timer);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    });
  }

  every(milliseconds: number, call: () => void): () => void {
    const timer: Timer = { at: this.#now + milliseconds, every: milliseconds, call };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  pass(milliseconds: number): void {
    const until = this.#now + milliseconds;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= until).toSorted((left, right) => left.at - right.at)[0];
      if (due === undefined) break;
      this.#now = due.at;
      if (due.every === undefined) this.#timers.delete(due);
      else due.at += due.every;
      due.call();
    }
    this.#now = until;
  }
}

/**
 * The real server on a free port, with a hundred fresh rows: in memory, or in the database at TEST_DATABASE_URL, whose
 * schema rejoin_demo is dropped (then run the files one by one, with --no-file-parallelism).
 */
export async function startTestApi(options: StartApiOptions = {}): Promise<Api> {
  const address = process.env['TEST_DATABASE_URL'];
  if (address !== undefined) {
    const database = await openPostgres(address);
    await database.script(`drop schema ${SCHEMA} cascade`);
    await database.close();
  }
  return startApi({ rows: ROWS, database: address ?? 'memory', snapshots: SNAPSHOTS, ...options });
}

export interface Listening {
  readonly response: Response;
  /** The next event; rejects when the stream has ended. */
  next(): Promise<EventSourceMessage>;
  close(): void;
}

/** Server-sent events, one at a time. */
export async function listen(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Listening> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const found: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void found.push(event) });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return {
    response,
    async next() {
      for (;;) {
        const event = found.shift();
        if (event !== undefined) return event;
        const part = await reader?.read();
        if (part?.value === undefined) throw new Error('The stream has ended.');
        parser.feed(part.value);
      }
    },
    close: () => abort.abort(),
  };
}

import { Controller, type ControllerOptions, type Platform, resource } from '../../src/index.ts';
import { Todo } from '../model.ts';

/** A request that waits for its answer. */
export interface Call {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal: AbortSignal;
  readonly answer: (value: unknown, init?: ResponseInit) => void;
  readonly fail: (error?: Error) => void;
}

/** A network whose answers the test sends, in any order, with a clock that the test sets. */
export class Transport implements Platform {
  readonly calls: Call[] = [];
  readonly timers: { readonly run: () => void; readonly milliseconds: number }[] = [];
  time = 1_000_000;

  fetch(url: string, init: RequestInit): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.calls.push({
        url,
        method: init.method ?? 'GET',
        headers: init.headers as Record<string, string>,
        body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
        signal: init.signal as AbortSignal,
        answer: (value, { headers, ...rest } = {}) => {
          const isEmpty = rest.status === 304 || rest.status === 204;
          resolve(
            new Response(isEmpty ? null : JSON.stringify(value), {
              ...rest,
              headers: { 'Content-Type': 'application/json', ...(headers as Record<string, string>) },
            }),
          );
        },
        fail: (error = new TypeError('Failed to fetch')) => reject(error),
      });
    });
  }

  now(): number {
    return this.time;
  }

  setTimeout(run: () => void, milliseconds: number): unknown {
    const timer = { run, milliseconds };
    this.timers.push(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    const at = this.timers.indexOf(timer as (typeof this.timers)[number]);
    if (at >= 0) this.timers.splice(at, 1);
  }

  random(): number {
    return 0.5;
  }

  /** The oldest waiting request of this method and path. */
  call(what: string): Call {
    const found = this.calls.find(({ method, url }) => `${method} ${url}` === what);
    if (found === undefined) throw new Error(`No ${what} among ${this.sent.join(', ')}.`);
    return found;
  }

  /** As `call`; the request is not waiting any more. */
  take(what: string): Call {
    const call = this.call(what);
    this.calls.splice(this.calls.indexOf(call), 1);
    return call;
  }

  /** The requests that wait for an answer, in order. */
  get sent(): string[] {
    return this.calls.map(({ method, url }) => `${method} ${url}`);
  }
}

/** Lets everything happen that can happen without another answer. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** A controller and a resource of todos over a transport. */
export function todosOver(transport: Transport, options: ControllerOptions = {}) {
  const controller = new Controller({ now: () => transport.time, ...options });
  const todos = resource({ path: '/todos/:id', schema: Todo, platform: transport });
  return { controller, todos };
}

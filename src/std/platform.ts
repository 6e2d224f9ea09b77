/** Everything that the library uses of its environment. Tests pass a simulated one. */
export interface Platform {
  /** As the global `fetch`. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Milliseconds since 1970. */
  now(): number;
  setTimeout(run: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
  /** As `Math.random`. */
  random(): number;
}

/** Headers in any form that `fetch` takes. TypeScript declares this type for browsers only. */
export type HeadersGiven = NonNullable<RequestInit['headers']>;

/** The globals, looked up at each use, so that they can be replaced at any time. */
export const platform: Platform = Object.freeze({
  fetch: (url: string, init: RequestInit) => globalThis.fetch(url, init),
  now: () => Date.now(),
  setTimeout: (run: () => void, milliseconds: number) => globalThis.setTimeout(run, milliseconds),
  clearTimeout: (timer: unknown) => {
    globalThis.clearTimeout(timer as ReturnType<typeof globalThis.setTimeout>);
  },
  random: () => Math.random(),
});

/** The longest delay of `setTimeout`. With a longer one, the callback runs at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** Lets a Node process end while only this timer is left. */
export function allowExit(timer: unknown): void {
  (Object(timer) as { unref?(): void }).unref?.();
}

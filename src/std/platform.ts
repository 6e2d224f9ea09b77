/** What the code needs of the environment that it runs in. Give another one to simulate it. */
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

/** Headers in any form that a fetch takes. TypeScript has a name for them in browsers only. */
export type HeadersGiven = NonNullable<RequestInit['headers']>;

/** The globals. They are looked up when they are used, so that they can be replaced at any time. */
export const platform: Platform = Object.freeze({
  fetch: (url: string, init: RequestInit) => globalThis.fetch(url, init),
  now: () => Date.now(),
  setTimeout: (run: () => void, milliseconds: number) => globalThis.setTimeout(run, milliseconds),
  clearTimeout: (timer: unknown) => {
    globalThis.clearTimeout(timer as ReturnType<typeof globalThis.setTimeout>);
  },
  random: () => Math.random(),
});

/** A timer that is told to wait longer than this does not wait at all. */
export const LONGEST_TIMER: number = 2 ** 31 - 1;

/** The clock of the server. Tests pass another one. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits. Resolves early if `signal` aborts. Never rejects. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Calls a function at an interval. Returns a function that stops it. */
  every(milliseconds: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal.addEventListener('abort', done);
    }),
  every: (milliseconds, call) => {
    const timer = setInterval(call, milliseconds);
    return () => clearInterval(timer);
  },
};

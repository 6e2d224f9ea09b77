/** Time, handed in: the tests have their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits, or gives up as soon as `signal` aborts. Never rejects. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Calls again and again until the returned function is called. */
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

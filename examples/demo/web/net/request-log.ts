/** An HTTP request of this page. */
export interface LoggedRequest {
  readonly id: number;
  readonly method: string;
  readonly path: string;
  /** `undefined` while it is in flight; 0 if there was no answer. */
  readonly status: number | undefined;
  readonly milliseconds: number | undefined;
}

const KEPT = 60;

/** The latest requests of this page, newest first. It wraps `fetch`, so it lists the requests that were really sent. */
export class RequestLog {
  #entries: readonly LoggedRequest[] = [];
  #count = 0;
  readonly #listeners = new Set<() => void>();

  readonly current = (): readonly LoggedRequest[] => this.#entries;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  clear(): void {
    this.#show([]);
  }

  wrap(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input, location.href);
      const id = ++this.#count;
      const startedAt = performance.now();
      const method = init?.method ?? 'GET';
      this.#show([
        { id, method, path: url.pathname + url.search, status: undefined, milliseconds: undefined },
        ...this.#entries.slice(0, KEPT - 1),
      ]);
      const end = (status: number): void => {
        const milliseconds = Math.round(performance.now() - startedAt);
        this.#show(this.#entries.map((entry) => (entry.id === id ? { ...entry, status, milliseconds } : entry)));
      };
      try {
        const response = await send(input, init);
        end(response.status);
        return response;
      } catch (error) {
        end(0);
        throw error;
      }
    };
  }

  #show(entries: readonly LoggedRequest[]): void {
    this.#entries = entries;
    for (const listener of this.#listeners) listener();
  }
}

export interface ConnectionState {
  readonly isOpen: boolean;
  /** How often the connection was opened. */
  readonly times: number;
}

/** The state of a connection, for the page. */
export class Connection {
  #state: ConnectionState = { isOpen: false, times: 0 };
  readonly #listeners = new Set<() => void>();

  readonly current = (): ConnectionState => this.#state;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  opened(): void {
    this.#become({ isOpen: true, times: this.#state.times + 1 });
  }

  closed(): void {
    this.#become({ ...this.#state, isOpen: false });
  }

  #become(state: ConnectionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

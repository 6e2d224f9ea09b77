import { Cell } from './cell.ts';

/** A cell that an application can observe. */
export abstract class ObservedCell extends Cell {
  #observers: Set<() => void> | undefined = undefined;

  override get observers(): ReadonlySet<() => void> | undefined {
    return this.#observers;
  }

  /** Calls `onChange` each time the value may have changed since it was last read. Returns an unsubscribe function. */
  observe(onChange: () => void): () => void {
    // A new function for each call, because the same `onChange` may observe twice.
    const observer = (): void => onChange();
    this.#observers ??= new Set();
    this.#observers.add(observer);
    return () => {
      this.#observers?.delete(observer);
      if (this.#observers?.size === 0) this.#observers = undefined;
    };
  }
}

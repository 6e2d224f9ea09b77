import { Cell } from './cell.ts';

/** A cell that an application can observe. */
export abstract class ObservedCell extends Cell {
  #observers: Set<() => void> | undefined = undefined;

  override get observers(): ReadonlySet<() => void> | undefined {
    return this.#observers;
  }

  /** Calls `onChange` once each time the value may have become another since it was last read. Returns an unsubscribe function. */
  observe(onChange: () => void): () => void {
    // An entry of its own for each call: the same function may observe twice.
    const observer = (): void => onChange();
    this.#observers ??= new Set();
    this.#observers.add(observer);
    return () => {
      this.#observers?.delete(observer);
      if (this.#observers?.size === 0) this.#observers = undefined;
    };
  }
}

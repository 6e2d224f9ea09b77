import { Cell } from './cell.ts';
import { callListener, notifyEach } from '../../std/listeners.ts';

/** A cell that an application can observe. */
export abstract class ObservedCell extends Cell {
  /** Most cells have at most one observer. A set needs much more memory. */
  #observers: (() => void) | Set<() => void> | undefined = undefined;

  override get isObserved(): boolean {
    return this.#observers !== undefined;
  }

  override notify(): void {
    const observers = this.#observers;
    if (observers instanceof Set) notifyEach(observers, undefined);
    else if (observers !== undefined) callListener(observers, undefined);
  }

  /** Calls `onChange` each time the value may have changed since it was last read. Returns an unsubscribe function. */
  observe(onChange: () => void): () => void {
    // A new function for each call, because the same `onChange` may observe twice.
    const observer = (): void => onChange();
    const others = this.#observers;
    if (others === undefined) this.#observers = observer;
    else if (others instanceof Set) others.add(observer);
    else this.#observers = new Set([others, observer]);
    return () => this.#remove(observer);
  }

  #remove(observer: () => void): void {
    const observers = this.#observers;
    if (observers instanceof Set) {
      observers.delete(observer);
      if (observers.size > 0) return;
    } else if (observers !== observer) return;
    this.#observers = undefined;
  }
}

import { notify, type ToNotify } from '../graph/mark.ts';

/** Notifies observers of what has changed in the middle of a read, when that is over: code that renders must not notify. */
export class LaterNotices {
  readonly #afterwards: () => void;
  #waiting: ToNotify | undefined;

  constructor(afterwards: () => void) {
    this.#afterwards = afterwards;
  }

  add(toNotify: ToNotify): void {
    const waiting = this.#waiting ?? this.#begin();
    for (const [cell, known] of toNotify) if (!waiting.has(cell)) waiting.set(cell, known);
  }

  #begin(): ToNotify {
    void this.#end();
    return (this.#waiting = new Map());
  }

  async #end(): Promise<void> {
    await Promise.resolve();
    const waiting = this.#waiting as ToNotify;
    this.#waiting = undefined;
    notify(waiting.keys());
    this.#afterwards();
  }
}

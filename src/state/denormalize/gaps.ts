import { firstIndex } from '../../std/first-index.ts';
import type { Splice } from '../../std/splice.ts';

/** The sorted slots of a list that show nothing. They are needed to find the index of other slots in the value. */
export class Gaps {
  readonly #slots: number[] = [];

  /** Returns whether a slot shows nothing. */
  has(slot: number): boolean {
    return this.#slots[this.#countBefore(slot)] === slot;
  }

  /** Returns the index of a slot in the value, or for a gap, the index it would have. */
  indexOf(slot: number): number {
    return slot - this.#countBefore(slot);
  }

  add(slot: number): void {
    this.#slots.splice(this.#countBefore(slot), 0, slot);
  }

  delete(slot: number): void {
    this.#slots.splice(this.#countBefore(slot), 1);
  }

  /** Updates the gaps after slots were replaced. The new slots are not gaps yet. */
  replace({ at, removed, added }: Splice): void {
    const from = this.#countBefore(at);
    this.#slots.splice(from, this.#countBefore(at + removed) - from);
    if (added === removed) return;
    for (let later = from; later < this.#slots.length; later++)
      this.#slots[later] = (this.#slots[later] as number) + added - removed;
  }

  #countBefore(slot: number): number {
    return firstIndex(this.#slots, (gap) => gap >= slot);
  }
}

/** Shared by all lists without gaps. Never changed. */
export const NO_GAPS: Gaps = new Gaps();

import type { Splice } from '../../std/splice.ts';

/** The slots of a list that show nothing, in order: what tells the place of the others in the value. */
export class Gaps {
  readonly #slots: number[] = [];

  /** Whether a slot shows nothing. */
  has(slot: number): boolean {
    return this.#slots[this.#countBefore(slot)] === slot;
  }

  /** Where a slot is in the value, or would be if it showed anything. */
  placeOf(slot: number): number {
    return slot - this.#countBefore(slot);
  }

  add(slot: number): void {
    const at = this.#countBefore(slot);
    if (at === this.#slots.length) this.#slots.push(slot);
    else this.#slots.splice(at, 0, slot);
  }

  delete(slot: number): void {
    this.#slots.splice(this.#countBefore(slot), 1);
  }

  /** Slots were replaced by others, none of which is a gap so far. */
  replace({ at, removed, added }: Splice): void {
    const from = this.#countBefore(at);
    this.#slots.splice(from, this.#countBefore(at + removed) - from);
    if (added === removed) return;
    for (let later = from; later < this.#slots.length; later++)
      this.#slots[later] = (this.#slots[later] as number) + added - removed;
  }

  #countBefore(slot: number): number {
    let low = 0;
    let high = this.#slots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#slots[middle] as number) < slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Shared by all lists of which every slot shows something. Never written to. */
export const NO_GAPS: Gaps = new Gaps();

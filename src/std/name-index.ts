import { firstIndex } from './first-index.ts';

/** The distance of the first labels. There is room for others between them. */
const ROOM = 2 ** 20;

/** Finds the items of a list by name, in logarithmic time. Each item is in the list once. A changed copy of the list takes the index over. */
export class NameIndex {
  readonly #nameOf: (item: unknown) => unknown;
  /** A number for each name. The numbers rise along the list. */
  readonly #labels = new Map<unknown, number>();
  /** The label that was made last. Beside it there is room for more, because items often arrive one beside the other. */
  #latest = 0;

  private constructor(nameOf: (item: unknown) => unknown) {
    this.#nameOf = nameOf;
  }

  /** Returns `undefined` if an item is in the list twice. */
  static of(list: readonly unknown[], nameOf: (item: unknown) => unknown): NameIndex | undefined {
    return new NameIndex(nameOf).replace(list, [], 0, list.length);
  }

  /** Returns the index of an item, or -1. */
  indexOf(list: readonly unknown[], item: unknown): number {
    const label = this.#labels.get(this.#nameOf(item));
    if (label === undefined) return -1;
    return firstIndex(list, (one) => (this.#labels.get(this.#nameOf(one)) as number) >= label, 0, list.length - 1);
  }

  /** Notes that items are gone from the list, and that it has new ones from an index on. Returns `undefined` if there is no room for their labels. */
  replace(list: readonly unknown[], gone: readonly unknown[], at: number, added: number): this | undefined {
    for (const item of gone) this.#labels.delete(this.#nameOf(item));
    const after = this.#labelAt(list, at + added);
    let before = this.#labelAt(list, at - 1);
    for (let index = at; index < at + added; index++) {
      const name = this.#nameOf(list[index]);
      const label = this.#between(before, after);
      if (this.#labels.has(name) || label === before || label === after) return undefined;
      this.#labels.set(name, label);
      before = this.#latest = label;
    }
    return this;
  }

  #labelAt(list: readonly unknown[], at: number): number | undefined {
    return at < 0 || at >= list.length ? undefined : this.#labels.get(this.#nameOf(list[at]));
  }

  #between(before: number | undefined, after: number | undefined): number {
    if (before === undefined) return after === undefined ? 0 : after - ROOM;
    if (after === undefined) return before + ROOM;
    const room = after - before;
    const isHalved = room >= ROOM || room <= 2;
    if (isHalved || (before !== this.#latest && after !== this.#latest)) return before + room / 2;
    return before === this.#latest ? before + 1 : after - 1;
  }
}

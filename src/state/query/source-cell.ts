import { Cell } from '../graph/cell.ts';
import { parentsOf } from '../graph/edges.ts';

/** What stays the same in a query while its value changes: a record, or a group. */
export interface Item {
  readonly pk: string;
  /** Its place in the order in which the items came. */
  readonly arrival: number;
}

/** An item whose value was `before` and is `after`. Without one of them it was not there, or is not there any more. */
export interface Change {
  readonly item: Item;
  readonly before: unknown;
  readonly after: unknown;
  /** The place of the item when its value was `before`. */
  readonly arrival: number;
}

/** A cell that is told of changes in the sources that it is made of. */
export interface Receiver {
  /**
   * Called when a source has been updated, before this cell is. `changes` has each item at most once; `undefined` means that any item may
   * have changed.
   */
  receive(changes: readonly Change[] | undefined, source: SourceCell): void;
}

/**
 * Holds items for queries. What is made of it is told of each change once, in the order in which they happened, and reads all items
 * where it has no former state to change.
 */
export abstract class SourceCell extends Cell {
  #version = 0;
  /** Called when nothing is made of it any more. */
  readonly #unused: () => void;

  constructor(unused: () => void) {
    super();
    this.#unused = unused;
  }

  /** Every item with its value. To be read while the cell is clean, or about to be. */
  abstract entries(): Iterable<readonly [value: unknown, item: Item]>;

  /** The value of an item that is there. To be read while the cell is clean. */
  abstract read(item: Item): unknown;

  /** The order of items of which nothing else decides. */
  abstract compareItems(one: Item, other: Item): number;

  /** The order of items that are equal in what they are ordered by. */
  compareTies(one: Item, other: Item): number {
    return this.compareItems(one, other);
  }

  protected emit(changes: readonly Change[] | undefined): void {
    if (changes?.length === 0) return;
    // Those who compare values see that it is another: a snapshot takes what has the same value for the same.
    this.value = ++this.#version;
    // Nothing else is made of a source.
    for (const parent of parentsOf(this.parents)) (parent as Cell & Receiver).receive(changes, this);
  }

  override unlinkFrom(parent: Cell): void {
    super.unlinkFrom(parent);
    if (this.parents !== undefined) return;
    this.release();
    this.#unused();
  }
}

/** Changes that were received and not taken in yet. */
export class Inbox {
  #changes: Change[] | undefined = undefined;

  receive(changes: readonly Change[] | undefined): void {
    if (changes === undefined || (this.#changes?.length ?? 0) > MOST_KEPT) this.#changes = undefined;
    else this.#changes?.push(...changes);
  }

  /** The changes since the last time; `undefined` where everything has to be read again. */
  take(): readonly Change[] | undefined {
    const changes = this.#changes;
    this.#changes = [];
    return changes?.some(hasMoved) === true ? undefined : changes && inOne(changes);
  }

  /** Everything has to be read again. */
  forget(): void {
    this.#changes = undefined;
  }
}

/** Of each item one change, from what was known of it to what it is: a value of in between, nothing has any more. */
function inOne(changes: readonly Change[]): readonly Change[] {
  if (changes.length < 2) return changes;
  const all = new Map<Item, Change>();
  for (const change of changes) {
    const { before, arrival } = all.get(change.item) ?? change;
    all.set(change.item, { ...change, before, arrival });
  }
  return Array.from(all.values()).filter(({ before, after }) => before !== after);
}

/** What went and came back stands in another place: it would not be found where it was put. */
function hasMoved({ item, before, arrival }: Change): boolean {
  return before !== undefined && item.arrival !== arrival;
}

/** What is not read for so many changes reads everything again. */
const MOST_KEPT = 1000;

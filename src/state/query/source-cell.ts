import { Cell } from '../graph/cell.ts';
import { parentsOf } from '../graph/edges.ts';

/** The identity of a record or a group in a query, which stays the same while its value changes. */
export interface Item {
  readonly pk: string;
  /** Its place in the order in which the items arrived. */
  readonly arrival: number;
}

/** A change of an item from `before` to `after`. `undefined` stands for an item that was not there, or is not there any more. */
export interface Change {
  readonly item: Item;
  readonly before: unknown;
  readonly after: unknown;
  /** The place of the item when its value was `before`. */
  readonly arrival: number;
}

/** A cell that receives the changes of its sources. */
export interface Receiver {
  /**
   * Called when a source has been updated, before this cell is. `changes` has each item at most once. `undefined` means that any item may
   * have changed.
   */
  receive(changes: readonly Change[] | undefined, source: SourceCell): void;
}

/**
 * Holds items for queries. Each cell that is built from it receives each change once, in the order in which the changes happened. A cell
 * without a former state reads all items.
 */
export abstract class SourceCell extends Cell {
  #version = 0;
  /** Called when nothing is built from this cell any more. */
  readonly #unused: () => void;

  constructor(unused: () => void) {
    super();
    this.#unused = unused;
  }

  /** Returns every item with its value. Call it only while the cell is clean, or during its update. */
  abstract entries(): Iterable<readonly [value: unknown, item: Item]>;

  /** Returns the value of an item. Call it only while the cell is clean. */
  abstract read(item: Item): unknown;

  /** Whether its values are rows. `read` then returns the record of a row, once the cell of `recordOf` is clean. */
  get isOfRows(): boolean {
    return false;
  }

  recordOf(_item: Item): Cell {
    return this;
  }

  /** Compares items of a query without an order. */
  abstract compareItems(one: Item, other: Item): number;

  /** Compares items that are equal in their sort keys. */
  compareTies(one: Item, other: Item): number {
    return this.compareItems(one, other);
  }

  protected emit(changes: readonly Change[] | undefined): void {
    if (changes?.length === 0) return;
    // A new value, because a snapshot takes cells with an equal value for unchanged.
    this.value = ++this.#version;
    // Only receivers are built from a source.
    for (const parent of parentsOf(this.parents)) (parent as Cell & Receiver).receive(changes, this);
  }

  override unlinkFrom(parent: Cell): void {
    super.unlinkFrom(parent);
    if (this.parents !== undefined) return;
    this.release();
    this.#unused();
  }
}

/** Changes that were received and not processed yet. */
export class Inbox {
  #changes: Change[] | undefined = undefined;

  receive(changes: readonly Change[] | undefined): void {
    if (changes === undefined || (this.#changes?.length ?? 0) > MOST_KEPT) this.#changes = undefined;
    else this.#changes?.push(...changes);
  }

  /** Returns the changes since the last call. `undefined` if everything must be read again. */
  take(): readonly Change[] | undefined {
    const changes = this.#changes;
    this.#changes = [];
    return changes?.some(hasMoved) === true ? undefined : changes && inOne(changes);
  }

  /** Discards the changes. The next `take` returns undefined. */
  forget(): void {
    this.#changes = undefined;
  }
}

/** Merges the changes of each item into one, from its first former value to its last value. */
function inOne(changes: readonly Change[]): readonly Change[] {
  if (changes.length < 2) return changes;
  const all = new Map<Item, Change>();
  for (const change of changes) {
    const { before, arrival } = all.get(change.item) ?? change;
    all.set(change.item, { ...change, before, arrival });
  }
  return Array.from(all.values()).filter(({ before, after }) => before !== after);
}

/** Returns whether an item was removed and added again. It then has another place, so its old entry would not be found. */
function hasMoved({ item, before, arrival }: Change): boolean {
  return before !== undefined && item.arrival !== arrival;
}

/** A cell that falls behind by more changes than this reads everything again. */
const MOST_KEPT = 1000;

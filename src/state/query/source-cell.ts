import { Cell, type Failed, NO_PARTS, type Parts } from '../graph/cell.ts';
import { parentsOf } from '../graph/edges.ts';

/** The identity of a record or a group in a query, which stays the same while its value changes. */
export interface Item {
  readonly pk: string;
  /** Its place in the order in which the items arrived. */
  readonly arrival: number;
}

/** An item that has its present value itself. */
export interface ValuedItem extends Item {
  value: unknown;
}

/** A change of an item from `before` to `after`. `undefined`: the item did not exist before, or does not exist any more. */
export interface Change {
  readonly item: Item;
  readonly before: unknown;
  readonly after: unknown;
  /** The place of the item when its value was `before`. */
  readonly arrival: number;
}

/** Returns whether the value of an item passes the conditions. An item without a value never does. */
export type Passes = (value: unknown, item: Item) => boolean;

/** Merges the changes of each item into one, from its first former value to its last value. */
export function mergedByItem(changes: readonly Change[]): readonly Change[] {
  const all = new Map<Item, Change>();
  for (const change of changes) {
    const { before, arrival } = all.get(change.item) ?? change;
    all.set(change.item, { ...change, before, arrival });
  }
  return Array.from(all.values());
}

/** Returns whether an item was removed and added again. It then has another place, so its old entry would not be found. */
function hasMoved({ item, before, arrival }: Change): boolean {
  return before !== undefined && item.arrival !== arrival;
}

/** A cell that receives the changes of a source. */
export abstract class ReceiverCell extends Cell {
  /** Whether the next build reads everything, because the changes since the last one are not known. */
  isStale = true;
  readonly sources: Parts;

  constructor(sources: Parts = NO_PARTS) {
    super();
    this.sources = sources;
  }

  override prepare(): Parts {
    if (this.parts.length === 0) this.link(this.sources);
    return this.sources;
  }

  /**
   * Called when a source has been updated, before this cell is. `undefined` means that any item may have changed.
   */
  receive(changes: readonly Change[] | undefined, source: SourceCell): void {
    try {
      if (changes === undefined || changes.some(hasMoved)) this.forget();
      else if (!this.isStale) this.apply(changes, source);
    } catch {
      // The next build throws the error.
      this.forget();
    }
  }

  /** Takes in changes before the next build. Not called before the first build. */
  protected apply(_changes: readonly Change[], _source: SourceCell): void {}

  /** Called when the changes since the last build are not enough for the next one: it reads everything again. */
  forget(): void {
    this.isStale = true;
  }

  override fail(failed: Failed): void {
    super.fail(failed);
    this.forget();
  }

  override release(): void {
    super.release();
    this.forget();
  }
}

/**
 * Holds items for queries. Each cell that is built from it receives each change once, in the order in which the changes happened. A cell
 * without a former state reads all items.
 */
export abstract class SourceCell extends ReceiverCell {
  /** Signals after which conditions may find that the same items pass or fail. */
  signals: Parts = NO_PARTS;
  #version = 0;

  override prepare(): Parts {
    if (this.parts.length === 0) this.link([...this.sources, ...this.signals]);
    return this.sources;
  }

  override markUncleanBy(part: Cell): boolean {
    if (this.signals.includes(part)) this.forget();
    return super.markUncleanBy(part);
  }

  /** Called when nothing is built from this cell any more. */
  onUnused(): void {}

  /**
   * Returns every item as a change that adds it. The value of some may be `undefined`, which passes no condition. Call it only while the cell
   * is clean, or during its update.
   */
  abstract entries(): Iterable<Change>;

  /** Returns the value of an item. Call it only while the cell is clean. */
  read(item: Item): unknown {
    return (item as ValuedItem).value;
  }

  /** Whether its values are rows. `read` then returns the record of a row, once the cell of `recordOf` is clean. */
  get isOfRows(): boolean {
    return false;
  }

  recordOf(_item: Item): Cell {
    return this;
  }

  /** Compares items of a query without an order. */
  compareItems(one: Item, other: Item): number {
    return one.arrival - other.arrival;
  }

  /** Compares items that are equal in their sort keys. */
  compareTies(one: Item, other: Item): number {
    return this.compareItems(one, other);
  }

  override isChanged(): boolean {
    return true;
  }

  protected emit(changes: readonly Change[] | undefined): void {
    if (changes?.length === 0) return;
    // A new value, because a snapshot regards a cell with an equal value as unchanged.
    this.value = ++this.#version;
    // Only receivers are built from a source.
    for (const parent of parentsOf(this.parents)) (parent as ReceiverCell).receive(changes, this);
  }

  override unlinkFrom(parent: Cell): void {
    super.unlinkFrom(parent);
    if (this.parents !== undefined) return;
    this.release();
    this.onUnused();
  }
}

/** Returns a change of an item at its present place. */
export function changeOf(item: Item, before: unknown, after: unknown): Change {
  return { item, before, after, arrival: item.arrival };
}

/** Returns whether a change has changed what is shown: the value, or the place of an item that was removed and added again. */
export function isVisible(change: Change): boolean {
  return isReal(change) || change.arrival !== change.item.arrival;
}

/** Returns whether a change has changed anything. */
export function isReal({ before, after }: Change): boolean {
  return !Object.is(before, after);
}

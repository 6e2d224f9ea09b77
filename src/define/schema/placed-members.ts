import { memo } from '../../std/memo.ts';
import type { NormalizeDelegate } from './delegate.ts';
import type { StoredCollection } from './row.ts';

/** What a write has changed in a list that has an order. */
interface PlacedList {
  readonly list: StoredCollection;
  /** The members that it moves or adds. */
  readonly members: unknown[];
  /** Whether it has moved or removed one. If it has only added members, each is in its place. */
  isMixed: boolean;
}

const PLACED = new WeakMap<NormalizeDelegate, Map<string, PlacedMembers>>();

/**
 * The members that a write moves in lists with an order. A place can be searched only in a list that is in order, and while other members have
 * changed and not moved yet, it is not. So they get their places together, at the end of the write.
 */
export class PlacedMembers {
  readonly #lists = new Map<string, PlacedList>();

  /** Returns those of one table of lists. */
  static in(table: string, delegate: NormalizeDelegate): PlacedMembers {
    const tables = memo(PLACED, delegate, () => new Map<string, PlacedMembers>());
    return memo(tables, table, () => new PlacedMembers());
  }

  /** Notes members that move, or were added (`isAdded`). */
  note(list: StoredCollection, members: readonly unknown[], isAdded = false): void {
    const placed = memo(this.#lists, list.pk, (): PlacedList => ({ list, members: [], isMixed: false }));
    placed.members.push(...members);
    if (!isAdded) placed.isMixed = true;
  }

  /** Returns the lists in which members have to move, and forgets all. */
  take(): readonly PlacedList[] {
    const mixed = Array.from(this.#lists.values()).filter(({ isMixed, members }) => isMixed && members.length > 0);
    this.#lists.clear();
    return mixed;
  }
}

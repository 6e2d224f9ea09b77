import { hasPk, keyOf } from '../../define/schema/key-of.ts';
import { isPlain } from '../../std/plain.ts';
import type { Cell, Parts } from '../graph/cell.ts';
import { added, type Change, type Item, SourceCell } from './source-cell.ts';

/** A member of a list. It is the same object as long as the list has the member. `arrival` is its index. */
class ListedItem implements Item {
  readonly pk: string;
  value: unknown;
  arrival: number = Number.NaN;

  constructor(value: unknown) {
    this.value = value;
    this.pk = hasPk(value) ? String(value.pk()) : '';
  }
}

/**
 * The items of a list: the members of a collection, or the result of another query. A change of a member is passed on as such. After a
 * change of the list, everything is read again.
 */
export class ListedCell extends SourceCell {
  readonly #list: Cell;
  #listed: readonly ListedItem[] = [];

  constructor(list: Cell) {
    super();
    this.#list = list;
  }

  override prepare(): Parts {
    if (this.parts.length === 0) this.link([this.#list]);
    return this.parts;
  }

  override fill(): void {
    const old = this.#listed;
    const values = membersOf(this.#list.value);
    const left = new Map<unknown, ListedItem[]>();
    // Decided before values change: an item that moves may get the value that is listed at its former index.
    const stays = old.map((item, at) => item.value === values[at]);
    for (const [at, item] of old.entries()) {
      if (stays[at] === true) continue;
      const name = nameOf(item.value);
      left.set(name, [...(left.get(name) ?? []), item]);
    }
    const changes: Change[] = [];
    let isMoved = old.length !== values.length;
    this.#listed = values.map((after, arrival) => {
      if (stays[arrival] === true) return old[arrival] as ListedItem;
      const item = left.get(nameOf(after))?.shift() ?? new ListedItem(after);
      if (item.arrival !== arrival) isMoved = true;
      changes.push({ item, before: item.value, after, arrival });
      item.value = after;
      item.arrival = arrival;
      return item;
    });
    this.emit(isMoved ? undefined : changes);
  }

  override release(): void {
    super.release();
    this.#listed = [];
  }

  *entries(): Generator<Change> {
    for (const item of this.#listed) if (item.value !== undefined) yield added(item, item.value);
  }

  read(item: Item): unknown {
    return (item as ListedItem).value;
  }
}

function membersOf(list: unknown): readonly unknown[] {
  return isPlain(list) ? Object.values(list) : [];
}

/** Returns a name for a record, so that it stays the same item when it changes. Any other value is its own name. */
function nameOf(value: unknown): unknown {
  return hasPk(value) ? `${(value.constructor as { readonly key?: string }).key}\n${keyOf(value)}` : value;
}

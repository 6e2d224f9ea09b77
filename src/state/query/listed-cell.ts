import { hasPk, keyOf } from '../../define/schema/key-of.ts';
import { isPlain } from '../../std/plain.ts';
import type { Cell, Parts } from '../graph/cell.ts';
import { type Change, type Item, SourceCell } from './source-cell.ts';

/** A member of a list. It is the same object as long as the list has the member. `arrival` is a number between those of its neighbours. */
class ListedItem implements Item {
  readonly pk: string;
  value: unknown;
  arrival: number = Number.NaN;

  constructor(value: unknown) {
    this.value = value;
    this.pk = hasPk(value) ? String(value.pk()) : '';
  }
}

/** The items of a list: the members of a collection, or the result of another query. */
export class ListedCell extends SourceCell {
  readonly #list: Cell;
  #listed: readonly ListedItem[] = [];

  constructor(list: Cell) {
    super(() => {});
    this.#list = list;
  }

  override prepare(): Parts {
    if (this.parts.length === 0) this.link([this.#list]);
    return this.parts;
  }

  override isChanged(): boolean {
    return true;
  }

  override fill(): void {
    this.emit(this.#follow(membersOf(this.#list.value)));
  }

  #follow(values: readonly unknown[]): readonly Change[] | undefined {
    const old = this.#listed;
    let start = 0;
    let [oldEnd, end] = [old.length, values.length];
    while (start < oldEnd && start < end && old[start]?.value === values[start]) start++;
    while (oldEnd > start && end > start && old[oldEnd - 1]?.value === values[end - 1]) {
      oldEnd--;
      end--;
    }
    const { items: between, changes } = matched(old.slice(start, oldEnd), values.slice(start, end));
    this.#listed = [...old.slice(0, start), ...between, ...old.slice(oldEnd)];
    if (place(this.#listed, start, end)) return changes;
    // Known items have changed their order, so queries that sorted by it must read everything again.
    for (const [at, item] of this.#listed.entries()) item.arrival = at;
    return undefined;
  }

  override release(): void {
    super.release();
    this.#listed = [];
  }

  *entries(): Generator<readonly [unknown, Item]> {
    for (const item of this.#listed) if (item.value !== undefined) yield [item.value, item];
  }

  read(item: Item): unknown {
    return (item as ListedItem).value;
  }

  compareItems(one: Item, other: Item): number {
    return one.arrival - other.arrival;
  }
}

function membersOf(list: unknown): readonly unknown[] {
  if (Array.isArray(list)) return list;
  return isPlain(list) ? Object.values(list) : [];
}

/** Returns the items for these values, and the changes. An old item is reused for the same value or the same record. */
function matched(
  old: readonly ListedItem[],
  values: readonly unknown[],
): { readonly items: readonly ListedItem[]; readonly changes: readonly Change[] } {
  const left = new Map<unknown, ListedItem[]>();
  for (const item of old) {
    const name = nameOf(item.value);
    const same = left.get(name);
    if (same === undefined) left.set(name, [item]);
    else same.push(item);
  }
  const changes: Change[] = [];
  const items = values.map((after) => {
    const known = left.get(nameOf(after))?.shift();
    const item = known ?? new ListedItem(after);
    const before = known?.value;
    item.value = after;
    if (before !== after) changes.push({ item, before, after, arrival: item.arrival });
    return item;
  });
  // Removed items come first, because added ones can take their place.
  const gone = Array.from(left.values())
    .flat()
    .map((item) => ({ item, before: item.value, after: undefined, arrival: item.arrival }));
  return { items, changes: [...gone, ...changes] };
}

/** Returns a name for a record, so that it stays the same item when it changes. Other values stand for themselves. */
function nameOf(value: unknown): unknown {
  return hasPk(value) ? `${(value.constructor as { readonly key?: string }).key}\n${keyOf(value)}` : value;
}

/**
 * Numbers the new items from `start` to `end`, each between the numbers of its neighbours. Returns false if the other items are not in
 * ascending order.
 */
function place(listed: readonly ListedItem[], start: number, end: number): boolean {
  for (let at = start; at < end;) {
    let next = at;
    while (next < end && Number.isNaN(listed[next]?.arrival)) next++;
    const above = listed[next]?.arrival;
    const below = listed[at - 1]?.arrival ?? (above ?? 0) - (next - at) - 1;
    const step = above === undefined ? 1 : (above - below) / (next - at + 1);
    for (let nth = 1; at < next; at++, nth++) (listed[at] as ListedItem).arrival = below + step * nth;
    at++;
  }
  for (let at = Math.max(start, 1); at <= Math.min(end, listed.length - 1); at++)
    if ((listed[at - 1] as ListedItem).arrival >= (listed[at] as ListedItem).arrival) return false;
  return true;
}

import { hasPk, keyOf } from '../../define/schema/key-of.ts';
import { memo } from '../../std/memo.ts';
import { isPlain } from '../../std/plain.ts';
import type { Cell } from '../graph/cell.ts';
import { type Change, changeOf, SourceCell, type ValuedItem } from './source-cell.ts';

/** A member of a list. It is the same object as long as the list has the member. `arrival` orders it among the others. */
class ListedItem implements ValuedItem {
  readonly pk: string;
  value: unknown = undefined;
  arrival: number;

  constructor(member: unknown, arrival: number) {
    this.arrival = arrival;
    this.pk = hasPk(member) ? String(member.pk()) : '';
  }
}

/**
 * The items of a list: the members of a collection, or the result of another query. Changed members are passed on as such, and so are members
 * that join or leave beside each other. After any other change of the list, everything is read again.
 */
export class ListedCell extends SourceCell {
  readonly #list: Cell;
  #listed: readonly ListedItem[] = [];

  constructor(list: Cell) {
    super([list]);
    this.#list = list;
  }

  override fill(): void {
    const values = membersOf(this.#list.value);
    const changes = this.#follow(values);
    if (changes === undefined) this.#readAll(values);
    this.emit(this.isStale ? undefined : changes);
    this.isStale = false;
  }

  /**
   * Takes in members that have changed, and a stretch of members that have joined or left. Returns the changes, or `undefined` if others may
   * have moved.
   */
  #follow(values: readonly unknown[]): readonly Change[] | undefined {
    const old = this.#listed;
    const least = Math.min(old.length, values.length);
    let head = 0;
    while (head < least && isOf(old[head], values[head])) head++;
    let tail = 0;
    while (tail < least - head && isOf(old[old.length - 1 - tail], values[values.length - 1 - tail])) tail++;
    const end = old.length - tail;
    const leaving = old.slice(head, end);
    const joining = values.slice(head, values.length - tail);
    if (leaving.length > 0 && joining.length > 0) return undefined;
    const joined = joinBetween(joining, old[head - 1]?.arrival, old[end]?.arrival);
    if (joined === undefined) return undefined;
    const changes = leaving.map((item) => changeOf(item, item.value, undefined));
    this.#listed = [...old.slice(0, head), ...joined, ...old.slice(end)];
    for (const [at, item] of this.#listed.entries()) {
      const before = item.value;
      item.value = values[at];
      if (!Object.is(item.value, before)) changes.push(changeOf(item, before, item.value));
    }
    return changes;
  }

  /** Reads all members. An item keeps its identity if the list has the same member still. */
  #readAll(values: readonly unknown[]): void {
    const left = new Map<unknown, ListedItem[]>();
    // From the last, so that `pop` returns equal members in order. `shift` would move all others.
    for (let at = this.#listed.length - 1; at >= 0; at--) {
      const item = this.#listed[at] as ListedItem;
      memo(left, nameOf(item.value), () => []).push(item);
    }
    this.#listed = values.map((value, at) => {
      const item = left.get(nameOf(value))?.pop() ?? new ListedItem(value, at);
      item.value = value;
      item.arrival = at;
      return item;
    });
  }

  override release(): void {
    super.release();
    this.#listed = [];
  }

  *entries(): Generator<Change> {
    for (const item of this.#listed) yield changeOf(item, undefined, item.value);
  }
}

/** Returns whether an item stands for the member that has this value now. */
function isOf(item: ListedItem | undefined, value: unknown): boolean {
  return Object.is(item?.value, value) || nameOf(item?.value) === nameOf(value);
}

/** Returns items for new members, between two others in order. `undefined` if no number is left between these. */
function joinBetween(
  members: readonly unknown[],
  before: number | undefined,
  behind: number | undefined,
): readonly ListedItem[] | undefined {
  const count = members.length + 1;
  const low = before ?? (behind ?? 0) - count;
  const high = behind ?? low + count;
  const items = members.map((member, at) => new ListedItem(member, low + ((at + 1) / count) * (high - low)));
  const places = [low, ...items.map(({ arrival }) => arrival), high];
  return places.every((place, at) => at === 0 || place > (places[at - 1] as number)) ? items : undefined;
}

function membersOf(list: unknown): readonly unknown[] {
  return isPlain(list) ? Object.values(list) : [];
}

/** Returns a name for a record, so that it stays the same item when it changes. Any other value is its own name. */
function nameOf(value: unknown): unknown {
  return hasPk(value) ? `${(value.constructor as { readonly key?: string }).key}\n${keyOf(value)}` : value;
}

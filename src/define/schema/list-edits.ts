import { copyOf, differencesOf, noteDifferences, replaceStretch, type Splice, splicedBy } from '../../std/splice.ts';
import { includes, indexIn, isSame, ListJoin, nameOf } from './collection-members.ts';
import type { ListOrder } from './list-order.ts';
import type { RepeatEdits, RowPlace } from './schema.ts';

type EditedList = readonly unknown[];

/** An edit of a list. */
export interface ListEdit {
  readonly repeat: RepeatEdits;
  readonly incoming: object;
}

/**
 * The members that the edits of guesses add to a list: at one end, or in its order. When an edit is over, or the list below has changed, the
 * list is patched. The time to repeat all edits would grow with their number.
 */
export class ListEdits {
  readonly #join: ListJoin;
  /** The list below the edits. */
  #base: EditedList;
  /** The list with all members that edits add. A page shows the first of them. */
  #whole: EditedList;
  /** How many members are shown. */
  #most: number = Number.POSITIVE_INFINITY;
  /** The members that edits add, by name. */
  readonly #added = new Map<unknown, unknown>();
  /** The members whose edits are over, and that may still be in the list. */
  #left: unknown[] = [];
  /** Whether the edits have to be repeated. */
  isOutdated = true;

  private constructor(base: EditedList, join: ListJoin) {
    this.#base = base;
    this.#whole = base;
    this.#join = join;
  }

  /** Returns the edits of a list. `undefined` if it is no list, if they do not all add in one way, or if two of them add the same member. */
  static of(base: unknown, edits: readonly ListEdit[]): ListEdits | undefined {
    const join = edits[0]?.repeat;
    if (!Array.isArray(base) || !(join instanceof ListJoin)) return undefined;
    const made = new ListEdits(base, join);
    return made.#note(edits) ? made : undefined;
  }

  /** Adds the edits of a new guess, which led to the list `made`. Returns false if that is not possible. */
  add(edits: readonly ListEdit[], made: EditedList, place: RowPlace): boolean {
    if (this.#left.length > 0 || !this.#note(edits)) return false;
    const order = this.#join.orderIn(place);
    this.isOutdated ||= order !== undefined && !this.#membersOf(edits).every((member) => order.isKept([member]));
    if (this.#most === Number.POSITIVE_INFINITY) this.#whole = made;
    else if (!this.isOutdated) this.#whole = this.#join.whole(this.#whole, this.#membersOf(edits), place);
    return true;
  }

  #membersOf(edits: readonly ListEdit[]): EditedList {
    return this.#join.inTurn(edits.map(({ incoming }) => incoming as EditedList));
  }

  #note(edits: readonly ListEdit[]): boolean {
    for (const edit of edits) {
      if (edit.repeat !== this.#join) return false;
      for (const member of this.#membersOf([edit])) {
        if (this.#added.has(nameOf(member))) return false;
        this.#added.set(nameOf(member), member);
      }
    }
    return true;
  }

  /** Removes the edits of a guess that is over. */
  remove(edits: readonly ListEdit[]): void {
    for (const { incoming } of edits)
      for (const name of (incoming as EditedList).map(nameOf)) {
        this.#left.push(this.#added.get(name));
        this.#added.delete(name);
      }
  }

  /**
   * Returns the list with the present edits over a base. `shown` is the list that readers see: an equal list keeps its object. `undefined` if the
   * base is not a list.
   */
  over(base: unknown, shown: unknown, place: RowPlace): EditedList | undefined {
    if (!Array.isArray(base)) return undefined;
    const order = this.#join.orderIn(place);
    const patched = this.isOutdated ? undefined : this.#patched(base, order);
    const whole = patched ?? this.#repeated(base, order, place);
    this.#base = base;
    this.#left = [];
    this.#most = this.#join.mostIn(base, place);
    const made = whole.length > this.#most ? whole.slice(0, this.#most) : whole;
    const isPatched = patched !== undefined && made === whole;
    const seen = isPatched || !isEqual(made, shown) ? made : (shown as EditedList);
    this.#whole = made === whole ? seen : whole;
    return seen;
  }

  #repeated(base: EditedList, order: ListOrder | undefined, place: RowPlace): EditedList {
    const whole = this.#added.size === 0 ? base : this.#join.whole(base, [...this.#added.values()], place);
    // If a list is not in order, the place of a member depends on all members that have joined before it.
    this.isOutdated = order !== undefined && !(order.isKept(whole) && new Set(whole.map(nameOf)).size === whole.length);
    return whole;
  }

  /** Returns the patched list. `undefined` if the edits have to be repeated. */
  #patched(base: EditedList, order: ListOrder | undefined): EditedList | undefined {
    if (base === this.#base && this.#left.length === 0) return this.#whole;
    const changes = differencesOf(this.#base, base);
    const gone = removedBy(this.#base, changes);
    // A member that has left the base, and that an edit adds, is to be added again.
    if (gone.some((member) => this.#added.has(nameOf(member)))) return undefined;
    const { at = 0, added = 0 } = changes.at(-1) ?? {};
    const arrived = base.slice(at, at + added);
    const answered = this.#addedAmong(arrived);
    return order === undefined
      ? this.#patchedEnd(base, changes, arrived, [...this.#left, ...answered])
      : this.#patchedOrder(base, order, { at, gone: [...gone, ...this.#leftAlone(), ...answered], arrived });
  }

  /** Returns the members among these that edits add, as the edits have them. */
  #addedAmong(members: EditedList): EditedList {
    const names = new Set(members.map(nameOf).filter((name) => this.#added.has(name)));
    return Array.from(names, (name) => this.#added.get(name));
  }

  /** Returns the members whose edits are over. Those that the base had before were not added. */
  #leftAlone(): EditedList {
    return this.#left.filter((member) => !includes(this.#base, member));
  }

  /** Patches a list to which edits add members at one end. */
  #patchedEnd(base: EditedList, changes: readonly Splice[], arrived: EditedList, leaving: EditedList): EditedList {
    const whole = this.#whole;
    const cuts = this.#placesIn(whole, leaving);
    const start = this.#join.isAtStart ? whole.length - this.#base.length - cuts.length : 0;
    // From the last, so that the places of the others stay the same.
    const splices = cuts.sort((one, other) => other - one).map((place) => ({ at: place, removed: 1, added: 0 }));
    for (const change of changes) splices.push({ ...change, at: change.at + start });
    if (isNothing(splices, whole, arrived)) return whole;
    // Without edits, the base itself is the list.
    if (this.#added.size === 0) return noteDifferences(base, whole, splices);
    return splicedBy(whole, splices, arrived);
  }

  /** Returns the indexes of members that edits have added at one end. A member that the base had before was not added. */
  #placesIn(whole: EditedList, members: EditedList): number[] {
    const from = this.#join.isAtStart ? 0 : this.#base.length;
    const to = this.#join.isAtStart ? whole.length - this.#base.length : whole.length;
    return members.map((member) => indexIn(whole, member, from)).filter((place) => place >= 0 && place < to);
  }

  /** Patches a list that is in order. `undefined` if it is not in order any more. */
  #patchedOrder(base: EditedList, order: ListOrder, { at, gone, arrived }: MembersChange): EditedList | undefined {
    if (arrived.length > MAX_ARRIVED) return undefined;
    const made = copyOf(this.#whole);
    const splices: Splice[] = [];
    for (const member of gone) {
      const cut = { at: indexIn(made, member), removed: 1, added: 0 };
      splices.push(cut);
      replaceStretch(made, cut, []);
    }
    for (const [nth, member] of arrived.entries()) {
      const after = at + nth === 0 ? -1 : indexIn(made, base[at + nth - 1]);
      const before = at + arrived.length < base.length ? indexIn(made, base[at + arrived.length]) : made.length;
      if (after >= before || includes(made, member)) return undefined;
      // Members that guesses add come after those of the base that are equal to them in this order.
      const place = order.placeIn(made, member, { from: after + 1, to: before, isFirst: true });
      splices.push({ at: place, removed: 0, added: 1 });
      made.splice(place, 0, member);
      if (!order.isKept(made, Math.max(0, place - 1), Math.min(place + 1, made.length - 1))) return undefined;
    }
    if (isNothing(splices, this.#whole, arrived)) return this.#whole;
    const list = this.#added.size === 0 ? base : made;
    return arrived.length > 1 ? list : noteDifferences(list, this.#whole, splices);
  }
}

/** With more new members than this, all edits of a list with an order are repeated. */
const MAX_ARRIVED = 64;

/** The change of a list: the members that leave it, and those that arrive in the list below at an index. */
interface MembersChange {
  readonly gone: EditedList;
  readonly arrived: EditedList;
  readonly at: number;
}

/** Returns the members that splices remove. */
export function removedBy(list: EditedList, splices: readonly Splice[]): EditedList {
  if (splices.every(({ removed }) => removed === 0)) return [];
  const rest = copyOf(list);
  return splices.flatMap((splice) => replaceStretch(rest, splice, []));
}

function isEqual(one: EditedList, other: unknown): boolean {
  return (
    Array.isArray(other) &&
    one.length === other.length &&
    one.every((member, at) => isSame(member, other[at] as unknown))
  );
}

/** Returns whether splices only put members back into their places: they are cut from the last to the first, and then put in. */
function isNothing(splices: readonly Splice[], list: EditedList, items: EditedList): boolean {
  const put = splices.at(-1);
  if (put === undefined) return true;
  const cuts = splices.slice(0, -1);
  return (
    put.removed === 0 &&
    put.added === cuts.length &&
    items.length === cuts.length &&
    cuts.every(
      ({ at, removed, added }, nth) => removed === 1 && added === 0 && at === put.at + cuts.length - 1 - nth,
    ) &&
    items.every((item, nth) => isSame(item, list[put.at + nth]))
  );
}

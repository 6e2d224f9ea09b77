import { copyOf, differencesOf, noteDifferences, replaceStretch, type Splice, splicedBy } from '../../std/splice.ts';
import { isSame, nameOf, pushAll, unshiftAll } from './collection-members.ts';
import type { RepeatEdits } from './schema.ts';

type EditedList = readonly unknown[];

/** An edit of a list. */
export interface ListEdit {
  readonly repeat: RepeatEdits;
  readonly incoming: object;
}

/**
 * The members that the edits of guesses add at one end of a list. When an edit is over, or the list below has changed, the list is patched. The
 * time to repeat all edits would grow with their number.
 */
export class ListEdits {
  /** The list below the edits. */
  #base: EditedList;
  readonly #isAtStart: boolean;
  /** The members that edits add, by name. */
  readonly #added = new Map<unknown, unknown>();
  /** The members whose edits are over, and that may still be in the list. */
  #left: unknown[] = [];

  private constructor(base: EditedList, isAtStart: boolean) {
    this.#base = base;
    this.#isAtStart = isAtStart;
  }

  /** Returns the edits of a list. `undefined` if it is no list, if they do not all add at one end, or if two of them add the same member. */
  static of(base: unknown, edits: readonly ListEdit[]): ListEdits | undefined {
    if (!Array.isArray(base)) return undefined;
    const made = new ListEdits(base, edits[0]?.repeat === unshiftAll);
    return made.add(edits) ? made : undefined;
  }

  /** Adds the edits of a new guess. Returns false if that is not possible. */
  add(edits: readonly ListEdit[]): boolean {
    if (this.#left.length > 0) return false;
    for (const { incoming, repeat } of edits) {
      if (repeat !== (this.#isAtStart ? unshiftAll : pushAll)) return false;
      for (const member of incoming as EditedList) {
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
   * Returns the list with the present edits over a base. `shown` is the list with the former edits over the former base. `undefined` if the
   * edits have to be repeated.
   */
  over(base: unknown, shown: EditedList): EditedList | undefined {
    const changes = Array.isArray(base) ? differencesOf(this.#base, base) : undefined;
    if (changes === undefined || this.#haveLost(changes)) return undefined;
    const { at = 0, added = 0 } = changes.at(-1) ?? {};
    const arrived = (base as EditedList).slice(at, at + added);
    const cuts = this.#placesIn(shown, [...this.#left, ...this.#addedAmong(arrived)]);
    const start = this.#isAtStart ? shown.length - this.#base.length - cuts.length : 0;
    this.#base = base as EditedList;
    this.#left = [];
    // From the last, so that the places of the others stay the same.
    const splices = cuts.sort((one, other) => other - one).map((place) => ({ at: place, removed: 1, added: 0 }));
    for (const change of changes) splices.push({ ...change, at: change.at + start });
    if (isNothing(splices, shown, arrived)) return shown;
    // Without edits, the base itself is the list.
    if (this.#added.size === 0) return noteDifferences(this.#base, shown, splices);
    return splicedBy(shown, splices, arrived);
  }

  /** Returns whether members have left the base that edits add: they are to be added again. */
  #haveLost(changes: readonly Splice[]): boolean {
    if (changes.every(({ removed }) => removed === 0)) return false;
    const rest = copyOf(this.#base);
    return changes.some((change) => replaceStretch(rest, change, []).some((member) => this.#added.has(nameOf(member))));
  }

  /** Returns the members among these that edits add, as the edits have them. */
  #addedAmong(members: EditedList): Iterable<unknown> {
    const names = new Set(members.map(nameOf).filter((name) => this.#added.has(name)));
    return Array.from(names, (name) => this.#added.get(name));
  }

  /** Returns the indexes of members that edits have added. A member that the base had before was not added. */
  #placesIn(shown: EditedList, members: EditedList): number[] {
    const from = this.#isAtStart ? 0 : this.#base.length;
    const to = this.#isAtStart ? shown.length - this.#base.length : shown.length;
    return members.map((member) => placeFrom(shown, member, from)).filter((place) => place >= 0 && place < to);
  }
}

/** Returns the index of a member. The member of a polymorphic list can be another object for each guess. */
function placeFrom(list: EditedList, member: unknown, from: number): number {
  const place = list.indexOf(member, from);
  if (place >= 0 || typeof member === 'string') return place;
  return list.findIndex((other, at) => at >= from && isSame(other, member));
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

import { firstIndex } from '../../std/first-index.ts';
import { memo } from '../../std/memo.ts';
import { copyOf, differencesOf, noteDifferences, replaceStretch, type Splice, withRange } from '../../std/splice.ts';
import { type ListedMembers, countIn, indexIn, isSameMember, memberName } from './collection-members.ts';
import { type EditStep, isOrdered, type EditedLists, type MemberEdit, putBy, type Touched } from './edited-member.ts';
import { EndIndexes } from './end-indexes.ts';
import type { JoinedMembers } from './joined-members.ts';
import type { AddedByStep, EditedMembers, ListIndexes } from './list-indexes.ts';
import type { ListOrder } from './list-order.ts';
import { OrderedIndexes } from './ordered-indexes.ts';
import { MovingMembers } from './moving-members.ts';
import type { RowEdit, RowState } from './row.ts';
import type { EditedRow, TrackedEdits } from './tracked-edits.ts';

/** With more touched members than this, all edits are repeated. */
const MAX_TOUCHED = 64;

/** In a longer list, repeating the edits takes less time than comparing all members, unless it happens many times. */
const MAX_COMPARED = 1000;
const MAX_REPEATS = 16;

/**
 * A list with the edits of guesses. The last of the edits of a member decides where it is. If edits come or go, or the list below or
 * records change, the members concerned are cut out and put in again. The time to repeat all edits would grow with their number.
 */
export class ListEdits implements TrackedEdits, EditedMembers {
  /** The list below the edits. */
  #base: ListedMembers = [];
  /** The list with all members that edits add. A page shows the first of them. */
  #whole: ListedMembers = [];
  /** The members that edits concern, by name. */
  readonly #edited = new Map<unknown, Touched>();
  /** The members that have to be put in their places, by name. */
  readonly #touched = new Map<unknown, Touched>();
  #facts: EditedLists | undefined = undefined;
  joined: JoinedMembers | undefined = undefined;
  #turns = 0;
  /** How many times all edits were repeated. */
  #repeats = 0;
  /** Whether all edits have to be repeated. */
  isOutdated = true;

  constructor(edits: readonly RowEdit[]) {
    this.add(edits);
  }

  /** Returns the edits of a list. `undefined` if it is no list, or if they are of several kinds. */
  static of(row: RowState, edits: readonly RowEdit[]): ListEdits | undefined {
    return Array.isArray(row) && areOfMembers(edits) ? new ListEdits(edits) : undefined;
  }

  /** Adds edits that follow the others. */
  add(edits: readonly RowEdit[]): boolean {
    if (!areOfMembers(edits)) return false;
    for (const edit of edits) {
      const { facts, target } = edit.repeat as MemberEdit;
      if (this.#facts === undefined && facts !== undefined) {
        this.#facts = facts;
        this.isOutdated = true;
      }
      const members: unknown[] = Object.values(edit.incoming);
      // The first of the members comes to the start.
      if (target === 'first') members.reverse();
      for (const member of members) {
        const touched = this.#touch(member);
        const { issue = Number.POSITIVE_INFINITY } = edit;
        touched.steps.push({ edit, target, issue, turn: this.#turns++ });
        this.#edited.set(memberName(member), touched);
      }
    }
    return true;
  }

  /** Removes the edits of a guess that is over. */
  remove(edits: readonly RowEdit[]): void {
    for (const edit of edits)
      for (const member of Object.values(edit.incoming)) {
        const { steps } = this.#touch(member);
        const at = steps.findIndex((step) => step.edit === edit);
        steps.splice(at, 1);
      }
  }

  /** Notes that a record has changed. Returns whether the order of the list may be another one now. */
  change(table: string, pk: string): boolean {
    if (this.#facts === undefined) return false;
    const member = this.#facts.refOf(table, pk);
    const isThere = indexIn(this.#whole, member) >= 0;
    if (isThere) this.#touch(member);
    return isThere;
  }

  /** Returns the state of a member, which is then put in its place again. */
  #touch(member: unknown): Touched {
    const name = memberName(member);
    const make = (): Touched => ({
      member,
      below: undefined,
      index: undefined,
      steps: [],
      shown: undefined,
      lastIndex: -1,
    });
    return memo(this.#touched, name, () => this.#edited.get(name) ?? make());
  }

  /**
   * Returns the list with the present edits over a base. `former` is the list that readers have seen so far: if the two are equal, returns `former`.
   * Returns `undefined` if the base is not a list.
   */
  applyTo(base: unknown, former: unknown, edited: EditedRow): ListedMembers | undefined {
    if (!Array.isArray(base)) return undefined;
    const order = this.#facts?.orderOf(edited);
    this.isOutdated ||= edited.joined !== this.joined;
    this.joined = edited.joined;
    const indexes = order === undefined ? new EndIndexes(this) : new OrderedIndexes(this, order);
    const patched = this.isOutdated && !this.#isDone() ? undefined : this.#patched(base, indexes);
    for (const [name, touched] of this.#touched) {
      touched.index = undefined;
      if (touched.steps.length === 0) this.#edited.delete(name);
    }
    this.#touched.clear();
    const whole = patched ?? this.#repeated(base, indexes);
    if (patched === undefined) this.isOutdated = order !== undefined && !this.#isKnownInOrder(whole, order);
    this.#base = base;
    const made = this.#pageOf(whole, base, edited);
    const isPatched = patched !== undefined && made === whole;
    const seen = isPatched || !isEqual(made, former) ? made : (former as ListedMembers);
    this.#whole = made === whole ? seen : whole;
    return seen;
  }

  /** Returns the members that a page has room for. */
  #pageOf(whole: ListedMembers, base: ListedMembers, edited: EditedRow): ListedMembers {
    const facts = this.#facts;
    const size = facts?.sizeOf(edited);
    if (facts === undefined || size === undefined) return whole;
    const trust = facts.trustOf(edited);
    // Further pages may have been added to this list.
    const isLonger = base.length > size && !trust.isGrown(edited.pk);
    const room = isLonger ? whole.length : size;
    const end = this.#endOf(whole);
    // The cursor of the next page belongs to the last member of a page, so this member stays.
    const least = trust.isAccompanied ? end : Math.min(room, end);
    const most = trust.lastPage(edited.pk) === undefined ? least : Math.max(room, least);
    return whole.length > most ? whole.slice(0, most) : whole;
  }

  /** Returns the index at which the members begin that guesses add at the end of a page. If further pages may follow, the page does not show them. */
  #endOf(whole: ListedMembers): number {
    let end = whole.length;
    while (end > 0 && this.stepOf(whole[end - 1]) !== undefined) end--;
    return end > 0 ? end : firstIndex(whole, (member) => this.stepOf(member)?.target === 'last');
  }

  /** Repeats all edits. */
  #repeated(base: ListedMembers, indexes: ListIndexes): ListedMembers {
    const joined: AddedByStep[] = [];
    let isHiding = false;
    for (const touched of this.#edited.values()) {
      touched.below = countIn(base, touched.member);
      const by = (touched.shown = putBy(touched));
      isHiding ||= by !== 'below' && touched.below > 0;
      if (typeof by === 'object') joined.push({ touched, step: by });
    }
    const [only] = joined;
    if (only !== undefined && joined.length === 1 && !isHiding) {
      const { member } = only.touched;
      const splice = { at: indexes.indexAlone(base, only.step, member), removed: 0, added: 1 };
      only.touched.lastIndex = splice.at;
      return noteDifferences(withRange(base, splice, [member]), base, [splice]);
    }
    joined.sort((one, other) => one.step.turn - other.step.turn);
    return indexes.withSteps(base, joined, isHiding);
  }

  #isKnownInOrder(whole: ListedMembers, order: ListOrder): boolean {
    const isCompared = whole.length <= MAX_COMPARED || ++this.#repeats > MAX_REPEATS;
    return isCompared && this.#isInOrder(whole, order);
  }

  /** If a list is not in order, the index of a member depends on all members that have joined before it. */
  #isInOrder(whole: ListedMembers, order: ListOrder): boolean {
    const isJoinedInOrder = (member: unknown): boolean => {
      const step = this.stepOf(member);
      return step === undefined || isOrdered(step);
    };
    return new Set(whole.map(memberName)).size === whole.length && order.isKept(whole) && whole.every(isJoinedInOrder);
  }

  /** Returns the list with the touched members in their places. `undefined` if all edits have to be repeated. */
  #patched(base: ListedMembers, indexes: ListIndexes): ListedMembers | undefined {
    const whole = this.#whole;
    for (const touched of this.#touched.values()) this.#countBelow(touched);
    if (!this.#noteChanges(base) || this.#touched.size > MAX_TOUCHED) return undefined;
    const moving = new MovingMembers(whole, whole === base);
    const staying: unknown[] = [];
    for (const touched of this.#touched.values()) {
      const { index, member, shown, steps } = touched;
      if ((touched.below as number) > 1) return undefined;
      const by = putBy(touched);
      if (by === 'below' && shown === 'below' && index === undefined) {
        staying.push(member);
        continue;
      }
      if (shown === 'below' && indexes.hasBeside(whole, member)) return undefined;
      if (shown !== undefined) moving.cut(touched);
      else if (steps.length === 0 && this.#wasThere(touched, base)) return undefined;
      touched.shown = undefined;
      if (by === 'below') moving.enter({ touched, putBy: by, rank: index ?? indexIn(base, member) });
      else if (by !== undefined) moving.enter({ touched, putBy: by, rank: base.length + by.turn });
    }
    if (this.#isDone()) return moving.finish(base);
    const made = moving.remaining();
    if (!staying.every((member) => indexes.mayStay(made, member))) return undefined;
    for (const { putBy: by, rank, touched } of moving.entering()) {
      const { member } = touched;
      const at = by === 'below' ? indexes.indexOfBelow(made, base, rank) : indexes.indexOfStep(made, by, member);
      if (at === undefined) return undefined;
      moving.put(at, touched);
      if (!indexes.isInOrder(made, at)) return undefined;
      touched.shown = by;
    }
    return moving.result();
  }

  /** Returns whether a member that no edit concerns, and that was taken for a new one, was in the list before. */
  #wasThere({ index, member }: Touched, base: ListedMembers): boolean {
    // The list below knows the indexes of its members, and `#whole` does not.
    return index === undefined ? indexIn(this.#whole, member) >= 0 : countIn(base, member) > 1;
  }

  /** Returns whether no edit is left. */
  #isDone(): boolean {
    return (
      this.#edited.size <= this.#touched.size &&
      Array.from(this.#edited.values()).every(({ steps }) => steps.length === 0)
    );
  }

  /** Returns how often the former list below has a member: at most 2. */
  #countBelow(touched: Touched): number {
    if (touched.below !== undefined) return touched.below;
    // No edit has concerned it so far, so it is where the list below has it.
    touched.below = countIn(this.#whole, touched.member);
    if (touched.below > 0) touched.shown = 'below';
    return touched.below;
  }

  /** Notes the members that have left or joined the list below. Returns false if they are too many, or if it has one more than once. */
  #noteChanges(base: ListedMembers): boolean {
    if (base === this.#base) return true;
    const changes = differencesOf(this.#base, base);
    const { at = 0, added = 0 } = changes.at(-1) ?? {};
    if (changes.reduce((sum, { removed }) => sum + removed, added) > MAX_TOUCHED) return false;
    for (const member of removedBy(this.#base, changes)) {
      const touched = this.#touch(member);
      const below = this.#countBelow(touched);
      if (below > 1) return false;
      touched.below = below - 1;
    }
    for (let index = at; index < at + added; index++) {
      const touched = this.#touch(base[index]);
      touched.below = (touched.below ?? 0) + 1;
      touched.index = index;
    }
    return true;
  }

  isBelow(member: unknown): boolean {
    const name = memberName(member);
    const touched = this.#edited.get(name) ?? this.#touched.get(name);
    return touched === undefined || touched.shown === 'below';
  }

  stepOf(member: unknown): EditStep | undefined {
    const shown = this.#edited.get(memberName(member))?.shown;
    return typeof shown === 'object' ? shown : undefined;
  }
}

function areOfMembers(edits: readonly RowEdit[]): boolean {
  return edits.every(({ repeat }) => 'target' in repeat);
}

/** Returns the members that splices remove. */
function removedBy(list: ListedMembers, splices: readonly Splice[]): ListedMembers {
  const [only] = splices;
  if (only !== undefined && splices.length === 1) return list.slice(only.at, only.at + only.removed);
  const rest = copyOf(list);
  return splices.flatMap((splice) => replaceStretch(rest, splice, []));
}

function isEqual(one: ListedMembers, other: unknown): boolean {
  return (
    Array.isArray(other) &&
    one.length === other.length &&
    one.every((member, at) => isSameMember(member, other[at] as unknown))
  );
}

import { firstIndex } from '../../std/first-index.ts';
import { memo } from '../../std/memo.ts';
import { indexIn, indexOfOnly } from './collection-members.ts';
import type { EditedList, EditStep, Touched } from './edited-member.ts';
import type { JoinedMembers } from './joined-members.ts';

/** A member that a step adds to a list. */
export interface AddedByStep {
  readonly touched: Touched;
  readonly step: EditStep;
}

/** Where a member stands among those that guesses add at an end. */
type PlaceAtEnd = Pick<EditStep, 'issue' | 'target'>;

const NONE: EditedList = [];

/**
 * The indexes of members in a list without an order. Members of the list below stand as they do there. Those that guesses add stand at an end, or
 * beside the member of the list below that was issued next.
 */
export class ListIndexes {
  /** The members of the list below that mutations have added in the order of issue. */
  joined: JoinedMembers | undefined = undefined;
  /** Whether a member is where the list below has it. */
  readonly #isBelow: (member: unknown) => boolean;
  /** Returns the step that put a member where it is. */
  readonly #stepOf: (member: unknown) => EditStep | undefined;

  constructor(isBelow: (member: unknown) => boolean, stepOf: (member: unknown) => EditStep | undefined) {
    this.#isBelow = isBelow;
    this.#stepOf = stepOf;
  }

  /** Returns the list below with the members that steps add. */
  withSteps(base: EditedList, added: readonly AddedByStep[]): EditedList {
    /** By the index in the list below before which they stand. */
    const groups = new Map<number, unknown[]>();
    for (const { step, touched } of added) {
      const group = memo(groups, this.indexAtEnd(base, step), () => []);
      if (step.target === 'first') group.unshift(touched.member);
      else group.push(touched.member);
    }
    const made: unknown[] = [];
    for (let at = 0; at <= base.length; at++) {
      for (const member of groups.get(at) ?? NONE) made.push(member);
      if (at < base.length && this.#isBelow(base[at])) made.push(base[at]);
    }
    return made;
  }

  /** Returns the index at an end, or beside the member of the list below that was issued next. */
  indexAtEnd(list: EditedList, { issue, target }: PlaceAtEnd): number {
    const find = (all: EditedList, member: unknown): number => (this.#isBelow(member) ? indexIn(all, member) : -1);
    const next = this.joined?.next(list, target === 'first' ? 'first' : 'last', issue, find);
    if (target !== 'first') return next ?? list.length;
    return next === undefined ? 0 : next + 1;
  }

  /** Returns whether guesses have put members beside a member of the list below. */
  hasBeside(list: EditedList, member: unknown): boolean {
    if (this.joined?.of(member) === undefined) return false;
    const at = indexIn(list, member);
    return this.#targetAt(list, at - 1) === 'last' || this.#targetAt(list, at + 1) === 'first';
  }

  /** Returns the index for a member that the list below has at an index. `undefined` if the list below has another order. */
  indexOfBelow(made: EditedList, base: EditedList, at: number): number | undefined {
    const joined = this.joined?.of(base[at]);
    if (joined === undefined) return this.#indexByNeighbor(made, base, at);
    const index = this.#indexAmongGuesses(made, joined, ({ issue }) => issue > joined.issue);
    const { from, to } = this.around(made, base, at);
    return index < from || index > to ? undefined : index;
  }

  /** Returns the indexes between which a member of the list below stands. */
  around(made: EditedList, base: EditedList, at: number): { readonly from: number; readonly to: number } {
    let [low, high] = [at - 1, at + 1];
    while (low >= 0 && !this.#isBelow(base[low])) low--;
    while (high < base.length && !this.#isBelow(base[high])) high++;
    return {
      from: low < 0 ? 0 : indexIn(made, base[low]) + 1,
      to: high < base.length ? indexIn(made, base[high]) : made.length,
    };
  }

  /** Returns the index beside the nearest member of the list below. Members that guesses have put beside that one stay beside it. */
  #indexByNeighbor(made: EditedList, base: EditedList, at: number): number | undefined {
    for (let [low, high] = [at - 1, at + 1]; low >= 0 || high < base.length; low--, high++) {
      const isLow = low >= 0 && this.#isBelow(base[low]);
      if (!isLow && !(high < base.length && this.#isBelow(base[high]))) continue;
      let index = indexOfOnly(made, base[isLow ? low : high]);
      if (index === undefined) return undefined;
      if (isLow) index++;
      if (isLow && this.joined?.of(base[low])?.target === 'first')
        while (this.#targetAt(made, index) === 'first') index++;
      if (!isLow) while (this.#targetAt(made, index - 1) === 'last') index--;
      return index;
    }
    return firstIndex(made, (member) => this.#stepOf(member)?.target !== 'first');
  }

  /** Returns the index for a member that a step adds. */
  indexOfStep(made: EditedList, step: EditStep): number {
    return this.#indexAmongGuesses(made, step, ({ turn }) => turn > step.turn);
  }

  #indexAmongGuesses(made: EditedList, place: PlaceAtEnd, isLater: (other: EditStep) => boolean): number {
    const at = this.indexAtEnd(made, place);
    const isAtStart = place.target === 'first';
    const isLaterThere = (member: unknown): boolean => {
      const step = this.#stepOf(member);
      return step !== undefined && (step.target === 'first') === isAtStart && isLater(step);
    };
    return isAtStart ? firstIndex(made, (member) => !isLaterThere(member), at) : firstIndex(made, isLaterThere, 0, at);
  }

  #targetAt(list: EditedList, at: number): EditStep['target'] | undefined {
    return this.#stepOf(list[at])?.target;
  }
}

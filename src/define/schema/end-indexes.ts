import { firstIndex } from '../../std/first-index.ts';
import { memo } from '../../std/memo.ts';
import { type ListedMembers, indexIn, indexOfOnly } from './collection-members.ts';
import type { EditStep } from './edited-member.ts';
import {
  type AddedByStep,
  addStepByStep,
  type EditedMembers,
  indexesAround,
  type ListIndexes,
} from './list-indexes.ts';

/** What decides where a member is among those that guesses add at an end. */
type PlaceAtEnd = Pick<EditStep, 'issue' | 'target'>;

const NONE: ListedMembers = [];

/**
 * The indexes of members in a list without an order. Members of the list below keep their order. Members that guesses add are at an end, or beside
 * the member of the list below that was issued next.
 */
export class EndIndexes implements ListIndexes {
  readonly #members: EditedMembers;

  constructor(members: EditedMembers) {
    this.#members = members;
  }

  withSteps(base: ListedMembers, added: readonly AddedByStep[], isHiding: boolean): ListedMembers {
    if (this.#members.joined === undefined || added.length === 0)
      return addStepByStep(this.#members, this, base, added, isHiding);
    /** The added members, by the index in the list below before which they are put. */
    const groups = new Map<number, unknown[]>();
    for (const { step, touched } of added) {
      const group = memo(groups, this.indexAlone(base, step), () => []);
      if (step.target === 'first') group.unshift(touched.member);
      else group.push(touched.member);
    }
    const made: unknown[] = [];
    for (let at = 0; at <= base.length; at++) {
      for (const member of groups.get(at) ?? NONE) made.push(member);
      if (at < base.length && this.#members.isBelow(base[at])) made.push(base[at]);
    }
    return made;
  }

  /** Returns the index at an end, or beside the member of the list below that was issued next. */
  indexAlone(list: ListedMembers, { issue, target }: PlaceAtEnd): number {
    const find = (all: ListedMembers, member: unknown): number =>
      this.#members.isBelow(member) ? indexIn(all, member) : -1;
    const end = target === 'first' ? 'first' : 'last';
    return this.#members.joined?.indexAt(end, list, issue, find) ?? (end === 'first' ? 0 : list.length);
  }

  isInOrder(): boolean {
    return true;
  }

  mayStay(): boolean {
    return true;
  }

  hasBeside(list: ListedMembers, member: unknown): boolean {
    if (this.#members.joined?.of(member) === undefined) return false;
    const at = indexIn(list, member);
    return this.#targetAt(list, at - 1) === 'last' || this.#targetAt(list, at + 1) === 'first';
  }

  /** Returns `undefined` if the list below has another order. */
  indexOfBelow(made: ListedMembers, base: ListedMembers, at: number): number | undefined {
    const joined = this.#members.joined?.of(base[at]);
    if (joined === undefined) return this.#indexByNeighbor(made, base, at);
    const index = this.#indexAmongGuesses(made, joined, ({ issue }) => issue > joined.issue);
    const { from, to } = indexesAround(this.#members, made, base, at);
    return index < from || index > to ? undefined : index;
  }

  indexOfStep(made: ListedMembers, step: EditStep): number {
    return this.#indexAmongGuesses(made, step, ({ turn }) => turn > step.turn);
  }

  /** Returns the index beside the nearest member of the list below. Members that guesses have put beside that one stay beside it. */
  #indexByNeighbor(made: ListedMembers, base: ListedMembers, at: number): number | undefined {
    for (let [low, high] = [at - 1, at + 1]; low >= 0 || high < base.length; low--, high++) {
      const isLow = low >= 0 && this.#members.isBelow(base[low]);
      if (!isLow && !(high < base.length && this.#members.isBelow(base[high]))) continue;
      let index = indexOfOnly(made, base[isLow ? low : high]);
      if (index === undefined) return undefined;
      if (isLow) index++;
      if (isLow && this.#members.joined?.of(base[low])?.target === 'first')
        while (this.#targetAt(made, index) === 'first') index++;
      if (!isLow) while (this.#targetAt(made, index - 1) === 'last') index--;
      return index;
    }
    return firstIndex(made, (member) => this.#members.stepOf(member)?.target !== 'first');
  }

  #indexAmongGuesses(made: ListedMembers, place: PlaceAtEnd, isLater: (other: EditStep) => boolean): number {
    const at = this.indexAlone(made, place);
    const isAtStart = place.target === 'first';
    const isLaterThere = (member: unknown): boolean => {
      const step = this.#members.stepOf(member);
      return step !== undefined && (step.target === 'first') === isAtStart && isLater(step);
    };
    return isAtStart ? firstIndex(made, (member) => !isLaterThere(member), at) : firstIndex(made, isLaterThere, 0, at);
  }

  #targetAt(list: ListedMembers, at: number): EditStep['target'] | undefined {
    return this.#members.stepOf(list[at])?.target;
  }
}

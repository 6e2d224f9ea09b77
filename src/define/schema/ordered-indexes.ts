import { type ListedMembers, indexIn } from './collection-members.ts';
import { type EditStep, isOrdered } from './edited-member.ts';
import {
  type AddedByStep,
  addStepByStep,
  type EditedMembers,
  indexesAround,
  type ListIndexes,
} from './list-indexes.ts';
import type { ListOrder } from './list-order.ts';

/** The indexes of members in a list with an order. Members that guesses add come after those that are equal to them in this order. */
export class OrderedIndexes implements ListIndexes {
  readonly #members: EditedMembers;
  readonly #order: ListOrder;

  constructor(members: EditedMembers, order: ListOrder) {
    this.#members = members;
    this.#order = order;
  }

  indexAlone(list: ListedMembers, step: EditStep, member: unknown): number {
    if (!isOrdered(step)) return step.target === 'first' ? 0 : list.length;
    return this.#order.indexFor(list, member, { comesBefore: (other) => this.#isBelowAfter(other, step) });
  }

  indexOfBelow(made: ListedMembers, base: ListedMembers, at: number): number | undefined {
    const comesBefore = (other: unknown): boolean => this.#isGuessedAfter(other, base[at]);
    return this.#order.indexFor(made, base[at], { ...indexesAround(this.#members, made, base, at), comesBefore });
  }

  indexOfStep(made: ListedMembers, step: EditStep, member: unknown): number | undefined {
    if (!isOrdered(step)) return undefined;
    const comesBefore = (other: unknown): boolean =>
      Number(this.#members.stepOf(other)?.turn) > step.turn || this.#isBelowAfter(other, step);
    return this.#order.indexFor(made, member, { comesBefore });
  }

  isInOrder(made: ListedMembers, at: number): boolean {
    return this.#order.isKept(made, Math.max(0, at - 1), Math.min(at + 1, made.length - 1));
  }

  withSteps(base: ListedMembers, added: readonly AddedByStep[], isHiding: boolean): ListedMembers {
    return addStepByStep(this.#members, this, base, added, isHiding);
  }

  hasBeside(): boolean {
    return false;
  }

  /** A member of the list below has to be before the members that guesses have put beside it. */
  mayStay(made: ListedMembers, member: unknown): boolean {
    const at = indexIn(made, member);
    if (!this.isInOrder(made, at)) return false;
    const before = made[at - 1];
    return at === 0 || !this.#isGuessedAfter(before, member) || !this.#order.isKept([member, before]);
  }

  /** Returns whether a member of the list below was issued after a step. */
  #isBelowAfter(other: unknown, { issue }: EditStep): boolean {
    return Number(this.#members.joined?.of(other)?.issue) > issue && this.#members.isBelow(other);
  }

  /** Returns whether a guess has put a member into the list that comes after a member of the list below. */
  #isGuessedAfter(other: unknown, member: unknown): boolean {
    const step = this.#members.stepOf(other);
    return step !== undefined && !(step.issue < Number(this.#members.joined?.of(member)?.issue));
  }
}

import { copyOf } from '../../std/splice.ts';
import { type ListedMembers, indexIn } from './collection-members.ts';
import type { EditStep, Touched } from './edited-member.ts';
import type { JoinedMembers } from './joined-members.ts';

/** A member that a step adds to a list. */
export interface AddedByStep {
  readonly touched: Touched;
  readonly step: EditStep;
}

/** What has put the members of a list where they are. */
export interface EditedMembers {
  /** The members of the list below that mutations have added in the order of issue. */
  readonly joined: JoinedMembers | undefined;
  /** Returns whether a member is where the list below has it. */
  isBelow(member: unknown): boolean;
  /** Returns the step that put a member where it is. */
  stepOf(member: unknown): EditStep | undefined;
}

/** The indexes of members in a list with the edits of guesses. Where it returns `undefined`, all edits have to be repeated. */
export interface ListIndexes {
  /** Returns the index for a member that is added to a list which has all members that were added before. */
  indexAlone(list: ListedMembers, step: EditStep, member: unknown): number;
  /** Returns the index for a member that the list below has at an index. */
  indexOfBelow(made: ListedMembers, base: ListedMembers, at: number): number | undefined;
  /** Returns the index for a member that a step adds. */
  indexOfStep(made: ListedMembers, step: EditStep, member: unknown): number | undefined;
  /** Returns the list below with the members that steps add. `isHiding`: edits have removed or moved members of it. */
  withSteps(base: ListedMembers, added: readonly AddedByStep[], isHiding: boolean): ListedMembers;
  /** Returns whether the members at an index and beside it are in the order of the list. */
  isInOrder(made: ListedMembers, at: number): boolean;
  /** Returns whether a changed member of the list below may stay where it is. */
  mayStay(made: ListedMembers, member: unknown): boolean;
  /** Returns whether guesses have put members beside a member of the list below. */
  hasBeside(list: ListedMembers, member: unknown): boolean;
}

/** Returns the list below with the members that steps add, one after the other. */
export function addStepByStep(
  members: EditedMembers,
  indexes: ListIndexes,
  base: ListedMembers,
  added: readonly AddedByStep[],
  isHiding: boolean,
): ListedMembers {
  if (!isHiding && added.length === 0) return base;
  const made = isHiding ? base.filter((member) => members.isBelow(member)) : copyOf(base);
  for (const { step, touched } of added) made.splice(indexes.indexAlone(made, step, touched.member), 0, touched.member);
  return made;
}

/** Returns the indexes between which a member of the list below has to be. */
export function indexesAround(
  members: EditedMembers,
  made: ListedMembers,
  base: ListedMembers,
  at: number,
): { readonly from: number; readonly to: number } {
  let [low, high] = [at - 1, at + 1];
  while (low >= 0 && !members.isBelow(base[low])) low--;
  while (high < base.length && !members.isBelow(base[high])) high++;
  return {
    from: low < 0 ? 0 : indexIn(made, base[low]) + 1,
    to: high < base.length ? indexIn(made, base[high]) : made.length,
  };
}

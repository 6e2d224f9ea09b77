import type { ListOrder } from './list-order.ts';
import type { RepeatEdits, RowEdit } from './schema.ts';
import type { RowPlace } from './tracked-edits.ts';

/** Where an edit puts a member: at an end, in the order of the list, in this order again if the list has it, or out of the list. */
export type EditTarget = 'first' | 'last' | 'ordered' | 'moved' | 'out';

/** What is known of the lists of a collection, beside their members. */
export interface EditedLists {
  /** Returns the order of a list, if it is known. */
  orderOf(place: RowPlace): ListOrder | undefined;
  /** Returns the member for a record. */
  refOf(table: string, pk: string): unknown;
  /** Returns how many members a page has room for. `undefined` if the list is whole, or if it is not known. */
  sizeOf(place: RowPlace): number | undefined;
  isLastPage(place: RowPlace): boolean;
}

/** How the edits of a guess change the members of a list. The store applies them. */
export interface MemberEdit extends RepeatEdits {
  readonly target: EditTarget;
  /** `undefined` if the order and the pages are not known. */
  readonly facts?: EditedLists;
}

/** One edit of one member. */
export interface EditStep {
  readonly edit: RowEdit;
  readonly target: EditTarget;
  /** A step with a higher turn comes later. */
  readonly turn: number;
}

/** Why a list has a member where it is: the list below has it there, or a step put it there. `undefined`: it is not in the list. */
export type MemberPlace = 'below' | EditStep | undefined;

/** A member that edits or changes concern. */
export interface Touched {
  readonly member: unknown;
  /** How often the list below has it. `undefined`: not known yet. */
  below: number | undefined;
  /** Its index in the list below, if it has arrived there. */
  index: number | undefined;
  /** The edits that concern it, in their order. */
  readonly steps: EditStep[];
  /** Its place in the list as it was made last. */
  shown: MemberPlace;
}

/** Returns the place of a member, now that its edits or the list below have changed. */
export function placeOf({ below, steps }: Touched): MemberPlace {
  let place: MemberPlace = below === 0 ? undefined : 'below';
  for (const step of steps)
    if (step.target === 'out') place = undefined;
    else if ((step.target === 'moved') === (place !== undefined)) place = step;
  return place;
}

export function isOrdered({ target }: EditStep): boolean {
  return target === 'ordered' || target === 'moved';
}

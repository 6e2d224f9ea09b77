import type { ListOrder } from './list-order.ts';
import type { RepeatEdits, RowEdit } from './row.ts';
import type { EditedRow } from './tracked-edits.ts';
import type { Trust } from './trust.ts';

/** Where an edit puts a member: at an end, in the order of the list, in this order again if the list has it, or out of the list. */
export type EditTarget = 'first' | 'last' | 'ordered' | 'moved' | 'out';

/** What is known of the lists of a collection, beside their members. */
export interface EditedLists {
  /** Returns the order of a list, if it is known. */
  orderOf(edited: EditedRow): ListOrder | undefined;
  /** Returns the member for a record. */
  refOf(table: string, pk: string): unknown;
  /** Returns how many members a page has room for. `undefined` if the list is whole, or if it is not known. */
  sizeOf(edited: EditedRow): number | undefined;
  /** Returns what is known of the answers of the lists. */
  trustOf(edited: EditedRow): Trust;
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
  /** When its mutation was issued. */
  readonly issue: number;
  /** A step with a higher turn comes later. */
  readonly turn: number;
}

/** What put a member where it is: the list below, or a step. `undefined`: the member is not in the list. */
export type PutBy = 'below' | EditStep | undefined;

/** A member that edits or changes concern. */
export interface Touched {
  readonly member: unknown;
  /** How often the list below has it. `undefined`: not known yet. */
  below: number | undefined;
  /** Its index in the list below, if it has arrived there. */
  index: number | undefined;
  /** The edits that concern it, in their order. */
  readonly steps: EditStep[];
  /** What has put it where it is in the list that was made last. */
  shown: PutBy;
  /** The index where it was put last, or -1. Other changes may have moved it since. */
  lastIndex: number;
}

/** Returns what puts a member into the list, now that its edits or the list below have changed. */
export function putBy({ below, steps }: Touched): PutBy {
  let by: PutBy = below === 0 ? undefined : 'below';
  for (const step of steps)
    if (step.target === 'out') by = undefined;
    else if ((step.target === 'moved') === (by !== undefined)) by = step;
  return by;
}

export function isOrdered({ target }: EditStep): boolean {
  return target === 'ordered' || target === 'moved';
}

import { copyPlain } from '../../std/plain.ts';
import { assign, type MergeMembers, push, unshift, without } from './collection-members.ts';
import { ASSIGN } from './map-edits.ts';
import { PUSH, REMOVE, UNSHIFT } from './member-edit.ts';
import { ChangeRules } from './merge-rules.ts';
import type { RepeatEdits } from './row.ts';

/** Merge rules that change the members of a stored collection, and never replace it as a whole. */
export class MemberRules extends ChangeRules {
  readonly #merge: MergeMembers;
  /** The end of a list at which it adds members. */
  readonly end: 'first' | 'last' | undefined;
  readonly #isOwn: boolean;
  readonly repeat: RepeatEdits | undefined;
  /** Whether it removes members. */
  readonly isRemoval: boolean;

  /** `isOwn`: `merge` is a function of this library, so it changes nothing in place. */
  constructor(key: string, merge: MergeMembers, isOwn: boolean = isOwnMerge(merge), isOfRead: boolean = false) {
    super(key, isOfRead);
    this.#merge = merge;
    this.end = endOf(merge);
    this.#isOwn = isOwn;
    this.repeat = REPEATS.get(merge);
    this.isRemoval = merge === without;
  }

  override merge(existing: unknown, incoming: unknown): unknown {
    if (this.#isOwn) return this.#merge(existing, incoming);
    // Copies, because a function of the application may change its arguments, or keep its result.
    return copyPlain(this.#merge(copyPlain(existing), copyPlain(incoming)));
  }
}

/** The functions of this library, which change nothing in place. With each, its edits. */
const REPEATS: ReadonlyMap<unknown, RepeatEdits> = new Map<unknown, RepeatEdits>([
  [push, PUSH],
  [unshift, UNSHIFT],
  [assign, ASSIGN],
  [without, REMOVE],
]);

/** Returns the end of a list at which `merge` adds members. `undefined` for other functions. */
export function endOf(merge: MergeMembers): 'first' | 'last' | undefined {
  return merge === push ? 'last' : merge === unshift ? 'first' : undefined;
}

/** Returns whether `merge` is a function of this library. */
export function isOwnMerge(merge: MergeMembers): boolean {
  return REPEATS.has(merge);
}

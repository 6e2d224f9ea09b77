import { noteDifferences, roomyCopyOf, type Splice } from '../../std/splice.ts';
import { indexIn, isSame, placeOfOnly } from './collection-members.ts';
import type { MemberPlace, Touched } from './edited-member.ts';

interface Entering {
  readonly touched: Touched;
  readonly place: Exclude<MemberPlace, undefined>;
  /** Members enter in this order. For members of the list below it is their index there. */
  readonly rank: number;
}

/** A list from which members are cut, and into which they are put again. */
export class MovingMembers {
  readonly #from: readonly unknown[];
  readonly #cuts: number[] = [];
  readonly #entering: Entering[] = [];
  readonly #puts: number[] = [];
  #made: unknown[] = [];

  constructor(from: readonly unknown[]) {
    this.#from = from;
  }

  /** Cuts out a member. */
  cut(member: unknown): void {
    this.#cuts.push(indexIn(this.#from, member));
  }

  enter(entering: Entering): void {
    this.#entering.push(entering);
  }

  /** Returns the list without the members that are cut out. */
  left(): readonly unknown[] {
    if (this.#cuts.length + this.#entering.length === 0) return this.#from;
    this.#made = roomyCopyOf(this.#from, this.#entering);
    // From the last, so that the places of the others stay the same.
    for (const at of this.#cuts.sort((one, other) => other - one)) this.#made.splice(at, 1);
    return this.#made;
  }

  /** Returns the members that enter, in their order. */
  entering(): readonly Entering[] {
    return this.#entering.sort((one, other) => one.rank - other.rank);
  }

  put(at: number, member: unknown): void {
    this.#puts.push(at);
    this.#made.splice(at, 0, member);
  }

  /** Returns the list, and notes how it differs from the former one. `base`: an equal list to return instead. */
  result(base: readonly unknown[] | undefined): readonly unknown[] {
    if (this.#isSame()) return this.#from;
    const [first = 0] = this.#puts;
    const made = base ?? this.#made;
    if (!this.#puts.every((at, nth) => at === first + nth)) return made;
    const splices: Splice[] = this.#cuts.map((at) => ({ at, removed: 1, added: 0 }));
    if (this.#puts.length > 0) splices.push({ at: first, removed: 0, added: this.#puts.length });
    return noteDifferences(made, this.#from, splices);
  }

  #isSame(): boolean {
    const { length } = this.#puts;
    if (length !== this.#cuts.length) return false;
    const to = Math.max(...this.#cuts, ...this.#puts.map((at) => at + length));
    for (let at = Math.min(...this.#cuts, ...this.#puts); at <= to && at < this.#from.length; at++)
      if (!isSame(this.#from[at], this.#made[at])) return false;
    return true;
  }
}

/** Returns the index of the first member for which `isAfter` is true. All members behind it are after it, too. */
export function firstIndex(list: readonly unknown[], isAfter: (member: unknown) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** As `placeOfOnly`. Most members of a list below are the same objects in the list with the edits. */
export function placeBeside(list: readonly unknown[], member: unknown): number | undefined {
  const at = list.indexOf(member);
  if (at < 0) return placeOfOnly(list, member);
  return list.lastIndexOf(member) === at ? at : undefined;
}

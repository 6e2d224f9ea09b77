import { noteDifferences, passNameIndex, roomyCopyOf, type Splice } from '../../std/splice.ts';
import { indexIn, isSameMember } from './collection-members.ts';
import type { PutBy, Touched } from './edited-member.ts';

interface Entering {
  readonly touched: Touched;
  readonly putBy: Exclude<PutBy, undefined>;
  /** Members enter in the order of their ranks. The rank of a member of the list below is its index there. */
  readonly rank: number;
}

/** A list from which members are cut, and into which they are put again. */
export class MovingMembers {
  readonly #from: readonly unknown[];
  readonly #cuts: number[] = [];
  readonly #entering: Entering[] = [];
  readonly #puts: number[] = [];
  /** Whether it is the list below the edits, which keeps the index of its members. */
  readonly #isBase: boolean;
  #made: unknown[] = [];

  constructor(from: readonly unknown[], isBase: boolean) {
    this.#from = from;
    this.#isBase = isBase;
  }

  /** Cuts out a member. */
  cut({ lastIndex, member }: Touched): void {
    // Usually nothing has moved it. A search would compare half of the list.
    this.#cuts.push(isSameMember(this.#from[lastIndex], member) ? lastIndex : indexIn(this.#from, member));
  }

  enter(entering: Entering): void {
    this.#entering.push(entering);
  }

  /** Returns the list without the members that are cut out. */
  remaining(): readonly unknown[] {
    if (this.#cuts.length + this.#entering.length === 0) return this.#from;
    this.#made = roomyCopyOf(this.#from, this.#entering);
    if (!this.#isBase) passNameIndex(this.#from, this.#made, [], 0, 0);
    // From the last, so that the indexes of the others stay the same.
    for (const at of this.#cuts.sort((one, other) => other - one))
      passNameIndex(this.#made, this.#made, this.#made.splice(at, 1), at, 0);
    return this.#made;
  }

  /** Returns the members that enter, in their order. */
  entering(): readonly Entering[] {
    return this.#entering.sort((one, other) => one.rank - other.rank);
  }

  put(at: number, touched: Touched): void {
    touched.lastIndex = at;
    this.#puts.push(at);
    this.#made.splice(at, 0, touched.member);
    passNameIndex(this.#made, this.#made, [], at, 1);
  }

  /** Returns the list below, because no edit is left. Members enter where that list has them. */
  finish(base: readonly unknown[]): readonly unknown[] {
    this.#cuts.sort((one, other) => other - one);
    for (const { rank } of this.entering()) this.#puts.push(rank);
    return this.result(base);
  }

  /** Returns the list, and notes how it differs from the former one. */
  result(made: readonly unknown[] = this.#made): readonly unknown[] {
    if (this.#isSame(made)) {
      if (made === this.#made) passNameIndex(made, this.#from, [], 0, 0);
      return this.#from;
    }
    const [first = 0] = this.#puts;
    if (!this.#puts.every((at, nth) => at === first + nth)) return made;
    const splices: Splice[] = this.#cuts.map((at) => ({ at, removed: 1, added: 0 }));
    if (this.#puts.length > 0) splices.push({ at: first, removed: 0, added: this.#puts.length });
    return noteDifferences(made, this.#from, splices);
  }

  #isSame(made: readonly unknown[]): boolean {
    const { length } = this.#puts;
    if (length !== this.#cuts.length) return false;
    const to = Math.max(...this.#cuts, ...this.#puts.map((at) => at + length));
    for (let at = Math.min(...this.#cuts, ...this.#puts); at <= to && at < this.#from.length; at++)
      if (!isSameMember(this.#from[at], made[at])) return false;
    return true;
  }
}

import { isSort } from './argument-names.ts';
import type { CollectionKey } from './collection-key.ts';
import { type Candidate, warnOfRule } from './candidate.ts';
import type { ListOrderBy } from './list-rules.ts';

/** Returns whether only the server knows the order of lists with this key. */
export function isOrderUnknown(args: CollectionKey, orderBy: ListOrderBy | undefined): boolean {
  return Object.keys(args).some(isSort) && (orderBy === undefined || orderBy.length < 3);
}

/** Returns the words of the arguments by which a list is sorted: `owner` and `name` for `sort: '-owner.name'`, `name` for `'order[name]': 'asc'`. */
export function sortWordsOf(args: CollectionKey): readonly string[] {
  return Object.keys(args)
    .filter(isSort)
    .flatMap((name) => JSON.stringify([name.split('[').slice(1), args[name]]).split(/[^A-Za-z0-9_]/));
}

/** Which indexes of a list are considered for a member. */
interface InsertOptions {
  /** The first and the last index for the member. */
  readonly from?: number;
  readonly to?: number;
  /** The index of a member to ignore, as if the list did not have it. */
  readonly without?: number;
  /** Whether the member comes before another one that is equal to it in this order, and not after it. */
  readonly comesBefore?: ((other: unknown) => boolean) | undefined;
}

/** The order of one list, by `orderBy` of its collection. */
export class ListOrder {
  readonly #args: CollectionKey;
  readonly #orderBy: ListOrderBy;
  readonly #table: string;
  readonly #candidateOf: (member: unknown) => Candidate | undefined;
  /** False if a comparison threw, or a compared record lacked a field. */
  isSure = true;

  constructor(
    table: string,
    args: CollectionKey,
    orderBy: ListOrderBy,
    candidateOf: (member: unknown) => Candidate | undefined,
  ) {
    this.#table = table;
    this.#args = args;
    this.#orderBy = orderBy;
    this.#candidateOf = candidateOf;
  }

  /**
   * Returns the index for a new member: after the last member that does not come after it. Members that cannot be compared are skipped. If
   * no comparison succeeds, it is the end.
   */
  indexFor(list: readonly unknown[], member: unknown, options: InsertOptions = {}): number {
    const { comesBefore, from = 0, without = list.length } = options;
    const to = options.to ?? (without < list.length ? list.length - 1 : list.length);
    const made = this.#candidateOf(member);
    if (made === undefined) return to;
    const memberAt = (at: number): unknown => list[at < without ? at : at + 1];
    let isCompared = from === to;
    let [low, high] = [from, to];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      let at = middle;
      let found = this.compare(this.#candidateOf(memberAt(at)), made);
      while (found === undefined && ++at < high) found = this.compare(this.#candidateOf(memberAt(at)), made);
      isCompared ||= found !== undefined;
      if (found === undefined || found > 0 || (found === 0 && comesBefore?.(memberAt(at)) === true)) high = middle;
      else low = at + 1;
    }
    return isCompared ? low : to;
  }

  /** Returns whether the members of a list from one index to another are in this order. False if one of them cannot be compared. */
  isKept(list: readonly unknown[], from: number = 0, to: number = list.length - 1): boolean {
    let before: Candidate | undefined;
    for (let at = from; at <= to; at++) {
      const next = this.#candidateOf(list[at]);
      const found = next && this.compare(before ?? next, next);
      if (found === undefined || found > 0) return false;
      before = next;
    }
    return true;
  }

  /** Compares two records. Returns `undefined` if they cannot be compared. */
  compare(other: Candidate | undefined, made: Candidate): number | undefined {
    if (other === undefined) return undefined;
    other.isMissing = false;
    made.isMissing = false;
    try {
      // As for Array.sort, NaN is 0.
      return this.#orderBy(other.view, made.view, this.#args) || 0;
    } catch (error) {
      this.isSure = false;
      warnOfRule(this.#table, 'orderBy', this.#orderBy, error);
      return undefined;
    } finally {
      if (other.isMissing || made.isMissing) this.isSure = false;
    }
  }
}

import { MARK_LENGTH, markOfTable } from '../../define/schema/own-pk.ts';
import { randomText } from '../../std/random-text.ts';
import { TEMPORARY } from '../tables/temporary-names.ts';

/** Makes the pks of records that are being created, and recognizes them. */
export class TemporaryPkMaker {
  /** The prefix of the temporary pks of this store: a text that no user types, and that no other store has. */
  #start: string | undefined;
  #count = 0;
  /** The pks of records that are being created elsewhere. */
  readonly #others = new Set<string>();

  /**
   * Returns a new pk for a record of a table, or that of the same record elsewhere. It is replaced wherever a request mentions it, so it must
   * differ from any text of a user.
   */
  make(table: string, elsewhere?: string): string {
    if (elsewhere !== undefined) {
      this.#others.add(elsewhere);
      return elsewhere;
    }
    this.#start ??= TEMPORARY + randomText().slice(MARK_LENGTH);
    this.#count++;
    return `${this.#start}${markOfTable(table)}:${this.#count}`;
  }

  /** Returns whether a pk was returned by `make`. */
  isOwn(pk: string): boolean {
    if (this.#others.has(pk)) return true;
    if (this.#start === undefined || !pk.startsWith(this.#start)) return false;
    const number = pk.slice(this.#start.length + MARK_LENGTH + 1);
    return Number(number) <= this.#count && String(Number(number)) === number;
  }
}

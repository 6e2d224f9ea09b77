import { randomText } from '../../std/random-text.ts';

/** Makes the pks of records that are being created, and tells them from all others. */
export class TemporaryPkMaker {
  /** What those of this store begin with: a text that no user types, and that no other store has. */
  #start: string | undefined;
  #count = 0;

  /** A pk that no record has. It is replaced wherever a request mentions it, so no text of a user may be the same. */
  make(): string {
    this.#start ??= `temp:${randomText()}:`;
    this.#count++;
    return `${this.#start}${this.#count}`;
  }

  /** Whether a pk was made here. */
  isOwn(pk: string): boolean {
    if (this.#start === undefined || !pk.startsWith(this.#start)) return false;
    const number = pk.slice(this.#start.length);
    return Number(number) <= this.#count && String(Number(number)) === number;
  }
}

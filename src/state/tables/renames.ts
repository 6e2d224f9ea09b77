import type { ToNotify } from '../graph/mark.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import { isTemporary, type PkOf, withServerPk } from './temporary-names.ts';

/** The names by which values are compared: those with a temporary pk that is an alias have the pk of the server. */
export class Renames {
  /** Emitted when a name that was asked for has become another one. */
  readonly signal: SignalCell = new SignalCell();
  /** Counts how many times aliases were added or removed. */
  version = 0;
  readonly #asked = new Map<string, string>();
  readonly #serverPk: PkOf;

  constructor(serverPk: PkOf) {
    this.#serverPk = serverPk;
  }

  /** Returns the name by which a value is compared. An arrow function, so that it can be passed on. */
  readonly nameOf = (name: string): string => {
    if (!isTemporary(name)) return name;
    const now = withServerPk(name, this.#serverPk);
    this.#asked.set(name, now);
    return now;
  };

  /** Returns a test whether a name is among others. */
  isAmong(names: readonly string[]): (name: string) => boolean {
    const text = names.join();
    return (name) =>
      names.includes(name) ||
      (isTemporary(text + name) && names.some((other) => this.nameOf(other) === this.nameOf(name)));
  }

  /** Called when aliases were added or removed. */
  update(toNotify: ToNotify): void {
    this.version++;
    if (![...this.#asked].some(([name, known]) => withServerPk(name, this.#serverPk) !== known)) return;
    // The cells that depend on the signal ask again.
    this.#asked.clear();
    this.signal.emit(toNotify);
  }
}

import type { Cells } from '../denormalize/cells.ts';
import type { Cell } from '../graph/cell.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import { isTemporary, type PkOf, withServerPk } from '../tables/temporary-names.ts';

/**
 * Returns the names by which values are compared: a temporary pk in a name is replaced by the pk of the server, once that is known. As a signal, it
 * notifies its readers when a name that they asked for has become another one.
 */
export class Renames extends SignalCell {
  readonly #asked = new Map<string, string>();
  readonly #renamed: Cell;
  readonly #serverPk: PkOf;

  constructor(renamed: Cell, serverPk: PkOf) {
    super();
    this.#renamed = renamed;
    this.#serverPk = serverPk;
  }

  /** Returns the name under which a value is compared. */
  readonly nameOf: PkOf = (name) => {
    if (!isTemporary(name)) return name;
    const now = withServerPk(name, this.#serverPk);
    this.#asked.set(name, now);
    return now;
  };

  /** Returns a function that tests whether a name is among others. */
  isAmong(names: readonly string[]): (name: string) => boolean {
    const isRenamed = this.isRenamed(names);
    return (name) => names.includes(name) || isRenamed(name);
  }

  /** Returns a function that tests whether a name becomes one of others, because one of the two has a temporary pk. */
  isRenamed(names: readonly string[]): (name: string) => boolean {
    const hasTemporary = names.some(isTemporary);
    return (name) =>
      (hasTemporary || isTemporary(name)) && names.some((other) => this.nameOf(other) === this.nameOf(name));
  }

  override linkTo(parent: Cell): void {
    this.link([this.#renamed]);
    super.linkTo(parent);
  }

  override markUncleanBy(): boolean {
    if (![...this.#asked].some(([name, known]) => withServerPk(name, this.#serverPk) !== known)) return false;
    // The cells that depend on the signal ask again.
    this.#asked.clear();
    return true;
  }
}

/** Returns the renames for the values of a field, in the store, in a layer or in a snapshot. `''` stands for values that are in no field. */
export function renamesOf({ shared, space }: Cells, field: string = ''): Renames {
  return shared.get(space, `renames ${field}`, () => new Renames(space.renamed, space.serverPk)) as Renames;
}

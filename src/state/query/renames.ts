import type { Cells } from '../denormalize/cells.ts';
import type { Cell } from '../graph/cell.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import { isTemporary, type PkOf, withServerPk } from '../tables/temporary-names.ts';

/**
 * The names by which values are compared: those with a temporary pk that is an alias have the pk of the server. It signals that a name that was
 * asked for has become another one.
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

  /** Returns a test whether a name is among others. */
  isAmong(names: readonly string[]): (name: string) => boolean {
    const isRenamed = this.isRenamed(names);
    return (name) => names.includes(name) || isRenamed(name);
  }

  /** Returns a test whether a name becomes one of others, because one of the two has a temporary pk. */
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

/** Returns the names of values of a field in the store, in a layer or in a snapshot. Values that no field has are those of the field ''. */
export function renamesOf({ shared, space }: Cells, field: string = ''): Renames {
  return shared.get(space, `renames ${field}`, () => new Renames(space.renamed, space.serverPk)) as Renames;
}

import { equalPlain } from '../../std/plain.ts';
import type { Cell } from '../graph/cell.ts';
import { NO_PARTS } from '../graph/cell.ts';
import type { RowsPlan } from '../tables/plan.ts';
import { type RowCell } from '../tables/table.ts';
import { type RowPlace, type RowReader, UNSETTLED } from '../tables/row-reader.ts';
import { isRow } from '../tables/table.ts';
import { type Parts, relink } from './parts.ts';
import type { Variant } from './variant.ts';

/** Makes the value of a stored collection: that of the list, or of the map, that its row is. */
export class RowsReader implements RowReader {
  readonly #plan: RowsPlan;
  readonly #parts: Parts;
  readonly #variant: Variant;

  constructor(plan: RowsPlan, parts: Parts, variant: Variant) {
    this.#plan = plan;
    this.#parts = parts;
    this.#variant = variant;
  }

  prepare(place: RowPlace): readonly (Cell | undefined)[] {
    if (this.#parts.space.unlinked.delete(place as RowCell) || place.row !== place.built) {
      const old = place.parts;
      place.parts = isRow(place.row)
        ? [this.#parts.find(this.#plan.inner, place.row, this.#variant, old[0])]
        : NO_PARTS;
      relink(place, old, place.parts);
      // The list looks at its members now: deleting one must find the way up from it.
      place.parts[0]?.prepare();
    }
    if (place.built !== undefined && place.built !== UNSETTLED && equalPlain(place.row, place.built))
      place.built = place.row;
    return place.parts;
  }

  isChanged(place: RowPlace): boolean {
    return place.row !== place.built || (place.parts.length > 0 && place.parts[0]?.value !== place.value);
  }

  open(place: RowPlace): void {
    place.value = isRow(place.row) ? place.parts[0]?.value : place.row;
  }

  isBroken(): boolean {
    return false;
  }

  fill(place: RowPlace): void {
    if (place.parts.length > 0) place.value = place.parts[0]?.value;
  }

  seal(place: RowPlace): void {
    place.built = place.row;
  }
}

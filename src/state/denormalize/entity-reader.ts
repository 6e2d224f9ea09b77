import { assignFields } from '../../define/schema/fields.ts';
import { INVALID, type Row } from '../../define/schema/schema.ts';
import { DataError } from '../../std/data-error.ts';
import { equalPlain, freezePlain } from '../../std/plain.ts';
import { type Cell, NO_PARTS } from '../graph/cell.ts';
import type { EntityPlan, FieldPlan } from '../tables/plan.ts';
import { type RowPlace, type RowReader, UNSETTLED } from '../tables/row-reader.ts';
import { isRow } from '../tables/table.ts';
import { converted } from './converted.ts';
import { type Parts, relink } from './parts.ts';
import type { Variant } from './variant.ts';

type Fields = Record<string, unknown>;

/** Makes instances of an entity class of its rows. */
export class EntityReader implements RowReader {
  readonly #plan: EntityPlan;
  readonly #class: new (props: Row) => object;
  readonly #parts: Parts;
  readonly #variant: Variant;

  constructor(plan: EntityPlan, parts: Parts, variant: Variant) {
    this.#plan = plan;
    // Entity is abstract so that nobody makes one by hand; here it is the class that was declared.
    this.#class = plan.entity as unknown as new (props: Row) => object;
    this.#parts = parts;
    this.#variant = variant;
  }

  prepare(place: RowPlace): readonly (Cell | undefined)[] {
    // There and back again between two reads: the row is another object and says the same.
    if (place.built !== undefined && place.built !== UNSETTLED && equalPlain(place.row, place.built))
      place.built = place.row;
    if (place.row === place.built) return place.parts;
    const { refs } = this.#plan.current;
    place.built = UNSETTLED;
    if (refs.length === 0 && place.parts.length === 0) return NO_PARTS;
    const old = place.parts;
    place.parts = isRow(place.row) && this.#variant.depth > 0 ? this.#find(refs, place.row as Fields, old) : NO_PARTS;
    relink(place, old, place.parts);
    return place.parts;
  }

  #find(refs: readonly FieldPlan[], row: Fields, old: readonly (Cell | undefined)[]): (Cell | undefined)[] {
    const parts = new Array<Cell | undefined>(refs.length);
    for (let at = 0; at < refs.length; at++) {
      const { name, plan } = refs[at] as FieldPlan;
      const stored = row[name];
      const isThere = stored !== undefined && stored !== null;
      parts[at] = isThere ? this.#parts.find(plan, stored, this.#variant, old[at]) : undefined;
    }
    return parts;
  }

  isChanged(place: RowPlace): boolean {
    if (place.row !== place.built) return true;
    if (!isRow(place.row)) return false;
    if (place.value === INVALID) return !this.isBroken(place);
    if (place.value === undefined) return true;
    const { refs } = this.#plan;
    for (let at = 0; at < place.parts.length; at++) {
      const part = place.parts[at];
      if (part === undefined) continue;
      const { name, required } = refs[at] as FieldPlan;
      if ((place.value as Fields)[name] !== shown(part) || (required && part.value === INVALID)) return true;
    }
    return false;
  }

  open(place: RowPlace): void {
    place.value = isRow(place.row) ? this.#instance(place.row) : place.row;
  }

  isBroken(place: RowPlace): boolean {
    for (let at = 0; at < place.parts.length; at++)
      if (place.parts[at]?.value === INVALID && (this.#plan.refs[at] as FieldPlan).required) return true;
    return false;
  }

  fill(place: RowPlace): void {
    for (let at = 0; at < place.parts.length; at++) {
      const part = place.parts[at];
      if (part !== undefined) (place.value as Fields)[(this.#plan.refs[at] as FieldPlan).name] = shown(part);
    }
  }

  seal(place: RowPlace): void {
    place.built = place.row;
    if (this.#parts.frozen && typeof place.value === 'object' && !Object.isFrozen(place.value)) {
      for (const value of Object.values(place.value as Fields)) freezePlain(value);
      Object.freeze(place.value);
    }
  }

  #instance(row: Row): unknown {
    const { entity, hooks } = this.#plan;
    try {
      if (hooks.create) return this.#converted(entity.createIfValid({ ...row }), row);
      if (hooks.validate && entity.validate(row) !== undefined) return INVALID;
      if (hooks.fromJS) return this.#converted(entity.fromJS({ ...row }), row);
      return this.#converted(assignFields(new this.#class(row), row), row);
    } catch (error) {
      throw new DataError('hook-failed', `Making a ${entity.key} of its row failed: ${String(error)}.`, {
        entity: entity.key,
        cause: error,
      });
    }
  }

  #converted(instance: unknown, row: Row): unknown {
    if (typeof instance !== 'object' || instance === null) return INVALID;
    for (const { name, convert } of this.#plan.converts) {
      const made = converted(convert, (instance as Fields)[name], { entity: this.#plan.entity.key, path: name });
      // A default is what the class says; only what the server sent can be wrong.
      if (!(made instanceof DataError) || Object.hasOwn(row, name)) (instance as Fields)[name] = made;
    }
    return instance;
  }
}

/** What a field shows of its part. An invalid one is not shown; `isBroken` says where that is not enough. */
function shown(part: Cell): unknown {
  return part.value === INVALID ? undefined : part.value;
}

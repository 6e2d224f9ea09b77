import { assignFields, setField, writableCopy } from '../../define/schema/fields.ts';
import { setKey, setNames } from '../../define/schema/key-of.ts';
import { isEmptyRef } from '../../define/schema/pk.ts';
import { INVALID, type Row } from '../../define/schema/row.ts';
import { DataError } from '../../std/data-error.ts';
import { freezePlain, type WritableFields } from '../../std/plain.ts';
import { type Cell, NO_PARTS, type Parts } from '../graph/cell.ts';
import type { EntityPlan, FieldPlan } from '../tables/plan.ts';
import { TEMPORARY } from '../tables/temporary-names.ts';
import { isRow, type RowCell, type RowReader, UNSETTLED } from '../tables/table.ts';
import { converted } from './converted.ts';
import type { Cells } from './cells.ts';
import { USUAL, type Variant } from './variant.ts';

/** Makes instances of an entity class from its rows. */
export class EntityReader implements RowReader {
  readonly #plan: EntityPlan;
  readonly #class: new (props: Row) => object;
  readonly #cells: Cells;
  readonly #variant: Variant;
  readonly seal: ((cell: RowCell) => void) | undefined;

  constructor(plan: EntityPlan, cells: Cells, variant: Variant) {
    this.#plan = plan;
    // A cast, because Entity is abstract so that applications do not construct it. This is a declared subclass.
    this.#class = plan.entity as unknown as new (props: Row) => object;
    this.#cells = cells;
    this.#variant = variant;
    this.seal = cells.isFrozen ? freeze : undefined;
  }

  get usual(): unknown {
    return this.#variant === USUAL ? this.#plan.entity : undefined;
  }

  isForeign(fields: readonly string[]): boolean {
    return this.#plan.isForeign(fields);
  }

  prepare(cell: RowCell): Parts {
    if (cell.built !== undefined) cell.recognize();
    if (cell.row !== cell.built) {
      const { refs } = this.#plan.current;
      cell.built = UNSETTLED;
      if (refs.length > 0 || cell.parts.length > 0)
        cell.link(isRow(cell.row) ? this.#find(refs, cell.row as WritableFields, cell.parts) : NO_PARTS);
    }
    // A relation that a record shows is not a part from which the record is built.
    return this.#plan.shows.length === 0 ? cell.parts : cell.parts.filter((part) => part?.shownBy === undefined);
  }

  #find(refs: readonly FieldPlan[], row: WritableFields, old: Parts): Parts {
    const parts = new Array<Cell | undefined>(refs.length);
    const isDeepest = this.#variant.depth === 0;
    for (let at = 0; at < refs.length; at++) {
      const { name, plan, relation, isForeign } = refs[at] as FieldPlan;
      const stored = row[name];
      // If responses never have nested records in this field, a class that does not declare the field expects pks in it.
      const isThere = !isDeepest && stored !== undefined && stored !== null && (!isForeign || relation.isNested);
      // If no class with this relation was known when the row was stored, the pk is still a number.
      const pk = typeof stored === 'number' && stored !== 0 && plan.kind === 'entity' ? String(stored) : stored;
      parts[at] = isThere ? this.#cells.find(plan, pk, this.#variant, old[at]) : undefined;
    }
    if (this.#plan.shows.length > 0) parts.push(...old.filter((part) => part?.shownBy !== undefined));
    return parts;
  }

  isChanged(cell: RowCell): boolean {
    if (cell.value === INVALID) return !this.#isBroken(cell);
    if (cell.value === undefined) return true;
    const { refs } = this.#plan;
    for (let at = 0; at < refs.length; at++) {
      const part = cell.parts[at];
      if (part === undefined) continue;
      const field = refs[at] as FieldPlan;
      if ((cell.value as WritableFields)[field.name] !== valueOfPart(part)) return true;
      if (part.value === INVALID && this.#plan.requires(field)) return true;
    }
    return false;
  }

  open(cell: RowCell): void {
    const { row, table } = cell;
    cell.value = isRow(row) ? this.#instance(row) : row;
    if (table.aliases.size > 0 || this.#plan.hooks.pk) this.#noteTemporaryPks(cell);
    const key = table.aliases.changed?.keyOf(cell.pk);
    if (key !== undefined) setKey(Object(cell.value) as object, key);
    if (cell.value !== INVALID && isRow(row)) for (const show of this.#plan.shows) show(cell, this.#cells);
  }

  /** Returns whether the value does not show all of its relations yet. */
  isOpen({ parts, value }: RowCell): boolean {
    const { shows } = this.#plan;
    return shows.length > 0 && parts.filter((part) => part?.shownBy === value).length < shows.length;
  }

  /** Passes the temporary pks of a created record to `keyOf`. */
  #noteTemporaryPks({ pk, table, value }: RowCell): void {
    const own = pk.startsWith(TEMPORARY) ? [pk] : [];
    const [first, ...others] = [...own, ...table.aliases.temporariesOf(pk)];
    if (first !== undefined) setNames(Object(value) as object, [first, ...others]);
  }

  /** Returns whether a required part other than the cell itself is invalid. */
  #isBroken(cell: RowCell): boolean {
    return this.#plan.refs.some((field, at) => {
      const part = cell.parts[at];
      return part?.value === INVALID && part !== cell && this.#plan.requires(field);
    });
  }

  fill(cell: RowCell): void {
    const { refs } = this.#plan;
    for (let at = 0; at < refs.length; at++) {
      const part = cell.parts[at];
      if (part === undefined) continue;
      const field = refs[at] as FieldPlan;
      if (part.value === INVALID && this.#plan.requires(field)) {
        cell.value = INVALID;
        return;
      }
      setField(cell.value as object, field.name, valueOfPart(part), this.#plan.entity.key);
    }
  }

  #instance(stored: Row): unknown {
    const { entity, hooks, refNames, refs } = this.#plan;
    const row = withoutEmptyRefs(stored, refs);
    // Hooks get the data of the row itself, so it is frozen first.
    if (this.#cells.isFrozen && (hooks.create || hooks.validate || hooks.fromJS))
      for (const [field, value] of Object.entries(row)) if (!refNames.has(field)) freezePlain(value);
    try {
      if (hooks.create) return this.#writableInstance(entity.createIfValid({ ...row }), row);
      if (hooks.validate && entity.validate({ ...row }) !== undefined) return INVALID;
      if (hooks.fromJS) return this.#writableInstance(entity.fromJS({ ...row }), row);
      const made = new this.#class(row);
      const instance = assignFields(Object.isExtensible(made) ? made : writableCopy(made), row);
      return this.#converted(instance, row);
    } catch (error) {
      if (error instanceof DataError) throw error;
      throw new DataError('hook-failed', `Creating a ${entity.key} from its row failed: ${String(error)}.`, {
        entity: entity.key,
        cause: error,
      });
    }
  }

  /** Returns what a hook of the class has made, with writable fields if any is still to be set. */
  #writableInstance(made: unknown, row: Row): unknown {
    if (typeof made !== 'object' || made === null) return INVALID;
    const { refs, converts } = this.#plan;
    return refs.length === 0 && converts.length === 0
      ? made
      : this.#converted(Object.isExtensible(made) ? made : writableCopy(made), row);
  }

  #converted(instance: object, row: Row): object {
    const { entity, converts } = this.#plan;
    for (const { name, convert } of converts) {
      const value = converted(convert, (instance as WritableFields)[name], { entity: entity.key, path: name });
      // An error in a default value is a matter of the class. Only errors in data of the server are reported.
      if (!(value instanceof DataError) || Object.hasOwn(row, name)) setField(instance, name, value, entity.key);
    }
    return instance;
  }
}

function freeze({ value }: RowCell): void {
  // Also the case for INVALID.
  if (Object.isFrozen(value)) return;
  for (const field of Object.values(value as WritableFields)) freezePlain(field);
  Object.freeze(value);
}

/** Returns the value of a field with a part. An invalid part is `undefined`; `#isBroken` checks required ones. */
function valueOfPart(part: Cell): unknown {
  return part.value === INVALID ? undefined : part.value;
}

/** Returns the row without empty references, so that the default of the class shows. */
function withoutEmptyRefs(row: Row, refs: readonly FieldPlan[]): Row {
  let rest: Row | undefined;
  for (const { name, plan, isForeign } of refs) {
    if (plan.kind !== 'entity' || isForeign || !isEmptyRef((row as WritableFields)[name])) continue;
    rest ??= { ...row };
    delete (rest as WritableFields)[name];
  }
  return rest ?? row;
}

import type { SchemaSimple } from '../../define/schema/schema.ts';
import { isPlain } from '../../std/plain.ts';
import type { Cell } from '../graph/cell.ts';
import { CellMap } from '../graph/cell-map.ts';
import { resolve } from '../graph/resolve.ts';
import type { AllPlan, EntityPlan, ListPlan, Plan, RowsPlan } from '../tables/plan.ts';
import { Space } from '../tables/space.ts';
import type { Below, RowReader } from '../tables/table.ts';
import { AllCell } from './all-cell.ts';
import { EntityReader } from './entity-reader.ts';
import { type Lens, lensesOf, readLens } from './lenses.ts';
import { Items } from './items.ts';
import { ListCell } from './list-cell.ts';
import { MapCell } from './map-cell.ts';
import type { Cells, LateCheck } from './cells.ts';
import { RowsReader } from './rows-reader.ts';
import { StructureCell } from './structure-cell.ts';
import { USUAL, type Variant } from './variant.ts';
import { VariantCell } from './variant-cell.ts';

/** Returns a reader that takes values from another space where they are the same, and uses `reader` for all others. */
export type WrapReader = (reader: RowReader, plan: EntityPlan | RowsPlan) => RowReader;

/** Finds the cells of one space from which values are built, and makes missing ones. */
export class CellFinder implements Cells {
  readonly space: Space;
  readonly isFrozen: boolean;
  readonly #wrapReader: WrapReader;
  #lenses: WeakMap<Plan, ReadonlySet<Lens>> | undefined = undefined;
  /** The revision of the space at which the lenses were collected. */
  #revision = 0;
  /** The cells of variants, by the name of their plan. */
  readonly variants: CellMap<VariantCell> = new CellMap();
  readonly shared: CellMap<Cell> = new CellMap();
  /** Whether code of the application may be running to build a value. It must not write then. */
  isReading = false;
  readonly late: Set<LateCheck> = new Set();

  constructor(isFrozen: boolean, below?: Below, wrapReader: WrapReader = (reader) => reader) {
    this.isFrozen = isFrozen;
    this.#wrapReader = wrapReader;
    this.space = new Space(this.#reader, below);
  }

  find(plan: Plan, stored: unknown, variant: Variant, old: Cell | undefined): Cell | undefined {
    switch (plan.kind) {
      case 'entity':
      case 'rows':
        return typeof stored === 'string' && stored !== '' ? this.#row(plan, stored, variant) : undefined;
      case 'list':
        return Array.isArray(stored) ? this.#list(plan, stored, variant, old) : undefined;
      case 'choice':
        return plan.choice.isRef(stored)
          ? this.find(this.space.planOf(plan.choice.schemaOf(stored.schema)), stored.id, variant, old)
          : undefined;
      case 'all':
        // For a list, a Query may have selected some of the records.
        return Array.isArray(stored)
          ? this.#structure(plan.schema, stored, variant, old)
          : this.#all(plan, variant, old);
      case 'structure':
        return this.#structure(plan.schema, stored, variant, old);
      default:
        return undefined;
    }
  }

  #structure(schema: SchemaSimple, stored: unknown, variant: Variant, old: Cell | undefined): Cell | undefined {
    if (schema.cell !== undefined) return schema.cell(this, stored, variant.args, old) as Cell | undefined;
    if (schema.mapOf !== undefined && isPlain(stored) && !Array.isArray(stored))
      return this.#map(schema, stored, variant, old);
    if (!(old instanceof StructureCell) || old.schema !== schema)
      return new StructureCell(schema, this, variant, stored);
    old.store(stored);
    return old;
  }

  #map(schema: SchemaSimple, stored: object, variant: Variant, old: Cell | undefined): MapCell {
    if (!(old instanceof MapCell) || old.schema !== schema)
      return new MapCell(schema, new Items(this.space.planOf(schema.mapOf), this, variant), this.isFrozen, stored);
    old.store(stored);
    return old;
  }

  /** Returns one shared cell for all readers with the same value. A reader with other arguments or another depth gets its own. */
  #all(plan: AllPlan, variant: Variant, old: Cell | undefined): Cell {
    const isUsual = variant.depth === Number.POSITIVE_INFINITY && this.#lensesOf(plan).size === 0;
    if (!isUsual) return old instanceof AllCell ? old : new AllCell(plan, this, variant, () => {});
    return this.shared.get(plan, 'all', () => new AllCell(plan, this, USUAL, () => this.shared.delete(plan, 'all')));
  }

  /** Returns the value of a cell. In a running walk, `resolve` continues that walk. */
  read(cell: Cell): unknown {
    // Iterating a set also visits elements that are added meanwhile.
    for (const one of this.late) {
      this.late.delete(one);
      one.check();
    }
    if (cell.clean) return cell.value;
    const wasReading = this.isReading;
    this.isReading = true;
    try {
      return resolve(cell);
    } finally {
      this.isReading = wasReading;
    }
  }

  /** Removes every cell that is not in a table. */
  clear(): void {
    this.variants.forget(() => false);
    this.shared.forget(() => false);
  }

  #list(plan: ListPlan, stored: readonly unknown[], variant: Variant, old: Cell | undefined): ListCell {
    const isUsual = variant.depth === Number.POSITIVE_INFINITY && this.#lensesOf(plan).size === 0;
    if (!(old instanceof ListCell) || old.plan !== plan || old.isUsual !== isUsual)
      return new ListCell(plan, this, isUsual ? USUAL : variant, stored);
    old.store(stored);
    return old;
  }

  #row(plan: EntityPlan | RowsPlan, pk: string, variant: Variant): Cell {
    const cell = plan.table.cellOf(pk);
    if (variant === USUAL && plan.kind === 'entity' && plan.isOfCells) return cell;
    const narrowed = this.#narrow(plan, variant);
    if (narrowed.name === '' && plan.isHome) return cell;
    const make = (): VariantCell => new VariantCell(cell, this.#reader(plan, narrowed));
    const owner = this.space.names.of(plan);
    const name = `${narrowed.name}\n${cell.pk}`;
    const found = this.variants.get(owner, name, make);
    if (found.home === cell) return found;
    // A query has looked for the record of a row while the row was removed. The present row of this pk is another one.
    this.variants.delete(owner, name);
    return this.variants.get(owner, name, make);
  }

  readonly #reader = (plan: EntityPlan | RowsPlan, variant: Variant = USUAL): RowReader => {
    const reader = plan.kind === 'entity' ? new EntityReader(plan, this, variant) : new RowsReader(plan, this, variant);
    return variant === USUAL ? this.#wrapReader(reader, plan) : reader;
  };

  /** Reduces a variant to the arguments and depth that matter to this plan. */
  #narrow(plan: EntityPlan | RowsPlan, variant: Variant): Variant {
    const most = plan.kind === 'entity' ? (plan.entity.maxEntityDepth ?? Number.POSITIVE_INFINITY) : variant.depth;
    const depth = Math.min(variant.depth - (plan.kind === 'entity' ? 1 : 0), most);
    const lenses = this.#lensesOf(plan);
    const isDeep = depth === Number.POSITIVE_INFINITY;
    if (lenses.size === 0 && isDeep) return USUAL;
    const name = nameOf(lenses, variant.args, depth);
    // A reader whose arguments select nothing gets the record that live queries have, which read without arguments.
    if (isDeep && name === nameOf(lenses, USUAL.args, depth)) return USUAL;
    return { name, args: lenses.size === 0 ? [] : variant.args, depth };
  }

  #lensesOf(plan: Plan): ReadonlySet<Lens> {
    if (this.#revision !== this.space.revision) {
      this.#revision = this.space.revision;
      this.#lenses = undefined;
    }
    const found = this.#lenses?.get(plan);
    if (found !== undefined) return found;
    const made = lensesOf(plan, this.space.planOf);
    (this.#lenses ??= new WeakMap()).set(plan, made);
    return made;
  }
}

function nameOf(lenses: ReadonlySet<Lens>, args: readonly unknown[], depth: number): string {
  return JSON.stringify([[...lenses].map((lens) => readLens(lens, args) ?? null), depth]);
}

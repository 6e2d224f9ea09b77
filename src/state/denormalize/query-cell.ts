import { isUnique } from '../../define/schema/indexes.ts';
import { INVALID, type Invalid, type Row } from '../../define/schema/row.ts';
import type { QueryDelegate } from '../../define/schema/delegate.ts';
import { warn } from '../../std/warn.ts';
import { freezePlain } from '../../std/plain.ts';
import type { Cell, Parts } from '../graph/cell.ts';
import { ObservedCell } from '../graph/observed-cell.ts';
import type { RowCell, Table } from '../tables/table.ts';
import type { Cells } from './cells.ts';
import { converted } from './converted.ts';

/** A stored form with its schema, and the arguments to read it with. */
export interface Stored {
  readonly schema: unknown;
  readonly stored: unknown;
  readonly args: readonly unknown[];
}

/** Finds the stored form to show. Called again when a looked-up cell has changed. */
export type Source = (delegate: QueryDelegate) => Stored | undefined;

/** A lookup of a source, and its result. */
interface SourceDependency {
  readonly cell: Cell;
  readonly read: () => unknown;
  readonly result: unknown;
}

/** The value of a queryable for some arguments, or the value of a result. */
export class QueryCell extends ObservedCell implements QueryDelegate {
  readonly INVALID: Invalid = INVALID;
  readonly #cells: Cells;
  readonly #source: Source;
  /** `undefined` if the source looks nothing up, as for a pk. */
  #lookups: SourceDependency[] | undefined = undefined;
  #isLookedUp = false;
  /** The value, if it has no cell. */
  #plain: unknown = undefined;
  #target: readonly [Cell | undefined] = [undefined];

  constructor(cells: Cells, source: Source) {
    super();
    this.#cells = cells;
    this.#source = source;
  }

  override noteReplaced(): void {
    this.#isLookedUp = false;
  }

  override prepare(): Parts {
    if (!this.#isLookedUp || this.#lookups?.some(isOutdated) === true) this.#lookUp();
    return this.#target;
  }

  /** A changed lookup can lead to the same value. */
  override mayStay(part: Cell): boolean {
    return part !== this.#target[0];
  }

  #lookUp(): void {
    this.#lookups = undefined;
    try {
      const { schema, stored, args = [] } = this.#source(this) ?? {};
      const plan = this.#cells.space.planOf(schema);
      const variant = { name: '', args, depth: Number.POSITIVE_INFINITY };
      const isKnown = stored !== undefined && stored !== null && stored !== INVALID;
      this.#target = [isKnown ? this.#cells.find(plan, stored, variant, this.#target[0]) : undefined];
      this.#plain = plan.kind === 'convert' ? converted(plan.convert, stored, {}) : stored;
    } finally {
      // Also linked after an error, because after a change of the looked-up cells the source may succeed.
      this.link(this.#dependencies);
    }
    this.#isLookedUp = true;
  }

  get #dependencies(): Parts {
    const lookups = this.#lookups;
    return lookups === undefined ? this.#target : [...lookups.map(({ cell }) => cell), ...this.#target];
  }

  #noteLookup<T>(cell: Cell, read: () => T): T {
    const result = read();
    (this.#lookups ??= []).push({ cell, read, result });
    return result;
  }

  #cellOf(table: string, pk: string): RowCell {
    return this.#cells.space.table(table).cellOf(pk);
  }

  hasEntity(table: string, pk: string): boolean {
    const cell = this.#cellOf(table, pk);
    return this.#noteLookup(cell, () => cell.row !== undefined);
  }

  getEntity(table: string, pk: string): Row | Invalid | undefined {
    const cell = this.#cellOf(table, pk);
    return this.#noteLookup(cell, () => cell.row);
  }

  getEntities(table: string): Iterable<readonly [string, Row | Invalid]> | undefined {
    const whole = this.#watch(table, 'rows');
    return whole.isKnown ? rowsOf(whole) : undefined;
  }

  getPks(table: string): Iterable<string> | undefined {
    const whole = this.#watch(table, 'members');
    return whole.isKnown ? pksOf(whole) : undefined;
  }

  hasTable(table: string): boolean {
    const whole = this.#cells.space.wholeTable(table);
    return this.#noteLookup(whole.signals.known, () => whole.isKnown);
  }

  getIndex(table: string, field: string | readonly string[], value: unknown): string | undefined {
    const [fields, values] = typeof field === 'string' ? [[field], [value]] : [field, value as readonly unknown[]];
    const whole = this.#watch(table, 'rows');
    const lookup = whole.lookup(fields);
    warn(whole, 'index-not-unique', () => {
      const { indexes = [] } = this.#cells.space.entityOf(whole);
      const isBroken = lookup.cellsWith(values).size > 1 && indexes.some((index) => isUnique(index, fields));
      return isBroken
        ? `Several ${table} records have the same ${fields.join(' and ')}, but the class has a unique index of that.`
        : undefined;
    });
    return lookup.find(values)?.pk;
  }

  #watch(name: string, what: 'rows' | 'members'): Table {
    const table = this.#cells.space.wholeTable(name);
    const signal = table.signals[what];
    this.#noteLookup(signal, () => signal.version);
    return table;
  }

  override isChanged(): boolean {
    return this.#shown() !== this.value;
  }

  override fill(): void {
    this.value = this.#shown();
    // The value of a part is frozen already.
    if (this.#cells.isFrozen && this.#target[0] === undefined) freezePlain(this.value);
  }

  #shown(): unknown {
    const [part] = this.#target;
    return part === undefined ? this.#plain : part.value;
  }

  override release(): void {
    super.release();
    this.#lookups = undefined;
    this.#target = [undefined];
  }
}

function isOutdated({ read, result }: SourceDependency): boolean {
  return read() !== result;
}

function* pksOf(table: Table): Generator<string> {
  for (const { pk, row } of table.order.cells.values()) if (row !== undefined && row !== INVALID) yield pk;
}

function* rowsOf(table: Table): Generator<readonly [string, Row | Invalid]> {
  for (const { pk, row } of table.order.cells.values()) if (row !== undefined) yield [pk, row];
}

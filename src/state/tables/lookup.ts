import type { Row } from '../../define/schema/schema.ts';
import type { Cell } from '../graph/cell.ts';
import type { ToNotify } from '../graph/mark.ts';
import { SignalCell } from '../graph/signal-cell.ts';

/** The cells of a table by the value of one field. It is updated by commits, so it holds only stored rows. */
export class Lookup<Member extends Cell> {
  readonly field: string;
  /** The value of rows that lack the field. */
  readonly #missing: unknown;
  readonly #table: string | undefined;
  readonly #cells = new Map<string, Set<Member>>();
  /** The signals of values on which a cell depends. */
  readonly #signals = new Map<string, SignalCell>();

  /** `table`: the name of the table. */
  constructor(field: string, missing?: unknown, table?: string) {
    this.field = field;
    this.#missing = missing;
    this.#table = table;
  }

  add(cell: Member, row: Row): void {
    for (const name of this.#namesOf(row)) this.#add(cell, name);
  }

  /** Updates the lookup after the row of a cell has changed. */
  move(cell: Member, before: Row | undefined, after: Row | undefined, toNotify: ToNotify): void {
    const left = before === undefined ? NONE : this.#namesOf(before);
    const joined = after === undefined ? NONE : this.#namesOf(after);
    for (const name of left) {
      if (joined.includes(name)) continue;
      this.#remove(cell, name);
      this.#signals.get(name)?.happened(toNotify, cell);
    }
    for (const name of joined) {
      if (left.includes(name)) continue;
      this.#add(cell, name);
      this.#signals.get(name)?.happened(toNotify, cell);
    }
  }

  #add(cell: Member, name: string): void {
    const cells = this.#cells.get(name);
    if (cells === undefined) this.#cells.set(name, new Set([cell]));
    else cells.add(cell);
  }

  #remove(cell: Member, name: string): void {
    const cells = this.#cells.get(name);
    cells?.delete(cell);
    if (cells?.size === 0) this.#cells.delete(name);
  }

  /** Returns the cell that got this value last. */
  find(value: unknown): Member | undefined {
    let last: Member | undefined;
    for (const cell of this.#cells.get(String(value)) ?? []) last = cell;
    return last;
  }

  /** Returns the cells with this value. */
  cellsOf(value: string): ReadonlySet<Member> {
    return this.#cells.get(value) ?? NO_CELLS;
  }

  /** Returns a signal for cells that get or lose this value. */
  signalOf(value: string): SignalCell {
    let signal = this.#signals.get(value);
    if (signal === undefined) this.#signals.set(value, (signal = new SignalCell(this.#table)));
    return signal;
  }

  /** Removes a signal on which nothing depends. */
  forgetSignal(value: string): void {
    if (this.#signals.get(value)?.parents === undefined) this.#signals.delete(value);
  }

  get size(): number {
    return this.#cells.size;
  }

  #namesOf(row: Row): readonly string[] {
    const value: unknown = Object.hasOwn(row, this.field)
      ? (row as Readonly<Record<string, unknown>>)[this.field]
      : this.#missing;
    return namesIn(value);
  }
}

const NONE: readonly string[] = [];
const NO_CELLS: ReadonlySet<never> = new Set<never>();

/** Returns the name of a value, or of each value in a list. */
export function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  const name = nameOf(value);
  return name === undefined ? NONE : [name];
}

/** Returns whether a value is the ref of a record that may be of several classes. */
export function isRefOfKind(stored: unknown): stored is { readonly id: string; readonly schema: string } {
  if (typeof stored !== 'object' || stored === null) return false;
  return 'id' in stored && 'schema' in stored && Object.keys(stored).length === 2;
}

/** Returns the name of such a ref. */
export function refName(kind: string, pk: string): string {
  return `${kind}\n${pk}`;
}

/** Returns the name of a value. 1 and '1' have the same name. Values other than texts, numbers, booleans and refs have none. */
export function nameOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (isRefOfKind(value)) return refName(value.schema, value.id);
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

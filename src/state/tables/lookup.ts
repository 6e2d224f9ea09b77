import { pkIfAny } from '../../define/schema/pk.ts';
import { memo } from '../../std/memo.ts';
import type { Row, RowState } from '../../define/schema/row.ts';
import { type Cell, membership } from '../graph/cell.ts';
import type { ToNotify } from '../graph/mark.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import { isTemporary, type PkOf, withServerPk } from './temporary-names.ts';

/** An index that a table updates with its rows. */
export interface RowIndex<Member extends Cell> {
  add(cell: Member, row: Row): void;
  /** Called when a row was added, changed or removed. */
  move(cell: Member, before: Row | undefined, after: Row | undefined, toNotify: ToNotify): void;
  /** Called when a temporary pk has become an alias, or is none any more. Returns whether rows were found by it. */
  rename?(toNotify: ToNotify): boolean;
  /** Forgets temporary pks by which no row is found any more. Called while no record is being created. */
  forget?(): void;
}

/** The cells of a table by the value of one field, or by the values of several. Rows can have a temporary pk that is an alias: they are among those with the pk of the server. */
export class Lookup<
  Member extends Cell & { readonly arrival: number; readonly row: RowState },
> implements RowIndex<Member> {
  readonly #fields: readonly string[];
  /** The values of the fields for rows that lack them. */
  readonly #missing: readonly unknown[];
  readonly #table: string | undefined;
  readonly #cells = new Map<string, Set<Member>>();
  /** By value: the signals for rows that get, have or lose it. Only for values on which a cell depends. */
  readonly #signals = new Map<string, SignalCell>();
  /** The names with temporary pks, each with the name under which its cells are found. */
  readonly #renamed = new Map<string, string>();
  readonly #serverPk: PkOf;

  /** `table`: the name of the table. `serverPk` returns the pk of the server for a temporary one that is an alias. */
  constructor(fields: readonly string[], missing: readonly unknown[], table?: string, serverPk: PkOf = String) {
    this.#fields = fields;
    this.#missing = missing;
    this.#table = table;
    this.#serverPk = serverPk;
  }

  add(cell: Member, row: Row): void {
    for (const name of this.#namesOf(row)) this.#add(cell, name);
  }

  move(cell: Member, before: Row | undefined, after: Row | undefined, toNotify: ToNotify): void {
    const left = before === undefined ? NONE : this.#namesOf(before);
    const joined = after === undefined ? NONE : this.#namesOf(after);
    const isJoined = membership(joined);
    const wasThere = membership(left);
    for (const name of left) {
      const stays = isJoined(name);
      if (!stays) this.#remove(cell, name);
      this.#signals.get(name)?.emit(toNotify, cell, before, !stays);
    }
    for (const name of joined) {
      if (wasThere(name)) continue;
      this.#add(cell, name);
      this.#signals.get(name)?.emit(toNotify, cell, before, true);
    }
  }

  rename(toNotify: ToNotify): boolean {
    let isAny = false;
    for (const [name, known] of this.#renamed) {
      const next = withServerPk(name, this.#serverPk);
      if (next === known) continue;
      isAny = true;
      const cells = [...this.cellsOf(name)];
      this.#renamed.set(name, next);
      for (const cell of cells) {
        if (!this.#storedNames(cell.row as Row).includes(name)) continue;
        this.#remove(cell, known);
        this.#add(cell, next);
      }
      // Without a cause, so that readers find their rows and signals again.
      for (const one of [known, next]) this.#signals.get(one)?.emit(toNotify);
    }
    return isAny;
  }

  forget(): void {
    for (const [name, known] of this.#renamed)
      if (!this.#cells.has(known) && !this.#signals.has(known)) this.#renamed.delete(name);
  }

  /** Returns the name under which cells with this name are found: its temporary pks are replaced by those of the server. */
  readonly #serverName: PkOf = (name) => {
    if (!isTemporary(name)) return name;
    const known = this.#renamed.get(name) ?? withServerPk(name, this.#serverPk);
    this.#renamed.set(name, known);
    return known;
  };

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

  /** Returns the cell with these values. Of several, it is the one whose row arrived last. */
  find(values: readonly unknown[]): Member | undefined {
    let last: Member | undefined;
    for (const cell of this.cellsWith(values)) if (last === undefined || cell.arrival > last.arrival) last = cell;
    return last;
  }

  /** Returns the cells with these values of the fields. */
  cellsWith(values: readonly unknown[]): ReadonlySet<Member> {
    const lists = values.map(valueNamesIn);
    const [name] = lists.length === 1 ? (lists[0] as readonly string[]) : namesTogether(lists);
    return name === undefined ? NO_CELLS : this.cellsOf(name);
  }

  /** Returns the cells with the value of this name. */
  cellsOf(value: string): ReadonlySet<Member> {
    return this.#cells.get(this.#serverName(value)) ?? NO_CELLS;
  }

  /** Returns a signal for cells that get, have or lose this value and change. */
  signalOf(value: string): SignalCell {
    const name = this.#serverName(value);
    return memo(this.#signals, name, () => new SignalCell(this.#table));
  }

  /** Removes a signal on which nothing depends. */
  forgetSignal(value: string): void {
    for (const name of [value, this.#serverName(value)])
      if (this.#signals.get(name)?.parents === undefined) this.#signals.delete(name);
  }

  get size(): number {
    return this.#cells.size;
  }

  /** Returns whether a row has one of the values of these names. `serverName` replaces temporary pks in names. */
  hasOne(row: Row, names: readonly string[], serverName: PkOf = this.#serverName): boolean {
    const own = this.#namesOf(row, serverName);
    return names.some((name) => own.includes(serverName(name)));
  }

  #namesOf(row: Row, serverName: PkOf = this.#serverName): readonly string[] {
    const names = this.#storedNames(row);
    return names.some(isTemporary) ? names.map((name) => serverName(name)) : names;
  }

  #storedNames(row: Row): readonly string[] {
    const [field, ...others] = this.#fields;
    const names = valueNamesIn(this.#valueOf(row, field as string, 0));
    return others.length === 0 ? names : this.#namesOfAll(row, names);
  }

  /** Returns the names for several fields together. A list in a field has a name for each of its values. */
  #namesOfAll(row: Row, names: readonly string[]): readonly string[] {
    const lists = this.#fields.slice(1).map((field, at) => valueNamesIn(this.#valueOf(row, field, at + 1)));
    return namesTogether([names, ...lists]);
  }

  #valueOf(row: Row, field: string, at: number): unknown {
    return Object.hasOwn(row, field) ? (row as Readonly<Record<string, unknown>>)[field] : this.#missing[at];
  }
}

/** Returns the names of all combinations: one name of each list. */
export function namesTogether(lists: readonly (readonly string[])[]): readonly string[] {
  let together: readonly (readonly string[])[] = [[]];
  for (const names of lists) together = together.flatMap((some) => names.map((name) => [...some, name]));
  return together.map((some) => JSON.stringify(some));
}

const NONE: readonly string[] = [];
const NO_CELLS: ReadonlySet<never> = new Set<never>();

/** Returns the name of a value, or of each value in a list. */
export function valueNamesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(valueNamesIn);
  const name = valueName(value);
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

/**
 * Returns the name of a value. 1 and '1' have the same name. Values other than texts, exact numbers, booleans and refs have none: a
 * number that was rounded would have the name of another record.
 */
export function valueName(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (isRefOfKind(value)) return refName(value.schema, value.id);
  return typeof value === 'boolean' ? String(value) : pkIfAny(value);
}

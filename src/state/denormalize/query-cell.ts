import { Entity } from '../../define/schema/entity.ts';
import { pkIfAny } from '../../define/schema/pk.ts';
import { INVALID, type Invalid, type QueryDelegate, type Row } from '../../define/schema/schema.ts';
import { Cell } from '../graph/cell.ts';
import type { SignalCell } from '../graph/signal-cell.ts';
import type { RowCell } from '../tables/table.ts';
import type { Plan } from '../tables/plan.ts';
import type { Table } from '../tables/table.ts';
import { type Parts, relink } from './parts.ts';
import { queryKeyOf } from './query-key.ts';
import type { Variant } from './variant.ts';

type Asked =
  | { readonly cell: RowCell; readonly isThere: boolean }
  | { readonly cell: RowCell; readonly row: Row | Invalid | undefined }
  | { readonly signal: SignalCell; readonly version: number };

/** The value of a queryable for some args: where the args lead is looked up again when what was looked at changed. */
export class QueryCell extends Cell implements QueryDelegate {
  readonly INVALID: Invalid = INVALID;
  readonly #schema: unknown;
  readonly #parts: Parts;
  readonly #variant: Variant;
  #asked: Asked[] = [];
  #isAsked = false;
  #stored: unknown = undefined;
  #target: readonly [Cell | undefined] = [undefined];
  #seen: unknown = undefined;

  constructor(schema: unknown, parts: Parts, variant: Variant) {
    super();
    this.#schema = schema;
    this.#parts = parts;
    this.#variant = variant;
  }

  override replaced(): void {
    this.#isAsked = false;
  }

  override prepare(): readonly (Cell | undefined)[] {
    if (!this.#isAsked || !this.#asked.every(isUnchanged)) this.#ask();
    return this.#target;
  }

  #ask(): void {
    const old = [...this.#asked.map(cellOf), ...this.#target];
    this.#asked = [];
    const { space } = this.#parts;
    const plan = space.planOf(this.#schema);
    this.#stored = plainPk(plan, this.#variant.args) ?? queryKeyOf(space, this.#schema, this.#variant.args, this);
    const known = this.#stored !== undefined && this.#stored !== null && this.#stored !== INVALID;
    const part = known ? this.#parts.find(plan, this.#stored, this.#variant, this.#target[0]) : undefined;
    this.#target = [part];
    relink(this, old, [...this.#asked.map(cellOf), part]);
    this.#isAsked = true;
  }

  hasEntity(table: string, pk: string): boolean {
    const cell = this.#parts.space.table(table).place(pk);
    const isThere = cell.row !== undefined;
    this.#asked.push({ cell, isThere });
    return isThere;
  }

  getEntity(table: string, pk: string): Row | Invalid | undefined {
    const cell = this.#parts.space.table(table).place(pk);
    this.#asked.push({ cell, row: cell.row });
    return cell.row;
  }

  getEntities(table: string): Iterable<readonly [string, Row | Invalid]> | undefined {
    const whole = this.#watch(table, 'rows');
    return whole.isKnown ? rowsOf(whole) : undefined;
  }

  getPks(table: string): Iterable<string> | undefined {
    const whole = this.#watch(table, 'members');
    return whole.isKnown ? pksOf(whole) : undefined;
  }

  getIndex(table: string, field: string, value: unknown): string | undefined {
    return this.#watch(table, 'rows').lookup(field).find(value)?.pk;
  }

  #watch(name: string, what: 'rows' | 'members'): Table {
    const table = this.#parts.space.wholeTable(name);
    const signal = table[what];
    this.#asked.push({ signal, version: signal.version });
    return table;
  }

  override get allParts(): readonly (Cell | undefined)[] {
    return [...this.#asked.map(cellOf), ...this.#target];
  }

  override isChanged(): boolean {
    return this.#shown() !== this.#seen || this.value === undefined;
  }

  override fill(): void {
    this.value = this.#shown();
  }

  override seal(): void {
    this.#seen = this.value;
  }

  #shown(): unknown {
    const [part] = this.#target;
    return part === undefined ? this.#stored : part.value;
  }

  override release(): void {
    relink(this, [...this.#asked.map(cellOf), ...this.#target], []);
    this.#asked = [];
    this.#target = [undefined];
    this.#isAsked = false;
    this.clean = false;
  }
}

/** The pk that args name outright: there is nothing to look up then, whether or not the record is there. */
function plainPk(plan: Plan, args: readonly unknown[]): string | undefined {
  if (plan.kind !== 'entity' || plan.entity.queryKey !== Entity.queryKey) return undefined;
  const [asked] = args;
  if (typeof asked !== 'object' || asked === null) return asked ? pkIfAny(asked) : undefined;
  return pkIfAny(plan.entity.pk(asked, undefined, undefined, args));
}

function cellOf(asked: Asked): Cell {
  return 'cell' in asked ? asked.cell : asked.signal;
}

function isUnchanged(asked: Asked): boolean {
  if ('signal' in asked) return asked.signal.version === asked.version;
  return 'row' in asked ? asked.cell.row === asked.row : (asked.cell.row !== undefined) === asked.isThere;
}

function* pksOf(table: Table): Generator<string> {
  for (const { pk, row } of table.cells.values()) if (row !== undefined && row !== INVALID) yield pk;
}

function* rowsOf(table: Table): Generator<readonly [string, Row | Invalid]> {
  for (const { pk, row } of table.cells.values()) if (row !== undefined) yield [pk, row];
}

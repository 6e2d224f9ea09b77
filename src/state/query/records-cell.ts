import { INVALID } from '../../define/schema/schema.ts';
import type { Cells } from '../denormalize/cells.ts';
import { USUAL } from '../denormalize/variant.ts';
import type { Cell, Failed, Parts } from '../graph/cell.ts';
import { isParent } from '../graph/edges.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { RowCell } from '../tables/table.ts';
import { byPk, type Membership } from './members.ts';
import { type Change, type Item, SourceCell } from './source-cell.ts';

/** The value and place of a row before it changed. */
interface FormerValue {
  readonly value: unknown;
  readonly arrival: number;
}

/** The number of removed members that may stay among the parts. */
const MOST_LEFT = 64;

/**
 * The records of a table, or of a part of it. It is linked to each row, so that the cost of an update depends only on the rows that
 * changed.
 */
export class RecordsCell extends SourceCell {
  /**
   * The signals, then the cells of the records, including some that were removed. The array belongs to this cell and is changed in place.
   */
  override parts: (Cell | undefined)[] = [];
  readonly #cells: Cells;
  readonly #plan: EntityPlan;
  readonly #memberOf: () => Membership;
  #membership: Membership | undefined = undefined;
  /** The rows that have changed since the last build, with their former values. `undefined`: any may have. */
  #changed: Map<RowCell, FormerValue> | undefined = undefined;
  #left = 0;
  readonly #variants = new Map<RowCell, Cell>();

  constructor(plan: EntityPlan, cells: Cells, membership: () => Membership, unused: () => void) {
    super(unused);
    this.#plan = plan;
    this.#cells = cells;
    this.#memberOf = membership;
  }

  override spoil(part: Cell): boolean {
    const cause = part instanceof SignalCell ? part.cause : part;
    if (cause instanceof RowCell && this.#membership?.leads?.(part) !== true) this.#note(cause.home);
    else this.#changed = undefined;
    return super.spoil(part);
  }

  #note(row: RowCell): void {
    if (this.#changed === undefined || this.#changed.has(row)) return;
    const cell = this.#cellOf(row);
    const value = isParent(cell.parents, this) ? shown(cell) : undefined;
    this.#changed.set(row, { value, arrival: row.arrival });
  }

  /** Returns the cell of the record of a row. For a class other than the main class of the table, it is a variant cell. */
  #cellOf(row: RowCell): Cell {
    const known = this.#variants.get(row);
    if (known !== undefined) return known;
    const found = this.#cells.find(this.#plan, row.pk, USUAL, undefined) as RowCell;
    // The pk of a removed row can stand for another row by now.
    if (found.home !== row) return row;
    if (found !== row) this.#variants.set(row, found);
    return found;
  }

  override replaced(): void {
    this.#changed = undefined;
  }

  override prepare(): Parts {
    // In a layer or a snapshot, rows can be added without a signal.
    if (this.#changed === undefined || !this.#cells.space.isBase || this.#isLed(this.#changed.keys()))
      return this.#linkAll();
    const present: Cell[] = [];
    for (const row of this.#changed.keys()) {
      const cell = this.#cellOf(row);
      if (this.#isMember(row)) present.push(this.#joined(cell));
      else this.#leave(row, cell);
    }
    if (this.#left > MOST_LEFT && this.#left > this.parts.length / 2) this.#forgetLeft();
    return present;
  }

  /** Returns whether a row was removed that was found through other rows. No signal would report its return. */
  #isLed(changed: Iterable<RowCell>): boolean {
    return this.#membership?.leads !== undefined && Array.from(changed).some((row) => !this.#isMember(row));
  }

  #isMember(row: RowCell): boolean {
    return this.#membership?.has(row) === true;
  }

  #linkAll(): Parts {
    this.#changed = undefined;
    const former = this.#membership;
    this.#membership = this.#memberOf();
    this.#variants.clear();
    const members: Cell[] = [];
    for (const row of this.#membership.rows()) members.push(this.#cellOf(row));
    this.link([...this.#membership.signals, ...members]);
    this.#left = 0;
    former?.end();
    return members;
  }

  #joined(cell: Cell): Cell {
    if (!isParent(cell.parents, this)) {
      this.parts.push(cell);
      cell.linkTo(this);
    }
    return cell;
  }

  #leave(row: RowCell, cell: Cell): void {
    this.#variants.delete(row);
    if (!isParent(cell.parents, this)) return;
    cell.unlinkFrom(this);
    this.#left++;
  }

  #forgetLeft(): void {
    this.parts = this.parts.filter((part) => isParent(part?.parents, this));
    this.#left = 0;
  }

  override isChanged(): boolean {
    return this.#changed?.size !== 0;
  }

  override fill(): void {
    this.emit(this.#changes());
  }

  #changes(): Change[] | undefined {
    if (this.#changed === undefined) return undefined;
    const changes: Change[] = [];
    for (const [item, { value: before, arrival }] of this.#changed) {
      const after = this.#isMember(item) ? shown(this.#cellOf(item)) : undefined;
      if (before !== after) changes.push({ item, before, after, arrival });
    }
    return changes;
  }

  override seal(): void {
    this.#changed = new Map();
  }

  override fail(failed: Failed): void {
    super.fail(failed);
    this.#changed = undefined;
  }

  override release(): void {
    super.release();
    this.parts = [];
    this.#variants.clear();
    this.#membership?.end();
    this.#membership = undefined;
  }

  *entries(): Generator<readonly [unknown, Item]> {
    for (const row of (this.#membership as Membership).rows()) {
      const value = shown(this.#cellOf(row));
      if (value !== undefined) yield [value, row];
    }
  }

  read(item: Item): unknown {
    return shown(this.#cellOf(item as RowCell));
  }

  compareItems(one: Item, other: Item): number {
    const { places } = this.#membership as Membership;
    return places === undefined
      ? one.arrival - other.arrival
      : (places.get(one) as number) - (places.get(other) as number);
  }

  override compareTies(one: Item, other: Item): number {
    return byPk(one, other);
  }
}

function shown({ value }: Cell): unknown {
  return value === INVALID ? undefined : value;
}

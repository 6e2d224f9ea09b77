import type { Invalid, Row } from '../../define/schema/schema.ts';
import type { Cells } from '../denormalize/cells.ts';
import { USUAL } from '../denormalize/variant.ts';
import { type Cell, NO_PARTS, type Parts } from '../graph/cell.ts';
import type { SignalCell } from '../graph/signal-cell.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, RowCell } from '../tables/table.ts';
import { byPk, type Membership } from './members.ts';
import { type Change, type Item, SourceCell } from './source-cell.ts';

/** A row before it changed, and its place in the order of arrival. */
interface FormerRow {
  readonly row: Row | Invalid | undefined;
  readonly arrival: number;
}

/**
 * The rows of a table, or of a part of it, for queries that find and sort their records by rows alone. Only shown records are built, by
 * `recordOf`.
 */
export class RowsCell extends SourceCell {
  readonly #cells: Cells;
  readonly #plan: EntityPlan;
  readonly #memberOf: () => Membership;
  #membership: Membership | undefined = undefined;
  /** The rows that have changed since the last build, with their former values. `undefined`: any may have. */
  #changed: Map<RowCell, FormerRow> | undefined = undefined;

  constructor(plan: EntityPlan, cells: Cells, membership: () => Membership, unused: () => void) {
    super(unused);
    this.#plan = plan;
    this.#cells = cells;
    this.#memberOf = membership;
  }

  override spoil(part: Cell): boolean {
    const { cause, before } = part as SignalCell;
    if (!(cause instanceof RowCell)) this.#changed = undefined;
    else if (this.#changed?.has(cause) === false)
      this.#changed.set(cause, { row: before as Row | Invalid | undefined, arrival: cause.arrival });
    return super.spoil(part);
  }

  override replaced(): void {
    this.#changed = undefined;
  }

  override prepare(): Parts {
    // In a layer or a snapshot, rows can be added without a signal.
    if (this.#changed !== undefined && this.#cells.space.isBase) return NO_PARTS;
    this.#changed = undefined;
    const former = this.#membership;
    this.#membership = this.#memberOf();
    this.link(this.#membership.signals);
    former?.end();
    return NO_PARTS;
  }

  override isChanged(): boolean {
    return this.#changed?.size !== 0;
  }

  override fill(): void {
    this.emit(this.#changed && this.#changes(this.#changed));
  }

  #changes(changed: ReadonlyMap<RowCell, FormerRow>): Change[] {
    const changes: Change[] = [];
    for (const [item, { row, arrival }] of changed) {
      const before = isRow(row) ? row : undefined;
      const after = this.#membership?.has(item) === true ? item.row : undefined;
      if (before !== after) changes.push({ item, before, after, arrival });
    }
    return changes;
  }

  override seal(): void {
    this.#changed = new Map();
  }

  override release(): void {
    super.release();
    this.#membership?.end();
    this.#membership = undefined;
  }

  /** Records that a query only counts are not among its parts, but must not be removed. */
  override keeps(): Iterable<Cell> {
    return (this.#membership as Membership).rows();
  }

  *entries(): Generator<readonly [unknown, Item]> {
    for (const cell of (this.#membership as Membership).rows()) yield [cell.row, cell];
  }

  override get isOfRows(): boolean {
    return true;
  }

  override recordOf(item: Item): Cell {
    const row = item as RowCell;
    return this.#cells.find(this.#plan, row.pk, USUAL, undefined) as Cell;
  }

  read(item: Item): unknown {
    return this.recordOf(item).value;
  }

  compareItems(one: Item, other: Item): number {
    return one.arrival - other.arrival;
  }

  override compareTies(one: Item, other: Item): number {
    return byPk(one, other);
  }
}

import { ascending } from '../../define/query/compare.ts';
import { INVALID } from '../../define/schema/row.ts';
import type { Cells } from '../denormalize/cells.ts';
import { USUAL } from '../denormalize/variant.ts';
import { type Cell, NO_PARTS, type Parts } from '../graph/cell.ts';
import { isParent } from '../graph/edges.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { RowCell } from '../tables/table.ts';
import { type Change, changeOf, isVisible, type Item, mergedByItem, SourceCell } from './source-cell.ts';

/** The rows of a table that belong to a source. */
export interface Membership {
  /** Signals for each row that is added, removed or changed. */
  readonly signals: readonly Cell[];
  rows(): Iterable<RowCell>;
  has(row: RowCell): boolean;
  /** For a source of rows: returns whether a row with this content belongs to it. */
  had?(row: unknown): boolean;
  /** Called when nothing depends on the signals any more. */
  end?(): void;
  /** For rows that are found through other rows: compares their places. Default: the order of arrival. */
  compare?(one: Item, other: Item): number;
  /** For such rows: returns whether after a change of this part, other rows may be found. */
  leads?(part: Cell): boolean;
  /** For such rows: takes in changed rows. Returns further signals, or `undefined` if all rows must be found again. */
  update?(rows: readonly RowCell[]): readonly Cell[] | undefined;
}

/** A row that has changed. `after` is unknown before the next build. */
interface NotedChange extends Change {
  readonly item: RowCell;
}

const NONE: readonly NotedChange[] = [];

/** With this many changes more than rows, it is cheaper to read all rows again. */
const MAX_CHANGES = 1000;

/** The number of removed members that may stay among the parts. */
const MAX_REMOVED = 64;

/**
 * The records of a table, or of a part of it. The cell is linked to each record, so that the cost of an update depends only on what changed. A
 * source of rows has rows instead of records, where rows alone decide what a query shows. Then only the shown records are built.
 */
export class RecordsCell extends SourceCell {
  /**
   * The signals, then the cells of the records, including some that were removed. The array belongs to this cell and is changed in place.
   */
  declare parts: (Cell | undefined)[];
  readonly #isOfRows: boolean;
  override readonly onUnused: () => void;
  readonly #cells: Cells;
  readonly #plan: EntityPlan;
  readonly #memberOf: () => Membership;
  #membership: Membership | undefined = undefined;
  /** The rows that have changed since the last build, with their former values. `undefined`: unknown, so the next build reads all rows. */
  #changed: readonly NotedChange[] | undefined = undefined;
  #removed = 0;
  readonly #variants = new Map<RowCell, Cell>();

  constructor(plan: EntityPlan, cells: Cells, isOfRows: boolean, membership: () => Membership, onUnused: () => void) {
    super();
    this.#plan = plan;
    this.#cells = cells;
    this.#isOfRows = isOfRows;
    this.#memberOf = membership;
    this.onUnused = onUnused;
  }

  override get isOfRows(): boolean {
    return this.#isOfRows;
  }

  override markUncleanBy(part: Cell): boolean {
    const cause = part instanceof SignalCell ? part.cause : part;
    if (!(cause instanceof RowCell) || this.#membership?.leads?.(part) === true) this.forget();
    else if (this.#changed !== undefined) this.#note(this.#changed, cause.home, part);
    return super.markUncleanBy(part);
  }

  #note(known: readonly NotedChange[], item: RowCell, part: Cell): void {
    // The signal of a table or lookup and the cell of a record tell of the same change.
    if (known.at(-1)?.item === item) return;
    const change = { item, before: this.#former(item, part), after: undefined, arrival: item.arrival };
    // Mostly one row changes. An array literal has no unused capacity.
    if (known.length === 0) this.#changed = [change];
    else if (known.length < MAX_CHANGES + this.#plan.table.size) (known as NotedChange[]).push(change);
    else this.forget();
  }

  #former(row: RowCell, part: Cell): unknown {
    if (this.#isOfRows) {
      const { before } = part as SignalCell;
      return this.#membership?.had?.(before) === true ? before : undefined;
    }
    const cell = this.recordOf(row);
    return isParent(cell.parents, this) ? shown(cell.value) : undefined;
  }

  /** Returns the cell of the record of a row. For a class other than the main class of the table, it is a variant cell. */
  override recordOf(item: Item): Cell {
    const row = item as RowCell;
    if (this.#plan.isOfCells) return row;
    const known = this.#variants.get(row);
    if (known !== undefined) return known;
    const found = this.#cells.find(this.#plan, row.pk, USUAL, undefined) as RowCell;
    // The pk of a removed row can be an alias of another row by now.
    if (found.home !== row) return row;
    // A cell that is not among the parts may be collected, and made again for other readers.
    if (!this.#isOfRows) this.#variants.set(row, found);
    return found;
  }

  override forget(): void {
    this.#changed = undefined;
  }

  override prepare(): Parts {
    // A row that an undone batch has changed and restored is noted twice, and only both together tell that it is the same.
    if (this.#changed !== undefined && this.#changed.length > 1)
      this.#changed = mergedByItem(this.#changed) as readonly NotedChange[];
    const changed = this.#changed;
    // In a layer or a snapshot, rows can be added without a signal.
    if (changed === undefined || !this.#cells.space.isBase || this.#updateMembership(changed)) return this.#linkAll();
    if (this.#isOfRows) return NO_PARTS;
    const present: Cell[] = [];
    for (const { item } of changed) {
      const cell = this.recordOf(item);
      const isLinked = isParent(cell.parents, this);
      if (this.#isMember(item)) {
        present.push(cell);
        if (isLinked) continue;
        this.parts.push(cell);
        cell.linkTo(this);
      } else {
        this.#variants.delete(item);
        if (!isLinked) continue;
        cell.unlinkFrom(this);
        this.#removed++;
      }
    }
    if (this.#removed > MAX_REMOVED && this.#removed > this.parts.length / 2) {
      this.parts = this.parts.filter((part) => isParent(part?.parents, this));
      this.#removed = 0;
    }
    return present;
  }

  /** Lets changed rows join or leave. Returns whether all rows must be found again. */
  #updateMembership(changed: readonly NotedChange[]): boolean {
    const { update } = this.#membership as Membership;
    if (update === undefined) return false;
    const signals = update(changed.map(({ item }) => item));
    for (const signal of signals ?? []) {
      this.parts.push(signal);
      signal.linkTo(this);
    }
    return signals === undefined;
  }

  #isMember(row: RowCell): boolean {
    return (this.#membership as Membership).has(row);
  }

  #linkAll(): Parts {
    this.forget();
    const former = this.#membership;
    const membership = this.#memberOf();
    this.#membership = membership;
    this.#variants.clear();
    const members = this.#isOfRows ? [] : Array.from(membership.rows(), (row) => this.recordOf(row));
    this.link([...membership.signals, ...members]);
    this.#removed = 0;
    former?.end?.();
    return members;
  }

  override fill(): void {
    if (this.#changed === undefined) return this.emit(undefined);
    const changes = this.#changed.map(({ item, before, arrival }): Change => {
      const after = this.#isMember(item) ? this.#valueOf(item) : undefined;
      return { item, before, after, arrival };
    });
    this.emit(changes.every(isVisible) ? changes : changes.filter(isVisible));
  }

  #valueOf(row: RowCell): unknown {
    return shown(this.#isOfRows ? row.row : this.recordOf(row).value);
  }

  override seal(): void {
    this.#changed = NONE;
  }

  override release(): void {
    super.release();
    this.#variants.clear();
    this.#membership?.end?.();
    this.#membership = undefined;
  }

  /** Records that a query only counts are not among its parts, but must not be removed. */
  override keeps(): Iterable<Cell> {
    return this.#isOfRows ? (this.#membership as Membership).rows() : (NO_PARTS as readonly Cell[]);
  }

  *entries(): Generator<Change> {
    for (const row of (this.#membership as Membership).rows()) yield changeOf(row, undefined, this.#valueOf(row));
  }

  override read(item: Item): unknown {
    return shown(this.recordOf(item).value);
  }

  override compareItems(one: Item, other: Item): number {
    return this.#membership?.compare?.(one, other) ?? super.compareItems(one, other);
  }

  override compareTies(one: Item, other: Item): number {
    return ascending(one.pk, other.pk);
  }
}

function shown(value: unknown): unknown {
  return value === INVALID ? undefined : value;
}

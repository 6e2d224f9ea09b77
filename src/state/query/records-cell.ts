import { INVALID } from '../../define/schema/schema.ts';
import type { Cells } from '../denormalize/cells.ts';
import { USUAL } from '../denormalize/variant.ts';
import type { Cell, Failed, Parts } from '../graph/cell.ts';
import { isParent } from '../graph/edges.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { RowCell } from '../tables/table.ts';
import { type Change, type Item, SourceCell } from './source-cell.ts';

/** Which rows of a table are meant. */
export interface Membership {
  /** Change with every row that comes or goes. */
  readonly signals: readonly Cell[];
  rows(): Iterable<RowCell>;
  has(row: RowCell): boolean;
  /** Nothing depends on the signals any more. */
  end(): void;
  /** Of rows that are found by way of others: the place of each. Default: by arrival. */
  readonly places?: ReadonlyMap<Item, number>;
  /** Of such rows: whether a change of this part can lead to others. */
  leads?(part: Cell): boolean;
}

/** What a row was when it was told of last. */
interface Former {
  readonly value: unknown;
  readonly arrival: number;
}

/** Up to here, members that have left may stay among the parts. */
const MOST_LEFT = 64;

/** The records of a table, or of a part of it. Each row tells it when it changes, so that a change costs what it changes. */
export class RecordsCell extends SourceCell {
  /** The signals, and then the cells of the records; some that have left among them. Its own: changed in place. */
  override parts: (Cell | undefined)[] = [];
  readonly #cells: Cells;
  readonly #plan: EntityPlan;
  readonly #memberOf: () => Membership;
  #membership: Membership | undefined = undefined;
  /** The rows that changed since the last build, each as it was; `undefined` where any may have. */
  #changed: Map<RowCell, Former> | undefined = undefined;
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

  /** The cell of the record of a row: another one than that of the row where a class reads it that is not the first of its table. */
  #cellOf(row: RowCell): Cell {
    const known = this.#variants.get(row);
    if (known !== undefined) return known;
    const found = this.#cells.find(this.#plan, row.pk, USUAL, undefined) as RowCell;
    // The pk of a row that is gone can stand for another one by now.
    if (found.home !== row) return row;
    if (found !== row) this.#variants.set(row, found);
    return found;
  }

  override replaced(): void {
    this.#changed = undefined;
  }

  override prepare(): Parts {
    // On top of other rows, some can come without a signal.
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

  /** Whether a row has left that was found by way of others: nothing would tell of it when it comes back. */
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
    return one.pk < other.pk ? -1 : one.pk > other.pk ? 1 : 0;
  }
}

function shown({ value }: Cell): unknown {
  return value === INVALID ? undefined : value;
}

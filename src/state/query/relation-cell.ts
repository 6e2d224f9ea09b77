import { INVALID } from '../../define/schema/schema.ts';
import { DataError } from '../../std/data-error.ts';
import type { Cells, LateCheck } from '../denormalize/cells.ts';
import { Cell } from '../graph/cell.ts';
import { mark } from '../graph/mark.ts';
import { resolve } from '../graph/resolve.ts';
import type { RowCell } from '../tables/table.ts';

/** What is read for a record. */
export interface RecordRelation {
  keptBy(args: readonly unknown[]): readonly unknown[];
  cell(cells: Cells, stored: unknown, args: readonly unknown[], old: Cell | undefined): Cell | undefined;
}

/** The cell of what a relation leads to; `old` is the one that it led to before. */
export function relatedCell(
  relation: RecordRelation,
  cells: Cells,
  args: readonly unknown[],
  old: Cell | undefined,
): Cell | undefined {
  const kept = relation.keptBy(args);
  // Where a relation leads to one record, that is what is stored.
  return relation.cell(cells, kept[0], kept, old);
}

/**
 * What the value of a row has shown of a relation that stands in its schema. The value is made anew when this becomes another, but it is
 * not made of it: relations in both directions are no circle.
 */
class RelationCell extends Cell implements LateCheck {
  readonly name: string;
  readonly #relation: RecordRelation;
  readonly #row: RowCell;
  readonly #cells: Cells;
  #shownBy: unknown;

  constructor(name: string, relation: RecordRelation, row: RowCell, cells: Cells) {
    super();
    this.#shownBy = row.value;
    this.name = name;
    this.#relation = relation;
    this.#row = row;
    this.#cells = cells;
  }

  override get isInside(): boolean {
    return true;
  }

  override get shownBy(): unknown {
    return this.#shownBy;
  }

  override spoil(): boolean {
    this.#cells.late.add(this);
    this.clean = false;
    return true;
  }

  /** What a record shows of the relation. */
  show(record: unknown): unknown {
    this.#shownBy = record;
    this.link([relatedCell(this.#relation, this.#cells, [record], this.parts[0])]);
    return this.#read();
  }

  #read(): unknown {
    const [related] = this.parts;
    this.value = related && resolve(related);
    this.clean = true;
    return this.value === INVALID ? undefined : this.value;
  }

  check(): void {
    // Meanwhile it can have been let go.
    if (this.parents === undefined) return;
    const row = this.#row;
    if (row.value !== this.#shownBy) return row.link(row.parts.filter((part) => part !== this));
    const { value } = this;
    try {
      this.#read();
      if (this.value === value) return;
    } catch {
      // A reader of the new record gets the error.
    }
    row.replaced();
    // Its observers were marked with what it has shown.
    mark(row, new Map());
  }
}

/** Where a record comes from, and what its relations have shown. */
interface ShownRelations {
  readonly row: RowCell;
  readonly cells: Cells;
  values: Map<string, unknown> | undefined;
}

const shownOf = new WeakMap<object, ShownRelations>();

/**
 * Has the values of rows show a relation in a field of this name. It is read when the field is, and stays what it was. All records have the same
 * getter: engines lay out objects alike that do.
 */
export function showRelation(relation: RecordRelation, name: string): (row: RowCell, cells: Cells) => void {
  const field = {
    configurable: true,
    // A copy that is sent back has no relations in it, and no circles.
    enumerable: false,
    get(this: object): unknown {
      return shownIn(this, relation, name);
    },
  };
  return (row, cells) => {
    const record = row.value as object;
    if (!shownOf.has(record)) shownOf.set(record, { row, cells, values: undefined });
    Object.defineProperty(record, name, field);
  };
}

function shownIn(record: object, relation: RecordRelation, name: string): unknown {
  const shown = shownOf.get(record) as ShownRelations;
  const values = (shown.values ??= new Map());
  if (!values.has(name)) values.set(name, readRelation(relation, name, shown.row, shown.cells, record));
  return values.get(name);
}

function readRelation(relation: RecordRelation, name: string, row: RowCell, cells: Cells, record: object): unknown {
  if (row.order > 0) throw readEarly(name);
  // A record that is out of date shows what is there now, and hears of nothing.
  if (row.value === record && !row.clean) resolve(row);
  const known = row.parts.find((part) => part instanceof RelationCell && part.name === name) as
    | RelationCell
    | undefined;
  if (row.value === record && known !== undefined) return known.show(record);
  const made = new RelationCell(name, relation, row, cells);
  if (row.value === record) {
    row.parts = [...row.parts, made];
    made.linkTo(row);
    return made.show(record);
  }
  const value = made.show(record);
  made.release();
  return value;
}

function readEarly(name: string): DataError {
  return new DataError(
    'relation-early',
    `The relation ${name} was read of a record that is still being made. Read it in a component, or in a condition of a live query.`,
  );
}

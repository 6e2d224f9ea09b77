import { INVALID } from '../../define/schema/row.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import type { Cells, LateCheck } from '../denormalize/cells.ts';
import { Cell } from '../graph/cell.ts';
import { mark } from '../graph/mark.ts';
import { resolve } from '../graph/resolve.ts';
import type { RowCell } from '../tables/table.ts';

/** A relation that is read for a record. */
export interface RecordRelation {
  keptBy(args: readonly unknown[]): readonly unknown[];
  cell(cells: Cells, stored: unknown, args: readonly unknown[], old: Cell | undefined): Cell | undefined;
}

/** Returns the cell of the related records. `old` is the former one. */
export function relatedCell(
  relation: RecordRelation,
  cells: Cells,
  args: readonly unknown[],
  old: Cell | undefined,
): Cell | undefined {
  const kept = relation.keptBy(args);
  // For a relation to one record, the first argument is its pk, which is the stored form.
  return relation.cell(cells, kept[0], kept, old);
}

/**
 * The value of a relation in `static schema` that the value of a row has shown. If it changes, the value of the row is rebuilt. It is not a
 * part of the row, so that relations in both directions do not form a cycle.
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

  override markUncleanBy(): boolean {
    this.clean = false;
    // If the present value of the row has not shown it, no observer can see the change. It stays linked, so that the requests are found that
    // may show it next.
    if (this.#row.value !== this.#shownBy) return false;
    this.#cells.late.add(this);
    return true;
  }

  /** Returns the value of the relation for a record. */
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
    // The cell may have been released meanwhile.
    if (this.parents === undefined) return;
    const row = this.#row;
    if (row.value !== this.#shownBy) return;
    const { value } = this;
    try {
      this.#read();
      if (this.value === value) return;
    } catch {
      // The error is thrown to a reader of the new record.
    }
    row.noteReplaced();
    // The observers of the row were marked when this cell was.
    mark(row, new Map());
  }
}

/** The row of a record, and the values of its relations that were read. */
interface ShownRelations {
  readonly row: RowCell;
  readonly cells: Cells;
  values: Map<string, unknown> | undefined;
}

const shownOf = new WeakMap<object, ShownRelations>();

/**
 * Returns a function that defines a getter for a relation on the value of a row. The relation is read on first use, and its value is kept.
 * All records share one getter, because engines then give them the same memory layout.
 */
export function showRelation(relation: RecordRelation, name: string): (row: RowCell, cells: Cells) => void {
  const field = {
    configurable: true,
    // Not enumerable, so that a copy of the record that is sent to a server has no relations and no cycles.
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
  // A record that was replaced shows the present value of the relation, and is not updated.
  if (row.value === record && !row.clean) resolve(row);
  const isCurrent = row.value === record;
  const known = isCurrent && row.parts.find((part) => part instanceof RelationCell && part.name === name);
  const cell = (known || new RelationCell(name, relation, row, cells)) as RelationCell;
  if (isCurrent && !known) row.link([...row.parts, cell]);
  const value = cell.show(record);
  if (!isCurrent) cell.release();
  return value;
}

function readEarly(name: string): DataError {
  return new DataError('relation-early', `The relation ${name} was read while its record was being created.`, {
    cure: inDevelopment(() => 'Read it in a component, or in a condition of a live query.'),
  });
}

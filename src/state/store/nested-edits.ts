import type { RowState } from '../../define/schema/row.ts';
import { memo } from '../../std/memo.ts';
import { equalPlain, type Fields, type WritableFields } from '../../std/plain.ts';
import { issueOf } from '../normalize/field-order.ts';
import type { Creating } from '../normalize/write-in-progress.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';

/** Which fields of nested records a guess edits, as JSON. */
export type SavedNestedEdits = readonly (readonly [record: string, fields: readonly (readonly [string, boolean])[]])[];

/** Called with the fields of a nested record that a guess edits. Returns the names of those that it does not show. */
export type HiddenEdits = (table: string, pk: string, edited: Fields) => readonly string[];

/**
 * Which fields of nested records a guess edits. A guess often nests a record only to refer to it, such as the author of a new post, in the
 * form in which it was shown. Later changes of that record must show. So a field is an edit only if the shown value was another one when the
 * guess first contained it.
 */
export class NestedEdits {
  /** The nested records that nothing but the guess has, by name: the server may not know them before it has answered. */
  readonly absent: Map<string, { readonly table: string; readonly pk: string }> = new Map();
  /** Whether each field is an edit, by the table and the pk of its record. */
  readonly #isEdit: Map<string, Map<string, boolean>>;

  /** `saved`: what `toJSON` has returned, perhaps before a restart. */
  constructor(saved: SavedNestedEdits = []) {
    this.#isEdit = new Map(saved.map(([record, fields]) => [record, new Map(fields)]));
  }

  toJSON(): SavedNestedEdits {
    return Array.from(this.#isEdit, ([record, fields]) => [record, [...fields]]);
  }

  /**
   * Changes the row of a nested record: a field that the guess does not edit gets the value that it has without the guess. So does one that is
   * `hidden`.
   */
  restrict({ entity }: EntityPlan, cell: RowCell, row: WritableFields, below: RowState, hidden?: HiddenEdits): void {
    const edited: WritableFields = {};
    const name = `${cell.pk.length} ${cell.pk} ${cell.table.name}`;
    const isEdit = memo(this.#isEdit, name, () => new Map<string, boolean>());
    if (!isRow(below)) this.absent.set(name, { table: cell.table.name, pk: cell.pk });
    for (const field in row) {
      const isStored = isRow(below) && Object.hasOwn(below, field);
      const shown: unknown = Reflect.get((isStored ? below : entity.defaults) as object, field);
      const isEdited = memo(isEdit, field, () => isRow(below) && !equalPlain(shown, row[field]));
      if (isEdited) edited[field] = row[field];
      if (isEdited || !isRow(below)) continue;
      if (isStored) row[field] = shown;
      else dropDefault(entity, row, field);
    }
    if (hidden === undefined || !isRow(below)) return;
    // The answer of the later mutation has stored these fields.
    for (const field of hidden(cell.table.name, cell.pk, edited)) row[field] = Reflect.get(below, field);
  }
}

/**
 * Removes a field that has the default of its class, and that no answer had. Records as components read them have such fields, so a body that
 * contains one does not make them count as loaded. Readers still see the default.
 */
function dropDefault({ defaults }: EntityPlan['entity'], row: WritableFields, field: string): void {
  if (equalPlain((defaults as Fields)[field], row[field])) delete row[field];
}

/**
 * Keeps the fields of nested records that the store got after a mutation without a guess was issued. Nothing has noted what its body
 * edits, so its nested records are as old as the request.
 */
export function laterFields(
  confirmed: (cell: RowCell) => Pick<RowCell, 'stamp'>,
  issue: number,
): NonNullable<Creating['nested']> {
  return ({ entity }, cell, row, before) => {
    const { stamp } = confirmed(cell);
    if (!isRow(before) || stamp === undefined) return;
    for (const field in row)
      if (!Object.hasOwn(before, field)) dropDefault(entity, row, field);
      else if (issueOf(stamp, field) > issue) row[field] = Reflect.get(before, field);
  };
}

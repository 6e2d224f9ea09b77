import { INVALID, type RowState } from '../../define/schema/row.ts';
import { memo } from '../../std/memo.ts';
import { equalPlain, type Fields, type WritableFields } from '../../std/plain.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';

/** Which fields of nested records a guess edits, as JSON. */
export type SavedNestedEdits = readonly (readonly [record: string, fields: readonly (readonly [string, boolean])[]])[];

/** Called with the fields of a nested record that a guess edits. Returns the names of those that it does not show. */
export type HiddenEdits = (table: string, pk: string, edited: Fields) => readonly string[];

/** What a guess knows of a nested record: its confirmed row, and when the mutation of the guess was issued. */
interface NestedOptions {
  readonly confirmed?: Pick<RowCell, 'row' | 'stamp'>;
  readonly issue?: number | undefined;
  readonly hidden?: HiddenEdits | undefined;
}

/**
 * Which fields of nested records a mutation edits, with its guess, or with its body if it has no guess. A guess often nests a record only to refer
 * to it, such as the author of a new post, in the form in which it was shown. Later changes of that record must show. So a field is an edit only
 * if the shown value was another one when the guess first contained it.
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
   * Removes the fields from the row of a nested record that the guess does not edit, so that these are as they would be without the guess. A field
   * that nothing else has is kept, unless it has its default. Fields that a later mutation has edited get its values. Returns false if a later
   * mutation has deleted the record.
   */
  restrict(
    { entity, hooks }: EntityPlan,
    cell: RowCell,
    row: WritableFields,
    below: RowState,
    { confirmed, issue = Infinity, hidden }: NestedOptions = {},
  ): boolean {
    if (confirmed?.row === INVALID && Number(confirmed.stamp?.issue) > issue) return false;
    const edited: WritableFields = {};
    const name = `${cell.pk.length} ${cell.pk} ${cell.table.name}`;
    const isEdit = memo(this.#isEdit, name, () => new Map<string, boolean>());
    // The deletion that hides a confirmed record can fail.
    const known = isRow(below) ? below : confirmed?.row;
    if (!isRow(known)) this.absent.set(name, { table: cell.table.name, pk: cell.pk });
    for (const field in row) {
      const isStored = isRow(known) && Object.hasOwn(known, field);
      const shown: unknown = Reflect.get((isStored ? known : entity.defaults) as object, field);
      const isEdited = memo(isEdit, field, () => isRow(known) && !equalPlain(shown, row[field]));
      if (isEdited) edited[field] = row[field];
      if (isEdited || !isRow(below)) continue;
      // A class with its own merge() expects whole records.
      if (isStored && hooks.merge) row[field] = shown;
      else if (isStored || equalPlain(shown, row[field])) delete row[field];
    }
    if (hidden === undefined || !isRow(known)) return true;
    // The answer of the later mutation has stored these fields.
    for (const field of hidden(cell.table.name, cell.pk, edited)) row[field] = Reflect.get(known, field);
    return true;
  }
}

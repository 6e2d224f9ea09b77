import { memo } from '../../std/memo.ts';
import { equalPlain, type WritableFields } from '../../std/plain.ts';
import type { RowState } from '../../define/schema/schema.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';

/**
 * Which fields of nested records a guess edits. A guess often nests a record only to refer to it, such as the author of a new post, in the
 * form in which it was shown. Later changes of that record must show. So a field is an edit only if the shown value was another one when the
 * guess first contained it.
 */
export class NestedEdits {
  readonly #isEdit = new Map<RowCell, Map<string, boolean>>();

  /** Changes the row of a nested record so that it has only the edited fields of the guess, and else those of the row below the guess. */
  readonly restrict = ({ entity }: EntityPlan, cell: RowCell, row: WritableFields, below: RowState): void => {
    const isEdit = memo(this.#isEdit, cell, () => new Map<string, boolean>());
    for (const field in row) {
      const known = isRow(below) && Object.hasOwn(below, field) ? below : entity.defaults;
      const shown: unknown = Reflect.get(known as object, field);
      if (memo(isEdit, field, () => isRow(below) && !equalPlain(shown, row[field])) || !isRow(below)) continue;
      if (known === below) row[field] = shown;
      else delete row[field];
    }
  };
}

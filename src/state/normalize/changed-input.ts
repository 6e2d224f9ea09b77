import { fieldsOfPk } from '../../define/schema/pk.ts';
import type { Row, RowState } from '../../define/schema/row.ts';
import type { WritableFields } from '../../std/plain.ts';
import type { Aliases } from '../tables/aliases.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { Table } from '../tables/table.ts';
import type { WriteInProgress } from './write-in-progress.ts';

/** Returns the present pk of a record: an edit may have changed it since the server sent this pk. */
export function pkNow(table: Table, pk: unknown, writing: WriteInProgress): unknown {
  return typeof pk === 'string' ? table.pkNow(pk, sentAt(writing)) : pk;
}

/** As `pkNow`, for a record that the answer of a create has. */
export function createdPkNow(table: Table, pk: string, { answer, stamp }: WriteInProgress): unknown {
  return table.createdAs(pk, answer?.issue ?? stamp.issue);
}

/** Returns a record that arrived under its former pk, with the fields of the present one. */
export function withPkNow({ entity }: EntityPlan, processed: Row, known: RowState): Row {
  return { ...processed, ...fieldsOfPk(entity, Object(known) as object) };
}

/** Changes the fields of a row in which relations find records by their former pks. Call it only if the table has such fields. */
export function changeOwners({ table }: EntityPlan, row: WritableFields, writing: WriteInProgress): void {
  for (const [name, { changed }] of table.aliases.owners as ReadonlyMap<string, Aliases>) {
    const pk = String(row[name]);
    const now = changed?.pkNow(pk, sentAt(writing)) ?? pk;
    if (now !== pk) row[name] = now;
  }
}

/** When the request of a write was sent. */
function sentAt({ answer, issue, stamp }: WriteInProgress): number {
  return answer?.sent ?? issue ?? stamp.issue;
}

import type { Row } from '../../define/schema/row.ts';
import { setOwn, type WritableFields } from '../../std/plain.ts';

/** Returns whether one of these fields is among the others. If `others` is not given, every field counts as included. */
export function isAnyOf(fields: ReadonlySet<string> | undefined, others: readonly string[] | undefined): boolean {
  if (fields === undefined) return false;
  return others === undefined || others.some((field) => fields.has(field));
}

/** Returns the fields in which two rows differ. */
export function differingFields(one: Row, other: Row): string[] {
  const fields: string[] = [];
  for (const field in one)
    if ((one as WritableFields)[field] !== (other as WritableFields)[field] || !Object.hasOwn(other, field))
      fields.push(field);
  for (const field in other) if (!Object.hasOwn(one, field)) fields.push(field);
  return fields;
}

/** Returns the fields of several rows in one row. The first row that has a field wins. */
export function combined(rows: readonly Row[]): Row {
  const fields: WritableFields = {};
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at] as WritableFields;
    for (const field in row) setOwn(fields, field, row[field]);
  }
  return fields;
}

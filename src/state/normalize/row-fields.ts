import type { Row } from '../../define/schema/schema.ts';
import { setOwn, type WritableFields } from '../../std/plain.ts';

/** Whether one of these fields is among the others; without others, they all may be. */
export function isAnyOf(fields: ReadonlySet<string> | undefined, others: readonly string[] | undefined): boolean {
  if (fields === undefined) return false;
  return others === undefined || others.some((field) => fields.has(field));
}

/** The fields in which two rows are not the same. */
export function differing(one: Row, other: Row): string[] {
  const fields: string[] = [];
  for (const field in one)
    if ((one as WritableFields)[field] !== (other as WritableFields)[field] || !Object.hasOwn(other, field))
      fields.push(field);
  for (const field in other) if (!Object.hasOwn(one, field)) fields.push(field);
  return fields;
}

/** The fields of several rows in one; of each, that of the first that has it. */
export function combined(rows: readonly Row[]): Row {
  const fields: WritableFields = {};
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at] as WritableFields;
    for (const field in row) setOwn(fields, field, row[field]);
  }
  return fields;
}

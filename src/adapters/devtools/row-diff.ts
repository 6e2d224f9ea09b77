import type { RowChange } from '../../state/store/commit.ts';

/** A field that differs between two states of a row. */
export interface FieldDiff {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the kind of change of a row, and its changed fields. */
export function rowDiff({ before, after }: RowChange): {
  readonly kind: 'new' | 'gone' | 'changed';
  readonly fields: readonly FieldDiff[];
} {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  const fields = names
    .map((field) => ({ field, before: old?.[field], after: now?.[field] }))
    .filter((one) => one.before !== one.after);
  return { kind: old === undefined ? 'new' : now === undefined ? 'gone' : 'changed', fields };
}

/** Returns the fields of a row; `undefined` if there is none, or if it was deleted. */
export function fieldsOf(row: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof row !== 'object' || row === null) return undefined;
  return Array.isArray(row) ? { members: row } : (row as Readonly<Record<string, unknown>>);
}

const MAX_LENGTH = 200;

/** Returns a value in one line. */
export function shortText(value: unknown): string {
  const text = typeof value === 'symbol' ? 'deleted' : (jsonOf(value) ?? String(value));
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

const texts = new WeakMap<object, string>();

/** Returns a row in one line. The text of each row is made once. */
export function rowText(row: unknown): string {
  const fields = fieldsOf(row);
  if (fields === undefined) return 'deleted';
  const known = texts.get(row as object);
  if (known !== undefined) return known;
  const text = shortText(fields);
  texts.set(row as object, text);
  return text;
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one));
  } catch {
    return undefined;
  }
}

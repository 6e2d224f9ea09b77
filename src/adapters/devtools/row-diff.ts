import type { RowChange } from '../../state/store/commit.ts';

/** A row before and after a commit, by its fields. */
export interface RowDiff {
  readonly table: string;
  readonly pk: string;
  readonly kind: 'new' | 'gone' | 'changed';
  readonly fields: readonly FieldDiff[];
}

export interface FieldDiff {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export function rowDiff({ table, pk, before, after }: RowChange): RowDiff {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  const fields = names
    .map((field) => ({ field, before: old?.[field], after: now?.[field] }))
    .filter((one) => one.before !== one.after);
  const kind = old === undefined ? 'new' : now === undefined ? 'gone' : 'changed';
  return { table, pk, kind, fields };
}

/** The fields of a row; `undefined` where there is none, or it was deleted. */
export function fieldsOf(row: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof row !== 'object' || row === null) return undefined;
  return Array.isArray(row) ? { members: row } : (row as Readonly<Record<string, unknown>>);
}

const LONGEST = 200;

/** A value in one line. */
export function shortText(value: unknown): string {
  const text = typeof value === 'symbol' ? 'deleted' : (jsonOf(value) ?? String(value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one));
  } catch {
    return undefined;
  }
}

import type { Fields } from '../../std/plain.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import { shortText } from './row-diff.ts';

/** What is different in a value: a field, or a record that came into a list or left it. */
export interface ValueChange {
  readonly kind: 'field' | 'joined' | 'left';
  /** The way to it, such as `[3].author`. */
  readonly path: string;
  /** The record that it is about, or is a field of. */
  readonly table?: string;
  readonly pk?: string;
  readonly field?: string;
  readonly before?: string;
  readonly after?: string;
}

/** More changes than these are not told. */
const MOST = 20;

interface RecordName {
  readonly table: string;
  readonly pk: string;
}

/** How a value differs from what it was. Parts that kept their identity are not looked at. */
export function valueChanges(before: unknown, after: unknown): readonly ValueChange[] {
  const found: ValueChange[] = [];
  const seen = new Set<unknown>();
  compare({ path: '' }, before, after);
  return found;

  function compare(at: Omit<ValueChange, 'kind'>, old: unknown, now: unknown): void {
    if (old === now || found.length >= MOST || seen.has(now)) return;
    if (!isStructure(old) || !isStructure(now) || isOther(nameOf(old), nameOf(now))) {
      found.push({ ...at, kind: 'field', before: textOf(old), after: textOf(now) });
      return;
    }
    seen.add(now);
    if (Array.isArray(old) && Array.isArray(now)) compareLists(at.path, old, now);
    else compareFields(at.path, old as Fields, now as Fields);
  }

  function compareFields(path: string, old: Fields, now: Fields): void {
    for (const field of new Set([...Object.keys(old), ...Object.keys(now)]))
      compare({ path: path === '' ? field : `${path}.${field}`, ...nameOf(now), field }, old[field], now[field]);
  }

  function compareLists(path: string, old: readonly unknown[], now: readonly unknown[]): void {
    const known = new Map(old.map((member, index) => [memberKey(member, index), member]));
    now.forEach((member, index) => {
      const key = memberKey(member, index);
      const partner = known.get(key);
      const place = `${path}[${index}]`;
      if (known.delete(key)) compare({ path: place, ...nameOf(member) }, partner, member);
      else if (found.length < MOST)
        found.push({ kind: 'joined', path: place, ...nameOf(member), after: textOf(member) });
    });
    for (const member of known.values())
      if (found.length < MOST) found.push({ kind: 'left', path, ...nameOf(member), before: textOf(member) });
  }
}

function isStructure(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The table and the pk of a record. */
function nameOf(value: unknown): RecordName | undefined {
  if (!hasPk(value)) return undefined;
  const { key } = (value as object).constructor as { readonly key?: unknown };
  return { table: String(key), pk: String(value.pk()) };
}

function isOther(one: RecordName | undefined, other: RecordName | undefined): boolean {
  return one?.table !== other?.table || one?.pk !== other?.pk;
}

function memberKey(member: unknown, index: number): unknown {
  const name = nameOf(member);
  return name === undefined ? index : `${name.table} ${name.pk}`;
}

/** A value in a few words: the name of a record, or how many members a list has. */
export function textOf(value: unknown): string {
  const name = nameOf(value);
  if (name !== undefined) return `${name.table} ${name.pk}`;
  return Array.isArray(value) ? `${value.length} ${value.length === 1 ? 'member' : 'members'}` : shortText(value);
}

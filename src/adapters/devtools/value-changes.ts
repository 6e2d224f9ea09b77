import { type Fields, isPlain } from '../../std/plain.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import { shortText } from './row-diff.ts';

/** A difference between two values: a field, or a record that was added to a list or removed from it. */
export interface ValueChange {
  readonly kind: 'field' | 'joined' | 'left';
  /** The path, such as `[3].author`. */
  readonly path: string;
  /** The record that was added or removed, or whose field differs. */
  readonly table?: string;
  readonly pk?: string;
  readonly field?: string;
  readonly before?: string;
  readonly after?: string;
}

/** The largest number of changes that are listed. */
const MAX_CHANGES = 20;

interface RecordName {
  readonly table: string;
  readonly pk: string;
}

/** Lists the differences between two values. Parts that are the same object are skipped. */
export function valueChanges(before: unknown, after: unknown): readonly ValueChange[] {
  const found: ValueChange[] = [];
  const seen = new Set<unknown>();
  compare({ path: '' }, before, after);
  return found;

  function compare(at: Omit<ValueChange, 'kind'>, old: unknown, now: unknown): void {
    if (Object.is(old, now) || found.length >= MAX_CHANGES || seen.has(now)) return;
    if (!isStructure(old) || !isStructure(now) || isOther(nameOf(old), nameOf(now))) {
      const change = { ...at, kind: 'field', before: textOf(old), after: textOf(now) } as const;
      // An object such as a date is created again with its record, so another object with the same text is no change.
      const isSame = typeof old === 'object' && typeof now === 'object' && change.before === change.after;
      if (!isSame) found.push(change);
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
    // The key of a member is slow to find, and most members of a long list are the same object as before.
    const { start, end } = sameEnds(old, now);
    const isSame = (index: number): boolean => old.length === now.length && old[index] === now[index];
    const known = new Map<unknown, unknown>();
    for (let index = start; index < old.length - end; index++)
      if (!isSame(index)) known.set(memberKey(old[index], index), old[index]);
    for (let index = start; index < now.length - end; index++) {
      if (isSame(index)) continue;
      const member = now[index];
      const key = memberKey(member, index);
      const partner = known.get(key);
      const at = `${path}[${index}]`;
      if (known.delete(key)) compare({ path: at, ...nameOf(member) }, partner, member);
      else if (found.length < MAX_CHANGES)
        found.push({ kind: 'joined', path: at, ...nameOf(member), after: textOf(member) });
    }
    for (const member of known.values())
      if (found.length < MAX_CHANGES) found.push({ kind: 'left', path, ...nameOf(member), before: textOf(member) });
  }
}

/** Returns the numbers of members at the start and at the end of two lists that are the same objects in both. */
function sameEnds(old: readonly unknown[], now: readonly unknown[]): { readonly start: number; readonly end: number } {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  return { start, end };
}

/** Returns whether the content of a value is in its fields. That of a date is not. */
function isStructure(value: unknown): value is object {
  return isPlain(value) || (typeof value === 'object' && value !== null && Object.keys(value).length > 0);
}

/** Returns the table and the pk of a record. */
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

/** Returns a short description of a value: the name of a record, or the number of members of a list. */
export function textOf(value: unknown): string {
  const name = nameOf(value);
  if (name !== undefined) return `${name.table} ${name.pk}`;
  return Array.isArray(value) ? `${value.length} ${value.length === 1 ? 'member' : 'members'}` : shortText(value);
}

import { fieldsReadBy } from '../../std/fields-read.ts';
import { isObject } from './fields.ts';
import { fieldsOfPk, type PkSource } from './pk.ts';

type RowFields = Readonly<Record<string, unknown>>;
/** A `pk()`, called with a record. */
type MakePk = (record: object) => unknown;

/** A temporary pk begins with a prefix, the number of its store and the mark of its table. Fixed format: outboxes on disks have temporary pks. */
const TEMPORARY_PK = /^temp:\w{21}:/;
const MARK_AT = 'temp:'.length + 14;
export const MARK_LENGTH = 7;

/** Returns the part of the temporary pks of a table by which they differ from those of other tables: a hash of its name. */
export function markOfTable(name: string): string {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) >>> 0;
  return hash.toString(36).padStart(MARK_LENGTH, '0');
}

/** Returns whether a value is a temporary pk of any store. */
export function isTemporaryPk(value: unknown): value is string {
  return typeof value === 'string' && TEMPORARY_PK.test(value);
}

/** A shorter text has neither `undefined` beside another field, nor a temporary pk. */
const MIN_LENGTH = 10;

/** Returns whether a text that `pk()` returned may stand for another pk: see `pkInText`. Separate, because each record that is written needs it. */
export function isUnclear(raw: unknown): raw is string {
  return typeof raw === 'string' && raw.length >= MIN_LENGTH && (raw.includes('undefined') || raw.includes('temp:'));
}

/**
 * Returns the pk that a text of a `pk()` stands for. A text that lacks a field, such as `7/undefined`, stands for none. A text that is made of the
 * temporary pk of the record and other fields stands for this pk, because the record has no other one yet. The temporary pk of a record of another
 * table, such as that of the order in a line, is a field like others. `rest`: the further arguments of `pk()`.
 */
export function pkInText(
  text: string,
  {
    key,
    prototype: { pk },
  }: { readonly key: string; readonly prototype: { readonly pk: (...rest: never[]) => unknown } },
  record: object,
  rest: readonly unknown[],
): string | undefined {
  if (lacksPart(text, (value) => Reflect.apply(pk, value, rest), record)) return undefined;
  const parts: readonly unknown[] = Object.values(record);
  const isOwn = (part: string): boolean => part.startsWith(markOfTable(key), MARK_AT) && text.includes(part);
  return parts.filter(isTemporaryPk).find(isOwn) ?? text;
}

/**
 * Returns whether a text has a place for a field without a value: a template string writes `undefined` there, and `join()` nothing. A field for
 * which `pk()` has a substitute, as in `locale ?? 'en'`, has none.
 */
export function lacksPart(text: string, makePk: MakePk, record: unknown): boolean {
  const fields = { ...(record as RowFields) };
  const isSame = (name: string, value: unknown): boolean => resultOf(makePk, { ...fields, [name]: value }) === text;
  return fieldsReadBy(makePk, fields).some(
    (name) => fields[name] === undefined && (isSame(name, '') || isSame(name, 'undefined')) && !isSame(name, 0),
  );
}

/** Returns the field without a value that has to hold a pk so that `pk()` returns it. `undefined` if there is none. */
export function fieldFor(entity: PkSource, record: object, pk: string): string | undefined {
  const makePk: MakePk = (value) => entity.pk(value);
  return fieldsReadBy(makePk, record).find(
    (name) => ((record as RowFields)[name] ?? '') === '' && resultOf(makePk, { ...record, [name]: pk }) === pk,
  );
}

/**
 * Returns a record with its temporary pk in the field that its pk lacks, such as `id`, until the server assigns this field. The records and lists
 * inside of it then know to which record they belong.
 */
export function withTemporaryPk<Given extends object>(entity: PkSource, record: Given, pk: string): Given {
  const field = fieldFor(entity, record, pk);
  return field === undefined ? record : { ...record, [field]: pk };
}

const PROBE = 'pk';

/**
 * Returns what a server has in place of a temporary pk: the pk, which is a number if it is one in the row. For a pk of several fields, an object
 * with these, and with the pk under the name ''.
 */
export function idOf(entity: PkSource, row: unknown, pk: string): unknown {
  const fields = Object(row) as RowFields;
  const field = fieldFor(entity, {}, PROBE);
  if (field === undefined) return { ...fieldsOfPk(entity, fields), '': pk };
  const id = fields[field];
  return String(id) === pk ? id : pk;
}

/** Returns what a field with this name has in place of a temporary pk for which `idOf` returned `id`. */
export function idIn(id: unknown, field: string): unknown {
  return isObject(id) ? (id[field] ?? id['']) : id;
}

/** Returns a record that arrived under its temporary pk, with what the server has in place of it: `id`, see `idOf`. */
export function renamedRecord(record: object, temporary: string, id: unknown): object {
  const entries = Object.entries(record).map(([name, value]: [string, unknown]): [string, unknown] => [
    name,
    value === temporary ? idIn(id, name) : value,
  ]);
  return Object.fromEntries(entries);
}

function resultOf(makePk: MakePk, record: object): unknown {
  try {
    return makePk(record);
  } catch {
    // `pk()` expects a whole record, and may throw for a part of one.
    return undefined;
  }
}

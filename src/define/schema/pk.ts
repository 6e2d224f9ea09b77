import { DataError } from '../../std/data-error.ts';
import { isObject } from './fields.ts';

/** What can give a primary key: an entity class. */
export interface PkSource {
  readonly key: string;
  pk(value: unknown, parent?: unknown, key?: string, args?: readonly unknown[]): unknown;
}

/** `undefined`, `''` and `'undefined'` (a template over an absent field) all mean that there is no pk. */
export function isNoPk(raw: unknown): boolean {
  return raw === undefined || raw === '' || raw === 'undefined';
}

/** Whether a number can stand for itself: a rounded 64-bit id would stand for its neighbours too. */
function isExact(raw: number): boolean {
  return Number.isInteger(raw) ? Number.isSafeInteger(raw) : Number.isFinite(raw);
}

/**
 * The pk in what a `pk()` returned, or in a reference: always a string, so that `1` and `'1'` are one record.
 * Anything but a string or an exact number is an error, for `null` and `NaN` come from a fault in the data.
 */
export function pkFrom(raw: unknown, entity: string, path?: string): string | undefined {
  const pk = pkIfAny(raw);
  if (pk !== undefined || isNoPk(raw)) return pk;
  throw new DataError(
    'pk-invalid',
    `${entity}.pk() returned ${describePk(raw)}. A pk is a string, or a number that JavaScript holds exactly.`,
    { entity, path },
  );
}

/** The pk of `value` as a record of `entity`, or `undefined` where it has none. */
export function pkOf(
  entity: PkSource,
  value: unknown,
  parent?: unknown,
  key?: string,
  args?: readonly unknown[],
): string | undefined {
  return pkFrom(entity.pk(value, parent, key, args), entity.key);
}

/** The fields of a record that its pk is made of. */
export function fieldsOfPk(entity: PkSource, record: object): Readonly<Record<string, unknown>> {
  const pk = entity.pk(record);
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => entity.pk({ ...record, [name]: undefined }) !== pk),
  );
}

/** As `pkFrom`, where the value is a question rather than data: what is no pk asks for nothing. */
export function pkIfAny(raw: unknown): string | undefined {
  if (typeof raw === 'number') return isExact(raw) ? String(raw) : undefined;
  if (typeof raw === 'bigint') return String(raw);
  return typeof raw === 'string' && !isNoPk(raw) ? raw : undefined;
}

/** The error for a record without a pk. */
export function pkMissing(entity: string, value: unknown, path?: string): DataError {
  const fields = isObject(value) ? Object.keys(value).join(', ') : String(value);
  const envelope = isObject(value) ? envelopeIn(value, entity) : undefined;
  const cure =
    envelope === undefined
      ? `Give ${entity} a pk() that returns a field which every record has${likely(value)}, or add one in process() of the endpoint.`
      : `If the record is in ${envelope}, write the schema { ${envelope}: ${entity} }; for a resource, wire: envelope({ one: '${envelope}' }).`;
  return new DataError('pk-missing', `${entity}.pk() found no primary key in { ${fields} }. ${cure}`, { entity, path });
}

/** The field that seems to be the pk, as an example. */
function likely(value: unknown): string {
  const name = Object.keys(Object(value) as object).find((field) => LIKELY.has(field.toLowerCase()));
  return name === undefined ? '' : `, such as this.${name}`;
}
const LIKELY: ReadonlySet<string> = new Set(['_id', 'pk', 'uuid', 'guid', 'key', 'slug']);

/** The member of a response that its record seems to be in: the only one, or one that is called so. */
function envelopeIn(value: object, entity: string): string | undefined {
  const members = Object.entries(value).filter(([, member]) => isObject(member) && !Array.isArray(member));
  const isOnly = Object.keys(value).length === 1;
  return members.find(([name]) => isOnly || name === 'data' || name.toLowerCase() === entity.toLowerCase())?.[0];
}

/** A value in an error. */
export function describePk(raw: unknown): string {
  if (typeof raw === 'number') return `the number ${raw}`;
  if (raw === null || typeof raw === 'boolean') return String(raw);
  return `a value of type ${typeof raw}`;
}

/** Whether a value in the place of a reference says that there is none: servers write `0`, an empty text or `false`. */
export function isEmptyRef(value: unknown): boolean {
  return value === 0 || value === '' || value === false;
}

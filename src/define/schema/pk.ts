import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isObject } from './fields.ts';

/** A source of primary keys: an entity class. */
export interface PkSource {
  readonly key: string;
  pk(value: unknown, parent?: unknown, key?: string, args?: readonly unknown[]): unknown;
}

/** Returns whether a `pk()` returned no pk: `undefined`, `''`, or `'undefined'`, which a template string makes of a missing field. */
export function isNoPk(raw: unknown): boolean {
  return raw === undefined || raw === '' || raw === 'undefined';
}

/** Returns whether a number is exact. A 64-bit id that was rounded equals the rounded id of another record. */
function isExact(raw: number): boolean {
  return Number.isInteger(raw) ? Number.isSafeInteger(raw) : Number.isFinite(raw);
}

/**
 * Returns the pk as a string, so that `1` and `'1'` are the same record. Throws for values that are neither a string nor an exact number:
 * `null` and `NaN` show a mistake in the data.
 */
export function pkFrom(raw: unknown, entity: string, path?: string): string | undefined {
  const pk = pkIfAny(raw);
  if (pk !== undefined || isNoPk(raw)) return pk;
  throw new DataError('pk-invalid', `${entity}.pk() returned ${describePk(raw)}.`, {
    entity,
    path,
    cure: inDevelopment(() => 'A pk is a string or an exact number.'),
  });
}

/** Returns the pk of `value` as a record of `entity`, or `undefined` if it has none. */
export function pkOf(
  entity: PkSource,
  value: unknown,
  parent?: unknown,
  key?: string,
  args?: readonly unknown[],
): string | undefined {
  return pkFrom(entity.pk(value, parent, key, args), entity.key);
}

/** Returns the fields of a record from which its pk is made. */
export function fieldsOfPk(entity: PkSource, record: object): Readonly<Record<string, unknown>> {
  const pk = entity.pk(record);
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => entity.pk({ ...record, [name]: undefined }) !== pk),
  );
}

/** As `pkFrom`, but returns `undefined` for a value that cannot be a pk. For arguments, which are not data. */
export function pkIfAny(raw: unknown): string | undefined {
  if (typeof raw === 'number') return isExact(raw) ? String(raw) : undefined;
  if (typeof raw === 'bigint') return String(raw);
  return typeof raw === 'string' && !isNoPk(raw) ? raw : undefined;
}

/** As `pkIfAny` of the pk of a value. `undefined` also if `pk()` throws, because it expects a whole record, or one of another class. */
export function pkOfPart(entity: PkSource, value: unknown, args: readonly unknown[]): string | undefined {
  try {
    return pkIfAny(entity.pk(value, undefined, undefined, args));
  } catch {
    return undefined;
  }
}

/** Creates the error for a record without a pk. */
export function pkMissing(entity: string, value: unknown, path?: string): DataError {
  const fields = isObject(value) ? Object.keys(value).join(', ') : String(value);
  const cure = cureOf(entity, value);
  return new DataError('pk-missing', `${entity}.pk() found no primary key in { ${fields} }. ${cure}`, { entity, path });
}

function cureOf(entity: string, value: unknown): string {
  const envelope = isObject(value) ? envelopeIn(value, entity) : undefined;
  if (envelope === 'error')
    return 'If it says that the request failed, throw new Error(value.error.message) in process() of the endpoint.';
  return envelope === undefined
    ? `Give ${entity} a pk() that returns a field which every record has${exampleField(value)}, or add one in process() of the endpoint.`
    : `If the record is in ${envelope}, write the schema { ${envelope}: ${entity} }; for a resource, wire: envelope({ one: '${envelope}' }).`;
}

/** Returns an example in the error: the field that looks like the pk. */
function exampleField(value: unknown): string {
  const name = Object.keys(Object(value) as object).find((field) => PK_NAMES.has(field.toLowerCase()));
  return name === undefined ? '' : `, such as this.${name}`;
}
const PK_NAMES: ReadonlySet<string> = new Set(['_id', 'pk', 'uuid', 'guid', 'key', 'slug', 'url']);

/** Returns the member of a response that seems to hold the record: the only member, or one named `data` or after the entity. */
function envelopeIn(value: object, entity: string): string | undefined {
  const members = Object.entries(value).filter(([, member]) => isObject(member) && !Array.isArray(member));
  const isOnly = Object.keys(value).length === 1;
  return members.find(([name]) => isOnly || name === 'data' || name.toLowerCase() === entity.toLowerCase())?.[0];
}

/** Describes a value in an error. */
export function describePk(raw: unknown): string {
  if (typeof raw === 'number') return `the number ${raw}`;
  if (raw === null || typeof raw === 'boolean') return String(raw);
  return `a value of type ${typeof raw}`;
}

/** Returns whether a value means that there is no reference. Some servers send `0`, an empty text or `false`. */
export function isEmptyRef(value: unknown): boolean {
  return value === 0 || value === '' || value === false;
}

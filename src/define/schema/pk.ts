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
  const pk = pkOfPart(entity, record, []);
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => pkOfPart(entity, { ...record, [name]: undefined }, []) !== pk),
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
  return new DataError('pk-missing', `${entity}.pk() found no primary key in { ${fields} }.`, {
    entity,
    path,
    cure: inDevelopment(() => {
      const members = Object.entries(Object(value) as object);
      // The member that seems to hold the record: the only one, or one named `data` or after the entity.
      const envelope = members.find(
        ([name, member]) =>
          isObject(member) &&
          !Array.isArray(member) &&
          (members.length === 1 || name === 'data' || name.toLowerCase() === entity.toLowerCase()),
      )?.[0];
      if (envelope === 'error')
        return 'If it says that the request failed, throw new Error(value.error.message) in process() of the endpoint.';
      if (envelope !== undefined)
        return `If the record is in ${envelope}, write the schema { ${envelope}: ${entity} }; for a resource, wire: envelope({ one: '${envelope}' }).`;
      // A field that looks like the pk.
      const names = ['_id', 'pk', 'uuid', 'guid', 'key', 'slug', 'url'];
      const example = members.find(([name]) => names.includes(name.toLowerCase()))?.[0];
      return `Give ${entity} a pk() that returns a field which every record has${example === undefined ? '' : `, such as this.${example}`}, or add one in process() of the endpoint.`;
    }),
  });
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

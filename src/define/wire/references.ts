import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import type { WireEndpoint } from '../rest/wire-shape.ts';
import { entityIn, pkIn, describeValue } from './records.ts';

/** Returns the pk, or list of pks, for a field of a body. The value may be a record or already a pk. */
export function referencedPks(value: unknown, field: string, endpoint: WireEndpoint): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => referencedPks(item, field, endpoint));
  if (typeof value !== 'object' || value === null) return value;
  const { id } = value as { readonly id?: unknown };
  const pk = pkIn(entityIn(entityIn(endpoint.schema)?.schema[field]), value);
  // Some servers accept only numbers as ids, so a numeric pk is sent as the number that the record has.
  const isPk = (part: unknown): boolean => part === pk || (typeof part === 'number' && String(part) === pk);
  const raw = pk === undefined ? id : ([id, ...Object.values(value)].find(isPk) ?? pk);
  if (raw !== undefined && raw !== null && raw !== '') return raw;
  throw new DataError(
    'body-invalid',
    `The body of ${endpoint.method} ${endpoint.name} has ${describeValue({ ...value })} as ${field}, which identifies no record.`,
    { path: field, cure: inDevelopment(() => 'Pass a record with its pk, or the pk.') },
  );
}

/** As `referencedPks`, but passes each pk through `make`. `null` stays `null`. */
export function mapReferencedPks(
  value: unknown,
  field: string,
  endpoint: WireEndpoint,
  make: (pk: string) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mapReferencedPks(item, field, endpoint, make));
  const pk = referencedPks(value, field, endpoint) as string | number | null;
  return pk === null ? null : make(String(pk));
}

import { DataError } from '../../std/data-error.ts';
import type { WireEndpoint } from '../rest/wire-shape.ts';
import { entityIn, pkIn, shown } from './records.ts';

/** The pk that a field of a body refers by, or a list of them: as the record has it, or as it is given. */
export function referred(value: unknown, field: string, endpoint: WireEndpoint): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => referred(item, field, endpoint));
  if (typeof value !== 'object' || value === null) return value;
  const { id } = value as { readonly id?: unknown };
  const pk = pkIn(entityIn(entityIn(endpoint.schema)?.schema[field]), value);
  // A server that counts its records wants a number.
  const raw = pk === undefined || String(id) === pk ? id : pk;
  if (raw !== undefined && raw !== '') return raw;
  throw new DataError(
    'body-invalid',
    `The body of ${endpoint.method} ${endpoint.name} has ${shown({ ...value })} as ${field}, which names no record. Pass a record with its pk, or the pk.`,
    { path: field },
  );
}

/** As `referred`, each pk in the form that `make` gives it. `null` refers to nothing. */
export function referredBy(
  value: unknown,
  field: string,
  endpoint: WireEndpoint,
  make: (pk: string) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => referredBy(item, field, endpoint, make));
  const pk = referred(value, field, endpoint) as string | number | null;
  return pk === null ? null : make(String(pk));
}

import { DataError } from '../../std/data-error.ts';
import type { Entity } from './entity.ts';

const names = new WeakMap<object, string>();

/** The temporary pk under which the record of an instance was created. */
export function setName(instance: object, temporary: string): void {
  names.set(instance, temporary);
}

/**
 * A key for React: the pk of a record, and for one that was created here, the temporary pk that it had at first. So a row
 * stays mounted, with its focus and its state, when the server names its record.
 */
export function keyOf(record: Pick<Entity, 'pk'>): string {
  if (!hasPk(record)) throw recordExpected('keyOf()', record, 'record && keyOf(record)');
  return names.get(record) ?? String(record.pk());
}

/** Whether a value is a record that was read, as far as can be seen. */
export function hasPk(value: unknown): value is Pick<Entity, 'pk'> {
  return typeof (Object(value) as { readonly pk?: unknown }).pk === 'function';
}

/** The error for what is no record; `cure` is what to write. */
export function recordExpected(what: string, given: unknown, cure: string): DataError {
  const shown =
    typeof given === 'object' && given !== null ? `{ ${Object.keys(given).slice(0, 5).join(', ')} }` : String(given);
  return new DataError(
    'record-expected',
    `${what} was given ${shown}, and takes a record that was read, an instance of its class: ${cure}.`,
  );
}

import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import type { Entity } from './entity.ts';

const names = new WeakMap<object, readonly [first: string, ...others: string[]]>();

/** Remembers the temporary pks under which the record of an instance was created. There are several if the server answered several creates with it. */
export function setNames(instance: object, temporary: readonly [first: string, ...others: string[]]): void {
  names.set(instance, temporary);
}

/** Lets `keyOf` return the same for a copy of a record. */
export function copyNames(record: object, copy: object): void {
  const known = names.get(record);
  if (known !== undefined) names.set(copy, known);
}

/** Returns the temporary pks under which a record was created. */
export function temporaryPksOf(record: object): readonly string[] {
  return names.get(record) ?? [];
}

/**
 * Returns a React key for a record: its pk. For a record that was created here, it is the temporary pk that it had first, so that its row
 * stays mounted, with focus and state, when the server assigns the real pk.
 */
export function keyOf(record: Pick<Entity, 'pk'>): string {
  if (!hasPk(record))
    throw recordExpected(
      'keyOf()',
      record,
      inDevelopment(() => 'record && keyOf(record)'),
    );
  return names.get(record)?.[0] ?? String(record.pk());
}

/** Returns whether a value has a `pk()`, as records have. */
export function hasPk(value: unknown): value is Pick<Entity, 'pk'> {
  return typeof (Object(value) as { readonly pk?: unknown }).pk === 'function';
}

/** Creates the error for a value that is not a record. `cure`: what to write instead. */
export function recordExpected(what: string, given: unknown, cure: string | undefined): DataError {
  const shown =
    typeof given === 'object' && given !== null ? `{ ${Object.keys(given).slice(0, 5).join(', ')} }` : String(given);
  return new DataError('record-expected', `${what} was given ${shown}.`, {
    cure: inDevelopment(() => `Pass a record that was read, an instance of its class: ${cure}.`),
  });
}

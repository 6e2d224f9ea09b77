import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import type { Entity } from './entity.ts';

const names = new WeakMap<object, readonly [first: string, ...others: string[]]>();
const keys = new WeakMap<object, string>();

/** Remembers the React key of an instance whose pk was changed by an edit, or that has the former pk of another record. */
export function setKey(instance: object, key: string): void {
  keys.set(instance, key);
}

/** Remembers the temporary pks under which the record of an instance was created. There are several if the server answered several creates with it. */
export function setNames(instance: object, temporary: readonly [first: string, ...others: string[]]): void {
  names.set(instance, temporary);
}

/** Lets `keyOf` return the same for a copy of a record. */
export function copyNames(record: object, copy: object): void {
  const known = names.get(record);
  const key = keys.get(record);
  if (known !== undefined) names.set(copy, known);
  if (key !== undefined) keys.set(copy, key);
}

/** Returns the temporary pks under which a record was created. */
export function temporaryPksOf(record: object): readonly string[] {
  return names.get(record) ?? [];
}

/**
 * Returns a React key for a record: its pk. For a record that was created here, it is the temporary pk that it had first, so that its row
 * stays mounted, with focus and state, when the server assigns the real pk. If an edit changes the pk, the key stays too.
 */
export function keyOf(record: Pick<Entity, 'pk'>): string {
  if (!hasPk(record))
    throw recordExpected(
      'keyOf()',
      record,
      inDevelopment(() => 'record && keyOf(record)'),
    );
  return names.get(record)?.[0] ?? keys.get(record) ?? String(record.pk());
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

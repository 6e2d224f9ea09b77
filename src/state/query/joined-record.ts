import { copyNames } from '../../define/schema/key-of.ts';
import type { Fields } from '../../std/plain.ts';

/** Returns a copy of a record or a group with more fields. */
export function joinedRecord(
  record: unknown,
  names: readonly string[],
  values: readonly unknown[],
  isFrozen: boolean,
): object {
  const given = record as object;
  const whole = Object.assign(Object.create(Object.getPrototypeOf(given) as object) as object, given);
  // Relations in the schema are getters. The copy reads them from the original record.
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(given)))
    if (member.get !== undefined)
      Object.defineProperty(whole, name, { configurable: true, get: () => (given as Fields)[name] });
  // Not an assignment: the record may have a getter of the same name, such as a relation of its schema.
  for (const [at, name] of names.entries())
    Object.defineProperty(whole, name, { value: values[at], writable: true, enumerable: true, configurable: true });
  copyNames(given, whole);
  return isFrozen ? Object.freeze(whole) : whole;
}

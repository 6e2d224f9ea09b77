import { hasPk, keyOf, setName } from '../../define/schema/key-of.ts';
import { type Fields, setOwn } from '../../std/plain.ts';

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
  for (const [at, name] of names.entries()) setOwn(whole, name, values[at]);
  if (hasPk(given)) setName(whole, keyOf(given));
  return isFrozen ? Object.freeze(whole) : whole;
}

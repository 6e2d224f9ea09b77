import { hasPk, keyOf, setName } from '../../define/schema/key-of.ts';
import { type Fields, setOwn } from '../../std/plain.ts';

/** A record of the same class, or a group, with these values in fields of these names. */
export function joinedRecord(
  record: unknown,
  names: readonly string[],
  values: readonly unknown[],
  isFrozen: boolean,
): object {
  const given = record as object;
  const whole = Object.assign(Object.create(Object.getPrototypeOf(given) as object) as object, given);
  // The relations of its schema stay those of the record.
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(given)))
    if (member.get !== undefined)
      Object.defineProperty(whole, name, { configurable: true, get: () => (given as Fields)[name] });
  for (const [at, name] of names.entries()) setOwn(whole, name, values[at]);
  if (hasPk(given)) setName(whole, keyOf(given));
  return isFrozen ? Object.freeze(whole) : whole;
}

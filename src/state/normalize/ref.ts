import { pkIfAny } from '../../define/schema/pk.ts';
import { refInvalid } from './input-errors.ts';

/**
 * Returns a reference as its parent stores it. Throws if the value is not a pk: a rounded number would refer to another record. Empty
 * values stay, and refer to nothing.
 */
export function refOf(entity: string, value: unknown): unknown {
  if (typeof value === 'string' || value === 0 || value === false) return value;
  const pk = pkIfAny(value);
  if (pk === undefined) throw refInvalid(entity, value);
  return pk;
}

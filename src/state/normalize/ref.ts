import { pkIfAny } from '../../define/schema/pk.ts';
import { refInvalid } from './input-errors.ts';

/**
 * A reference as the parent keeps it. What is no pk is no reference either: a rounded number would refer to another
 * record. Empty values stay what they are: they mean that nothing is referred to.
 */
export function refOf(entity: string, value: unknown): unknown {
  if (typeof value === 'string' || value === 0 || value === false) return value;
  const pk = pkIfAny(value);
  if (pk === undefined) throw refInvalid(entity, value);
  return pk;
}

import { refInvalid } from './input-errors.ts';

/** A ref as the parent keeps it. Empty values stay what they are: they mean that nothing is referred to. */
export function refOf(entity: string, value: unknown): unknown {
  if (typeof value === 'string' || value === 0 || value === false) return value;
  if ((typeof value === 'number' && !Number.isNaN(value)) || typeof value === 'bigint') return String(value);
  throw refInvalid(entity, value);
}

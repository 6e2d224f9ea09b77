import { INVALID } from '../../define/schema/row.ts';
import type { Store } from '../../state/store/store.ts';
import type { MutatedRecord } from './mutated-record.ts';

/** The value that a record had at one time; `undefined` if there was no record. */
export interface KnownValue {
  readonly value: unknown;
}

/** Returns the present value of the record that a mutation changes; `undefined` if it is not known which record that is, or its value cannot be built. */
export function presentValueOf(store: Store, mutatedRecord: MutatedRecord | undefined): KnownValue | undefined {
  if (mutatedRecord === undefined) return undefined;
  try {
    const value: unknown = store.read(mutatedRecord.entity, mutatedRecord.pk);
    return { value: value === INVALID ? undefined : value };
  } catch {
    // Readers of the record get this error.
    return undefined;
  }
}

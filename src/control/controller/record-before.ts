import { INVALID } from '../../define/schema/row.ts';
import type { Store } from '../../state/store/store.ts';
import type { MutatedRecord } from './mutated-record.ts';

/** The value of a record at one time; `undefined` if there was none. */
export interface KnownValue {
  readonly value: unknown;
}

/** The present value of the record that a mutation changes; `undefined` if the record is not known, or cannot be built. */
export function recordNow(store: Store, mutatedRecord: MutatedRecord | undefined): KnownValue | undefined {
  if (mutatedRecord === undefined) return undefined;
  try {
    const value: unknown = store.read(mutatedRecord.entity, mutatedRecord.pk);
    return { value: value === INVALID ? undefined : value };
  } catch {
    // Readers of the record get this error.
    return undefined;
  }
}

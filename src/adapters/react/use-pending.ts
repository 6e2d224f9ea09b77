import { useCallback, useReducer, useSyncExternalStore } from 'react';
import { hasPk } from '../../define/schema/key-of.ts';
import { useController } from './controller-context.ts';

/** Returns whether a record has unsaved changes: a mutation of it is pending, including its create. */
export function usePending(record: object | undefined): boolean {
  const { pendingRecords } = useController().mutations;
  const isPending = (): boolean => hasPk(record) && pendingRecords.has(record);
  const wasPending = isPending();
  const [, rerender] = useReducer((changes: number) => changes + 1, 0);
  const watch = useCallback(
    (onChange: () => void) =>
      pendingRecords.watch(() => {
        // React 18 renders `onChange` before other changes, but the end of an edit has to be shown together with the record without it.
        if (isPending()) onChange();
        else if (wasPending) rerender();
      }),
    [pendingRecords, record, wasPending],
  );
  return useSyncExternalStore(watch, isPending, isPending);
}

import { useSyncExternalStore } from 'react';
import { hasPk } from '../../define/schema/key-of.ts';
import { useController } from './controller-context.ts';

/** Returns whether a record has unsaved changes: a mutation of it is pending, including its create. */
export function usePending(record: object | undefined): boolean {
  const { pendingRecords } = useController().mutations;
  const isPending = (): boolean => hasPk(record) && pendingRecords.has(record);
  return useSyncExternalStore(pendingRecords.watch, isPending, isPending);
}

import { useSyncExternalStore } from 'react';
import { hasPk } from '../../define/schema/key-of.ts';
import { useController } from './controller-context.ts';

/** Whether a record has changes that are not saved: a mutation of it is under way, or the one that creates it. */
export function usePending(record: object | undefined): boolean {
  const { pendingRecords } = useController().mutations;
  const isPending = (): boolean => hasPk(record) && pendingRecords.has(record);
  return useSyncExternalStore(pendingRecords.watch, isPending, isPending);
}

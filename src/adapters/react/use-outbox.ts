import { useSyncExternalStore } from 'react';

/** The members of an `OutboxManager` that the hook reads. */
export interface OutboxReader<Entry> {
  entries(): readonly Entry[];
  subscribe(listener: () => void): () => void;
}

/** Returns the edits that the server has not answered, in the order in which they were made. Renders again whenever one of them changes. */
export function useOutbox<Entry>(outbox: OutboxReader<Entry>): readonly Entry[] {
  const entries = (): readonly Entry[] => outbox.entries();
  return useSyncExternalStore(outbox.subscribe, entries, entries);
}

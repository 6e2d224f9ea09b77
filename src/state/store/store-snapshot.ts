import type { SnapshotReader } from './snapshot.ts';
import { Snapshots } from './snapshots.ts';
import type { Store } from './store.ts';
import { writerOf } from './writer-of.ts';

/** Returns the store as it is now, to be read later. */
export function takeSnapshot(store: Store): SnapshotReader {
  const writer = writerOf(store, 'takeSnapshot()');
  const { core } = writer;
  const { queries, reading, requestCells: requests, states } = core;
  writer.removeDeletedFromCollections();
  core.snapshots ??= new Snapshots({ reading, states, queries, requests, use: (cell) => core.useNow(cell) });
  return core.snapshots.take();
}

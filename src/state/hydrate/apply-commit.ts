import { joinRestored } from '../store/restore.ts';
import type { Store } from '../store/store.ts';
import { readDehydrated, readPlace } from './read-dehydrated.ts';

/**
 * Applies a commit of another store, as `dehydrateCommit` gives it, in one commit. Field by field, what was asked for later
 * counts, whichever store hears of it first. Commits of one store are to be applied in the order in which they were made.
 * Returns whether it was of this session: what belongs to another one is not looked at.
 */
export function applyCommit(store: Store, given: unknown, session: string = ''): boolean {
  const { members, ...state } = readDehydrated(given);
  const latest = readPlace(members['latest'], 'latest');
  if (members['session'] !== session) return false;
  joinRestored(store.writer, state, latest);
  return true;
}

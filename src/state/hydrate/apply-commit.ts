import { joinRestored } from '../store/restore.ts';
import type { Store } from '../store/store.ts';
import { readDehydrated, readIssue } from './read-dehydrated.ts';

/**
 * Applies a commit of another store, made by `dehydrateCommit`, as one commit. For each field, the value that was requested later wins,
 * whichever store receives it first. Apply the commits of one store in the order in which they were made. Returns false, and applies
 * nothing, if the commit belongs to another session.
 */
export function applyCommit(store: Store, given: unknown, session: string = ''): boolean {
  const { members, ...state } = readDehydrated(given);
  const latest = readIssue(members['latest'], 'latest');
  if (members['session'] !== session) return false;
  joinRestored(store.writer, state, latest);
  return true;
}

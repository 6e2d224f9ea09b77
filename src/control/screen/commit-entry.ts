import { rowName } from '../../define/schema/row.ts';
import { memo } from '../../std/memo.ts';
import { type Commit, rowsSeen } from '../../state/store/commit.ts';
import type { Arrival } from './arrivals.ts';

/** A change in the log of a screen: a commit, or a change that is not a commit, such as an error. */
export interface Entry extends Arrival {
  /** `undefined` until the commit is known, and for a change that is not a commit. */
  commit: Commit | undefined;
  isOnScreen: boolean;
  /** Whether it is rendered urgently, before the rest of its transition. */
  isUrgent?: boolean;
  /** Readers that show the state without it, although it is on the screen. */
  holders?: Set<unknown>;
}

export const NO_ENTRIES: readonly Entry[] = [];

/** Returns whether a reader may show the state without this commit. */
export function isHidden({ isOnScreen, holders }: Entry): boolean {
  return !isOnScreen || (holders !== undefined && holders.size > 0);
}

/** Returns whether a commit is not on the screen. */
export function isPending({ isOnScreen }: Entry): boolean {
  return !isOnScreen;
}

/** Returns whether a commit is not on the screen, and waits for the rest of its transition. */
export function isDelayed({ isOnScreen, isUrgent }: Entry): boolean {
  return !isOnScreen && isUrgent !== true;
}

/** Returns whether two entries, which may be in the logs of two screens, are of one change. */
export function isSameChange(one: Entry, other: Entry): boolean {
  return one === other || (one.commit !== undefined && one.commit === other.commit);
}

/** Returns whether a commit changes what is shown, and nothing that is confirmed. */
export function isGuess({ rows, shown }: Commit): boolean {
  return shown.length > 0 && rows.length === 0;
}

/** Returns whether a commit invalidates an answer. */
export function invalidates({ requests }: Commit): boolean {
  return requests.some(({ after }) => after?.note?.isInvalidated === true);
}

/** Returns the commits that a render includes, with one more, and without the commits that all readers show. */
export function including(included: readonly Entry[], entry: Entry | undefined): readonly Entry[] {
  const pending = included.filter(isHidden);
  return entry === undefined ? pending : [...pending, entry];
}

/** Returns the part of a log that is needed to read the store without the hidden commits: these, and the commits that changed the same rows or requests. */
export function needed(log: readonly Entry[]): readonly Entry[] {
  const pending = log.filter(isHidden).map(namesOf);
  if (pending.length === 0) return NO_ENTRIES;
  return log.filter((entry) => {
    if (isHidden(entry)) return true;
    const names = [...namesOf(entry)];
    return pending.some((others) => names.some((name) => others.has(name)));
  });
}

const namesByCommit = new WeakMap<Commit, ReadonlySet<string>>();

/** Returns the names of the rows that a commit lets readers see, and of the requests that it changed. */
function namesOf({ commit }: Entry): ReadonlySet<string> {
  if (commit === undefined) return new Set();
  return memo(namesByCommit, commit, () => {
    const changed = new Set(commit.requests.map(({ key }) => key));
    for (const { table, pk } of rowsSeen(commit)) changed.add(rowName(table, pk));
    return changed;
  });
}

import type { Commit } from '../../state/store/commit.ts';
import type { Store } from '../../state/store/store.ts';
import { type Entry, Moment } from './moment.ts';
import type { Rendering } from './rendering.ts';

/** Who may be behind what is on the screen. */
export interface Follower {
  /** Whether it was told of commits that are not on the screen. */
  readonly isBehind: boolean;
  /** Shows what is on the screen by now. */
  catchUp(): void;
}

export interface ScreenOptions {
  /** Runs something as a change that may wait, and that takes nothing off the screen. */
  readonly later: (run: () => void) => void;
  /** Whether a screen stays while what was invalidated is fetched again. */
  readonly isKept: boolean;
  readonly rendering: Rendering | undefined;
}

/**
 * What is on the screen of one root, which may be behind the store: a commit made in a transition is followed when the
 * transition is. Notes commits that change what is shown, until they are on the screen.
 */
export class Screen {
  readonly store: Store;
  readonly options: ScreenOptions;
  /** Readers that are about to appear, or have just done so, and do not listen yet. */
  readonly awaited: Set<Follower> = new Set();
  readonly listening: Set<Follower> = new Set();
  /** Readers that came while commits were not on the screen, and could not follow them. */
  readonly late: Set<Follower> = new Set();
  /** Commits that are not on the screen, and those after them that changed the same. */
  #log: readonly Entry[] = [];
  #next: Entry | undefined;
  #moment: { readonly missing: readonly Entry[]; readonly moment: Moment } | undefined;

  constructor(store: Store, options: ScreenOptions) {
    this.store = store;
    this.options = options;
  }

  /** Begins to note commits. `follow` is called with each of them, in the lane in which it was made. */
  start(follow: (entry: Entry) => void): () => void {
    return this.store.onCommit((commit) => this.#landed(commit, follow));
  }

  #landed(commit: Commit, follow: (entry: Entry) => void): void {
    if (this.#next === undefined && this.awaited.size === 0) return;
    const entry = this.next;
    entry.commit = commit;
    this.#next = undefined;
    this.#moment = undefined;
    this.#log = [...this.#log, entry];
    follow(entry);
  }

  /** What the readers follow that are told now. Readers are told before a commit is sent. */
  get next(): Entry {
    return (this.#next ??= { commit: undefined, isOnScreen: false });
  }

  /** Commits that are not on the screen. */
  get pending(): readonly Entry[] {
    return this.#log.length === 0 ? this.#log : this.#log.filter((entry) => !entry.isOnScreen);
  }

  /** Commits have come onto the screen. Who could not follow them shows them now, in the same frame. */
  show(entries: readonly Entry[]): void {
    for (const entry of entries) entry.isOnScreen = true;
    this.#log = needed(this.#log);
    this.#moment = undefined;
    if (entries.length === 0) return;
    for (const reader of this.late) {
      if (!reader.isBehind) this.late.delete(reader);
      reader.catchUp();
    }
  }

  /** Another has taken its place: whoever shows something is rendered again, and looks for that one. */
  leave(): void {
    for (const reader of this.listening) reader.catchUp();
  }

  /** The store without commits. */
  without(missing: readonly Entry[]): Moment {
    const known = this.#moment;
    if (known?.missing.length === missing.length && missing.every((entry) => known.missing.includes(entry)))
      return known.moment;
    const moment = new Moment(this.store, this.#log, new Set(missing));
    this.#moment = { missing, moment };
    return moment;
  }
}

/** What has been followed, with one more commit. Those on the screen need not be remembered. */
export function following(followed: readonly Entry[], entry: Entry | undefined): readonly Entry[] {
  const pending = followed.filter(({ isOnScreen }) => !isOnScreen);
  return entry === undefined ? pending : [...pending, entry];
}

/** What is needed to read the store without those commits that are not on the screen. */
function needed(log: readonly Entry[]): readonly Entry[] {
  if (log.every(({ isOnScreen }) => isOnScreen)) return [];
  const pending = new Set<string>();
  return log.filter((entry) => {
    const changed = changedBy(entry);
    if (entry.isOnScreen) return changed.some((name) => pending.has(name));
    for (const name of changed) pending.add(name);
    return true;
  });
}

function changedBy({ commit }: Entry): string[] {
  if (commit === undefined) return [];
  return [...commit.shown.map(({ table, pk }) => `${table} ${pk}`), ...commit.requests.map(({ key }) => key)];
}

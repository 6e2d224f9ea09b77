import type { Commit } from '../../state/store/commit.ts';
import type { Store } from '../../state/store/store.ts';
import { platform } from '../../std/platform.ts';
import { type Deferred, deferred } from '../../std/deferred.ts';
import { Arrivals } from './arrivals.ts';
import { type Entry, Moment } from './moment.ts';
import type { Rendering } from './rendering.ts';

/** What shows something on a screen. */
export interface Follower {
  /** Commits have come onto the screen. Shows what they make of it, in the same frame. */
  catchUp(entries: readonly Entry[]): void;
}

export interface ScreenOptions {
  /** Runs something as a change that may wait, and that takes nothing off the screen. */
  readonly later: (run: () => void) => void;
  /** Whether a screen stays while what was invalidated is fetched again. */
  readonly isKept: boolean;
  readonly rendering: Rendering | undefined;
  /** Whether nothing is rendered until something is over that may itself wait for it. Default: never. */
  readonly isHeldBack?: () => boolean;
}

const NONE: readonly Entry[] = [];

/** For how many milliseconds a suspended reader waits for the render that brings a commit onto the screen. */
const PATIENCE = 100;

/**
 * What is on the screen of one root, which may be behind the store: a commit made in a transition is followed when the
 * transition is. Notes commits that change what is shown, until they are on the screen.
 */
export class Screen {
  readonly store: Store;
  readonly options: ScreenOptions;
  readonly arrivals: Arrivals;
  /** Readers that are about to appear, or have just done so, and do not listen yet. */
  readonly #arriving = new Set<Follower>();
  readonly #listening = new Set<Follower>();
  /** Readers that show, or may show, the store without commits that are not on the screen. */
  readonly #behind = new Set<Follower>();
  /** Commits that are not on the screen, and those after them that changed the same. */
  #log: readonly Entry[] = NONE;
  #pending: readonly Entry[] = NONE;
  /** What is being told now. */
  #open: Entry | undefined;
  #moments: readonly Moment[] = [];
  #follow: ((entry: Entry) => void) | undefined;
  #shown: Deferred | undefined;
  #timer: unknown;
  /** What is on the screen with the render that is under way, or was the last. */
  rendered: readonly Entry[] = NONE;
  /** Has everything that is suspended tried again. */
  onRetry: (() => void) | undefined;

  constructor(store: Store, options: ScreenOptions) {
    this.store = store;
    this.options = options;
    this.arrivals = new Arrivals(options.isHeldBack ?? (() => false));
  }

  /** Begins to note commits. `follow` is called with each of them, in the lane in which it was made. */
  start(follow: (entry: Entry) => void): () => void {
    this.#follow = follow;
    const stop = this.store.onCommit((commit) => this.#noteCommit(commit));
    return () => {
      this.#follow = undefined;
      stop();
    };
  }

  #noteCommit(commit: Commit): void {
    let isRead = this.#arriving.size > 0;
    for (const moment of this.#moments) if (moment.follow(commit)) isRead = true;
    // A reader that is behind may show something of it, though no reader was notified.
    if (isRead || (this.#behind.size > 0 && this.#pending.length > 0 && this.#known(this.#pending) === undefined))
      void this.next;
    const entry = this.#open;
    this.#open = undefined;
    if (entry !== undefined) entry.commit = commit;
    else if (this.#log.length > 0) this.#log = needed([...this.#log, { commit, isOnScreen: true }]);
    if (this.#log.length === 0) this.#behind.clear();
  }

  /** What the readers follow that are told now. Readers are told before a commit is sent. */
  get next(): Entry {
    if (this.#open !== undefined) return this.#open;
    const entry: Entry = { commit: undefined, isOnScreen: this.#follow === undefined };
    this.#open = entry;
    // Some of what is told is no commit, and belongs to none.
    void Promise.resolve().then(() => this.#close(entry));
    if (!entry.isOnScreen) {
      this.#log = [...this.#log, entry];
      this.#pending = [...this.#pending, entry];
      this.#follow?.(entry);
      this.arrivals.expect(entry);
    }
    return entry;
  }

  #close(entry: Entry): void {
    if (this.#open === entry) this.#open = undefined;
  }

  /** Commits that are not on the screen. */
  get pending(): readonly Entry[] {
    return this.#pending;
  }

  /** A reader is about to appear. Until it listens, every commit is noted. */
  arrive(reader: Follower): void {
    this.#arriving.add(reader);
    this.fallBehind(reader);
  }

  listen(reader: Follower): void {
    this.#arriving.delete(reader);
    this.#listening.add(reader);
    this.fallBehind(reader);
  }

  /** A reader goes on without a commit that comes onto the screen, until it can follow it. */
  hold(entry: Entry, reader: Follower): void {
    entry.holders ??= new Set();
    entry.holders.add(reader);
    this.#behind.add(reader);
  }

  release(entry: Entry, reader: Follower): void {
    entry.holders?.delete(reader);
  }

  leave(reader: Follower): void {
    this.#listening.delete(reader);
    this.#behind.delete(reader);
  }

  /** Whether commits are not on the screen that a reader may have to leave out. */
  fallBehind(reader: Follower): void {
    if (this.#pending.length > 0 || this.#open !== undefined) this.#behind.add(reader);
  }

  /** Commits have come onto the screen. Readers that could not follow them show them now, in the same frame. */
  show(followed: readonly Entry[]): void {
    const entries = followed.filter(({ isOnScreen }) => !isOnScreen);
    if (entries.length === 0) return;
    for (const entry of entries) entry.isOnScreen = true;
    this.#pending = this.#pending.filter(({ isOnScreen }) => !isOnScreen);
    // Less of a commit is left out once it is on the screen.
    this.#moments = this.#moments.filter(({ missing }) => !missing.some((entry) => entries.includes(entry)));
    const behind = [...this.#behind];
    for (const reader of behind) reader.catchUp(entries);
    // Only now: some of them may go on without.
    this.#log = needed(this.#log);
    this.#moments = this.#moments.filter(({ missing }) => missing.every(isLeftOut));
    if (this.#log.length === 0) this.#behind.clear();
    this.#resolve();
  }

  /**
   * Resolves when more commits have come onto the screen. Renders that wait for each other's commits would wait for ever: what does
   * not come for a while is rendered as an urgent change, without the rest of its render.
   */
  get shown(): Promise<void> {
    if (this.#timer === undefined) {
      const awaited = this.#pending;
      this.#timer = platform.setTimeout(() => this.#hurry(awaited), PATIENCE);
    }
    this.#shown ??= deferred();
    return this.#shown.promise;
  }

  #hurry(awaited: readonly Entry[]): void {
    this.#timer = undefined;
    const entries = awaited.filter(({ isOnScreen, isHurried }) => !isOnScreen && isHurried !== true);
    for (const entry of entries) {
      entry.isHurried = true;
      this.#follow?.(entry);
    }
    if (entries.length === 0) this.#resolve();
  }

  #resolve(): void {
    this.#shown?.resolve();
    this.#shown = undefined;
  }

  /** Something is suspended until `there` resolves. It never rejects. */
  suspendUntil(there: Promise<unknown>): void {
    this.arrivals.suspend(there, () => this.#retry());
  }

  #retry(): void {
    if (this.onRetry === undefined) return;
    this.onRetry();
    this.arrivals.expect({});
  }

  /** Another screen has taken its place: its readers are rendered again, and find that one. */
  end(): void {
    for (const reader of this.#listening) reader.catchUp(NONE);
  }

  /** The store without commits. */
  without(missing: readonly Entry[]): Moment {
    const known = this.#known(missing);
    if (known !== undefined) return known;
    const moment = new Moment(this.store, this.#log, missing);
    this.#moments = [...this.#moments, moment];
    return moment;
  }

  #known(missing: readonly Entry[]): Moment | undefined {
    return this.#moments.find(
      (moment) => moment.missing.length === missing.length && missing.every((entry) => moment.missing.includes(entry)),
    );
  }
}

/** Whether some of what is shown may lack a commit. */
function isLeftOut({ isOnScreen, holders }: Entry): boolean {
  return !isOnScreen || (holders !== undefined && holders.size > 0);
}

/** What has been followed, with one more commit. Those on the screen need not be remembered. */
export function following(followed: readonly Entry[], entry: Entry | undefined): readonly Entry[] {
  const pending = followed.filter(isLeftOut);
  return entry === undefined ? pending : [...pending, entry];
}

/** What is needed to read the store without those commits that are not on the screen. */
function needed(log: readonly Entry[]): readonly Entry[] {
  const pending = log.filter(isLeftOut).map(namesOf);
  if (pending.length === 0) return NONE;
  return log.filter((entry) => {
    if (isLeftOut(entry)) return true;
    const names = [...namesOf(entry)];
    return pending.some((others) => names.some((name) => others.has(name)));
  });
}

const names = new WeakMap<Commit, ReadonlySet<string>>();

/** The names of what a commit changed. */
function namesOf({ commit }: Entry): ReadonlySet<string> {
  if (commit === undefined) return new Set();
  const known = names.get(commit);
  if (known !== undefined) return known;
  const changed = new Set(commit.requests.map(({ key }) => key));
  for (const { table, pk } of commit.shown) changed.add(`${table} ${pk}`);
  names.set(commit, changed);
  return changed;
}

import type { Commit } from '../../state/store/commit.ts';
import type { Store } from '../../state/store/store.ts';
import { platform } from '../../std/platform.ts';
import { type Deferred, deferred } from '../../std/deferred.ts';
import { Arrivals, type ArrivalsOptions } from './arrivals.ts';
import { ChangeLog } from './change-log.ts';
import {
  type Entry,
  invalidates,
  isDelayed,
  isGuess,
  isHidden,
  isPending,
  isSameChange,
  NO_ENTRIES,
} from './commit-entry.ts';
import { Moment } from './moment.ts';
import type { Rendering } from './rendering.ts';

/** A component that shows data of the store on a screen. */
export interface ScreenReader {
  readonly screen: Screen;
  /** Called when commits have come onto the screen. The reader shows them in the same frame. */
  catchUp(entries: readonly Entry[]): void;
}

export interface ScreenOptions extends ArrivalsOptions {
  /** Runs a function in a transition. */
  readonly later: (run: () => void) => void;
  /** Whether content stays on the screen while invalidated data is fetched again. */
  readonly isKept: boolean;
  readonly rendering: Rendering | undefined;
}

/** For how many milliseconds a suspended reader waits for the render that brings a commit onto the screen. */
const URGENT_AFTER = 100;

/**
 * The state that one React root shows. It may be behind the store: readers show a commit made in a transition when the
 * transition is rendered. Keeps the commits that change shown data until they are on the screen.
 */
export class Screen {
  readonly store: Store;
  readonly options: ScreenOptions;
  readonly arrivals: Arrivals;
  /** The screen of the outer provider, if there is one. */
  readonly #outer: Screen | undefined;
  /** The started screens of the providers that have the same outermost provider. */
  readonly #started: Set<Screen>;
  /** Readers that have rendered but do not listen yet. */
  readonly #arriving = new Set<ScreenReader>();
  readonly #listening = new Set<ScreenReader>();
  /** Readers that may show an earlier state, without the pending commits. */
  readonly #behind = new Set<ScreenReader>();
  readonly log: ChangeLog = new ChangeLog();
  /** The last commit that was noted. */
  #noted: Commit | undefined;
  #moments: readonly Moment[] = [];
  #render: ((entry: Entry) => void) | undefined;
  #shown: Deferred | undefined;
  #timer: unknown;
  /** The entries that the present or last render shows. */
  rendered: readonly Entry[] = NO_ENTRIES;
  /** Renders all suspended components again. Returns false if it changed no state: React 18 would replace parts of a page that it has not hydrated yet. */
  onRetry: (() => boolean) | undefined;
  /** Functions that render again the boundaries that show their fallback. Only React 18 needs them. */
  readonly fallbacks: Set<() => void> = new Set();

  constructor(store: Store, options: ScreenOptions, outer?: Screen) {
    this.store = store;
    this.options = options;
    this.#outer = outer;
    this.#started = outer === undefined ? new Set() : outer.#started;
    this.arrivals = new Arrivals(options);
  }

  /** Returns the screen that shows a store: this one, or that of an outer provider. */
  of(store: Store): Screen | undefined {
    return this.store === store ? this : this.#outer?.of(store);
  }

  /** Starts to keep commits. Calls `render` with each, in the React lane in which the commit was made. */
  start(render: (entry: Entry) => void): () => void {
    this.#render = render;
    this.#takePending();
    this.#started.add(this);
    // Rows that a commit confirms may be missing on the screen, because an earlier commit that added them is pending.
    const { core } = this.store.writer;
    const stop = core.listen(
      (commit) => this.#noteCommit(commit),
      () => this.log.pending.length > 0,
    );
    return () => {
      this.#render = undefined;
      this.#started.delete(this);
      this.#leavePending();
      stop();
    };
  }

  /** Notes a commit in all screens of its store: what is pending on one of them must not be on another one already. */
  #noteCommit(commit: Commit): void {
    if (this.#noted === commit) return;
    const screens = this.#screensOfStore;
    const isLate = screens.filter((screen) => screen.#concerns(commit)).length > 0;
    for (const screen of screens) screen.#add(commit, isLate);
  }

  /** Takes over what another screen of the store does not show yet: this one is mounted while a transition is pending. */
  #takePending(): void {
    const other = this.#screensOfStore.find(({ log }) => log.pending.length > 0);
    if (other !== undefined && this.log.pending.length === 0) this.log.takeOver(other.log);
  }

  /** Lets the screens that have taken over commits from this one render them. */
  #leavePending(): void {
    for (const screen of this.#screensOfStore)
      for (const entry of screen.log.pending)
        if (this.log.pending.includes(entry)) screen.options.later(() => screen.#render?.(entry));
  }

  get #screensOfStore(): readonly Screen[] {
    return Array.from(this.#started).filter(({ store }) => store === this.store);
  }

  /** Returns whether a reader may show a part of a commit, even if no reader was notified. */
  #concerns(commit: Commit): boolean {
    const { open, pending } = this.log;
    // The page that React renders now may read an answer that is invalidated. It has no readers yet.
    let isRead = open !== undefined || this.#arriving.size > 0 || invalidates(commit);
    for (const moment of this.#moments) if (moment.apply(commit)) isRead = true;
    return isRead || (this.#behind.size > 0 && pending.length > 0 && this.#known(pending) === undefined);
  }

  #add(commit: Commit, isLate: boolean): void {
    this.#noted = commit;
    if (isLate) void this.next;
    this.log.note(commit);
    if (this.log.entries.length === 0) this.#behind.clear();
  }

  /** The entry of the change that readers are being notified of. */
  get next(): Entry {
    if (this.log.open !== undefined) return this.log.open;
    const entry = this.log.begin(this.#render === undefined);
    if (!entry.isOnScreen) {
      this.#render?.(entry);
      this.arrivals.expectUnlessShown(entry);
    }
    return entry;
  }

  /** Adds a reader that has rendered. Until it listens, every commit is kept. */
  arrive(reader: ScreenReader): void {
    this.#arriving.add(reader);
    this.fallBehind(reader);
  }

  listen(reader: ScreenReader): void {
    this.#arriving.delete(reader);
    this.#listening.add(reader);
    this.fallBehind(reader);
  }

  /** Lets a reader show the state without a commit that is on the screen, until the reader is rendered with it. */
  hold(entry: Entry, reader: ScreenReader): void {
    entry.holders ??= new Set();
    entry.holders.add(reader);
    this.#behind.add(reader);
  }

  release(entry: Entry, reader: ScreenReader): void {
    entry.holders?.delete(reader);
  }

  leave(reader: ScreenReader): void {
    this.#listening.delete(reader);
    this.#behind.delete(reader);
  }

  /** Marks a reader as behind if there are commits that it may have to leave out. */
  fallBehind(reader: ScreenReader): void {
    if (this.log.pending.length > 0 || this.log.open !== undefined) this.#behind.add(reader);
  }

  /** Marks commits as being on all screens of the store. Readers that were not rendered with them show them now, in the same frame. */
  show(included: readonly Entry[]): void {
    const entries = included.filter(isPending);
    if (entries.length === 0) return;
    const changes = new Set<unknown>(entries.flatMap((entry) => [entry, entry.commit ?? entry]));
    const isIncluded = (entry: Entry): boolean => changes.has(entry) || changes.has(entry.commit);
    const shown = this.#screensOfStore.map((screen) => [screen, screen.log.pending.filter(isIncluded)] as const);
    for (const entry of shown.flatMap(([, pending]) => pending)) entry.isOnScreen = true;
    for (const [screen, pending] of shown) if (pending.length > 0) screen.#noteShown(pending);
  }

  #noteShown(entries: readonly Entry[]): void {
    this.log.dropShown();
    // Moments with these commits are rebuilt: once a commit is on the screen, less of it is left out.
    this.#moments = this.#moments.filter(({ missing }) => !missing.some((entry) => entries.includes(entry)));
    const behind = [...this.#behind];
    for (const reader of behind) reader.catchUp(entries);
    // After `catchUp`, because there a reader may hold an entry.
    this.log.dropUnneeded();
    this.#moments = this.#moments.filter(({ missing }) => missing.every(isHidden));
    if (this.log.entries.length === 0) this.#behind.clear();
    this.#resolve();
  }

  /**
   * Resolves when more commits have come onto the screen. Renders can wait for each other's commits. So a commit that does
   * not come onto the screen for a while is rendered urgently, without the rest of its transition.
   */
  get shown(): Promise<void> {
    if (this.#timer === undefined) {
      const awaited = this.log.pending;
      this.#timer = platform.setTimeout(() => this.#renderUrgently(awaited), URGENT_AFTER);
    }
    this.#shown ??= deferred();
    return this.#shown.promise;
  }

  #renderUrgently(awaited: readonly Entry[]): void {
    this.#timer = undefined;
    if (!this.renderNow(awaited)) this.#resolve();
  }

  /** Renders commits urgently, without the rest of their transitions. Returns whether any of them was delayed. */
  renderNow(entries: readonly Entry[]): boolean {
    const delayed = entries.filter(isDelayed);
    for (const entry of delayed) this.#showNow(entry);
    return delayed.length > 0;
  }

  /** Renders a commit urgently, in all screens of its store. */
  #showNow(entry: Entry): void {
    for (const screen of this.#screensOfStore)
      for (const one of screen.log.pending) if (isSameChange(one, entry)) screen.#renderNow(one);
  }

  #renderNow(entry: Entry): void {
    entry.isUrgent = true;
    this.#render?.(entry);
  }

  /**
   * Call it when React has begun to render a commit. If the commit is not rendered then, it was made in an async action (React 19), and React
   * renders it when the action is over. The action may itself wait for it. A guess must not wait for the answer, so it is rendered urgently.
   */
  checkRendered(entry: Entry): void {
    if (!isDelayed(entry) || this.rendered.includes(entry)) return;
    this.arrivals.stopWaitingFor(entry);
    if (entry.commit !== undefined && isGuess(entry.commit)) this.#showNow(entry);
  }

  #resolve(): void {
    this.#shown?.resolve();
    this.#shown = undefined;
  }

  /** Notes that a component suspends until `promise` resolves. `promise` must not reject. */
  suspendUntil(promise: Promise<unknown>): void {
    this.arrivals.suspend(promise, () => this.#retry());
  }

  #retry(): void {
    if (this.onRetry?.() === true) this.arrivals.expect({});
  }

  /** Ends this screen because another one has replaced it: renders its readers again, and they find the other one. */
  end(): void {
    for (const reader of this.#listening) reader.catchUp(NO_ENTRIES);
  }

  /** Returns the state of the store without these commits. */
  without(missing: readonly Entry[]): Moment {
    const known = this.#known(missing);
    if (known !== undefined) return known;
    const moment = new Moment(this.store, this.log.entries, missing);
    this.#moments = [...this.#moments, moment];
    return moment;
  }

  #known(missing: readonly Entry[]): Moment | undefined {
    return this.#moments.find(
      (moment) => moment.missing.length === missing.length && missing.every((entry) => moment.missing.includes(entry)),
    );
  }
}

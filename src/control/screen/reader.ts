import { type Answer, dataOf, isSameAnswer, type LiveView, MISSING, nextAnswer } from '../view/answer.ts';
import { NO_REQUEST } from '../view/request-view.ts';
import type { Entry, Moment } from './moment.ts';
import { type Follower, following, isLeftOut, type Screen } from './screen.ts';

/** Renders a reader again, with the commit that it follows. Without one, it only catches up with the screen. */
export type Follow = (entry: Entry | undefined) => void;

const NONE: readonly Entry[] = [];

/** The answer without some commits, until the data that it was made from changes. */
interface PastAnswer<Value> {
  readonly moment: Moment;
  readonly version: number;
  readonly newest: Answer<Value>;
  readonly answer: Answer<Value>;
}

/** One component on a screen that shows a view. */
export class ViewReader<Value = unknown> implements Follower {
  readonly view: LiveView<Value>;
  readonly screen: Screen;
  /** Whether the reader suspends while the answer is missing. */
  readonly isWaiting: boolean;
  #follow: Follow = unmounted;
  /** The commits to leave out while they are neither on the screen nor followed. */
  #leftOut: readonly Entry[] = NONE;
  /** The left-out commits that a later render will show. */
  #upcoming: readonly Entry[] = NONE;
  /** Commits that are on the screen and are left out until they are followed, because they remove the content of this reader. */
  #held: readonly Entry[] = NONE;
  #newest: Answer<Value> | undefined;
  /** The commit that removed the content. */
  #removedBy: Entry | undefined;
  #past: PastAnswer<Value> | undefined;
  /** The answer in the last frame before commits were pending, and `screen.shownChanges` at that time. */
  #shownBefore: Answer<Value> = MISSING;
  #shownBeforeAt = 0;
  /** The answer in the last frame, and the commits that it has followed. */
  #shown: Answer<Value> = MISSING;
  #followed: readonly Entry[] = NONE;
  #isListening = false;

  constructor(screen: Screen, view: LiveView<Value>, isWaiting = false) {
    this.screen = screen;
    this.view = view;
    this.isWaiting = isWaiting;
  }

  /**
   * The answer for a reader that has followed these commits. If one of them is pending and new to this reader, the render began
   * at the tracker, so it shows all commits in `screen.rendered`. Otherwise React may be rendering a suspended component alone, and
   * only the commits on the screen are shown.
   */
  read(followed: readonly Entry[]): Answer<Value> {
    if (this.view === NO_REQUEST) return MISSING;
    const isLeavingOut = this.#leftOut.some(isLeftOut);
    // The common case: the screen shows the store.
    if (!isLeavingOut && this.screen.pending.length === 0) return this.view.current();
    const isWhole = followed.some((entry) => !entry.isOnScreen && !this.#followed.includes(entry));
    const shown = followed.filter(({ isOnScreen }) => isOnScreen);
    // The rest of the page may show a commit that this reader leaves out.
    const inRender = isWhole ? [...shown, ...this.screen.rendered.filter(({ isOnScreen }) => !isOnScreen)] : shown;
    // A reader is notified only of the first of several commits that remove its content, and leaves out all of them.
    const answer = this.#without(isLeavingOut ? this.#notShown : NONE, inRender);
    return this.#isTooEarly(answer) ? MISSING : answer;
  }

  /** The commits that the screen does not show, or that this reader leaves out. */
  get #notShown(): readonly Entry[] {
    const { pending } = this.screen;
    return this.#held.length === 0 ? pending : [...pending, ...this.#held];
  }

  /**
   * Whether new content comes with a commit that is rendered later. Showing it now would show the Suspense fallback in
   * the same frame, because other readers do not have it yet. A reader that waits in a transition keeps the content on the screen.
   */
  #isTooEarly(answer: Answer<Value>): boolean {
    const { pending, rendered } = this.screen;
    if (!this.isWaiting || this.#isListening || pending.length === 0 || !('value' in answer)) return false;
    const later = pending.filter((entry) => !rendered.includes(entry));
    return later.length > 0 && this.#without(later, NONE).status === 'missing';
  }

  #without(entries: readonly Entry[], followed: readonly Entry[], newest = this.view.current()): Answer<Value> {
    if (entries.length === 0) return newest;
    const missing = entries.filter(
      (entry) => (!entry.isOnScreen || this.#held.includes(entry)) && !followed.includes(entry),
    );
    return missing.length === 0 ? newest : this.#at(this.screen.without(missing), newest);
  }

  #at(moment: Moment, newest: Answer<Value>): Answer<Value> {
    if (
      'value' in this.#shownBefore &&
      'value' in newest &&
      this.screen.areAllChangesSince(this.#shownBeforeAt, moment.missing)
    )
      return this.#shownBefore;
    const known = this.#past;
    if (known?.moment === moment && known.version === moment.version && known.newest === newest) return known.answer;
    const answer = this.#answerAt(moment, newest, known?.answer);
    this.#past = { moment, version: moment.version, newest, answer };
    return answer;
  }

  #answerAt(moment: Moment, newest: Answer<Value>, last: Answer<Value> | undefined): Answer<Value> {
    // The present store may know more than the moment: that a request failed, or that its response has expired.
    const isRemoved = this.#removedBy !== undefined && !moment.missing.includes(this.#removedBy);
    if (isRemoved && newest.status === 'missing') return newest;
    let isPresent = false;
    const answer = nextAnswer(last ?? MISSING, () => {
      const { result, isPresent: isSame } = moment.read(() => this.view.at(moment));
      isPresent = isSame;
      return isRemoved && newest.status === 'failed' ? { ...newest, data: dataOf(result) } : result;
    });
    if (isPresent && ('value' in newest || !('value' in answer) || this.#wasMissing(moment))) return newest;
    return answer;
  }

  /** Whether the answer was missing before the left-out commits, as far as is known. */
  #wasMissing({ missing }: Moment): boolean {
    return this.#removedBy === undefined && missing.every(({ commit }) => commit !== undefined);
  }

  /** Resolves when there may be an answer to show. An answer that is in the store already comes with its commit. */
  wait(): Promise<void> {
    const { screen, view } = this;
    const { fetchMissing } = view;
    const arrival = view.current().status === 'missing' && fetchMissing ? fetchMissing.call(view) : screen.shown;
    screen.suspendUntil(arrival);
    return arrival;
  }

  /** Called when commits have come onto the screen. A reader that was notified of a commit has been rendered with it already. */
  catchUp(entries: readonly Entry[]): void {
    if (entries.length === 0) this.#follow(undefined);
    else if (!entries.some((entry) => this.#isRendered(entry))) this.#correct(entries);
  }

  /** Whether the reader was rendered with a commit, in the same render as the rest of the page. */
  #isRendered(entry: Entry): boolean {
    if (entry.isUrgent === true || this.#held.includes(entry)) return false;
    return this.#upcoming.includes(entry) && !this.#followed.includes(entry);
  }

  /**
   * Called before each frame in which the reader was rendered: takes in changes that came since its render, and leaves out commits that the
   * render could not know to be missing on the screen.
   */
  settle(shown: Answer<Value>, followed: readonly Entry[], follow: Follow): void {
    if (this.view === NO_REQUEST) return;
    const isSeen = this.#isListening && isSameAnswer(this.#shown, shown);
    this.#follow = follow;
    this.#shown = shown;
    this.#followed = followed;
    if (this.#isListening) this.#fetchMissing(shown);
    if (this.#held.length > 0 && this.#held.every((entry) => followed.includes(entry))) this.#release();
    if (this.#isListening && this.#leftOut.length === 0 && this.screen.pending.length === 0) return;
    const newest = this.view.current();
    if (!this.#isListening) {
      this.screen.arrive(this);
      this.#newest = newest;
    }
    this.#correct(NONE, isSeen, newest);
  }

  /** Renders again if the state on the screen differs from the last frame. `entries` have just come onto the screen. */
  #correct(entries: readonly Entry[], isSeen = this.#isListening, newest = this.view.current()): void {
    const leftOut = this.#notShown;
    const answer = this.#without(leftOut, this.#onScreen, newest);
    if (isSameAnswer(answer, this.#shown)) return;
    this.#leftOut = leftOut;
    if (this.#losesContent(answer, isSeen)) this.#followLater(entries);
    else this.#follow(undefined);
  }

  /** Whether content that was on the screen would be replaced by a fallback. Content of this very frame was not on the screen yet. */
  #losesContent(answer: Answer<Value>, isSeen: boolean): boolean {
    return isSeen && this.isWaiting && answer.status === 'missing' && 'value' in this.#shown;
  }

  /** Leaves out the commit that removed the content, and follows it in a transition. */
  #followLater(entries: readonly Entry[]): void {
    const { later } = this.screen.options;
    const follow = this.#follow;
    const last = entries.findLast((entry) => this.#hasContentWithout([entry]));
    if (last === undefined && !this.#hasContentWithout(entries)) {
      if (entries.length + this.#held.length === 0) return later(() => follow(undefined));
      this.#release();
      return follow(undefined);
    }
    const removing = last === undefined ? entries : [last];
    for (const entry of removing) this.#hold(entry);
    later(() => {
      for (const entry of removing) follow(entry);
    });
    this.#correct(NONE);
  }

  get #onScreen(): readonly Entry[] {
    return this.#followed.filter(({ isOnScreen }) => isOnScreen);
  }

  /** Whether there is an answer to show without these commits on the screen. */
  #hasContentWithout(entries: readonly Entry[]): boolean {
    const missing = [...this.#notShown, ...entries].filter((entry) => !this.#onScreen.includes(entry));
    return 'value' in this.#at(this.screen.without(missing), this.view.current());
  }

  /** Subscribes to the view. Returns an unsubscribe function. */
  listen(): () => void {
    if (this.view === NO_REQUEST) return unmounted;
    this.view.shown?.();
    const stop = this.view.subscribe(() => this.#changed());
    const newest = this.view.current();
    this.#newest = newest;
    this.#isListening = true;
    this.screen.listen(this);
    this.#correct(NONE, true, newest);
    return () => {
      stop();
      this.#isListening = false;
      this.#release();
      this.screen.leave(this);
    };
  }

  #changed(): void {
    // Read at once, because a cell notifies of a change only if it was read since the last one.
    const answer = this.view.current();
    if (this.#newest !== undefined && isSameAnswer(answer, this.#newest)) {
      this.#fetchMissing(answer);
      return this.screen.fallBehind(this);
    }
    const { shownChanges } = this.screen;
    if (shownChanges !== undefined && this.#newest === this.#shown) {
      this.#shownBefore = this.#shown;
      this.#shownBeforeAt = shownChanges;
    }
    this.#newest = answer;
    const entry = this.screen.next;
    this.#removedBy = 'value' in answer ? undefined : entry;
    this.#upcoming = following(this.#upcoming, entry);
    this.#leftOut = following(this.#leftOut, entry);
    this.screen.fallBehind(this);
    const { isKept, later } = this.screen.options;
    const follow = this.#follow;
    if (!this.#losesContent(answer, isKept)) return follow(entry);
    this.#hold(entry);
    later(() => follow(entry));
  }

  /** A reader that waits fetches when it suspends. */
  #fetchMissing({ status }: Answer<Value>): void {
    if (status === 'missing') this.view.shown?.();
  }

  #hold(entry: Entry): void {
    this.#held = [...this.#held, entry];
    this.#leftOut = [...this.#leftOut.filter((one) => one !== entry), entry];
    this.screen.hold(entry, this);
  }

  #release(): void {
    for (const entry of this.#held) this.screen.release(entry, this);
    this.#held = NONE;
  }
}

function unmounted(): void {}

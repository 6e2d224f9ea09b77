import { type Answer, isSameAnswer, type LiveView, MISSING } from '../view/answer.ts';
import { NO_REQUEST } from '../view/request-view.ts';
import { EarlierAnswers } from './earlier-answers.ts';
import { HiddenCommits } from './hidden-commits.ts';
import { type Entry, NO_ENTRIES, isPending } from './commit-entry.ts';
import type { Screen, ScreenReader } from './screen.ts';

/** Renders a reader again, with a commit. Without one, the reader only catches up with the screen. */
export type Rerender = (entry: Entry | undefined) => void;

/**
 * One component on a screen that shows a view. A commit is *included* in a render if React has rendered the component again with it;
 * a transition includes its commits later than other renders. What the reader must not show yet is in `HiddenCommits`, and what
 * its view returns without these commits is read by `EarlierAnswers`.
 */
export class ViewReader<Value = unknown> implements ScreenReader {
  readonly view: LiveView<Value>;
  readonly screen: Screen;
  /** Whether the reader suspends while the answer is missing. */
  readonly isWaiting: boolean;
  readonly #hidden: HiddenCommits = new HiddenCommits(this);
  readonly #earlier: EarlierAnswers<Value> = new EarlierAnswers(this);
  /** The answer of the view when the reader was last notified of a change. */
  #newest: Answer<Value> | undefined;
  /** The answer in the last frame, the commits that it included, and the function that renders the component again. */
  #shown: Answer<Value> = MISSING;
  #included: readonly Entry[] = NO_ENTRIES;
  #rerender: Rerender = unmounted;
  #isListening = false;

  constructor(screen: Screen, view: LiveView<Value>, isWaiting = false) {
    this.screen = screen;
    this.view = view;
    this.isWaiting = isWaiting;
  }

  /**
   * Returns the answer for a render that includes these commits. If one of them is pending and new to this reader, the render began
   * at the tracker, so it shows all commits in `screen.rendered`. Otherwise React may be rendering a suspended component alone, and
   * only the commits on the screen are shown.
   */
  read(included: readonly Entry[]): Answer<Value> {
    if (this.view === NO_REQUEST) return MISSING;
    const isHiding = this.#hidden.isHiding();
    // The common case: the screen shows the store.
    if (!isHiding && this.screen.log.pending.length === 0) return this.view.current();
    const isWhole = included.some((entry) => !entry.isOnScreen && !this.#included.includes(entry));
    const shown = onScreen(included);
    // The rest of the page may show a commit that this reader hides.
    const inRender = isWhole ? [...shown, ...this.screen.rendered.filter(isPending)] : shown;
    // A reader is notified only of the first of several commits that remove its content, and hides all of them.
    const answer = this.#without(isHiding ? this.#hidden.all : NO_ENTRIES, inRender);
    return this.#unlessEarly(answer, this.screen.rendered);
  }

  /** Returns the answer that has arrived, for a reader that waits. `MISSING` while it comes with a commit that is not on the screen. */
  arrived(): Answer<Value> {
    return this.#unlessEarly(this.view.current(), NO_ENTRIES);
  }

  /**
   * Returns the answer, or `MISSING` if it is new content that comes with a commit which is rendered later than `rendered`. Showing it now would show
   * the Suspense fallback in the same frame, because other readers do not have it yet. A reader that waits in a transition keeps the content
   * on the screen.
   */
  #unlessEarly(answer: Answer<Value>, rendered: readonly Entry[]): Answer<Value> {
    const { pending } = this.screen.log;
    if (!this.isWaiting || this.#isListening || pending.length === 0 || !('value' in answer)) return answer;
    const later = pending.filter((entry) => !rendered.includes(entry));
    return later.length > 0 && this.#without(later, NO_ENTRIES).status === 'missing' ? MISSING : answer;
  }

  /** Returns the answer without the commits of a list that must not be shown in a render which includes `included`. */
  #without(entries: readonly Entry[], included: readonly Entry[], newest = this.view.current()): Answer<Value> {
    if (entries.length === 0) return newest;
    const missing = this.#hidden.among(entries, included);
    return missing.length === 0 ? newest : this.#earlier.without(missing, newest);
  }

  /** Resolves when there may be an answer to show. An answer that is in the store already comes with its commit. */
  wait(): Promise<void> {
    const { screen, view } = this;
    const { fetchMissing } = view;
    const arrival = view.current().status === 'missing' && fetchMissing ? fetchMissing.call(view) : screen.shown;
    screen.suspendUntil(arrival);
    return arrival;
  }

  /**
   * Called when commits have come onto the screen. A reader that was notified of a commit has been rendered with it already, except that React
   * leaves out some readers that were notified below a Suspense boundary with its fallback. They catch up after the frame.
   */
  catchUp(entries: readonly Entry[]): void {
    const isRendered = (): boolean => entries.some((entry) => this.#isRendered(entry));
    const correctIfLeftOut = (): void => {
      if (this.#isListening && isRendered()) this.#correct(entries);
    };
    if (entries.length === 0) this.#rerender(undefined);
    else if (isRendered()) void Promise.resolve().then(correctIfLeftOut);
    else this.#correct(entries);
  }

  /** Returns whether the reader was rendered with a commit, in the same render as the rest of the page. */
  #isRendered(entry: Entry): boolean {
    return entry.isUrgent !== true && this.#hidden.isUpcoming(entry) && !this.#included.includes(entry);
  }

  /**
   * Called before each frame in which the reader was rendered: takes in changes that came since its render, and hides commits that the
   * render could not know to be missing on the screen. `hadContent`: whether the component showed other content in the last frame.
   */
  settle(shown: Answer<Value>, included: readonly Entry[], rerender: Rerender, hadContent = false): void {
    if (this.view === NO_REQUEST) return;
    const isSeen = this.#isListening && isSameAnswer(this.#shown, shown);
    this.#rerender = rerender;
    this.#shown = shown;
    this.#included = included;
    if (this.#isListening) this.#fetchMissing(shown);
    this.#hidden.release(included);
    if (this.#isListening && this.#hidden.isEmpty && this.screen.log.pending.length === 0) return;
    const newest = this.view.current();
    if (!this.#isListening) {
      this.screen.arrive(this);
      this.#newest = newest;
      // A transition has changed what is read, to data of another transition. Without that data, a fallback would replace the content.
      const { pending } = this.screen.log;
      const isMissing = hadContent && this.#losesContent(this.#without(pending, onScreen(included), newest), true);
      if (isMissing && this.screen.renderNow(pending)) return;
    }
    this.#correct(NO_ENTRIES, isSeen, newest);
  }

  /** Renders again if the state on the screen differs from the last frame. `entries` have just come onto the screen. */
  #correct(entries: readonly Entry[], isSeen = this.#isListening, newest = this.view.current()): void {
    const hidden = this.#hidden.all;
    const answer = this.#without(hidden, onScreen(this.#included), newest);
    const isShown = isSameAnswer(answer, this.#shown);
    if (isShown && isSameAnswer(newest, answer)) return;
    // Also if the frame is right: the next render must not show these commits either.
    this.#hidden.set(hidden);
    if (isShown) return;
    if (this.#losesContent(answer, isSeen)) this.#loseContentLater(entries);
    else this.#rerender(undefined);
  }

  /** Returns whether content that was on the screen would be replaced by a fallback. Content of this very frame was not on the screen yet. */
  #losesContent(answer: Answer<Value>, isSeen: boolean): boolean {
    return isSeen && this.isWaiting && answer.status === 'missing' && 'value' in this.#shown;
  }

  /** Holds the commits that removed the content, and includes them in a transition. */
  #loseContentLater(entries: readonly Entry[]): void {
    const { later } = this.screen.options;
    const rerender = this.#rerender;
    const last = entries.findLast((entry) => this.#hasContentWithout([entry]));
    if (last === undefined && !this.#hasContentWithout(entries)) {
      const wasHeld = this.#hidden.release();
      if (entries.length === 0 && !wasHeld) later(() => rerender(undefined));
      else rerender(undefined);
      return;
    }
    const removing = last === undefined ? entries : [last];
    for (const entry of removing) this.#hidden.hold(entry);
    later(() => {
      for (const entry of removing) rerender(entry);
    });
    this.#correct(NO_ENTRIES);
  }

  /** Returns whether there is an answer to show without these commits on the screen. */
  #hasContentWithout(entries: readonly Entry[]): boolean {
    const shown = onScreen(this.#included);
    const missing = [...this.#hidden.all, ...entries].filter((entry) => !shown.includes(entry));
    return 'value' in this.#earlier.without(missing, this.view.current());
  }

  /** Subscribes to the view. Returns an unsubscribe function. */
  listen(): () => void {
    if (this.view === NO_REQUEST) return unmounted;
    this.view.shown?.();
    const stop = this.view.subscribe(() => this.#noteChange());
    const newest = this.view.current();
    this.#newest = newest;
    this.#isListening = true;
    this.screen.listen(this);
    this.#correct(NO_ENTRIES, true, newest);
    return () => {
      stop();
      this.#isListening = false;
      this.#hidden.release();
      this.screen.leave(this);
    };
  }

  #noteChange(): void {
    // Read at once, because a cell notifies of a change only if it was read since the last one.
    const answer = this.view.current();
    if (this.#newest !== undefined && isSameAnswer(answer, this.#newest)) {
      this.#fetchMissing(answer);
      return this.screen.fallBehind(this);
    }
    const entry = this.screen.next;
    this.#earlier.noteChange(entry, answer, this.#newest === this.#shown ? this.#shown : undefined);
    this.#newest = answer;
    this.#hidden.add(entry);
    this.screen.fallBehind(this);
    const { isKept, later } = this.screen.options;
    const rerender = this.#rerender;
    if (!this.#losesContent(answer, isKept)) return rerender(entry);
    this.#hidden.hold(entry);
    later(() => rerender(entry));
  }

  /** A reader that waits fetches when it suspends. */
  #fetchMissing({ status }: Answer<Value>): void {
    if (status === 'missing') this.view.shown?.();
  }
}

function onScreen(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ isOnScreen }) => isOnScreen);
}

function unmounted(): void {}

import { type Answer, isSameAnswer, type LiveView } from './answer.ts';
import type { Entry, Moment } from './moment.ts';
import { type Follower, following, type Screen } from './screen.ts';

/** Has a reader rendered again, with the commit that it follows; without one, it only catches up with the screen. */
export type Follow = (entry: Entry | undefined) => void;

const NONE: readonly Entry[] = [];

/** One place on a screen that shows a view. */
export class Reader<Value = unknown> implements Follower {
  readonly view: LiveView<Value>;
  readonly screen: Screen;
  readonly #isWaiting: boolean;
  #follow: Follow = unmounted;
  /** Commits that changed the view and may not be on the screen yet. */
  #told: readonly Entry[] = NONE;
  #newest: Answer<Value> | undefined;
  #past: { readonly moment: Moment; readonly answer: Answer<Value> } | undefined;

  /** `isWaiting` says that it suspends where there is nothing. */
  constructor(screen: Screen, view: LiveView<Value>, isWaiting = false) {
    this.screen = screen;
    this.view = view;
    this.#isWaiting = isWaiting;
  }

  /** What there is to show for who has followed `followed`. */
  read(followed: readonly Entry[], newest: Answer<Value> = this.view.current()): Answer<Value> {
    if (this.#told.length === 0 || newest.status === 'failed') return newest;
    const missing = this.#told.filter((entry) => !entry.isOnScreen && !followed.includes(entry));
    if (missing.length === 0) return newest;
    const moment = this.screen.without(missing);
    if (this.#past?.moment !== moment) this.#past = { moment, answer: this.view.at(moment) };
    // To wait for what is there already would be wrong too.
    return this.#past.answer.status === 'missing' ? newest : this.#past.answer;
  }

  get isBehind(): boolean {
    return this.#told.some((entry) => !entry.isOnScreen);
  }

  catchUp(): void {
    this.#show(undefined, this.view.current());
  }

  /**
   * Before the frame in which it appears: takes in what came between its render and now. Until it listens, commits are
   * noted whoever they concern.
   */
  settle(shown: Answer<Value>, followed: readonly Entry[], follow: Follow): void {
    const { awaited, late, listening, pending } = this.screen;
    if (listening.has(this)) return;
    awaited.add(this);
    this.#follow = follow;
    this.#newest = this.view.current();
    if (pending.length > 0) {
      this.#told = pending;
      late.add(this);
    }
    const answer = this.read(followed, this.#newest);
    if (!isSameAnswer(answer, shown)) this.#show(undefined, answer);
  }

  /** Follows the view from now on. Gives what ends it. */
  listen(shown: Answer<Value>, followed: readonly Entry[], follow: Follow): () => void {
    this.view.shown?.();
    const stop = this.view.subscribe(() => this.#changed());
    this.settle(shown, followed, follow);
    const { awaited, late, listening } = this.screen;
    awaited.delete(this);
    listening.add(this);
    return () => {
      stop();
      listening.delete(this);
      late.delete(this);
    };
  }

  #changed(): void {
    // Read at once: a cell that has not been read since does not tell of the next change.
    const answer = this.view.current();
    if (this.#newest !== undefined && isSameAnswer(answer, this.#newest)) return;
    this.#newest = answer;
    const entry = this.screen.next;
    this.#told = following(this.#told, entry);
    this.#show(entry, answer);
  }

  #show(entry: Entry | undefined, answer: Answer<Value>): void {
    const { isKept, later } = this.screen.options;
    // Nobody asked for a screen to go because something caught up with it.
    const isGoing = this.#isWaiting && answer.status === 'missing' && (entry === undefined || isKept);
    if (isGoing) later(() => this.#follow(entry));
    else this.#follow(entry);
  }
}

function unmounted(): void {}

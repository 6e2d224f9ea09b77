import { type Answer, isSameAnswer, type LiveView } from './answer.ts';
import type { Entry, Moment } from './moment.ts';
import type { Follower, Screen } from './screen.ts';

/** Has a reader rendered again, with the commit that it follows; without one, it only catches up with the screen. */
export type Follow = (entry: Entry | undefined, answer: Answer) => void;

/** One place on a screen that shows a view. */
export class Reader<Value = unknown> implements Follower {
  readonly view: LiveView<Value>;
  readonly #screen: Screen;
  readonly #follow: Follow;
  /** Commits that changed the view and may not be on the screen yet. */
  #told: Entry[] = [];
  #newest: Answer<Value> | undefined;
  #past: { readonly moment: Moment; readonly answer: Answer<Value> } | undefined;
  #isListening = false;

  constructor(view: LiveView<Value>, screen: Screen, follow: Follow) {
    this.view = view;
    this.#screen = screen;
    this.#follow = follow;
  }

  /** What there is to show for who has followed `followed`. */
  read(followed: readonly Entry[]): Answer<Value> {
    const newest = this.view.current();
    const missing = this.#told.filter((entry) => !entry.isOnScreen && !followed.includes(entry));
    if (missing.length === 0 || newest.status === 'failed') return newest;
    const moment = this.#screen.without(missing);
    if (this.#past?.moment !== moment) this.#past = { moment, answer: this.view.at(moment) };
    // To wait for what is there already would be wrong too.
    return this.#past.answer.status === 'missing' ? newest : this.#past.answer;
  }

  get isBehind(): boolean {
    return this.#told.some((entry) => !entry.isOnScreen);
  }

  catchUp(): void {
    this.#follow(undefined, this.view.current());
  }

  /**
   * Before the frame in which it appears: takes in what came between its render and now. From now on commits are noted
   * for it, although it does not listen yet. Gives what ends that.
   */
  settle(shown: Answer<Value>, followed: readonly Entry[]): (() => void) | undefined {
    if (this.#isListening) return undefined;
    this.#newest = this.view.current();
    for (const entry of this.#screen.pending) {
      if (followed.includes(entry)) continue;
      if (!this.#told.includes(entry)) this.#told.push(entry);
      this.#screen.late(this);
    }
    const answer = this.read(followed);
    if (!isSameAnswer(answer, shown)) this.#follow(undefined, answer);
    return this.#screen.await(this);
  }

  /** Follows the view from now on. Gives what ends it. */
  listen(shown: Answer<Value>, followed: readonly Entry[]): () => void {
    this.settle(shown, followed)?.();
    const stop = this.view.subscribe(() => this.#changed());
    this.#isListening = true;
    return () => {
      stop();
      this.#isListening = false;
      this.#screen.leave(this);
    };
  }

  #changed(): void {
    // Read at once: a cell that has not been read since does not tell of the next change.
    const answer = this.view.current();
    if (this.#newest !== undefined && isSameAnswer(answer, this.#newest)) return;
    this.#newest = answer;
    const entry = this.#screen.next;
    this.#told = [...this.#told.filter(({ isOnScreen }) => !isOnScreen), entry];
    this.#follow(entry, answer);
  }
}

import { type Entry, NO_ENTRIES, including, isHidden } from './commit-entry.ts';
import type { ScreenReader } from './screen.ts';

/** The commits that one reader does not show, although the store has them. */
export class HiddenCommits {
  readonly #reader: ScreenReader;
  /** The commits to hide while they are neither on the screen nor included in a render of the reader. */
  #hidden: readonly Entry[] = NO_ENTRIES;
  /** The hidden commits that a later render of the reader will include. */
  #upcoming: readonly Entry[] = NO_ENTRIES;
  /** Commits on the screen that stay hidden until a render of the reader includes them, because they remove its content. */
  #held: readonly Entry[] = NO_ENTRIES;

  constructor(reader: ScreenReader) {
    this.#reader = reader;
  }

  /** Whether no commit is noted. A noted one may be on the screen by now: see `isHiding`. */
  get isEmpty(): boolean {
    return this.#hidden.length === 0;
  }

  /** Returns whether a noted commit is still hidden. */
  isHiding(): boolean {
    return this.#hidden.some(isHidden);
  }

  /** The commits that the screen does not show, or that are held. */
  get all(): readonly Entry[] {
    const { pending } = this.#reader.screen.log;
    return this.#held.length === 0 ? pending : [...pending, ...this.#held];
  }

  /** Returns the commits of a list that a render must not show if it includes the commits `included`. */
  among(entries: readonly Entry[], included: readonly Entry[]): readonly Entry[] {
    return entries.filter((entry) => (!entry.isOnScreen || this.#held.includes(entry)) && !included.includes(entry));
  }

  /** Sets the commits that are hidden from now on. */
  set(entries: readonly Entry[]): void {
    this.#hidden = entries;
  }

  /** Hides a commit that a later render will include. */
  add(entry: Entry): void {
    this.#upcoming = including(this.#upcoming, entry);
    this.#hidden = including(this.#hidden, entry);
  }

  /** Returns whether a later render will include a commit, and the commit is not held. */
  isUpcoming(entry: Entry): boolean {
    return this.#upcoming.includes(entry) && !this.#held.includes(entry);
  }

  /** Keeps a commit hidden after it is on the screen. */
  hold(entry: Entry): void {
    this.#held = [...this.#held, entry];
    this.#hidden = [...this.#hidden.filter((one) => one !== entry), entry];
    this.#reader.screen.hold(entry, this.#reader);
  }

  /** Holds no commit any more, if a render included all of them. Returns whether one was held. */
  release(included: readonly Entry[] = this.#held): boolean {
    const held = this.#held;
    if (!held.every((entry) => included.includes(entry))) return false;
    for (const entry of held) this.#reader.screen.release(entry, this.#reader);
    this.#held = NO_ENTRIES;
    return held.length > 0;
  }
}

import type { Commit } from '../../state/store/commit.ts';
import { type Entry, isPending, needed, NO_ENTRIES } from './commit-entry.ts';

/** The changes of the store that are not on a screen, in order, with the later ones that changed the same rows or requests. */
export class ChangeLog {
  #entries: readonly Entry[] = NO_ENTRIES;
  #pending: readonly Entry[] = NO_ENTRIES;
  #open: Entry | undefined;
  /** How many changes there were: commits, and changes that are not commits. */
  #count = 0;

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** The changes that are not on the screen. */
  get pending(): readonly Entry[] {
    return this.#pending;
  }

  /** The entry of the change that observers are being notified of. */
  get open(): Entry | undefined {
    return this.#open;
  }

  /** Opens an entry for the change that observers are being notified of. They are notified before the commit is known. */
  begin(isOnScreen: boolean): Entry {
    const entry: Entry = { commit: undefined, isOnScreen };
    this.#open = entry;
    this.#count++;
    // Some changes, such as errors, are not commits. Their entry ends with this turn.
    void Promise.resolve().then(() => this.#close(entry));
    if (!isOnScreen) {
      this.#entries = [...this.#entries, entry];
      this.#pending = [...this.#pending, entry];
    }
    return entry;
  }

  #close(entry: Entry): void {
    if (this.#open === entry) this.#open = undefined;
  }

  /** Notes the commit of the open entry. If no entry is open, the commit is on the screen. */
  note(commit: Commit): void {
    const entry = this.#open;
    this.#open = undefined;
    if (entry !== undefined) {
      entry.commit = commit;
      return;
    }
    this.#count++;
    if (this.#entries.length > 0) this.#entries = needed([...this.#entries, { commit, isOnScreen: true }]);
  }

  /** Takes over the changes of the log of another screen. */
  takeOver({ entries, pending }: ChangeLog): void {
    this.#entries = entries;
    this.#pending = pending;
    this.#count += pending.length;
  }

  /** Call it when changes have come onto the screen. */
  dropShown(): void {
    this.#pending = this.#pending.filter(isPending);
  }

  /** Drops the entries that no reader needs any more. */
  dropUnneeded(): void {
    this.#entries = needed(this.#entries);
  }

  /** How many changes there were before the present one, if all of them are on the screen. */
  get shownCount(): number | undefined {
    const isOn = this.#pending.every((entry) => entry === this.#open);
    return isOn ? this.#count - (this.#open === undefined ? 0 : 1) : undefined;
  }

  /** Returns whether these are all the changes there were since `shownCount` was this number. */
  isAllSince(shown: number, missing: readonly Entry[]): boolean {
    return (
      // A commit that a reader holds back is in the list twice while it is pending.
      this.#count - shown === new Set(missing).size &&
      missing.every(({ commit, isOnScreen }) => commit !== undefined && !isOnScreen)
    );
  }
}

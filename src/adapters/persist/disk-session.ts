import type { OpenStorage } from '../../std/text-storage.ts';
import { parsedEntry, SESSION, sessionIn, sessionOf } from './saved-entries.ts';

/** The session of the entries that a tab writes. */
export class DiskSession {
  /** `undefined` if the storage could not be read. */
  number: number | undefined = undefined;
  /** Whether the disk has data from before a reset, which is deleted before the next write. */
  mustClear = false;
  /** Whether the application knows that this data could not be deleted. */
  #isUnclearedKnown = false;
  /** How often the store was reset. */
  readonly #resetsNow: () => number;
  /** How many resets of the store are known. */
  #resets: number;
  readonly #onUncleared: (error: unknown) => void;

  constructor(resets: () => number, onUncleared: (error: unknown) => void) {
    this.#resetsNow = resets;
    this.#resets = resets();
    this.#onUncleared = onUncleared;
  }

  /** Checks whether the store was reset. */
  noteReset(): void {
    const resets = this.#resetsNow();
    if (this.#resets === resets) return;
    this.#resets = resets;
    this.mustClear = true;
    this.#isUnclearedKnown = false;
  }

  noteUncleared(error: unknown): void {
    if (!this.#isUnclearedKnown) this.#onUncleared(error);
    this.#isUnclearedKnown = true;
  }
}

/**
 * Begins a session, which is the time from one logout to the next and has a number. Deletes the entries of the session before, and returns the
 * new number. If another tab has done so already, only entries written after that by a tab that did not know of the logout are deleted. If this tab
 * does not know its session, everything is deleted.
 */
export async function beginSession(storage: OpenStorage, session: number | undefined): Promise<number> {
  // Damaged entries are deleted too.
  const { entries } = await storage.read().catch(() => ({ entries: [] }));
  const texts = new Map(entries);
  const found = sessionIn(texts) ?? 0;
  if (session !== undefined && found > session) {
    const late = [...texts].filter(([, text]) => (sessionOf(parsedEntry(text)) ?? found) !== found);
    await storage.write(new Map(late.map(([key]) => [key, undefined])));
    return found;
  }
  await storage.clear();
  const next = Math.max(found, session ?? 0) + 1;
  await storage.write(new Map([[SESSION, String(next)]]));
  return next;
}

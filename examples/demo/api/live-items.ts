import type { Channel } from './channel.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database/database.ts';
import { ITEMS } from './database/seed.ts';
import { scramble } from './random.ts';

const BEAT_MS = 250;

/** Changes items while there are listeners. A counter determines the items and their values. */
export class LiveItems {
  readonly #database: Database;
  readonly #channel: Channel;
  readonly #clock: Clock;
  /** The listeners, each with the changes per second that it requested. */
  readonly #listeners = new Set<{ readonly perSecond: number }>();
  #stop: (() => void) | undefined;
  #beat = 0;
  #writing: Promise<void> = Promise.resolve();
  #busy = false;

  constructor(database: Database, channel: Channel, clock: Clock) {
    this.#database = database;
    this.#channel = channel;
    this.#clock = clock;
  }

  /** Adds a listener. Returns a function that removes it. */
  start(perSecond: number): () => void {
    const listener = { perSecond };
    this.#listeners.add(listener);
    this.#stop ??= this.#clock.every(BEAT_MS, () => this.#tick());
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  }

  /** Resolves when no write is running any more. */
  idle(): Promise<void> {
    return this.#writing;
  }

  #tick(): void {
    // If the database is too slow, this tick writes nothing, and the next one makes these changes.
    if (this.#busy) return;
    this.#busy = true;
    this.#writing = this.#change().finally(() => (this.#busy = false));
  }

  async #change(): Promise<void> {
    const most = Math.max(0, ...[...this.#listeners].map(({ perSecond }) => perSecond));
    const beat = this.#beat++;
    const updatedAt = new Date(this.#clock.now()).toISOString();
    const chosen = new Map<number, number>();
    for (let at = 0; at < Math.round((most * BEAT_MS) / 1000); at++)
      chosen.set((scramble(beat, at) % ITEMS) + 1, scramble(beat, 10_000 + at) % 500);
    const changed = [...chosen].map(([id, quantity]) => ({ id, quantity, updatedAt }));
    if (changed.length === 0) return;
    try {
      await this.#database.query(
        'update item i set quantity = n.quantity, updated_at = $2 from jsonb_to_recordset($1::jsonb) as n(id int, quantity int) where i.id = n.id',
        [JSON.stringify(changed), updatedAt],
      );
      this.#channel.publish('items', changed);
    } catch {
      // The database is not reachable. Requests report it, and the next tick tries again.
    }
  }
}

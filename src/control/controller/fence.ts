import type { Asked, Flight } from './flight.ts';

/**
 * Reads under way, told apart by mutations: what was asked for before a mutation settled may be from before it. It is
 * not shared any more, and if nothing newer is asked for meanwhile, its answer is outdated when it comes.
 */
export class Fence {
  /** The latest read of each request key. */
  readonly #latest = new Map<string, Flight>();
  /** Those that were answered while a mutation was under way. */
  readonly #during = new Map<string, Asked>();
  /** Those whose answers are outdated. */
  #outdated = new Map<string, Asked>();
  /** How many mutations have settled. */
  #settled = 0;

  /** The read of a key that others can share. */
  shared(key: string): Flight | undefined {
    const flight = this.#latest.get(key);
    return flight?.settledBefore === this.#settled ? flight : undefined;
  }

  share(flight: Flight): void {
    const { key } = flight.asked;
    flight.settledBefore = this.#settled;
    this.#latest.set(key, flight);
    // What it answers will be newer.
    this.#outdated.delete(key);
  }

  /** A mutation settled; one that failed may have done its work too. */
  raise(): void {
    this.#settled++;
  }

  /** A read is answered, perhaps while a mutation is under way. Returns whether the answer may be from before another. */
  land(flight: Flight, isWriting: boolean): boolean {
    const { asked } = flight;
    if (isWriting) this.#during.set(asked.key, asked);
    if (this.shared(asked.key) === flight) return false;
    if (this.#latest.get(asked.key) === flight) this.#outdated.set(asked.key, asked);
    return true;
  }

  /** What was answered while a mutation was under way has to be asked for again. */
  doubt(): void {
    for (const [key, asked] of this.#during) this.#outdated.set(key, asked);
  }

  /** A read is over. */
  end(flight: Flight): void {
    const { key } = flight.asked;
    if (this.#latest.get(key) === flight) this.#latest.delete(key);
  }

  /** No mutation is under way any more. Returns the keys whose answers are outdated, each with the latest request for it. */
  takeOutdated(): ReadonlyMap<string, Asked> {
    if (this.#during.size > 0) this.#during.clear();
    const outdated = this.#outdated;
    if (outdated.size > 0) this.#outdated = new Map();
    return outdated;
  }

  clear(): void {
    for (const reads of [this.#latest, this.#during, this.#outdated]) reads.clear();
  }
}

import type { FetchAction } from './action.ts';

const NONE: ReadonlyMap<string, FetchAction> = new Map();

interface Read {
  readonly action: FetchAction;
}

/**
 * Reads under way, told apart by mutations: what was asked for before a mutation settled may be from before it. It is
 * not shared any more, and if nothing newer is asked for meanwhile, its answer is outdated when it comes.
 */
export class Fence<Flight extends Read> {
  /** Asked for since the last mutation settled, by request key. */
  readonly #shared = new Map<string, Flight>();
  /** The latest of those before. */
  readonly #passed = new Map<string, Flight>();
  /** Those that were answered while a mutation was under way. */
  readonly #during = new Map<string, FetchAction>();
  /** Keys whose answers are outdated. */
  readonly #outdated = new Map<string, FetchAction>();

  /** The read of a key that others can share. */
  shared(key: string): Flight | undefined {
    return this.#shared.get(key);
  }

  share(flight: Flight): void {
    const { key } = flight.action;
    this.#shared.set(key, flight);
    // What it answers will be newer.
    this.#passed.delete(key);
    this.#outdated.delete(key);
  }

  /** A mutation settled; one that failed may have done its work too. */
  raise(): void {
    for (const [key, flight] of this.#shared) this.#passed.set(key, flight);
    this.#shared.clear();
  }

  /** A read is answered, perhaps while a mutation is under way. Gives whether that may be from before another. */
  land(flight: Flight, isWriting: boolean): boolean {
    const { action } = flight;
    if (isWriting) this.#during.set(action.key, action);
    if (this.#shared.get(action.key) === flight) return false;
    if (this.#passed.get(action.key) === flight) this.#outdated.set(action.key, action);
    return true;
  }

  /** What was answered while a mutation was under way has to be asked for again. */
  doubt(): void {
    for (const [key, action] of this.#during) this.#outdated.set(key, action);
  }

  /** A read is over. */
  end(flight: Flight): void {
    const { key } = flight.action;
    for (const reads of [this.#shared, this.#passed]) if (reads.get(key) === flight) reads.delete(key);
  }

  /** No mutation is under way any more. Gives the keys whose answers are outdated, with who asked for them last. */
  takeOutdated(): ReadonlyMap<string, FetchAction> {
    this.#during.clear();
    if (this.#outdated.size === 0) return NONE;
    const outdated = new Map(this.#outdated);
    this.#outdated.clear();
    return outdated;
  }

  clear(): void {
    for (const reads of [this.#shared, this.#passed, this.#during, this.#outdated]) reads.clear();
  }
}

import type { EndpointCall, RequestInFlight } from './request-in-flight.ts';

/**
 * Reads under way, told apart by mutations: what was asked for before a mutation settled may be from before it. It is
 * not shared any more, and if nothing newer is asked for meanwhile, its answer is outdated when it comes.
 */
export class SharedReads {
  /** The latest read of each request key. */
  readonly #latest = new Map<string, RequestInFlight>();
  /** Those that were answered while a mutation was under way. */
  readonly #during = new Map<string, EndpointCall>();
  /** Those whose answers are outdated. */
  #outdated = new Map<string, EndpointCall>();
  /** How many mutations have settled. */
  #settled = 0;

  /** The read of a key that others can share. */
  shared(key: string): RequestInFlight | undefined {
    const request = this.#latest.get(key);
    return request?.settledBefore === this.#settled ? request : undefined;
  }

  share(request: RequestInFlight): void {
    const { key } = request.asked;
    request.settledBefore = this.#settled;
    this.#latest.set(key, request);
    // What it answers will be newer.
    this.#outdated.delete(key);
  }

  /** A mutation settled; one that failed may have done its work too. */
  raise(): void {
    this.#settled++;
  }

  /** A read is answered, perhaps while a mutation is under way. Returns whether the answer may be from before another. */
  answered(request: RequestInFlight, isWriting: boolean): boolean {
    const { asked } = request;
    if (isWriting) this.#during.set(asked.key, asked);
    if (this.shared(asked.key) === request) return false;
    if (this.#latest.get(asked.key) === request) this.#outdated.set(asked.key, asked);
    return true;
  }

  /** What was answered while a mutation was under way has to be asked for again. */
  doubt(): void {
    for (const [key, asked] of this.#during) this.#outdated.set(key, asked);
  }

  /** A read is over. */
  end(request: RequestInFlight): void {
    const { key } = request.asked;
    if (this.#latest.get(key) === request) this.#latest.delete(key);
  }

  /**
   * Returns the keys whose answers are outdated, each with the latest request for it. `isLast` says that no mutation is under way any
   * more.
   */
  takeOutdated(isLast: boolean): ReadonlyMap<string, EndpointCall> {
    if (isLast && this.#during.size > 0) this.#during.clear();
    const outdated = this.#outdated;
    if (outdated.size > 0) this.#outdated = new Map();
    return outdated;
  }

  clear(): void {
    for (const reads of [this.#latest, this.#during, this.#outdated]) reads.clear();
  }
}

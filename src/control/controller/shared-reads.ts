import type { Mutations } from './mutations.ts';
import type { EndpointCall, RequestInFlight } from './request-in-flight.ts';

type Ended = Mutations['ended'];

/**
 * Reads under way, told apart by mutations: what was asked for before a mutation settled may be from before it. It is
 * not shared any more, and if nothing newer is asked for meanwhile, its answer is outdated when it comes.
 */
export class SharedReads {
  /** The latest read of each request key. */
  readonly #latest = new Map<string, RequestInFlight>();
  /** Those that were answered while a mutation was under way, and how many had failed by then. */
  readonly #during = new Map<string, { readonly asked: EndpointCall; readonly failed: number }>();
  /** Those whose answers are outdated. */
  #outdated = new Map<string, EndpointCall>();

  /** The read of a key that others can share. */
  shared(key: string, ended: Ended): RequestInFlight | undefined {
    const request = this.#latest.get(key);
    return request?.settledBefore === ended.all ? request : undefined;
  }

  share(request: RequestInFlight, ended: Ended): void {
    const { key } = request.asked;
    request.settledBefore = ended.all;
    this.#latest.set(key, request);
    // What it answers will be newer.
    this.#outdated.delete(key);
    this.#during.delete(key);
  }

  /** A read is answered, perhaps while a mutation is under way. Returns whether the answer may be from before another. */
  answered(request: RequestInFlight, ended: Ended, isWriting: boolean): boolean {
    const { asked } = request;
    if (isWriting) this.#during.set(asked.key, { asked, failed: ended.failed });
    if (this.shared(asked.key, ended) === request) return false;
    if (this.#latest.get(asked.key) === request) this.#outdated.set(asked.key, asked);
    return true;
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
  takeOutdated(ended: Ended, isLast: boolean): ReadonlyMap<string, EndpointCall> {
    // One that has failed may have done its work, and no answer corrects what was read before that.
    for (const [key, { asked, failed }] of this.#during) if (failed < ended.failed) this.#outdated.set(key, asked);
    if (isLast && this.#during.size > 0) this.#during.clear();
    const outdated = this.#outdated;
    if (outdated.size > 0) this.#outdated = new Map();
    return outdated;
  }

  clear(): void {
    for (const reads of [this.#latest, this.#during, this.#outdated]) reads.clear();
  }
}

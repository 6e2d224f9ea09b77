import type { Mutations } from './mutations.ts';
import { warn } from '../../std/warn.ts';
import { type EndpointCall, type RequestInFlight, shareKeyOf } from './request-in-flight.ts';

/** The members of an endpoint that make data of a response. A header does not count: the key says what is requested. */
const READING = ['process', 'parseResponse', 'content'] as const;

/** Returns whether two calls make the same data of a response, so that one can take the answer of the other. */
export function readsAlike({ endpoint: one }: EndpointCall, { endpoint: other, key }: EndpointCall): boolean {
  const differing = READING.find((name) => (one as ResponseReading)[name] !== (other as ResponseReading)[name]);
  if (differing === undefined) return true;
  warn(other, 'request-shared', () => {
    const [mine, theirs] = [other, one].map((endpoint) => String((endpoint as ResponseReading)[differing]));
    return mine === theirs
      ? undefined
      : `Endpoints with a different ${differing} share the request ${key}, and the latest answer is stored for both. Give one of them a key() of its own.`;
  });
  return false;
}

type ResponseReading = { readonly [name in (typeof READING)[number]]?: unknown };

/** How many mutations have ended so far, and how many of them failed. */
type Ended = Mutations['ended'];

/**
 * The reads in flight, by request key: which of them another fetch can share, and which answers are outdated. A read that was sent before a mutation
 * settled may have data from before the mutation, and one whose key was expired or invalidated since may have data from before that. So it is not
 * shared any more, and its answer is outdated when it arrives, unless a newer read of the key was sent in the meantime. The network manager sends
 * outdated reads again, if their answers are shown.
 */
export class SharedReads {
  /** The latest read of each page or request key. */
  readonly #latest = new Map<string, RequestInFlight>();
  /** The reads that were answered while a mutation was pending. The value is how many mutations had failed by then. */
  readonly #answeredDuringMutation = new Map<string, { readonly call: EndpointCall; readonly failed: number }>();
  /** The reads whose answers are outdated. */
  #outdated = new Map<string, EndpointCall>();

  /** Returns the read in flight that another fetch can share. */
  shared(call: EndpointCall, ended: Ended): RequestInFlight | undefined {
    const request = this.#latest.get(shareKeyOf(call));
    return request?.settledBefore === ended.all && !request.isExpired ? request : undefined;
  }

  /** Lets later fetches share a read that is sent now. */
  share(request: RequestInFlight, ended: Ended): void {
    const key = shareKeyOf(request.call);
    request.settledBefore = ended.all;
    this.#latest.set(key, request);
    // A newer read will answer this call.
    this.#outdated.delete(key);
    this.#answeredDuringMutation.delete(key);
  }

  /** Call it when requests are expired or invalidated. */
  expire(test: (call: EndpointCall) => boolean): void {
    for (const request of this.#latest.values()) if (test(request.call)) request.isExpired = true;
  }

  /** Call it when a read was answered. Returns whether its answer is outdated. */
  noteAnswer(request: RequestInFlight, ended: Ended, isWriting: boolean): boolean {
    const { call } = request;
    const key = shareKeyOf(call);
    if (isWriting) this.#answeredDuringMutation.set(key, { call, failed: ended.failed });
    if (this.shared(call, ended) === request) return false;
    if (this.#latest.get(key) === request) this.#outdated.set(key, call);
    return true;
  }

  /** Call it when a read has ended. */
  end(request: RequestInFlight): void {
    const key = shareKeyOf(request.call);
    if (this.#latest.get(key) !== request) return;
    this.#latest.delete(key);
    if (request.ticket.isLate !== true) return;
    // Its cursor is from the former list, so the page would not fit behind the present one either.
    this.#outdated.delete(key);
    this.#answeredDuringMutation.delete(key);
  }

  /** Returns the latest calls whose answers are outdated. `isLast` says that no mutation is pending any more. */
  takeOutdated(ended: Ended, isLast: boolean): readonly EndpointCall[] {
    // The server may have carried out a mutation that failed, and no answer corrects data that was read before.
    for (const [key, { call, failed }] of this.#answeredDuringMutation)
      if (failed < ended.failed) this.#outdated.set(key, call);
    if (isLast && this.#answeredDuringMutation.size > 0) this.#answeredDuringMutation.clear();
    const outdated = this.#outdated;
    if (outdated.size > 0) this.#outdated = new Map();
    return [...outdated.values()];
  }

  clear(): void {
    for (const reads of [this.#latest, this.#answeredDuringMutation, this.#outdated]) reads.clear();
  }
}

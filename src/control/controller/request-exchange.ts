import { abortWith } from '../../std/cancelling.ts';
import type { Answered, Exchange, Refresh, Version } from '../../define/endpoint/exchange.ts';
import type { Retry } from '../../define/endpoint/retry.ts';
import type { Responses } from '../view/responses.ts';
import type { OriginQueues } from './origin-queues.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** What all requests of a network manager share. */
export interface RequestParts {
  readonly retry: Retry | undefined;
  readonly refresh: Refresh | undefined;
  readonly originQueues: OriginQueues;
}

/** The session of a request, and the functions by which its endpoint reads the store. */
type SessionReads = Required<Pick<Exchange, 'record' | 'session' | 'stored'>>;

/**
 * What an endpoint gets for one of its requests: facts about it, and functions that read the store. It is a class, because V8 keeps the objects that a getter of an object literal uses until a full
 * garbage collection.
 */
export class RequestExchange implements Exchange {
  readonly key: string;
  readonly session: object;
  readonly retry: Retry | undefined;
  readonly refresh: Refresh | undefined;
  readonly answered: Answered;
  readonly record: SessionReads['record'];
  readonly stored: SessionReads['stored'];
  readonly #originQueues: OriginQueues;
  readonly #responses: Responses;
  readonly #request: RequestInFlight;

  constructor(
    parts: RequestParts,
    responses: Responses,
    request: RequestInFlight,
    { record, session, stored }: SessionReads,
  ) {
    this.key = request.call.key;
    this.session = session;
    this.retry = parts.retry;
    this.refresh = parts.refresh;
    this.answered = request.answered;
    this.record = record;
    this.stored = stored;
    this.#originQueues = parts.originQueues;
    this.#responses = responses;
    this.#request = request;
  }

  get signal(): AbortSignal {
    const request = this.#request;
    request.abort ??= new AbortController();
    if (request.failure !== undefined) abortWith(request.abort, request.failure.error);
    return request.abort.signal;
  }

  readonly version = (other: string): Version | undefined => {
    const { written, version } = this.#responses.note(other);
    return written ?? version;
  };

  readonly enter = async (origin: string, signal: AbortSignal): Promise<() => void> => {
    const request = this.#request;
    const leave = await this.#originQueues.enter(origin, Boolean(request.call.endpoint.sideEffect), signal);
    request.isSending = true;
    // It had not been sent before.
    request.isExpired = false;
    return () => {
      request.isSending = false;
      leave();
      // Its callers have the error already, so it is not sent again.
      if (request.failure !== undefined) abortWith(request.abort, request.failure.error);
    };
  };
}

import { createParser, type EventSourceParser } from 'eventsource-parser';
import { retryAfter } from '../../define/rest/retryable.ts';
import { type HeadersGiven, type Platform, platform } from '../../std/platform.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import {
  isFinalError,
  presentAddress,
  type StreamAddress,
  type StreamConnection,
  type StreamEvents,
  type StreamSource,
} from './stream-source.ts';

/** The options of `serverSentEvents`. */
export interface ServerSentEventsOptions {
  /** Headers, or a function that is called for each connection. */
  readonly headers?: HeadersGiven | (() => HeadersGiven | Promise<HeadersGiven>);
  /** Options of `fetch`. By default redirects are refused, because another server would get the headers. */
  readonly requestInit?: RequestInit;
  /** The largest number of characters of one event. Default: 1,000,000. */
  readonly maxEventSize?: number;
  readonly platform?: Pick<Platform, 'fetch'> & Partial<Pick<Platform, 'now'>>;
}

/** The error of an answer that is not an event stream. */
export class StreamRefusedError extends DataError {
  override readonly status: number;

  constructor(status: number, type: string | null) {
    super('stream-refused', `The server answered ${status} (${type ?? 'no content type'}) instead of an event stream.`);
    this.status = status;
  }
}

const NO_MORE = 204;

/**
 * Server-sent events, read with `fetch`: unlike `EventSource` it takes headers, runs wherever `fetch` does, and makes
 * the server wait when messages arrive faster than they can be taken.
 */
export function serverSentEvents(url: StreamAddress, options: ServerSentEventsOptions = {}): StreamSource {
  return (events, lastEventId) => new EventConnection(events, url, options, lastEventId);
}

class EventConnection implements StreamConnection {
  readonly #events: StreamEvents;
  readonly #abort: AbortController = new AbortController();
  #isPaused = false;
  #onResume: (() => void) | undefined;

  constructor(events: StreamEvents, url: StreamAddress, options: ServerSentEventsOptions, lastEventId?: string) {
    this.#events = events;
    this.#run(url, options, lastEventId).then(
      (isFinal) => this.#end({ isFinal }),
      (error: unknown) => this.#end({ error, isFinal: isFinalError(error) }),
    );
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#onResume?.();
  }

  close(): void {
    this.#abort.abort();
    this.resume();
  }

  #end(end: { readonly error?: unknown; readonly isFinal: boolean }): void {
    if (!this.#abort.signal.aborted) this.#events.closed(end);
    this.#abort.abort();
  }

  /** Returns whether it must not reconnect. */
  async #run(url: StreamAddress, options: ServerSentEventsOptions, lastEventId?: string): Promise<boolean> {
    const { requestInit, maxEventSize = 1_000_000 } = options;
    const headers = await headersOf(options, lastEventId);
    const { signal } = this.#abort;
    const init: RequestInit = { cache: 'no-store', redirect: 'error', ...requestInit, headers, signal };
    const response = await (options.platform ?? platform).fetch(await presentAddress(url), init);
    if (response.status === NO_MORE) return true;
    this.#checkResponse(response, options.platform?.now?.() ?? platform.now());
    this.#events.opened();
    await this.#read(response.body, this.#parser(maxEventSize));
    return false;
  }

  #checkResponse({ ok, status, headers }: Response, now: number): void {
    const type = headers.get('content-type');
    const delay = retryAfter(headers.get('retry-after'), now);
    if (delay !== undefined) this.#events.retryAfter(delay);
    if (!ok || type?.startsWith('text/event-stream') !== true) throw new StreamRefusedError(status, type);
  }

  #parser(maxBufferSize: number): EventSourceParser {
    return createParser({
      onEvent: ({ event = 'message', data, id }) => this.#emit(() => this.#events.message({ type: event, data, id })),
      onRetry: (milliseconds) => this.#emit(() => this.#events.retryAfter(milliseconds)),
      onComment: () => this.#emit(() => this.#events.alive()),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') throw eventTooLong(maxBufferSize);
      },
      maxBufferSize,
    });
  }

  /** One chunk can contain many events, and handling the first one can close the connection. */
  #emit(what: () => void): void {
    if (!this.#abort.signal.aborted) what();
  }

  async #read(body: ReadableStream<Uint8Array> | null, parser: EventSourceParser): Promise<void> {
    const decoder = new TextDecoder();
    const reader = body?.getReader();
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- chunks come one after the other
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return;
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      // oxlint-disable-next-line no-await-in-loop
      if (this.#isPaused) await new Promise<void>((resolve) => void (this.#onResume = resolve));
    }
  }
}

async function headersOf({ headers }: ServerSentEventsOptions, lastEventId?: string): Promise<Headers> {
  const all = new Headers(typeof headers === 'function' ? await headers() : headers);
  all.set('accept', 'text/event-stream');
  // Headers contain bytes, but an id can be any text, so it is encoded as UTF-8.
  if (lastEventId) all.set('last-event-id', String.fromCharCode(...new TextEncoder().encode(lastEventId)));
  return all;
}

function eventTooLong(most: number): DataError {
  return new DataError('stream-event-too-long', `A server-sent event has more than ${most} characters.`, {
    cure: inDevelopment(() => 'Send less at once, or give serverSentEvents() a maxEventSize.'),
  });
}

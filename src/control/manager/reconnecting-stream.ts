import { MAX_TIMER_MS, type Platform } from '../../std/platform.ts';
import { DataError } from '../../std/data-error.ts';
import type { Presence } from './presence.ts';
import type { StreamConnection, StreamEnd, StreamEvents, StreamMessage, StreamSource } from './stream-source.ts';
import { elapsed } from '../../std/elapsed.ts';
import { callListener } from '../../std/listeners.ts';

/** How long a stream waits before it connects again. */
export interface Reconnect {
  /** The longest wait before the first reconnection, in milliseconds. It doubles after each failure. Default: 1,000. */
  readonly baseDelay?: number;
  /** The longest wait before any reconnection, in milliseconds, unless the server asks for more. Default: 30,000. */
  readonly maxDelay?: number;
}

export interface ReconnectingStreamOptions {
  readonly source: StreamSource;
  readonly reconnect: Required<Reconnect>;
  /** After this many milliseconds without any data, a connection counts as lost. */
  readonly heartbeat: number;
  readonly presence: Presence;
  readonly platform: Pick<Platform, 'now' | 'setTimeout' | 'clearTimeout' | 'random'>;
}

/** The callbacks of a stream. */
export interface ReconnectingStreamEvents {
  /** `isGapless`: no message was missed since the last connection, or this is the first one. */
  opened(isGapless: boolean): void;
  message(message: StreamMessage): void;
  closed(end: StreamEnd): void;
}

/** How many milliseconds a connection may take to open. */
const OPENING_LIMIT = 30_000;

/** Keeps a connection open while there is a network. Reconnects after failures, with growing delays. */
export class ReconnectingStream {
  readonly #options: ReconnectingStreamOptions;
  readonly #events: ReconnectingStreamEvents;
  #stopPresence: (() => void) | undefined;
  #connection: StreamConnection | undefined;
  /** The present connection. Events of earlier ones are ignored. */
  #current: object | undefined;
  #timer: unknown;
  #isOpen = false;
  #isPaused = false;
  #hasBeenOpen = false;
  /** How many connections in a row failed. */
  #failures = 0;
  /** The delays that the server asked for: for every reconnection, and for the next one. */
  #serverDelay = 0;
  #nextDelay = 0;
  #lastDataAt = 0;
  #lastEventId: string | undefined;

  constructor(options: ReconnectingStreamOptions, events: ReconnectingStreamEvents) {
    this.#options = options;
    this.#events = events;
  }

  get isOn(): boolean {
    return this.#stopPresence !== undefined;
  }

  /** The connection if it is open. */
  get connection(): StreamConnection | undefined {
    return this.#isOpen ? this.#connection : undefined;
  }

  start(): void {
    if (this.isOn) return;
    const { presence } = this.#options;
    this.#stopPresence = presence.subscribe(() => this.#check());
    if (presence.isPresent()) this.#connect();
  }

  stop(): void {
    this.#stopPresence?.();
    this.#stopPresence = undefined;
    this.#closeConnection();
    this.#failures = 0;
    this.#serverDelay = 0;
    this.#nextDelay = 0;
  }

  /** As `stop`, and forgets the last event id, so that the next connection starts a new stream. */
  forget(): void {
    this.stop();
    this.#lastEventId = undefined;
    this.#hasBeenOpen = false;
  }

  /** Pauses reading, because messages arrive faster than they are stored. Returns whether the server can be made to wait. */
  pause(): boolean {
    if (this.#connection?.pause === undefined) return false;
    this.#isPaused = true;
    this.#connection.pause();
    return true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#lastDataAt = this.#options.platform.now();
    this.#connection?.resume?.();
  }

  #check(): void {
    if (!this.#options.presence.isPresent()) this.#closeConnection();
    else if (this.#current === undefined && this.#timer === undefined) this.#connectLater();
  }

  #connectLater(): void {
    const { reconnect, platform } = this.#options;
    const { baseDelay, maxDelay } = reconnect;
    const randomDelay = platform.random() * Math.min(maxDelay, baseDelay * 2 ** Math.max(0, this.#failures - 1));
    this.#wait(Math.max(this.#serverDelay, this.#nextDelay, randomDelay), () => this.#connect());
    this.#nextDelay = 0;
  }

  #connect(): void {
    const attempt = {};
    const ifCurrent =
      <Args extends readonly unknown[]>(run: (...args: Args) => void): ((...args: Args) => void) =>
      (...args) => {
        if (this.#current === attempt) run(...args);
      };
    this.#current = attempt;
    this.#noteData();
    const events: StreamEvents = {
      opened: ifCurrent(() => this.#handleOpen()),
      message: ifCurrent((message) => this.#handleMessage(message)),
      alive: ifCurrent(() => this.#noteAlive()),
      retryAfter: ifCurrent((milliseconds) => {
        if (this.#isOpen) this.#serverDelay = milliseconds;
        else this.#nextDelay = milliseconds;
      }),
      closed: ifCurrent((end) => this.#handleClose(end)),
    };
    try {
      this.#connection = this.#options.source(events, this.#lastEventId);
    } catch (error) {
      return this.#handleClose({ error });
    }
    this.#watch();
  }

  #handleOpen(): void {
    this.#noteData();
    this.#isOpen = true;
    const isGapless = !this.#hasBeenOpen || this.#lastEventId !== undefined;
    this.#hasBeenOpen = true;
    this.#watch();
    this.#events.opened(isGapless);
  }

  #handleMessage(message: StreamMessage): void {
    this.#noteAlive();
    if (message.id !== undefined) this.#lastEventId = message.id === '' ? undefined : message.id;
    this.#events.message(message);
  }

  #noteAlive(): void {
    this.#failures = 0;
    this.#noteData();
  }

  #noteData(): void {
    this.#lastDataAt = this.#options.platform.now();
  }

  /** One timer checks from time to time, instead of one timer for each message. */
  #watch(): void {
    const { heartbeat, platform } = this.#options;
    const limit = this.#isOpen ? heartbeat : Math.min(heartbeat, OPENING_LIMIT);
    if (limit === Number.POSITIVE_INFINITY) return this.#stopTimer();
    this.#wait(limit - (elapsed(this.#lastDataAt, platform.now()) ?? 0), () => {
      // A paused connection delivers no data, so silence means nothing.
      const passed = this.#isPaused ? undefined : elapsed(this.#lastDataAt, platform.now());
      if (passed === undefined) this.#noteData();
      if ((passed ?? 0) < limit) this.#watch();
      else this.#handleClose({ error: connectionSilent(limit) });
    });
  }

  #handleClose(end: StreamEnd): void {
    this.#closeConnection();
    this.#failures++;
    if (end.isFinal === true) this.stop();
    else if (this.#options.presence.isPresent()) this.#connectLater();
    this.#events.closed(end);
  }

  #closeConnection(): void {
    const connection = this.#connection;
    this.#stopTimer();
    this.#current = undefined;
    this.#connection = undefined;
    this.#isOpen = false;
    this.#isPaused = false;
    // An error of `close` must not prevent the next connection.
    callListener(() => connection?.close(), undefined);
  }

  #wait(milliseconds: number, run: () => void): void {
    this.#stopTimer();
    this.#timer = this.#options.platform.setTimeout(
      () => {
        this.#timer = undefined;
        run();
      },
      Math.min(Math.max(0, milliseconds), MAX_TIMER_MS),
    );
  }

  #stopTimer(): void {
    if (this.#timer !== undefined) this.#options.platform.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

function connectionSilent(milliseconds: number): DataError {
  return new DataError('stream-silent', `A stream received no data for ${milliseconds} ms. It reconnects.`);
}

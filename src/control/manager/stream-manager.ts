import { allowExit, type Platform, platform } from '../../std/platform.ts';
import { actionTypes, type SubscribeAction } from '../controller/action.ts';
import { type Manager, type Middleware, type MiddlewareAPI, NO_CONTROLLER } from '../controller/manager.ts';
import { beforeFrame, type Schedule } from './frame.ts';
import type { Subscribed } from './polling-subscription.ts';
import { assertAboveZero } from '../controller/assert-above-zero.ts';
import { networkOf, type Presence } from './presence.ts';
import { type Reconnect, ReconnectingStream } from './reconnecting-stream.ts';
import { storeMessage, type MessageTicket, type StreamWrite } from './stream-write.ts';
import { StreamQueue } from './stream-queue.ts';
import type { StreamConnection, StreamEnd, StreamMessage, StreamSource } from './stream-source.ts';

/** The options of `StreamManager`. */
export interface StreamOptions {
  /** Returns what to write for a message, and where; `undefined` for nothing. */
  readonly write?: (message: StreamMessage) => StreamWrite | readonly StreamWrite[] | undefined;
  /** Handles a message with code of your own. */
  readonly onMessage?: (controller: MiddlewareAPI, message: StreamMessage) => unknown;
  /** Parses the data of a message. Default: text as JSON; bytes stay bytes. */
  readonly parse?: (data: unknown) => unknown;
  /** The key of a message: of several waiting messages with one key, only the newest is stored. Default: no key, all are stored. */
  readonly keyOf?: (message: StreamMessage) => string | undefined;
  /** How many messages may wait. Beyond that the server has to wait; if it cannot, the oldest messages are dropped. Default: 1,000. */
  readonly capacity?: number;
  /** Schedules the storing of waiting messages, in one commit. Default: before the next frame. */
  readonly schedule?: Schedule;
  /**
   * Which subscriptions the stream serves instead of polls. With this option, the connection is open while there are such
   * subscriptions, and for five seconds after the last one; without it, always.
   */
  readonly covers?: (request: Subscribed) => boolean;
  /** Called for each subscription that the stream serves, when it begins and on each new connection. */
  readonly onSubscribe?: (connection: StreamConnection, request: Subscribed) => void;
  readonly onUnsubscribe?: (connection: StreamConnection, request: Subscribed) => void;
  /** Called when a connection is open. Send the messages by which the server learns what to push. */
  readonly onOpen?: (connection: StreamConnection) => void;
  /** Called when messages may have been missed. Default: requests that the stream serves become stale, and are fetched. */
  readonly onGap?: (controller: MiddlewareAPI) => unknown;
  /**
   * Called when a connection ended with an error, or a message could not be stored. Default: passes errors of
   * messages, and of connections that will not be opened again, to `reportError`.
   */
  readonly onError?: (error: unknown) => void;
  readonly reconnect?: Reconnect;
  /** After this many milliseconds without any data, a connection counts as lost. Default: never. */
  readonly heartbeat?: number;
  /** When the stream may be connected. Default: while there is a network. */
  readonly presence?: Presence;
  readonly platform?: Pick<Platform, 'now' | 'setTimeout' | 'clearTimeout' | 'random'>;
}

/** A waiting message, and its place in the order, which it got when it arrived. */
interface WaitingMessage {
  readonly message: StreamMessage;
  readonly ticket: MessageTicket;
}

interface Served extends Subscribed {
  count: number;
}

/** How long a connection stays open after its last subscription, in milliseconds. The next page often subscribes again. */
const IDLE = 5000;

/**
 * Stores messages that a server pushes. After a reset, messages of the earlier stream are ignored, and there is no
 * connection until `open` is called or a subscription that it serves begins.
 */
export class StreamManager implements Manager {
  readonly #options: StreamOptions;
  readonly #stream: ReconnectingStream;
  readonly #queue: StreamQueue<WaitingMessage>;
  readonly #schedule: Schedule;
  readonly #served = new Map<string, Served>();
  /** The stored answers of subscriptions that have ended. Messages about them are missed since then. */
  readonly #left = new WeakSet<object>();
  #controller: MiddlewareAPI = NO_CONTROLLER;
  #cancelFrame: (() => void) | undefined;
  #hasGap = false;
  #isOver = false;
  readonly #platform: NonNullable<StreamOptions['platform']>;
  #idleTimer: unknown;
  /** A new object for each session. Work that began with another object stores nothing. */
  #session = {};

  constructor(source: StreamSource, options: StreamOptions) {
    const {
      reconnect,
      heartbeat = Number.POSITIVE_INFINITY,
      presence = networkOf(globalThis),
      capacity = 1000,
    } = options;
    const used = options.platform ?? platform;
    this.#platform = used;
    const delays = { baseDelay: 1000, maxDelay: 30_000, ...reconnect };
    assertAboveZero('a StreamManager', { heartbeat, capacity, ...delays });
    this.#options = options;
    this.#queue = new StreamQueue(capacity, ({ ticket }) => this.#store.settle(ticket));
    this.#schedule = options.schedule ?? beforeFrame(globalThis, used);
    this.#stream = new ReconnectingStream(
      { source, heartbeat, presence, platform: used, reconnect: delays },
      {
        opened: (isGapless) => this.#handleOpen(isGapless),
        message: (message) => this.#take(message),
        closed: (end) => this.#handleClose(end),
      },
    );
  }

  get #store(): MiddlewareAPI['store'] {
    return this.#controller.store;
  }

  readonly middleware: Middleware = (controller) => {
    // The connection of a former controller can be that of another user.
    this.#forget();
    this.#served.clear();
    this.#controller = controller;
    return (next) => async (action) => {
      const isSubscription = action.type === actionTypes.SUBSCRIBE || action.type === actionTypes.UNSUBSCRIBE;
      const isPresent = controller === this.#controller;
      if (isSubscription && this.#options.covers?.(action) === true) return isPresent ? this.#serve(action) : undefined;
      if (!isPresent) return next(action);
      // A message that came while a mutation was pending is compared with the answer of the mutation.
      if (action.type === actionTypes.SET_RESPONSE && action.request?.mutation !== undefined) this.#flushNow();
      if (action.type === actionTypes.RESET && action.fill === undefined) this.#forget();
      return next(action);
    };
  };

  init(): void {
    this.#isOver = false;
    if (this.#options.covers === undefined) this.open();
  }

  cleanup(): void {
    this.#isOver = true;
    this.#served.clear();
    this.#forget();
  }

  /** Connects again after a reset. Does nothing if there is a connection. */
  open(): void {
    if (!this.#isOver) this.#stream.start();
  }

  /** Sends a message to the server. Returns false if there is no open connection. */
  send(data: string | ArrayBuffer): boolean {
    const { connection } = this.#stream;
    connection?.send?.(data);
    return connection?.send !== undefined;
  }

  #serve({ type, key, endpoint, args }: SubscribeAction): void {
    const { onSubscribe, onUnsubscribe, onGap } = this.#options;
    const before = this.#served.get(key);
    const request = before ?? { key, endpoint, args, count: 0 };
    if (type === actionTypes.SUBSCRIBE) {
      request.count++;
      this.#served.set(key, request);
      if (before === undefined) {
        this.#withConnection((connection) => onSubscribe?.(connection, request));
        if (onGap === undefined) this.#refetchIfLeft(request);
      }
      this.open();
    } else if (before !== undefined && --before.count === 0) {
      this.#served.delete(key);
      this.#withConnection((connection) => onUnsubscribe?.(connection, before));
      if (onUnsubscribe !== undefined) queueMicrotask(() => this.#noteLeft(key));
      if (this.#served.size === 0) this.#stopLater();
    }
  }

  /** Notes that messages about an answer are missed from now on, unless its subscription has begun again at once. */
  #noteLeft(key: string): void {
    const stored = this.#served.has(key) ? undefined : this.#store.result(key);
    if (stored !== undefined) this.#left.add(stored);
  }

  /** Fetches the data of a subscription that has begun again. When the connection opens, the gap covers it. */
  #refetchIfLeft(request: Served): void {
    const stored = this.#store.result(request.key);
    if (this.#stream.connection !== undefined && stored !== undefined && this.#left.has(stored)) this.#refetch(request);
  }

  #stopLater(): void {
    this.#platform.clearTimeout(this.#idleTimer);
    this.#idleTimer = this.#platform.setTimeout(() => this.#served.size === 0 && this.#stream.stop(), IDLE);
    allowExit(this.#idleTimer);
  }

  #withConnection(use: (connection: StreamConnection) => void): void {
    const { connection } = this.#stream;
    if (connection !== undefined) this.#reportErrors(() => use(connection));
  }

  #forget(): void {
    this.#session = {};
    this.#platform.clearTimeout(this.#idleTimer);
    this.#stream.forget();
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    this.#queue.clear();
    this.#hasGap = false;
  }

  #handleOpen(isGapless: boolean): void {
    const { onOpen, onSubscribe } = this.#options;
    this.#withConnection((connection) => onOpen?.(connection));
    for (const request of this.#served.values())
      this.#withConnection((connection) => onSubscribe?.(connection, request));
    if (!isGapless) this.#noteGap();
  }

  #handleClose({ error, isFinal }: StreamEnd): void {
    // A connection that will be opened again is not an error. Others are reported.
    const { onError = isFinal === true ? reportError : undefined } = this.#options;
    if (error !== undefined) onError?.(error);
  }

  #take(message: StreamMessage): void {
    const parse = this.#options.parse ?? parseData;
    this.#reportErrors(() => {
      const read = { ...message, data: parse(message.data) };
      const key = this.#options.keyOf?.(read);
      this.#queue.put({ message: read, ticket: this.#store.begin() }, key);
    });
    if (this.#queue.isFull && !this.#stream.pause() && this.#queue.trim()) this.#noteGap();
    if (this.#queue.size > 0) this.#flushSoon();
  }

  #noteGap(): void {
    this.#hasGap = true;
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#cancelFrame !== undefined) return;
    let hasRun = false;
    const cancel = this.#schedule(() => {
      hasRun = true;
      this.#flush();
    });
    // A schedule may run at once.
    if (!hasRun) this.#cancelFrame = cancel;
  }

  #flushNow(): void {
    if (this.#queue.size === 0) return;
    this.#cancelFrame?.();
    this.#flush();
  }

  #flush(): void {
    const controller = this.#controller;
    const messages = this.#queue.takeAll();
    const hasGap = this.#hasGap;
    const session = this.#session;
    this.#cancelFrame = undefined;
    this.#hasGap = false;
    controller.batch(() => {
      for (const message of messages) {
        // Storing a message can cause a reset. The messages after it belong to the earlier session then.
        if (this.#session === session) this.#reportErrors(() => this.#storeMessage(controller, message));
      }
    });
    if (hasGap && this.#session === session) this.#reportErrors(() => this.#gap(controller));
    this.#stream.resume();
  }

  async #storeMessage(controller: MiddlewareAPI, { message, ticket }: WaitingMessage): Promise<void> {
    const { write, onMessage } = this.#options;
    const session = this.#session;
    const isOver = (): boolean => this.#session !== session;
    const { store } = controller;
    const stored: unknown[] = [];
    try {
      const writes = [write?.(message) ?? []].flat() as readonly StreamWrite[];
      ticket.uses = writes.length;
      if (writes.length === 0) store.settle(ticket);
      for (const each of writes) stored.push(storeMessage(controller, each, ticket, isOver));
      stored.push(onMessage?.(controller, message));
      await Promise.all(stored);
    } finally {
      await Promise.allSettled(stored);
      store.settle(ticket);
    }
  }

  #gap(controller: MiddlewareAPI): unknown {
    const { onGap } = this.#options;
    if (onGap !== undefined) return onGap(controller);
    const expired = controller.expireAll({ testKey: (key) => this.#served.has(key) });
    // A subscription may be without a reader that has fetched now. If it has one, this fetch shares its request.
    for (const request of this.#served.values()) this.#refetch(request);
    return expired;
  }

  #refetch({ key, endpoint, args }: Served): void {
    if (this.#store.result(key) !== undefined) this.#controller.request(endpoint, ...args).catch(() => {});
  }

  /** An error of one message does not affect the others. */
  #reportErrors(run: () => unknown): void {
    const { onError = reportError } = this.#options;
    try {
      Promise.resolve(run()).catch(onError);
    } catch (error) {
      onError(error);
    }
  }
}

function parseData(data: unknown): unknown {
  return typeof data === 'string' ? JSON.parse(data) : data;
}

function reportError(error: unknown): void {
  globalThis.reportError?.(error);
}

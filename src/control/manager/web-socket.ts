import type { Loose } from '../../define/schema/infer-schema.ts';
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

/** The members of a WebSocket that are used. */
export interface WebSocketLike {
  addEventListener(type: 'open' | 'message' | 'error' | 'close', listener: (event: Loose) => void): void;
  send(data: string | ArrayBuffer): void;
  close(): void;
}

/** The members of WebSocket events that are used. */
export interface WebSocketEvent {
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
}

/** The options of `webSocket`. */
export interface WebSocketOptions {
  readonly protocols?: string | readonly string[];
  /** The WebSocket class. Default: the global one. Node has it from version 22 on. */
  readonly WebSocket?: new (url: string, protocols: string[]) => WebSocketLike;
  /** Whether a close event means that reconnecting is pointless. Default: with code 1008, which means that the server refuses this client. */
  readonly isFinal?: (end: { readonly code: number; readonly reason: string }) => boolean;
}

const REFUSED = 1008;

/** Receives messages over a WebSocket. */
export function webSocket(url: StreamAddress, options: WebSocketOptions = {}): StreamSource {
  return (events) => new SocketConnection(events, url, options);
}

class SocketConnection implements StreamConnection {
  readonly #events: StreamEvents;
  readonly #options: WebSocketOptions;
  #socket: WebSocketLike | undefined;
  #isOver = false;

  constructor(events: StreamEvents, url: StreamAddress, options: WebSocketOptions) {
    this.#events = events;
    this.#options = options;
    this.#open(url).catch((error: unknown) => this.#end({ error, isFinal: isFinalError(error) }));
  }

  send(data: string | ArrayBuffer): void {
    this.#socket?.send(data);
  }

  close(): void {
    this.#isOver = true;
    this.#socket?.close();
  }

  async #open(url: StreamAddress): Promise<void> {
    const { protocols = [] } = this.#options;
    const Socket: WebSocketOptions['WebSocket'] = this.#options.WebSocket ?? globalThis.WebSocket;
    if (Socket === undefined) throw socketMissing();
    const address = await presentAddress(url);
    if (this.#isOver) return;
    const socket = new Socket(address, [protocols].flat());
    this.#socket = socket;
    const on = (type: 'open' | 'message' | 'error' | 'close', listener: (event: WebSocketEvent) => void): void =>
      socket.addEventListener(type, (event: WebSocketEvent) => {
        if (!this.#isOver) listener(event);
      });
    on('open', () => this.#events.opened());
    on('message', ({ data }) => this.#events.message({ type: 'message', data }));
    // The event does not contain the reason, and `close` follows. Without this listener, some classes throw.
    on('error', () => {});
    on('close', ({ code = 1006, reason = '' }) => this.#end(this.#endOf(code, reason)));
  }

  #endOf(code: number, reason: string): { readonly error: unknown; readonly isFinal: boolean } {
    const { isFinal = ({ code: given }) => given === REFUSED } = this.#options;
    return { error: socketClosed(code, reason), isFinal: isFinal({ code, reason }) };
  }

  #end(end: { readonly error: unknown; readonly isFinal: boolean }): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.closed(end);
  }
}

function socketMissing(): DataError {
  return new DataError('web-socket-missing', 'There is no WebSocket here.', {
    cure: inDevelopment(() => 'Give webSocket() the class, as the option WebSocket.'),
  });
}

function socketClosed(code: number, reason: string): DataError {
  return new DataError('stream-closed', `The server closed a WebSocket with code ${code}${reason && `: ${reason}`}.`);
}

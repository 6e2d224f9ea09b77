import { DataError } from '../../std/data-error.ts';
import { thrown } from '../../std/thrown.ts';

/** A message that a server pushed. */
export interface StreamMessage {
  /** The event name. `message` if the server sends none. */
  readonly type: string;
  /** Text, or bytes, until a manager has parsed it. */
  readonly data: unknown;
  /** The id from which the server can resume after a lost connection, if it supports that. */
  readonly id?: string | undefined;
}

/** Why a connection ended. */
export interface StreamEnd {
  readonly error?: unknown;
  /** Whether the connection must not be opened again. */
  readonly isFinal?: boolean;
}

/** The callbacks of a connection. It calls none of them after `closed`. */
export interface StreamEvents {
  opened(): void;
  message(message: StreamMessage): void;
  /** Data arrived that is not a message, such as a ping. */
  alive(): void;
  /** The server asks to wait this many milliseconds before reconnecting. */
  retryAfter(milliseconds: number): void;
  closed(end: StreamEnd): void;
}

/** One connection to a server that pushes messages. */
export interface StreamConnection {
  /** Sends a message, on connections that go both ways. */
  send?(data: string | ArrayBuffer): void;
  /** Stops reading, on connections where this makes the server wait. */
  pause?(): void;
  resume?(): void;
  /** Closes the connection. No callback is called afterwards. */
  close(): void;
}

/** Opens a connection that resumes after `lastEventId`. It must not call a callback before it has been returned. */
export type StreamSource = (events: StreamEvents, lastEventId: string | undefined) => StreamConnection;

/** A URL, or a function that returns it. The function is called for each connection, so that the URL can contain a fresh token. */
export type StreamAddress = string | (() => string | Promise<string>);

export async function presentAddress(url: StreamAddress): Promise<string> {
  return typeof url === 'function' ? url() : url;
}

/** Statuses of temporary failures. */
const TEMPORARY_STATUSES: readonly unknown[] = [408, 425, 429];

/**
 * Returns whether an error of a connection means that the next one would fail too. The function that returns the address may have failed with the
 * error of a request, which may be temporary.
 */
export function isFinalError(error: unknown): boolean {
  const { code, status } = thrown(error);
  const isTemporary = code === 'request-timeout' || Number(status) >= 500 || TEMPORARY_STATUSES.includes(status);
  return error instanceof DataError && !isTemporary;
}

/** What a server sent of its own accord. */
export interface StreamMessage {
  /** `message`, unless the server names it. */
  readonly type: string;
  /** Text, or bytes, until a manager has parsed it. */
  readonly data: unknown;
  /** Where to go on from after a break, for servers that can. */
  readonly id?: string | undefined;
}

/** Why a connection is over. */
export interface StreamEnd {
  readonly error?: unknown;
  /** Whether there is no point in another one. */
  readonly isFinal?: boolean;
}

/** What a connection tells. After `closed` it tells nothing more. */
export interface StreamEvents {
  opened(): void;
  message(message: StreamMessage): void;
  /** Something arrived that is no message. */
  alive(): void;
  /** The server asks not to be asked again for so many milliseconds after the connection is over. */
  retryAfter(milliseconds: number): void;
  closed(end: StreamEnd): void;
}

export interface StreamConnection {
  /** For connections that go both ways. */
  send?(data: string | ArrayBuffer): void;
  /** For connections that can be read more slowly, so that the server has to wait. */
  pause?(): void;
  resume?(): void;
  /** Ends it. Nothing is told after that. */
  close(): void;
}

/** Opens one connection, to go on after `lastEventId`. It tells nothing before it is returned. */
export type StreamSource = (events: StreamEvents, lastEventId: string | undefined) => StreamConnection;

/** An address, or what gives it: asked each time, so that it can carry what changes, such as a token. */
export type StreamAddress = string | (() => string | Promise<string>);

export async function addressOf(url: StreamAddress): Promise<string> {
  return typeof url === 'function' ? url() : url;
}

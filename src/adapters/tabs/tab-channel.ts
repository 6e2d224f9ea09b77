import { isSentMessage, type TabMessage } from './tab-message.ts';
import type { TabPort } from './tabs-browser.ts';

export interface TabListener {
  /** Called for each message of the session. */
  onMessage(message: TabMessage, from: string): void;
  /** Called when another tab is in a later session: the user has logged out there, now or earlier. */
  onReset(isNow: boolean): void;
  onOtherVersion(version: string): void;
  /** Called when a message could not be handled. */
  onError(error: unknown): void;
}

/** Sends messages to the other tabs of an application, and receives theirs. Ignores those of another version or an earlier session. */
export class TabChannel {
  readonly id: string = crypto.randomUUID();
  session = 0;
  /** Whether there may be other tabs. Without others, nothing has to be prepared for sending. */
  hasOthers = true;
  /** Whether another tab has sent a message. */
  #hasReceived = false;
  /** `undefined` after the end, because a channel that is closed refuses messages. */
  #port: TabPort | undefined;
  readonly #listener: TabListener;
  readonly #version: string;
  readonly #otherVersions = new Set<string>();

  constructor(port: TabPort, version: string, listener: TabListener) {
    this.#port = port;
    this.#listener = listener;
    this.#version = version;
    port.addEventListener('message', ({ data }) => {
      try {
        this.#receive(data);
      } catch (error) {
        listener.onError(error);
      }
    });
  }

  post(message: TabMessage): void {
    const { id, session } = this;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel is of one origin.
    this.#port?.postMessage({ from: id, version: this.#version, session, message });
  }

  /** Sends a message if there may be other tabs. */
  send(message: TabMessage): void {
    if (this.hasOthers) this.post(message);
  }

  /** Call it when no other tab was found. A tab that was opened meanwhile has sent a message, so `hasOthers` stays true. */
  assumeAlone(): void {
    this.hasOthers = this.#hasReceived;
  }

  close(): void {
    this.#port?.close();
    this.#port = undefined;
    this.hasOthers = false;
  }

  /** Handles a logout in another tab. `isNow`: this tab was open before it. */
  noteSession(session: number, isNow = true): void {
    if (session <= this.session) return;
    this.session = session;
    this.#listener.onReset(isNow);
  }

  #receive(data: unknown): void {
    const listener = this.#listener;
    if (!isSentMessage(data)) return;
    const { from, version, session, message } = data;
    if (version !== this.#version) {
      if (!this.#otherVersions.has(version)) listener.onOtherVersion(version);
      this.#otherVersions.add(version);
      return;
    }
    this.hasOthers = true;
    this.#hasReceived = true;
    this.noteSession(session, message.type === 'reset' && message.isNow === true);
    if (session === this.session) return listener.onMessage(message, from);
    // A tab that was just opened cannot know the session. A tab that sends any other message has missed a logout.
    if (message.type === 'hello') return listener.onMessage(message, from);
    this.post({ type: 'reset' });
    // A mutation that the server carries out after the logout may be missing in answers of this session.
    if (message.type === 'sent') {
      const { table, pk, sent, id } = message.mutation;
      listener.onMessage({ type: 'sent', mutation: { table, pk, sent, id } }, from);
    } else if (message.type === 'mutation') {
      const { lists: _, ...unknown } = message.mutation;
      listener.onMessage({ type: 'mutation', mutation: unknown }, from);
    }
  }
}

import type { ClaimLocks } from './tab-claims.ts';

/** What an `OutboxManager` uses of a `BroadcastChannel`. */
export interface OutboxPort {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  close(): void;
}

/** What the outboxes of several tabs need of their browser. */
export interface OutboxBrowser {
  readonly locks: ClaimLocks;
  openPort(name: string): OutboxPort;
}

/** The browser of this page. `undefined` on a server, and in a browser without Web Locks or `BroadcastChannel`. */
export function outboxBrowserHere(): OutboxBrowser | undefined {
  const { navigator, BroadcastChannel } = globalThis as {
    readonly navigator?: { readonly locks?: ClaimLocks };
    readonly BroadcastChannel?: new (name: string) => OutboxPort;
  };
  const locks = navigator?.locks;
  if (!locks || !BroadcastChannel) return undefined;
  return { locks, openPort: (name) => new BroadcastChannel(name) };
}

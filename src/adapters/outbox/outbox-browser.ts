import type { BrowserGlobals } from '../../std/browser.ts';
import type { ClaimLocks } from './tab-claims.ts';

/** What an `OutboxManager` uses of a `BroadcastChannel`. */
export interface OutboxPort {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  close(): void;
}

/** What the outboxes of several tabs need of their browser. */
export type OutboxBrowser = BrowserGlobals<ClaimLocks, OutboxPort>;

import type { OutboxEntry } from './outbox-entry.ts';

/** An event of an outbox. */
export type OutboxEvent =
  /** This many edits of earlier starts, or of tabs that have ended, were restored and are sent now. */
  | { readonly type: 'restored'; readonly entries: number }
  /** This many edits were damaged and could not be read. */
  | { readonly type: 'dropped'; readonly entries: number }
  /** The storage had edits, and is empty now: the browser has deleted it. */
  | { readonly type: 'lost' }
  /** The storage is full. Edits are sent, but not saved until a write succeeds. */
  | { readonly type: 'full'; readonly error: unknown }
  /** The storage cannot be used. Edits are sent, but not saved. */
  | { readonly type: 'memory'; readonly error: unknown }
  /** The server requires a login. Call `resume()` after it. */
  | { readonly type: 'paused'; readonly error: unknown }
  /** An edit has stopped, and waits for `retry`, `edit` or `discard`. */
  | { readonly type: 'stopped'; readonly entry: OutboxEntry }
  /** The user has logged out, but the edits could not be deleted. */
  | { readonly type: 'uncleared'; readonly error: unknown };

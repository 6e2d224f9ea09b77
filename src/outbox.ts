export type { OutboxBrowser, OutboxPort } from './adapters/outbox/outbox-browser.ts';
export type { OutboxEntry, OutboxState } from './adapters/outbox/outbox-entry.ts';
export type { OutboxEvent } from './adapters/outbox/outbox-event.ts';
export { type LogoutDecision, OutboxManager, type OutboxOptions } from './adapters/outbox/outbox-manager.ts';
export type { ClaimLocks } from './adapters/outbox/tab-claims.ts';

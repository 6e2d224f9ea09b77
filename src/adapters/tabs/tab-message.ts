import type { DehydratedCommit } from '../../state/hydrate/dehydrated.ts';
import type { IssueParts } from '../../state/store/issue-parts.ts';

/** A message from one tab to the others. Fixed format: tabs with other versions of the library send and receive it. */
export type TabMessage =
  /** A tab was opened. One of the others sends it their data. */
  | { readonly type: 'hello' }
  | CommitMessage
  /** All data was sent to the tab that was opened. */
  | { readonly type: 'welcome'; readonly to: string }
  /** A request was sent, so that requests of other tabs come after it in the order. */
  | { readonly type: 'request'; readonly latest: IssueParts }
  /** A tab waits for the answer of a read, and asks whether another tab still sends it. */
  | { readonly type: 'asked'; readonly key: string }
  /** The sender still sends a read. */
  | { readonly type: 'sending'; readonly key: string }
  /** The sender is visible, and shows a subscribed request that a hidden tab may keep up to date. */
  | { readonly type: 'subscribed'; readonly key: string }
  /** A mutation was sent. */
  | { readonly type: 'sent'; readonly mutation: SentMutation }
  /** The answer of a mutation is stored. */
  | { readonly type: 'mutation'; readonly mutation: OverMutation }
  /** A mutation that was sent has ended: it was answered, has failed or was given up. */
  | { readonly type: 'over'; readonly id: number }
  /** The user has logged out: now, or earlier, and the receiver has missed it. */
  | { readonly type: 'reset'; readonly isNow?: true };

/** A change of the store. */
export interface CommitMessage {
  readonly type: 'commit';
  readonly commit: DehydratedCommit;
  /** The tab that was opened, if the message has a part of the data for it. */
  readonly to?: string;
  /** The mutations of the sender whose answers are in the commit. */
  readonly answered?: readonly number[];
  /** Whether the server sent the data with the page of the sender, which was just opened. */
  readonly isOfPage?: boolean;
}

/** Identifies a mutation for all tabs. */
export interface MutationName {
  readonly table: string;
  /** The record that it changes. Without it, the mutation creates one. */
  readonly pk: string | undefined;
  readonly sent: IssueParts;
}

/** A mutation that was answered, or has failed. */
export interface OverMutation extends MutationName {
  /** The lists that its tab has kept up to date. Without them, no tab has stored the answer, because the user had logged out. */
  readonly lists?: readonly string[];
}

/** A mutation that was sent and is not answered yet. */
export interface SentMutation extends MutationName {
  /** Identifies the mutation among those of its tab. */
  readonly id: number;
  /** The call. Tabs with an endpoint of this name show the same guess. */
  readonly call?: { readonly name: string; readonly args: readonly unknown[]; readonly fetchedAt: number };
  /** The temporary pks of the records that the guess creates. */
  readonly created?: readonly string[];
  /** The place of an edit that an outbox has kept. Guesses of later edits are shown above those of earlier ones. */
  readonly place?: number;
}

/** A message as it is sent. */
export interface SentMessage {
  readonly from: string;
  /** The version of the entity classes. */
  readonly version: string;
  /** How many logouts the tabs have seen. Data of an earlier session is ignored. */
  readonly session: number;
  readonly message: TabMessage;
}

/** Returns whether data of a channel is a message of this version of the library. */
export function isSentMessage(data: unknown): data is SentMessage {
  const { from, version, session, message } = Object(data) as Partial<Record<keyof SentMessage, unknown>>;
  const isAddressed = typeof from === 'string' && typeof version === 'string' && Number.isInteger(session);
  return isAddressed && typeof message === 'object' && message !== null;
}

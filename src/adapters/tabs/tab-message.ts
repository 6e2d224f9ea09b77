import type { DehydratedCommit } from '../../state/hydrate/dehydrated.ts';
import type { IssuePlace } from '../../state/store/place.ts';

/** A message from one tab to the others. */
export type TabMessage =
  /** A tab was opened. One of the others sends it their data. */
  | { readonly type: 'hello' }
  | CommitMessage
  /** All data was sent to the tab that was opened. */
  | { readonly type: 'welcome'; readonly to: string }
  /** A request was sent, so that requests of other tabs come after it in the order. */
  | { readonly type: 'request'; readonly latest: IssuePlace }
  /** A mutation was sent. */
  | { readonly type: 'sent'; readonly mutation: SentMutation }
  /** The answer of a mutation is stored. */
  | { readonly type: 'mutation'; readonly mutation: OverMutation }
  /** A mutation that was sent is over: answered, failed or given up. */
  | { readonly type: 'over'; readonly id: number }
  /** The user has logged out: now, or earlier, and the receiver has missed it. */
  | { readonly type: 'reset'; readonly isNow?: true };

/** A change of the store. */
export interface CommitMessage {
  readonly type: 'commit';
  readonly commit: DehydratedCommit;
  /** For a part of the data: the tab that was opened. */
  readonly to?: string;
  /** The mutations of the sender whose answers it has. */
  readonly answered?: readonly number[];
  /** Whether the server has sent it with the page of the sender, which was just opened. */
  readonly isOfPage?: boolean;
}

/** What tabs know of any mutation. */
export interface MutationName {
  readonly table: string;
  /** The record that it changes. Without it, the mutation creates one. */
  readonly pk: string | undefined;
  readonly sent: IssuePlace;
}

/** A mutation that was answered, or has failed. */
export interface OverMutation extends MutationName {
  /** The lists that its tab has kept up to date. Without them, no tab has seen the answer: a logout came in between. */
  readonly lists?: readonly string[];
}

/** A mutation that was sent and is not answered yet. */
export interface SentMutation extends MutationName {
  /** Identifies it among those of its tab. */
  readonly id: number;
  /** The call, for tabs that know an endpoint of this name. They show the same guess. */
  readonly call?: { readonly name: string; readonly args: readonly unknown[]; readonly fetchedAt: number };
  /** The temporary pks of the records that the guess creates. */
  readonly created?: readonly string[];
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

/** Whether data of a channel is a message of this version of the library. */
export function isSentMessage(data: unknown): data is SentMessage {
  const { from, version, session, message } = Object(data) as Partial<Record<keyof SentMessage, unknown>>;
  return (
    typeof from === 'string' && typeof version === 'string' && Number.isInteger(session) && typeof message === 'object'
  );
}

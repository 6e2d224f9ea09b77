import type { Stamp } from '../../define/schema/schema.ts';
import type { Stored } from '../denormalize/query-cell.ts';

/** What a request answered, in refs. */
export interface Result extends Stored {
  readonly stamp: Stamp;
}

/** Why a request failed, and until when that keeps it from being sent again. */
export interface Failure {
  readonly error: unknown;
  readonly policy: 'hard' | 'soft' | undefined;
  readonly since: number;
  readonly expiresAt: number;
}

/** What is known of a request key beside its results. */
export interface Note {
  readonly failure?: Failure | undefined;
  /** Whether the results were thrown away, so that only another request can answer. */
  readonly isInvalidated?: boolean;
  /** The issue of the request that was answered last, where its result was thrown away. */
  readonly issue?: number | undefined;
  /** Whether the results count as stale before their time. */
  readonly isExpired?: boolean;
  /** Whether the results go as soon as nothing shows them. */
  readonly isPassing?: boolean;
  /** Until when the result is fresh, where the server has said so again without sending it. */
  readonly expiresAt?: number;
  /** The version that the result came with, as HTTP caching keeps it. */
  readonly version?: object | undefined;
  /** The version that a mutation has made of it since. */
  readonly written?: object | undefined;
  /** When this was noted. */
  readonly since: number;
  /** How many edits of the application there were before. */
  readonly edits: number;
}

/** All that is known of a request key at one moment. */
export interface RequestState {
  /** The latest first. There are several only where schemas of different forms were used for one key. */
  readonly results: readonly Result[];
  readonly note: Note | undefined;
}

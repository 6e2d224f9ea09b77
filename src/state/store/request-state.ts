import type { Stamp } from '../../define/schema/stamp.ts';
import type { Stored } from '../denormalize/query-cell.ts';

/** The answer of a request, in refs. */
export interface Result extends Stored {
  readonly stamp: Stamp;
  /** Whether it is the answer of a further page, which belongs to the list that was there then. */
  readonly isOfPage?: boolean;
}

/** Why a request failed, and until when it is not sent again. */
export interface Failure {
  readonly error: unknown;
  readonly policy: 'hard' | 'soft' | undefined;
  readonly since: number;
  readonly expiresAt: number;
  /**
   * If the server does not have the record: data of it that is newer than the request with this issue is shown. `0`: any data, because the store
   * had none.
   */
  readonly absentSince?: number;
}

/** Facts about a request key besides its results. */
export interface Note {
  readonly failure?: Failure | undefined;
  /** Whether the results were invalidated, so that only a new request can answer. */
  readonly isInvalidated?: boolean;
  /** The issue of the last answered request, if no result has it: the result was invalidated, or the server confirmed an earlier one. */
  readonly issue?: number | undefined;
  /** Whether the results were marked stale before they expired. */
  readonly isExpired?: boolean;
  /** Whether the server forbids to store the results (`Cache-Control: no-store`): they are dropped as soon as nothing shows them. */
  readonly isNoStore?: boolean;
  /** Until when the result is fresh, if the server confirmed it later without sending it. */
  readonly expiresAt?: number;
  /** The version that came with the result, for HTTP caching. */
  readonly version?: object | undefined;
  /** The value of the result when the version came. */
  readonly value?: unknown;
  /** The version that a mutation has made since. */
  readonly written?: object | undefined;
  /** The time of this note. */
  readonly since: number;
  /** How many edits the application had made before. */
  readonly edits: number;
}

/** The results and the note of a request key at one time. */
export interface RequestState {
  /** The latest first. There are several only if schemas of different forms were used with one key. */
  readonly results: readonly Result[];
  readonly note: Note | undefined;
}

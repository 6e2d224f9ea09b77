import type { AnsweredRequest } from '../../define/schema/answered-request.ts';
import type { MutationAnswer, WriteInProgress } from '../normalize/write-in-progress.ts';
import type { NestedEdits } from './nested-edits.ts';
import type { Ticket } from './tickets.ts';

/** The options of a write. */
export interface WriteOptions {
  /** The arguments of the endpoint or queryable. */
  readonly args?: readonly unknown[];
  /** The answered request. Without it, the write counts as requested now. */
  readonly request?: Ticket;
  /**
   * Decides what the answer of a mutation overwrites, if other mutations overlap it.
   *
   * @internal
   */
  readonly answer?: MutationAnswer | undefined;
  /**
   * The request that is answered, if there is one.
   *
   * @internal
   */
  readonly answeredRequest?: AnsweredRequest | undefined;
  /** Whether the input is the sent body and not an answer. Its records may be partial, and keep the temporary pks of their guess. */
  readonly isPart?: boolean;
  /**
   * The values of fields in the input that were sent, and not answered.
   *
   * @internal
   */
  readonly sent?: ReadonlySet<unknown> | undefined;
  /**
   * Which fields of nested records the sent values edit.
   *
   * @internal
   */
  readonly nestedEdits?: NestedEdits | undefined;
  /** Whether the records of the input are complete: fields that they lack are removed. */
  readonly isWhole?: boolean;
  /** The indexes of the items of a batch that the server refused. Their guessed records were not created. */
  readonly refused?: readonly number[] | undefined;
  /** Until when the written data is fresh. Default: for ever. */
  readonly expiresAt?: number;
  /** Stores the result under this request key, in the same commit. */
  readonly resultKey?: string;
}

/** The options of a change of rows. */
export type ChangeOptions = Pick<WriteOptions, 'expiresAt' | 'isPart' | 'isWhole' | 'request'> &
  Partial<Pick<WriteInProgress, 'answer' | 'answeredRequest'>>;

import type { AnsweredRequest } from '../../define/schema/answered-request.ts';
import type { Row, RowState } from '../../define/schema/row.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import type { WritableFields } from '../../std/plain.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';
import type { WriteLog } from './write-log.ts';

/** A stored row, with the place in the order of each field. */
export interface KnownRow {
  readonly row: Row;
  readonly issueOf: (field: string) => number;
}

/** The answer of a mutation that overlaps others. Decides which fields it overwrites. */
export interface MutationAnswer {
  /** When the mutation was issued; if no other mutation overlaps it, when it was answered. */
  readonly issue: number;
  /** When it was sent. */
  readonly sent: number;
  /** The former values of fields that `fieldsOf` has overwritten, and that the server may have, as other answers say. */
  readonly replaced?: object;
  /** Returns the fields of `incoming` to write, or `undefined` if the record stays as it is. */
  fieldsOf(table: string, pk: string, existing: KnownRow | undefined, incoming: object): object | undefined;
  /** Returns whether a deletion with this issue, which answered no request, is newer than the answer. */
  isBeforeDeletion(table: string, pk: string, deletion: number): boolean;
  /** Returns whether a row that is merged as a whole has newer data: of a later mutation, or of its last change if it is a list. */
  isOlder(table: string, pk: string, changed?: Stamp): boolean;
  /** Notes which fields of a row that is merged as a whole the mutation has edited, so that guesses of earlier mutations stop showing them. */
  noteEdits(table: string, pk: string, row: object): void;
  /** Returns whether a later mutation has created the record that this answer deletes. */
  isDeletionOlder(table: string, pk: string): boolean;
}

/** A write, and the facts about it that decide what it changes. */
export interface WriteInProgress {
  readonly stamp: Stamp;
  readonly log: WriteLog;
  readonly answer?: MutationAnswer | undefined;
  /** The request that is answered, if the write comes from one. */
  readonly answeredRequest?: AnsweredRequest | undefined;
  /** The highest issue that the store knows. */
  readonly latest: number;
  /** Whether a request that began later was, or may have been, answered already. */
  readonly isOvertaken: boolean;
  /** Whether a request that began earlier is still in flight. */
  readonly isOvertaking: boolean;
  readonly isGuess: boolean;
  /** For a guess: when its mutation was issued. */
  readonly issue?: number | undefined;
  /** For a guess: its record, if that was deleted meanwhile. It stays deleted, but the records that are nested in it are written. */
  readonly gone?: { readonly table: string; readonly pk: string } | undefined;
  /** Whether the write may have parts of records: a guess, or the sent body in place of an answer. Only answers are validated. */
  readonly isPart: boolean;
  /** Whether the records of the answer are complete, so that fields which they lack are removed. */
  readonly isWhole: boolean;
}

/** Returns whether an answer has nothing to do with mutations, and may leave fields out. */
export function isPlainAnswer({ answer, answeredRequest, isWhole }: WriteInProgress): boolean {
  return answer === undefined && !isWhole && (answeredRequest === undefined || answeredRequest.isPlainRead === true);
}

/** Callbacks for records that are being created. */
export interface Creating {
  /** Returns a pk for a record of a table that has none. */
  readonly temporaryPk: (table: string) => string;
  /** Called for every record that is stored by a create, and for those without a pk inside of a guessed record. */
  readonly created: (cell: RowCell, isNested: boolean) => void;
  /** For what a mutation has sent: called with the row of each nested record, and its row before. May change the first. Returns whether to store it. */
  readonly nested?: (plan: EntityPlan, cell: RowCell, row: WritableFields, before: RowState) => boolean;
  /** The values of the input that were sent. Without it, the whole input was. */
  readonly sent?: ReadonlySet<unknown> | undefined;
}

/** Returns the write of a mutation's answer with the place in the order at which the mutation was issued. */
export function asIssued(write: WriteInProgress): WriteInProgress {
  const { issue, sent } = write.answer as MutationAnswer;
  return { ...write, stamp: { ...write.stamp, issue: Math.min(issue, sent) } };
}

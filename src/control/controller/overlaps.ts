import { memo } from '../../std/memo.ts';
import { equalPlain } from '../../std/plain.ts';
import { tableAndPkOf } from './mutated-record.ts';

/** A row in the store, and the issue of the request that each of its fields came from. */
export interface KnownRecord {
  readonly row: object;
  readonly issueOf: (field: string) => number;
}

/** One field in the answers of mutations while other mutations were pending. */
export interface FieldHistory {
  /** The issue of the latest mutation that edits the field, and the value that it sent. */
  editIssue: number;
  edit: unknown;
  /** When the last mutation that edits the field was answered. */
  editedAt: number;
  /** The issue of the latest mutation whose answer mentions the field without editing it, and when the last of these was answered. */
  mentionIssue: number;
  mentionedAt: number;
}

const NONE: readonly (readonly [table: string, pk: string])[] = [];

/** The edits of one record by mutations while other mutations were pending. */
export class RecordHistory {
  readonly fields: Map<string, FieldHistory> = new Map();
  /** When the last mutation of this record was answered. */
  answeredAt = 0;
  /** The issue of the latest deletion, and when the last deletion was answered. */
  deletionIssue = 0;
  deletedAt = 0;
  /** The issue of the latest mutation that created the record. */
  createdIssue = 0;
  /** When the last mutation was answered that may have made the record, or made it again after its deletion. */
  madeAt = 0;
  /** The issue of the latest mutation whose answer contains the record. */
  latest = 0;

  field(name: string): FieldHistory {
    return memo(this.fields, name, () => ({
      editIssue: 0,
      edit: undefined,
      editedAt: 0,
      mentionIssue: 0,
      mentionedAt: 0,
    }));
  }
}

/**
 * The order of mutations that overlap. Two mutations overlap if one was sent before the other was answered. A mutation is sent when it is issued,
 * unless it has to wait. Servers apply overlapping mutations in an order of their own. These are the rules:
 *
 * 1. A read is ordered by its issue. The answer of a mutation is newer than every read that was issued before it was answered.
 * 2. A mutation *edits* the fields of its guess that differ from what readers would see without the guess. For a nested record, what they saw when the
 *    guess was first made counts. Without a guess, a mutation edits the fields of its body. Its answer *mentions* all other fields that it has:
 *    their values may be from before an overlapping mutation.
 * 3. An edited field is written unless a mutation that was issued later, and has been answered, edits it too.
 * 4. A mentioned field is written unless an overlapping mutation that has been answered edits it, or one issued later mentions it.
 * 5. A deletion edits the whole record. An edit that was issued later does not bring the record back: the server still had the record when it
 *    carried out the edit, so the deletion came last. A create that was issued later does bring it back, and so does another POST that was issued later
 *    and is answered after the deletion, because it can restore records. Only the server knows for certain, so the lists of such records are in doubt.
 *    A deletion by a message of a stream is newer than all mutations that were pending when it came. A list that is replaced as a whole
 *    is ordered by issue, and stays if another answer or a message has changed it since the mutation was sent.
 * 6. Results and errors of one request key are ordered by issue.
 * 7. A guess stops showing a field when a later mutation that edits the field too is answered.
 * 8. A record is in doubt if overlapping answers disagree about it. So is every record that was read while a mutation was pending, if that mutation
 *    failed, or settled before the read was answered.
 * 9. When no mutation is pending any more, requests that show records in doubt become stale, and those on the screen are sent again, once.
 * 10. A record is also in doubt if an answer disagrees with data that came while the mutation was pending: a message of a stream, or, where the
 *    answer only mentions the field, the answer of any request issued after the mutation.
 * 11. A server may have carried out a mutation that failed and was not refused: its record, and for a create its collections,
 *    are in doubt.
 */
export class Overlaps {
  readonly #records = new Map<string, RecordHistory>();
  readonly #doubted = new Set<string>();
  /** The issues of the stream messages that came while mutations were pending. They answer no request. */
  readonly messages: Set<number> = new Set();
  /** When mutations settled while others were pending, as numbers in the order of issue. */
  readonly settled: Set<number> = new Set();
  /** The tables of records that one of two overlapping mutations has deleted, and the other has edited. */
  readonly #uncertain = new Set<string>();
  /** Called when a mutation becomes the latest one to edit or delete a record, with the record and the issue of the mutation. */
  readonly edited: (record: string, issue: number) => void;
  /** When the first mutation was sent that failed without naming its records. Infinite if there is none. */
  #firstFailed = Number.POSITIVE_INFINITY;

  constructor(edited: (record: string, issue: number) => void) {
    this.edited = edited;
  }

  /** Whether any mutation has settled while others were pending. */
  get isAny(): boolean {
    return this.settled.size > 0;
  }

  find(record: string): RecordHistory | undefined {
    return this.#records.get(record);
  }

  historyOf(record: string): RecordHistory {
    return memo(this.#records, record, () => new RecordHistory());
  }

  /** Call it when an edit has changed the pk of a record: what is known of it then holds for its present pk. */
  changePk(from: string, to: string): void {
    const history = this.#records.get(from);
    if (history !== undefined) this.#records.set(to, history);
    this.#records.delete(from);
    if (this.#doubted.delete(from)) this.#doubted.add(to);
  }

  doubt(record: string): void {
    this.#doubted.add(record);
  }

  /** Puts a record in doubt, and the lists that may contain it. Which lists these are is only known after the write. */
  doubtPresence(record: string): void {
    this.doubt(record);
    this.#uncertain.add(tableAndPkOf(record)[0]);
  }

  /** Returns the tables of records in doubt whose lists are too, and forgets them. */
  takeUncertain(): readonly string[] {
    if (this.#uncertain.size === 0) return [];
    const tables = [...this.#uncertain];
    this.#uncertain.clear();
    return tables;
  }

  /** Puts a record in doubt if its row has another value than the answer of a mutation, by data that came while the mutation was pending. */
  compare(
    record: string,
    { row, issueOf }: KnownRecord,
    [name, value]: readonly [string, unknown],
    mutation: MutationOfField,
  ): void {
    const issue = issueOf(name);
    const isLater = issue > mutation.sent && issue < mutation.at && (!mutation.isEdit || this.messages.has(issue));
    // The later data may lack the field.
    if (isLater && Object.hasOwn(row, name) && !equalPlain(Reflect.get(row, name), value)) this.doubt(record);
  }

  /** Notes that a mutation of a record was answered at the time `at`. Returns whether another one was answered since this one was sent. */
  answer(record: string, sent: number, at: number): boolean {
    const history = this.historyOf(record);
    const isSecond = otherTime(history.answeredAt, at) > sent;
    history.answeredAt = at;
    return isSecond;
  }

  /** Returns the value that a field got from a mutation that was issued later and has been answered. */
  laterEdit(record: string, field: string, issue: number): { readonly edit: unknown } | undefined {
    const history = this.#records.get(record)?.fields.get(field);
    return history !== undefined && history.editIssue > issue ? history : undefined;
  }

  /** Notes that a mutation failed without naming its records. Every record that others have edited since it was sent may be in doubt. */
  fail(sent: number): void {
    this.#firstFailed = Math.min(this.#firstFailed, sent);
  }

  /** Call it when no mutation is pending any more. Returns the records in doubt, and forgets everything. */
  take(): readonly (readonly [table: string, pk: string])[] {
    if (this.#firstFailed < Number.POSITIVE_INFINITY)
      for (const [record, { answeredAt }] of this.#records) if (answeredAt > this.#firstFailed) this.doubt(record);
    this.#firstFailed = Number.POSITIVE_INFINITY;
    if (this.#records.size > 0) this.#records.clear();
    this.messages.clear();
    this.settled.clear();
    if (this.#doubted.size === 0) return NONE;
    const doubted = Array.from(this.#doubted, tableAndPkOf);
    this.#doubted.clear();
    return doubted;
  }

  clear(): void {
    this.take();
    this.#uncertain.clear();
  }
}

/** When a mutation was sent and answered, and whether it edits the field. */
interface MutationOfField {
  readonly sent: number;
  readonly at: number;
  readonly isEdit: boolean;
}

/** Returns the time of another answer, or 0 if it is the time of this one: an answer can contain a record more than once. */
export function otherTime(at: number, own: number): number {
  return at === own ? 0 : at;
}

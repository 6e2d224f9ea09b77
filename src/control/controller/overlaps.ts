import { memo } from '../../std/memo.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import { equalPlain } from '../../std/plain.ts';
import type { Edits } from './edits.ts';
import { recordName, recordOf } from './mutated-record.ts';

/** A row in the store, and the issue of the request that each of its fields came from. */
interface KnownRecord {
  readonly row: object;
  readonly issueOf: (field: string) => number;
}

/** One field in the answers of mutations while other mutations were pending. */
interface FieldHistory {
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
class RecordHistory {
  readonly fields: Map<string, FieldHistory> = new Map();
  /** When the last mutation of this record settled, and when the last one was answered. */
  settledAt = 0;
  answeredAt = 0;
  /** The issue of the latest deletion, and when the last deletion was answered. */
  deletionIssue = 0;
  deletedAt = 0;
  /** The issue of the latest mutation that created the record. */
  createdIssue = 0;
  /** When the last mutation was answered that may have made the record, also after its deletion. */
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
 * The order of mutations that overlap. `issue` numbers say in which order the application made its requests; two mutations overlap
 * if one was sent before the other was answered. A mutation is sent when it is issued, unless it has to wait. Servers apply overlapping mutations in an order of their own.
 *
 * 1. A read is ordered by its issue. A mutation's answer is newer than every read that was issued before it was answered.
 * 2. A mutation *edits* the fields of its guess that differ from what shows below it (of a nested record: when the guess was first made), or without a guess those of its
 *    body. Its answer *mentions* all other fields that it has: those may be from before an overlapping mutation.
 * 3. An edited field is written unless a mutation that was issued later, and has been answered, edits it too.
 * 4. A mentioned field is written unless an overlapping mutation that has been answered edits it, or one issued later mentions it.
 * 5. A deletion edits the whole record. An edit that was issued later does not bring the record back, because the server had the record when it
 *    carried out the edit, so that the deletion came after it. A create that was issued later does, and so does another POST that is answered after the
 *    deletion, because it can restore records. Only the server knows for certain, so the lists of such records are in doubt.
 *    A deletion by a message of a stream is newer than all mutations that were pending when it came. A list that is replaced as a whole
 *    is ordered by issue, and stays if another answer or a message has changed it since the mutation was sent.
 * 6. Results and errors of one request key are ordered by issue.
 * 7. A guess does not show fields that a mutation edits too which was issued later and has been answered.
 * 8. A record is in doubt once two mutations of it overlapped and one was answered, or once answers that overlapped
 *    disagree about it. So is every record that was read while a mutation was pending, if that mutation failed, or settled before the read was answered.
 * 9. A record is also in doubt if an answer disagrees with data that came while the mutation was pending: a message of a stream, or, where the
 *    answer only mentions the field, the answer of any request issued after the mutation.
 * 10. When no mutation is pending any more, requests that show records in doubt become stale, and those on the screen are sent again, once.
 * 11. A server may have carried out a mutation that failed and was not refused: its record, and for a create its collections,
 *    are in doubt.
 */
export class Overlaps {
  readonly #records = new Map<string, RecordHistory>();
  readonly #doubted = new Set<string>();
  /** The issues of the stream messages that came while mutations were pending. They answer no request. */
  readonly messages: Set<number> = new Set();
  /** The times at which mutations were answered while others were pending. */
  readonly answers: Set<number> = new Set();
  /** The tables of records that were deleted by one of two mutations that overlap, and edited by the other. */
  readonly #uncertain = new Set<string>();
  /** Called when a mutation becomes the latest one to edit or delete a record, with the record and the issue of the mutation. */
  readonly edited: (record: string, issue: number) => void;
  /** The earliest time at which a mutation was sent that failed without naming its records. Infinite if there is none. */
  #failed = Number.POSITIVE_INFINITY;

  constructor(edited: (record: string, issue: number) => void) {
    this.edited = edited;
  }

  /** Whether any mutation has settled while others were pending. */
  get isAny(): boolean {
    return this.#records.size > 0 || this.#failed < Number.POSITIVE_INFINITY;
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
    this.#uncertain.add(recordOf(record)[0]);
  }

  /** Returns the tables of records in doubt whose lists are too, and forgets them. */
  takeUncertain(): readonly string[] {
    if (this.#uncertain.size === 0) return [];
    const tables = [...this.#uncertain];
    this.#uncertain.clear();
    return tables;
  }

  /** Compares a field in the answer of a mutation with the row. They can differ if other data came while the mutation was pending. */
  compare(
    record: string,
    { row, issueOf }: KnownRecord,
    [name, value]: readonly [string, unknown],
    mutation: Edited,
  ): void {
    const issue = issueOf(name);
    const isLater = issue > mutation.sent && issue < mutation.at && (!mutation.isEdit || this.messages.has(issue));
    // The later data may not contain the field.
    if (isLater && Object.hasOwn(row, name) && !equalPlain(Reflect.get(row, name), value)) this.doubt(record);
  }

  /** Notes that a mutation of a record settled at the time `at`. Returns whether the record is in doubt because of it. */
  settle(
    record: string,
    sent: number,
    { at, isAnswered }: { readonly at: number; readonly isAnswered: boolean },
  ): boolean {
    const history = this.historyOf(record);
    const isDoubtful = other(isAnswered ? history.settledAt : history.answeredAt, at) > sent;
    if (isDoubtful) this.doubt(record);
    history.settledAt = at;
    if (isAnswered) history.answeredAt = at;
    return isDoubtful;
  }

  /** The value that a field got from a mutation that was issued later and has been answered. */
  laterEdit(record: string, field: string, issue: number): { readonly edit: unknown } | undefined {
    const history = this.#records.get(record)?.fields.get(field);
    return history !== undefined && history.editIssue > issue ? history : undefined;
  }

  /** Notes that a mutation, sent at the time `sent`, failed without naming its records. It may concern every record that others edited meanwhile. */
  fail(sent: number): void {
    this.#failed = Math.min(this.#failed, sent);
  }

  /** Call it when no mutation is pending any more. Returns the records in doubt, and forgets everything. */
  take(): readonly (readonly [table: string, pk: string])[] {
    if (this.#failed < Number.POSITIVE_INFINITY)
      for (const [record, { answeredAt }] of this.#records) if (answeredAt > this.#failed) this.doubt(record);
    this.#failed = Number.POSITIVE_INFINITY;
    if (this.#records.size > 0) this.#records.clear();
    this.messages.clear();
    this.answers.clear();
    if (this.#doubted.size === 0) return NONE;
    const doubted = Array.from(this.#doubted, recordOf);
    this.#doubted.clear();
    return doubted;
  }

  clear(): void {
    this.take();
    this.#uncertain.clear();
  }
}

/** A mutation that is answered, and whether it edits the field. */
interface Edited {
  readonly sent: number;
  readonly at: number;
  readonly isEdit: boolean;
}

/** The place of a mutation among others, when it was sent, and when it was answered. */
export interface Order {
  readonly issue: number;
  readonly sent: number;
  readonly at: number;
  /** Whether it creates a record, or perhaps restores one, or as a PUT creates one on some servers. */
  readonly restores: 'created' | 'perhaps' | 'rarely' | undefined;
}

/** The answer of a mutation that other requests overlap. Decides what the answer overwrites. */
export class OverlappingAnswer {
  /** When the mutation was issued. If no other mutation overlaps it: when it was answered, because it is newer than all data that came before. */
  readonly issue: number;
  /** When it was sent. */
  readonly sent: number;
  /** When it was answered. */
  readonly #at: number;
  readonly #restores: Order['restores'];
  readonly #edits: Edits;
  readonly #overlaps: Overlaps;
  /** The former values of fields about which answers disagree and that the last result of `fieldsOf` overwrites. */
  replaced: Readonly<Record<string, unknown>> = {};

  constructor(overlaps: Overlaps, edits: Edits, { issue, sent, at, restores }: Order) {
    this.#overlaps = overlaps;
    this.#edits = edits;
    this.issue = issue;
    this.sent = sent;
    this.#at = at;
    this.#restores = restores;
  }

  /** Returns the fields of `incoming` to write; `undefined` if the record stays as it is. */
  fieldsOf(table: string, pk: string, existing: KnownRecord | undefined, incoming: object): object | undefined {
    this.replaced = {};
    const record = recordName(table, pk);
    const history = this.#overlaps.historyOf(record);
    const edits = this.#edits.of(record);
    const isEditing = Object.entries(incoming).some(([name, value]) => edits?.isEdit(name, value) === true);
    if (this.#isDeleted(record, history, isEditing)) return undefined;
    history.latest = Math.max(history.latest, this.issue);
    const written = Object.entries(incoming).filter(([name, value]) => {
      const field = history.field(name);
      const isEdit = edits?.isEdit(name, value) === true;
      if (isEdit) this.#overlaps.settle(record, this.sent, { at: this.#at, isAnswered: true });
      const isEdited = other(field.editedAt, this.#at) > this.sent;
      const isMentioned = other(field.mentionedAt, this.#at) > this.sent;
      const former: unknown = existing && Reflect.get(existing.row, name);
      const isDisputed = (isEdited || isMentioned) && !equalPlain(former, value);
      if (existing !== undefined) {
        if (isDisputed) this.#overlaps.doubt(record);
        this.#overlaps.compare(record, existing, [name, value], { sent: this.sent, at: this.#at, isEdit });
      }
      const isLatest = isEdit ? field.editIssue <= this.issue : !isEdited && field.mentionIssue <= this.issue;
      // This mutation was sent after the others were answered, so the server applied it last. A record that is made again has no other fields.
      const isWritten = existing === undefined || isLatest || !(isEdited || isMentioned);
      if (isDisputed && isWritten) this.replaced = { ...this.replaced, [name]: former };
      if (!isEdit) this.#noteMention(field);
      else if (isWritten) this.#noteEdit(record, field, edits?.valueOf(name, value));
      return isWritten;
    });
    return written.length === Object.keys(incoming).length ? incoming : Object.fromEntries(written);
  }

  /** Whether an overlapping mutation has deleted the record, and this one has not made it again. */
  #isDeleted(record: string, history: RecordHistory, isEditing: boolean): boolean {
    const isMaking = isEditing && this.#restores !== undefined;
    if (isMaking) history.madeAt = this.#at;
    const isRestored = isMaking && this.issue > history.deletionIssue && this.#restores !== 'rarely';
    if (isRestored && this.#restores === 'created') history.createdIssue = Math.max(history.createdIssue, this.issue);
    const isOverlapping = history.deletedAt > this.sent;
    if (isOverlapping) this.#overlaps.doubtPresence(record);
    return isOverlapping && !isRestored;
  }

  #noteMention(field: FieldHistory): void {
    field.mentionIssue = Math.max(field.mentionIssue, this.issue);
    field.mentionedAt = this.#at;
  }

  /** Only for fields that are written. Otherwise a later answer would be compared with a value that the store never had. */
  #noteEdit(record: string, field: FieldHistory, value: unknown): void {
    field.editedAt = this.#at;
    field.editIssue = Math.max(field.editIssue, this.issue);
    field.edit = value;
    this.#overlaps.edited(record, this.issue);
  }

  /** Whether a message of a stream deleted the record while the mutation was pending. The record is then in doubt. */
  isBeforeDeletion(table: string, pk: string, deletion: number): boolean {
    const isBefore = deletion > this.sent && this.#overlaps.messages.has(deletion);
    if (isBefore) this.#overlaps.doubt(recordName(table, pk));
    return isBefore;
  }

  /**
   * For rows that are replaced as a whole: whether a mutation that was issued later has written the row already. `changed` is the stamp of
   * the last change of a list: another mutation or a message that came while this mutation was pending can have added a member.
   */
  isOlder(table: string, pk: string, changed?: Stamp): boolean {
    const record = recordName(table, pk);
    const { messages, answers } = this.#overlaps;
    const history = this.#overlaps.historyOf(record);
    const at = other(changed?.issue ?? 0, this.#at);
    const isChanged = at > this.sent && (answers.has(at) || messages.has(at));
    const isDeleted = this.#isDeleted(record, history, this.#edits.of(record) !== undefined);
    const isOlder = isDeleted || isChanged || history.latest > this.issue;
    if (isOlder) this.#overlaps.doubt(record);
    else history.latest = this.issue;
    return isOlder;
  }

  /** Notes the edited fields of a row that its class merges itself, unless `isOlder`. */
  noteEdits(table: string, pk: string, row: object): void {
    const record = recordName(table, pk);
    const edits = this.#edits.of(record);
    for (const [name, value] of Object.entries(row))
      if (edits?.isEdit(name, value) === true)
        this.#noteEdit(record, this.#overlaps.historyOf(record).field(name), edits.valueOf(name, value));
  }

  /** Notes that the answer deletes a record. Returns whether a mutation that was issued later has created the record. */
  isDeletionOlder(table: string, pk: string): boolean {
    const record = recordName(table, pk);
    const history = this.#overlaps.historyOf(record);
    if (history.deletionIssue < this.issue) {
      history.deletionIssue = this.issue;
      this.#overlaps.edited(record, this.issue);
    }
    history.deletedAt = this.#at;
    for (const { editIssue } of history.fields.values())
      if (editIssue > this.issue || history.madeAt > this.sent) this.#overlaps.doubtPresence(record);
    return history.createdIssue > this.issue;
  }
}

/** The time of another answer. 0 if it is the time of this answer, which can contain a record more than once. */
function other(at: number, own: number): number {
  return at === own ? 0 : at;
}

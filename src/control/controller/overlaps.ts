import { equalPlain } from '../../std/plain.ts';
import type { Edits } from './edits.ts';
import { nameOf, recordOf } from './mutated-record.ts';

/** A row that is there, and when its fields were asked for. */
interface KnownRecord {
  readonly row: object;
  readonly issueOf: (field: string) => number;
}

/** What the answers of mutations have said of one field while other mutations were pending. */
interface FieldHistory {
  /** The issue of the latest mutation that edits the field, and the value that it asked for. */
  editIssue: number;
  edit: unknown;
  /** When a mutation that edits the field was answered last. */
  editedAt: number;
  /** The issue of the latest mutation whose answer has the field without editing it, and when one of these was answered last. */
  mentionIssue: number;
  mentionedAt: number;
}

/** What mutations have done to one record while other mutations were pending. */
class RecordHistory {
  readonly fields: Map<string, FieldHistory> = new Map();
  /** When a mutation of this record settled last, and when one was answered last. */
  settledAt = 0;
  answeredAt = 0;
  /** The issue of the latest deletion, and when one was answered last. */
  deletionIssue = 0;
  deletedAt = 0;
  /** The issue of the latest mutation whose answer has the record. */
  latest = 0;

  field(name: string): FieldHistory {
    const known = this.fields.get(name);
    if (known !== undefined) return known;
    const history = { editIssue: 0, edit: undefined, editedAt: 0, mentionIssue: 0, mentionedAt: 0 };
    this.fields.set(name, history);
    return history;
  }
}

/**
 * The order of mutations that overlap. `issue` numbers say in which order the application asked; two mutations overlap
 * where one was sent before the other was answered, which is when it was issued unless it had to wait. Servers apply overlapping mutations in an order of their own.
 *
 * 1. A read is ordered by its issue. A mutation's answer is newer than every read that was issued before it was answered.
 * 2. A mutation *edits* the fields of its guess that differ from what shows below it, or without a guess those of its
 *    body. Its answer *mentions* all other fields that it has: those may be from before an overlapping mutation.
 * 3. An edited field is written unless a mutation that was issued later, and has been answered, edits it too.
 * 4. A mentioned field is written unless an overlapping mutation that has been answered edits it, or one issued later mentions it.
 * 5. A deletion edits the whole record. A list that is replaced as a whole is ordered by issue.
 * 6. Results and errors of one request key are ordered by issue.
 * 7. A guess does not show what a mutation that was issued later, and has been answered, edits too.
 * 8. A record is in doubt once two mutations of it overlapped and one was answered, or once answers that overlapped
 *    disagree about it. So is what was read while a mutation was pending that failed or that settled before the answer.
 * 9. So is a record of which an answer says something else than what came meanwhile: a message of a stream, or, where the
 *    answer only mentions the field, whatever was asked for after the mutation.
 * 10. When no mutation is pending any more, what is in doubt is stale, and what is shown of it is asked for, once.
 * 11. A mutation that failed and was not refused may have been carried out: its record, and for a create its collections,
 *    are in doubt.
 */
export class Overlaps {
  readonly #records = new Map<string, RecordHistory>();
  readonly #doubted = new Set<string>();
  /** The places in the order of the messages that came while mutations were pending. */
  readonly #heard = new Set<number>();
  /** Told of each record whose latest edit or deletion has become another, and of the issue of the mutation that did it. */
  readonly edited: (record: string, issue: number) => void;
  /** The lowest number of a mutation that failed without naming its records. Infinite where there is none. */
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
    let history = this.#records.get(record);
    if (history === undefined) this.#records.set(record, (history = new RecordHistory()));
    return history;
  }

  doubt(record: string): void {
    this.#doubted.add(record);
  }

  /** A message of a stream is written. It answers no request. */
  hear(issue: number): void {
    this.#heard.add(issue);
  }

  /** The answer of a mutation says what a field is. Something else may have come while it was pending. */
  compare(
    record: string,
    { row, issueOf }: KnownRecord,
    [name, value]: readonly [string, unknown],
    mutation: Edited,
  ): void {
    const issue = issueOf(name);
    const isLater = issue > mutation.sent && issue < mutation.at && (!mutation.isEdit || this.#heard.has(issue));
    if (isLater && !equalPlain(Reflect.get(row, name), value)) this.doubt(record);
  }

  /** A mutation of a record settled. `at` is when. Returns whether that leaves a doubt. */
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

  /** The edit that a mutation which was issued later has made to a field, where it has been answered. */
  laterEdit(record: string, field: string, issue: number): { readonly edit: unknown } | undefined {
    const history = this.#records.get(record)?.fields.get(field);
    return history !== undefined && history.editIssue > issue ? history : undefined;
  }

  /** A mutation failed without naming its records, and was sent then. Every record that others have edited meanwhile may be one of them. */
  fail(sent: number): void {
    this.#failed = Math.min(this.#failed, sent);
  }

  /** No mutation is pending any more. Returns the records that are in doubt. */
  take(): readonly (readonly [table: string, pk: string])[] {
    if (this.#failed < Number.POSITIVE_INFINITY)
      for (const [record, { answeredAt }] of this.#records) if (answeredAt > this.#failed) this.doubt(record);
    this.#failed = Number.POSITIVE_INFINITY;
    if (this.#records.size > 0) this.#records.clear();
    const doubted = Array.from(this.#doubted, recordOf);
    this.#doubted.clear();
    this.#heard.clear();
    return doubted;
  }

  clear(): void {
    this.#records.clear();
    this.#doubted.clear();
    this.#heard.clear();
    this.#failed = Number.POSITIVE_INFINITY;
  }
}

/** A mutation that is answered, and what it does to a field. */
interface Edited {
  readonly sent: number;
  readonly at: number;
  readonly isEdit: boolean;
}

/** When a mutation was issued, when it was sent, and when it was answered. */
interface Order {
  readonly issue: number;
  readonly sent: number;
  readonly at: number;
}

/** The answer of a mutation that no other overlapped. It is newer than all that came while the mutation was pending. */
export class LoneAnswer {
  readonly issue: number;
  readonly #sent: number;
  readonly #edits: Edits;
  readonly #overlaps: Overlaps;

  constructor(overlaps: Overlaps, edits: Edits, { sent, at }: Order) {
    this.#overlaps = overlaps;
    this.#edits = edits;
    this.#sent = sent;
    this.issue = at;
  }

  fieldsOf(table: string, pk: string, existing: KnownRecord | undefined, incoming: object): object {
    if (existing === undefined) return incoming;
    const record = nameOf(table, pk);
    const edits = this.#edits.of(record);
    const mutation = { sent: this.#sent, at: this.issue };
    for (const field of Object.entries(incoming))
      this.#overlaps.compare(record, existing, field, { ...mutation, isEdit: edits?.isEdit(...field) === true });
    return incoming;
  }

  isOlder(): boolean {
    return false;
  }

  isDeletionOlder(): boolean {
    return false;
  }
}

/** A mutation that is answered while others are pending or have overlapped it. Decides what the answer overwrites. */
export class OverlappingAnswer {
  /** When the mutation was issued. */
  readonly issue: number;
  /** When it was sent, and when it was answered. */
  readonly #sent: number;
  readonly #at: number;
  readonly #edits: Edits;
  readonly #overlaps: Overlaps;

  constructor(overlaps: Overlaps, edits: Edits, { issue, sent, at }: Order) {
    this.#overlaps = overlaps;
    this.#edits = edits;
    this.issue = issue;
    this.#sent = sent;
    this.#at = at;
  }

  /** Returns the fields of `incoming` that are to be written; `undefined` where the record stays as it is. */
  fieldsOf(table: string, pk: string, existing: KnownRecord | undefined, incoming: object): object | undefined {
    const record = nameOf(table, pk);
    const history = this.#overlaps.historyOf(record);
    const edits = this.#edits.of(record);
    const isEditing = Object.entries(incoming).some(([name, value]) => edits?.isEdit(name, value) === true);
    const isLater = isEditing && this.issue > history.deletionIssue;
    if (history.deletedAt > this.#sent && !isLater) {
      this.#overlaps.doubt(record);
      return undefined;
    }
    history.latest = Math.max(history.latest, this.issue);
    const written = Object.entries(incoming).filter(([name, value]) => {
      const field = history.field(name);
      const isEdit = edits?.isEdit(name, value) === true;
      if (isEdit) this.#overlaps.settle(record, this.#sent, { at: this.#at, isAnswered: true });
      const isEdited = other(field.editedAt, this.#at) > this.#sent;
      const isMentioned = other(field.mentionedAt, this.#at) > this.#sent;
      if (existing !== undefined) {
        if ((isEdited || isMentioned) && !equalPlain(Reflect.get(existing.row, name), value))
          this.#overlaps.doubt(record);
        this.#overlaps.compare(record, existing, [name, value], { sent: this.#sent, at: this.#at, isEdit });
      }
      const isLatest = isEdit ? field.editIssue <= this.issue : !isEdited && field.mentionIssue <= this.issue;
      // What was sent after the others were answered, is what the server has.
      const isWritten = isLatest || !(isEdited || isMentioned);
      if (!isEdit) this.#noteMention(field);
      else if (isWritten) this.#noteEdit(record, field, edits?.valueOf(name, value));
      return isWritten;
    });
    return written.length === Object.keys(incoming).length ? incoming : Object.fromEntries(written);
  }

  #noteMention(field: FieldHistory): void {
    field.mentionIssue = Math.max(field.mentionIssue, this.issue);
    field.mentionedAt = this.#at;
  }

  /** Only of what is written: nothing else can be taken for older than it is. */
  #noteEdit(record: string, field: FieldHistory, value: unknown): void {
    field.editedAt = this.#at;
    field.editIssue = Math.max(field.editIssue, this.issue);
    field.edit = value;
    this.#overlaps.edited(record, this.issue);
  }

  /** Whether a mutation that was issued later has said what a row is that is replaced as a whole. */
  isOlder(table: string, pk: string): boolean {
    const record = nameOf(table, pk);
    const history = this.#overlaps.historyOf(record);
    const isOlder = history.latest > this.issue;
    if (isOlder) this.#overlaps.doubt(record);
    else history.latest = this.issue;
    return isOlder;
  }

  /** The answer deletes a record. Returns whether a mutation that was issued later has edited it. */
  isDeletionOlder(table: string, pk: string): boolean {
    const record = nameOf(table, pk);
    const history = this.#overlaps.historyOf(record);
    if (history.deletionIssue < this.issue) {
      history.deletionIssue = this.issue;
      this.#overlaps.edited(record, this.issue);
    }
    history.deletedAt = this.#at;
    for (const { editIssue } of history.fields.values()) if (editIssue > this.issue) return true;
    return false;
  }
}

/** The time of another answer; 0 for that of this one, which can have a record more than once. */
function other(at: number, own: number): number {
  return at === own ? 0 : at;
}

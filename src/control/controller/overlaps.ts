import { equalPlain } from '../../std/plain.ts';
import type { Edits } from './edits.ts';
import { nameOf, recordOf } from './subject.ts';

/** What the answers of mutations have said of one field while other mutations were pending. */
interface FieldHistory {
  /** The issue of the latest mutation that edits the field, and the value that it asked for. */
  editIssue: number;
  edit: unknown;
  /** When a mutation that edits the field landed last. */
  editedAt: number;
  /** The issue of the latest mutation whose answer has the field without editing it, and when one of these landed last. */
  mentionIssue: number;
  mentionedAt: number;
}

/** What mutations have done to one record while other mutations were pending. */
class RecordHistory {
  readonly fields: Map<string, FieldHistory> = new Map();
  /** When a mutation of this record settled last, and when one was answered last. */
  settledAt = 0;
  answeredAt = 0;
  /** The issue of the latest deletion, and when one landed last. */
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
 * where one was issued before the other had landed. Servers apply overlapping mutations in an order of their own.
 *
 * 1. A read is ordered by its issue. A mutation's answer is newer than every read that was issued before it landed.
 * 2. A mutation *edits* the fields of its guess that differ from what shows below it, or without a guess those of its
 *    body. Its answer *mentions* all other fields that it has: those may be from before an overlapping mutation.
 * 3. An edited field is written unless a mutation that was issued later, and has landed, edits it too.
 * 4. A mentioned field is written unless an overlapping mutation that has landed edits it, or one issued later mentions it.
 * 5. A deletion edits the whole record. A list that is replaced as a whole is ordered by issue.
 * 6. Results and errors of one request key are ordered by issue.
 * 7. A guess does not show what a mutation that was issued later, and has landed, edits too.
 * 8. A record is in doubt once two mutations of it overlapped and one was answered, or once answers that overlapped
 *    disagree about it. So is what was read while a mutation was pending that failed or that settled before the answer.
 * 9. When no mutation is pending any more, what is in doubt is stale, and what is shown of it is asked for, once.
 */
export class Overlaps {
  readonly #records = new Map<string, RecordHistory>();
  readonly #doubted = new Set<string>();
  /** Told of each record whose latest edit or deletion has become another, and of the issue of the mutation that landed. */
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

  place(record: string): RecordHistory {
    let history = this.#records.get(record);
    if (history === undefined) this.#records.set(record, (history = new RecordHistory()));
    return history;
  }

  doubt(record: string): void {
    this.#doubted.add(record);
  }

  /** A mutation of a record settled. `at` is when. */
  settle(
    record: string,
    issue: number,
    { at, isAnswered }: { readonly at: number; readonly isAnswered: boolean },
  ): void {
    const history = this.place(record);
    if (other(isAnswered ? history.settledAt : history.answeredAt, at) > issue) this.doubt(record);
    history.settledAt = at;
    if (isAnswered) history.answeredAt = at;
  }

  /** The edit that a mutation which was issued later has made to a field, where it landed already. */
  laterEdit(record: string, field: string, issue: number): { readonly edit: unknown } | undefined {
    const history = this.#records.get(record)?.fields.get(field);
    return history !== undefined && history.editIssue > issue ? history : undefined;
  }

  /** A mutation failed without naming its records. Every record that others have edited meanwhile may be one of them. */
  fail(issue: number): void {
    this.#failed = Math.min(this.#failed, issue);
  }

  /** No mutation is pending any more. Returns the records that are in doubt. */
  take(): readonly (readonly [table: string, pk: string])[] {
    if (this.#failed < Number.POSITIVE_INFINITY)
      for (const [record, { answeredAt }] of this.#records) if (answeredAt > this.#failed) this.doubt(record);
    this.#failed = Number.POSITIVE_INFINITY;
    if (this.#records.size > 0) this.#records.clear();
    const doubted = Array.from(this.#doubted, recordOf);
    this.#doubted.clear();
    return doubted;
  }

  clear(): void {
    this.#records.clear();
    this.#doubted.clear();
    this.#failed = Number.POSITIVE_INFINITY;
  }
}

/** A mutation whose answer lands while others are pending or have overlapped it. Decides what the answer overwrites. */
export class OverlappingAnswer {
  /** When the mutation was issued. */
  readonly issue: number;
  readonly #at: number;
  readonly #edits: Edits;
  readonly #overlaps: Overlaps;

  constructor(overlaps: Overlaps, edits: Edits, issue: number, at: number) {
    this.#overlaps = overlaps;
    this.#edits = edits;
    this.issue = issue;
    this.#at = at;
  }

  /** Returns the fields of `incoming` that are to be written; `undefined` where the record stays as it is. */
  fieldsOf(table: string, pk: string, existing: object | undefined, incoming: object): object | undefined {
    const record = nameOf(table, pk);
    const history = this.#overlaps.place(record);
    const edits = this.#edits.of(record);
    const isEditing = Object.entries(incoming).some(([name, value]) => edits?.isEdit(name, value) === true);
    const isLater = isEditing && this.issue > history.deletionIssue;
    if (history.deletedAt > this.issue && !isLater) {
      this.#overlaps.doubt(record);
      return undefined;
    }
    history.latest = Math.max(history.latest, this.issue);
    const written = Object.entries(incoming).filter(([name, value]) => {
      const field = history.field(name);
      const isEdit = edits?.isEdit(name, value) === true;
      if (isEdit) this.#overlaps.settle(record, this.issue, { at: this.#at, isAnswered: true });
      const isOverlapped = Math.max(other(field.editedAt, this.#at), other(field.mentionedAt, this.#at)) > this.issue;
      if (isOverlapped && existing !== undefined && !equalPlain(Reflect.get(existing, name), value))
        this.#overlaps.doubt(record);
      const isWritten = isEdit
        ? field.editIssue <= this.issue
        : other(field.editedAt, this.#at) <= this.issue && field.mentionIssue <= this.issue;
      this.#note(record, field, isEdit, edits?.valueOf(name, value));
      return isWritten;
    });
    return written.length === Object.keys(incoming).length ? incoming : Object.fromEntries(written);
  }

  #note(record: string, field: FieldHistory, isEdit: boolean, value: unknown): void {
    if (!isEdit) {
      field.mentionIssue = Math.max(field.mentionIssue, this.issue);
      field.mentionedAt = this.#at;
      return;
    }
    // What is not written cannot be taken for older than it is.
    if (field.editIssue > this.issue) return;
    field.editedAt = this.#at;
    field.editIssue = this.issue;
    field.edit = value;
    this.#overlaps.edited(record, this.issue);
  }

  /** Whether a mutation that was issued later has said what a row is that is replaced as a whole. */
  isOlder(table: string, pk: string): boolean {
    const record = nameOf(table, pk);
    const history = this.#overlaps.place(record);
    const isOlder = history.latest > this.issue;
    if (isOlder) this.#overlaps.doubt(record);
    else history.latest = this.issue;
    return isOlder;
  }

  /** The answer deletes a record. Returns whether a mutation that was issued later has edited it. */
  isDeletionOlder(table: string, pk: string): boolean {
    const record = nameOf(table, pk);
    const history = this.#overlaps.place(record);
    if (history.deletionIssue < this.issue) {
      history.deletionIssue = this.issue;
      this.#overlaps.edited(record, this.issue);
    }
    history.deletedAt = this.#at;
    for (const { editIssue } of history.fields.values()) if (editIssue > this.issue) return true;
    return false;
  }
}

/** A landing that is not this very one: an answer can have a record more than once. */
function other(landing: number, own: number): number {
  return landing === own ? 0 : landing;
}

import { isMemberChange } from '../../define/schema/collection-schema.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import type { Layer } from '../../state/store/layer.ts';
import { equalPlain } from '../../std/plain.ts';
import type { Edits } from './edits.ts';
import { recordName } from './mutated-record.ts';
import { type FieldHistory, type KnownRecord, otherTime, type Overlaps, type RecordHistory } from './overlaps.ts';

/** The place of a mutation in the order. Times are numbers in the order of issue. */
export interface MutationOrder {
  readonly issue: number;
  /** When it was sent. */
  readonly sent: number;
  /** When it was answered. */
  readonly at: number;
  /**
   * Whether the mutation can bring a deleted record back. `created`: it creates a record. `perhaps`: it is another POST, which may restore one.
   * `rarely`: it is a PUT, which creates the record on some servers.
   */
  readonly restores: 'created' | 'perhaps' | 'rarely' | undefined;
}

/** The answer of a mutation that other requests overlap. Decides what the answer overwrites. */
export class OverlappingAnswer {
  /** When the mutation was issued. If no other mutation overlaps it, when it was answered: its answer is newer than all earlier data. */
  readonly issue: number;
  /** When it was sent. */
  readonly sent: number;
  /** When it was answered. */
  readonly #at: number;
  readonly #restores: MutationOrder['restores'];
  readonly #edits: Edits;
  readonly #overlaps: Overlaps;
  /** The former values of the fields that the last result of `fieldsOf` overwrites although another answer disagrees about them. */
  replaced: Readonly<Record<string, unknown>> = {};

  constructor(overlaps: Overlaps, edits: Edits, { issue, sent, at, restores }: MutationOrder) {
    this.#overlaps = overlaps;
    this.#edits = edits;
    this.issue = issue;
    this.sent = sent;
    this.#at = at;
    this.#restores = restores;
  }

  /** Returns the fields of `incoming` that are written; `undefined` if the record stays as it is. */
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
      if (isEdit) this.#overlaps.answer(record, this.sent, this.#at);
      const isEdited = otherTime(field.editedAt, this.#at) > this.sent;
      const isMentioned = otherTime(field.mentionedAt, this.#at) > this.sent;
      const former: unknown = existing && Reflect.get(existing.row, name);
      const isDisputed = (isEdited || isMentioned) && !equalPlain(former, value);
      if (existing !== undefined) {
        if (isDisputed) this.#overlaps.doubt(record);
        this.#overlaps.compare(record, existing, [name, value], { sent: this.sent, at: this.#at, isEdit });
      }
      const isLatest = isEdit ? field.editIssue <= this.issue : !isEdited && field.mentionIssue <= this.issue;
      // A field is also written if its record is missing, and if other mutations had been answered before this one was sent: the server has then
      // applied this one last.
      const isWritten = existing === undefined || isLatest || !(isEdited || isMentioned);
      if (isDisputed && isWritten) this.replaced = { ...this.replaced, [name]: former };
      if (!isEdit) this.#noteMention(field);
      else if (isWritten) this.#noteEdit(record, field, edits?.valueOf(name, value));
      return isWritten;
    });
    return written.length === Object.keys(incoming).length ? incoming : Object.fromEntries(written);
  }

  /** Returns whether an overlapping mutation has deleted the record, and this one has not made it again. Notes if this one may have. */
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

  /** Notes an edit. Not for a field that has the value of a later edit: other answers would be compared with a value that the store never had. */
  #noteEdit(record: string, field: FieldHistory, value: unknown): void {
    field.editedAt = this.#at;
    field.editIssue = Math.max(field.editIssue, this.issue);
    field.edit = value;
    this.#overlaps.edited(record, this.issue);
  }

  /** Returns whether a message of a stream deleted the record while the mutation was pending. If so, puts the record in doubt. */
  isBeforeDeletion(table: string, pk: string, deletion: number): boolean {
    const isBefore = deletion > this.sent && this.#overlaps.messages.has(deletion);
    if (isBefore) this.#overlaps.doubt(recordName(table, pk));
    return isBefore;
  }

  /**
   * For rows that are replaced as a whole: returns whether newer data was stored already, by a mutation that was issued later, or by an answer or a
   * message that came while this mutation was pending. If so, puts the record in doubt. `changed` is the stamp of the last change of a list.
   */
  isOlder(table: string, pk: string, changed?: Stamp): boolean {
    const record = recordName(table, pk);
    const { messages, settled } = this.#overlaps;
    const history = this.#overlaps.historyOf(record);
    const at = otherTime(changed?.issue ?? 0, this.#at);
    const isChanged = at > this.sent && (settled.has(at) || messages.has(at));
    const isDeleted = this.#isDeleted(record, history, this.#edits.of(record) !== undefined);
    const isOlder = isDeleted || isChanged || history.latest > this.issue;
    if (isOlder) this.#overlaps.doubt(record);
    else history.latest = this.issue;
    return isOlder;
  }

  /** Notes the edits of a row that its class merges itself. Leaves out the fields that have the value of a later edit. */
  noteEdits(table: string, pk: string, row: object): void {
    const record = recordName(table, pk);
    const edits = this.#edits.of(record);
    for (const [name, value] of Object.entries(row)) {
      const field = this.#overlaps.historyOf(record).field(name);
      const isLatest = field.editIssue <= this.issue;
      if (isLatest && edits?.isEdit(name, value) === true) this.#noteEdit(record, field, edits.valueOf(name, value));
    }
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

/** How to store the answer of a mutation. */
export interface AnsweredMutation {
  /** The guess that the answer replaces. */
  readonly layer: Layer | undefined;
  /** Decides what the answer overwrites. `undefined` if no other request has been issued since this mutation. */
  readonly answer: OverlappingAnswer | undefined;
}

/** Returns whether a mutation can bring a deleted record back. */
export function restoredBy(endpoint: {
  readonly method?: unknown;
  readonly schema?: unknown;
}): MutationOrder['restores'] {
  const { method, schema } = endpoint;
  if (isMemberChange(schema) && (method === 'POST' || method === undefined)) return 'created';
  return method === 'POST' ? 'perhaps' : method === 'PUT' ? 'rarely' : undefined;
}

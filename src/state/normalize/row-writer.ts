import type { Row, RowEdit, RowState, TableSchema } from '../../define/schema/row.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRowSchema, type Space } from '../tables/space.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { equalPlain } from '../../std/plain.ts';
import { restorerOf } from '../../std/splice.ts';
import { asIssued, type WriteInProgress } from './write-in-progress.ts';
import { buildRow, mergeByHooks, leavesInDoubt } from './combine.ts';
import { changesNoRefs, changesNothing } from './same-fields.ts';
import { plainCellOf, renewSame } from './same-rows.ts';
import { putRow } from './put-row.ts';
import { removeRow, removeDeletedFromCollections, withoutDeleted } from './remove-row.ts';

/** Receives the rows of the walk. */
export interface RowSink {
  /** Returns the row as it is at this point of the write. */
  rowOf(cell: RowCell): RowState;
  /** Notes that a record was met, before its content is stored. */
  touch(cell: RowCell): void;
  /** Returns whether the stored row already has all incoming values. `stored` has the refs of its relation fields. */
  isKnown(plan: EntityPlan, cell: RowCell, processed: Row, stored: readonly unknown[]): boolean;
  /** Makes a row fresh that already had all incoming values. */
  refresh(cell: RowCell): void;
  /**
   * Stores a record whose class has no hooks, and returns its pk: if it and the records in it have equal rows, or if it only changes fields of
   * its row. Otherwise returns `undefined`, and the record is still to be written.
   */
  renew?(plan: EntityPlan, input: object): string | undefined;
  /** Combines a record with the stored row. If it `isWhole`, fields that it lacks are removed. */
  put(plan: EntityPlan, cell: RowCell, row: Record<string, unknown>, isWhole: boolean): void;
  /** Merges a row by the rules of its schema. */
  merge(schema: TableSchema, cell: RowCell, row: Row): void;
  /** Edits a row of a guess, now or when it is read. */
  edit?(cell: RowCell, edit: RowEdit): void;
  /** Replaces a row. */
  replace(cell: RowCell, row: Row): void;
  /** Deletes a row. */
  remove(cell: RowCell): void;
  /** Called at the end of the walk. */
  finish(): void;
}

/** Writes rows into their cells at once, through the log of the write. */
export class RowWriter implements RowSink {
  readonly #writing: WriteInProgress;
  readonly #space: Space;
  /** Whether a record was met more than once. */
  #hasRepeats = false;

  constructor(writing: WriteInProgress, space: Space) {
    this.#writing = writing;
    this.#space = space;
  }

  rowOf(cell: RowCell): RowState {
    this.#space.noteRead(cell);
    this.#removeDeletedFrom(cell);
    return this.#writing.log.confirmed(cell).row;
  }

  touch(cell: RowCell): void {
    const { log } = this.#writing;
    if (this.#space.leaving.last !== undefined) this.#removeDeletedFrom(cell);
    if (cell.order === 0) log.touch(cell);
    else if (log.before(cell.order - 1) !== undefined) this.#hasRepeats = true;
  }

  /** Removes deleted records from a collection before its row is read, so that readers see it without them. */
  #removeDeletedFrom(cell: RowCell): void {
    const { leaving } = this.#space;
    if (leaving.last !== undefined && leaving.concerns(cell))
      removeDeletedFromCollections(this.#space, this.#writing.log);
  }

  isKnown(plan: EntityPlan, cell: RowCell, processed: Row, stored: readonly unknown[]): boolean {
    const { log, stamp, answer, isOvertaking, isWhole } = this.#writing;
    const { row, stamp: known } = log.confirmed(cell);
    if (!isRow(row) || plan.hooks.merge || isOvertaking || isWhole || answer !== undefined) return false;
    // In a later row, each field has to be compared by its own order.
    if (known !== undefined && stamp.issue < known.issue) return false;
    if (leavesInDoubt(known, row, processed) || !changesNothing(row, processed, plan.refNames)) return false;
    return stored.length === 0 || changesNoRefs(row, processed, plan.refs, stored);
  }

  refresh(cell: RowCell): void {
    const { log, stamp } = this.#writing;
    log.confirmed(cell).stamp = stamp;
  }

  renew(plan: EntityPlan, input: object): string | undefined {
    return renewSame(plan, input, this.#writing) ?? this.#putPlain(plan, input);
  }

  /** Stores a record over its row if it is as `plainCellOf` says. Returns its pk. */
  #putPlain(plan: EntityPlan, input: object): string | undefined {
    const cell = plainCellOf(plan, input, this.#writing);
    if (cell === undefined) return undefined;
    this.touch(cell);
    this.put(plan, cell, buildRow(plan, input), false);
    return cell.pk;
  }

  put(plan: EntityPlan, cell: RowCell, row: Record<string, unknown>, isWhole: boolean): void {
    putRow(plan, cell, row, this.#writing, isWhole && this.#writing.isWhole);
  }

  merge(schema: TableSchema, cell: RowCell, incoming: Row): void {
    const { log, answer } = this.#writing;
    const isWhole = isRowSchema(schema);
    if (this.#writing.isGuess) {
      const { repeat } = schema;
      if (repeat !== undefined) return this.edit(cell, { repeat, incoming });
      this.#space.noteRead(cell);
    }
    if (schema.isLate !== undefined) {
      const known = log.confirmed(cell).stamp;
      log.isOfPage = true;
      const isLate = known !== undefined && schema.isLate(known, this.#writing.stamp);
      log.isLate ||= isLate;
      if (isLate) return;
    }
    const row = isWhole ? withoutDeleted(incoming, schema, this.#space, this.#writing) : incoming;
    if (isWhole) log.arrive(cell, incoming);
    this.touch(cell);
    const { row: existing, stamp } = log.confirmed(cell);
    // A change of some members does not describe the others.
    const isOlder =
      isWhole && answer?.isOlder(schema.key, cell.pk, equalPlain(existing, row) ? undefined : stamp) === true;
    const writing = isOlder ? asIssued(this.#writing) : this.#writing;
    log.noteRestorer(cell, restorerOf(existing));
    if (isRow(existing)) mergeByHooks(schema, cell, existing, row, writing);
    else log.put(cell, row, schema.firstMeta?.(writing.stamp, row) ?? writing.stamp);
    if (log.confirmed(cell).row !== existing) this.#unlink(cell);
  }

  edit(cell: RowCell, edit: RowEdit): void {
    this.touch(cell);
    this.#space.edit(cell, { ...edit, issue: this.#writing.issue });
  }

  replace(cell: RowCell, row: Row): void {
    this.#space.noteRead(cell);
    const { log, stamp } = this.#writing;
    this.#removeDeletedFrom(cell);
    log.put(cell, row, stamp);
    this.#unlink(cell);
  }

  /** Notes that a collection whose row has changed must be linked to its parts again. */
  #unlink(cell: RowCell): void {
    if (cell.table.collection !== undefined) this.#space.unlinked.add(cell);
  }

  remove(cell: RowCell): void {
    this.#space.noteRead(cell);
    this.touch(cell);
    removeRow(cell, this.#space, this.#writing);
  }

  finish(): void {
    if (this.#hasRepeats) this.#writing.log.keepUnchanged();
  }
}

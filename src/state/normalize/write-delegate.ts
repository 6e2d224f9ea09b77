import type { CollectionQuery, Issued, WriteSource } from '../../define/schema/delegate.ts';
import type {
  Invalid,
  Row,
  RowEdit,
  RowState,
  StampedRow,
  StoredCollection,
  TableSchema,
} from '../../define/schema/row.ts';
import type { RowSchema } from '../../define/schema/schema.ts';
import { isInDoubt, type Stamp } from '../../define/schema/stamp.ts';
import type { Space } from '../tables/space.ts';
import { ChangedCells } from '../tables/changed-cells.ts';
import type { RowCell } from '../tables/table.ts';
import { cellsFor, collectionsOf, UnreadCollection } from './collections.ts';
import type { WriteInProgress } from './write-in-progress.ts';
import { removeDeletedFromCollections } from './remove-row.ts';
import type { RowSink } from './row-writer.ts';

/**
 * The members of the delegate that do not walk: schemas read facts about the write, such as its source and its place in the order, and read
 * and change the stored rows.
 */
export abstract class WriteDelegate {
  readonly #writing: WriteInProgress;
  readonly #space: Space;
  readonly #sink: RowSink;

  constructor(writing: WriteInProgress, space: Space, sink: RowSink) {
    this.#writing = writing;
    this.#space = space;
    this.#sink = sink;
  }

  getEntity(table: string, pk: string): RowState {
    const cell = this.#space.find(table, pk);
    return cell && this.#sink.rowOf(cell);
  }

  mergeEntity(schema: TableSchema, pk: string, incoming: Row): void {
    this.#sink.merge(schema, this.#cellOf(schema, pk), incoming);
  }

  editEntity(key: string, pk: string, edit: RowEdit): void {
    this.#sink.edit?.(this.#cellOf({ key }, pk), edit);
  }

  setEntity(schema: TableSchema, pk: string, row: Row): void {
    this.#sink.replace(this.#cellOf(schema, pk), row);
  }

  invalidate(schema: { readonly key: string }, pk: string): void {
    this.#sink.remove(this.#cellOf(schema, pk));
  }

  #cellOf({ key }: { readonly key: string }, pk: string): RowCell {
    return this.#space.table(key).cellOf(pk);
  }

  get meta(): Stamp {
    return this.#writing.stamp;
  }

  get source(): WriteSource {
    if (this.#writing.isGuess) return 'guess';
    return this.#writing.answeredRequest?.isMutation === true ? 'mutation' : 'read';
  }

  get sent(): number {
    return this.#writing.answeredRequest?.sent ?? this.meta.issue;
  }

  get isCurrentRead(): boolean {
    const { answeredRequest, log } = this.#writing;
    return answeredRequest?.isCurrentRead === true && !log.isOfPage;
  }

  get isOutdated(): boolean {
    return this.#writing.log.isOutdated;
  }

  get latest(): number {
    return this.#writing.latest;
  }

  get issued(): Issued | undefined {
    return this.#writing.answeredRequest?.issued;
  }

  doubt(table: string, pk: string): void {
    if (this.#writing.answeredRequest?.isPlainRead !== true) this.doubtAlways(table, pk);
  }

  doubtAlways(table: string, pk: string): void {
    this.#writing.answeredRequest?.doubt(table, pk);
  }

  isMutated(table: string, pk: string): boolean {
    return this.#writing.answeredRequest?.isMutated?.(table, pk) === true;
  }

  /** Returns whether a record is in the answer of a mutation, or a pending mutation changes it. */
  protected isOfMutation(table: string, pk: string): boolean {
    return this.source === 'mutation' || this.isMutated(table, pk);
  }

  isInDoubt(table: string, pk: string): boolean {
    const cell = this.#space.find(table, pk);
    const stamp = cell && this.#writing.log.confirmed(cell).stamp;
    return stamp !== undefined && isInDoubt(stamp);
  }

  rowBefore(table: string, pk: string): Row | Invalid | undefined {
    return this.#before(table, pk)?.row;
  }

  stampBefore(table: string, pk: string): Stamp | undefined {
    return this.#before(table, pk)?.stamp;
  }

  #before(table: string, pk: string): StampedRow | undefined {
    const { log } = this.#writing;
    const cell = this.#space.find(table, pk);
    if (cell !== undefined) this.#space.noteRead(cell);
    if (cell === undefined || cell.order === 0) return cell && log.confirmed(cell);
    return { row: log.before(cell.order - 1), stamp: log.stampBefore(cell.order - 1) };
  }

  rowsOf(table: string): (pk: string) => StampedRow | undefined {
    const { log } = this.#writing;
    removeDeletedFromCollections(this.#space, log);
    // Records of a list are mostly read in the order in which they were stored.
    const cells = log.newRows?.get(this.#space.table(table)) ?? log.cells;
    let next = 0;
    return (pk) => {
      const found = cells[next];
      const isNext = found?.pk === pk && found.table.name === table;
      const cell = isNext ? found : this.#space.find(table, pk);
      next = isNext || cell === undefined || cell.order === 0 ? next + 1 : cell.order;
      return cell && log.confirmed(cell);
    };
  }

  decidingCollection(key: string): RowSchema | undefined {
    return this.#space.followers.get(key);
  }

  notes(table: string): Map<string, unknown> {
    return this.#space.table(table).notes;
  }

  onUndo(undo: () => void): void {
    this.#writing.log.onUndo(undo);
  }

  *getEntities(table: string): Generator<readonly [string, Row | Invalid]> {
    removeDeletedFromCollections(this.#space, this.#writing.log);
    for (const cell of this.#space.wholeTable(table).order.cells.values()) {
      const row = this.#writing.log.confirmed(cell).row;
      if (row !== undefined) yield [cell.pk, row];
    }
  }

  *getChanged(name: string, reader: string): Generator<readonly [string, Row | Invalid]> {
    const { log } = this.#writing;
    const { all } = this.#space.table(name).keep(`changed for ${reader}`, () => new ChangedCells());
    for (const cell of new Set([...all, ...log.coveredCells, ...log.cells, ...log.newCells()])) {
      if (cell.table.name !== name) continue;
      const confirmed = log.confirmed(cell);
      // If it is changed by this write, or is below a guess, it may get another row that is not noted.
      if (cell.order === 0 && confirmed === cell) all.delete(cell);
      if (confirmed.row !== undefined) yield [cell.pk, confirmed.row];
    }
  }

  getCollections(table: string, query?: CollectionQuery): readonly StoredCollection[] {
    const { log } = this.#writing;
    removeDeletedFromCollections(this.#space, log);
    if (query === undefined) return collectionsOf(this.#space.wholeTable(table).cells.values(), log);
    const some = this.#space.someOf(table, query);
    if (this.#space.isBase) return collectionsOf(cellsFor(some, query), log);
    return collectionsOf(some.cells.values(), log).map(
      (list) => new UnreadCollection(list, some.cellOf(list.pk), this.#space),
    );
  }
}

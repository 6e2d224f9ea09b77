import type { JoinedMembers } from './joined-members.ts';
import type { NormalizeDelegate } from './delegate.ts';
import type { Row, RowEdit, RowState, StoredCollection } from './row.ts';

/**
 * The edits that several guesses make to one row. When an edit comes or goes, only the parts that it concerns are edited again. The time to
 * repeat all edits would grow with their number.
 */
export interface TrackedEdits {
  /** Adds edits that follow the others. Returns false if they are of another kind. */
  add(edits: readonly RowEdit[]): boolean;
  /** Removes the edits of a guess that is over. */
  remove(edits: readonly RowEdit[]): void;
  /**
   * Returns `row` with the edits. `shown` is the row that readers see: an equal row keeps its object. Returns `undefined` if `row` is of
   * another kind.
   */
  applyTo(row: RowState, shown: RowState, edited: EditedRow): Row | undefined;
  /** Notes that a record has changed. Returns whether this may change the order of the row. */
  change?(table: string, pk: string): boolean;
  /** Whether all edits have to be repeated. */
  isOutdated?: boolean;
}

/** The pk and arguments of a row that is edited, and the other rows of its store. */
export interface EditedRow extends Pick<NormalizeDelegate, 'getEntity' | 'notes'> {
  readonly pk: string;
  /** The key object of a collection. */
  readonly args: StoredCollection['args'];
  /** The members that mutations have added to a list in the order of issue. */
  readonly joined?: JoinedMembers | undefined;
}

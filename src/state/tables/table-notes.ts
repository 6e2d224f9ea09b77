/** The pks of the existing rows. */
type Pks = Pick<ReadonlyMap<string, unknown>, 'has'>;

/** A note about several rows of a table, which forgets rows that were removed. */
interface RowsNote {
  readonly forget?: (existing: Pks) => void;
}

/** Removes the notes about rows that were removed. A note about one row is a number, and its name is the pk. */
export function forgetNotes(notes: Map<string, unknown>, existing: Pks): void {
  for (const [name, note] of notes)
    if (typeof note !== 'number') (note as RowsNote).forget?.(existing);
    else if (!existing.has(name)) notes.delete(name);
}

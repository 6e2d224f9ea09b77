/** The pks of the rows that there are. */
type Pks = Pick<ReadonlyMap<string, unknown>, 'has'>;

/** A note about several rows of a table, which forgets rows that were removed. */
interface Forgetting {
  readonly forget?: (there: Pks) => void;
}

/** Removes the notes about rows that were removed. A note about one row is a number, and its name is the pk. */
export function forgetNotes(notes: Map<string, unknown>, there: Pks): void {
  for (const [name, note] of notes)
    if (typeof note !== 'number') (note as Forgetting).forget?.(there);
    else if (!there.has(name)) notes.delete(name);
}

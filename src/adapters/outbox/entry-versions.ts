import type { QueuedEntry } from './outbox-entry.ts';

// An edit that was made on top of another edit of this user, whose answer had not arrived, is based on the version in that answer. So when an
// edit is answered, the version that it has made takes the place of the one that it was based on, in all later edits that wait, in all tabs and
// on the disk. It does so together with the pks that were given to records, under a name that no pk has.

/** Returns the version that an answered entry has made, by the names of the version that it was based on. */
export function versionsMade(
  entry: QueuedEntry,
  ...until: readonly [number?]
): readonly (readonly [name: string, next: NextNote])[] {
  const { made } = entry;
  return made === undefined ? [] : versionNamesOf(entry).map((name) => [name, [made.tag, ...until]]);
}

/** Bases an entry on the version that earlier edits have made since. */
export function takeVersions(entry: QueuedEntry, noted: ReadonlyMap<string, unknown>): void {
  takeNotes(entry, noted, versionNamesOf, (tag) => {
    entry.basedOn = (tag as string | null | undefined) ?? undefined;
  });
}

/** Returns the names of the version that an entry is based on. */
export function versionNamesOf({ basedOn, records }: QueuedEntry): readonly string[] {
  return basedOn === undefined || basedOn === '' ? [] : records.map((record) => JSON.stringify([record, basedOn]));
}

/** The new value of a part of an edit. With `until`, only edits that were made before this place get it. */
export type NextNote = readonly [next: unknown, until?: number];

/** Passes the note under a name of an entry to `take`, then the note under a name that the entry has after that, and so on. */
export function takeNotes(
  entry: QueuedEntry,
  noted: ReadonlyMap<string, unknown>,
  namesOf: (entry: QueuedEntry) => readonly string[],
  take: (next: unknown) => void,
): void {
  for (let at = entry.place; ;) {
    const note: unknown = namesOf(entry)
      .map((name) => noted.get(name))
      .find(Array.isArray);
    const [next, until = Infinity] = (note ?? [undefined, at]) as NextNote;
    if (until <= at) return;
    take(next);
    at = until;
  }
}

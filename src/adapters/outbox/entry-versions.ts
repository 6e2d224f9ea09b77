import type { QueuedEntry } from './outbox-entry.ts';

// An edit that was made on top of another edit of this user, whose answer had not arrived, is based on the version in that answer. So when an
// edit is answered, the version that it has made takes the place of the one that it was based on, in all later edits that wait, in all tabs and
// on the disk. It does so together with the pks that were given to records, under a name that no pk has.

/** The tag of a version, and the place before which an edit was made if the version applies to it. Without a place, it applies to all edits. */
type NextVersion = readonly [tag: string | undefined | null, until?: number];

/** Returns the version that an answered entry has made, by the names of the version that it was based on. */
export function versionsMade(
  entry: QueuedEntry,
  ...until: readonly [number?]
): readonly (readonly [name: string, next: NextVersion])[] {
  const { made } = entry;
  return made === undefined ? [] : versionNamesOf(entry).map((name) => [name, [made.tag, ...until]]);
}

/** Bases an entry on the version that earlier edits have made since. Returns whether it was based on another one. */
export function takeVersions(entry: QueuedEntry, replaced: ReadonlyMap<string, unknown>): boolean {
  const former = entry.basedOn;
  for (let at = entry.place; ;) {
    const next: unknown = versionNamesOf(entry)
      .map((name) => replaced.get(name))
      .find(Array.isArray);
    const [tag, until = Infinity] = (next ?? [undefined, at]) as NextVersion;
    if (until <= at) return entry.basedOn !== former;
    entry.basedOn = tag ?? undefined;
    at = until;
  }
}

/** The names of the version that an entry is based on. */
export function versionNamesOf({ basedOn, records }: QueuedEntry): readonly string[] {
  return basedOn === undefined || basedOn === '' ? [] : records.map((record) => JSON.stringify([record, basedOn]));
}

import type { MiddlewareAPI } from '../../control/controller/manager.ts';
import { tableAndPkOf } from '../../control/controller/mutated-record.ts';
import type { Fields } from '../../std/plain.ts';
import { takeNotes, takeVersions } from './entry-versions.ts';
import type { QueuedEntry } from './outbox-entry.ts';
import { withReplaced } from './saved-pks.ts';

/** The pks that records have now, by the temporary pks by which entries name them. */
export class RenamedRecords {
  readonly #temporaryPks: MiddlewareAPI['mutations']['temporaryPks'];
  readonly #store: MiddlewareAPI['store'];
  /** The pks that the server has given to records, by the temporary pks in the entries that have created them. */
  readonly #created = new Map<string, unknown>();

  constructor({ mutations, store }: Pick<MiddlewareAPI, 'mutations' | 'store'>) {
    this.#temporaryPks = mutations.temporaryPks;
    this.#store = store;
  }

  /** Returns arguments with the pks of the server where they are known. */
  readonly known = (args: readonly unknown[]): readonly unknown[] =>
    withReplaced(this.#temporaryPks.known(args), this.#created);

  /** Notes the pks of the records that an entry has created, and returns them. */
  note({ creates }: QueuedEntry): ReadonlyMap<string, unknown> {
    const known = this.#known(creates.map(({ pk }) => pk));
    for (const [pk, id] of known) this.#created.set(pk, id);
    return known;
  }

  /** Returns the pks of the records that an entry names, by their temporary pks, where another tab has created the record and the server has given it a pk. */
  of({ records, temporaryPk, texts }: QueuedEntry): ReadonlyMap<string, unknown> {
    const named = new Set([...texts, ...records.map((record) => tableAndPkOf(record)[1])]);
    const earlier = temporaryPk === undefined ? [] : [temporaryPk];
    const { tables } = this.#store.writer.core.reading.space;
    for (const { aliases } of tables.values()) for (const pk of named) earlier.push(...aliases.temporariesOf(pk));
    return this.#known(earlier);
  }

  #known(pks: readonly string[]): ReadonlyMap<string, unknown> {
    return new Map(
      pks.flatMap((pk) => {
        const id = this.#temporaryPks.idOf(pk);
        return id === undefined ? [] : [[pk, id] as const];
      }),
    );
  }

  clear(): void {
    this.#created.clear();
  }
}

/** Returns the name under which it is noted that an edit has changed the pk of a record. No pk has such a name. */
export function pkNoteOf(record: string): string {
  return JSON.stringify([record]);
}

/** Writes present pks into the arguments of entries, and bases the entries on present versions. Returns the entries that have changed. */
export function changedBy(
  entries: readonly QueuedEntry[],
  renamed: ReadonlyMap<string, unknown>,
): readonly QueuedEntry[] {
  return entries.filter((entry) => {
    const { args, basedOn } = entry;
    takeNotes(
      entry,
      renamed,
      ({ records }) => records.map(pkNoteOf),
      (fields) => entry.changePk(Object(fields) as Fields),
    );
    takeVersions(entry, renamed);
    const isNamed = [...renamed.keys()].some((name) => entry.texts.has(name));
    if (isNamed) entry.args = withReplaced(entry.args, renamed);
    return entry.args !== args || entry.basedOn !== basedOn;
  });
}

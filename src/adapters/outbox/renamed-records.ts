import type { MiddlewareAPI } from '../../control/controller/manager.ts';
import { takeVersions } from './entry-versions.ts';
import type { QueuedEntry } from './outbox-entry.ts';
import { withReplaced } from './saved-pks.ts';

/** The pks that records have now, by the temporary pks by which entries name them. */
export class RenamedRecords {
  readonly #temporaryPks: MiddlewareAPI['mutations']['temporaryPks'];
  /** The pks that the server has given to records, by the temporary pks in the entries that have created them. */
  readonly #created = new Map<string, unknown>();

  constructor({ temporaryPks }: Pick<MiddlewareAPI['mutations'], 'temporaryPks'>) {
    this.#temporaryPks = temporaryPks;
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

  /** The pks of the records that these entries name by temporary pks, where another tab has created the record and the server has given it a pk. */
  of(entries: readonly QueuedEntry[]): ReadonlyMap<string, unknown> {
    const pks = new Set<string>();
    for (const { temporaryPk } of entries) if (temporaryPk !== undefined) pks.add(temporaryPk);
    return this.#known([...pks]);
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

/** Writes present pks into the arguments of entries, and bases the entries on present versions. Returns the entries that have changed. */
export function changedBy(
  entries: readonly QueuedEntry[],
  renamed: ReadonlyMap<string, unknown>,
): readonly QueuedEntry[] {
  return entries.filter((entry) => {
    const isNamed = [...renamed.keys()].some((name) => entry.texts.has(name));
    const args = isNamed ? withReplaced(entry.args, renamed) : entry.args;
    const isChanged = takeVersions(entry, renamed) || args !== entry.args;
    entry.args = args;
    return isChanged;
  });
}

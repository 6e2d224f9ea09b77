import { isPlain } from '../../std/plain.ts';
import type { QueuedEntry } from './outbox-entry.ts';

/** The fields that an edit changes. `undefined`: all of its record. */
type ChangedFields = ReadonlySet<string> | undefined;

/** The changes that were made while the edits of earlier starts could not be read. An edit of an earlier start that is sent afterwards would undo them. */
export class OvertakenEdits {
  /** The fields that later edits have changed, by the name of the record. */
  readonly #changed = new Map<string, ChangedFields>();

  /** Notes an edit that the server may have carried out. */
  note(entry: QueuedEntry): void {
    const fields = fieldsOf(entry);
    for (const name of entry.records) {
      const known = this.#changed.get(name);
      const isAll = fields === undefined || (this.#changed.has(name) && known === undefined);
      this.#changed.set(name, isAll ? undefined : new Set([...(known ?? []), ...fields]));
    }
  }

  /** Returns whether a later edit has changed a field that this edit changes. */
  has(entry: QueuedEntry): boolean {
    const fields = fieldsOf(entry);
    return entry.records.some((name) => {
      const changed = this.#changed.get(name);
      if (changed === undefined || fields === undefined) return this.#changed.has(name);
      return [...fields].some((field) => changed.has(field));
    });
  }

  clear(): void {
    this.#changed.clear();
  }
}

function fieldsOf({ args, method }: QueuedEntry): ChangedFields {
  const body = args.at(-1);
  return method === 'PATCH' && args.length > 1 && isPlain(body) ? new Set(Object.keys(body)) : undefined;
}

import type { Entity } from '../../define/schema/entity.ts';
import type { Store } from '../../state/store/store.ts';
import { type EntityWithPk, recordName } from './mutated-record.ts';
import type { TemporaryPks } from './temporary-pks.ts';

/** The records with pending mutations. Observers are notified of changes. */
export class PendingRecords {
  readonly #store: Store;
  readonly #temporaryPks: TemporaryPks;
  readonly #find: () => ReadonlySet<string>;
  /** The names of the records, computed when they are read. */
  #names: ReadonlySet<string> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(store: Store, temporaryPks: TemporaryPks, find: () => ReadonlySet<string>) {
    this.#store = store;
    this.#temporaryPks = temporaryPks;
    this.#find = find;
  }

  /** Whether a mutation of a record is pending, including its create. */
  has(record: Pick<Entity, 'pk'>): boolean {
    this.#names ??= this.#find();
    const entity = record.constructor as unknown as EntityWithPk;
    const pk = String(entity.pk(record));
    return (
      this.#temporaryPks.isPending(pk) || this.#names.has(recordName(entity.key, this.#store.pkOf(entity.key, pk)))
    );
  }

  /** Calls `onChange` whenever the result of `has` may have changed. Returns an unsubscribe function. */
  readonly watch = (onChange: () => void): (() => void) => {
    this.#listeners.add(onChange);
    return () => void this.#listeners.delete(onChange);
  };

  /** Call it when other mutations are pending than before. */
  noteChange(): void {
    this.#names = undefined;
    for (const onChange of this.#listeners) onChange();
  }
}

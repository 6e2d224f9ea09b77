import type { Entity } from '../../define/schema/entity.ts';
import type { Store } from '../../state/store/store.ts';
import { type EntityWithPk, nameNow, tableAndPkOf } from './mutated-record.ts';
import { pksIn } from './pks-in-text.ts';
import type { RequestInFlight } from './request-in-flight.ts';
import type { TemporaryPks } from './temporary-pks.ts';
import { notifyEach } from '../../std/listeners.ts';

/** Returns whether a record of a table is one of some records. */
type IsAmong = (table: string, pk: string) => boolean;

/** The records with pending mutations. Observers are notified of changes. */
export class PendingRecords {
  readonly #store: Store;
  readonly #temporaryPks: TemporaryPks;
  /** The names of the records that each pending mutation changes. */
  readonly #names = new Map<RequestInFlight, Set<string>>();
  /** How many mutations change a record, by its name. A new set of all names for each answer would take long. */
  readonly #counts = new Map<string, number>();
  /** Those of the names that have temporary pks, which aliases may have replaced since. */
  readonly #temporary = new Set<string>();
  #isPending: IsAmong | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(store: Store, temporaryPks: TemporaryPks) {
    this.#store = store;
    this.#temporaryPks = temporaryPks;
  }

  /** Returns whether a mutation of a record is pending, including its create. */
  has(record: Pick<Entity, 'pk'>): boolean {
    this.#isPending ??= this.test();
    const entity = record.constructor as unknown as EntityWithPk;
    const pk = String(entity.pk(record));
    return this.#temporaryPks.isPending(pk) || this.#isPending(entity.key, pk);
  }

  /** Returns a function that tells whether a pending mutation changes a record. Use it before anything else changes. */
  test(): IsAmong {
    const nameOf = (table: string, pk: string): string => nameNow(this.#store, table, pk);
    const renamed = new Set(Array.from(this.#temporary, (name) => nameOf(...tableAndPkOf(name))));
    // Called for each record of an answer. Without pending mutations, it makes no name.
    return (table, pk) => {
      if (this.#counts.size === 0) return false;
      const name = nameOf(table, pk);
      return this.#counts.has(name) || renamed.has(name);
    };
  }

  /** Calls `onChange` whenever the result of `has` may have changed. Returns an unsubscribe function. */
  readonly watch = (onChange: () => void): (() => void) => {
    this.#listeners.add(onChange);
    return () => void this.#listeners.delete(onChange);
  };

  /** Call it when a mutation begins, with the names of the records that it is known to change. */
  begin(request: RequestInFlight, names: Iterable<string>): void {
    this.#names.set(request, new Set());
    for (const name of names) this.note(request, name);
  }

  /** Notes a record that a mutation changes, unless the mutation has settled. */
  note(request: RequestInFlight, name: string): void {
    const names = this.#names.get(request);
    if (names === undefined || names.has(name)) return;
    names.add(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (pksIn(name).length > 0) this.#temporary.add(name);
  }

  /** Call it when an edit has changed the pk of a record. */
  changePk(from: string, to: string): void {
    for (const [request, names] of this.#names) if (names.has(from)) this.note(request, to);
  }

  /** Call it when a mutation has settled. */
  forget(request: RequestInFlight): void {
    for (const name of this.#names.get(request) ?? []) {
      const left = (this.#counts.get(name) as number) - 1;
      if (left > 0) this.#counts.set(name, left);
      else {
        this.#counts.delete(name);
        this.#temporary.delete(name);
      }
    }
    this.#names.delete(request);
  }

  clear(): void {
    this.#names.clear();
    this.#counts.clear();
    this.#temporary.clear();
  }

  /** Call it when other mutations are pending than before. */
  noteChange(): void {
    this.#isPending = undefined;
    notifyEach(this.#listeners, undefined);
  }
}

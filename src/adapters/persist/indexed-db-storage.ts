import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import { watchStops } from '../../control/manager/presence.ts';
import type { OpenStorage, StorageContent, TextStorage } from '../../std/text-storage.ts';

interface EntriesDatabase extends DBSchema {
  entries: { key: string; value: { readonly key: string; readonly value: string } };
}

/** How many entries are read or written before the page gets a chance to handle other tasks. */
const SLICE = 500;

/** Stores text in IndexedDB, with one database for each name. */
export function indexedDbStorage(): TextStorage {
  return {
    open: async (name) => {
      const database = await openDB<EntriesDatabase>(name, 1, {
        upgrade: (opened) => void opened.createObjectStore('entries', { keyPath: 'key' }),
        // Another version of the application wants to upgrade the database. Closing lets it go on.
        blocking: (_current, _wanted, { target }) => (target as IDBPDatabase<EntriesDatabase>).close(),
      });
      return new OpenDatabase(database);
    },
  };
}

class OpenDatabase implements OpenStorage {
  readonly #database: IDBPDatabase<EntriesDatabase>;

  constructor(database: IDBPDatabase<EntriesDatabase>) {
    this.#database = database;
  }

  async read(): Promise<StorageContent> {
    const few = await this.#readFew();
    return few.length < SLICE ? { entries: few.map(({ key, value }) => [key, value] as const) } : this.#readSlices();
  }

  /** Reads the first slice. A page that the browser freezes meanwhile does not hold up the other pages, because the transaction ends without it. */
  #readFew(): Promise<readonly EntriesDatabase['entries']['value'][]> {
    const transaction = this.#database.transaction('entries');
    transaction.done.catch(ignore);
    const found = transaction.store.getAll(undefined, SLICE);
    try {
      transaction.commit();
    } catch {
      // The transaction was aborted, and its request with it.
    }
    return found;
  }

  #readSlices(): Promise<StorageContent> {
    return this.#inOne('readonly', async ({ store }) => {
      const entries: (readonly [string, string])[] = [];
      let range: IDBKeyRange | undefined;
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- in slices, of one transaction
        const found = await store.getAll(range, SLICE);
        for (const { key, value } of found) entries.push([key, value]);
        const last = found.at(-1);
        if (last === undefined || found.length < SLICE) return { entries };
        range = IDBKeyRange.lowerBound(last.key, true);
      }
    });
  }

  write(changes: ReadonlyMap<string, string | undefined>): Promise<void> {
    return this.#inOne('readwrite', async (transaction) => {
      const { store } = transaction;
      let count = 0;
      try {
        for (const [key, value] of changes) {
          const done = value === undefined ? store.delete(key) : store.put({ key, value });
          // The result of the transaction is awaited below.
          done.catch(ignore);
          // oxlint-disable-next-line no-await-in-loop -- in slices, of one transaction
          if (++count % SLICE === 0) await done;
        }
        // The transaction then ends even if the browser freezes this page now.
        transaction.commit();
      } catch {
        // A failed request has ended the transaction already.
      }
      await transaction.done;
    });
  }

  /**
   * Runs requests in one transaction. If the browser stops the page meanwhile, the transaction is undone, so that it does not hold up the other
   * pages, and the requests are made again when the page goes on.
   */
  async #inOne<Mode extends 'readonly' | 'readwrite', Value>(
    mode: Mode,
    run: (transaction: IDBPTransaction<EntriesDatabase, ['entries'], Mode>) => Promise<Value>,
  ): Promise<Value> {
    const transaction = this.#database.transaction('entries', mode);
    // The error of the transaction is that of a request, and the requests are awaited.
    transaction.done.catch(ignore);
    let isUndone = false;
    const undo = (): void => {
      try {
        transaction.abort();
        isUndone = true;
      } catch {
        // The transaction has ended already.
      }
    };
    const unwatch = watchStops(globalThis, (isStopped) => isStopped && undo());
    try {
      return await run(transaction);
    } catch (error) {
      if (!isUndone) throw error;
    } finally {
      unwatch();
    }
    return this.#inOne(mode, run);
  }

  async clear(): Promise<void> {
    await this.#database.clear('entries');
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}

function ignore(): void {}

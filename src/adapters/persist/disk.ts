import { namedError } from '../../std/cancelling.ts';
import type { OpenStorage, TextStorage } from '../../std/text-storage.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import type { Platform } from '../../std/platform.ts';
import { withTimeout } from '../../std/timeout.ts';

/** Wraps a storage that may fail or never answer. */
export class Disk {
  readonly #storage: TextStorage;
  readonly #name: string;
  readonly #platform: Pick<Platform, 'setTimeout' | 'clearTimeout'>;
  #open: Promise<OpenStorage> | undefined;
  /** How often the storage was opened. Browsers close the connections of a storage that they delete. */
  #opens = 0;
  /** `#opens` when the entries were last read or written. */
  #seen = 1;

  constructor(storage: TextStorage, name: string, platform: Pick<Platform, 'setTimeout' | 'clearTimeout'>) {
    this.#storage = storage;
    this.#name = name;
    this.#platform = platform;
  }

  /** Returns whether the browser has deleted the entries since they were last seen. */
  async isEmptied(storage: OpenStorage): Promise<boolean> {
    if (this.#opens <= this.#seen) return false;
    const { entries, damaged = 0 } = await storage.read();
    return new Map(entries).size + damaged === 0;
  }

  /** Call it when the entries were read or written. */
  noteSeen(): void {
    this.#seen = this.#opens;
  }

  /** Runs a function on the storage, with a timeout in milliseconds. Browsers sometimes close a connection, so a failed call is tried once more with a new connection. */
  async use<Value>(milliseconds: number, run: (storage: OpenStorage) => Promise<Value>): Promise<Value> {
    try {
      return await this.inTime(milliseconds, (isOver) => this.#tryTwice(run, isOver));
    } catch (error) {
      void this.close();
      throw error;
    }
  }

  /** Rejects if `work` takes longer than `milliseconds`. Work that is late must not undo later changes, so it can ask whether its time is over. */
  async inTime<Value>(milliseconds: number, work: (isOver: () => boolean) => Promise<Value>): Promise<Value> {
    let isOver = false;
    const onLate = (): never => {
      throw storageTimeout(this.#name, milliseconds);
    };
    try {
      return await withTimeout(
        work(() => isOver),
        milliseconds,
        onLate,
        this.#platform,
      );
    } finally {
      isOver = true;
    }
  }

  async #tryTwice<Value>(run: (storage: OpenStorage) => Promise<Value>, isOver: () => boolean): Promise<Value> {
    const open = async (): Promise<OpenStorage> => {
      const storage = await this.#openOnce();
      if (isOver()) throw namedError('TimeoutError', 'The storage was opened too late.');
      return storage;
    };
    try {
      return await run(await open());
    } catch (error) {
      if (isOver()) throw error;
      await this.close();
      return run(await open());
    }
  }

  #openOnce(): Promise<OpenStorage> {
    return (this.#open ??= (async () => {
      this.#opens++;
      return this.#storage.open(this.#name);
    })());
  }

  /** Closes the storage. The next call opens it again. */
  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    try {
      await (await open)?.close();
    } catch {
      // The connection is dropped, even if closing it fails.
    }
  }
}

export function storageTimeout(name: string, milliseconds: number): DataError {
  return new DataError(
    'storage-timeout',
    `The storage of ${name} did not answer within ${milliseconds} ms. The application continues, but nothing is saved.`,
  );
}

export function storageLater(name: string): DataError {
  return new DataError(
    'storage-later',
    `The data of ${name} is of a later version of the application. It stays as it is, and this page saves nothing.`,
    { cure: inDevelopment(() => 'Reload the page to get the later version.') },
  );
}

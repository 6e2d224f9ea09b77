import type { OpenStorage, TextStorage } from 'rejoin/persist';
import { deferred } from '../../src/std/deferred.ts';

/** The wrong behaviour of a storage at one of its operations. */
export type Fault = 'throws' | 'hangs' | 'rejects' | 'is full' | 'is cut off' | 'closes';

/** A storage that counts its operations, and behaves wrongly at one of them. */
export class FaultyStorage implements TextStorage {
  readonly #inner: TextStorage;
  readonly fault: Fault;
  /** The operation that fails, counted from 1; with `isLasting` all later ones too. */
  at: number;
  readonly isLasting: boolean;
  /** The number of operations. */
  count = 0;

  constructor(inner: TextStorage, fault: Fault, at: number, isLasting = false) {
    this.#inner = inner;
    this.fault = fault;
    this.at = at;
    this.isLasting = isLasting;
  }

  async open(name: string): Promise<OpenStorage> {
    const { storage } = await this.#do(async () => ({ storage: await this.#inner.open(name) }));
    let isClosed = false;
    const inOrder = <Value>(run: () => Promise<Value>, half?: () => Promise<unknown>): Promise<Value> => {
      if (isClosed) return Promise.reject(new DOMException('closed', 'InvalidStateError'));
      return this.#do(run, half, () => (isClosed = true));
    };
    return {
      read: () => inOrder(() => storage.read()),
      write: (changes) => inOrder(() => storage.write(changes)),
      clear: () => inOrder(() => storage.clear()),
      close: () => storage.close(),
    };
  }

  #do<Value>(run: () => Promise<Value>, _half?: () => Promise<unknown>, close?: () => void): Promise<Value> {
    const isWrong = ++this.count === this.at || (this.isLasting && this.count > this.at);
    if (!isWrong) return run();
    switch (this.fault) {
      case 'throws':
        throw new TypeError('no storage');
      case 'hangs':
        return deferred().promise as Promise<never>;
      case 'rejects':
        return Promise.reject(new DOMException('refused', 'UnknownError'));
      case 'is full':
        return Promise.reject(new DOMException('full', 'QuotaExceededError'));
      case 'is cut off':
        // The write was done, but its promise rejects.
        return run().then(() => Promise.reject(new DOMException('lost', 'AbortError')));
      case 'closes':
        close?.();
        return Promise.reject(new DOMException('closing', 'InvalidStateError'));
    }
  }
}

/** A storage that its browser deletes while it is open, and whose operations it can hold up. */
export class DeletedStorage implements TextStorage {
  readonly #entries = new Map<string, Map<string, string>>();
  readonly #open = new Set<{ isClosed: boolean }>();
  /** The operations that never end. */
  readonly hanging = new Set<keyof OpenStorage>();
  /** The operations that reject. */
  readonly failing = new Set<keyof OpenStorage>();

  async open(name: string): Promise<OpenStorage> {
    const connection = { isClosed: false };
    this.#open.add(connection);
    const entries = (): Map<string, string> => {
      const known = this.#entries.get(name) ?? new Map<string, string>();
      this.#entries.set(name, known);
      return known;
    };
    const run = async <Value>(operation: keyof OpenStorage, act: () => Value): Promise<Value> => {
      await new Promise(setImmediate);
      if (this.hanging.has(operation)) await deferred().promise;
      if (this.failing.has(operation)) throw new DOMException('refused', 'UnknownError');
      if (connection.isClosed) throw new DOMException('The connection is closing.', 'InvalidStateError');
      return act();
    };
    return {
      read: () => run('read', () => ({ entries: [...entries()] })),
      write: (changes) =>
        run('write', () => {
          for (const [key, text] of changes)
            if (text === undefined) entries().delete(key);
            else entries().set(key, text);
        }),
      clear: () => run('clear', () => entries().clear()),
      close: () => run('close', () => undefined),
    };
  }

  /** What a browser does for "Clear site data": it closes all connections, and deletes the entries. */
  delete(): void {
    for (const connection of this.#open) connection.isClosed = true;
    this.#open.clear();
    this.#entries.clear();
  }

  keysOf(name: string): readonly string[] {
    return [...(this.#entries.get(name)?.keys() ?? [])];
  }
}

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

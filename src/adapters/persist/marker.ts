/** The part of `localStorage` that is used. */
export interface MarkerStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Remembers outside of a storage that it had entries, so that a storage that was emptied can be told from a new one. */
export class Marker {
  readonly #key: string;
  readonly #find: () => MarkerStorage | undefined;

  constructor(name: string, find: () => MarkerStorage | undefined = localStorageOf) {
    this.#key = `rejoin ${name}`;
    this.#find = find;
  }

  get isSet(): boolean {
    return this.#use((storage) => storage.getItem(this.#key)) === '1';
  }

  set(isSet: boolean): void {
    this.#use((storage) => (isSet ? storage.setItem(this.#key, '1') : storage.removeItem(this.#key)));
  }

  /** Without such a storage, or if the browser forbids to use it, nothing is remembered. */
  #use<Value>(run: (storage: MarkerStorage) => Value): Value | undefined {
    try {
      const storage = this.#find();
      return storage && run(storage);
    } catch {
      return undefined;
    }
  }
}

function localStorageOf(): MarkerStorage | undefined {
  const page = globalThis as { readonly document?: unknown; readonly localStorage?: MarkerStorage };
  return page.document === undefined ? undefined : page.localStorage;
}

import type { OpenStorage, TextStorage } from '../../std/text-storage.ts';

/** Turns text into another text and back, such as with AES-GCM. `decrypt` rejects for text that it did not make. */
export interface Cipher {
  encrypt(text: string): string | Promise<string>;
  decrypt(text: string): string | Promise<string>;
}

/**
 * Stores values encrypted in another storage. Keys are stored as they are: names of tables, pks and requests. A value that cannot be
 * decrypted counts as damaged.
 */
export function encryptedStorage(storage: TextStorage, cipher: Cipher): TextStorage {
  return { open: async (name) => new EncryptedStorage(await storage.open(name), cipher) };
}

class EncryptedStorage implements OpenStorage {
  readonly #inner: OpenStorage;
  readonly #cipher: Cipher;
  /** Resolves when the values of all writes so far are encrypted, which may take longer for earlier ones. Never rejects. */
  #encrypted: Promise<void> = Promise.resolve();

  constructor(inner: OpenStorage, cipher: Cipher) {
    this.#inner = inner;
    this.#cipher = cipher;
  }

  async read(): ReturnType<OpenStorage['read']> {
    const { entries, damaged = 0 } = await this.#inner.read();
    const read = await Promise.all(Array.from(entries, ([key, value]) => this.#decrypted(key, value)));
    const known = read.filter((entry) => entry !== undefined);
    return { entries: known, damaged: damaged + read.length - known.length };
  }

  async #decrypted(key: string, value: string): Promise<readonly [key: string, value: string] | undefined> {
    try {
      return [key, await this.#cipher.decrypt(value)];
    } catch {
      return undefined;
    }
  }

  write(changes: ReadonlyMap<string, string | undefined>): Promise<void> {
    const encrypting = Promise.all(
      Array.from(
        changes,
        async ([key, value]) => [key, value === undefined ? undefined : await this.#cipher.encrypt(value)] as const,
      ),
    );
    // It may be rejected before its turn.
    encrypting.catch(ignore);
    const inTurn = this.#encrypted.then(() => encrypting);
    this.#encrypted = inTurn.then(ignore, ignore);
    return inTurn.then((entries) => this.#inner.write(new Map(entries)));
  }

  clear(): Promise<void> {
    return this.#encrypted.then(() => this.#inner.clear());
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

function ignore(): void {}

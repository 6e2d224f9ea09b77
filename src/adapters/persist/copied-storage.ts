import { DataError } from '../../std/data-error.ts';
import type { OpenStorage, StorageContent, TextStorage } from '../../std/text-storage.ts';
import { BrowserCaches } from './browser-caches.ts';

/** Requests need a URL. Nothing is ever sent to this one. */
const ORIGIN = 'https://rejoin.invalid/';

/** How long a write waits for its copy, in milliseconds. An edit without a copy can be lost, and a busy device takes seconds for it. */
const LONGEST_COPY = 5000;

/**
 * Stores text in another storage, and a copy of it in the Cache Storage of the browser. If the other storage is empty at a start, as
 * IndexedDB can be after the browser was killed, its entries are restored from the copy. Without a Cache Storage, returns the other storage.
 */
export function copiedStorage(storage: TextStorage): TextStorage {
  if (!BrowserCaches.areHere) return storage;
  return { open: async (name) => new CopiedStorage(await storage.open(name), `rejoin copy ${name}`) };
}

/** Works without the copy while the browser refuses it, or does not answer. */
class CopiedStorage implements OpenStorage {
  readonly #inner: OpenStorage;
  readonly #name: string;
  readonly #caches = new BrowserCaches();
  /** The changes that are not in the copy. */
  #uncopied = new Map<string, string | undefined>();
  /** Whether the copy was compared with the storage, as at the start of a tab, and after the browser has closed the connection. */
  #isCompared = false;
  /**
   * The copies, by key. Each has a URL of its own, because a browser that is killed while it writes over a copy has neither of the two. The
   * number at the end of the URL increases.
   */
  readonly #urls = new Map<string, string>();
  #count = Date.now();
  /** Resolves when the last copy is made, or is late. */
  #copied: Promise<void> = Promise.resolve();

  constructor(inner: OpenStorage, name: string) {
    this.#inner = inner;
    this.#name = name;
    this.#caches.onLateAnswer = () => void this.#copy();
  }

  async read(): Promise<StorageContent> {
    const content = await this.#inner.read();
    if (this.#isCompared) return content;
    const entries = new Map(content.entries);
    const copies = await this.#copies();
    // They were never stored: the browser was killed between the two writes.
    const unstored = copies.map(({ url }) => keyOf(url)).filter((key) => !entries.has(key));
    if (entries.size + (content.damaged ?? 0) === 0 && copies.length > 0) return this.#restored(copies);
    await this.#copy(new Map(unstored.map((key) => [key, undefined])));
    return { ...content, entries };
  }

  /** A storage that was deleted while it was open is empty when it is opened again for a write. */
  async #restoreEmptied(): Promise<void> {
    if (this.#isCompared) return;
    const { entries, damaged = 0 } = await this.#inner.read();
    const [first] = entries;
    this.#isCompared = first !== undefined || damaged > 0;
    if (this.#isCompared) return;
    const copies = await this.#copies(LONGEST_COPY);
    if (copies.length > 0) await this.#restored(copies);
  }

  async #copies(milliseconds?: number): Promise<readonly Request[]> {
    const copies = await this.#caches.use(async (caches) => (await caches.open(this.#name)).keys(), milliseconds);
    // If the answer is late, the next write compares them.
    this.#isCompared = !this.#caches.isBlocked;
    const sorted = [...(copies ?? [])].sort((one, other) => numberOf(one.url) - numberOf(other.url));
    for (const { url } of sorted) this.#urls.set(keyOf(url), url);
    return sorted;
  }

  /** Writes the copies to the storage, unless another tab has written to it meanwhile. Returns the content of the storage. */
  async #restored(copies: readonly Request[]): Promise<StorageContent> {
    const texts = await this.#caches.use(async (caches) => {
      const cache = await caches.open(this.#name);
      return Promise.all(copies.map(async (copy) => (await cache.match(copy))?.text()));
    });
    const now = await this.#inner.read();
    const entries = new Map(now.entries);
    if (entries.size > 0) return { ...now, entries };
    for (const [at, { url }] of copies.entries()) {
      const text = texts?.[at];
      if (text !== undefined) entries.set(keyOf(url), text);
    }
    await this.#inner.write(entries);
    return { ...now, entries };
  }

  async write(changes: ReadonlyMap<string, string | undefined>): Promise<void> {
    const copied = this.#copied.then(() => this.#restoreEmptied()).then(() => this.#copy(changes));
    this.#copied = copied.catch(ignore);
    // Before the entries, so that no stored entry lacks its copy, and no deleted one comes back.
    await copied;
    await this.#inner.write(changes);
  }

  async #copy(changes: ReadonlyMap<string, string | undefined> = new Map()): Promise<void> {
    for (const [key, text] of changes) this.#uncopied.set(key, text);
    if (this.#uncopied.size === 0) return;
    await this.#caches.use(async (caches) => {
      const copied = this.#uncopied;
      this.#uncopied = new Map();
      try {
        const cache = await caches.open(this.#name);
        await Promise.all(
          Array.from(copied, async ([key, text]) => {
            const former = this.#urls.get(key);
            const url = `${ORIGIN}${encodeURIComponent(key)}?${++this.#count}`;
            if (text === undefined) this.#urls.delete(key);
            else {
              await cache.put(url, new Response(text));
              this.#urls.set(key, url);
            }
            if (former !== undefined) await cache.delete(former);
            // Another tab may have made it.
            else if (text === undefined) await cache.delete(url, { ignoreSearch: true });
          }),
        );
      } catch {
        // The next copy includes them.
        this.#uncopied = new Map([...copied, ...this.#uncopied]);
      }
    }, LONGEST_COPY);
  }

  async clear(): Promise<void> {
    this.#uncopied.clear();
    this.#urls.clear();
    await this.#caches.use((caches) => caches.delete(this.#name));
    await this.#inner.clear();
    if (this.#caches.isBlocked) throw copyBlocked(this.#name);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

function keyOf(url: string): string {
  return decodeURIComponent(url.slice(ORIGIN.length).split('?', 1)[0] as string);
}

function numberOf(url: string): number {
  return Number(url.split('?')[1] ?? 0);
}

function copyBlocked(name: string): DataError {
  return new DataError(
    'storage-timeout',
    `The Cache Storage did not answer, so the copy under "${name}" may not be deleted. The storage itself is deleted.`,
  );
}

function ignore(): void {}

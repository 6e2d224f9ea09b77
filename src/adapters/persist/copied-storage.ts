import { DataError } from '../../std/data-error.ts';
import type { OpenStorage, StorageContent, TextStorage } from '../../std/text-storage.ts';
import { BrowserCaches } from './browser-caches.ts';

/** Requests need a URL. Nothing is ever sent to this one. */
const ORIGIN = 'https://rejoin.invalid/';

/** How long a write waits for its copy, in milliseconds. A busy device takes seconds to make a copy, and an edit without one can be lost. */
const MAX_COPY_MS = 5000;

/**
 * Stores text in another storage, and a copy of it in the Cache Storage of the browser. If the other storage is empty at a start, as
 * IndexedDB can be after the browser was killed, its entries are restored from the copy. Without a Cache Storage, returns the other storage.
 */
export function copiedStorage(storage: TextStorage): TextStorage {
  if (!BrowserCaches.exist) return storage;
  return { open: async (name) => new CopiedStorage(await storage.open(name), `rejoin copy ${name}`) };
}

/**
 * The key of a note in the storage about copies without an entry. `LOST`: they could not be read when the storage was found empty, and have to be
 * restored. `OLD`: they are from before a logout. Without a note, they are those of an emptied storage, or of entries that were never stored.
 */
const NOTE = 'rejoin copies';
const LOST = 'lost';
const OLD = 'old';

interface StoredContent {
  readonly content: StorageContent & { readonly entries: ReadonlyMap<string, string> };
  /** Whether the storage lacks entries of which there are copies. */
  readonly isEmptied: boolean;
}

/** Works without the copy while the browser refuses it, or does not answer. */
class CopiedStorage implements OpenStorage {
  readonly #inner: OpenStorage;
  readonly #name: string;
  readonly #caches = new BrowserCaches();
  /** The changes that are not in the copy. */
  #uncopied = new Map<string, string | undefined>();
  /** Whether the copy was compared with the storage since the storage was opened. */
  #isCompared = false;
  /**
   * The URLs of the copies that this tab has made, by key. Each copy has a URL of its own, because a browser that is killed while it writes over a copy has neither
   * of the two. The number at the end of the URL increases, also from one tab to the next.
   */
  readonly #urls = new Map<string, string>();
  /** The keys that were read. Other tabs may have made copies of them. */
  readonly #read = new Set<string>();
  #count = 0;
  /** Resolves when the last copy is made, or is late. */
  #copied: Promise<void> = Promise.resolve();

  constructor(inner: OpenStorage, name: string) {
    this.#inner = inner;
    this.#name = name;
    this.#caches.onLateAnswer = () => void this.#copy();
  }

  async read(): Promise<StorageContent> {
    const { content, isEmptied } = await this.#stored();
    if (this.#isCompared) return content;
    const copies = await this.#copies();
    const { entries } = content;
    if (isEmptied) return copies.length + entries.size > 0 && this.#isCompared ? this.#restored(copies) : content;
    if (copies.some(({ url }) => !entries.has(keyOf(url)))) void this.#deleteUnstored().catch(ignore);
    return content;
  }

  async #stored(): Promise<StoredContent> {
    const { damaged = 0, ...others } = await this.#inner.read();
    const entries = new Map(others.entries);
    const note = entries.get(NOTE);
    entries.delete(NOTE);
    for (const key of entries.keys()) this.#read.add(key);
    const isEmptied = note === LOST || (note === undefined && entries.size + damaged === 0);
    return { content: { entries, ...(damaged > 0 && { damaged }) }, isEmptied };
  }

  /**
   * Deletes copies of entries that were never stored, because the browser was killed between the two writes. Skips this while a tab writes,
   * because that tab may be between its two writes.
   */
  async #deleteUnstored(): Promise<void> {
    await withLock(this.#name, { ifAvailable: true }, async () => {
      const { content, isEmptied } = await this.#stored();
      if (isEmptied) return;
      const keys = (await this.#copies()).map(({ url }) => keyOf(url));
      await this.#copy(new Map(keys.filter((key) => !content.entries.has(key)).map((key) => [key, undefined])));
    });
  }

  /** A storage that was deleted while it was open is empty when it is opened again for a write. */
  async #restoreEmptied(): Promise<void> {
    if (this.#isCompared) return;
    const { isEmptied } = await this.#stored();
    this.#isCompared = !isEmptied;
    if (!isEmptied) return;
    const copies = await this.#copies(MAX_COPY_MS);
    if (this.#isCompared) await this.#restored(copies, MAX_COPY_MS);
  }

  async #copies(milliseconds?: number): Promise<readonly Request[]> {
    const copies = await this.#caches.use(async (caches) => (await caches.open(this.#name)).keys(), milliseconds);
    // If the answer is late, the next write compares them.
    this.#isCompared = !this.#caches.isBlocked;
    return inOrder(copies ?? []);
  }

  /** Writes the copies to the storage, unless another tab has done so meanwhile. Returns the content of the storage. */
  async #restored(copies: readonly Request[], milliseconds?: number): Promise<StorageContent> {
    const copied = await this.#caches.use((caches) => this.#textsOf(caches, copies), milliseconds);
    this.#isCompared = !this.#caches.isBlocked;
    const { content, isEmptied } = await this.#stored();
    if (!isEmptied || copied === undefined) return content;
    const lost = [...copied].filter(([key]) => !content.entries.has(key));
    for (const [key] of lost) this.#read.add(key);
    await this.#inner.write(new Map<string, string | undefined>([...lost, [NOTE, undefined]]));
    return { ...content, entries: [...lost, ...content.entries] };
  }

  /** Returns the texts of copies. If another tab has replaced one of them meanwhile, returns the texts of the present copies. */
  async #textsOf(caches: CacheStorage, copies: readonly Request[]): Promise<ReadonlyMap<string, string>> {
    const cache = await caches.open(this.#name);
    const answers = await Promise.all(copies.map((copy) => cache.match(copy)));
    if (answers.includes(undefined)) return this.#textsOf(caches, inOrder(await cache.keys()));
    const texts = await Promise.all(answers.map(async (answer) => answer?.text() ?? ''));
    return new Map(copies.map(({ url }, at) => [keyOf(url), texts[at] ?? '']));
  }

  async write(changes: ReadonlyMap<string, string | undefined>): Promise<void> {
    await withLock(this.#name, { mode: 'shared' }, async () => {
      const copied = this.#copied.then(() => this.#restoreEmptied()).then(() => this.#copy(changes));
      this.#copied = copied.catch(ignore);
      // The copy is written before the entries, so that no stored entry lacks its copy, and no deleted entry comes back.
      await copied;
      await this.#inner.write(this.#isCompared ? changes : new Map([...changes, [NOTE, LOST]]));
    });
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
          Array.from(copied, ([key, text]) =>
            text === undefined ? this.#delete(cache, key) : this.#put(cache, key, text),
          ),
        );
      } catch {
        // The next copy includes them.
        this.#uncopied = new Map([...copied, ...this.#uncopied]);
      }
    }, MAX_COPY_MS);
  }

  async #delete(cache: Cache, key: string): Promise<void> {
    const former = this.#urls.get(key);
    this.#urls.delete(key);
    // Another tab may have made copies.
    await (former === undefined ? cache.delete(urlOf(key), { ignoreSearch: true }) : cache.delete(former));
  }

  async #put(cache: Cache, key: string, text: string): Promise<void> {
    const former = this.#urls.get(key);
    const others =
      former === undefined && this.#read.has(key) ? await cache.keys(urlOf(key), { ignoreSearch: true }) : [];
    this.#count = Math.max(Date.now(), this.#count + 1, ...others.map(({ url }) => numberOf(url) + 1));
    const url = `${urlOf(key)}?${this.#count}`;
    await cache.put(url, new Response(text));
    this.#urls.set(key, url);
    await Promise.all([...others, ...(former === undefined ? [] : [former])].map((copy) => cache.delete(copy)));
  }

  async clear(): Promise<void> {
    this.#uncopied.clear();
    this.#urls.clear();
    await this.#caches.use((caches) => caches.delete(this.#name));
    await this.#inner.clear();
    if (!this.#caches.isBlocked) return;
    await this.#inner.write(new Map([[NOTE, OLD]]));
    throw copyBlocked(this.#name);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

function inOrder(copies: readonly Request[]): readonly Request[] {
  return [...copies].sort((one, other) => numberOf(one.url) - numberOf(other.url));
}

function urlOf(key: string): string {
  return `${ORIGIN}${encodeURIComponent(key)}`;
}

function keyOf(url: string): string {
  return decodeURIComponent(url.slice(ORIGIN.length).split('?', 1)[0] as string);
}

/** The part of `navigator.locks` that is used here. */
interface WriteLocks {
  request(name: string, options: object, run: (lock: unknown) => Promise<void>): Promise<void>;
}

/** Runs a function with a lock. With `ifAvailable`, only if no other tab has it. Where the browser has no locks, or refuses them, runs it at once. */
async function withLock(name: string, options: object, run: () => Promise<void>): Promise<void> {
  const { locks } = (globalThis as { readonly navigator?: { readonly locks?: WriteLocks } }).navigator ?? {};
  if (!locks) return run();
  let isAnswered = false;
  try {
    await locks.request(name, options, async (lock) => {
      isAnswered = true;
      if (lock !== null) await run();
    });
  } catch (error) {
    if (isAnswered) throw error;
  }
  if (!isAnswered) await run();
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

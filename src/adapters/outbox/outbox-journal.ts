import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { StorageContent } from '../../std/text-storage.ts';
import { thrown } from '../../std/thrown.ts';
import type { Disk } from '../persist/disk.ts';
import { type SliceOptions, timeSlices } from '../persist/time-slices.ts';
import { byPlace, type QueuedEntry, type StoredArgs } from './outbox-entry.ts';
import { entryFrom, toText } from './saved-edit.ts';
import { withReplaced } from './saved-pks.ts';

// Fixed format: disks have these keys.
/** The prefixes of the keys of entries, and of the files in their arguments. */
const ENTRY = 'entry ';
const FILE = 'file ';
/** A key that is in the storage once an entry was deleted. It tells a storage whose entries are all deleted from one that the browser has emptied. */
const DELETED = 'deleted';
/** The prefix of the keys of former pks. Entries of other tabs may still use them for records that have another pk now. */
const RENAMED = 'renamed ';
/** The timeout of a write, in milliseconds. */
const MAX_WRITE_MS = 30_000;

export interface ReadEntries {
  readonly entries: readonly QueuedEntry[];
  /** How many entries could not be read. */
  readonly damaged: number;
  /** Whether nothing at all is in the storage. */
  readonly isEmpty: boolean;
  /** The present pks of records, by the pks by which entries may name them. */
  readonly renamed: ReadonlyMap<string, unknown>;
}

/** An entry to write, or to delete. */
interface EntryToWrite {
  readonly entry: QueuedEntry;
  readonly isRemoved: boolean;
}

interface EntryChanges {
  readonly changes: Map<string, string | undefined>;
  /** What the storage has of the entries once the changes are written. */
  readonly stored: Map<QueuedEntry, StoredArgs | undefined>;
}

/** Writes entries to the storage, and reads them at the next start. */
export class OutboxJournal {
  readonly #disk: Disk;
  readonly #onError: (error: unknown) => void;
  readonly #since: number;
  readonly #platform: SliceOptions['platform'];
  /** The keys of renamed records to write, or to delete. */
  readonly #renamed = new Map<string, string | undefined>();
  /** The entries to write or to delete, by id. */
  #pending = new Map<string, EntryToWrite>();
  /** The entries of the last write that has begun, by id. */
  #writing = new Map<string, EntryToWrite>();
  /** The hold that the progress of entries waits for. */
  #held: object | undefined;
  /** The entries as they were read, by their keys, until this tab changes them. */
  readonly #read = new Map<string, { readonly entry: QueuedEntry; readonly text: string }>();
  /** Resolves when the last content of the storage is turned into entries. */
  #parsed: Promise<unknown> = Promise.resolve();
  /** The last write, which may not have begun. */
  #work: Promise<boolean> | undefined;
  /** The write before the last one. */
  #before: Promise<boolean> | undefined;
  /** The last write, until it begins. */
  #next: Promise<boolean> | undefined;
  /** Whether the storage has failed, and no write has succeeded since. Then entries are sent without waiting for it. */
  isFailing = false;
  /** Whether the application knows that, as long as no write has succeeded since. */
  #isReported = false;
  /** Whether the last write was given up because it took too long. */
  #isHanging = false;
  /** Returns the entries of this tab. */
  ownEntries: () => readonly QueuedEntry[] = () => [];
  /** Called after each write. */
  onWritten: () => void = () => {};

  /** `onError` is called for the first of several failures that come one after another. `since`: entries that were made until then are those of a former user. */
  constructor(disk: Disk, platform: SliceOptions['platform'], onError: (error: unknown) => void, since: number) {
    this.#disk = disk;
    this.#platform = platform;
    this.#onError = onError;
    this.#since = since;
  }

  /** Turns the content of the storage into entries, in slices of time. Calls resolve in their order. */
  parse(content: StorageContent, endpoints: ReadonlyMap<string, EndpointInterface>): Promise<ReadEntries> {
    const parsed = this.#parsed.then(() => this.#parse(content, endpoints));
    this.#parsed = parsed.catch(ignore);
    return parsed;
  }

  async #parse(
    { entries: content, damaged: unread = 0 }: StorageContent,
    endpoints: ReadonlyMap<string, EndpointInterface>,
  ): Promise<ReadEntries> {
    const slice = timeSlices(this.#platform);
    const texts = new Map(content);
    const renamed = renamedIn(texts);
    const entries: QueuedEntry[] = [];
    let damaged = unread;
    for (const key of this.#read.keys()) if (!texts.has(key)) this.#read.delete(key);
    for (const [key, text] of texts) {
      if (!key.startsWith(ENTRY)) continue;
      const pause = slice();
      if (pause) await pause; // oxlint-disable-line no-await-in-loop -- one slice after another
      try {
        let known = this.#read.get(key);
        if (known?.text !== text || unread > 0) {
          const entry = entryFrom(text, (id, at) => texts.get(fileKey(id, at)), endpoints);
          entry.args = withReplaced(entry.args, renamed);
          // The damaged text can be the one that says that the entry was sent.
          entry.isSent ||= unread > 0;
          known = { entry, text };
        }
        if (known.entry.createdAt <= this.#since) continue;
        this.#read.set(key, known);
        entries.push(known.entry);
      } catch {
        damaged++;
      }
    }
    return { entries: entries.sort(byPlace), damaged, isEmpty: texts.size + damaged === 0, renamed };
  }

  /** Reads what the storage has. */
  async read(timeout: number): Promise<StorageContent> {
    try {
      return await this.#disk.use(timeout, async (storage) => {
        if (await this.#disk.isEmptied(storage)) await storage.write(await this.#restored());
        this.#disk.noteSeen();
        return storage.read();
      });
    } catch (error) {
      this.isFailing = true;
      throw error;
    }
  }

  /** Returns the changes that write all entries of this tab again. */
  async #restored(): Promise<ReadonlyMap<string, string | undefined>> {
    this.#read.clear();
    const kept = this.ownEntries().filter(({ isKept }) => isKept);
    for (const entry of kept) entry.stored = undefined;
    const { changes } = await this.#changesOf(kept.map((entry) => ({ entry, isRemoved: false })));
    return changes;
  }

  /** Writes an entry. Resolves to whether it is in the storage. If it could not be written, the next write includes it. */
  put(entry: QueuedEntry): Promise<boolean> {
    this.#pending.set(entry.id, { entry, isRemoved: false });
    this.#read.delete(ENTRY + entry.id);
    const written = this.#written();
    // A storage that hangs would delay an edit twice.
    const isLate = this.#before?.then((isWritten) => (!isWritten && this.#isHanging ? false : written));
    return isLate ? Promise.race([written, isLate]) : written;
  }

  /** Deletes the notes about records that have other pks now. The storage deletes them together with the next write of an entry. */
  forget(renamed: Iterable<string>): void {
    for (const pk of renamed) this.#renamed.set(RENAMED + pk, undefined);
  }

  /** Deletes an entry. `renamed`: the pks of the records that it has created, by their temporary pks. */
  remove(entry: QueuedEntry, renamed: ReadonlyMap<string, unknown>): Promise<boolean> {
    this.#pending.set(entry.id, { entry, isRemoved: true });
    for (const [pk, now] of renamed) this.#renamed.set(RENAMED + pk, JSON.stringify(now));
    return this.#written();
  }

  /**
   * Writes no progress of entries that the storage has until the returned function is called, also not that of a write that has begun: another tab may
   * have taken them over. New edits, and edits with new arguments, are written: the browser may end the page without a further event.
   */
  hold(): () => void {
    const held = {};
    this.#held = held;
    return () => {
      if (this.#held !== held) return;
      this.#held = undefined;
      if (this.#pending.size > 0) void this.#written();
    };
  }

  /** Leaves the changes of an entry that are not written yet to another tab, which writes the entry now. */
  leave(id: string): void {
    for (const entries of [this.#pending, this.#writing]) entries.delete(id);
  }

  /** Resolves to whether everything until now is in the storage. */
  async flush(): Promise<boolean> {
    if (this.#work !== undefined) await this.#work;
    return this.#pending.size === 0 || this.#written();
  }

  /** Deletes all entries, or only the given ones. Rejects if that fails. */
  async clear(timeout: number, entries?: readonly QueuedEntry[]): Promise<void> {
    const deleted = entries && new Map(entries.flatMap(keysOf).map((key) => [key, undefined]));
    this.#pending.clear();
    await this.#disk.inTime(timeout, async (isOver) => {
      await this.#work;
      this.#pending.clear();
      if (!isOver()) await this.#disk.use(timeout, (storage) => (deleted ? storage.write(deleted) : storage.clear()));
    });
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#disk.close();
  }

  /** Writes the pending entries. Those that become pending during a write are written together after it: a storage that hangs delays them once. */
  #written(): Promise<boolean> {
    if (this.#next !== undefined) return this.#next;
    this.#before = this.#work;
    return (this.#next = this.#work = this.#writeAfter(this.#before));
  }

  async #writeAfter(before: Promise<boolean> | undefined): Promise<boolean> {
    await before;
    this.#next = undefined;
    return this.#pending.size === 0 ? !this.isFailing : this.#write();
  }

  async #write(): Promise<boolean> {
    const pending = this.#pending;
    this.#writing = pending;
    this.#pending = new Map();
    try {
      const { changes, stored } = await this.#changesOf(pending.values());
      await this.#disk.use(MAX_WRITE_MS, async (storage) => {
        const restored = (await this.#disk.isEmptied(storage)) ? await this.#restored() : [];
        if (this.#held !== undefined) this.#postpone(pending);
        const left = [...stored.keys()].filter(({ id }) => !pending.has(id));
        for (const key of left.flatMap(keysOf)) changes.delete(key);
        for (const entry of left) stored.delete(entry);
        await storage.write(new Map([...restored, ...changes]));
        this.#disk.noteSeen();
      });
      for (const [entry, args] of stored) {
        entry.stored = args;
        entry.isKept = args !== undefined;
      }
      for (const [key, text] of changes) if (this.#renamed.get(key) === text) this.#renamed.delete(key);
      this.isFailing = false;
      this.#isReported = false;
      this.#isHanging = false;
      this.onWritten();
      return true;
    } catch (error) {
      this.#pending = new Map([...pending, ...this.#pending]);
      this.report(error);
      this.isFailing = true;
      this.#isHanging = thrown(error).code === 'storage-timeout';
      return false;
    }
  }

  /** Leaves the progress of entries to the write after the hold. */
  #postpone(pending: Map<string, EntryToWrite>): void {
    for (const [id, change] of pending) {
      const { entry, isRemoved } = change;
      if (isRemoved || entry.stored?.args !== entry.args) continue;
      pending.delete(id);
      if (!this.#pending.has(id)) this.#pending.set(id, change);
    }
  }

  /** Tells the application that edits are not saved, unless it knows. */
  report(error: unknown): void {
    if (!this.#isReported) this.#onError(error);
    this.#isReported = true;
  }

  async #changesOf(pending: Iterable<EntryToWrite>): Promise<EntryChanges> {
    const slice = timeSlices(this.#platform);
    const changes = new Map(this.#renamed);
    const stored = new Map<QueuedEntry, StoredArgs | undefined>();
    /* oxlint-disable no-await-in-loop -- all in one write, one slice after another */
    for (const { entry, isRemoved } of pending) {
      // The entry may get other arguments while its files are read.
      const { args, id } = entry;
      // An entry that has no text, as with a file that cannot be read, must not keep the others from the storage.
      const [json, files] = isRemoved ? NO_TEXT : await toText(entry).catch(() => NO_TEXT);
      changes.set(ENTRY + id, json);
      if (isRemoved) changes.set(DELETED, '1');
      stored.set(entry, json === undefined ? undefined : { args, files: files.length });
      if (isRemoved || entry.stored?.args !== args) {
        const most = Math.max(files.length, entry.stored?.files ?? 0);
        for (let at = 0; at < most; at++) changes.set(fileKey(id, at), files[at]);
        entry.stored = { args: undefined, files: most };
      }
      const pause = slice();
      if (pause) await pause;
    }
    /* oxlint-enable no-await-in-loop */
    return { changes, stored };
  }
}

const NO_TEXT: readonly [json: undefined, files: readonly string[]] = [undefined, []];

function fileKey(id: string, at: number): string {
  return `${FILE}${id} ${at}`;
}

/** Returns the keys of an entry and its files. */
function keysOf({ id, stored }: QueuedEntry): readonly string[] {
  return [ENTRY + id, ...Array.from({ length: stored?.files ?? 0 }, (_, at) => fileKey(id, at))];
}

function renamedIn(texts: ReadonlyMap<string, string>): ReadonlyMap<string, unknown> {
  const renamed = new Map<string, unknown>();
  for (const [key, text] of texts)
    try {
      if (key.startsWith(RENAMED)) renamed.set(key.slice(RENAMED.length), JSON.parse(text));
    } catch {
      // The text is damaged. Entries that name the record stop.
    }
  return renamed;
}

function ignore(): void {}

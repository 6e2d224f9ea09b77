import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { StorageContent } from '../../std/text-storage.ts';
import { thrown } from '../../std/thrown.ts';
import type { Disk } from '../persist/disk.ts';
import { byPlace, type QueuedEntry } from './outbox-entry.ts';
import { entryFrom, toText } from './saved-edit.ts';
import { withReplaced } from './saved-pks.ts';

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

interface EntryChanges {
  readonly changes: Map<string, string | undefined>;
  /** The arguments in them, by the id of the entry. */
  readonly args: ReadonlyMap<string, readonly unknown[]>;
}

/** Writes entries to the storage, and reads them at the next start. */
export class OutboxJournal {
  readonly #disk: Disk;
  readonly #onError: (error: unknown) => void;
  readonly #since: number;
  /** The keys of renamed records to write, or to delete. */
  readonly #renamed = new Map<string, string | undefined>();
  /** The entries to write or to delete, by id. */
  #pending = new Map<string, QueuedEntry | undefined>();
  /** How many files of each entry are in the storage. */
  readonly #files = new Map<string, number>();
  /** The arguments of each entry in the storage: files are written again only with other arguments. */
  readonly #args = new Map<string, readonly unknown[]>();
  /** The entries as they were read, by their keys, until this tab changes them. */
  #read = new Map<string, { readonly entry: QueuedEntry; readonly text: string }>();
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
  constructor(disk: Disk, onError: (error: unknown) => void, since: number) {
    this.#disk = disk;
    this.#onError = onError;
    this.#since = since;
  }

  async read(timeout: number, endpoints: ReadonlyMap<string, EndpointInterface>): Promise<ReadEntries> {
    const { entries: saved, damaged: unread = 0 } = await this.#opened(timeout);
    const texts = new Map(saved);
    const renamed = renamedIn(texts);
    const files = filesIn(texts);
    const former = this.#read;
    this.#read = new Map();
    let damaged = unread;
    for (const [key, text] of texts) {
      if (!key.startsWith(ENTRY)) continue;
      try {
        const known = former.get(key);
        if (known?.text === text && unread === 0) {
          this.#read.set(key, known);
          continue;
        }
        const entry = entryFrom(text, (id, at) => texts.get(`${FILE}${id} ${at}`), endpoints);
        if (entry.createdAt <= this.#since) continue;
        this.#files.set(entry.id, files.get(entry.id) ?? 0);
        this.#args.set(entry.id, entry.args);
        entry.args = withReplaced(entry.args, renamed);
        // The damaged text can be the one that says that the entry was sent.
        entry.isSent ||= unread > 0;
        this.#read.set(key, { entry, text });
      } catch {
        damaged++;
      }
    }
    const isEmpty = texts.size + damaged === 0;
    const entries = Array.from(this.#read.values(), ({ entry }) => entry).sort(byPlace);
    return { entries, damaged, isEmpty, renamed };
  }

  async #opened(timeout: number): Promise<StorageContent> {
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

  /** The changes that write all entries of this tab again. */
  async #restored(): Promise<ReadonlyMap<string, string | undefined>> {
    this.#args.clear();
    this.#files.clear();
    this.#read.clear();
    const kept = this.ownEntries().filter(({ isKept }) => isKept);
    const { changes } = await this.#changesOf(new Map(kept.map((entry) => [entry.id, entry])));
    return changes;
  }

  /** Writes an entry. Resolves to whether it is in the storage. If it could not be written, the next write includes it. */
  put(entry: QueuedEntry): Promise<boolean> {
    this.#pending.set(entry.id, entry);
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
  remove(id: string, renamed: ReadonlyMap<string, unknown>): Promise<boolean> {
    this.#pending.set(id, undefined);
    for (const [pk, now] of renamed) this.#renamed.set(RENAMED + pk, JSON.stringify(now));
    return this.#written();
  }

  /** Leaves the changes of an entry that are not written yet to another tab, which writes the entry now. */
  leave(id: string): void {
    this.#pending.delete(id);
  }

  /** Resolves to whether everything until now is in the storage. */
  async flush(): Promise<boolean> {
    if (this.#work !== undefined) await this.#work;
    return this.#pending.size === 0 || this.#written();
  }

  /** Deletes all entries, or those with some ids. Rejects if that fails. */
  async clear(timeout: number, ids?: readonly string[]): Promise<void> {
    const deleted = ids && new Map(ids.flatMap((id) => this.#keysOf(id)).map((key) => [key, undefined]));
    this.#pending.clear();
    await this.#disk.inTime(timeout, async (isOver) => {
      await this.#work;
      this.#pending.clear();
      if (!isOver()) await this.#disk.use(timeout, (storage) => (deleted ? storage.write(deleted) : storage.clear()));
    });
    this.#files.clear();
    this.#args.clear();
  }

  #keysOf(id: string): readonly string[] {
    const files = Array.from({ length: this.#files.get(id) ?? 0 }, (_, at) => `${FILE}${id} ${at}`);
    return [ENTRY + id, ...files];
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
    this.#pending = new Map();
    try {
      const { changes, args } = await this.#changesOf(pending);
      await this.#disk.use(MAX_WRITE_MS, async (storage) => {
        const restored = (await this.#disk.isEmptied(storage)) ? await this.#restored() : [];
        await storage.write(new Map([...restored, ...changes]));
        this.#disk.noteSeen();
      });
      for (const [id, entry] of pending) this.#note(id, entry, args.get(id));
      for (const key of changes.keys()) this.#renamed.delete(key);
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

  /** Tells the application that edits are not saved, unless it knows. */
  report(error: unknown): void {
    if (!this.#isReported) this.#onError(error);
    this.#isReported = true;
  }

  async #changesOf(pending: ReadonlyMap<string, QueuedEntry | undefined>): Promise<EntryChanges> {
    const changes = new Map(this.#renamed);
    const args = new Map<string, readonly unknown[]>();
    for (const [id, entry] of pending) {
      // The entry may get other arguments while its files are read.
      const given = entry?.args;
      // oxlint-disable-next-line no-await-in-loop -- all in one write
      const [json, files] = entry === undefined ? [undefined, []] : await toText(entry);
      changes.set(ENTRY + id, json);
      if (given === undefined) changes.set(DELETED, '1');
      else args.set(id, given);
      if (given !== undefined && this.#args.get(id) === given) continue;
      const most = Math.max(files.length, this.#files.get(id) ?? 0);
      for (let at = 0; at < most; at++) changes.set(`${FILE}${id} ${at}`, files[at]);
      if (given !== undefined) this.#files.set(id, files.length);
    }
    return { changes, args };
  }

  #note(id: string, entry: QueuedEntry | undefined, args: readonly unknown[] | undefined): void {
    if (entry === undefined || args === undefined) {
      this.#files.delete(id);
      this.#args.delete(id);
    } else {
      this.#args.set(id, args);
      entry.isKept = true;
    }
  }
}

/** How many files of each entry are in the storage, by the id of the entry. */
function filesIn(texts: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const files = new Map<string, number>();
  for (const key of texts.keys()) {
    if (!key.startsWith(FILE)) continue;
    const [, id = ''] = key.split(' ', 2);
    files.set(id, (files.get(id) ?? 0) + 1);
  }
  return files;
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

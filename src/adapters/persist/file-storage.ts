import type * as FileSystem from 'node:fs/promises';
import type { OpenStorage, StorageContent, TextStorage } from '../../std/text-storage.ts';
import { DataError } from '../../std/data-error.ts';
import { checksum } from './checksum.ts';

/** The file is compacted when it contains more changes than these: in all, and for each entry. */
const MIN_CHANGES = 1000;
const MAX_CHANGES_OF_ENTRY = 2;

/**
 * Stores text in files of a folder, in Node: one file for each name. Each write appends one line with a checksum, and is flushed to the disk before
 * it resolves. A line that was cut off or damaged is left out, and the others are read.
 */
export function fileStorage(folder: string): TextStorage {
  return {
    open: async (name) => {
      const files = fileSystem();
      await files.mkdir(folder, { recursive: true });
      const path = `${folder}/${encodeURIComponent(name)}.jsonl`;
      return new OpenFile(files, path, await files.open(path, 'a+'));
    },
  };
}

type NodeFiles = typeof FileSystem;

interface LoadedFile {
  readonly bytes: Uint8Array;
  readonly damaged: number;
  readonly isBroken: boolean;
  readonly start: number;
}

/** Loaded at run time, because bundlers for browsers cannot resolve an import of it. */
function fileSystem(): NodeFiles {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const files = process?.getBuiltinModule?.('node:fs/promises');
  if (files !== undefined) return files as NodeFiles;
  throw new DataError(
    'storage-missing',
    'fileStorage() needs the file system of Node. Use indexedDbStorage() in a browser.',
  );
}

class OpenFile implements OpenStorage {
  readonly #files: NodeFiles;
  readonly #path: string;
  #file: FileSystem.FileHandle;
  /** How many changes of entries the file contains. */
  #changes = 0;
  readonly #entries = new Map<string, string>();
  /** Ends with the last operation. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(files: NodeFiles, path: string, file: FileSystem.FileHandle) {
    this.#files = files;
    this.#path = path;
    this.#file = file;
  }

  read(): Promise<StorageContent> {
    return this.#afterLast(() => this.#read());
  }

  write(changes: ReadonlyMap<string, string | undefined>): Promise<void> {
    const line = lineOf(changes);
    return this.#afterLast(() => this.#append(line, [...changes]));
  }

  clear(): Promise<void> {
    return this.#afterLast(() => this.#clear());
  }

  close(): Promise<void> {
    return this.#afterLast(() => this.#file.close());
  }

  /** The system does not keep the order of calls, and a failed write truncates the file: so each operation waits for the one before. */
  #afterLast<Result>(operation: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(operation);
    this.#last = result.catch(() => {});
    return result;
  }

  async #read(): Promise<StorageContent> {
    const { bytes, damaged, isBroken, start } = await this.#load();
    // A line that was cut off is removed, so that the next start does not report it again.
    const isCutOff = isBroken && bytes.at(-1) !== 10;
    if (isCutOff) await this.#file.truncate(start);
    if (damaged > Number(isCutOff)) await this.#compact().catch(() => {});
    return { entries: [...this.#entries], damaged };
  }

  /** Reads the file. Returns how many lines are damaged, whether the last one is, and where it begins. */
  async #load(): Promise<LoadedFile> {
    const bytes = await this.#files.readFile(this.#path);
    this.#entries.clear();
    this.#changes = 0;
    let damaged = 0;
    let isBroken = false;
    let start = 0;
    for (let next = 0; next < bytes.length;) {
      start = next;
      const found = bytes.indexOf(10, start);
      const end = found < 0 ? bytes.length : found;
      const changes = changesIn(bytes.subarray(start, end).toString());
      // If damage has put a newline into a line, two damaged lines follow each other. They count as one.
      if (changes === undefined && !isBroken) damaged++;
      isBroken = changes === undefined;
      this.#take(changes ?? []);
      next = end + 1;
    }
    return { bytes, damaged, isBroken, start };
  }

  async #append(line: string, changes: WrittenChanges): Promise<void> {
    const { size } = await this.#file.stat();
    try {
      await this.#file.appendFile(line);
      await this.#file.datasync();
    } catch (error) {
      await this.#file.truncate(size).catch(() => {});
      throw error;
    }
    this.#take(changes);
    if (this.#isOutdated) await this.#compactOutdated().catch(() => {});
  }

  /** Whether most of what the file contains, as far as it is known, is outdated. */
  get #isOutdated(): boolean {
    return this.#changes > MIN_CHANGES && this.#changes > this.#entries.size * MAX_CHANGES_OF_ENTRY;
  }

  /** The file may have entries that were written before it was opened, and never read since. */
  async #compactOutdated(): Promise<void> {
    await this.#load();
    if (this.#isOutdated) await this.#compact();
  }

  #take(changes: WrittenChanges): void {
    for (const [key, value] of changes) {
      this.#changes++;
      if (value === undefined) this.#entries.delete(key);
      else this.#entries.set(key, value);
    }
  }

  /** Writes all valid entries to a new file, and replaces the old file by it. After an error, the old file is unchanged. */
  async #compact(): Promise<void> {
    const path = `${this.#path}.new`;
    await this.#files.rm(path, { force: true });
    const file = await this.#files.open(path, 'a+');
    let text = '';
    try {
      // One line for each entry, so that damage concerns one entry.
      for (const entry of this.#entries) text += lineOf([entry]);
      await file.appendFile(text);
      await file.datasync();
      await this.#files.rename(path, this.#path);
    } catch (error) {
      await file.close();
      throw error;
    }
    await this.#file.close();
    this.#file = file;
    this.#changes = this.#entries.size;
  }

  async #clear(): Promise<void> {
    await this.#file.truncate(0);
    await this.#file.datasync();
    this.#entries.clear();
    this.#changes = 0;
  }
}

/**
 * Returns a line with a checksum. Two newlines separate it from other lines, so that one damaged byte never joins two lines. Fixed format: files on
 * disks have such lines.
 */
function lineOf(changes: Iterable<readonly [key: string, value: string | undefined]>): string {
  const json = JSON.stringify(Array.from(changes, ([key, value]) => (value === undefined ? [key] : [key, value])));
  return `\n${checksum(json)} ${json}\n`;
}

type WrittenChanges = readonly (readonly [key: string, value?: string | undefined])[];

/** Returns the changes in a line; `undefined` if it is damaged. */
function changesIn(line: string): WrittenChanges | undefined {
  if (line === '') return [];
  const [sum = ''] = line.split(' ', 1);
  const json = line.slice(sum.length + 1);
  if (checksum(json) !== sum) return undefined;
  // The checksum proves that the line is complete.
  return JSON.parse(json) as WrittenChanges;
}

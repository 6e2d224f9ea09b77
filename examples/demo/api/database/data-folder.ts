import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SentenceError } from '../sentence-error.mjs';

/** What a fresh database of `rows` takes, roughly: Postgres' own files, and the rows with their indexes. */
export const bytesNeeded = (rows: number): number => 80_000_000 + rows * 1_000;

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

/** Why `folder` cannot take a database, in a sentence; `undefined` if it can. */
export function spaceProblem(folder: string, free: number, needed: number): string | undefined {
  if (free >= needed) return undefined;
  return `There is no space for the data: ${folder} has ${megabytes(free)} left and ${megabytes(needed)} are needed. Free some, choose another folder with --data, or keep the data in memory with --memory.`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A folder for an embedded database, locked by this process. */
export interface DataFolder {
  /** The path of the database. */
  readonly path: string;
  /** Marks the content as complete, so that a later start uses it. */
  keep(): void;
  /** Writes the URL of this process into the lock, for other processes that want the folder. */
  announce(address: string): void;
  release(): void;
}

/**
 * Locks a folder, because two processes in one embedded database would destroy it. Removes the data of a start that
 * did not finish.
 */
export function takeDataFolder(folder: string, rows: number): DataFolder {
  const lock = join(folder, 'lock');
  const ready = join(folder, 'ready');
  const path = join(folder, 'postgres');
  try {
    makeFolder(folder);
    acquire(lock, folder);
    if (!existsSync(ready)) {
      rmSync(path, { recursive: true, force: true });
      const problem = spaceProblem(folder, freeBytes(folder), bytesNeeded(rows));
      if (problem !== undefined) {
        rmSync(lock, { force: true });
        throw new SentenceError(problem);
      }
    }
  } catch (error) {
    throw asSentence(error, folder);
  }
  return {
    path,
    keep: () => writeFileSync(ready, ''),
    announce: (address) => writeFileSync(lock, `${process.pid} ${address}`),
    release: () => rmSync(lock, { force: true }),
  };
}

/** Creates one folder after the other, because the recursive option of Node loops endlessly where folders cannot be created, such as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new SentenceError(`The folder ${folder} cannot be made. Choose another with --data, or use --memory.`, {
      cause: error,
    });
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function acquire(lock: string, folder: string): void {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const [pid = '', address] = (read(lock) ?? '').split(' ');
    if (pid !== '' && isAlive(Number(pid)))
      throw new SentenceError(
        address === undefined
          ? `The data in ${folder} are in use by process ${pid}. Stop it, or choose another folder with --data.`
          : `The demo is running already, at ${address}. Open that, or start a second one with --memory.`,
      );
    writeFileSync(lock, `${process.pid}`);
  }
}

/** The free space that a database needs at least. */
const MIN_FREE_BYTES = 1_000_000;

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Turns errors of the file system into sentences. Returns other errors unchanged. */
export function asSentence(error: unknown, folder: string): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (error instanceof SentenceError) return error;
  // The embedded database does not say why it failed. If the disk is full, that is the reason.
  if (code === 'ENOSPC' || code === '53100' || /no space left/i.test(message) || freeBytes(folder) < MIN_FREE_BYTES)
    return new SentenceError(
      `The disk ran full while the data were written to ${folder}. Free some space, choose another folder with --data, or use --memory.`,
      { cause: error },
    );
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new SentenceError(
      `The folder ${folder} cannot be written to. Choose another with --data, or use --memory.`,
      { cause: error },
    );
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new SentenceError(`${folder} is not a folder. Choose another with --data.`, { cause: error });
  return error;
}

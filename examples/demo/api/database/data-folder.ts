import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SentenceError } from '../sentence-error.ts';

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

/** A folder for an embedded database, held by this process until it is let go. */
export interface DataFolder {
  /** Where the database itself goes. */
  readonly path: string;
  /** Says that what is inside is whole: a later start will use it. */
  keep(): void;
  /** Says where this process can be reached, for whoever wants the folder too. */
  announce(address: string): void;
  release(): void;
}

/**
 * Takes a folder. Two processes in one embedded database would destroy it, so there is a lock; what a start left behind that
 * did not come to its end is removed.
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

/** One folder after the other: where folders cannot be made, as in /proc, Node's own way of doing so has no end. */
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

/** Less than this, and a database can do nothing any more. */
const LEAST_FREE = 1_000_000;

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** What the file system says, in words; other errors as they are. */
export function asSentence(error: unknown, folder: string): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (error instanceof SentenceError) return error;
  // The embedded database does not say why it failed: a disk with nothing left is reason enough.
  if (code === 'ENOSPC' || code === '53100' || /no space left/i.test(message) || freeBytes(folder) < LEAST_FREE)
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

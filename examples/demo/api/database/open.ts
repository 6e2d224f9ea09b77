import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { MIGRATIONS } from '../migrations/migrations.ts';
import { SentenceError } from '../sentence-error.mjs';
import { asSentence, takeDataFolder } from './data-folder.ts';
import type { Database } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { DEFAULT_ROWS } from './options.mjs';
import { seed, SEED_VERSION, seededRows } from './seed.ts';

export interface Opened {
  readonly database: Database;
  readonly rows: number;
  announce(address: string): void;
}

export interface OpenOptions {
  /** An address of PostgreSQL, `memory`, or a folder. */
  readonly where: string;
  /** The number of rows. Default: the rows that are there already, or else 2,000. */
  readonly rows: number | undefined;
  /** Where snapshots of databases in memory are kept, which makes the next start fast. */
  readonly snapshots: string | undefined;
  /** Called with a sentence before each slow step. */
  readonly progress: (what: string) => void;
}

const isAddress = (where: string): boolean => /^[a-z][a-z\d+.-]+:\/\//i.test(where);

/** Opens the database, applies migrations, and fills it if it does not have the requested rows. */
export async function open(options: OpenOptions): Promise<Opened> {
  const { where } = options;
  if (where === 'memory') return inMemory(options);
  if (!isAddress(where)) return inFolder(options);
  const database = await openPostgres(where);
  try {
    return { database, rows: await prepare(database, options), announce: () => undefined };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function prepare(database: Database, { rows, progress }: OpenOptions): Promise<number> {
  await migrate(database);
  const present = await seededRows(database);
  if (present !== undefined && (rows ?? present) === present) return present;
  const wanted = rows ?? DEFAULT_ROWS;
  let reported = 0;
  await seed(database, wanted, (done, of) => {
    const percent = Math.floor((done / of) * 10) * 10;
    if (percent > reported) progress(`${wanted.toLocaleString('en')} rows of data: ${(reported = percent)} %`);
  });
  return wanted;
}

async function inFolder(options: OpenOptions): Promise<Opened> {
  const { where, rows = DEFAULT_ROWS, progress } = options;
  const folder = takeDataFolder(where, rows);
  try {
    progress(`Embedded Postgres in ${where}`);
    const database = await openEmbedded({ folder: folder.path });
    const present = await prepare(database, options);
    folder.keep();
    const close = async (): Promise<void> => {
      await database.close();
      folder.release();
    };
    return { database: { ...database, close }, rows: present, announce: folder.announce };
  } catch (error) {
    folder.release();
    const known = asSentence(error, where);
    if (known instanceof SentenceError) throw known;
    throw new SentenceError(`The data in ${where} cannot be opened. Remove that folder, and they are made again.`, {
      cause: error,
    });
  }
}

/** A database in memory. After it was filled once, it is kept as a file, and later ones start from that file. */
async function inMemory({ rows = DEFAULT_ROWS, snapshots, progress }: OpenOptions): Promise<Opened> {
  const kept = snapshots === undefined ? undefined : join(snapshots, `${fingerprint(rows)}.tar`);
  const from = kept !== undefined && existsSync(kept) ? new Blob([readFileSync(kept)]) : undefined;
  const database = await openEmbedded(from === undefined ? {} : { from });
  await prepare(database, { where: 'memory', rows, snapshots, progress });
  if (kept !== undefined && from === undefined) await keepSnapshot(kept, await database.snapshot());
  return { database, rows, announce: () => undefined };
}

const fingerprint = (rows: number): string =>
  `${rows}-${createHash('sha256')
    .update(JSON.stringify([MIGRATIONS, SEED_VERSION]))
    .digest('hex')
    .slice(0, 16)}`;

/** Writes a file and renames it, so that no other process reads a part of it. Ignores errors, because this is only a cache. */
async function keepSnapshot(file: string, snapshot: Blob): Promise<void> {
  const partial = `${file}.${process.pid}`;
  try {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(partial, Buffer.from(await snapshot.arrayBuffer()));
    renameSync(partial, file);
  } catch {
    rmSync(partial, { force: true });
  }
}

import { PGlite } from '@electric-sql/pglite';
import type { Transaction } from '@electric-sql/pglite';
import { SCHEMA } from './database.ts';
import type { Database, Queries } from './database.ts';

function queriesOf(source: Pick<Transaction, 'query'>): Queries {
  return {
    query: async <Row extends object>(sql: string, params: readonly unknown[] = []) =>
      (await source.query<Row>(sql, [...params])).rows,
  };
}

export interface Embedded extends Database {
  /** The whole database as one file, for `from`. */
  snapshot(): Promise<Blob>;
}

export interface EmbeddedOptions {
  /** Where the data is kept; in memory without it. */
  readonly folder?: string;
  /** A snapshot to start from. */
  readonly from?: Blob;
}

/** Postgres in this process (PGlite): nothing to install, one connection, so transactions run one after the other. */
export async function openEmbedded({ folder, from }: EmbeddedOptions = {}): Promise<Embedded> {
  const pglite = await PGlite.create({
    ...(folder !== undefined && { dataDir: folder }),
    ...(from !== undefined && { loadDataDir: from }),
    // The data of the demo can be generated again, so there is no need to wait for the disk after each request.
    relaxedDurability: true,
  });
  await pglite.exec(`create schema if not exists ${SCHEMA}; set search_path to ${SCHEMA}; set timezone to 'UTC'`);
  return {
    name: folder === undefined ? 'embedded Postgres in memory' : `embedded Postgres in ${folder}`,
    ...queriesOf(pglite),
    transaction: (work) => pglite.transaction((inner) => work(queriesOf(inner))),
    script: async (sql) => void (await pglite.exec(sql)),
    snapshot: () => pglite.dumpDataDir('none'),
    close: () => pglite.close(),
  };
}

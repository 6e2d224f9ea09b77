import { Pool } from 'pg';
import type { ClientBase } from 'pg';
import { SentenceError } from '../sentence-error.mjs';
import { SCHEMA } from './database.ts';
import type { Database, Queries } from './database.ts';
import { addressOf } from './options.mjs';

const CONNECT_MS = 5000;

function queriesOf(source: Pick<ClientBase, 'query'>): Queries {
  return {
    query: async <Row extends object>(sql: string, params: readonly unknown[] = []) =>
      (await source.query<Row>(sql, [...params])).rows,
  };
}

/** The address without its password, for messages. */
export function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  for (const name of url.searchParams.keys()) if (name !== 'host') url.searchParams.delete(name);
  return url.href;
}

function reason(error: unknown): string {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: readonly unknown[] };
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there; start PostgreSQL, or correct the port';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host has no address; correct its name';
    case 'ENOENT':
      return 'its socket does not exist; start PostgreSQL, or correct the host';
    case '28P01':
    case '28000':
      return 'the user or the password was refused';
    case '3D000':
      return 'that database does not exist; make it with createdb';
    case '42501':
      return `the user may not create the schema ${SCHEMA} there`;
    case undefined:
      return errors?.[0] === undefined ? 'it does not answer' : reason(errors[0]);
    default:
      return message ?? code;
  }
}

/** A PostgreSQL server that runs elsewhere. */
export async function openPostgres(address: string): Promise<Database> {
  addressOf(address);
  const name = withoutPassword(address);
  const pool = new Pool({
    connectionString: address,
    connectionTimeoutMillis: CONNECT_MS,
    max: 10,
    options: `-c search_path=${SCHEMA} -c timezone=UTC`,
  });
  // The next query replaces a connection that breaks while it is idle. Without this listener, the event would end the process.
  pool.on('error', () => undefined);
  try {
    await pool.query(`create schema if not exists ${SCHEMA}`).catch((error: unknown) => {
      // If two processes create it at the same time, the second one fails because it exists.
      if ((error as { code?: string }).code !== '23505') throw error;
    });
  } catch (error) {
    await pool.end();
    throw new SentenceError(`Cannot use the database at ${name}: ${reason(error)}.`, { cause: error });
  }
  return {
    name: `PostgreSQL at ${name}`,
    ...queriesOf(pool),
    transaction: (work) => inTransaction(pool, work),
    script: async (sql) => void (await pool.query(sql)),
    close: () => pool.end(),
  };
}

async function inTransaction<Result>(pool: Pool, work: (queries: Queries) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query('begin');
    const result = await work(queriesOf(client));
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}

import { MIGRATIONS } from '../migrations/migrations.ts';
import type { Migration } from '../migrations/migrations.ts';
import { SentenceError } from '../sentence-error.mjs';
import type { Database } from './database.ts';

/** The id of the lock. Every program that migrates these tables has to use the same number. */
const LOCK = 724_508_113;

/**
 * Applies pending migrations and returns their numbers. Two programs that start
 * together wait for each other. A migration that fails changes nothing.
 */
export async function migrate(database: Database, migrations: readonly Migration[] = MIGRATIONS): Promise<number[]> {
  return database.transaction(async ({ query }) => {
    await query('select pg_advisory_xact_lock($1)', [LOCK]);
    await query(
      'create table if not exists migration (number integer primary key, name text not null, applied_at timestamptz not null default now())',
    );
    const applied = new Set((await query<{ number: number }>('select number from migration')).map((row) => row.number));
    const newest = Math.max(0, ...applied);
    if (newest > Math.max(0, ...migrations.map(({ number }) => number)))
      throw new SentenceError(
        `The tables in ${database.name} belong to a newer version of the demo (migration ${newest}). Update the demo, or use another database.`,
      );
    const missing = migrations.filter(({ number }) => !applied.has(number));
    for (const { number, name, sql } of missing) {
      for (const statement of statements(sql)) await query(statement);
      await query('insert into migration (number, name) values ($1, $2)', [number, name]);
    }
    return missing.map(({ number }) => number);
  });
}

/** Splits at a semicolon that ends a line; functions between $$ keep theirs inside a line. */
function statements(sql: string): readonly string[] {
  return sql
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { ITEMS, seed, seededRows, sizesOf } from './seed.ts';
import { MIGRATIONS } from '../migrations/migrations.ts';

const TABLES = [
  'person',
  'post',
  'comment',
  'tag',
  'post_tag',
  'todo',
  'team',
  'membership',
  'issue',
  'issue_comment',
  'activity',
  'currency',
  'stats',
  'item',
  'stream',
  'profile',
  'file',
];
/** The checksum of 300 rows, on every machine and every Postgres. Raise SEED_VERSION when this has to change. */
const DIGEST = '-5zB2vPW3QW9F-3-Csvji_m-1S9Fq8ZgVVuXztuV0TI';

let database: Database;
beforeAll(async () => {
  // The tests of CI and of a developer without a server run on the embedded one; both have to agree.
  const address = process.env['TEST_DATABASE_URL'];
  database = address === undefined ? await openEmbedded() : await openPostgres(address);
  await database.script('drop schema if exists rejoin_demo cascade; create schema rejoin_demo');
});
afterAll(() => database.close());

async function digest(): Promise<string> {
  const hash = createHash('sha256');
  for (const table of TABLES) {
    const rows = await database.query<{ line: string }>(
      `select row_to_json(t)::text as line from ${table} t order by 1`,
    );
    hash.update(table).update(
      rows
        .map(({ line }) => line)
        .toSorted()
        .join('\n'),
    );
  }
  return hash.digest('base64url');
}

test('migrations are applied in order, once, and noted', async () => {
  expect(await migrate(database)).toEqual([1, 2, 3, 4, 5]);
  expect(await migrate(database)).toEqual([]);
  expect(await database.query('select number, name from migration order by number')).toEqual(
    MIGRATIONS.map(({ number, name }) => ({ number, name })),
  );
});

test('a failed migration is rolled back as a whole', async () => {
  const broken = [
    ...MIGRATIONS,
    { number: 6, name: 'broken', sql: 'create table half (id int);\ncreate table half (id int);\n' },
  ];
  await expect(migrate(database, broken)).rejects.toThrow('already exists');
  expect(await database.query(`select to_regclass('half') as found`)).toEqual([{ found: null }]);
  expect(await migrate(database)).toEqual([]);
});

test('tables of a newer program are left alone', async () => {
  await expect(migrate(database, MIGRATIONS.slice(0, 2))).rejects.toThrow(
    /belong to a newer version of the demo \(migration 5\)/,
  );
});

test('the same number of rows is the same data', async () => {
  expect(await seededRows(database)).toBe(undefined);
  await seed(database, 300);
  expect(await seededRows(database)).toBe(300);
  const first = await digest();
  await seed(database, 300);
  expect(await digest()).toBe(first);
  expect(first).toBe(DIGEST);
});

test('the database has the requested number of rows', async () => {
  const { users, posts, comments, todos } = sizesOf(300);
  expect(users + posts + comments + todos).toBe(300);
  for (const [table, count] of Object.entries({
    person: users,
    post: posts,
    comment: comments,
    todo: todos,
    item: ITEMS,
  }))
    expect(await database.query(`select count(*)::int as count from ${table}`)).toEqual([{ count }]);
});

test('progress is reported up to the end', async () => {
  const reported: [number, number][] = [];
  await seed(database, 100, (done, of) => reported.push([done, of]));
  expect(reported.map(([done]) => done)).toEqual(
    reported.map(([done]) => done).toSorted((left, right) => left - right),
  );
  expect(reported.at(-1)?.[0]).toBe(reported.at(-1)?.[1]);
});

test('a record that is added after seeding gets the next id', async () => {
  const [row] = await database.query<{ id: number }>(
    `insert into todo (user_id, title) values (1, 'next') returning id`,
  );
  expect(row?.id).toBe(sizesOf(100).todos + 1);
});

test('a transaction that fails changes nothing', async () => {
  await expect(
    database.transaction(async ({ query }) => {
      await query(`update person set name = 'half' where id = 1`);
      throw new Error('on the way');
    }),
  ).rejects.toThrow('on the way');
  expect(await database.query(`select name from person where id = 1 and name = 'half'`)).toEqual([]);
});

test('instants are in UTC and decimals keep their digits', async () => {
  expect(
    await database.query(
      `select iso('2026-01-02T03:04:05.678+02') as at, 0.123456789012345678::numeric::text as price`,
    ),
  ).toEqual([{ at: '2026-01-02T01:04:05.678Z', price: '0.123456789012345678' }]);
});

test('the name of a database describes its kind', () => {
  expect(database.name).toMatch(/^(embedded Postgres in memory|PostgreSQL at postgres)/);
});

import { Random, scramble } from '../random.ts';
import type { Part, Sizes } from './seed-part.ts';
import { issueParts } from './seed-issues.ts';
import { teamParts } from './seed-teams.ts';
import * as words from './words.ts';
import type { Database, Queries } from './database.ts';

/** Increase it whenever the generated data changes. */
export const SEED_VERSION = 3;
export const ITEMS = 10_000;

const CHUNK = 5_000;
const DAY = 86_400_000;
const BEGIN = Date.UTC(2026, 0, 1);
const TABLES =
  'person, post, comment, tag, post_tag, todo, team, membership, currency, stats, item, stream, profile, file, answered, seeded, issue, issue_comment, activity';

export function sizesOf(rows: number): Sizes {
  const users = Math.min(2_000, Math.max(10, Math.floor(rows / 50)));
  const posts = Math.max(20, Math.floor(rows / 5));
  const todos = Math.max(20, Math.floor(rows / 5));
  return { users, posts, todos, comments: Math.max(0, rows - users - posts - todos) };
}

/** The number of rows of the present data; `undefined` if there is none, or if it has another version. */
export async function seededRows({ query }: Queries): Promise<number | undefined> {
  return (await query<{ rows: number }>('select rows from seeded where version = $1', [SEED_VERSION]))[0]?.rows;
}

export type Progress = (done: number, of: number) => void;

/** Replaces all data by generated data. It is the same on every machine and every Postgres. */
export async function seed(database: Database, rows: number, progress: Progress = () => undefined): Promise<void> {
  const parts = partsOf(sizesOf(rows));
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  await database.transaction(async (queries) => {
    await queries.query(`truncate ${TABLES} restart identity cascade`);
    let done = 0;
    for (const { table, columns, count, row } of parts)
      for (let from = 0; from < count; from += CHUNK) {
        const chunk = Array.from({ length: Math.min(CHUNK, count - from) }, (_, at) => row(from + at));
        await insert(queries, table, columns, chunk);
        progress((done += chunk.length), total);
      }
    for (const table of [
      'person',
      'post',
      'comment',
      'tag',
      'todo',
      'membership',
      'issue',
      'issue_comment',
      'activity',
    ])
      await queries.query(
        `select setval(pg_get_serial_sequence('${table}', 'id'), greatest(1, (select max(id) from ${table})))`,
      );
    await queries.query('insert into seeded (rows, version) values ($1, $2)', [rows, SEED_VERSION]);
  });
  // Without ANALYZE the planner has no statistics of the new rows until autovacuum runs, which never happens in the embedded Postgres.
  await database.script('analyze');
}

/** Sends a chunk of rows as one JSON parameter, which both drivers pass in the same way. */
async function insert({ query }: Queries, table: string, columns: string, chunk: readonly object[]): Promise<void> {
  await query(`insert into ${table} select * from jsonb_to_recordset($1::jsonb) as row(${columns})`, [
    JSON.stringify(chunk),
  ]);
}

const instant = (days: number): string => new Date(BEGIN + Math.round(days * DAY)).toISOString();
const nameOf = (at: number): { first: string; last: string } => {
  const random = new Random(at + 1);
  return { first: random.pick(words.FIRST_NAMES), last: random.pick(words.LAST_NAMES) };
};

function partsOf(sizes: Sizes): readonly Part[] {
  return [
    personPart(sizes),
    ...postParts(sizes),
    ...tagParts(sizes),
    todoPart(sizes),
    ...teamParts(sizes),
    ...issueParts(sizes),
    ...marketParts(),
    ...otherParts(sizes),
  ];
}

const someone = (random: Random, { users }: Sizes): number => random.whole(1, users);

function personPart({ users }: Sizes): Part {
  return {
    table: 'person',
    columns: 'id int, name text, username text, created_at timestamptz',
    count: users,
    row: (at) => {
      const { first, last } = nameOf(at);
      return {
        id: at + 1,
        name: `${first} ${last}`,
        username: `${plain(first)}${at + 1}`,
        created_at: instant(at / 100),
      };
    },
  };
}

function postParts(sizes: Sizes): readonly Part[] {
  const { posts, comments } = sizes;
  return [
    {
      table: 'post',
      columns: 'id int, author_id int, title text, body text, votes int, created_at timestamptz',
      count: posts,
      row: (at) => {
        const random = new Random(1_000_000 + at);
        return {
          id: at + 1,
          author_id: someone(random, sizes),
          title: `${random.pick(words.OPENINGS)} ${random.pick(words.SUBJECTS)}`,
          body: `${random.pick(words.SENTENCES)} ${random.pick(words.SENTENCES)}`,
          votes: random.whole(0, 99),
          created_at: instant(30 + at / 200),
        };
      },
    },
    {
      table: 'comment',
      columns: 'id int, post_id int, commenter_id int, content text, created_at timestamptz',
      count: comments,
      row: (at) => {
        const random = new Random(100_000_000 + at);
        // The first posts always get some, so that the first page is never empty.
        const post = at < 40 ? (at % 20) + 1 : random.whole(1, posts);
        return {
          id: at + 1,
          post_id: post,
          commenter_id: someone(random, sizes),
          content: random.pick(words.REPLIES),
          created_at: instant(90 + at / 600),
        };
      },
    },
  ];
}

function tagParts({ posts }: Sizes): readonly Part[] {
  return [
    {
      table: 'tag',
      columns: 'id int, name text',
      count: words.TAGS.length,
      row: (at) => ({ id: at + 1, name: words.TAGS[at] }),
    },
    {
      table: 'post_tag',
      columns: 'post_id int, tag_id int',
      count: posts * 2,
      row: (at) => {
        const half = words.TAGS.length / 2;
        return { post_id: Math.floor(at / 2) + 1, tag_id: (scramble(3, at) % half) + 1 + (at % 2) * half };
      },
    },
  ];
}

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase();

function todoPart({ users, todos }: Sizes): Part {
  return {
    table: 'todo',
    columns: 'id int, user_id int, title text, completed boolean',
    count: todos,
    row: (at) => {
      const random = new Random(200_000_000 + at);
      const { first } = nameOf(random.whole(0, 999));
      return {
        id: at + 1,
        user_id: random.whole(1, users),
        title: `${random.pick(words.TASKS)} ${first}`,
        completed: random.next() < 0.4,
      };
    },
  };
}

function marketParts(): readonly Part[] {
  const currencies = words.CURRENCIES.map(([id, name, base_price]) => ({ id, name, base_price }));
  const stats = words.CURRENCIES.map(([id, , price, volume]) => ({
    product_id: `${id}-USD`,
    price: Number(price),
    volume,
    volume_usd: Math.round(Number(price) * volume * 100) / 100,
  }));
  return [
    listed('currency', 'id text, name text, base_price numeric', currencies),
    listed('stats', 'product_id text, price float8, volume float8, volume_usd float8', stats),
    {
      table: 'item',
      columns: 'id int, name text, warehouse text, quantity int, price numeric, updated_at timestamptz',
      count: ITEMS,
      row: (at) => {
        const random = new Random(300_000_000 + at);
        return {
          id: at + 1,
          name: `${random.pick(words.FINISHES)} ${random.pick(words.GOODS)} ${at + 1}`,
          warehouse: random.pick(words.WAREHOUSES),
          quantity: random.whole(0, 500),
          price: (random.whole(50, 99_999) / 100).toFixed(2),
          updated_at: instant(120),
        };
      },
    },
  ];
}

const listed = (table: string, columns: string, rows: readonly object[]): Part => ({
  table,
  columns,
  count: rows.length,
  row: (at) => rows[at] ?? {},
});

function otherParts({ users }: Sizes): readonly Part[] {
  const streams = words.STREAMS.map(([username, title, game, current_viewers, live]) => ({
    username,
    title,
    game,
    current_viewers,
    live,
  }));
  const files = words.FILES.map(([id, name, type, text]) => ({
    id,
    name,
    type,
    bytes: `\\x${Buffer.from(text).toString('hex')}`,
  }));
  return [
    listed('stream', 'username text, title text, game text, current_viewers int, live boolean', streams),
    {
      table: 'profile',
      columns: 'id int, document jsonb',
      count: Math.min(50, users),
      row: (at) => ({ id: at + 1, document: profile(at) }),
    },
    listed('file', 'id text, name text, type text, bytes bytea', files),
  ];
}

/** Nested data with arrays and a null, in snake_case, for the recipe about key case. */
function profile(at: number): object {
  const { first, last } = nameOf(at);
  const random = new Random(400_000_000 + at);
  return {
    full_name: `${first} ${last}`,
    preferred_display_name: first,
    home_address: {
      street_name: `${random.pick(words.LAST_NAMES)} Street ${random.whole(1, 90)}`,
      postal_code: String(random.whole(10_000, 99_999)),
    },
    phone_numbers: [
      { country_code: `+${random.whole(1, 98)}`, local_number: String(random.whole(1_000_000, 9_999_999)) },
      { country_code: `+${random.whole(1, 98)}`, local_number: String(random.whole(1_000_000, 9_999_999)) },
    ],
    last_seen_at: at % 3 === 0 ? null : instant(100 + at),
  };
}

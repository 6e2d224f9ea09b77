import { createHash } from 'node:crypto';
import type { Queries } from './database/database.ts';
import { Problem } from './problem.ts';
import type { ApiRequest, Reply } from './route.ts';

interface Answered {
  readonly request: string;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: string | null;
}

const KEY = /^[\x21-\x7e]{1,100}$/;

/**
 * Carries out a request once for each `Idempotency-Key`, and returns the first answer for repeated requests. Key and work are in
 * one transaction, so a failed request stores no key, and can be tried again.
 */
export async function once(
  queries: Queries,
  key: string,
  request: Request,
  body: unknown,
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (!KEY.test(key))
    throw new Problem(400, 'An Idempotency-Key is up to 100 visible ASCII characters, such as a UUID.');
  const print = createHash('sha256')
    .update(`${request.method} ${request.url}\n${JSON.stringify(body)}`)
    .digest('base64url');
  // A second request with the key waits here until the first one is done.
  const mine = await queries.query(
    'insert into answered (key, request) values ($1, $2) on conflict do nothing returning key',
    [key, print],
  );
  if (mine.length === 0) return again(queries, key, print);
  const reply = await work();
  await queries.query('update answered set status = $2, headers = $3::jsonb, body = $4 where key = $1', [
    key,
    reply.status,
    JSON.stringify(reply.headers ?? {}),
    reply.body === undefined ? null : JSON.stringify(reply.body),
  ]);
  return reply;
}

async function again({ query }: Queries, key: string, print: string): Promise<Reply> {
  const [answered] = await query<Answered>('select request, status, headers, body from answered where key = $1', [key]);
  if (answered === undefined || answered.status === null)
    throw new Problem(409, 'A request with this Idempotency-Key is still under way. Try again in a moment.');
  if (answered.request !== print)
    throw new Problem(
      422,
      'This Idempotency-Key was used for another request. Make a new key for each thing you want done.',
    );
  return {
    status: answered.status,
    headers: { ...answered.headers, 'idempotency-replayed': 'true' },
    ...(answered.body !== null && { body: JSON.parse(answered.body) as unknown }),
  };
}

/** Deletes keys after a day. Clients do not retry for longer than that. */
export const forgetOldKeys = ({ query }: Pick<ApiRequest['queries'], 'query'>): Promise<object[]> =>
  query(`delete from answered where at < now() - interval '1 day'`);

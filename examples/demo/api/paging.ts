import type { ApiRequest, Reply } from './route.ts';
import type { JsonSchema } from './json-schema.ts';
import { Problem } from './problem.ts';

const MAX_PER_PAGE = 100;

export const pageQuery = {
  page: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
  perPage: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: 20 },
} as const satisfies Record<string, JsonSchema>;

export const cursorQuery = {
  cursor: { type: 'string', maxLength: 100, description: 'the value of nextCursor; without it, the first page' },
  limit: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: 20 },
} as const satisfies Record<string, JsonSchema>;

/** The requested part of a list, as `limit` and `offset`. */
export function pageOf({ query }: ApiRequest): {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
} {
  const page = query['page'] as number;
  const limit = query['perPage'] as number;
  return { page, limit, offset: (page - 1) * limit };
}

function linkTo(url: URL, changes: Readonly<Record<string, string | number>>, rel: string): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(changes)) target.searchParams.set(name, String(value));
  return `<${target.href}>; rel="${rel}"`;
}

/** A page with its neighbours in the `Link` header (RFC 8288). */
export function pageReply(request: ApiRequest, body: readonly unknown[], total: number): Reply {
  const { page, limit } = pageOf(request);
  const last = Math.max(1, Math.ceil(total / limit));
  const links = [
    page > 1 && linkTo(request.url, { page: 1 }, 'first'),
    page > 1 && linkTo(request.url, { page: Math.min(page - 1, last) }, 'prev'),
    page < last && linkTo(request.url, { page: page + 1 }, 'next'),
    linkTo(request.url, { page: last }, 'last'),
  ];
  return { status: 200, body, headers: { link: links.filter(Boolean).join(', '), 'x-total-count': String(total) } };
}

/** The id after which a cursor continues. Cursors are encoded, so that clients do not depend on their content. */
export function cursorOf({ query }: ApiRequest): number {
  const cursor = query['cursor'] as string | undefined;
  if (cursor === undefined) return 0;
  const id = /^after:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (id === undefined) throw new Problem(400, 'The cursor is not one that this API gave out. Begin again without it.');
  return Number(id);
}

/** `results` has one item more than requested if there is a next page. */
export function cursorReply(request: ApiRequest, found: readonly { readonly id: string | number }[]): Reply {
  const limit = request.query['limit'] as number;
  const results = found.slice(0, limit);
  const last = results.at(-1);
  const nextCursor =
    found.length > limit && last !== undefined ? Buffer.from(`after:${last.id}`).toString('base64url') : null;
  return {
    status: 200,
    body: { results, nextCursor },
    headers: nextCursor === null ? {} : { link: linkTo(request.url, { cursor: nextCursor }, 'next') },
  };
}

import type { HonoRequest } from 'hono';
import type { Queries } from './database/database.ts';
import { etagOf, isKnown, isMeant } from './etag.ts';
import { once } from './idempotency.ts';
import { isConditional } from './openapi.ts';
import { Problem } from './problem.ts';
import { checkParams, readBody, readQuery } from './request.ts';
import type { ApiRequest, Reply, Route, World } from './route.ts';
import type { Change } from './channel.ts';

export type Performer = (
  route: Route,
  request: HonoRequest,
  signal: AbortSignal,
  session: string | undefined,
) => Promise<Response>;

/** Checks a request, runs its route in a transaction, and turns the reply into a response. */
export function performer(world: World, routes: readonly Route[]): Performer {
  const publishToChannels = (change: Change): void => {
    world.changes.publish(change.value === undefined ? 'deleted' : 'changed', change);
    if (change.entity === 'Item') world.items.publish('item', change.value);
  };
  return async (route, request, signal, session) => {
    const params = request.param() as Readonly<Record<string, string>>;
    checkParams(route, params);
    const url = new URL(request.url);
    const query = readQuery(route, url.searchParams);
    const body = await readBody(route.body, request.raw);
    const unpublished: Change[] = [];
    const checkedRequest = (queries: Queries): ApiRequest => ({
      params,
      query,
      body,
      url,
      session,
      queries,
      signal,
      headers: request.raw.headers,
      publish: (change) => void unpublished.push(change),
    });
    if (route.method === 'get' || route.control)
      return respond(route, request, await route.handle(checkedRequest(world.database)));
    const twin = isConditional(route, routes)
      ? routes.find(({ path, method }) => path === route.path && method === 'get')
      : undefined;
    const reply = await world.database.transaction(async (queries) => {
      const work = (): Promise<Reply> => write(route, twin, checkedRequest(queries));
      const key = request.header('idempotency-key');
      return key === undefined ? work() : once(queries, key, request.raw, body, work);
    });
    for (const change of unpublished) publishToChannels(change);
    return respond(route, request, reply);
  };
}

/** Runs writes to one path one after the other, so that no other write happens between the check of `If-Match` and the write. */
async function write(route: Route, twin: Route | undefined, request: ApiRequest): Promise<Reply> {
  if (twin !== undefined)
    await request.queries.query('select pg_advisory_xact_lock(hashtext($1))', [request.url.pathname]);
  const expected = request.headers.get('if-match');
  if (expected !== null && twin !== undefined) {
    const current = await twin.handle(request);
    if (
      !('status' in current) ||
      current instanceof Response ||
      !isMeant(expected, etagOf(JSON.stringify(current.body)))
    )
      throw new Problem(412, 'It was changed in the meantime. Fetch it again, and decide with what it is now.');
  }
  const reply = await route.handle(request);
  if (reply instanceof Response) throw new Error(`${route.path} writes, and has to answer with a reply.`);
  return reply;
}

function respond(route: Route, request: HonoRequest, reply: Reply | Response): Response {
  if (reply instanceof Response) return reply;
  const { status, body, headers } = reply;
  if (body === undefined) return new Response(null, { status, headers: { ...headers } });
  const text = JSON.stringify(body);
  if (route.volatile || route.control)
    return new Response(text, {
      status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    });
  const etag = etagOf(text);
  const kept = { etag, 'cache-control': 'private, no-cache', ...headers };
  if (route.method === 'get' && isKnown(request.header('if-none-match') ?? null, etag))
    return new Response(null, { status: 304, headers: kept });
  return new Response(text, { status, headers: { 'content-type': 'application/json', ...kept } });
}

import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { performer } from './perform.ts';
import type { Performer } from './perform.ts';
import { openapi } from './openapi.ts';
import { Problem } from './problem.ts';
import type { Route, World } from './route.ts';
import { siteAt } from './site.ts';
import { tickerSocket } from './socket.ts';

export type App = Hono<{ Bindings: HttpBindings }>;
type Ctx = Context<{ Bindings: HttpBindings }>;

const MAX_BYTES = 100_000;
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const EXPOSED = [
  'Link',
  'ETag',
  'Location',
  'X-Total-Count',
  'Content-Disposition',
  'Idempotency-Replayed',
  'Retry-After',
  'Allow',
];

export interface AppOptions {
  readonly world: World;
  readonly routes: readonly Route[];
  /** A folder with a built web page, served beside the API. */
  readonly site?: string;
  /** Where unexpected errors go. */
  readonly report: (error: unknown) => void;
}

/** Everything between HTTP and the routes. */
export function createApp({ world, routes, site, report }: AppOptions): App {
  const app: App = new Hono();
  const document = openapi(routes);
  app.use(localOnly);
  app.use(
    '/api/*',
    cors({ origin: (origin) => (isLocal(origin) ? origin : null), exposeHeaders: EXPOSED, maxAge: 600 }),
  );
  app.use('/api/*', bodyLimit({ maxSize: MAX_BYTES, onError: tooLarge }));
  for (const path of ['/openapi.json', '/api/openapi.json']) app.get(path, (context) => context.json(document));
  const perform = performer(world, routes);
  for (const route of routes)
    app.on(route.method.toUpperCase(), `/api${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`, (context) =>
      answer(context, route, world, perform),
    );
  for (const [path, methods] of methodsByPath(routes))
    app.all(`/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, () => {
      throw new Problem(405, `This path knows ${methods.join(', ')}.`, { headers: { allow: methods.join(', ') } });
    });
  app.get('/api/socket', sameMachine, ...tickerSocket(world));
  app.all('/api/*', ({ req }) => {
    throw new Problem(404, `There is nothing at ${req.path}. /openapi.json lists all routes.`);
  });
  if (site !== undefined) siteAt(app, site);
  else app.get('/', (context) => context.redirect('/openapi.json'));
  app.onError((error, { req }) => asProblem(error, report).toResponse(req.path));
  app.notFound(({ req }) => new Problem(404, `There is nothing at ${req.path}.`).toResponse(req.path));
  return app;
}

/** Refuses requests whose host is not this machine. This stops other sites that make their domain point to 127.0.0.1. */
function localOnly({ req }: Ctx, next: () => Promise<void>): Promise<void> {
  if (!LOCAL.test(req.header('host') ?? '')) throw new Problem(403, 'This server answers to localhost only.');
  return next();
}

/** CORS does not apply to WebSockets: any page may open one, so the origin is checked here. */
function sameMachine({ req }: Ctx, next: () => Promise<void>): Promise<void> {
  const origin = req.header('origin');
  if (origin !== undefined && !isLocal(origin)) throw new Problem(403, 'A page from elsewhere may not listen here.');
  return next();
}

function isLocal(origin: string): boolean {
  return URL.canParse(origin) && LOCAL.test(new URL(origin).host);
}

function tooLarge({ req }: Context): Response {
  return new Problem(413, `A body may have ${MAX_BYTES} bytes.`).toResponse(req.path);
}

/** Simulates the network of the client around the answer. */
async function answer({ req, env }: Ctx, route: Route, world: World, perform: Performer): Promise<Response> {
  const session = req.header('x-session') ?? req.query('session');
  const left = new AbortController();
  const drop = (): Response => {
    env.incoming.socket.destroy();
    return RESPONSE_ALREADY_SENT;
  };
  const letGo = session === undefined || route.control ? undefined : world.simulations.lineOf(session).hold(drop);
  env.outgoing.once('close', () => {
    letGo?.();
    left.abort();
  });
  const answered = (): Promise<Response> => perform(route, req, left.signal, session);
  if (route.control) return answered();
  const fate = world.simulations.fateOf(session, req.method, req.header('x-simulate') ?? null);
  if (fate.offline) return drop();
  if (fate.latency > 0) await world.clock.sleep(fate.latency, left.signal);
  // The client disconnected before the request was handled, as if it had never arrived.
  if (left.signal.aborted) return RESPONSE_ALREADY_SENT;
  if (fate.fail === undefined) return answered();
  if (fate.failAt === 'before')
    throw new Problem(
      fate.fail,
      'This failure was asked for.',
      fate.fail === 503 ? { headers: { 'retry-after': '1' } } : {},
    );
  await (await answered()).body?.cancel();
  return drop();
}

function methodsByPath(routes: readonly Route[]): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method.toUpperCase()]);
  return methods;
}

function asProblem(error: unknown, report: (error: unknown) => void): Problem {
  if (error instanceof Problem) return error;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const known = knownFailure(code);
  // Errors of the environment are logged in one line, errors of the program with their stack.
  report(known === undefined ? error : `${known} (${message || code})`);
  if (known !== undefined) return new Problem(503, known, { headers: { 'retry-after': '5' } });
  return new Problem(500, 'The server failed. What happened is in its output.');
}

function knownFailure(code: string): string | undefined {
  if (/^(?:ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|57P|08)/.test(code)) return 'The database does not answer.';
  if (code === 'ENOSPC' || code === '53100') return 'There is no space left on the disk of the database.';
  return undefined;
}

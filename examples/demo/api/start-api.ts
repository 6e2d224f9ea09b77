import { createAdaptorServer } from '@hono/node-server';
import type { WebSocketServerLike } from '@hono/node-server';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { createApp } from './app.ts';
import type { App } from './app.ts';
import { Channel } from './channel.ts';
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { open } from './database/open.ts';
import { forgetOldKeys } from './idempotency.ts';
import { LiveItems } from './live-items.ts';
import { Market } from './market.ts';
import { demandPort, HOST, listen } from './port.mjs';
import type { Route, World } from './route.ts';
import { allRoutes } from './routes/all.ts';
import { SentenceError } from './sentence-error.mjs';
import { Simulations } from './simulation.ts';

export interface StartApiOptions {
  /** The port. 0 means any free port. */
  readonly port?: number;
  /** How many of the next ports are tried if the port is in use. */
  readonly tries?: number;
  /** The number of rows. Default: the rows that the database has already, or else 2,000. */
  readonly rows?: number;
  /** `postgres://…`, a folder for embedded Postgres, or `memory`. */
  readonly database?: string;
  /** Where databases in memory keep a snapshot, which makes the next start fast. */
  readonly snapshots?: string;
  /** A folder with a built web page, served at `/`. */
  readonly site?: string;
  readonly clock?: Clock;
  readonly progress?: (what: string) => void;
  readonly report?: (error: unknown) => void;
}

export interface Api {
  /** `http://127.0.0.1:4600`; the API itself is below `/api`. */
  readonly url: string;
  readonly port: number;
  readonly rows: number;
  /** The description of the database, to print. */
  readonly database: string;
  readonly routes: readonly Route[];
  /** Ends open event streams, waits for running writes, and closes the database. */
  close(): Promise<void>;
}

/** The largest size of a WebSocket message, in bytes. */
const MAX_MESSAGE_BYTES = 10_000;
/** The code with which a server that stops closes a WebSocket. */
const GOING_AWAY = 1001;

/** Starts the demo's API, reachable from this machine only. */
export async function startApi(options: StartApiOptions = {}): Promise<Api> {
  demandSite(options.site);
  const { port = 0, tries = 0, clock = systemClock, progress = () => undefined } = options;
  // Checked before data is generated, which may take minutes.
  await demandPort(options);
  const { database, rows, announce } = await open({
    where: options.database ?? 'memory',
    rows: options.rows,
    snapshots: options.snapshots,
    progress,
  });
  try {
    const run = clock.now().toString(36);
    const world: World = {
      database,
      clock,
      market: new Market(clock),
      changes: new Channel(run),
      items: new Channel(run),
      simulations: new Simulations(),
    };
    const live = new LiveItems(database, world.items, clock);
    const routes = allRoutes(world, live, rows);
    const report = options.report ?? ((error) => console.error(error));
    await forgetOldKeys(database);
    const app = createApp({ world, routes, report, ...(options.site !== undefined && { site: options.site }) });
    const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
    const server = await listen((hostname) => serverOf(app, sockets, hostname), port, tries);
    const url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
    announce(url);
    const close = async (): Promise<void> => {
      await stop(server, sockets);
      await live.idle();
      await database.close();
    };
    return {
      url,
      port: (server.address() as AddressInfo).port,
      rows,
      database: database.name,
      routes,
      close: once(close),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function serverOf(app: App, sockets: WebSocketServer, hostname: string): Server {
  // What differs is whether an option that is left out may be undefined.
  const websocket = { server: sockets as WebSocketServerLike };
  return createAdaptorServer({ hostname, fetch: app.fetch, websocket }) as Server;
}

function demandSite(folder: string | undefined): void {
  if (folder === undefined || existsSync(join(folder, 'index.html'))) return;
  throw new SentenceError(`There is no page in ${folder}. "npm start" builds one; or leave --site out.`);
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= work());
}

/** Refuses new requests, gives running ones a moment to finish, and closes event streams and idle connections at once. */
async function stop(server: Server, sockets: WebSocketServer): Promise<void> {
  for (const socket of sockets.clients) socket.close(GOING_AWAY);
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  server.closeIdleConnections();
  const rest = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  for (const socket of sockets.clients) socket.terminate();
  clearTimeout(rest);
}

const GRACE_MS = 250;

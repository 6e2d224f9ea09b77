import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the server has received. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export type Route = (received: Received) => Reply;

/** A running server: its URL, its requests, and a function that stops it. */
export interface Api {
  readonly url: string;
  readonly received: Received[];
  close(): Promise<void>;
}

export function json(value: unknown, headers: Readonly<Record<string, string>> = {}, status = 200): Reply {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** Answers each `METHOD /path` of `routes`, and 404 to everything else. */
export async function startApi(routes: Readonly<Record<string, Route>>): Promise<Api> {
  const received: Received[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request;
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const asked = { method, url, body };
    received.push(asked);
    const route = routes[`${method} ${url}`];
    const reply = route === undefined ? json({ error: 'not found' }, {}, 404) : route(asked);
    response.writeHead(reply.status ?? 200, { ...reply.headers });
    response.end(reply.body);
  };
  const server = createServer((request, response) => {
    // A client that has disconnected before its request arrived gets no answer.
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close };
}

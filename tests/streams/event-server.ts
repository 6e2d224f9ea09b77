import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface EventServer {
  readonly url: string;
  /** The number of requests. */
  readonly count: () => number;
  /** Resolves to the next request. */
  readonly asked: () => Promise<{ readonly request: IncomingMessage; readonly response: ServerResponse }>;
}

/** A server on loopback whose answers the test sends. */
export async function eventServer(): Promise<EventServer> {
  const waiting: ((asked: Awaited<ReturnType<EventServer['asked']>>) => void)[] = [];
  const requests: Awaited<ReturnType<EventServer['asked']>>[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    count++;
    const next = waiting.shift();
    if (next === undefined) requests.push({ request, response });
    else next({ request, response });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    asked: async () => requests.shift() ?? new Promise((resolve) => void waiting.push(resolve)),
  };
}

export function accept(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
}

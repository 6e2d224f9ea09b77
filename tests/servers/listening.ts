import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A running server. */
export interface Listening {
  readonly url: string;
  /** Returns `METHOD url` of every request since the last call. */
  asked(): string[];
  close(): Promise<void>;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Runs a server on a free port of this machine. */
export async function listening(handle: Handle): Promise<Listening> {
  const log: string[] = [];
  const server = createServer((request, response) => {
    log.push(`${request.method ?? ''} ${request.url ?? ''}`);
    // The body of a request can end early, if the client closes the connection.
    Promise.resolve(handle(request, response)).catch(() => response.destroy());
  });
  // There is no limit, because a server could close an idle connection while the next request is being sent, which then fails.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => log.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

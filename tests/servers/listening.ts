import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that runs: its address, what it was asked, and how it ends. */
export interface Listening {
  readonly url: string;
  /** `METHOD url`, of every request since the last call. */
  asked(): string[];
  close(): Promise<void>;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Runs a server on a free port of this machine. */
export async function listening(handle: Handle): Promise<Listening> {
  const log: string[] = [];
  const server = createServer((request, response) => {
    log.push(`${request.method ?? ''} ${request.url ?? ''}`);
    // A client that goes before its request has come is none to answer.
    Promise.resolve(handle(request, response)).catch(() => response.destroy());
  });
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

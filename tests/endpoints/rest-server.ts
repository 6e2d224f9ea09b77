import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import jsonServer from 'json-server';

/** One request and its answer, as the server recorded them. */
interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly status: number;
}

/** A running server. */
export interface RestServer {
  readonly url: string;
  readonly exchanges: Exchange[];
  /** Returns `METHOD url` for each exchange since the last call. */
  asked(): string[];
  /** Lets requests of a method wait before the server handles them. Returns a function that releases them. */
  hold(method: string): () => void;
  /** Answers the next request of a method with this status, without handling it. */
  refuse(method: string, status: number): void;
  close(): Promise<void>;
}

const users = [
  { id: 1, name: 'Ann' },
  { id: 2, name: 'Bob' },
  { id: 3, name: 'Cid' },
];
const posts = [
  { id: 1, title: 'Joins', userId: 1, likes: 5 },
  { id: 2, title: 'Views', userId: 2, likes: 9 },
  { id: 3, title: 'Keys', userId: 1, likes: 7 },
  { id: 4, title: 'Rows', userId: 3, likes: 1 },
  { id: 5, title: 'Cells', userId: 2, likes: 3 },
];
const comments = [
  { id: 1, body: 'Well said', postId: 1, userId: 2 },
  { id: 2, body: 'Not so sure', postId: 1, userId: 3 },
  { id: 3, body: 'Agreed', postId: 2, userId: 1 },
];
const todos = [
  { id: 1, title: 'Write', userId: 1, completed: false },
  { id: 2, title: 'Test', userId: 1, completed: true },
  { id: 3, title: 'Rest', userId: 2, completed: false },
];

/** json-server with users, posts, comments and todos: a REST server that was not written for Rejoin. */
export async function startRestServer(): Promise<RestServer> {
  const exchanges: Exchange[] = [];
  const app = jsonServer.create();
  app.use(({ method, url, headers }, response, next) => {
    const sent = { method, url, headers: { ...headers } };
    response.on('finish', () => exchanges.push({ ...sent, status: response.statusCode }));
    next();
  });
  const held = new Map<string, Promise<void>>();
  const refused = new Map<string, number>();
  app.use(({ method }, response, next) => {
    const status = refused.get(method);
    refused.delete(method);
    const proceed = status === undefined ? next : (): void => void response.writeHead(status).end();
    void (held.get(method) ?? Promise.resolve()).then(proceed);
  });
  app.use(jsonServer.defaults({ logger: false }));
  app.use(jsonServer.router(structuredClone({ users, posts, comments, todos })));
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  let reported = 0;
  const asked = (): string[] => {
    const since = exchanges.slice(reported);
    reported = exchanges.length;
    return since.map(({ method, url }) => `${method} ${url}`);
  };
  const hold = (method: string): (() => void) => {
    let release = (): void => {};
    held.set(method, new Promise((resolve) => (release = resolve)));
    return () => {
      held.delete(method);
      release();
    };
  };
  const refuse = (method: string, status: number): void => void refused.set(method, status);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, exchanges, asked, hold, refuse, close };
}

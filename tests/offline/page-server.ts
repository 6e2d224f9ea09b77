import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const ENTRY_POINTS = ['outbox', 'persist', 'tabs', 'react'];

/** Bundles the script of a page for a browser, from its path in the repository. */
function scriptOf(entry: string): string {
  const fileOf = (name: string): string => join(process.cwd(), `src/${name}.ts`);
  const { outputFiles } = buildSync({
    entryPoints: [join(process.cwd(), entry)],
    bundle: true,
    write: false,
    jsx: 'automatic',
    alias: {
      ...Object.fromEntries(ENTRY_POINTS.map((name) => [`rejoin/${name}`, fileOf(name)])),
      rejoin: fileOf('index'),
    },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}

export interface PageServer {
  readonly address: string;
  close(): Promise<void>;
}

/** Serves a page, and lets `handle` answer requests to paths that begin with `/api`. */
export async function servePage(
  entry: string,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<PageServer> {
  const script = scriptOf(entry);
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api') === true) return handle(request, response);
    response.setHeader('content-type', request.url === '/page.js' ? 'text/javascript' : 'text/html');
    response.end(request.url === '/page.js' ? script : '<main></main><script src="/page.js"></script>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

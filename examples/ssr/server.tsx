import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { renderToPipeableStream } from 'react-dom/server';
import { DataProvider } from 'rejoin/react';
import { ServerSession } from 'rejoin/ssr';
import { answer } from './api.ts';
import { Page } from './app.tsx';
import { api } from './model.ts';

export interface Serving {
  readonly server: Server;
  readonly address: string;
}

/** Serves the page, its API and its files. `script` is what the browser runs. */
export async function serve(script: () => Promise<string | Uint8Array>, port = 0): Promise<Serving> {
  const server = createServer((request, response) => {
    // A client that disconnects during its answer must not end the server.
    handle(request, response, script).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const { port: open } = server.address() as { readonly port: number };
  const address = `http://127.0.0.1:${open}`;
  api.origin = address;
  return { server, address };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  script: () => Promise<string | Uint8Array>,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://page');
  if (pathname.startsWith('/api/')) return answer(request, response, pathname);
  if (pathname === '/style.css') return void response.setHeader('Content-Type', 'text/css').end(style);
  if (pathname === '/browser.js') return void response.setHeader('Content-Type', 'text/javascript').end(await script());
  if (pathname === '/') return render(response);
  response.writeHead(404).end();
}

/** Renders one page. Each page has a session of its own, which ends with the page. */
function render(response: ServerResponse): void {
  const session = new ServerSession();
  const page = renderToPipeableStream(
    <DataProvider controller={session.controller} rendering={session.rendering}>
      <Page />
    </DataProvider>,
    {
      bootstrapModules: ['/browser.js'],
      onShellReady: () => void session.pipe(page, response),
      onShellError: () => {
        session.dispose();
        response.writeHead(500).end('The page could not be made.');
      },
    },
  );
}

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 40rem; padding: 0 1rem; color: #1b1f24 }
  header { display: flex; align-items: baseline; justify-content: space-between; border-bottom: 2px solid #1b1f24 }
  article { border: 1px solid #d0d7de; border-radius: 8px; margin: 1rem 0; padding: 0 1rem 0.5rem }
  h2 { margin-bottom: 0 } button { margin-left: 1rem } .wait { color: #6e7781; font-style: italic } i { color: #6e7781 }
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { address } = await serve(async () => readFile(new URL('browser.js', import.meta.url)), 4400);
  console.log(`The page is at ${address}`);
}

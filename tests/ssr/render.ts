import { PassThrough } from 'node:stream';
import type { ReactNode } from 'react';
import { renderToPipeableStream, renderToReadableStream } from 'react-dom/server';
import type { ServerSession } from '../../src/ssr.ts';

/** Renders as a server of `node:http` would, and returns the page batch by batch. */
export async function piped(session: ServerSession, tree: ReactNode): Promise<string[]> {
  const chunks: string[] = [];
  const response = new PassThrough();
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    response.on('close', () => resolve(chunks));
    const page = renderToPipeableStream(tree, {
      onShellReady: () => void session.pipe(page, response),
      onShellError: reject,
      onError: () => {},
    });
  });
}

/** Renders as a server with web streams would. */
export async function streamed(session: ServerSession, tree: ReactNode): Promise<string[]> {
  // React 18 has this function in its entry for browsers only.
  if (typeof renderToReadableStream !== 'function') return piped(session, tree);
  const page = await renderToReadableStream(tree, { onError: () => {} });
  const reader = session.inject(page).getReader();
  const chunks: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    chunks.push(new TextDecoder().decode(value));
  }
}

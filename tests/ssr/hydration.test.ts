// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';

/** Renders where there is no document, with modules of its own, as on a server. */
async function onServer<T>(run: () => Promise<T>): Promise<T> {
  const { document: page } = globalThis;
  vi.resetModules();
  vi.stubGlobal('document', undefined);
  try {
    return await run();
  } finally {
    vi.stubGlobal('document', page);
    vi.resetModules();
  }
}

/** A page of random readers, and what is wrong with it in a browser. */
async function faults(seed: number): Promise<string[]> {
  const { node, batches } = await onServer(async () => (await import('./server.ts')).pageOf(seed));
  return (await import('./browser.ts')).faultsOf(node, batches, seed);
}

it.each(Array.from({ length: 25 }, (_, at) => at + 1))(
  'random tree %i is hydrated without an error and without asking again, however late its parts come',
  async (seed) => {
    expect(await faults(seed)).toEqual([]);
  },
);

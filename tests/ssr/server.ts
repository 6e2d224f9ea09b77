import { createElement as h } from 'react';
import { DataProvider } from '../../src/react.ts';
import { ServerSession } from '../../src/ssr.ts';
import { api, type Node, randomNode, randomOf, serverApi, treeOf } from './app.ts';
import { piped, streamed } from './render.ts';

/** A random tree, and the page of it. */
export async function pageOf(seed: number): Promise<{ readonly node: Node; readonly batches: readonly string[] }> {
  const random = randomOf(seed);
  const node = randomNode(random);
  api.current = serverApi(random);
  return { node, batches: await batchesOf(node, seed) };
}

/** Renders the page of a tree, in one of the two ways. */
export async function batchesOf(node: Node, seed: number): Promise<readonly string[]> {
  const session = new ServerSession();
  const { controller, rendering } = session;
  const tree = h(DataProvider, { controller, rendering }, treeOf(node));
  return (seed % 2 === 0 ? piped : streamed)(session, tree);
}

/** A server makes a store for each page. If it needed a full garbage collection to free it, each page would cost as much again in the collector. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { All, Collection, Controller, Endpoint, from, NetworkManager, Store } from '../../src/index.ts';
import { requestView } from '../../src/control/view/request-view.ts';
import { Post } from '../model.ts';

const posts = new Collection([Post]);
const getPosts = new Endpoint(async () => rows(), { name: 'posts', schema: posts });

const rows = (): object[] =>
  Array.from({ length: 300 }, (_, at) => ({
    id: `p${at}`,
    title: `title ${at}`,
    author: { id: `u${at % 30}`, name: `name ${at % 30}` },
  }));

type Collect = (options?: { readonly type: 'minor' }) => void;

function collector(): Collect {
  setFlagsFromString('--expose-gc');
  // What an incremental marking has visited survives minor collections.
  setFlagsFromString('--no-incremental-marking');
  return runInNewContext('gc') as Collect;
}

const PAGES = 40;
/** What the first pages leave behind, such as compiled code, is not measured. */
const WARM_UP = 5;

/** Returns how many bytes of the pages are in memory after collections of the young generation only. */
async function bytesOf(page: () => unknown, gc: Collect): Promise<number> {
  for (let at = 0; at < WARM_UP; at++) await page();
  gc();
  gc();
  for (let at = 0; at < PAGES; at++) await page();
  for (let times = 0; times < 3; times++) gc({ type: 'minor' });
  const kept = process.memoryUsage().heapUsed;
  gc();
  gc();
  return (kept - process.memoryUsage().heapUsed) / PAGES;
}

/** The bytes of a page whose store is in use. */
async function bytesInUse(page: () => unknown, gc: Collect): Promise<number> {
  gc();
  gc();
  const before = process.memoryUsage().heapUsed;
  const inUse: unknown[] = [];
  for (let at = 0; at < PAGES; at++) inUse.push(await page());
  gc();
  gc();
  return (process.memoryUsage().heapUsed - before) / inUse.length;
}

describe('a store that nothing refers to', () => {
  test.each<readonly [string, () => unknown]>([
    [
      'after a list was written and read',
      () => {
        const store = new Store();
        store.write(posts, rows(), { args: [{}] });
        store.get(posts, {});
        return store;
      },
    ],
    [
      'after a live query was watched',
      () => {
        const store = new Store();
        store.write([Post], rows());
        store.get(new All(Post));
        const view = store.query(from(Post).orderBy('title').limit(10));
        view.subscribe(() => {})();
        return store;
      },
    ],
    [
      'after a request of its controller',
      async () => {
        const controller = new Controller({ managers: [new NetworkManager()] });
        await controller.fetch(getPosts);
        requestView(controller, getPosts, []).subscribe(() => {})();
        controller.dispose();
        return controller;
      },
    ],
  ])('is freed without a full garbage collection %s', async (_, page) => {
    const gc = collector();
    const kept = await bytesOf(page, gc);
    expect(kept).toBeLessThan((await bytesInUse(page, gc)) / 3);
  });
});

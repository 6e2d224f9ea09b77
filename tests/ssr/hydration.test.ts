// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import type { Node } from './app.ts';

/** Renders without a document, with its own copies of the modules, as on a server. */
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
  'random tree %i is hydrated without an error and without a request, however late its parts come',
  async (seed) => {
    expect(await faults(seed)).toEqual([]);
  },
);

it('data that was saved on the device is shown after hydration, where the server has shown a fallback', async () => {
  const dle: Node = { kind: 'dle', id: '1', children: [] };
  const cache: Node = { kind: 'cache', id: '1', children: [] };
  const node: Node = { kind: 'box', id: '0', children: [dle, cache] };
  const batches = await onServer(async () => {
    const { api } = await import('./app.ts');
    api.current = { answer: async () => new Promise(() => {}) };
    return (await import('./server.ts')).batchesOf(node, 1);
  });
  expect(batches.join('')).toContain('true undefined by undefined');
  const { hydrated } = await import('./browser.ts');
  const { hydrate } = await import('../../src/index.ts');
  const author = { id: 'u1', name: 'Ann' };
  const kept = {
    format: 'rejoin',
    version: 1,
    tables: [
      ['Todo', [['1', { id: '1', title: 'kept', author: 'u1' }, 1, 1, null]]],
      ['User', [['u1', author, 1, 1, null]]],
    ],
    results: [],
  };
  const { errors, html } = await hydrated(node, batches, 1, ({ store }) => hydrate(store, kept));
  expect(errors).toEqual([]);
  expect(html).toContain('false kept by Ann');
  expect(html).toContain('>kept<');
});

it('data from a disk that arrives during hydration is shown afterwards, and never replaces the data of the server', async () => {
  // Suspends, so that the page contains the answer of the server.
  const todo: Node = { kind: 'todo', id: '1', children: [] };
  const cache: Node = { kind: 'cache', id: '2', children: [] };
  const node: Node = { kind: 'box', id: '0', children: [todo, cache] };
  const batches = await onServer(async () => {
    const { api } = await import('./app.ts');
    api.current = { answer: async () => ({ id: '1', title: 'server', author: { id: 'u1', name: 'Ann' } }) };
    return (await import('./server.ts')).batchesOf(node, 1);
  });
  expect(batches.join('')).toContain('server');
  const { hydrated } = await import('./browser.ts');
  const { memoryStorage, PersistManager } = await import('../../src/persist.ts');
  const storage = memoryStorage();
  const author = ['User', 'u1', { id: 'u1', name: 'Old' }, 1, 1, null];
  const rows = ['1', '2'].map((id) => ['Todo', id, { id, title: 'kept', author: 'u1' }, 1, 1, null]);
  const about = { format: 'rejoin', version: 1, model: '', savedAt: Date.now() };
  const entries = [author, ...rows].map(
    ([table, pk, ...row]) => [`row ${pk}`, JSON.stringify([table, pk, ...row])] as const,
  );
  await (await storage.open('app')).write(new Map([...entries, ['about', JSON.stringify(about)]]));
  const persist = new PersistManager({ name: 'app', storage });
  const { errors, html } = await hydrated(node, batches, 1, (controller) => {
    persist.middleware(controller);
    persist.init();
  });
  expect(errors).toEqual([]);
  expect(html).toContain('server');
  expect(html).toContain('kept');
});

it.each(['stored', 'guessed'])(
  'a record that the browser has %s before its part of the page arrives is hydrated as it was sent, and shown afterwards',
  async (how) => {
    const list: Node = { kind: 'list', id: '1', children: [] };
    const waiting: Node = { kind: 'suspense', id: '0', children: [list] };
    const node: Node = { kind: 'box', id: '0', children: [waiting] };
    const batches = await onServer(async () => {
      const { api, serverApi } = await import('./app.ts');
      const { answer } = serverApi(() => 0);
      api.current = {
        answer: async (name, id) => {
          // React sends the shell in one of these turns.
          for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => void setTimeout(resolve));
          return answer(name, id);
        },
      };
      return (await import('./server.ts')).batchesOf(node, 2);
    });
    expect(batches[0]).not.toContain('todo 1');
    const { Todo } = await import('./app.ts');
    const { hydrated } = await import('./browser.ts');
    const { addGuess } = await import('../../src/state/store/layer.ts');
    const mine = { id: '1', title: 'mine' };
    const { errors, html } = await hydrated(node, batches, 1, ({ store }) => {
      if (how === 'stored') store.write(Todo, mine);
      else addGuess(store, () => ({ schema: Todo, response: mine, args: [{ id: '1' }] }));
    });
    expect(errors).toEqual([]);
    expect(html).toContain('mine');
    expect(html).toContain('todo 1-more');
  },
);

it('a component whose data has changed before it is hydrated shows the new data, with the parts in it that the server sent', async () => {
  const inside: Node = { kind: 'todo', id: '2', children: [] };
  const around: Node = { kind: 'todo', id: '1', children: [{ kind: 'suspense', id: '0', children: [inside] }] };
  const node: Node = { kind: 'box', id: '0', children: [around] };
  const batches = await onServer(async () => {
    const { api, serverApi } = await import('./app.ts');
    api.current = serverApi(() => 0);
    return (await import('./server.ts')).batchesOf(node, 1);
  });
  const { Todo } = await import('./app.ts');
  const { hydrated } = await import('./browser.ts');
  const mine = { id: '1', title: 'mine' };
  const { asked, errors, html } = await hydrated(node, batches, batches.length, ({ store }) => store.write(Todo, mine));
  expect([asked, errors]).toEqual([[], []]);
  expect(html).toContain('mine by');
  expect(html).toContain('todo 2 by');
});

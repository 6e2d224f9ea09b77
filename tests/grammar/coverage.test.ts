import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { drawProgram } from './run.ts';
import { kinds } from './steps.ts';
import { appKinds } from './app-run.ts';

/** The names that no program uses, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  applyCommit: 'joins two stores; a property of its own',
  exchangeCommits: 'joins two stores; a property of its own',
  dehydrateCommit: 'joins two stores; a property of its own',
  BatchError: 'the error of a batch that is refused in part; tests/endpoints',
  checkStorage: 'tests a storage; tests/persist',
  CacheProvider: 'another name of DataProvider',
  IdlingNetworkManager: 'a NetworkManager that waits for an idle page; its own test',
  NetworkErrorBoundary: 'another name of ErrorBoundary',
  refsOf: 'reads what rows refer to; its own test',
  keyOf: 'names rows of a list in React; tests/react',
  explain: 'reads how a query is answered; its own test',
  isLoaded: 'reads which fields a row has; its own test',
  useOutbox: 'reads an outbox; tests/outbox',
  makeRenderDataClient: 'another name of makeRenderDataHook',
  renderHook: 'another name of renderDataHook',
  ServerData: 'writes into a whole page; tests/ssr renders random trees',
  ServerSession: 'renders whole pages; tests/ssr renders random trees',
  awaitInitialData: 'reads a whole page; tests/ssr',
  createPersistedStore: 'renders whole pages; tests/ssr',
  createServerDataComponent: 'writes into a whole page; tests/ssr',
  getInitialData: 'reads a whole page; tests/ssr',
  recommended: 'puts managers together that the programs have one by one; its own test',
  relationsOf: 'reads declarations, and no store; its own test',
  toMermaid: 'reads declarations, and no store; its own test',
  takeSnapshot: 'what `getState` of a controller takes; the oracle takes it of a store',
  takeOver: 'reads a whole page in a browser; tests/ssr',
};

const here = new URL('.', import.meta.url);

/** The names that the programs import. */
async function namesUsed(): Promise<Set<string>> {
  const used = new Set<string>();
  for (const file of await readdir(here)) {
    if (!file.endsWith('.ts') || file === 'coverage.test.ts') continue;
    // oxlint-disable-next-line no-await-in-loop -- a few small files
    const text = await readFile(new URL(file, here), 'utf8');
    for (const [, names = ''] of text.matchAll(/import \{([^}]*)\} from 'rejoin(?:\/\w+)?'/g))
      for (const name of names.split(','))
        if (!name.trim().startsWith('type ')) used.add(name.trim().split(' as ')[0] ?? '');
  }
  return used;
}

test('every value that the package exports appears in a program', async () => {
  const entryPoints = await Promise.all([
    import('rejoin'),
    import('rejoin/react'),
    import('rejoin/ssr'),
    import('rejoin/testing'),
  ]);
  const exported = new Set(entryPoints.flatMap((entryPoint) => Object.keys(entryPoint)));
  const used = await namesUsed();
  const missing = [...exported].filter((name) => !used.has(name));

  expect(missing.toSorted()).toEqual(Object.keys(LEFT_OUT).toSorted());
});

test('every kind of step is drawn', () => {
  const drawn = new Set<string>();
  for (let seed = 0; seed < 300; seed++) for (const { kind } of drawProgram(seed).steps) drawn.add(kind);

  expect([...drawn].toSorted()).toEqual([...Object.keys(kinds), ...Object.keys(appKinds)].toSorted());
});

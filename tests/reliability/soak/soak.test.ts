import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildSync } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { stillReferenced } from './let-go.ts';
import { soak } from './soak.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

test('after all readers are unmounted, no timer, listener, row, result or query is left', async () => {
  const { polls, mounts, left } = await soak(0.1, 500, () => {});

  expect(polls).toBeGreaterThan(8000);
  expect(mounts).toBeGreaterThan(490);
  expect(left).toEqual({ timers: 0, listeners: 0, rows: 0, results: 0, queries: 0, layers: 0 });
});

test('objects of the library that the application has dropped are garbage-collected', async () => {
  expect(await stillReferenced(gc)).toEqual([]);
});

// Runs in a process of its own, because the memory of a test worker changes.
test.each([
  ['that was confirmed and whose record was deleted', 'deleted'],
  ['that failed', 'failing'],
])('nothing is left of an optimistic create %s, once garbage was collected', (_, kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'rejoin-soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, 'creates.mjs');
  const entry = fileURLToPath(new URL('./creates.ts', import.meta.url));
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' });

  const bytes = execFileSync(process.execPath, [outfile, '5000', kind], { encoding: 'utf8' });
  expect(Number(bytes)).toBeLessThanOrEqual(1);
});

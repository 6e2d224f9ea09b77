import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

// The report is the public surface as a page that can be read. A change of it is a change for every application:
// look at the difference, then write it with `npm run api`, and add a changeset.
test('docs/api-report.txt equals the public API of the sources', () => {
  const now = execFileSync(process.execPath, [join(root, 'scripts/api.mjs')], { encoding: 'utf8' });
  expect(now.match(/^## /gm)?.length).toBeGreaterThan(0);
  expect(readFileSync(join(root, 'docs/api-report.txt'), 'utf8')).toBe(now);
});

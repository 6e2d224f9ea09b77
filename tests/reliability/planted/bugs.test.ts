import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { controllerBugs } from './controller-bugs.mjs';
import { queryBugs } from './query-bugs.mjs';
import { storeBugs } from './store-bugs.mjs';

describe('every planted bug', () => {
  test.each([...storeBugs, ...queryBugs, ...controllerBugs])(
    'has one place in the sources: $name',
    async ({ file, from, to }) => {
      const text = await readFile(new URL(`../../../src/${file}`, import.meta.url), 'utf8');

      expect(text.split(from)).toHaveLength(2);
      expect(to).not.toBe(from);
    },
  );
});

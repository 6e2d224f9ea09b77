import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { controllerBugs } from './controller-bugs.mjs';
import { queryBugs } from './query-bugs.mjs';
import { storeBugs } from './store-bugs.mjs';

/** Words of the language that a bug may add, `keys`, which one bug declares itself, and `visitAbove`, a method of the layers of a row. */
const OF_THE_LANGUAGE: ReadonlySet<string> = new Set(['true', 'false', 'let', 'keys', 'visitAbove']);

function wordsIn(code: string): readonly string[] {
  return code.match(/#?[A-Za-z_]\w*/g) ?? [];
}

describe('every planted bug', () => {
  test.each([...storeBugs, ...queryBugs, ...controllerBugs])(
    'replaces a text that occurs once in the sources, by code that compiles: $name',
    async ({ file, from, to }) => {
      const text = await readFile(new URL(`../../../src/${file}`, import.meta.url), 'utf8');

      expect(text.split(from)).toHaveLength(2);
      expect(to).not.toBe(from);
      await expect(transform(text.replace(from, to), { loader: 'ts' })).resolves.toHaveProperty('code');
    },
  );

  test.each([...storeBugs, ...queryBugs, ...controllerBugs])(
    'uses only names of its file: $name',
    async ({ file, to }) => {
      const known = new Set(wordsIn(await readFile(new URL(`../../../src/${file}`, import.meta.url), 'utf8')));

      expect(
        wordsIn(to.replaceAll(/'[^']*'/g, '')).filter((name) => !known.has(name) && !OF_THE_LANGUAGE.has(name)),
      ).toEqual([]);
    },
  );
});

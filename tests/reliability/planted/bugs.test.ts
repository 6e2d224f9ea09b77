import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { bugs as networkBugs } from '../network/bugs.mjs';
import { bugs } from './bugs.mjs';

describe('every planted bug', () => {
  test.each([...bugs, ...networkBugs])('has one place in the sources: $name', async ({ file, from, to }) => {
    const text = await readFile(new URL(`../../../src/${file}`, import.meta.url), 'utf8');

    expect(text.split(from)).toHaveLength(2);
    expect(to).not.toBe(from);
  });
});

import { expect, test } from 'vitest';
import { checkFileNames } from './check-file-names.ts';
import { checkLinks } from './check-links.ts';
import { checkUrls } from './check-urls.ts';

const seed = Number(process.env['SEED'] ?? 1);

test('an address keeps its origin, prefix and segments and decodes to its parameters, or is a typed error', () => {
  const { built, refused, wrong } = checkUrls(seed, Number(process.env['RUNS'] ?? 2000));
  expect(wrong).toEqual([]);
  // Neither is the rule: what is refused is what cannot be said, and that alone.
  expect(built).toBeGreaterThan(refused);
  expect(refused).toBeGreaterThan(0);
});

test('300 names of files, said in every way, come out as they are or harmless', () => {
  const { checked, wrong } = checkFileNames();
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThanOrEqual(300);
});

test('200 Link headers are read as they were meant, and broken ones make up nothing', () => {
  const { checked, wrong } = checkLinks(seed, 200);
  expect(wrong).toEqual([]);
  expect(checked).toBe(400);
});

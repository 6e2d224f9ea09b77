import { expect, test } from 'vitest';
import { checkFileNames } from './check-file-names.ts';
import { checkLinks } from './check-links.ts';
import { checkUrls } from './check-urls.ts';

const seed = Number(process.env['SEED'] ?? 1);

test('a URL keeps its origin, prefix and segments and decodes to its parameters, or is a typed error', () => {
  const { built, refused, wrong } = checkUrls(seed, Number(process.env['RUNS'] ?? 2000));
  expect(wrong).toEqual([]);
  // Both occur, because only addresses that cannot be written are refused.
  expect(built).toBeGreaterThan(refused);
  expect(refused).toBeGreaterThan(0);
});

test('300 file names, encoded in every way, are read unchanged or as a safe name', () => {
  const { checked, wrong } = checkFileNames();
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThanOrEqual(300);
});

test('200 Link headers are read correctly, and broken ones add no link', () => {
  const { checked, wrong } = checkLinks(seed, 200);
  expect(wrong).toEqual([]);
  expect(checked).toBe(400);
});

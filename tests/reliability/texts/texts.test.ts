import { expect, test } from 'vitest';
import { checkTexts } from './check-texts.ts';
import { parsers } from './parsers.ts';

// `npm run reliability -- R8` checks the time for a megabyte. Here the time must grow in proportion to the text.
test.each(parsers)('the time to read $name grows no faster than the text', async ({ name }) => {
  const { checked, wrong } = await checkTexts((parser) => parser.name === name, 2 ** 16);
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(10);
});

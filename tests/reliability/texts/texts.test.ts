import { expect, test } from 'vitest';
import { checkTexts } from './check-texts.ts';
import { parsers } from './parsers.ts';

// The figure is for a megabyte, and is reached by `npm run reliability -- R8`. Here the time has to grow as the text does.
test.each(parsers)('the time to read $name grows no faster than the text', async ({ name }) => {
  const { checked, wrong } = await checkTexts((parser) => parser.name === name, 2 ** 16);
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(10);
});

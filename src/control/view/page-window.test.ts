import { expect, test } from 'vitest';
import { type Pages, repeatable, withPage } from './page-window.ts';

test('a change of the shown pages that React runs again in a later render has the same result', () => {
  const options = { keyOf: String, limit: 2 };
  const change = repeatable((before) => withPage(before, 'next', before.window.at(-1), 3, options));
  const [one, other]: readonly Pages[] = [
    { key: 'a', window: [1], before: 0 },
    { key: 'b', window: [1, 2], before: 0 },
  ];
  const added = change(one as Pages);
  expect(added).toEqual({ key: 'a', window: [1, 3], before: 0 });
  expect(change(one as Pages)).toBe(added);
  expect(change(other as Pages)).toEqual({ key: 'b', window: [2, 3], before: 0 });
});

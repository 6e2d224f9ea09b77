import { expect, test } from 'vitest';
import { BatchError, Outcomes } from './outcomes.ts';

test('an item that is refused without a word is said to be refused', () => {
  const { refused, count } = new Outcomes([{ id: 1 }, { error: true }], undefined);
  expect(count).toBe(2);
  expect(new BatchError(refused, count, 'POST /todos').message).toContain(
    'POST /todos: 1 of 2 items were refused: [1] refused.',
  );
  expect(refused[0]?.item).toBeUndefined();
});

test.each([
  ['a word', 'OK'],
  ['nothing', null],
  ['two lists', { done: [], left: [] }],
  ['no list', { id: 1 }],
])('an answer that is %s is one item', (_, answer) => {
  expect(new Outcomes(answer, [{ id: 1 }])).toMatchObject({ count: 1, refused: [], values: [answer] });
});

test.each([undefined, null, false, []].map((errors) => ({ id: 1, errors })))('an item with %j is done', (item) => {
  expect(new Outcomes([item], [])).toMatchObject({ refused: [], values: [item] });
});

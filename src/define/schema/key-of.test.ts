import { expect, test } from 'vitest';
import { Post } from '../../../tests/model.ts';
import { copyNames, keyOf, setKey } from './key-of.ts';

test('the key of a record is its pk', () => {
  expect(keyOf(Post.fromJS({ id: '5' }))).toBe('5');
});

test('a copy of a record whose pk was changed has the same key', () => {
  const [record, copy] = [Post.fromJS({ id: '6' }), Post.fromJS({ id: '6' })];
  setKey(record, '5');
  copyNames(record, copy);
  expect(keyOf(copy)).toBe('5');
});

test.each([
  [undefined, 'undefined'],
  [null, 'null'],
  ['5', '5'],
  [{ id: '5' }, '{ id }'],
  [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, '{ a, b, c, d, e }'],
])('the key of %j, which is not a record, is an error that names the code to write', (given, shown) => {
  expect(() => keyOf(given as never)).toThrow(
    expect.objectContaining({
      code: 'record-expected',
      message: expect.stringContaining(
        `keyOf() was given ${shown}. Pass a record that was read, an instance of its class: record && keyOf(record).`,
      ),
    }),
  );
});

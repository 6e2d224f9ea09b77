import { expect, it } from 'vitest';
import { agrees, collectionPk, isEmptyKey } from './collection-key.ts';

it('is JSON with sorted names', () => {
  expect(collectionPk({ b: 'x', a: 'y' }, '[Todo]')).toBe('{"a":"y","b":"x"}');
  expect(collectionPk({}, '[Todo]')).toBe('{}');
});

it('has numbers and booleans as text, null as it is, and leaves undefined out', () => {
  expect(collectionPk({ n: 1, t: true, big: 5n, none: null, un: undefined }, '[Todo]')).toBe(
    '{"big":"5","n":"1","none":null,"t":"true"}',
  );
});

it('takes any name for plain data', () => {
  expect(collectionPk(JSON.parse('{"__proto__":"x"}'), '[Todo]')).toBe('{"__proto__":"x"}');
});

it('must be an object of plain data', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const key of [undefined, null, 'text', circle]) {
    expect(() => collectionPk(key, '[Todo]')).toThrow(
      expect.objectContaining({ code: 'collection-key-invalid', entity: '[Todo]' }),
    );
  }
});

it('is empty when it says nothing', () => {
  expect(isEmptyKey({})).toBe(true);
  expect(isEmptyKey({ postId: undefined })).toBe(true);
  expect(isEmptyKey({ postId: null })).toBe(false);
});

it('agrees with arguments as text', () => {
  expect(agrees({ userId: 1 }, 'userId', '1')).toBe(true);
  expect(agrees({ userId: '1' }, 'userId', '1')).toBe(true);
  expect(agrees({ userId: 2 }, 'userId', '1')).toBe(false);
  expect(agrees({ isDone: false }, 'isDone', 'false')).toBe(true);
});

it('agrees with null, lists and objects by what they hold', () => {
  expect(agrees({ group: null }, 'group', null)).toBe(true);
  expect(agrees({ tags: ['a'] }, 'tags', ['a'])).toBe(true);
  expect(agrees({ tags: ['a'] }, 'tags', ['b'])).toBe(false);
  expect(agrees({ tags: {} }, 'tags', '[object Object]')).toBe(false);
  expect(agrees({ tags: 'a' }, 'tags', ['a'])).toBe(false);
});

it('agrees with nothing that is not there', () => {
  for (const asked of [undefined, null, 'text', {}, { other: '1' }]) expect(agrees(asked, 'userId', '1')).toBe(false);
  expect(agrees({ userId: undefined }, 'userId', 'undefined')).toBe(false);
  expect(agrees({}, 'toString', 'x')).toBe(false);
});

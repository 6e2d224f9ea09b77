import { expect, it } from 'vitest';
import { matchesArgument, collectionPk, isEmptyKey, valuesIn } from './collection-key.ts';

it('the key of a collection is JSON with sorted names', () => {
  expect(collectionPk({ b: 'x', a: 'y' }, '[Todo]')).toBe('{"a":"y","b":"x"}');
  expect(collectionPk({}, '[Todo]')).toBe('{}');
});

it('the key of a collection does not depend on the order of names inside of its members', () => {
  const [one, other] = [{ list: [{ b: 2, a: { d: 4, c: 3 } }] }, { list: [{ a: { c: 3, d: 4 }, b: 2 }] }];
  expect(collectionPk({ filter: one }, '[Todo]')).toBe('{"filter":{"list":[{"a":{"c":3,"d":4},"b":2}]}}');
  expect(collectionPk({ filter: other }, '[Todo]')).toBe(collectionPk({ filter: one }, '[Todo]'));
  expect(matchesArgument(one, other)).toBe(true);
  expect(matchesArgument(other, one)).toBe(true);
});

it('the key of a collection has numbers and booleans as text, null as it is, and leaves undefined out', () => {
  expect(collectionPk({ n: 1, t: true, big: 5n, none: null, un: undefined }, '[Todo]')).toBe(
    '{"big":"5","n":"1","none":null,"t":"true"}',
  );
});

it('the key of a collection may have a field named __proto__', () => {
  expect(collectionPk(JSON.parse('{"__proto__":"x"}'), '[Todo]')).toBe('{"__proto__":"x"}');
});

it('the key of a collection must be an object of plain data', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const key of [undefined, null, 'text', circle]) {
    expect(() => collectionPk(key, '[Todo]')).toThrow(
      expect.objectContaining({ code: 'collection-key-invalid', entity: '[Todo]' }),
    );
  }
});

it('the key of a collection is empty if no member has a value', () => {
  expect(isEmptyKey({})).toBe(true);
  expect(isEmptyKey({ postId: undefined })).toBe(true);
  expect(isEmptyKey({ postId: null })).toBe(false);
});

it('the key of a collection matches arguments as text', () => {
  expect(matchesArgument(1, '1')).toBe(true);
  expect(matchesArgument('1', '1')).toBe(true);
  expect(matchesArgument(2, '1')).toBe(false);
  expect(matchesArgument(false, 'false')).toBe(true);
});

it('the key of a collection matches null, lists and objects by their content', () => {
  expect(matchesArgument(null, null)).toBe(true);
  expect(matchesArgument(['a'], ['a'])).toBe(true);
  expect(matchesArgument(['a'], ['b'])).toBe(false);
  expect(matchesArgument({}, '[object Object]')).toBe(false);
  expect(matchesArgument('a', ['a'])).toBe(false);
});

it('the values of an argument are found in all objects that have it as their own field', () => {
  expect(valuesIn([undefined, null, 'text', {}, { other: '1' }], 'userId')).toEqual([]);
  expect(valuesIn([{ userId: 1 }, { userId: undefined }], 'userId')).toEqual([1, undefined]);
  expect(valuesIn([{}], 'toString')).toEqual([]);
  expect(matchesArgument(undefined, 'undefined')).toBe(false);
});

it('the key of a collection differs for maps, sets and numbers that have the same JSON', () => {
  const members = [new Set([1]), new Set(['1']), new Set(), new Map(), new Map([[1, 2]]), /a/, /b/, {}, null, 'null'];
  members.push(
    [1],
    ['1'],
    [Number.NaN],
    [null],
    [Number.POSITIVE_INFINITY],
    { a: new Set([1]) },
    { a: new Set([2]) },
    { a: {} },
  );
  const keys = members.map((tags) => collectionPk({ tags }, '[Todo]'));
  expect(new Set(keys).size).toBe(members.length);
  for (const [at, key] of keys.entries()) {
    const { tags: kept } = JSON.parse(key) as { tags: unknown };
    expect(members.map((tags) => matchesArgument(tags, kept))).toEqual(members.map((_member, other) => other === at));
  }
});

it('the key of a collection has a date as its ISO text, which is how it is sent', () => {
  const since = new Date(0);
  expect(collectionPk({ since }, '[Todo]')).toBe('{"since":"1970-01-01T00:00:00.000Z"}');
  expect(matchesArgument(since, since.toISOString())).toBe(true);
  expect(matchesArgument({ at: since }, { at: since.toISOString() })).toBe(true);
});

it('the key of a collection has an instance of a class by its fields', () => {
  const filter = new (class Filter {
    tag = 'a';
  })();
  expect(collectionPk({ filter }, '[Todo]')).toBe('{"filter":{"tag":"a"}}');
});

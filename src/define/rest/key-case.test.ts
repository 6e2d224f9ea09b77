import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { camelCase, camelCaseKeys, convertKeys, snakeCase, snakeCaseKeys } from './key-case.ts';
import { renameKeys, restoreKeys } from './key-rename.ts';

const collision = expect.objectContaining({ code: 'key-collision' });

describe('a key', () => {
  test.each([
    ['current_viewers', 'currentViewers'],
    ['id', 'id'],
    ['a_b_c', 'aBC'],
    ['_id', '_id'],
    ['__typename', '__typename'],
    ['_created_at', '_createdAt'],
    ['address_1', 'address_1'],
    ['address_1_line', 'address_1Line'],
    ['a__b', 'a_B'],
    ['ends_', 'ends_'],
    ['größe_in_cm', 'größeInCm'],
    ['', ''],
    ['_', '_'],
  ])('%s is %s for the client, and the other way round', (server, client) => {
    expect(camelCase(server)).toBe(client);
    expect(snakeCase(client)).toBe(server);
  });

  test('stays unchanged if it has the right case already', () => {
    expect(camelCase('userId')).toBe('userId');
    expect(camelCase('USER_ID')).toBe('USER_ID');
    expect(snakeCase('user_id')).toBe('user_id');
    expect(snakeCase('user_Id')).toBe('user__id');
    expect(snakeCase('user_idOf')).toBe('user_idOf');
    expect(snakeCase('_userId')).toBe('_user_id');
    expect(snakeCase('Title')).toBe('title');
  });

  test('is the same after a conversion in both directions', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9_]{0,12}$/), (key) => {
        expect(snakeCase(camelCase(key))).toBe(key);
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,12}$/), (key) => {
        expect(camelCase(snakeCase(key))).toBe(key);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('all keys of a value', () => {
  test('are converted at every depth and in arrays', () => {
    const response = {
      current_viewers: 5,
      top_posts: [{ post_id: 1, author_info: { full_name: 'Ann' } }],
      a: [[{ b_c: 1 }]],
    };
    const value = { currentViewers: 5, topPosts: [{ postId: 1, authorInfo: { fullName: 'Ann' } }], a: [[{ bC: 1 }]] };
    expect(camelCaseKeys(response)).toEqual(value);
    expect(snakeCaseKeys(value)).toEqual(response);
  });

  test('null and primitives are copied unchanged, and so are instances', () => {
    const at = new Date(0);
    const form = new FormData();
    expect(camelCaseKeys({ a_b: null, c_d: [1, 'x_y', true, undefined], e_f: at })).toEqual({
      aB: null,
      cD: [1, 'x_y', true, undefined],
      eF: at,
    });
    expect(camelCaseKeys(null)).toBe(null);
    expect(camelCaseKeys('a_b')).toBe('a_b');
    expect(snakeCaseKeys(form)).toBe(form);
  });

  test('do not change the input', () => {
    const response = Object.freeze({ a_b: Object.freeze([Object.freeze({ c_d: 1 })]) });
    expect(camelCaseKeys(response)).toEqual({ aB: [{ cD: 1 }] });
    expect(response).toEqual({ a_b: [{ c_d: 1 }] });
  });

  test('that become the same are an error, so that no value is lost', () => {
    expect(() => camelCaseKeys({ list: [{ user_id: 1, userId: 2 }] })).toThrow(collision);
    expect(() => camelCaseKeys({ user_id: 1, userId: 2 })).toThrow('The fields user_id and userId of one object');
    expect(() => snakeCaseKeys({ user_id: 1, userId: 2 })).toThrow(collision);
  });

  test('stay as they are in skipped fields, such as maps whose keys are data', () => {
    const response = { by_name: { some_key: { a_b: 1 } }, c_d: 1 };
    expect(camelCaseKeys(response, { skip: ['by_name'] })).toEqual({ byName: { some_key: { a_b: 1 } }, cD: 1 });
  });

  test('never change a prototype', () => {
    const hostile: unknown = JSON.parse('{"__proto__":{"isAdmin":true},"a":[{"____proto____":{"x":1},"__Proto__":1}]}');
    for (const value of [camelCaseKeys(hostile), snakeCaseKeys(hostile)] as { isAdmin?: unknown }[]) {
      expect(value.isAdmin).toBe(undefined);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(({} as { isAdmin?: unknown }).isAdmin).toBe(undefined);
      expect(Object.hasOwn(value, '__proto__')).toBe(true);
    }
  });

  test('are converted by a rule of your own', () => {
    expect(convertKeys({ a: { b: 1 } }, (key) => key.toUpperCase())).toEqual({ A: { B: 1 } });
  });

  test('are converted at any depth, and in data that contains itself', () => {
    const deep: unknown = JSON.parse(`${'{"a_b":'.repeat(4000)}1${'}'.repeat(4000)}`);
    let value = camelCaseKeys(deep) as { aB: unknown };
    for (let depth = 1; depth < 4000; depth++) value = value.aB as { aB: unknown };
    expect(value).toEqual({ aB: 1 });
    const circle = { in_list: [] as unknown[] };
    circle.in_list.push(circle, circle);
    const copy = camelCaseKeys<unknown>(circle) as { inList: unknown[] };
    expect(copy.inList).toHaveLength(2);
    for (const item of copy.inList) expect(item).toBe(copy);
  });
});

describe('a renamed key', () => {
  const names = { carrotsUsed: 'carrots', meatGrams: 'meat' };

  test('has its new name in the application only', () => {
    expect(renameKeys({ id: 1, carrotsUsed: 5, meatGrams: 7 }, names)).toEqual({ id: 1, carrots: 5, meat: 7 });
    expect(restoreKeys({ id: 1, carrots: 5 }, names)).toEqual({ id: 1, carrotsUsed: 5 });
  });

  test('is renamed in each record of a list, and not in nested objects', () => {
    const list = [{ carrotsUsed: 1, nested: { carrotsUsed: 2 } }, null, 5, [{ carrotsUsed: 3 }]];
    expect(renameKeys(list, names)).toEqual([
      { carrots: 1, nested: { carrotsUsed: 2 } },
      null,
      5,
      [{ carrotsUsed: 3 }],
    ]);
    expect(renameKeys(null, names)).toBe(null);
  });

  test('does not replace another field', () => {
    expect(() => renameKeys({ carrotsUsed: 1, carrots: 2 }, names)).toThrow(collision);
    expect(() => renameKeys({ carrots: 2, carrotsUsed: 1 }, names)).toThrow(collision);
    expect(() => restoreKeys({}, { a: 'x', b: 'x' })).toThrow(collision);
  });

  test('may be any name', () => {
    const renamed: object = renameKeys({ a: { x: 1 } }, { a: '__proto__' });
    expect(Object.getPrototypeOf(renamed)).toBe(Object.prototype);
    expect(Object.keys(renamed)).toEqual(['__proto__']);
    expect(renameKeys({ toString: 1 }, {})).toEqual({ toString: 1 });
  });
});

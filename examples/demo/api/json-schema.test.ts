import { expect, test } from 'vitest';
import { check, fromText, refTo } from './json-schema.ts';
import type { JsonSchema, Named } from './json-schema.ts';

const NAMED: Named = { Name: { type: 'string', minLength: 1, maxLength: 3 } };
const details = (schema: JsonSchema, value: unknown): string[] =>
  check(schema, value, NAMED).map(({ pointer, detail }) => `${pointer} ${detail}`);

test.each<[JsonSchema, unknown, string[]]>([
  [{ type: 'string' }, 'a', []],
  [{ type: 'string' }, 1, ['# must be a string']],
  [{ type: 'integer' }, 1.5, ['# must be an integer']],
  [{ type: 'integer' }, 2 ** 60, ['# must be an integer']],
  [{ type: 'number' }, 1.5, []],
  [{ type: 'object' }, [], ['# must be an object']],
  [{ type: 'object' }, null, ['# must be an object']],
  [{ type: 'array' }, {}, ['# must be an array']],
  [{ type: 'boolean' }, false, []],
  [{ type: ['string', 'null'] }, null, []],
  [{ type: ['string', 'null'] }, 1, ['# must be a string or null']],
  [{}, 'anything', []],
  [{ enum: ['a', 'b'] }, 'c', ['# must be one of a, b']],
  [{ minimum: 1 }, 0, ['# must be at least 1']],
  [{ maximum: 1 }, 2, ['# must be at most 1']],
  [{ minLength: 1 }, '  ', ['# must not be empty']],
  [{ minLength: 3 }, 'ab', ['# must have at least 3 characters']],
  [{ maxLength: 3 }, 'abcd', ['# must have at most 3 characters']],
  [{ pattern: '^a' }, 'b', ['# must match ^a']],
  [{ pattern: '^a', description: 'an a' }, 'b', ['# must be an a']],
  [{ format: 'date-time' }, '2026-01-01T00:00:00Z', []],
  [{ format: 'date-time' }, '2026-13-01T00:00:00Z', ['# must be an instant such as 2026-01-31T12:00:00Z']],
  [{ format: 'date-time' }, 'tomorrow', ['# must be an instant such as 2026-01-31T12:00:00Z']],
  [{ items: { type: 'string' } }, ['a', 1, 'b', 2], ['#/1 must be a string', '#/3 must be a string']],
  [{ maxItems: 1 }, [1, 2], ['# must have at most 1 items']],
  [{ minProperties: 1 }, {}, ['# must change something']],
  [{ required: ['a'], properties: { a: { type: 'string' } } }, {}, ['#/a is required']],
  [{ properties: { a: refTo('Name') } }, { a: 'long', b: 1 }, ['#/a must have at most 3 characters']],
  [{ additionalProperties: false, properties: {} }, { 'a/b~c': 1 }, ['#/a~1b~0c is not known here']],
  [{ additionalProperties: false, properties: {} }, { toString: 1 }, ['#/toString is not known here']],
  [{ required: ['constructor'] }, {}, ['#/constructor is required']],
])('%j and %j: %j', (schema, value, flaws) => {
  expect(details(schema, value)).toEqual(flaws);
});

test('a reference to a missing schema is an error of the program', () => {
  expect(() => check(refTo('Nobody'), 1, NAMED)).toThrow('#/components/schemas/Nobody does not exist');
});

test('query parameters are converted to the types of their schema, or stay text', () => {
  expect(fromText({ type: 'integer' }, '12')).toBe(12);
  expect(fromText({ type: 'integer' }, '')).toBe('');
  expect(fromText({ type: 'number' }, 'x')).toBe('x');
  expect(['true', 'false', 'yes'].map((text) => fromText({ type: 'boolean' }, text))).toEqual([true, false, 'yes']);
  expect(fromText({ type: 'string' }, '1')).toBe('1');
});

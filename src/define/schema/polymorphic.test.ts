import { expect, it } from 'vitest';
import { inputInvalid, Kinds } from './polymorphic.ts';

it.each([
  [null, 'has null'],
  [[], 'has a list'],
  ['text', 'has a value of type string'],
  [{}, 'has a value of type object'],
])('says what was found instead: %o', (input, found) => {
  const error = inputInvalid('A map', input, 'Rate');
  expect(error.message).toContain(`A map was expected, but the response ${found}.`);
  expect([error.code, error.entity]).toEqual(['input-invalid', 'Rate']);
});

it('one kind has no name', () => {
  const kinds = new Kinds(Number);
  expect(kinds.isPolymorphic).toBe(false);
  expect(kinds.entries()).toEqual([[undefined, Number]]);
  expect(kinds.nameOf({ undefined: 'x' }, undefined, undefined)).toBeUndefined();
  expect(kinds.ref(undefined, '1')).toBe('1');
});

it('several kinds have those of the map, and no other', () => {
  const kinds = new Kinds({ a: Number, 2: String }, 'kind');
  expect(kinds.entries()).toEqual([
    ['2', String],
    ['a', Number],
  ]);
  expect(kinds.nameOf({ kind: 'a' }, undefined, undefined)).toBe('a');
  expect(kinds.nameOf({ kind: 2 }, undefined, undefined)).toBe('2');
  expect(kinds.nameOf({ kind: 'toString' }, undefined, undefined)).toBeUndefined();
  expect(kinds.nameOf(null, undefined, undefined)).toBeUndefined();
  expect(kinds.nameOf('a', undefined, undefined)).toBeUndefined();
  expect(kinds.isRef({ id: '1', schema: 'a' })).toBe(true);
  expect([null, 'a', {}, { schema: 'b' }, { schema: ['a'] }].map((stored) => kinds.isRef(stored))).toEqual(
    Array(5).fill(false),
  );
});

it('a map with an attribute of its own is not taken for a Union', () => {
  const union = { isUnion: true, schema: { a: Number }, attribute: 'kind' };
  expect(new Kinds(union).schema).toBe(union.schema);
  expect(new Kinds(union, 'other').schema).toBe(union);
  expect(new Kinds({ ...union, isUnion: 'no' }).isPolymorphic).toBe(false);
});

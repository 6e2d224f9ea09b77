import { expect, it } from 'vitest';
import { Entity } from './entity.ts';
import { Kinds } from './polymorphic.ts';

it('a member of one class is stored without the name of its class', () => {
  const kinds = new Kinds(Number);
  expect(kinds.isPolymorphic).toBe(false);
  expect(kinds.entries()).toEqual([[undefined, Number]]);
  expect(kinds.nameOf({ undefined: 'x' }, undefined, undefined)).toBeUndefined();
  expect(kinds.ref(undefined, '1')).toBe('1');
});

it('members of several classes are stored with a name of the map', () => {
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

it('the classes of a Union are used, unless another attribute is given', () => {
  const union = { isUnion: true, schema: { a: Number }, attribute: 'kind' };
  expect(new Kinds(union).schema).toBe(union.schema);
  expect(new Kinds(union, 'other').schema).toBe(union);
  expect(new Kinds({ ...union, isUnion: 'no' }).isPolymorphic).toBe(false);
});

it('returns the record of a stored member, if it is that of an entity', () => {
  class Post extends Entity {
    id = '';
    static override key = 'Post';
  }
  const one = new Kinds(Post);
  const several = new Kinds({ p: Post, n: Number }, 'kind');
  expect(one.refOf('1')).toEqual({ table: 'Post', pk: '1' });
  expect(one.refOf({ id: '1', schema: 'p' })).toBeUndefined();
  expect(several.refOf({ id: '1', schema: 'p' })).toEqual({ table: 'Post', pk: '1' });
  expect(
    [{ id: 1, schema: 'p' }, { id: '1', schema: 'n' }, { id: '1', schema: 'x' }, '1', null].map((stored) =>
      several.refOf(stored),
    ),
  ).toEqual(Array(5).fill(undefined));
  expect(new Kinds(Number).refOf('1')).toBeUndefined();
});

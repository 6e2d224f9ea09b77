import { expect, it } from 'vitest';
import { ArraySchema } from './array.ts';
import { Entity } from './entity.ts';
import { ObjectSchema } from './object.ts';
import { schemaOf } from './shorthand.ts';
import { Values } from './values.ts';

class Post extends Entity {
  id = '';
}

it('[S] is short for an array of S', () => {
  const list = schemaOf([Post]) as ArraySchema;
  expect(list).toBeInstanceOf(ArraySchema);
  expect(list.schema).toBe(Post);
  expect(list.isPolymorphic).toBe(false);
});

it('{ field: S } is short for an object', () => {
  const fields = { post: Post };
  const object = schemaOf(fields) as ObjectSchema;
  expect(object).toBeInstanceOf(ObjectSchema);
  expect(object.schema).toBe(fields);
});

it('gives the same schema each time', () => {
  const shorthand = [Post];
  expect(schemaOf(shorthand)).toBe(schemaOf(shorthand));
});

it('gives a schema back as it is', () => {
  const values = new Values(Post);
  expect(schemaOf(values)).toBe(values);
});

it('a list of none or of several is an error', () => {
  expect(() => schemaOf([Post, Post])).toThrow(expect.objectContaining({ code: 'array-shorthand-invalid' }));
  expect(() => schemaOf([])).toThrow(expect.objectContaining({ code: 'array-shorthand-invalid' }));
});

it('a member that is only named normalize does not make a schema of an object', () => {
  expect(schemaOf({ normalize: Post, toString: Post })).toBeInstanceOf(Object);
});

import { expect, it } from 'vitest';
import { Post } from '../../../tests/model.ts';
import { ObjectSchema } from './object.ts';
import { onlyItem, schemaOf } from './shorthand.ts';
import { Values } from './values.ts';

it('[S] is short for a list of S', () => {
  expect(onlyItem([Post])).toBe(Post);
});

it('{ field: S } is short for an object', () => {
  const fields = { post: Post };
  const object = schemaOf(fields) as ObjectSchema;
  expect(object).toBeInstanceOf(ObjectSchema);
  expect(object.schema).toBe(fields);
});

it('returns a schema as it is', () => {
  const values = new Values(Post);
  expect(schemaOf(values)).toBe(values);
});

it('a list with no schema or with several schemas is an error', () => {
  expect(() => onlyItem([Post, Post])).toThrow(expect.objectContaining({ code: 'array-shorthand-invalid' }));
  expect(() => onlyItem([])).toThrow(
    'A list in a schema takes one entry, not 0. For items of several kinds use a Union.',
  );
});

it('a member named normalize does not make an object a schema', () => {
  expect(schemaOf({ normalize: Post, toString: Post })).toBeInstanceOf(Object);
});

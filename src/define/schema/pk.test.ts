import { expect, it } from 'vitest';
import { Post } from '../../../tests/model.ts';
import { DataError } from '../../std/data-error.ts';
import { pkFrom, pkIfAny, pkMissing, pkOf } from './pk.ts';

it('a pk is a string, so that 1 and "1" are one record', () => {
  expect(pkFrom('1', 'Post')).toBe('1');
  expect(pkFrom(1, 'Post')).toBe('1');
  expect(pkFrom(0, 'Post')).toBe('0');
  expect(pkFrom(1.5, 'Post')).toBe('1.5');
  expect(pkFrom(9007199254740993n, 'Post')).toBe('9007199254740993');
});

it('undefined, the empty text and the text undefined mean that there is no pk', () => {
  expect(pkFrom(undefined, 'Post')).toBeUndefined();
  expect(pkFrom('', 'Post')).toBeUndefined();
  expect(pkFrom('undefined', 'Post')).toBeUndefined();
});

it.each([
  [null, 'null'],
  [true, 'true'],
  [Number.NaN, 'the number NaN'],
  [Number.POSITIVE_INFINITY, 'the number Infinity'],
  [2 ** 53, 'the number 9007199254740992'],
  [{}, 'a value of type object'],
  [[], 'a value of type object'],
])('%s is an error that names the entity and the place', (raw, described) => {
  const error = failure(() => pkFrom(raw, 'Post', 'results.0'));
  expect(error.code).toBe('pk-invalid');
  expect(error.entity).toBe('Post');
  expect(error.path).toBe('results.0');
  expect(error.message).toContain(`Post.pk() returned ${described}.`);
});

it('the result of pk() of an entity is checked, also in a subclass', () => {
  class Odd extends Post {
    override pk(): string {
      return null as unknown as string;
    }
  }
  expect(pkOf(Post, { id: 5 })).toBe('5');
  expect(pkOf(Post, {})).toBeUndefined();
  expect(failure(() => pkOf(Odd, {})).code).toBe('pk-invalid');
});

it('a pk() gets the parent, the field and the arguments', () => {
  const seen: unknown[] = [];
  class Nested extends Post {
    override pk(...context: unknown[]): string {
      seen.push(...context);
      return 'x';
    }
  }
  expect(pkOf(Nested, {}, { id: 'parent' }, 'field', ['arg'])).toBe('x');
  expect(seen).toEqual([{ id: 'parent' }, 'field', ['arg']]);
});

it('a read with an argument that is not a pk finds nothing', () => {
  expect(pkIfAny('a')).toBe('a');
  expect(pkIfAny(3)).toBe('3');
  expect(pkIfAny(3n)).toBe('3');
  expect([Number.NaN, '', 'undefined', null, undefined, {}, true].map(pkIfAny)).toEqual(Array(7).fill(undefined));
});

it('the error for a missing pk names the fields of the record', () => {
  expect(pkMissing('Post', { title: 'Hi', likes: 1 }, 'results.0').message).toContain('{ title, likes }');
  expect(pkMissing('Post', 7).message).toContain('{ 7 }');
  expect(pkMissing('Post', null).code).toBe('pk-missing');
});

function failure(run: () => unknown): DataError {
  try {
    run();
  } catch (error) {
    if (error instanceof DataError) return error;
  }
  throw new Error('did not fail');
}

it.each([
  [
    { post: { id: '1' }, meta: 1 },
    "If the record is in post, write the schema { post: Post }; for a resource, wire: envelope({ one: 'post' }).",
  ],
  [{ data: { id: '1' }, meta: 1 }, 'the schema { data: Post };'],
  [{ result: { id: '1' } }, 'the schema { result: Post };'],
  [{ error: { message: 'no' } }, 'throw new Error(value.error.message) in process() of the endpoint.'],
  [
    { author: { id: '1' }, title: 'x' },
    'Give Post a pk() that returns a field which every record has, or add one in process()',
  ],
  [{ _id: '1', title: 'x' }, 'Give Post a pk() that returns a field which every record has, such as this._id, or'],
  [{ title: 'x', UUID: '1' }, 'such as this.UUID, or'],
  [{ url: 'https://api.example/posts/1/', title: 'x' }, 'such as this.url, or'],
  [{ items: [{ id: '1' }] }, 'Give Post a pk() that returns a field which every record has, or add one in process()'],
])('the error for a missing pk names a schema that fits the response: %o', (value, cure) => {
  expect(pkMissing('Post', value).message).toContain(cure);
});

import { expect, it } from 'vitest';
import { Store } from '../../state/store/store.ts';
import { Collection } from './collection.ts';
import { Entity } from './entity.ts';
import { Invalidate } from './invalidate.ts';
import { INVALID } from './row.ts';
import { Union } from './union.ts';

class Post extends Entity {
  id = '';
  kind = 'post';
  static override key = 'Post';
}
class Video extends Entity {
  id = '';
  kind = 'video';
  static override key = 'Video';
}

function storeWith(...ids: readonly string[]): Store {
  const store = new Store();
  store.write(
    new Collection([Post]),
    ids.map((id) => ({ id })),
    { args: [{}] },
  );
  return store;
}

it('Invalidate deletes the record that the response names', () => {
  const store = storeWith('1', '2');
  expect(store.write(new Invalidate(Post), { id: '1' })).toBe('1');
  expect(store.row('Post', '1')).toBe(INVALID);
  expect(store.get(Post, '2')).toBeInstanceOf(Post);
});

it.each([['1'], [1]])('Invalidate deletes the record with a pk that is not in a record: %o', (pk) => {
  const store = storeWith('1');
  expect(store.write(new Invalidate(Post), pk)).toBe('1');
  expect(store.row('Post', '1')).toBe(INVALID);
});

it('Invalidate removes the record from every list', () => {
  const store = storeWith('1', '2');
  store.write(new Invalidate(Post), '1');
  expect(store.row('[Post]', '{}')).toEqual(['2']);
});

it('Invalidate deletes each record of a list', () => {
  const store = storeWith('1', '2', '3');
  expect(store.write([new Invalidate(Post)], [{ id: '1' }, '3'])).toEqual(['1', '3']);
  expect(store.get(new Collection([Post]), {})).toEqual([{ id: '2', kind: 'post' }]);
});

it('Invalidate computes the pk as for any record, process included', () => {
  class Stream extends Entity {
    username = '';
    static override key = 'Stream';
    override pk(): string {
      return this.username;
    }
    static override process(input: { readonly user?: string; readonly gone?: boolean }): unknown {
      return input.gone === true ? undefined : { ...input, username: input.user };
    }
  }
  const store = new Store();
  expect(store.write(new Invalidate(Stream), { user: 'ann' })).toBe('ann');
  expect(store.write(new Invalidate(Stream), { username: 'bob', gone: true })).toBe('bob');
  expect(store.row('Stream', 'bob')).toBe(INVALID);
});

it('Invalidate deletes the record of the class that the response names', () => {
  const kinds = { post: Post, video: Video };
  for (const schema of [new Invalidate(kinds, 'kind'), new Invalidate(new Union(kinds, 'kind'))]) {
    const store = storeWith('1');
    store.write(Video, { id: '1' });
    expect(store.write(schema, { id: '1', kind: 'video' })).toEqual({ id: '1', schema: 'video' });
    expect(store.row('Video', '1')).toBe(INVALID);
    expect(store.get(Post, '1')).toBeInstanceOf(Post);
    expect(store.write(schema, { id: '1' })).toEqual({ id: '1' });
    expect(store.write(schema, '1')).toBe('1');
    expect(store.get(Post, '1')).toBeInstanceOf(Post);
  }
});

it.each([{ id: '1' }, '1', 1])('Invalidate finds the class of a record by its pk, if one class has it: %o', (input) => {
  const store = storeWith('2');
  store.write(Video, { id: '1' });
  const schema = new Invalidate({ post: Post, video: Video }, 'kind');
  expect(store.write(schema, input)).toEqual({ id: '1', schema: 'video' });
  expect(store.row('Video', '1')).toBe(INVALID);
  expect(store.write(schema, input)).toEqual({ id: '1', schema: 'video' });
  const unknown = { id: '3' };
  expect(store.write(schema, unknown)).toEqual(unknown);
});

it('Invalidate finds the class also if the function that tells classes apart expects a whole record', () => {
  const store = storeWith('1');
  const schema = new Invalidate(
    { post: Post },
    ({ about }: { readonly about: { readonly kind: 'post' } }) => about.kind,
  );
  store.write(schema, { id: '1' });
  expect(store.row('Post', '1')).toBe(INVALID);
});

it('Invalidate deletes a record by its pk if `process` expects a whole record', () => {
  class Person extends Entity {
    id = '';
    city = '';
    static override key = 'Person';
    static override process(input: { readonly address: { readonly city: string } }): unknown {
      return { ...input, city: input.address.city };
    }
  }
  const store = new Store();
  store.write(Person, { id: '1', address: { city: 'Bonn' } });
  store.write(new Invalidate(Person), { id: '1' });
  expect(store.row('Person', '1')).toBe(INVALID);
  expect(() => store.write(new Invalidate(Person), {})).toThrow(expect.objectContaining({ code: 'hook-failed' }));
});

it('Invalidate refuses a response without a record', () => {
  const write = (input: unknown): unknown => storeWith('1').write(new Invalidate(Post), input);
  expect(() => write({})).toThrow(expect.objectContaining({ code: 'pk-missing' }));
  expect(() => write('')).toThrow(expect.objectContaining({ code: 'pk-missing' }));
  expect(() => write({ id: null })).toThrow(expect.objectContaining({ code: 'pk-invalid' }));
  expect(() => write(true)).toThrow(expect.objectContaining({ code: 'input-invalid' }));
  expect(() => write([])).toThrow(expect.objectContaining({ code: 'input-invalid' }));
});

it('Invalidate reads as invalid, and cannot be read without a request', () => {
  const store = storeWith('1');
  const schema = new Invalidate(Post);
  expect(store.read(schema, store.write(schema, '1'))).toBe(INVALID);
  expect(schema.queryKey()).toBeUndefined();
  expect(schema.schema).toBe(Post);
});

it('Invalidate refuses a schema that is not an entity', () => {
  expect(() => new Invalidate(Number)).toThrow(expect.objectContaining({ code: 'schema-invalid' }));
  const mixed = { post: Post, list: [Post] } as unknown as { post: typeof Post };
  expect(() => new Invalidate(mixed, 'kind')).toThrow('Invalidate (list)');
});

it('Invalidate returns the deleted record as an instance, undefined for a pk alone, and a record of an unknown class unchanged', () => {
  const post = new Invalidate(Post).deleted({ id: '1' });
  expect(post).toBeInstanceOf(Post);
  expect(post).toEqual({ id: '1', kind: 'post' });
  expect(new Invalidate(Post).deleted('1')).toBeUndefined();
  const either = new Invalidate({ post: Post, video: Video }, 'kind');
  expect(either.deleted({ id: '1', kind: 'video' })).toBeInstanceOf(Video);
  expect(either.deleted({ id: '1' }, { id: '1', schema: 'video' })).toBeInstanceOf(Video);
  const other = { id: '1', kind: 'other' };
  expect(either.deleted(other)).toBe(other);
});

import { describe, expect, it } from 'vitest';
import { keepsTheSchemaLaws } from '../../../tests/laws/schema-laws.ts';
import { Store } from '../../state/store/store.ts';
import { All } from './all.ts';
import { ArraySchema } from './array.ts';
import { Entity } from './entity.ts';
import { Union } from './union.ts';

class Post extends Entity {
  id = '';
  name = '';
  kind = 'post';
  static override key = 'Post';
}
class Video extends Entity {
  id = '';
  name = '';
  kind = 'video';
  static override key = 'Video';
}
const kinds = { post: Post, video: Video };

describe('a list of one class', () => {
  keepsTheSchemaLaws({
    schema: () => new ArraySchema(Post),
    response: () => [
      { id: '1', name: 'a' },
      { id: '2', name: 'b' },
    ],
    part: { entity: Post, pk: '1', record: { id: '1', name: 'a' } },
    withoutPart: [{ id: '2', name: 'b', kind: 'post' }],
    wrong: [[{}], [[{ id: '1' }]], [{ id: '3' }, { id: null }]],
  });
});

describe('a list of several classes', () => {
  keepsTheSchemaLaws({
    schema: () => new ArraySchema(kinds, 'kind'),
    response: () => [
      { id: '1', kind: 'post', name: 'a' },
      { id: '1', kind: 'video', name: 'b' },
    ],
    part: { entity: Post, pk: '1', record: { id: '1', name: 'a' } },
    withoutPart: [{ id: '1', name: 'b', kind: 'video' }],
    wrong: ['text', 5, true, [{ kind: 'post' }]],
  });

  it('stores the name of the class with the pk, and reads records of that class', () => {
    const store = new Store();
    const schema = new ArraySchema(kinds, 'kind');
    const stored = store.write(schema, [{ id: '1', kind: 'video' }]);
    expect(stored).toEqual([{ id: '1', schema: 'video' }]);
    expect((store.read(schema, stored) as unknown[])[0]).toBeInstanceOf(Video);
  });

  it('decides the class by a function of the record, its parent and its field', () => {
    const seen: unknown[] = [];
    const schema = new ArraySchema(kinds, (record: { readonly k: number }, parent, key) => {
      seen.push(parent, key);
      return record.k === 1 ? 'post' : 'video';
    });
    const store = new Store();
    expect(store.write({ feed: schema }, { feed: [{ id: '1', k: 1 }] })).toEqual({
      feed: [{ id: '1', schema: 'post' }],
    });
    expect(seen).toEqual([{ feed: [{ id: '1', k: 1 }] }, 'feed']);
  });

  it('keeps a record of an unknown class, and a value that is not a record', () => {
    const store = new Store();
    const schema = new ArraySchema(kinds, 'kind');
    const input = [{ id: '1', kind: 'toString' }, { id: '2' }, 'text', { id: '3', kind: ['post'] }];
    const stored = store.write(schema, input);
    expect(stored).toEqual(input);
    expect(store.read(schema, stored)).toEqual(input);
    expect(store.stats().rows).toBe(0);
  });

  it('takes over the classes of a Union', () => {
    const schema = new ArraySchema(new Union(kinds, 'kind'));
    expect(schema.isPolymorphic).toBe(true);
    expect(schema.schema).toBe(kinds);
    expect(new Store().write(schema, [{ id: '1', kind: 'post' }])).toEqual([{ id: '1', schema: 'post' }]);
  });

  it('leaves out records for which process returned undefined, and keeps null', () => {
    class Absent extends Entity {
      id = '';
      static override key = 'Absent';
    }
    const schema = new ArraySchema({ absent: Absent }, () => 'absent');
    const store = new Store();
    const stored = store.write(schema, [null, { id: '1' }, undefined]);
    expect(stored).toEqual([null, { id: '1', schema: 'absent' }]);
    expect(store.read(schema, stored)).toEqual([null, { id: '1' }]);
  });
});

it('a schema of a list reads an object as the list of its values', () => {
  const store = new Store();
  expect(store.write(new ArraySchema(Post), { a: { id: '1' }, b: { id: '2' } })).toEqual(['1', '2']);
  expect(store.write(new ArraySchema(kinds, 'kind'), { a: { id: '1', kind: 'post' } })).toEqual([
    { id: '1', schema: 'post' },
  ]);
});

it('a schema of a list stores nested lists of a class of your own', () => {
  const schema = new ArraySchema({ post: [Post] }, (() => 'post') as never);
  const store = new Store();
  expect(store.write(schema, [[{ id: '1' }]])).toEqual([{ id: ['1'], schema: 'post' }]);
});

it('a schema of a list cannot be read without a request', () => {
  expect(new ArraySchema(Post).queryKey()).toBeUndefined();
  // @ts-expect-error a plain list is not a queryable
  expect(new Store().get([Post])).toBeUndefined();
});

it('a schema of a list works with another delegate, and leaves out items without a value', () => {
  const schema = new ArraySchema(Post);
  const delegate = { args: [], unvisit: (_: unknown, stored: unknown) => stored } as never;
  expect(schema.denormalize(undefined, delegate)).toBeUndefined();
  expect(schema.denormalize(['1', undefined], delegate)).toEqual(['1']);
});

it('a schema of a list of a class that is not defined yet is an error', () => {
  expect(() => new ArraySchema(undefined as never)).toThrow(expect.objectContaining({ code: 'schema-missing' }));
  expect(() => new ArraySchema(null as never)).toThrow(expect.objectContaining({ code: 'schema-missing' }));
});

it('a schema of a list stores no ref for a schema that stores nothing', () => {
  class Unlisted extends All<typeof Post> {
    override normalize(...given: Parameters<All['normalize']>): never {
      super.normalize(...given);
      return undefined as never;
    }
  }
  const store = new Store();
  const schema = new ArraySchema({ all: new Unlisted(Post) }, (() => 'all') as never);
  expect(store.write(schema, [[{ id: '1' }]])).toEqual([]);
  expect(store.get(Post, '1')).toBeInstanceOf(Post);
});

it('a list whose schema is a subclass of the application is stored and read by the methods of that subclass', () => {
  class Latest<S> extends ArraySchema<S> {
    override denormalize(
      ...given: Parameters<ArraySchema<S>['denormalize']>
    ): ReturnType<ArraySchema<S>['denormalize']> {
      return super.denormalize(...given).slice(-1);
    }
  }
  const store = new Store();
  const stored = store.write(new Latest(Post), { a: { id: '1' }, b: { id: '2' } });
  expect(stored).toEqual(['1', '2']);
  expect(store.read(new Latest(Post), stored)).toEqual([store.get(Post, '2')]);
});

it('a schema of a list reads records of a class that is a function', () => {
  const store = new Store();
  const schema = new ArraySchema({ date: (text: unknown) => new Date(String(text)) }, (() => 'date') as never);
  const stored = [{ id: '2020-01-01', schema: 'date' }];
  expect(store.read(schema, stored)).toEqual([new Date('2020-01-01')]);
});

it('a list tells the schema of its items, unless its class is a subclass', () => {
  class Sorted extends ArraySchema {}
  const ofKinds = new ArraySchema(kinds, 'kind');
  expect(new ArraySchema(Post).listOf).toBe(Post);
  expect(ofKinds.listOf).toBe(ofKinds.kinds);
  expect(new Sorted(Post).listOf).toBeUndefined();
});

it('a list of a subclass takes a list, counts an object as the list of its values, and refuses a text', () => {
  class Sorted extends ArraySchema {}
  const store = new Store();
  expect(store.write(new Sorted(Post), [{ id: '1' }, { id: '2' }])).toEqual(['1', '2']);
  expect(store.write(new Sorted(Post), { a: { id: '1' }, b: { id: '2' } })).toEqual(['1', '2']);
  expect(() => store.write(new Sorted(Post), 'text')).toThrow(expect.objectContaining({ code: 'input-invalid' }));
});

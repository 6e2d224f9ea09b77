import { describe, expect, it } from 'vitest';
import { keepsTheSchemaLaws } from '../../../tests/laws/schema-laws.ts';
import { Post, User } from '../../../tests/model.ts';
import { Store } from '../../state/store/store.ts';
import { All } from './all.ts';
import { Entity } from './entity.ts';
import { ObjectSchema } from './object.ts';
import { INVALID } from './row.ts';

keepsTheSchemaLaws({
  schema: () => new ObjectSchema({ author: User, posts: [Post], next: '' }),
  response: () => ({ author: { id: '7', name: 'Ann' }, posts: [{ id: '1' }], next: 'b' }),
  part: { entity: User, pk: '7', record: { id: '7', name: 'Ann' } },
  withoutPart: INVALID,
  wrong: ['text', 5, [], [{ author: { id: '1' } }], { author: {} }],
});

it('a schema of an object keeps members without a schema, and leaves out missing ones', () => {
  const store = new Store();
  const schema = new ObjectSchema({ author: User, editor: User });
  const stored = store.write(schema, { author: { id: '7' }, total: 3 });
  expect(stored).toEqual({ author: '7', total: 3 });
  expect(Object.keys(store.read(schema, stored) as object)).toEqual(['author', 'total']);
  expect(store.read(schema, stored)).toEqual({ author: { id: '7', name: '' }, total: 3 });
});

it('a schema of an object does not take a member that every object inherits for one of its own', () => {
  const store = new Store();
  const schema = new ObjectSchema({ constructor: User, toString: User });
  expect(store.write(schema, { total: 1 })).toStrictEqual({ total: 1 });
  expect(Object.keys(store.read(schema, { total: 1 }) as object)).toEqual(['total']);
});

it('a schema of an object leaves out a member that is stored as nothing', () => {
  class Unlisted extends All<typeof User> {
    override normalize(...given: Parameters<All['normalize']>): never {
      super.normalize(...given);
      return undefined as never;
    }
  }
  const schema = new ObjectSchema({ users: new Unlisted(User) });
  expect(new Store().write(schema, { users: [{ id: '1' }], total: 1 })).toStrictEqual({ total: 1 });
});

it('a schema of an object reads a member whose record was never stored as undefined', () => {
  const store = new Store();
  const schema = { author: User, created: Number };
  expect(store.read(schema, { author: '404', created: '5' })).toEqual({ author: undefined, created: 5 });
});

it('a schema of an object gives the object as the parent and the name of the member as the key', () => {
  const seen: unknown[] = [];
  class Seen extends Entity {
    id = '';
    static override process(input: object, parent: unknown, key: string | undefined): object {
      seen.push(parent, key);
      return { ...input };
    }
  }
  const response = { item: { id: '1' } };
  new Store().write(new ObjectSchema({ item: Seen }), response);
  expect(seen).toEqual([response, 'item']);
});

it('a schema of an object takes a member of any name as plain data', () => {
  const store = new Store();
  const schema = new ObjectSchema(JSON.parse('{"__proto__":""}') as Record<string, string>);
  Object.defineProperty(schema.schema, '__proto__', { value: User, enumerable: true });
  const stored = store.write(schema, JSON.parse('{"__proto__":{"id":"1"}}'));
  expect(JSON.stringify(stored)).toBe('{"__proto__":"1"}');
  expect(Object.getPrototypeOf(store.read(schema, stored))).toBe(Object.prototype);
});

describe('define', () => {
  it('adds members and replaces their schemas', () => {
    const schema = new ObjectSchema<Record<string, unknown>>({ author: Post });
    schema.define({ author: User, post: Post });
    expect(schema.schema).toEqual({ author: User, post: Post });
  });
});

describe('a join', () => {
  const join = new ObjectSchema({ user: User, post: Post, title: 'both' });

  it('reads each member with the same arguments', () => {
    const store = new Store();
    store.write(User, { id: '1', name: 'Ann' });
    store.write(Post, { id: '1', title: 'Hi' });
    expect(store.get(join, { id: '1' })).toEqual({
      user: User.fromJS({ id: '1', name: 'Ann' }),
      post: Post.fromJS({ id: '1', title: 'Hi' }),
      title: 'both',
    });
  });

  it('is one object until a member changes', () => {
    const store = new Store();
    store.write(User, { id: '1', name: 'Ann' });
    const before = store.get(join, { id: '1' });
    store.write(User, { id: '2' });
    expect(store.get(join, { id: '1' })).toBe(before);
    store.write(Post, { id: '1' });
    expect(store.get(join, { id: '1' })).not.toBe(before);
  });
});

it('a schema of an object returns a stored value that is not an object', () => {
  const delegate = { args: [], unvisit: (_: unknown, stored: unknown) => stored } as never;
  const schema = new ObjectSchema({ user: User, other: null });
  expect(schema.denormalize('text', delegate)).toBe('text');
  expect(schema.denormalize(null, delegate)).toBeNull();
});

it('a schema of an object is known as an object to the store, unlike a class that extends it and may read its members in another way', () => {
  class Own extends ObjectSchema {}
  expect(new ObjectSchema({ author: User }).composes).toBe('object');
  expect(new Own({ author: User }).composes).toBeUndefined();
});

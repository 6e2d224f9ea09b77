import { describe, expect, it } from 'vitest';
import { keepsTheSchemaLaws } from '../../../tests/laws/schema-laws.ts';
import { Store } from '../../state/store/store.ts';
import { All } from './all.ts';
import { Collection } from './collection.ts';
import { Entity } from './entity.ts';
import { Lazy } from './lazy.ts';
import { Union } from './union.ts';

class Comment extends Entity {
  id = '';
  text = '';
  kind = 'comment';
  static override key = 'Comment';
}
const comments = new Collection([Comment], { nestKey: (parent: Post) => ({ postId: parent.id }) });
class Post extends Entity {
  id = '';
  pinned: string | undefined = undefined;
  latest: readonly string[] = [];
  comments = '';
  static override key = 'Post';
  static override schema = { pinned: new Lazy(Comment), latest: new Lazy([Comment]), comments: new Lazy(comments) };
}

function storeWithPost(): { readonly store: Store; readonly post: () => Post } {
  const store = new Store();
  store.write(Post, {
    id: '1',
    pinned: { id: '5', text: 'first' },
    latest: [{ id: '5', text: 'first' }, { id: '6' }],
    comments: [{ id: '6' }],
  });
  return { store, post: () => store.get(Post, '1') as Post };
}

it('Lazy stores nested records, and keeps the stored form in the field', () => {
  const { store, post } = storeWithPost();
  expect(post()).toEqual({ id: '1', pinned: '5', latest: ['5', '6'], comments: '{"postId":"1"}' });
  expect(store.get(Comment, '5')).toMatchObject({ text: 'first' });
});

it('Lazy does not rebuild its parent when the related records change', () => {
  const { store, post } = storeWithPost();
  const before = post();
  store.write(Comment, { id: '5', text: 'changed' });
  expect(post()).toBe(before);
});

it('Lazy cannot be read itself', () => {
  expect(new Lazy(Comment).queryKey()).toBeUndefined();
});

describe('query', () => {
  keepsTheSchemaLaws({
    schema: () => new Lazy([Comment]).query,
    response: () => [{ id: '1', name: 'a' }, { id: '2' }],
    part: { entity: Comment, pk: '1', record: { id: '1', name: 'a' } },
    withoutPart: [{ id: '2', text: '', kind: 'comment' }],
    wrong: [[{}], [[]]],
  });

  it('is the same schema each time', () => {
    const lazy = new Lazy([Comment]);
    expect(lazy.query).toBe(lazy.query);
  });

  it('reads a list that the field holds, and follows its records', () => {
    const { store, post } = storeWithPost();
    const { query } = Post.schema.latest;
    const before = store.get(query, post().latest) as Comment[];
    expect(before.map((comment) => comment.text)).toEqual(['first', '']);
    expect(store.get(query, post().latest)).toBe(before);
    store.write(Comment, { id: '6', text: 'changed' });
    expect((store.get(query, post().latest) as Comment[])[1]?.text).toBe('changed');
  });

  it('reads a record by the pk that the field holds, or by its fields', () => {
    const { store, post } = storeWithPost();
    const { query } = Post.schema.pinned;
    expect(store.get(query, post().pinned ?? '')).toBe(store.get(Comment, '5'));
    expect(store.get(query, { id: '5' })).toBe(store.get(Comment, '5'));
    expect(store.get(query, '404')).toBeUndefined();
  });

  it('reads a collection by the pk that the field holds, or by its arguments', () => {
    const { store, post } = storeWithPost();
    const { query } = Post.schema.comments;
    const list = store.get(query, post().comments) as Comment[];
    expect(list).toEqual([store.get(Comment, '6')]);
    expect(store.get(query, { postId: '1' })).toBe(list);
    expect(store.get(query, { postId: '2' })).toBeUndefined();
  });

  it('reads a record of several classes', () => {
    const store = new Store();
    const lazy = new Lazy(new Union({ comment: Comment }, 'kind'));
    const stored = store.write(lazy, { id: '5', kind: 'comment' }) as { id: string; schema: 'comment' };
    expect(store.read(lazy, stored)).toEqual({ id: '5', schema: 'comment' });
    expect(store.get(lazy.query, stored)).toBe(store.get(Comment, '5'));
  });

  it('of a class that is not defined yet is an error', () => {
    expect(() => new Lazy(undefined)).toThrow(expect.objectContaining({ code: 'schema-missing' }));
  });

  it('can be the schema of a response', () => {
    const store = new Store();
    const { query } = new Lazy(Comment);
    expect(store.read(query, store.write(query, { id: '5' }))).toBeInstanceOf(Comment);
  });

  it('takes its argument as the stored form if the schema has no rows', () => {
    const store = new Store();
    store.write(Comment, { id: '5' });
    expect(store.get(new Lazy({ first: Comment }).query, { first: '5' })).toEqual({ first: store.get(Comment, '5') });
  });
});

it('Lazy reads All with the given pks', () => {
  const { store } = storeWithPost();
  const { query } = new Lazy(new All(Comment));
  expect(store.get(query, ['6', '5'])?.map(({ id }) => id)).toEqual(['6', '5']);
});

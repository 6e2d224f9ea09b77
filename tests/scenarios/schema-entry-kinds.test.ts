import { BigNumber } from 'bignumber.js';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { Collection, Entity, EntityMixin, Store } from '../../src/index.ts';
import { User } from '../model.ts';
import { respond } from './respond.ts';

class Comment extends Entity {
  id = '';
  content = '';
  static override key = 'Comment';
}

class Post extends Entity {
  id = '';
  author = User.fromJS();
  readers: User[] = [];
  comments: Comment[] = [];
  at = Temporal.Instant.fromEpochMilliseconds(0);
  date = new Date(0);
  price = BigNumber(0);
  stars = 0;
  static override key = 'Post';
  static override schema = {
    author: User,
    readers: [User],
    comments: new Collection([Comment], { nestKey: (parent: { id: string }) => ({ postId: parent.id }) }),
    at: Temporal.Instant.from,
    date: (iso: string) => new Date(iso),
    price: BigNumber,
    stars: Number,
  };
}

describe('Schema entry kinds', () => {
  test('Field: EntityClass holds one nested entity', () => {
    const store = new Store();
    const post = respond<Post>(store, Post, { id: '1', author: { id: '2', name: 'Ann' } });

    expect(post.author).toBe(store.get(User, { id: '2' }));
  });

  test('Field: EntityClass holds a reference key to an entity, as text or as a number', () => {
    const store = new Store();
    store.write(User, { id: 2, name: 'Ann' });

    const byText = respond<Post>(store, Post, { id: '1', author: '2' });
    const byNumber = respond<Post>(store, Post, { id: '3', author: 2 });

    expect(byText.author.name).toBe('Ann');
    expect(byNumber.author).toBe(byText.author);
  });

  test('Field: [EntityClass] holds an array of entities and of reference keys', () => {
    const store = new Store();
    store.write(User, { id: '3', name: 'Bob' });
    const post = respond<Post>(store, Post, { id: '1', readers: [{ id: '2', name: 'Ann' }, '3'] });

    expect(post.readers.map((reader) => reader.name)).toEqual(['Ann', 'Bob']);
    expect(post.readers[0]).toBe(store.get(User, { id: '2' }));
  });

  test('Field: [EntityClass] drops members that are missing or deleted', () => {
    const store = new Store();
    store.write(Post, { id: '1', readers: [{ id: '2', name: 'Ann' }, '3', { id: '4', name: 'Cid' }] });

    store.invalidate(User, '4');

    expect((store.get(Post, { id: '1' }) as Post).readers.map((reader) => reader.name)).toEqual(['Ann']);
  });

  test('Field: Collection holds a collection that nestKey identifies by the parent', () => {
    const store = new Store();
    const post = respond<Post>(store, Post, { id: '1', comments: [{ id: '7', content: 'Yes' }] });

    expect(store.get(Post.schema.comments, { postId: '1' })).toBe(post.comments);
    expect(post.comments[0]).toBe(store.get(Comment, { id: '7' }));
  });

  test('Field: Collection is extended by new members', () => {
    const store = new Store();
    store.write(Post, { id: '1', comments: [{ id: '7', content: 'Yes' }] });

    store.write(Post.schema.comments.push, { id: '8', content: 'No' }, { args: [{ postId: '1' }] });
    store.write(Post.schema.comments.unshift, { id: '6', content: 'Hm' }, { args: [{ postId: '1' }] });

    expect((store.get(Post, { id: '1' }) as Post).comments.map((comment) => comment.id)).toEqual(['6', '7', '8']);
  });

  test('Field: Temporal.Instant.from deserializes an ISO 8601 string to an instant', () => {
    const post = respond<Post>(new Store(), Post, { id: '1', at: '1999-12-31T23:59:60Z' });

    expect(post.at).toBeInstanceOf(Temporal.Instant);
  });

  test('Field: iso => new Date(iso) deserializes a string to a legacy date', () => {
    const post = respond<Post>(new Store(), Post, { id: '1', date: '2001-02-03T04:05:06.000Z' });

    expect(post.date.toISOString()).toBe('2001-02-03T04:05:06.000Z');
  });

  test('Field: BigNumber deserializes a string to an arbitrary-precision decimal', () => {
    const post = respond<Post>(new Store(), Post, { id: '1', price: '0.1' });

    expect(post.price.plus('0.2').toFixed()).toBe('0.3');
  });

  test('Field: Number coerces the value to a number', () => {
    const post = respond<Post>(new Store(), Post, { id: '1', stars: '4' });

    expect(post.stars).toBe(4);
  });

  test('plain classes become entities by EntityMixin', () => {
    class Plain {
      slug = '';
      title = '';
    }
    class Page extends EntityMixin(Plain, { pk: 'slug', key: 'Page' }) {}
    const store = new Store();
    const page = respond<Page>(store, Page, { slug: 'about', title: 'About' });

    expect(page).toBeInstanceOf(Plain);
    expect(page.title).toBe('About');
    expect(store.get(Page, { slug: 'about' })).toBe(page);
  });
});

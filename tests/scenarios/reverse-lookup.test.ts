import { describe, expect, test } from 'vitest';
import { Entity, Store, Union } from '../../src/index.ts';
import { respond } from './respond.ts';
import { Post, User } from '../seed/reverse-lookup.ts';

const ann = { id: '23', name: 'Ann' };
const bob = { id: '24', name: 'Bob' };

const getPosts = () => [
  {
    id: '1',
    title: 'On relations',
    author: ann,
    comments: [
      { id: '11', content: 'Well said', commenter: bob },
      { id: '12', content: 'Thank you', commenter: ann },
    ],
  },
  { id: '2', title: 'On joins', author: ann, comments: [{ id: '13', content: 'First!', commenter: bob }] },
];

describe('Reverse lookup (Post, Comment, User)', () => {
  test('after one response of posts, a user has its posts and comments', () => {
    const store = new Store();
    const [first, second] = respond<Post[]>(store, [Post], getPosts());

    const author = store.get(User, { id: '23' }) as User;
    const commenter = store.get(User, { id: '24' }) as User;

    expect(author.posts).toHaveLength(2);
    expect(author.posts[0]).toBe(first);
    expect(author.posts[1]).toBe(second);
    expect(author.comments.map((comment) => comment.id)).toEqual(['12']);
    expect(commenter.posts).toEqual([]);
    expect(commenter.comments.map((comment) => comment.id)).toEqual(['11', '13']);
  });

  test('the three entities form a cycle in which every path leads to the same object', () => {
    const store = new Store();
    const [first, second] = respond<Post[]>(store, [Post], getPosts());

    expect(first?.author.posts[0]).toBe(first);
    expect(first?.author.posts[1]).toBe(second);
    expect(first?.comments[0]?.post).toBe(first);
    expect(first?.comments[0]?.commenter.comments[1]?.post?.author).toBe(first?.author);
    expect(second?.comments[0]?.commenter).toBe(first?.comments[0]?.commenter);
    expect(second?.author).toBe(first?.author);
  });

  test('after the author is renamed every post of the list shows one and the same renamed author', () => {
    const store = new Store();
    const posts = [Post];
    const stored = store.write(posts, getPosts());
    store.read(posts, stored);

    store.write(User, { id: '23', name: 'Anne' });

    const [first, second] = store.read(posts, stored) as Post[];
    expect(first?.author.name).toBe('Anne');
    expect(second?.author).toBe(first?.author);
    expect(first?.author).toBe(store.get(User, { id: '23' }));
    expect(first?.author.posts[1]).toBe(second);
    expect(first?.comments[1]?.commenter).toBe(first?.author);
  });

  test('a deleted author removes the posts from the list that require an author', () => {
    const store = new Store();
    const posts = [Post];
    const stored = store.write(posts, getPosts());
    expect(store.read(posts, stored)).toHaveLength(2);

    store.invalidate(User, '23');

    expect(store.read(posts, stored)).toEqual([]);
    const commenter = store.get(User, { id: '24' }) as User;
    expect(commenter.comments.map((comment) => comment.post)).toEqual([undefined, undefined]);
  });

  test('records that arrive one by one accumulate: existing ones first, then incoming ones', () => {
    const store = new Store();
    store.write(Post, { id: '2', title: 'Later', author: { id: '23', name: 'Ann' }, comments: [] });
    store.write(Post, { id: '1', title: 'Earlier', author: { id: '23', name: 'Ann' }, comments: [] });

    const author = store.get(User, { id: '23' }) as User;

    expect(author.posts.map((post) => post.id)).toEqual(['2', '1']);
  });

  test('the same response again adds nothing, and every reader keeps its objects', () => {
    const store = new Store();
    respond(store, [Post], getPosts());
    const author = store.get(User, { id: '23' }) as User;

    respond(store, [Post], getPosts());

    expect(store.get(User, { id: '23' })).toBe(author);
    expect(author.posts.map((post) => post.id)).toEqual(['1', '2']);
  });

  test('a list of records of several classes has each once, too', () => {
    class Feed extends Entity {
      id = '';
      items: readonly Post[] = [];
      static override key = 'Feed';
      static override schema = { items: [new Union({ post: Post }, () => 'post')] };
      static override merge(existing: Partial<Feed>, incoming: Partial<Feed>): object {
        return { ...existing, items: [...(existing.items ?? []), ...(incoming.items ?? [])] };
      }
    }
    const store = new Store();
    const feed = { id: 'f', items: [{ id: '1', title: 'On relations', author: ann, comments: [] }] };
    respond(store, Feed, feed);

    expect(respond<Feed>(store, Feed, feed).items.map(({ id }) => id)).toEqual(['1']);
  });

  test('a list that merge() takes from one version stays as the server sent it', () => {
    const store = new Store();
    const posts = [
      { id: '1', title: 'On relations' },
      { id: '1', title: 'On relations' },
    ];
    class Shelf extends Entity {
      id = '';
      posts: Post[] = [];
      static override key = 'Shelf';
      static override schema = { posts: [Post] };
      static override merge(existing: object, incoming: object): object {
        return { ...existing, ...incoming };
      }
    }
    respond(store, Shelf, { id: 's', posts: [] });

    expect(respond<Shelf>(store, Shelf, { id: 's', posts }).posts).toHaveLength(2);
  });

  test('a user from /users/:id is a copy of the response, and a missing array counts as empty', () => {
    const user = respond<User>(new Store(), User, { id: '23', name: 'Ann' }, [{ id: '23' }]);

    expect(user.posts).toEqual([]);
    expect(user.comments).toEqual([]);
    expect(user.name).toBe('Ann');
  });
});

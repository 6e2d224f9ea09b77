import { describe, expect, test } from 'vitest';
import { Store } from '../../src/index.ts';
import { respond } from './respond.ts';
import { Comment, Post, User } from '../seed/blog.ts';

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
  { id: '2', title: 'On joins', author: bob, comments: [{ id: '13', content: 'First!', commenter: ann }] },
];

describe('Post, author and comments', () => {
  test('the records nested in a list of posts are rejoined as instances of their classes', () => {
    const posts = respond<Post[]>(new Store(), [Post], getPosts());

    expect(posts).toHaveLength(2);
    expect(posts[0]).toBeInstanceOf(Post);
    expect(posts[0]?.author).toBeInstanceOf(User);
    expect(posts[0]?.comments.map((comment) => comment.content)).toEqual(['Well said', 'Thank you']);
    expect(posts[0]?.comments[0]).toBeInstanceOf(Comment);
    expect(posts[1]?.author.name).toBe('Bob');
  });

  test('a user is one object, as an author and as a commenter', () => {
    const [first, second] = respond<Post[]>(new Store(), [Post], getPosts());

    expect(first?.author).toBe(first?.comments[1]?.commenter);
    expect(first?.author).toBe(second?.comments[0]?.commenter);
    expect(second?.author).toBe(first?.comments[0]?.commenter);
  });

  test('nested records are stored in their own tables, and each can be read by its own pk', () => {
    const store = new Store();
    const [first] = respond<Post[]>(store, [Post], getPosts());

    expect(store.get(User, { id: '23' })).toBe(first?.author);
    expect(store.get(Comment, { id: '12' })).toBe(first?.comments[1]);
    expect(store.get(Post, { id: '1' })).toBe(first);
    expect(store.row('Post', '1')).toMatchObject({ id: '1', title: 'On relations', author: '23' });
  });

  test('GET /posts/:id after the list returns the same post while nothing has changed', () => {
    const store = new Store();
    const [first] = respond<Post[]>(store, [Post], getPosts());

    const again = respond<Post>(store, Post, getPosts()[0], [{ id: '1' }]);

    expect(again).toBe(first);
  });

  test('a new name of the author is shown in every post and comment, and all other records stay the same', () => {
    const store = new Store();
    const before = respond<Post[]>(store, [Post], getPosts());
    const posts = store.query(Post, [{ id: '2' }]);
    expect(posts.current()).toBe(before[1]);

    store.write(User, { id: '23', name: 'Anne' });

    const [first, second] = [store.get(Post, { id: '1' }), store.get(Post, { id: '2' })] as [Post, Post];
    expect(first.author.name).toBe('Anne');
    expect(second.comments[0]?.commenter).toBe(first.author);
    expect(first.comments[0]).toBe(before[0]?.comments[0]);
    expect(second.author).toBe(before[1]?.author);
    expect(posts.current()).toBe(second);
  });

  test('comments are a collection of their post, which can be extended, and found by the id of the post', () => {
    const store = new Store();
    const [first, second] = respond<Post[]>(store, [Post], getPosts());

    store.write(
      Post.schema.comments.push,
      { id: '14', content: 'And so on', commenter: '24' },
      { args: [{ postId: '1' }] },
    );

    const [extended, other] = [store.get(Post, { id: '1' }), store.get(Post, { id: '2' })] as [Post, Post];
    expect(extended.comments.map((comment) => comment.id)).toEqual(['11', '12', '14']);
    expect(extended.comments[2]?.commenter).toBe(first?.comments[0]?.commenter);
    expect(extended.comments[0]).toBe(first?.comments[0]);
    expect(other).toBe(second);
    expect(store.get(Post.schema.comments, { postId: '1' })).toBe(extended.comments);
  });

  test('fields of related records that are not loaded have their defaults', () => {
    const post = respond<Post>(new Store(), Post, { id: '5', title: 'Bare' });

    expect(post.author).toBeInstanceOf(User);
    expect(post.author.name).toBe('');
    expect(post.comments).toEqual([]);
  });
});

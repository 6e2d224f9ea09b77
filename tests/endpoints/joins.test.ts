import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { All, Controller, Query } from '../../src/index.ts';
import { blogAt, Comment, Post, Todo, User } from './blog.ts';
import { type RestServer, startRestServer } from './rest-server.ts';

let server: RestServer;
let controller: Controller;
let blog: ReturnType<typeof blogAt>;
beforeEach(async () => {
  server = await startRestServer();
  controller = new Controller();
  blog = blogAt(server.url);
});
afterEach(async () => {
  controller.dispose();
  await server.close();
});

describe('what the server nests', () => {
  test('_expand and _embed are hoisted into tables of their own, and rejoined', async () => {
    const posts = await controller.fetch(blog.posts.getList, { _expand: 'user', _embed: 'comments' });
    const [first, second, third] = posts;
    expect([first?.user.name, second?.user.name]).toEqual(['Ann', 'Bob']);
    expect(third?.user).toBe(first?.user);
    expect(first?.user).toBe(controller.get(User, { id: 1 }));
    expect(first?.comments.map(({ body }) => body)).toEqual(['Well said', 'Not so sure']);
    expect(first?.comments[0]).toBe(controller.get(Comment, { id: 1 }));
    // Bob wrote this comment. The second post contains Bob, so the comment is joined with him although it was not expanded.
    expect(first?.comments[0]?.user).toBe(second?.user);
  });

  test('a change to one user shows in everything that refers to that user, and nowhere else', async () => {
    const ask = { _expand: 'user', _embed: 'comments' };
    const before = await controller.fetch(blog.posts.getList, ask);
    await controller.fetch(blog.users.partialUpdate, { id: 1 }, { name: 'Anna' });
    const after = controller.getResponse(blog.posts.getList, ask).data ?? [];
    expect(after.map(({ user }) => user.name)).toEqual(['Anna', 'Bob', 'Anna', 'Cid', 'Bob']);
    expect(after[3]).toBe(before[3]);
    expect(after[4]).toBe(before[4]);
    expect(after[1]?.comments[0]?.user.name).toBe('Anna');
    expect(await controller.fetch(blog.posts.getList, ask)).toBe(after);
  });

  test('a record that arrives with other fields than in the list keeps the fields of the list', async () => {
    await controller.fetch(blog.posts.getList, { _embed: 'comments' });
    const post = await controller.fetch(blog.posts.get, { id: 2 });
    expect(post.comments.map(({ body }) => body)).toEqual(['Agreed']);
    const { get } = blog.posts.extend('get', { searchParams: {} as { _expand: string } });
    const joined = await controller.fetch(get, { id: 2, _expand: 'user' });
    expect(joined.user.name).toBe('Bob');
    expect(joined.comments).toBe(post.comments);
  });

  test('a new comment joins the nested list of its post', async () => {
    await controller.fetch(blog.posts.getList, { _embed: 'comments' });
    const create = blog.commentsOf.getList.push.extend({ schema: Post.schema.comments.push });
    const comment = await controller.fetch(create, { postId: 1 }, { body: 'Late', userId: 1 });
    // The server reads the id from the URL, so the id is a text.
    expect(comment.postId).toBe('1');
    expect(controller.get(Post, { id: 1 })?.comments.at(-1)).toBe(comment);
    expect(controller.get(Post, { id: 2 })?.comments).toHaveLength(1);
  });
});

describe('data that the server does not nest', () => {
  test('is joined by the keys in the responses, in each order in which they arrive', async () => {
    const comments = await controller.fetch(blog.comments.getList);
    expect(comments.map(({ user }) => user)).toEqual([undefined, undefined, undefined]);
    await controller.fetch(blog.users.getList);
    const joined = controller.getResponse(blog.comments.getList).data ?? [];
    expect(joined.map(({ user }) => user.name)).toEqual(['Bob', 'Cid', 'Ann']);
    expect(joined[2]?.user).toBe(controller.get(User, { id: 1 }));
  });

  test('can be read from several lists at once, and is kept up to date', async () => {
    const openOf = new Query(new All(Todo), (todos: readonly Todo[], { userId }: { readonly userId: number }) =>
      todos.filter((todo) => todo.userId === userId && !todo.completed),
    );
    await controller.fetch(blog.todos.getList);
    const received: string[][] = [];
    const stop = controller.watch(openOf, { userId: 1 }, (answer) => {
      if ('value' in answer) received.push(answer.value.map(({ title }) => title));
    });
    await controller.fetch(blog.todos.partialUpdate, { id: 2 }, { completed: false });
    await controller.fetch(blog.todos.partialUpdate, { id: 3 }, { title: 'Rest more' });
    await controller.fetch(blog.todos.delete, { id: 1 });
    stop();
    expect(received[0]).toEqual(['Write']);
    expect(received[1]).toEqual(['Write', 'Test']);
    expect(received.at(-1)).toEqual(['Test']);
  });

  test('a deleted user is removed from the posts, and so are the records that the server has deleted with it', async () => {
    const ask = { _expand: 'user' };
    await controller.fetch(blog.posts.getList, ask);
    await controller.fetch(blog.users.delete, { id: 3 });
    expect(controller.get(User, { id: 3 })).toBe(undefined);
    const fresh = await controller.fetch(blog.posts.getList, ask);
    // This server also deletes records that refer to a deleted record.
    expect(fresh.map(({ title }) => title)).toEqual(['Joins', 'Views', 'Keys', 'Cells']);
  });
});

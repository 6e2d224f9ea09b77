/* oxlint-disable typescript/no-explicit-any -- a subclass is written as the specification writes them */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Controller, RestEndpoint, type RestGenerics } from '../../src/index.ts';
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

/** The todos as a map. The server has a list of them. */
class ByTitle<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getRequestInit(body: any) {
    return super.getRequestInit(body && Object.values(body)[0]);
  }
  override process(value: any): any {
    const todos: { readonly title: string }[] = [value].flat();
    return Object.fromEntries(todos.map((todo) => [todo.title, todo]));
  }
}

const titles = (list: readonly { readonly title: string }[] | undefined): string[] =>
  (list ?? []).map(({ title }) => title);

describe('a resource of a REST server of another project', () => {
  test('get returns one record, which is the object in the store', async () => {
    const post = await controller.fetch(blog.posts.get, { id: 1 });
    expect(post).toBeInstanceOf(Post);
    expect([post.id, post.title, post.likes]).toEqual([1, 'Joins', 5]);
    expect(controller.get(Post, { id: 1 })).toBe(post);
    expect(controller.getResponse(blog.posts.get, { id: '1' }).data).toBe(post);
    expect(server.asked()).toEqual(['GET /posts/1']);
  });

  test('get and getList return one object for one record, also after a second read', async () => {
    const list = await controller.fetch(blog.posts.getList);
    const post = await controller.fetch(blog.posts.get, { id: 1 });
    expect(list[0]).toBe(post);
    expect(await controller.fetch(blog.posts.getList)).toBe(list);
    expect(server.asked()).toEqual(['GET /posts', 'GET /posts/1', 'GET /posts']);
  });

  test('getList filters, searches and sorts by its arguments, each list separately', async () => {
    const { getList } = blog.posts;
    const ask = async (params: Readonly<Record<string, string | number>>): Promise<string[]> =>
      titles(await controller.fetch(getList, params));
    expect(await ask({ userId: 1 })).toEqual(['Joins', 'Keys']);
    expect(await ask({ _sort: 'likes', _order: 'desc' })).toEqual(['Views', 'Keys', 'Joins', 'Cells', 'Rows']);
    expect(await ask({ likes_gte: 5, likes_lte: 7 })).toEqual(['Joins', 'Keys']);
    expect(await ask({ userId_ne: 1, _sort: 'title' })).toEqual(['Cells', 'Rows', 'Views']);
    expect(await ask({ title_like: 's$', _limit: 2, _start: 1 })).toEqual(['Views', 'Keys']);
    expect(await ask({ q: 'ell' })).toEqual(['Cells']);
    expect(await ask({ q: 'a & b = c?' })).toEqual([]);
    expect(controller.store.stats().rows).toBeGreaterThan(5);
    expect(titles(controller.getResponse(getList, { userId: 1 }).data)).toEqual(['Joins', 'Keys']);
    expect(server.asked().at(-1)).toBe('GET /posts?q=a%20%26%20b%20%3D%20c%3F');
  });

  test('a list as an argument repeats its name in the query, and undefined is left out', async () => {
    const searchParams: { readonly id?: readonly number[]; readonly q?: string | undefined } = {};
    const { getList } = blog.posts.extend('getList', { searchParams });
    expect(titles(await controller.fetch(getList, { id: [3, 1], q: undefined }))).toEqual(['Joins', 'Keys']);
    expect(server.asked()).toEqual(['GET /posts?id=3&id=1']);
  });

  test('getList.push adds the created record to the end of every list to which it belongs, with the id of the server', async () => {
    const { getList } = blog.todos;
    const all = await controller.fetch(getList);
    await controller.fetch(getList, { userId: 1 });
    const others = await controller.fetch(getList, { userId: 2 });
    server.asked();
    const todo = await controller.fetch(getList.push, { userId: 1, title: 'Ship', completed: false });
    expect(todo).toBeInstanceOf(Todo);
    expect([todo.id, todo.title]).toEqual([4, 'Ship']);
    expect(controller.getResponse(getList).data?.at(-1)).toBe(todo);
    expect(controller.getResponse(getList, { userId: 1 }).data?.at(-1)).toBe(todo);
    expect(controller.getResponse(getList, { userId: 2 }).data).toBe(others);
    expect(all).toHaveLength(3);
    expect(server.asked()).toEqual(['POST /todos']);
    expect(titles(await controller.fetch(getList))).toEqual(['Write', 'Test', 'Rest', 'Ship']);
    expect(controller.get(Todo, { id: 4 })).toBe(todo);
  });

  test('getList.unshift adds the created record to the beginning', async () => {
    const { getList } = blog.todos;
    await controller.fetch(getList, { userId: 2 });
    const todo = await controller.fetch(getList.unshift, { userId: 2 }, { title: 'First', userId: 2 });
    expect(controller.getResponse(getList, { userId: 2 }).data?.[0]).toBe(todo);
    expect(server.asked().at(-1)).toBe('POST /todos?userId=2');
    expect(server.exchanges.at(-1)?.status).toBe(201);
  });

  test('create is getList.push', async () => {
    await controller.fetch(blog.users.getList);
    const user = await controller.fetch(blog.users.create, { name: 'Dan' });
    expect(controller.getResponse(blog.users.getList).data?.at(-1)).toBe(user);
    expect(controller.get(User, { id: 4 })).toBe(user);
  });

  test('getList.assign sets entries of a map of records', async () => {
    const byTitle = new ByTitle({ urlPrefix: server.url, path: '/todos', schema: blog.byTitle });
    const before = await controller.fetch(byTitle);
    expect(Object.keys(before)).toEqual(['Write', 'Test', 'Rest']);
    await controller.fetch(byTitle.assign, { Ship: { title: 'Ship', userId: 3 } });
    const after = controller.getResponse(byTitle).data;
    expect(Object.keys(after ?? {})).toEqual(['Write', 'Test', 'Rest', 'Ship']);
    expect(after?.['Ship']).toBe(controller.get(Todo, { id: 4 }));
    expect(after?.['Write']).toBe(before['Write']);
  });

  test('getList.remove removes a record from its lists, and keeps the record', async () => {
    const { getList } = blog.todos;
    await controller.fetch(getList, { userId: 1 });
    // This server changes single records only, so the path is that of one record.
    const release = getList.remove.extend({ path: '/todos/:id' });
    await controller.fetch(release, { id: 2, userId: 1 }, { userId: 2 });
    expect(titles(controller.getResponse(getList, { userId: 1 }).data)).toEqual(['Write']);
    expect(controller.get(Todo, { id: 2 })?.userId).toBe(2);
    expect(server.asked().at(-1)).toBe('PATCH /todos/2?userId=1');
    expect(titles(await controller.fetch(getList, { userId: 2 }))).toEqual(['Test', 'Rest']);
  });

  test('getList.move changes a record, and moves it to the lists to which it belongs now', async () => {
    const { getList } = blog.todos;
    await controller.fetch(getList);
    await controller.fetch(getList, { userId: 1 });
    await controller.fetch(getList, { userId: 2 });
    const moved = await controller.fetch(getList.move, { id: 1 }, { userId: 2 });
    expect(server.asked().at(-1)).toBe('PATCH /todos/1');
    expect(titles(controller.getResponse(getList, { userId: 1 }).data)).toEqual(['Test']);
    expect(titles(controller.getResponse(getList, { userId: 2 }).data)).toEqual(['Rest', 'Write']);
    expect(controller.getResponse(getList, { userId: 2 }).data?.[1]).toBe(moved);
    expect(titles(controller.getResponse(getList).data)).toEqual(['Write', 'Test', 'Rest']);
  });

  test('update replaces a record, and partialUpdate changes its fields, wherever it is shown', async () => {
    const [first, second] = await controller.fetch(blog.todos.getList);
    const put = await controller.fetch(
      blog.todos.update,
      { id: 1 },
      { title: 'Write again', userId: 1, completed: true },
    );
    expect([put.title, put.completed]).toEqual(['Write again', true]);
    const patched = await controller.fetch(blog.todos.partialUpdate, { id: 1 }, { completed: false });
    expect([patched.title, patched.completed]).toEqual(['Write again', false]);
    const list = controller.getResponse(blog.todos.getList).data;
    expect(list?.[0]).toBe(patched);
    expect(list?.[1]).toBe(second);
    expect(first?.title).toBe('Write');
    expect(server.asked()).toEqual(['GET /todos', 'PUT /todos/1', 'PATCH /todos/1']);
  });

  test('delete removes a record from all lists, although the answer of the server is empty', async () => {
    await controller.fetch(blog.todos.getList);
    const one = await controller.fetch(blog.todos.get, { id: 2 });
    const deleted = await controller.fetch(blog.todos.delete, { id: 2 });
    expect(deleted).toBeInstanceOf(Todo);
    expect(deleted.id).toBe(2);
    expect(titles(controller.getResponse(blog.todos.getList).data)).toEqual(['Write', 'Rest']);
    expect(controller.get(Todo, { id: 2 })).toBe(undefined);
    expect(one.title).toBe('Test');
    await expect(controller.fetch(blog.todos.get, { id: 2 })).rejects.toMatchObject({ status: 404 });
    expect(server.asked().slice(2)).toEqual(['DELETE /todos/2', 'GET /todos/2']);
  });

  test('a request for a missing record fails with status 404, and does not change the store', async () => {
    await controller.fetch(blog.posts.getList);
    const { rows } = controller.store.stats();
    const error: unknown = await controller.fetch(blog.posts.get, { id: 99 }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'NetworkError', code: 'http-error', status: 404 });
    expect(controller.getError(blog.posts.get, { id: 99 })).toBe(error);
    const changed = controller.fetch(blog.posts.partialUpdate, { id: 99 }, { title: 'x' });
    await expect(changed).rejects.toMatchObject({ status: 404 });
    await expect(controller.fetch(blog.posts.getList.remove, { title: 'x' })).rejects.toMatchObject({ status: 404 });
    expect(controller.store.stats().rows).toBe(rows);
  });

  test('the lists of a nested path contain the records of the server for this path', async () => {
    const { commentsOf } = blog;
    const list = await controller.fetch(commentsOf.getList, { postId: 1 });
    expect(list.map(({ body }) => body)).toEqual(['Well said', 'Not so sure']);
    const added = await controller.fetch(commentsOf.getList.push, { postId: 1 }, { body: 'Why?', userId: 1 });
    expect(controller.getResponse(commentsOf.getList, { postId: 1 }).data?.at(-1)).toBe(added);
    expect(controller.get(Comment, { id: added.id })).toBe(added);
    expect(server.asked()).toEqual(['GET /posts/1/comments', 'POST /posts/1/comments']);
  });
});

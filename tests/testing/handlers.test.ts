import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Collection, Controller, RestEndpoint, resource } from '../../src/index.ts';
import { toHandlers } from '../../src/testing.ts';
import { count, Todo } from './model.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const TodoResource = resource({
  path: '/todos/:id',
  urlPrefix: 'http://api.test/v1',
  searchParams: undefined as { userId?: string } | undefined,
  schema: Todo,
});
const todo = { id: '5', title: 'over HTTP', done: false };

describe('toHandlers: fixtures as handlers of Mock Service Worker', () => {
  it('a fixture answers its request over HTTP, and the endpoint runs as it is', async () => {
    server.use(...toHandlers([{ endpoint: TodoResource.get, args: [{ id: '5' }], response: todo }], http));
    expect((await new Controller().fetch(TodoResource.get, { id: '5' })).title).toBe('over HTTP');
  });

  it('a fixture matches only requests with its search parameters', async () => {
    const { getList } = TodoResource;
    server.use(
      ...toHandlers(
        [
          { endpoint: getList, args: [{ userId: '1' }], response: [todo] },
          { endpoint: getList, args: [{ userId: '2' }], response: [] },
        ],
        http,
      ),
    );
    expect(await new Controller().fetch(getList, { userId: '1' })).toHaveLength(1);
    expect(await new Controller().fetch(getList, { userId: '2' })).toHaveLength(0);
  });

  it('a fixture of a page answers the request of the page', async () => {
    const { getList } = TodoResource.extend({ getList: { paginationField: 'cursor' } });
    server.use(
      ...toHandlers(
        [
          { endpoint: getList, args: [{}], response: [todo] },
          { endpoint: getList.getPage, args: [{ cursor: '2' }], response: [{ ...todo, id: '6' }] },
        ],
        http,
      ),
    );
    const controller = new Controller();
    await controller.fetch(getList, {});
    await controller.fetch(getList.getPage, { cursor: '2' });
    expect(controller.getResponse(getList, {}).data?.map(({ id }) => id)).toEqual(['5', '6']);
  });

  it('an error fixture is a response with its status', async () => {
    const refused = Object.assign(new Error('not yours'), { status: 403 });
    server.use(
      ...toHandlers([{ endpoint: TodoResource.get, args: [{ id: '5' }], response: refused, error: true }], http),
    );
    await expect(new Controller().fetch(TodoResource.get, { id: '5' })).rejects.toMatchObject({ status: 403 });
    expect(await (await fetch('http://api.test/v1/todos/5')).json()).toEqual({ message: 'not yours' });
  });

  it.each([
    ['plain data without a status', { message: 'x' }, 500],
    ['a status that is none of an error', { status: 200 }, 500],
    ['a status', { status: 404 }, 404],
  ])('an error that is %s', async (_what, response, status) => {
    server.use(...toHandlers([{ endpoint: TodoResource.get, args: [{ id: '5' }], response, error: true }], http));
    expect((await fetch('http://api.test/v1/todos/5')).status).toBe(status);
  });

  it('an error that has a response is that response', async () => {
    const response = new Response('{"title":"as it was"}', { status: 409 });
    server.use(
      ...toHandlers([{ endpoint: TodoResource.get, args: [{ id: '5' }], response: { response }, error: true }], http),
    );
    const answer = await fetch('http://api.test/v1/todos/5');
    expect([answer.status, await answer.text()]).toEqual([409, '{"title":"as it was"}']);
  });

  it('of two fixtures of one request the later one is used, and a fixture is used before an interceptor', async () => {
    server.use(
      ...toHandlers(
        [
          { endpoint: TodoResource.get, response: () => ({ ...todo, title: 'intercepted' }) },
          { endpoint: TodoResource.get, args: [{ id: '5' }], response: { ...todo, title: 'first' } },
          { endpoint: TodoResource.get, args: [{ id: '5' }], response: { ...todo, title: 'second' } },
        ],
        http,
      ),
    );
    expect((await new Controller().fetch(TodoResource.get, { id: '5' })).title).toBe('second');
    expect((await new Controller().fetch(TodoResource.get, { id: '6' })).title).toBe('intercepted');
  });

  it('a fixture whose response is a function answers its own request only, and before an interceptor', async () => {
    server.use(
      ...toHandlers(
        [
          { endpoint: TodoResource.get, response: () => ({ ...todo, title: 'intercepted' }) },
          { endpoint: TodoResource.get, args: [{ id: '5' }], response: () => ({ ...todo, title: 'first' }) },
          { endpoint: TodoResource.get, args: [{ id: '5' }], response: () => ({ ...todo, title: 'second' }) },
        ],
        http,
      ),
    );
    expect((await new Controller().fetch(TodoResource.get, { id: '5' })).title).toBe('second');
    expect((await new Controller().fetch(TodoResource.get, { id: '6' })).title).toBe('intercepted');
  });

  it('an interceptor gets the arguments that the URL and the body contain', async () => {
    const asked: unknown[] = [];
    server.use(
      ...toHandlers(
        [
          {
            endpoint: TodoResource.partialUpdate,
            response(this: { served: number }, params: { id: string }, body: object) {
              asked.push([params, body, ++this.served]);
              return { ...todo, ...params, ...body };
            },
          },
          {
            endpoint: TodoResource.getList.push,
            response(this: { served: number }, ...args: unknown[]) {
              asked.push([...args, ++this.served]);
              return todo;
            },
          },
          {
            endpoint: TodoResource.getList,
            response: (params?: object) => [{ ...todo, title: params ? JSON.stringify(params) : 'no params' }],
          },
        ],
        http,
        { getInitialInterceptorData: () => ({ served: 0 }) },
      ),
    );
    const controller = new Controller();
    const patched = await controller.fetch(TodoResource.partialUpdate, { id: 'a/b c' }, { title: 'new' });
    expect(patched).toMatchObject({ id: 'a/b c', title: 'new' });
    await controller.fetch(TodoResource.getList.push, { title: 'x' });
    await controller.fetch(TodoResource.getList.push, { userId: '1' }, { title: 'y' });
    expect((await controller.fetch(TodoResource.getList, { userId: '1' }))[0]?.title).toBe('{"userId":"1"}');
    expect((await controller.fetch(TodoResource.getList))[0]?.title).toBe('no params');
    expect(asked).toEqual([
      [{ id: 'a/b c' }, { title: 'new' }, 1],
      [{ title: 'x' }, 2],
      [{ userId: '1' }, { title: 'y' }, 3],
    ]);
  });

  it('optional groups and wildcards of a path are arguments too', async () => {
    const files = new RestEndpoint({ path: '/:bucket{/v:version}/*path', urlPrefix: 'http://files.test' });
    server.use(...toHandlers([{ endpoint: files, response: (params: object) => params }], http));
    expect(await files({ bucket: 'b', version: '2', path: ['x', 'y z'] })).toEqual({
      bucket: 'b',
      version: '2',
      path: ['x', 'y z'],
    });
    expect(await files({ bucket: 'b', path: ['x'] })).toEqual({ bucket: 'b', path: ['x'] });
  });

  it('an interceptor gets bodies of forms and text unchanged', async () => {
    const bodies: unknown[] = [];
    const send = new RestEndpoint({ path: '/send', urlPrefix: 'http://api.test', method: 'POST', body: {} as never });
    server.use(...toHandlers([{ endpoint: send, response: (body: unknown) => void bodies.push(body) }], http));
    const form = new FormData();
    form.set('name', 'Ann');
    await fetch('http://api.test/send', { method: 'POST', body: form });
    await fetch('http://api.test/send', { method: 'POST', body: 'plain text' });
    expect((bodies[0] as FormData).get('name')).toBe('Ann');
    expect(bodies[1]).toBe('plain text');
  });

  it('a fetch interceptor returns the response itself', async () => {
    server.use(
      ...toHandlers(
        [
          {
            endpoint: TodoResource.update,
            fetchResponse: (input: string, init: RequestInit) =>
              Response.json({ ...todo, title: `${init.method} ${input} ${String(init.body)}` }, { status: 201 }),
          },
          {
            endpoint: TodoResource.get,
            fetchResponse: (_input: string, init: RequestInit) => ({ ...todo, title: String(init.body) }),
          },
        ],
        http,
      ),
    );
    const updated = await new Controller().fetch(TodoResource.update, { id: '5' }, { done: true });
    expect(updated.title).toBe('PUT http://api.test/v1/todos/5 {"done":true}');
    expect((await new Controller().fetch(TodoResource.get, { id: '5' })).title).toBe('undefined');
  });

  it.each([
    ['nothing', undefined, 204, ''],
    ['null', null, 204, ''],
    ['text', 'hello', 200, 'hello'],
    ['bytes', new TextEncoder().encode('bytes').buffer, 200, 'bytes'],
    ['a blob', new Blob(['blob']), 200, 'blob'],
    ['a response', new Response('own', { status: 202 }), 202, 'own'],
    ['data', { a: 1 }, 200, '{"a":1}'],
  ])('%s is sent as a response of its kind', async (_what, response, status, text) => {
    server.use(...toHandlers([{ endpoint: TodoResource.get, args: [{ id: '5' }], response: response as never }], http));
    const answer = await fetch('http://api.test/v1/todos/5');
    expect([answer.status, await answer.text()]).toEqual([status, text]);
  });

  it('requests without a fixture are left to other handlers', async () => {
    server.use(
      ...toHandlers(
        [
          { endpoint: TodoResource.get, args: [{ id: '5' }], response: todo },
          { endpoint: count, args: ['not HTTP'], response: { count: 1 } },
        ],
        http,
      ),
      http.get('http://api.test/v1/todos/6', () => HttpResponse.json({ ...todo, id: '6', title: 'another handler' })),
    );
    expect((await new Controller().fetch(TodoResource.get, { id: '6' })).title).toBe('another handler');
  });

  it('an endpoint without an origin matches requests to every origin', async () => {
    const list = new RestEndpoint({ path: '/todos', schema: new Collection([Todo]) });
    const one = new RestEndpoint({ path: '/todos/:id', schema: Todo });
    server.use(
      ...toHandlers(
        [
          { endpoint: list, args: [], response: [todo] },
          { endpoint: one, response: ({ id }: { id: string }) => ({ ...todo, id }) },
        ],
        http,
      ),
    );
    expect(await (await fetch('http://localhost:3000/todos')).json()).toEqual([todo]);
    expect(await (await fetch('http://localhost:3000/todos/7')).json()).toEqual({ ...todo, id: '7' });
  });
});

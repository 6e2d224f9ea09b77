import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './start-api.ts';
import { startTestApi } from './testing.ts';

interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

interface Post {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly votes: number;
  readonly author: { readonly id: string; readonly name: string };
  readonly tags: readonly { readonly id: string; readonly name: string }[];
  readonly comments: readonly {
    readonly id: string;
    readonly content: string;
    readonly commenter: { readonly id: string };
  }[];
}

let api: Api;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const at = (path: string): string => `${api.url}/api${path}`;
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => fetch(at(path), { headers });
const read = async <Body>(path: string): Promise<Body> => (await get(path)).json() as Promise<Body>;
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(at(path), {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const problemOf = async (response: Response): Promise<Problem> => {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return response.json() as Promise<Problem>;
};
const created = async (path: string, body: unknown): Promise<Post> =>
  (await send('POST', path, body)).json() as Promise<Post>;

describe('content', () => {
  test('the list of posts nests author, comments and commenters', async () => {
    const [post] = await read<Post[]>('/posts');
    expect(post).toMatchObject({
      id: '1',
      author: { id: expect.any(String), name: expect.any(String) },
      comments: expect.arrayContaining([
        {
          id: '1',
          content: expect.any(String),
          createdAt: expect.any(String),
          commenter: { id: expect.any(String), name: expect.any(String) },
        },
      ]),
      tags: [{ id: expect.any(String), name: expect.any(String) }, {}],
    });
    expect(Object.keys(post?.author ?? {})).toEqual(['id', 'name']);
  });

  test('the flat form has ids where the nested form has records', async () => {
    const [nested, flat] = await Promise.all([read<Post>('/posts/1'), read<Record<string, unknown>>('/flat/posts/1')]);
    expect(flat).toMatchObject({
      authorId: nested.author.id,
      commentIds: nested.comments.map(({ id }) => id),
      tagIds: nested.tags.map(({ id }) => id),
    });
    const comments = await read<{ id: string; commenterId: string; postId: string }[]>('/flat/comments?postId=1');
    expect(comments.map(({ commenterId }) => commenterId)).toEqual(
      nested.comments.map(({ commenter }) => commenter.id),
    );
    expect(new Set(comments.map(({ postId }) => postId))).toEqual(new Set(['1']));
  });

  test('posts can be filtered by author, tag and words', async () => {
    const all = await read<Post[]>('/posts?perPage=100');
    const author = all[0]?.author.id ?? '';
    const tag = all[0]?.tags[0]?.id ?? '';
    expect(await read(`/posts?authorId=${author}`)).toEqual(all.filter((post) => post.author.id === author));
    expect(await read(`/posts?tagId=${tag}`)).toEqual(all.filter(({ tags }) => tags.some(({ id }) => id === tag)));
    expect(await read('/posts?search=GUIDE')).toEqual(all.filter(({ title }) => /guide/i.test(title)));
  });

  test('a post can be created, replaced, changed in part and deleted', async () => {
    const response = await send('POST', '/posts', { title: 'New', authorId: '1', tagIds: ['2', '3'] });
    const post = (await response.json()) as Post;
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe(`/api/posts/${post.id}`);
    expect(post).toMatchObject({
      title: 'New',
      body: '',
      votes: 0,
      author: { id: '1' },
      tags: [{ id: '2' }, { id: '3' }],
      comments: [],
    });

    const patched = await send('PATCH', `/posts/${post.id}`, { title: 'Newer' });
    expect(await patched.json()).toEqual({ ...post, title: 'Newer' });

    const put = await send('PUT', `/posts/${post.id}`, { title: 'Newest', authorId: '2' });
    expect(await put.json()).toMatchObject({ title: 'Newest', author: { id: '2' }, tags: [] });

    const gone = await send('DELETE', `/posts/${post.id}`);
    expect([gone.status, await gone.text()]).toEqual([204, '']);
    expect((await get(`/posts/${post.id}`)).status).toBe(404);
    expect((await send('DELETE', `/posts/${post.id}`)).status).toBe(404);
  });

  test('replacing a post removes the fields that the new version lacks', async () => {
    const post = await created('/posts', { title: 'Long', authorId: '1', body: 'text' });
    expect(await (await send('PUT', `/posts/${post.id}`, { title: 'Short', authorId: '1' })).json()).toMatchObject({
      body: '',
    });
  });

  test('a comment is added to its post, changed there and removed', async () => {
    const post = await created('/posts', { title: 'Discussed', authorId: '1' });
    const comment = await created(`/posts/${post.id}/comments`, { content: 'First', commenterId: '2' });
    expect(comment).toMatchObject({ content: 'First', commenter: { id: '2' } });
    await send('PATCH', `/comments/${comment.id}`, { content: 'Edited' });
    expect((await read<Post>(`/posts/${post.id}`)).comments).toMatchObject([{ id: comment.id, content: 'Edited' }]);
    expect(await read(`/posts/${post.id}/comments`)).toEqual([await read(`/comments/${comment.id}`)]);
    expect((await send('DELETE', `/comments/${comment.id}`)).status).toBe(204);
    expect((await read<Post>(`/posts/${post.id}`)).comments).toEqual([]);
  });

  test('simultaneous votes are all counted', async () => {
    const post = await created('/posts', { title: 'Voted', authorId: '1' });
    await Promise.all(Array.from({ length: 10 }, () => send('POST', `/posts/${post.id}/votes`)));
    expect((await read<Post>(`/posts/${post.id}`)).votes).toBe(10);
    expect((await send('POST', '/posts/999999/votes')).status).toBe(404);
  });

  test('a tag is added to a post once, and removed', async () => {
    const post = await created('/posts', { title: 'Tagged', authorId: '1' });
    await send('PUT', `/posts/${post.id}/tags/4`);
    expect(await (await send('PUT', `/posts/${post.id}/tags/4`)).json()).toMatchObject({ tags: [{ id: '4' }] });
    expect(await (await send('DELETE', `/posts/${post.id}/tags/4`)).json()).toMatchObject({ tags: [] });
    expect((await send('PUT', `/posts/${post.id}/tags/99`)).status).toBe(404);
    expect(await read<unknown[]>('/tags')).toHaveLength(12);
  });

  test('users can be read page by page, or several by their ids', async () => {
    expect(await read<unknown[]>('/users?perPage=3&page=2')).toMatchObject([{ id: '4' }, { id: '5' }, { id: '6' }]);
    expect(await read('/users?ids=3,1,999')).toMatchObject([{ id: '1' }, { id: '3' }]);
    expect(await read('/users/1')).toEqual((await read<unknown[]>('/users?ids=1'))[0]);
  });

  test('a renamed user has the new name in every post', async () => {
    const post = await created('/posts', { title: 'Signed', authorId: '5' });
    await send('PATCH', '/users/5', { name: 'Renamed' });
    expect((await read<Post>(`/posts/${post.id}`)).author).toEqual({ id: '5', name: 'Renamed' });
  });

  test('a user with posts whose author is the user is a circle', async () => {
    const author = (await read<Post>('/posts/1')).author.id;
    const circle = await read<{ id: string; createdAt: string; posts: Post[] }>(`/users/${author}/circle`);
    expect(circle.posts.every((post) => post.author.id === author)).toBe(true);
    expect(circle.posts.map(({ id }) => id)).toContain('1');
    expect(circle.posts).toEqual(await read(`/users/${author}/posts`));
    expect(new Date(circle.createdAt).toISOString()).toBe(circle.createdAt);
  });

  test('todos are flat, and have numeric ids', async () => {
    const todo = await read<{ id: number; userId: number }>('/todos/1');
    expect(todo).toEqual({
      id: 1,
      userId: expect.any(Number),
      title: expect.any(String),
      completed: expect.any(Boolean),
    });
    const mine = await read<{ userId: number; completed: boolean }[]>(`/todos?userId=${todo.userId}&completed=false`);
    expect(mine.every(({ userId, completed }) => userId === todo.userId && !completed)).toBe(true);
  });

  test('a todo can be created, completed, replaced and deleted', async () => {
    const todo = (await (await send('POST', '/todos', { userId: 1, title: 'Test' })).json()) as { id: number };
    expect(todo).toEqual({ id: todo.id, userId: 1, title: 'Test', completed: false });
    expect(await (await send('PATCH', `/todos/${todo.id}`, { completed: true })).json()).toEqual({
      ...todo,
      completed: true,
    });
    expect(await (await send('PUT', `/todos/${todo.id}`, { userId: 2, title: 'Again' })).json()).toMatchObject({
      userId: 2,
      completed: false,
    });
    expect((await send('DELETE', `/todos/${todo.id}`)).status).toBe(204);
    expect((await get(`/todos/${todo.id}`)).status).toBe(404);
  });
});

describe('numbers and files', () => {
  test('every currency has stats under its id and -USD, and the order by volume is not the order of the list', async () => {
    const currencies = await read<{ id: string }[]>('/currencies');
    const stats = await read<{ product_id: string; volume_usd: number }[]>('/stats');
    expect(stats.map(({ product_id }) => product_id)).toEqual(currencies.map(({ id }) => `${id}-USD`));
    expect(stats.toSorted((left, right) => right.volume_usd - left.volume_usd)).not.toEqual(stats);
    expect(currencies[0]).toEqual({ id: 'ADA', name: 'Cardano' });
    expect(await read('/stats/ADA-USD')).toEqual(stats[0]);
    expect(await read('/currencies/ADA')).toEqual(currencies[0]);
    expect((await get('/stats/NOPE-USD')).status).toBe(404);
    expect((await get('/currencies/NOPE')).status).toBe(404);
  });

  test('profiles use snake_case at every depth, and refuse camelCase', async () => {
    const profile = await read<Record<string, unknown>>('/profiles/1');
    expect(profile).toMatchObject({
      last_seen_at: null,
      home_address: { postal_code: expect.any(String) },
      phone_numbers: [{ country_code: expect.any(String) }, {}],
    });
    const changed = await send('PATCH', '/profiles/1', {
      preferred_display_name: 'Lei',
      home_address: { street_name: 'Elm', postal_code: '1' },
    });
    expect(await changed.json()).toEqual({
      ...profile,
      preferred_display_name: 'Lei',
      home_address: { street_name: 'Elm', postal_code: '1' },
    });
    const refused = await problemOf(
      await send('PATCH', '/profiles/1', { preferredDisplayName: 'Lei', home_address: { streetName: 'Elm' } }),
    );
    expect(refused.errors).toEqual([
      { pointer: '#/preferredDisplayName', detail: 'is not known here' },
      { pointer: '#/home_address/street_name', detail: 'is required' },
      { pointer: '#/home_address/postal_code', detail: 'is required' },
      { pointer: '#/home_address/streetName', detail: 'is not known here' },
    ]);
    expect((await get('/profiles/99999')).status).toBe(404);
    expect((await read<unknown[]>('/profiles')).length).toBeGreaterThan(5);
  });

  test('a download has its bytes and its file name, in UTF-8 if ASCII is not enough', async () => {
    const plain = await get('/files/1/download');
    expect(plain.headers.get('content-disposition')).toBe('attachment; filename="report.csv"');
    expect(plain.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await plain.text()).toMatch(/^month,visits\n/);
    expect((await get('/files/2/download')).headers.get('content-disposition')).toBe(
      `attachment; filename="resume _ ___.txt"; filename*=UTF-8''${encodeURIComponent('résumé – 履歴書.txt')}`,
    );
    expect((await get('/files/3/download')).headers.get('content-disposition')).toBe(
      String.raw`attachment; filename="a \"quoted\"; name.json"`,
    );
    const nameless = await get('/files/4/download');
    expect(nameless.headers.get('content-disposition')).toBe('attachment');
    expect(new Uint8Array(await nameless.arrayBuffer()).subarray(0, 3)).toEqual(new Uint8Array([0, 1, 2]));
    expect((await get('/files/5/download')).status).toBe(404);
    expect(await read('/files')).toMatchObject([{ size: 52 }, {}, {}, { name: null }]);
  });

  test('ten thousand items come in one answer', async () => {
    const items = await read<{ id: number; price: string }[]>('/items');
    expect(items).toHaveLength(10_000);
    expect(items[9_999]).toMatchObject({ id: 10_000, price: expect.stringMatching(/^\d+\.\d\d$/) });
    expect(await read('/items?limit=2')).toEqual(items.slice(0, 2));
    expect(await (await send('PATCH', '/items/7', { quantity: 3 })).json()).toEqual({
      ...items[6],
      quantity: 3,
      updatedAt: expect.any(String),
    });
    expect(
      (await read<{ warehouse: string }[]>('/items?warehouse=Busan')).every(({ warehouse }) => warehouse === 'Busan'),
    ).toBe(true);
  });
});

describe('pages', () => {
  const links = (response: Response): Record<string, string> =>
    Object.fromEntries(
      [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url = '', rel = '']) => [
        rel,
        url,
      ]),
    );

  test('following rel="next" reaches every todo once, and ends', async () => {
    const seen: number[] = [];
    let url: string | undefined = at('/todos?perPage=7&completed=true');
    let total = '';
    while (url !== undefined) {
      const response: Response = await fetch(url);
      for (const { id } of (await response.json()) as { id: number }[]) seen.push(id);
      total = response.headers.get('x-total-count') ?? '';
      url = links(response)['next'];
    }
    expect(seen).toEqual((await read<{ id: number }[]>('/todos?perPage=100&completed=true')).map(({ id }) => id));
    expect(String(seen.length)).toBe(total);
  });

  test('a page in the middle has all four neighbours, and they keep the filter', async () => {
    const found = links(await get('/users?perPage=2&page=3'));
    expect(Object.keys(found)).toEqual(['first', 'prev', 'next', 'last']);
    expect(found['prev']).toBe(at('/users?perPage=2&page=2'));
    expect(links(await get('/users?perPage=2&page=900'))).toEqual({
      first: at('/users?perPage=2&page=1'),
      prev: at('/users?perPage=2&page=5'),
      last: at('/users?perPage=2&page=5'),
    });
  });

  test('a cursor continues after the previous page, even if a post in between was deleted', async () => {
    const first = await read<{ results: Post[]; nextCursor: string }>('/feed?limit=3');
    await send('DELETE', `/posts/${first.results[2]?.id}`);
    const response = await get(`/feed?limit=3&cursor=${first.nextCursor}`);
    const second = (await response.json()) as { results: Post[]; nextCursor: string };
    expect(second.results.map(({ id }) => id)).toEqual(['4', '5', '6']);
    expect(links(response)['next']).toBe(at(`/feed?limit=3&cursor=${second.nextCursor}`));
  });

  test('the last page of a cursor has no next one', async () => {
    const last = await get('/feed?limit=100');
    expect(((await last.json()) as { nextCursor: null }).nextCursor).toBe(null);
    expect(last.headers.get('link')).toBe(null);
    expect((await problemOf(await get('/feed?cursor=forged'))).status).toBe(400);
  });
});

describe('versions', () => {
  test('an answer that the client has is 304 and empty, until the record changes', async () => {
    const etag = (await get('/posts/2')).headers.get('etag') ?? '';
    const same = await get('/posts/2', { 'if-none-match': `"other", W/${etag}` });
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await get('/posts/2', { 'if-none-match': '*' })).status).toBe(304);
    await send('POST', '/posts/2/votes');
    expect((await get('/posts/2', { 'if-none-match': etag })).status).toBe(200);
  });

  test('a write with the right If-Match is carried out; with a wrong one it is answered with 412', async () => {
    const etag = (await get('/posts/6')).headers.get('etag') ?? '';
    const mine = await send('PATCH', '/posts/6', { title: 'Mine' }, { 'if-match': etag });
    expect(mine.status).toBe(200);
    expect(mine.headers.get('etag')).toBe((await get('/posts/6')).headers.get('etag'));
    const theirs = await send('PATCH', '/posts/6', { title: 'Theirs' }, { 'if-match': etag });
    expect((await problemOf(theirs)).status).toBe(412);
    expect((await read<Post>('/posts/6')).title).toBe('Mine');
    expect((await send('PATCH', '/posts/6', { title: 'Any' }, { 'if-match': '*' })).status).toBe(200);
  });

  test('of two writes that expect the same version, one is carried out', async () => {
    const etag = (await get('/todos/3')).headers.get('etag') ?? '';
    const both = await Promise.all(
      ['One', 'Two'].map((title) => send('PATCH', '/todos/3', { title }, { 'if-match': etag })),
    );
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '412']);
  });
});

describe('the same request again', () => {
  test('with an Idempotency-Key, it is carried out once and gets the first answer again', async () => {
    const key = { 'idempotency-key': 'once-1' };
    const all = await Promise.all([1, 2, 3].map(() => send('POST', '/posts', { title: 'Once', authorId: '1' }, key)));
    const bodies = await Promise.all(all.map((response) => response.text()));
    expect(new Set(bodies).size).toBe(1);
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(all.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(2);
    expect(await read<Post[]>('/posts?search=Once')).toHaveLength(1);
  });

  test('a deletion that is repeated with its key is not answered with 404', async () => {
    const post = await created('/posts', { title: 'Going', authorId: '1' });
    const statuses = [];
    for (let time = 0; time < 2; time++)
      statuses.push((await send('DELETE', `/posts/${post.id}`, undefined, { 'idempotency-key': 'gone-1' })).status);
    expect(statuses).toEqual([204, 204]);
  });

  test('a key that was used for something else is refused', async () => {
    const key = { 'idempotency-key': 'other-1' };
    await send('POST', '/todos', { userId: 1, title: 'One' }, key);
    expect((await problemOf(await send('POST', '/todos', { userId: 1, title: 'Two' }, key))).status).toBe(422);
    expect(
      (
        await problemOf(
          await send('POST', '/todos', { userId: 1, title: 'Two' }, { 'idempotency-key': 'x'.repeat(101) }),
        )
      ).status,
    ).toBe(400);
  });

  test('a request that failed may be tried again with its key', async () => {
    const key = { 'idempotency-key': 'again-1' };
    expect((await send('POST', '/todos', { userId: 999_999, title: 'No one' }, key)).status).toBe(422);
    expect((await send('POST', '/todos', { userId: 1, title: 'Someone' }, key)).status).toBe(201);
  });
});

describe('invalid requests', () => {
  test('an invalid body is answered with 422 and the path of each invalid field', async () => {
    const problem = await problemOf(await send('POST', '/posts', { title: ' ', authorId: 1, tagIds: ['1', 'x'] }));
    expect(problem).toMatchObject({ status: 422, title: 'Not valid' });
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['#/title', '#/authorId', '#/tagIds/1']);
  });

  test('a reference to a missing record makes the body invalid', async () => {
    expect(
      (await problemOf(await send('POST', '/posts', { title: 'T', authorId: '999999', tagIds: [] }))).errors,
    ).toEqual([{ pointer: '#/authorId', detail: 'names a user that does not exist' }]);
    expect(
      (await problemOf(await send('POST', '/posts', { title: 'T', authorId: '1', tagIds: ['1', '77'] }))).errors,
    ).toMatchObject([{ pointer: '#/tagIds/1' }]);
    expect((await problemOf(await send('PATCH', '/todos/1', {}))).detail).toBe('The body must change something.');
  });

  test('an unknown parameter is answered with 422 in a read, and ignored in a write', async () => {
    const problem = await problemOf(await get('/todos?limit=5&perPage=5'));
    expect(problem).toMatchObject({ status: 422, errors: [{ pointer: '#/query/limit' }] });
    expect((await get('/todos?session=me&perPage=5')).status).toBe(200);
    expect((await send('POST', '/todos?perPage=5', { userId: 1, title: 'T' })).status).toBe(201);
  });

  test('an invalid query is answered with 422 and the name of the parameter', async () => {
    expect((await problemOf(await get('/posts?perPage=1000&page=zero'))).errors?.map(({ pointer }) => pointer)).toEqual(
      ['#/query/page', '#/query/perPage'],
    );
    expect((await problemOf(await get('/todos?completed=maybe'))).status).toBe(422);
  });

  test.each([
    '/posts/999999',
    '/posts/zero',
    '/posts/-1',
    '/posts/1e3',
    '/users/99999999999999',
    '/comments/999999',
    '/streams/nobody',
    '/price/XXX-USD',
    '/products/btc/ticker',
    '/posts/999999/comments',
    '/users/999999/posts',
  ])('%s is 404', async (path) => {
    expect(await problemOf(await get(path))).toMatchObject({
      status: 404,
      detail: expect.stringMatching(/^There is no/),
    });
  });

  test('an unknown path or method is answered with an error', async () => {
    expect((await problemOf(await get('/nothing'))).status).toBe(404);
    const wrong = await send('PUT', '/posts', { title: 'T' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect((await fetch(`${api.url}/elsewhere`)).status).toBe(404);
  });

  test('a body must be JSON, with the media type of JSON, and not too long', async () => {
    const raw = (body: string, type: string): Promise<Response> =>
      fetch(at('/posts'), { method: 'POST', body, headers: { 'content-type': type } });
    expect((await problemOf(await raw('{"title":', 'application/json'))).status).toBe(400);
    expect((await problemOf(await raw('{}', 'text/plain'))).status).toBe(415);
    expect(
      (await problemOf(await raw(JSON.stringify({ title: 'x'.repeat(200_000) }), 'application/json'))).status,
    ).toBe(413);
    expect(
      (await problemOf(await raw('{"title":"T","authorId":"1","__proto__":{"a":1}}', 'application/json'))).status,
    ).toBe(422);
  });

  test('text that looks like SQL is stored as text', async () => {
    const title = `'); drop table post; --`;
    const post = await created('/posts', { title, authorId: '1' });
    expect((await read<Post>(`/posts/${post.id}`)).title).toBe(title);
    expect(await read<Post[]>(`/posts?search=${encodeURIComponent(title)}`)).toHaveLength(1);
  });

  test('a page on another site may not read answers, and another host name gets no answer', async () => {
    expect((await get('/users/1', { origin: 'https://example.com' })).headers.get('access-control-allow-origin')).toBe(
      null,
    );
    expect(
      (await get('/users/1', { origin: 'http://localhost:5173' })).headers.get('access-control-allow-origin'),
    ).toBe('http://localhost:5173');
    const status = await new Promise((resolve, reject) => {
      httpRequest(at('/users/1'), { headers: { host: 'rebound.example.com' } }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });
});

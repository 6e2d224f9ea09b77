import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './start-api.ts';
import { startTestApi } from './testing.ts';

let api: Api;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A request as a client makes it: `send('PATCH', '/posts/1', { title: 'T' })`. */
async function send<Body = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<Body>> {
  const response = await fetch(`${api.url}/api${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
  };
}

const statusOf = async (method: string, path: string, body?: unknown): Promise<number> =>
  (await send(method, path, body)).status;
const flawsOf = async (method: string, path: string, body: unknown): Promise<readonly string[]> => {
  const answer = await send<{ errors?: { pointer: string }[] }>(method, path, body, { 'x-session': 'me' });
  return answer.status === 422 ? (answer.body.errors ?? []).map(({ pointer }) => pointer) : [String(answer.status)];
};

describe('a missing record', () => {
  test.each([
    ['GET', '/posts/999999', undefined],
    ['PATCH', '/posts/999999', { title: 'T' }],
    ['PUT', '/posts/999999', { title: 'T', authorId: '1' }],
    ['DELETE', '/posts/999999', undefined],
    ['POST', '/posts/999999/votes', undefined],
    ['POST', '/posts/999999/comments', { content: 'C', commenterId: '1' }],
    ['GET', '/posts/999999/comments', undefined],
    ['PUT', '/posts/999999/tags/1', undefined],
    ['GET', '/comments/999999', undefined],
    ['PATCH', '/comments/999999', { content: 'C' }],
    ['DELETE', '/comments/999999', undefined],
    ['GET', '/users/999999', undefined],
    ['GET', '/users/999999/posts', undefined],
    ['GET', '/users/999999/circle', undefined],
    ['PATCH', '/users/999999', { name: 'N' }],
    ['GET', '/todos/999999', undefined],
    ['PATCH', '/todos/999999', { completed: true }],
    ['DELETE', '/todos/999999', undefined],
    ['GET', '/currencies/NONE', undefined],
    ['GET', '/stats/NONE-USD', undefined],
    ['GET', '/price/NONE-USD', undefined],
    ['GET', '/products/NONE-USD/ticker', undefined],
    ['GET', '/products/NONE-USD/book', undefined],
    ['GET', '/products/NONE-USD/book/events', undefined],
    ['GET', '/streams/nobody', undefined],
    ['GET', '/streams/nobody/events', undefined],
    ['GET', '/profiles/999999', undefined],
    ['GET', '/files/999999/download', undefined],
    ['GET', '/items/999999', undefined],
  ])('%s %s is 404, and says what is missing', async (method, path, body) => {
    const answer = await send<{ title: string; detail: string }>(method, path, body);
    expect([answer.status, answer.body.title]).toEqual([404, 'Not found']);
    expect(answer.body.detail).toMatch(/999999|NONE|nobody/);
  });

  test.each([
    '/posts/0',
    '/posts/-1',
    '/posts/1.5',
    '/posts/abc',
    '/posts/99999999999',
    '/price/btc-usd',
    '/currencies/b',
  ])('%s cannot be the address of anything', async (path) => {
    expect(await statusOf('GET', path)).toBe(404);
  });
});

describe('bodies that are not valid', () => {
  test.each<[string, string, unknown, readonly string[]]>([
    ['POST', '/posts', {}, ['#/title', '#/authorId']],
    ['POST', '/posts', { title: '', authorId: '1' }, ['#/title']],
    ['POST', '/posts', { title: 'T', authorId: 1 }, ['#/authorId']],
    ['POST', '/posts', { title: 'T', authorId: '1', tagIds: ['1', 'x'] }, ['#/tagIds/1']],
    ['POST', '/posts', { title: 'T', authorId: '999999' }, ['#/authorId']],
    ['POST', '/posts', { title: 'T', authorId: '1', tagIds: ['1', '999999'] }, ['#/tagIds/1']],
    ['PATCH', '/posts/1', { title: null }, ['#/title']],
    ['PATCH', '/posts/1', { votes: 1000 }, ['#/votes']],
    ['POST', '/posts/1/comments', { content: 'C' }, ['#/commenterId']],
    ['POST', '/posts/1/comments', { content: 'C', commenterId: '999999' }, ['#/commenterId']],
    ['PATCH', '/comments/1', { content: '' }, ['#/content']],
    ['PATCH', '/users/1', { name: 7 }, ['#/name']],
    ['POST', '/todos', { title: 'T', userId: '1' }, ['#/userId']],
    ['POST', '/todos', { title: 'T', userId: 999_999 }, ['#/userId']],
    ['PATCH', '/todos/1', { completed: 'yes' }, ['#/completed']],
    ['PATCH', '/items/1', { quantity: -1 }, ['#/quantity']],
    ['PATCH', '/profiles/1', { preferredDisplayName: 'N' }, ['#/preferredDisplayName']],
    ['PUT', '/simulate', { latency: -1 }, ['#/latency']],
  ])('%s %s with %j says where', async (method, path, body, pointers) => {
    expect(await flawsOf(method, path, body)).toEqual(pointers);
  });

  test('a refused write changes nothing', async () => {
    const before = await send('GET', '/posts?perPage=100');
    await send('POST', '/posts', { title: 'T', authorId: '1', tagIds: ['999999'] });
    await send('PATCH', '/posts/1', { title: 'New', authorId: '999999' });
    const after = await send('GET', '/posts?perPage=100');
    expect(after.body).toEqual(before.body);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });
});

describe('several requests at the same moment', () => {
  test('records that are created at the same time have different ids', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, at) => send<{ id: number }>('POST', '/todos', { userId: 1, title: `T${at}` })),
    );
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(20);
  });

  test('one key that arrives five times at once is carried out once', async () => {
    const before = (await send<{ votes: number }>('GET', '/posts/2')).body.votes;
    const headers = { 'idempotency-key': 'at-once' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send<{ votes: number }>('POST', '/posts/2/votes', undefined, headers)),
    );
    expect(answers.map(({ body }) => body.votes)).toEqual(Array.from({ length: 5 }, () => before + 1));
    expect(answers.filter(({ headers: sent }) => sent.get('idempotency-replayed') === 'true')).toHaveLength(4);
    expect((await send<{ votes: number }>('GET', '/posts/2')).body.votes).toBe(before + 1);
  });

  test.each(['', ' ', 'a b', 'é', 'x'.repeat(101)])('"%s" is not a key', async (key) => {
    // An empty header is none, and é cannot be sent at all.
    const sent = send('POST', '/posts/2/votes', undefined, { 'idempotency-key': key });
    const outcome = await sent.then(
      ({ status }) => status,
      () => 'not sent',
    );
    expect(key.trim() === '' ? [200, 400] : [400, 'not sent']).toContain(outcome);
  });
});

describe('versions', () => {
  test('a list has a version too, which changes with each of its members', async () => {
    const before = await send('GET', '/todos?perPage=5');
    const etag = before.headers.get('etag') ?? '';
    expect(await send('GET', '/todos?perPage=5', undefined, { 'if-none-match': etag })).toMatchObject({
      status: 304,
      body: undefined,
    });
    await send('PATCH', '/todos/3', { title: 'Another' });
    const after = await send('GET', '/todos?perPage=5', undefined, { 'if-none-match': etag });
    expect([after.status, after.headers.get('etag') === etag]).toEqual([200, false]);
  });

  test('data that changes without requests is not cached', async () => {
    for (const path of ['/price/BTC-USD', '/products/BTC-USD/ticker', '/products/BTC-USD/book', '/streams/ann']) {
      const { headers } = await send('GET', path);
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store']);
    }
  });

  test('a deletion can expect a version too', async () => {
    const made = await send<{ id: number }>('POST', '/todos', { userId: 1, title: 'T' });
    const path = `/todos/${made.body.id}`;
    const etag = (await send('GET', path)).headers.get('etag') ?? '';
    await send('PATCH', path, { completed: true });
    expect((await send('DELETE', path, undefined, { 'if-match': etag })).status).toBe(412);
    expect(await statusOf('GET', path)).toBe(200);
    const now = (await send('GET', path)).headers.get('etag') ?? '';
    expect((await send('DELETE', path, undefined, { 'if-match': now })).status).toBe(204);
    expect(await statusOf('GET', path)).toBe(404);
  });
});

describe('related records', () => {
  test('deleting a post deletes its comments', async () => {
    const post = await send<{ id: string }>('POST', '/posts', { title: 'T', authorId: '1' });
    const comment = await send<{ id: string }>('POST', `/posts/${post.body.id}/comments`, {
      content: 'C',
      commenterId: '2',
    });
    expect(await statusOf('DELETE', `/posts/${post.body.id}`)).toBe(204);
    expect(await statusOf('GET', `/comments/${comment.body.id}`)).toBe(404);
  });

  test('the nested and the flat form of a post have the same data', async () => {
    const nested = await send<{ author: { id: string }; comments: { id: string }[]; title: string }>('GET', '/posts/3');
    const flat = await send<{ authorId: string; commentIds?: string[]; title: string }>('GET', '/flat/posts/3');
    expect([flat.body.title, flat.body.authorId]).toEqual([nested.body.title, nested.body.author.id]);
  });

  test('the posts of a user are those that have the user as author', async () => {
    const own = await send<{ id: string }[]>('GET', '/users/2/posts');
    const all = await send<{ id: string; author: { id: string } }[]>('GET', '/posts?perPage=100');
    const ids = all.body.filter(({ author }) => author.id === '2').map(({ id }) => id);
    expect(own.body.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  test('a filter and its opposite together match all records', async () => {
    const total = async (path: string): Promise<number> =>
      Number((await send('GET', path)).headers.get('x-total-count'));
    const done = await total('/todos?completed=true');
    const open = await total('/todos?completed=false');
    expect(done + open).toBe(await total('/todos'));
    expect(Math.min(done, open)).toBeGreaterThan(0);
  });
});

describe('teams', () => {
  test('a team does not become part of itself or of one below it', async () => {
    const circle = await send('PATCH', '/teams/2', { parentId: 8 });
    expect([circle.status, circle.body['detail']]).toEqual([409, 'Team 8 is team 2 or below it.']);
    expect(await statusOf('PATCH', '/teams/2', { parentId: 2 })).toBe(409);
    expect(await flawsOf('PATCH', '/teams/2', { parentId: 999 })).toEqual(['#/parentId']);

    expect((await send('PATCH', '/teams/8', { parentId: 3 })).body).toMatchObject({ id: 8, parentId: 3 });
  });

  test('a user is in a team once, leaves it, and can join again with another role', async () => {
    const { body } = await send<readonly { id: number; teamId: number; userId: number }[]>('GET', '/memberships');
    const { id, teamId, userId } = body[0] ?? { id: 0, teamId: 0, userId: 0 };
    const again = await send('POST', '/memberships', { teamId, userId, role: 'guest' });
    expect([again.status, again.body['detail']]).toEqual([409, `User ${userId} is in team ${teamId} already.`]);
    expect(await statusOf('DELETE', `/memberships/${id}`)).toBe(204);

    const back = await send('POST', '/memberships', { teamId, userId, role: 'guest' });
    expect([back.status, back.body]).toMatchObject([201, { teamId, userId, role: 'guest' }]);
    expect(await flawsOf('POST', '/memberships', { teamId, userId, role: 'owner' })).toEqual(['#/role']);
  });
});

describe('a page of another origin', () => {
  test('may send requests from this machine, and read the headers that it needs', async () => {
    const origin = 'http://localhost:5173';
    const allowed = await send('OPTIONS', '/posts/1', undefined, {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'content-type,if-match',
    });
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    expect(allowed.headers.get('access-control-allow-methods')).toContain('PATCH');
    const read = await send('GET', '/posts/1', undefined, { origin });
    expect(read.headers.get('access-control-expose-headers')).toContain('ETag');
  });

  test.each(['https://elsewhere.example', 'http://localhost.elsewhere.example', 'null'])(
    '%s gets no header that allows it',
    async (origin) => {
      expect((await send('GET', '/posts/1', undefined, { origin })).headers.get('access-control-allow-origin')).toBe(
        null,
      );
    },
  );
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { components } from './components.ts';
import { check } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import type { OpenApiDocument } from './openapi.ts';
import type { Api } from './start-api.ts';
import { startTestApi } from './testing.ts';

let api: Api;
let document: OpenApiDocument;
beforeAll(async () => {
  api = await startTestApi();
  document = (await (await fetch(`${api.url}/openapi.json`)).json()) as OpenApiDocument;
});
afterAll(() => api.close());

interface Documented {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const PROFILE = {
  full_name: 'A',
  preferred_display_name: 'A',
  home_address: { street_name: 'S', postal_code: '1' },
  phone_numbers: [],
  last_seen_at: null,
};

/** What to send for each operation that needs more than its path. */
const BODIES: Readonly<Record<string, unknown>> = {
  'post /posts': { title: 'T', authorId: '1', tagIds: ['1'] },
  'put /posts/{id}': { title: 'T', authorId: '1' },
  'patch /posts/{id}': { title: 'T' },
  'post /posts/{id}/comments': { content: 'C', commenterId: '1' },
  'patch /comments/{id}': { content: 'C' },
  'patch /users/{id}': { name: 'N' },
  'post /todos': { userId: 1, title: 'T' },
  'put /todos/{id}': { userId: 1, title: 'T' },
  'patch /todos/{id}': { completed: true },
  'patch /teams/{id}': { name: 'N' },
  'post /memberships': { teamId: 1, userId: 2, role: 'guest' },
  'patch /memberships/{id}': { role: 'guest' },
  'post /issues': { title: 'T' },
  'patch /issues/{id}': { state: 'done' },
  'post /issues/{id}/comments': { body: 'C' },
  'put /profiles/{id}': PROFILE,
  'patch /profiles/{id}': { full_name: 'B' },
  'patch /items/{id}': { quantity: 1 },
  'put /simulate': {},
};
const PARAMS: Readonly<Record<string, string>> = {
  id: '1',
  tagId: '1',
  username: 'ann',
  productId: 'BTC-USD',
  exchangePair: 'BTC-USD',
};

interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly documented: Documented | undefined;
  readonly response: Response;
}

async function send(
  operation: string,
  { headers = {}, params = {}, body = BODIES[operation] }: { headers?: object; params?: object; body?: unknown } = {},
): Promise<Answered> {
  const [method = '', path = ''] = operation.split(' ');
  const values: Readonly<Record<string, string>> = {
    ...PARAMS,
    ...(path.startsWith('/currencies') && { id: 'BTC' }),
    ...params,
  };
  const abort = new AbortController();
  const response = await fetch(
    `${api.url}/api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')}`,
    {
      method: method.toUpperCase(),
      headers: { 'x-session': 'document', ...(body !== undefined && JSON_TYPE), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: abort.signal,
    },
  );
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const text = type === 'text/event-stream' ? '' : await response.text();
  abort.abort();
  const { responses = {} } = document.paths[path]?.[method] ?? {};
  return {
    status: response.status,
    type,
    text,
    response,
    documented: responses[response.status] ?? responses['default'],
  };
}

function expectAsDocumented({ status, type, text, documented }: Answered): void {
  expect(documented).toBeDefined();
  if (documented?.content === undefined) return expect(text).toBe('');
  const [[name, { schema }] = ['', { schema: {} }]] = Object.entries(documented.content);
  if (name === 'application/octet-stream' || name === 'text/event-stream') return expect([200, 206]).toContain(status);
  expect(type).toBe(name);
  expect(check(schema, JSON.parse(text), components)).toEqual([]);
}

const operations = (): string[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
const deletionsLast = (left: string, right: string): number =>
  Number(left.startsWith('delete')) - Number(right.startsWith('delete')) || right.length - left.length;

test('the document is OpenAPI 3.1, with an id of its own for each operation', () => {
  expect(document.openapi).toBe('3.1.0');
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain('getPostsId');
});

test('every route is in the document, and nothing else', () => {
  expect(operations().toSorted()).toEqual(api.routes.map(({ method, path }) => `${method} ${path}`).toSorted());
  expect(operations().length).toBeGreaterThan(45);
});

test('every referenced schema exists', () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name = '']) => name,
  );
  expect(refs.length).toBeGreaterThan(40);
  for (const name of refs) expect(document.components.schemas).toHaveProperty(name);
});

test('every operation answers as documented for its status', async () => {
  for (const operation of operations().toSorted(deletionsLast)) {
    const answer = await send(operation);
    const own = statusesOf(operation).filter((status) => status.startsWith('2'));
    expect([operation, own]).toEqual([operation, [String(answer.status)]]);
    expectAsDocumented(answer);
  }
});

const statusesOf = (operation: string): string[] => {
  const [method = '', path = ''] = operation.split(' ');
  return Object.keys(document.paths[path]?.[method]?.responses ?? {});
};
const having = (status: string): string[] => operations().filter((operation) => statusesOf(operation).includes(status));

test('every documented 304 happens', async () => {
  for (const operation of having('304')) {
    const gone = ['posts', 'comments', 'todos', 'memberships', 'issues'].some((part) =>
      operation.includes(`/${part}/{id}`),
    );
    const params = gone ? { id: '5' } : {};
    const { response } = await send(operation, { params });
    const again = await send(operation, { params, headers: { 'if-none-match': response.headers.get('etag') } });
    expect([operation, again.status]).toEqual([operation, 304]);
    expectAsDocumented(again);
  }
});

test('every documented 404 happens', async () => {
  expect(having('404').length).toBeGreaterThan(20);
  for (const operation of having('404')) {
    const answer = await send(operation, {
      params: { id: '999999', username: 'nobody', productId: 'NO-USD', exchangePair: 'NO-USD' },
    });
    expect([operation, answer.status]).toEqual([operation, 404]);
    expectAsDocumented(answer);
  }
});

test('every documented 412, 413, 415 and 422 of a body happens', async () => {
  for (const operation of having('412')) {
    const answer = await send(operation, { params: { id: '6' }, headers: { 'if-match': '"other"' } });
    expect([operation, answer.status]).toEqual([operation, 412]);
    expectAsDocumented(answer);
  }
  for (const operation of having('415')) {
    for (const [status, options] of [
      [415, { headers: { 'content-type': 'text/plain' } }],
      [400, { body: '{' }],
      [422, { body: '[]' }],
      [413, { body: JSON.stringify('x'.repeat(100_001)) }],
    ] as const) {
      const answer = await send(operation, { params: { id: '6' }, ...options });
      expect([operation, answer.status]).toEqual([operation, status]);
      expectAsDocumented(answer);
    }
  }
});

test('a simulated failure is as documented under `default`', async () => {
  for (const operation of operations().filter((each) => !each.includes('/simulate') && !each.includes('/health'))) {
    const answer = await send(operation, { headers: { 'x-simulate': 'fail=502' } });
    expect([operation, answer.status]).toEqual([operation, 502]);
    expectAsDocumented(answer);
  }
});

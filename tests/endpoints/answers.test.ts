import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  Collection,
  Controller,
  Entity,
  type Platform,
  platform as realPlatform,
  resource,
  RestEndpoint,
} from '../../src/index.ts';
import { envelope } from '../../src/wire.ts';
import { type Api, json, type Route, startApi } from './api-server.ts';

class Issue extends Entity {
  id = 0;
  subject = '';
  status = 'new';
  updated = 0;
  static override key = 'Issue';
}

const EMPTY: ReturnType<Route> = { status: 204, body: '' };
/** Answers that contain only that the request has succeeded. */
const YES: readonly (readonly [what: string, answer: ReturnType<Route>])[] = [
  ['204', EMPTY],
  ['200 without a body', { body: '' }],
  ['200 without a body, said to be JSON', { headers: { 'Content-Type': 'application/json' }, body: '' }],
  ['null', json(null)],
  ['a number', json(1)],
  ['true', json(true)],
  ['a text', json('OK')],
  ['a text that is not JSON', { headers: { 'Content-Type': 'text/plain' }, body: 'OK' }],
  ['a text that is called JSON', { headers: { 'Content-Type': 'application/json' }, body: 'OK' }],
  ['{ ok: true }', json({ ok: true })],
  ['{ meta }', json({ meta: { took: 5, server: { name: 'x' } } })],
  ['{}', json({})],
];

let api: Api;
let controller: Controller;
let answer: ReturnType<Route>;
let rows: { id: number; subject: string; status: string; updated: number }[];
beforeEach(async () => {
  answer = EMPTY;
  rows = [
    { id: 1, subject: 'One', status: 'new', updated: 1 },
    { id: 2, subject: 'Two', status: 'new', updated: 1 },
  ];
  const change: Route = ({ body }) => {
    Object.assign(rows[0] ?? {}, JSON.parse(body), { updated: 2 });
    return answer;
  };
  api = await startApi({
    'GET /issues': () => json(rows),
    'GET /issues/1': () => json(rows[0]),
    'GET /issues/3': () => json(rows[2]),
    'PUT /issues/1': change,
    'PATCH /issues/1': change,
    'POST /issues/1/close': () => {
      Object.assign(rows[0] ?? {}, { status: 'closed' });
      return answer;
    },
    'GET /redirect': () => ({ status: 302, headers: { Location: '/nowhere' }, body: '' }),
    'POST /issues': ({ body }) => {
      rows.push({ id: 3, status: 'new', updated: 1, ...(JSON.parse(body) as { subject: string }) });
      return answer;
    },
  });
  controller = new Controller();
});
afterEach(async () => {
  controller.dispose();
  await api.close();
});

const asked = (): string[] => api.received.splice(0).map(({ method, url }) => `${method} ${url}`);
const issuesWith = (optimistic: boolean) =>
  // oxlint-disable-line typescript/explicit-function-return-type
  resource({ urlPrefix: api.url, path: '/issues/:id', schema: Issue, optimistic });
const subjects = (list: ReturnType<typeof issuesWith>['getList']): string[] =>
  (controller.getResponse(list).data ?? []).map(({ subject }) => subject);

describe.each([
  ['with a guess', true],
  ['without a guess', false],
])('%s', (_name, optimistic) => {
  test.each(YES)('an update that is answered with %s is stored as it was sent', async (_what, given) => {
    answer = given;
    const issues = issuesWith(optimistic);
    await controller.fetch(issues.getList);
    for (const [change, subject] of [
      [issues.update, 'Put'],
      [issues.partialUpdate, 'Patched'],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const updated = await controller.fetch(change, { id: '1' }, { subject });
      expect(updated).toBe(controller.get(Issue, { id: 1 }));
      expect(updated).toMatchObject({ id: 1, subject, updated: 1 });
    }
    expect(controller.getResponse(issues.getList).expiresAt).toBeLessThan(controller.now());
  });

  test('shown data that an update without a body in its answer may have changed is fetched once', async () => {
    const issues = issuesWith(optimistic);
    await controller.fetch(issues.getList);
    const lists = new Set<readonly Issue[]>();
    const texts = (): string[][] =>
      Array.from(lists, (list) => list.map(({ subject, updated }) => `${subject} ${updated}`));
    controller.watch(issues.getList, (shown) => {
      if ('value' in shown) lists.add(shown.value);
    });
    asked();
    await controller.fetch(issues.update, { id: 1 }, { subject: 'New' });
    await expect.poll(() => texts().at(-1)).toEqual(['New 2', 'Two 1']);
    expect(asked()).toEqual(['PUT /issues/1', 'GET /issues']);
    expect(texts()).toEqual([
      ['One 1', 'Two 1'],
      ['New 1', 'Two 1'],
      ['New 2', 'Two 1'],
    ]);
  });

  test('an update of a record that is not stored stores the fields that were sent', async () => {
    const issues = issuesWith(optimistic);
    expect(await controller.fetch(issues.update, { id: 1 }, { subject: 'New' })).toMatchObject({
      id: 1,
      subject: 'New',
    });
  });

  test.each(YES)('a create that is answered with %s stays until a list brings the record', async (_what, given) => {
    answer = given;
    const issues = issuesWith(optimistic);
    await controller.fetch(issues.getList);
    const created = await controller.fetch(issues.create, { subject: 'Three' });
    expect(created).toBe(controller.getResponse(issues.getList).data?.at(-1));
    expect(created).toMatchObject({ subject: 'Three', id: expect.stringContaining('temp:') as unknown });
    expect(subjects(issues.getList)).toEqual(['One', 'Two', 'Three']);
    asked();
    await controller.fetch(issues.getList);
    expect(controller.getResponse(issues.getList).data?.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(controller.get(Issue, { id: String(created.id) })).toBe(undefined);
    expect(controller.store.stats().rows).toBe(4);
  });

  test('a list that shows a create without a body in its answer is fetched once', async () => {
    const issues = issuesWith(optimistic);
    await controller.fetch(issues.getList);
    controller.watch(issues.getList, () => {});
    asked();
    await controller.fetch(issues.create, { subject: 'Three' });
    await expect.poll(() => controller.getResponse(issues.getList).data?.at(-1)?.id).toBe(3);
    expect(subjects(issues.getList)).toEqual(['One', 'Two', 'Three']);
    expect(asked()).toEqual(['POST /issues', 'GET /issues']);
  });

  test('a record of a create without a body in its answer cannot be changed before a list contains it', async () => {
    const issues = issuesWith(optimistic);
    await controller.fetch(issues.getList);
    const { id } = await controller.fetch(issues.create, { subject: 'Three' });
    asked();
    await expect(controller.fetch(issues.update, { id }, { subject: 'x' })).rejects.toMatchObject({
      code: 'record-never-created',
    });
    expect(asked()).toEqual([]);
    expect(subjects(issues.getList)).toEqual(['One', 'Two', 'Three']);
  });

  test('an empty envelope counts as an answer without a body', async () => {
    const update = new RestEndpoint({
      urlPrefix: api.url,
      path: '/issues/:id',
      method: 'PUT',
      schema: { issue: Issue },
      body: {} as { subject: string } | { issue: { subject: string } },
      ...(optimistic && {
        getOptimisticResponse: (_snap: unknown, { id }: { id: number }, body: object) => ({ issue: { id, ...body } }),
      }),
    });
    for (const given of [EMPTY, json({ ok: true }), json({ issue: null })]) {
      answer = given;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { issue } = await controller.fetch(update, { id: 1 }, { subject: 'New' });
      expect(issue).toBe(controller.get(Issue, { id: 1 }));
      expect(issue).toMatchObject({ id: 1, subject: 'New' });
    }
  });
});

test('a text is not taken as an envelope', async () => {
  const issues = resource({
    urlPrefix: api.url,
    path: '/issues/:id',
    schema: Issue,
    optimistic: true,
    wire: envelope({ one: 'issue' }),
  });
  for (const [, given] of YES) {
    answer = given;
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await controller.fetch(issues.update, { id: 1 }, { subject: 'New' })).toMatchObject({ subject: 'New' });
  }
});

test('the envelope of a request body is removed before its fields are stored', async () => {
  const options = { urlPrefix: api.url, path: '/issues/:id', schema: { issue: Issue }, body: {} as object } as const;
  const update = new RestEndpoint({ ...options, method: 'PATCH' });
  const { issue } = await controller.fetch(update, { id: 1 }, { issue: { subject: 'New' } });
  expect(issue).toMatchObject({ id: 1, subject: 'New' });
});

test('after an action without a body in its answer, its record is stale and stays shown', async () => {
  const issues = issuesWith(false);
  const close = issues.get.extend({ path: '/issues/:id/close', method: 'POST', body: {} as { why: string } });
  await expect(controller.fetch(close, { id: 1 }, { why: 'x' })).rejects.toMatchObject({ code: 'answer-empty' });
  Object.assign(rows[0] ?? {}, { status: 'new' });
  await controller.fetch(issues.get, { id: 1 });
  const statuses: string[] = [];
  controller.watch(issues.get, { id: 1 }, (shown) => {
    if ('value' in shown) statuses.push(shown.value.status);
  });
  asked();
  expect(await controller.fetch(close, { id: 1 }, { why: 'x' })).toMatchObject({ id: 1 });
  await expect.poll(() => statuses.at(-1)).toBe('closed');
  expect(asked()).toEqual(['POST /issues/1/close', 'GET /issues/1']);
  expect(controller.get(Issue, { id: 1 })).not.toHaveProperty('why');
});

test('a mutation without a schema resolves to its answer', async () => {
  for (const [given, value] of [
    [EMPTY, null],
    [json(1), 1],
    [json({ ok: true }), { ok: true }],
  ] as const) {
    answer = given;
    const plain = new RestEndpoint({ urlPrefix: api.url, path: '/issues/:id', method: 'PUT', schema: undefined });
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await controller.fetch(plain, { id: 1 }, {})).toEqual(value);
  }
});

test('process() and validate of an endpoint are for answers that have a body', async () => {
  const issues = issuesWith(true).extend('update', {
    process: (body: { issue: object }) => body.issue,
    validate: {
      '~standard': {
        version: 1,
        vendor: 'x',
        validate: (value: unknown) => (value ? { value } : { issues: [{ message: 'none' }] }),
      },
    },
  });
  expect(await controller.fetch(issues.update, { id: 1 }, { subject: 'New' })).toMatchObject({ subject: 'New' });
});

test('a page of HTML is an error, with any status', async () => {
  const issues = issuesWith(true);
  await controller.fetch(issues.getList);
  for (const status of [200, 500]) {
    answer = { status, headers: { 'Content-Type': 'text/html' }, body: '<!doctype html><p>Sign in' };
    const changed = controller.fetch(issues.update, { id: 1 }, { subject: 'New' });
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(changed).rejects.toMatchObject({ status: status === 200 ? 400 : 500 });
    expect(subjects(issues.getList)).toEqual(['One', 'Two']);
  }
});

test('records in another envelope are an error, and not an empty answer', async () => {
  answer = json({ ticket: { id: 1, subject: 'x' } });
  const update = issuesWith(true).update.extend({ schema: { issue: Issue } });
  await expect(controller.fetch(update, { id: 1 }, { subject: 'New' })).rejects.toMatchObject({
    code: 'input-invalid',
  });
});

test('a list of changes without a body in the answer is stored for each record', async () => {
  const bulk = new RestEndpoint({
    urlPrefix: api.url,
    path: '/issues/1',
    method: 'PATCH',
    schema: [Issue],
    body: [] as object[],
  });
  const changed = await controller.fetch(bulk, [
    { id: 1, subject: 'A' },
    { id: 2, subject: 'B' },
  ]);
  expect(changed.map(({ subject }) => subject)).toEqual(['A', 'B']);
});

test('a collection without a reader is stale after a create without a body in its answer', async () => {
  const all = new Collection([Issue]);
  const list = new RestEndpoint({ urlPrefix: api.url, path: '/issues', schema: all });
  await controller.fetch(list);
  await controller.fetch(list.push, { subject: 'Three' });
  expect(controller.getResponse(list).expiresAt).toBeLessThan(controller.now());
});

describe('a create that is answered with Location', () => {
  const at = (location: string, status = 201): ReturnType<Route> => ({
    status,
    headers: { Location: location },
    body: '',
  });

  test.each([
    ['201', () => at('/issues/3')],
    ['204', () => at(`${api.url}/issues/3`, 204)],
    ['an address beside its own', () => at('issues/3')],
    ['a word', () => ({ ...json({ ok: true }, { Location: '/issues/3' }, 201) })],
  ])('resolves to what is there: %s', async (_what, given) => {
    answer = given();
    const issues = issuesWith(true);
    await controller.fetch(issues.getList);
    asked();
    const headers = { Authorization: 'x' };
    const create = issues.create.extend({ getHeaders: (own: object) => ({ ...own, ...headers }) });
    const created = await controller.fetch(create, { subject: 'Three' });
    expect(created).toMatchObject({ id: 3, subject: 'Three' });
    expect(controller.getResponse(issues.getList).data?.at(-1)).toBe(created);
    expect(asked()).toEqual(['POST /issues', 'GET /issues/3']);
  });

  test.each([
    ['of another origin', () => at('http://elsewhere.test/issues/3')],
    ['where nothing is', () => at('/issues/33')],
    ['that is none', () => at('http://[')],
    ['of the progress of a job', () => at('/issues/3', 202)],
    ['to which it redirects in vain', () => at('/redirect')],
  ])('keeps its temporary pk where it cannot be read: %s', async (_what, given) => {
    answer = given();
    const issues = issuesWith(true);
    await controller.fetch(issues.getList);
    const created = await controller.fetch(issues.create, { subject: 'Three' });
    expect(created).toMatchObject({ id: expect.stringContaining('temp:') as unknown, subject: 'Three' });
  });

  test('is followed if the URL of the endpoint is relative', async () => {
    const sent: string[] = [];
    const platform: Platform = {
      ...realPlatform,
      fetch: async (url, { method, headers }) => {
        sent.push(`${method} ${url} ${Object.keys(headers as object).join()}`);
        if (method === 'GET') return Response.json({ id: 3, subject: 'x' });
        return new Response(null, { status: 201, headers: { Location: '/issues/3?full=1' } });
      },
    };
    const issues = resource({ path: '/issues/:id', schema: Issue, platform });
    expect(await controller.fetch(issues.create, { subject: 'x' })).toMatchObject({ id: 3 });
    expect(sent).toEqual(['POST /issues Content-Type,Accept', 'GET /issues/3?full=1 Accept']);
  });

  test('ends with its request', async () => {
    const aborted = new AbortController();
    const platform: Platform = {
      ...realPlatform,
      fetch: async (_url, { method }) => {
        if (method !== 'GET') return new Response(null, { status: 201, headers: { Location: '/issues/3' } });
        aborted.abort();
        throw new DOMException('aborted', 'AbortError');
      },
    };
    const { create } = resource({ path: '/issues/:id', schema: Issue, platform });
    const created = controller.fetch(create.extend({ signal: aborted.signal }), { subject: 'x' });
    await expect(created).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a guess of some fields', () => {
  class Product extends Entity {
    id = 0;
    price = 0;
    tags: readonly string[] = [];
    name = '';
    static override key = 'Product';
    static override schema = {
      price: (cents: number) => cents / 100,
      tags: (text: string) => text.split(','),
    };
    static override process(product: { name?: string }): object {
      return { ...product, ...(product.name !== undefined && { name: `${product.name}!` }) };
    }
    static override validate(product: { readonly tags?: unknown }): string | undefined {
      return product.tags === undefined ? 'it has no tags' : undefined;
    }
  }
  const platform: Platform = {
    ...realPlatform,
    fetch: (_url, init) => (init.method === 'GET' ? Promise.resolve(Response.json(row)) : new Promise(() => {})),
  };
  const row = { id: 1, price: 1250, tags: 'a,b', name: 'Pen' };
  const products = resource({ path: '/products/:id', schema: Product, optimistic: true, platform });

  test('is made from the stored row and the body, and never from computed values', async () => {
    await controller.fetch(products.get, { id: 1 });
    const before = controller.get(Product, { id: 1 });
    expect(before).toMatchObject({ price: 12.5, tags: ['a', 'b'], name: 'Pen!' });
    void controller.fetch(products.partialUpdate, { id: '1' }, { price: 1300 }).catch(() => {});
    expect(controller.get(Product, { id: 1 })).toEqual(Object.assign(Product.fromJS(before), { price: 13 }));
    void controller.fetch(products.partialUpdate, { id: 1 }, { tags: 'c', name: 'Cap' }).catch(() => {});
    expect(controller.get(Product, { id: 1 })).toMatchObject({ id: 1, price: 13, tags: ['c'], name: 'Cap!' });
  });

  test('finds a record that the arguments identify by another field than the pk', async () => {
    class User extends Entity {
      id = 0;
      login = '';
      name = '';
      static override key = 'User';
      static override indexes = ['login'] as const;
    }
    const users = resource({ path: '/users/:login', schema: User, optimistic: true, platform });
    await controller.setResponse(users.getList, [{ id: 7, login: 'ann', name: 'Ann' }]);
    void controller.fetch(users.partialUpdate, { login: 'ann' }, { name: 'Anna' }).catch(() => {});
    expect(controller.get(User, { id: 7 })).toMatchObject({ id: 7, login: 'ann', name: 'Anna' });
  });
});

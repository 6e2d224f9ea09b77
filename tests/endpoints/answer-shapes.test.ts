import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  platform,
  resource,
  RestEndpoint,
  Union,
  Values,
} from '../../src/index.ts';
import { envelope, type EnvelopeOptions } from '../../src/wire.ts';
import { type Api, json, startApi } from './api-server.ts';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
class Issue extends Entity {
  id = 0;
  subject = '';
  author?: User;
  static override key = 'Issue';
  static override schema = { author: User };
}

const html = '<!doctype html><title>Sign in</title>';
const page = { headers: { 'Content-Type': 'text/html' }, body: html };
const issue = { id: 1, subject: 'A' };

let api: Api;
beforeAll(async () => {
  api = await startApi({
    'GET /enveloped': () => json({ issue }),
    'GET /enveloped-list': () => json({ issues: [issue], total_count: 1 }),
    'GET /list': () => json([issue]),
    'GET /record': () => json(issue),
    'GET /empty': () => ({ status: 204, body: '' }),
    'GET /nested-list': () => json({ data: { items: [issue] } }),
    'GET /null': () => json({ data: null, count: 0 }),
    'GET /number': () => json(7),
    'GET /text': () => json('7'),
    'GET /ok': () => json({ ok: true }),
    'GET /meta': () => json({ meta: { page: 1 } }),
    'GET /html': () => page,
    'GET /html-500': () => ({ ...page, status: 500 }),
    'GET /html-as-json': () => ({ body: html, headers: { 'Content-Type': 'application/json' } }),
    'GET /json-as-text': () => ({ body: JSON.stringify(issue), headers: { 'Content-Type': 'text/plain' } }),
    'GET /author-0': () => json({ ...issue, author: 0 }),
    'GET /author-true': () => json({ ...issue, author: true }),
    'GET /no-id': () => json({ subject: 'A' }),
  });
});
afterAll(() => api.close());

const refusal = async (path: string, schema: unknown, shape?: EnvelopeOptions): Promise<unknown> => {
  const endpoint = new RestEndpoint({
    urlPrefix: api.url,
    path,
    name: 'getIssue',
    schema,
    ...(shape && { wire: envelope(shape) }),
  });
  return new Controller().fetch(endpoint).then(
    () => 'no error',
    (error: Error & { status?: number }) => `${error.status} ${error.message.split(' See docs', 1).join('')}`,
  );
};
const readable = async (path: string, schema: unknown, shape?: EnvelopeOptions): Promise<unknown> =>
  new Controller().fetch(
    new RestEndpoint({ urlPrefix: api.url, path, schema, ...(shape && { wire: envelope(shape) }) }),
  );

describe('a read that is answered without a body', () => {
  const anyIssue = new Union({ issue: Issue }, () => 'issue');
  const found = { process: (value: unknown) => ({ found: value }) };
  const or = (empty: object) => ({ process: (value: unknown) => value ?? empty });
  test.each<[schema: unknown, lines: string, cured: object, empty: unknown]>([
    [
      Issue,
      'schema: { found: Issue as typeof Issue | null }, process: (found) => ({ found })',
      { schema: { found: Issue }, ...found },
      { found: null },
    ],
    [
      anyIssue,
      'schema: { found: Union as typeof Union | null }, process: (found) => ({ found })',
      { schema: { found: anyIssue }, ...found },
      { found: null },
    ],
    [[Issue], 'process: (value) => value ?? []', or([]), []],
    [new Collection([Issue]), 'process: (value) => value ?? []', or([]), []],
    [new Values(Issue), 'process: (value) => value ?? {}', or({}), {}],
    [
      { issues: [Issue], meta: { user: User }, total: 0 },
      'process: (value) => value ?? { issues: [], meta: null, total: null }',
      or({ issues: [], meta: null, total: null }),
      { issues: [], meta: null, total: null },
    ],
  ])('says what to write if there may be nothing: %o', async (schema, lines, cured, empty) => {
    const endpoint = new RestEndpoint({ urlPrefix: api.url, path: '/empty', name: 'getEmpty', schema });
    const error: Promise<unknown> = new Controller().fetch(endpoint);
    await expect(error).rejects.toThrow(`has null. If an empty answer is right, write ${lines}. See `);
    await expect(error).rejects.toMatchObject({ code: 'input-invalid', status: 400 });
    expect(await new Controller().fetch(endpoint.extend(cured))).toEqual(empty);
  });
});

describe('an answer of an unexpected shape is an error with its shape and the code to write', () => {
  const wire = { one: 'issue', many: 'issues' };
  test.each<[string, unknown, EnvelopeOptions | undefined, RegExp]>([
    ['/enveloped', Issue, undefined, /\{ issue \}.*the schema \{ issue: Issue \}/],
    ['/enveloped-list', [Issue], undefined, /issues.*\{ issues: \[Issue\] \}/],
    ['/list', Issue, undefined, /Issue is one record.*has a list.*Use \[Issue\]/],
    ['/number', Issue, undefined, /Issue was expected.*number/],
    ['/number', [Issue], undefined, /number/],
    ['/text', [Issue], undefined, /string|text/],
    ['/ok', Issue, undefined, /\{ ok \}/],
    ['/meta', { issues: [Issue] }, undefined, /meta.*issues/],
    ['/html', Issue, undefined, /read as text.*HTML; the address may be wrong/],
    ['/html-500', Issue, undefined, /^500 /],
    ['/html-as-json', Issue, undefined, /is not JSON, although its Content-Type says so/],
    ['/json-as-text', Issue, undefined, /correct its Content-Type, or set content: 'json'/],
    ['/author-true', Issue, undefined, /author/],
    ['/no-id', Issue, undefined, /\{ subject \}/],
    ['/record', Issue, wire, /\{ id, subject \}. Expected \{ issue \}.*without one: 'issue'/],
    ['/ok', Issue, wire, /\{ ok \}. Expected \{ issue \}/],
    ['/list', [Issue], wire, /a list. Expected \{ issues: \[…\] \}.*without many: 'issues'/],
    ['/enveloped', Issue, { one: 'data' }, /\{ issue \}. Expected \{ data \}. Write envelope\(\{ one: 'issue' \}\)/],
    ['/enveloped-list', [Issue], { many: 'items' }, /Write envelope\(\{ many: 'issues' \}\)/],
    [
      '/nested-list',
      [Issue],
      { many: 'data' },
      /\{ data \}. Expected \{ data: \[…\] \}. Write envelope\(\{ many: 'data.items' \}\)/,
    ],
    [
      '/null',
      [Issue],
      { many: 'data' },
      /has null. If an empty answer is right, write process: \(value\) => value \?\? \[\]/,
    ],
    [
      '/null',
      Issue,
      { one: 'data' },
      /has null. If an empty answer is right, write schema: \{ found: Issue as typeof Issue \| null \}/,
    ],
    [
      '/null',
      { items: [Issue], total: 0 },
      { many: 'data', total: 'count' },
      /has null as items.*or add it in process\(\)/,
    ],
    ['/enveloped-list', [Issue], { many: 'issues', total: 'count' }, /Write envelope\(\{ total: 'total_count' \}\)/],
  ])('%s', async (path, schema, shape, message) => {
    expect(await refusal(path, schema, shape)).toMatch(message);
  });
});

describe('an answer of the shape that the endpoint declares', () => {
  test('is read: in an envelope of the schema, or of the wire', async () => {
    expect(await readable('/enveloped', { issue: Issue })).toEqual({ issue });
    expect(await readable('/enveloped', Issue, { one: 'issue' })).toEqual(issue);
    const counted = { many: 'issues', total: 'total_count' };
    expect(await readable('/enveloped-list', { items: [Issue], total: 0 }, counted)).toEqual({
      items: [issue],
      total: 1,
    });
  });

  test('refers to no record with 0', async () => {
    const read = (await readable('/author-0', Issue)) as Issue;
    expect(read.author instanceof User).toBe(false);
  });
});

describe('a list with one record as the answer to a mutation of one record', () => {
  const answering = (...records: object[]) => ({
    path: '/issues/:id' as const,
    schema: Issue,
    platform: { ...platform, fetch: async () => Response.json(records) },
  });
  const renamed = { id: 1, subject: 'new' };
  const body = { subject: 'new' };

  test.each([
    ['without a wire', answering(renamed)],
    ['with a wire', { ...answering({ id: 1, title: 'new' }), wire: envelope({ names: { subject: 'title' } }) }],
  ])('is that record, %s', async (_wire, options) => {
    const controller = new Controller();
    const issues = resource(options);
    await controller.set(issues.getList.schema, []);
    const edited = await controller.fetch(issues.partialUpdate, { id: 1 }, body);
    expect(edited).toBe(controller.get(Issue, { id: 1 }));
    expect(await controller.fetch(issues.create, body)).toBe(edited);
    expect(await controller.fetch(issues.getList.move, { id: 1 }, body)).toBe(edited);
    expect(controller.get(issues.getList.schema)).toEqual([renamed]);
  });

  test('is the record at the Location of a create', async () => {
    const fetch = async (_url: string, { method }: RequestInit) =>
      method === 'POST'
        ? new Response(null, { status: 201, headers: { Location: '/issues?id=eq.1' } })
        : Response.json([renamed]);
    const { create } = resource({ ...answering(), platform: { ...platform, fetch } });
    expect(await new Controller().fetch(create, body)).toEqual(renamed);
  });

  test('stays a list if a list was sent, for a map, and for a process of the endpoint', async () => {
    const { create, partialUpdate } = resource(answering(renamed));
    const created: unknown = await new Controller().fetch(create, [body]);
    expect(created).toEqual([renamed]);
    const { platform: answers } = answering(renamed);
    const byName = new RestEndpoint({ path: '/', schema: new Collection(new Values(Issue)), platform: answers });
    expect(await new Controller().fetch(byName.assign, { a: body })).toEqual({ 0: renamed });
    const first = partialUpdate.extend({
      process: ([record]: readonly object[]) => ({ ...record, subject: 'first' }),
    });
    expect(await new Controller().fetch(first, { id: 1 }, body)).toEqual({ id: 1, subject: 'first' });
  });

  test('is an error if it has more records, and if it is the answer to a read', async () => {
    const controller = new Controller();
    const two = resource(answering(renamed, issue));
    await expect(controller.fetch(two.partialUpdate, { id: 1 }, body)).rejects.toThrow(/has a list/);
    await expect(controller.fetch(resource(answering(renamed)).get, { id: 1 })).rejects.toThrow(/has a list/);
  });
});

const byKind = new Union({ issue: Issue }, ({ type }: { readonly type: 'issue' }) => type);

describe('the answer of a create in a list', () => {
  const lists = { 'of one class': new Collection([Issue]), 'of a union': new Collection([byKind]) };
  const maps = { 'of one class': new Collection(new Values(Issue)) };
  const created = { ...issue, type: 'issue' };

  /** Creates an issue in an empty list. Returns what the create resolves to or throws, and the list. */
  async function answered(list: Collection, schema: unknown, answer: unknown, isGuessed: boolean): Promise<unknown[]> {
    const controller = new Controller();
    await controller.set(list, {}, list.isMap ? {} : []);
    const create = new Endpoint(async (_body: object): Promise<unknown> => answer, {
      name: 'create',
      schema,
      sideEffect: true,
      ...(isGuessed && { getOptimisticResponse: (_: unknown, body: object) => body }),
    });
    const made: unknown = await controller
      .fetch(create, { subject: 'A', type: 'issue' })
      .catch((error: unknown) => error);
    return [made, controller.get(list, {})];
  }

  for (const [kind, list] of Object.entries(lists))
    for (const isGuessed of [false, true])
      test(`${kind} is an error if an object around the record comes in its place (guessed: ${isGuessed})`, async () => {
        const [made, shown] = await answered(list, list.push, { data: created }, isGuessed);
        expect(made).toMatchObject({ code: 'input-invalid', status: 400, message: expect.stringContaining('in data') });
        expect(shown).toEqual([]);
      });

  test('of a union may be of a class that is not known, and then is stored as it came', async () => {
    const other = { type: 'question', about: issue };
    const list = lists['of a union'];
    expect(await answered(list, list.push, other, false)).toEqual([other, [other]]);
  });

  test('may have other fields around records only in a map', async () => {
    const map = maps['of one class'];
    expect(await answered(map, map.assign, { data: issue }, false)).toEqual([{ data: issue }, { data: issue }]);
  });
});

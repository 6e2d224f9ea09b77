import { describe, expect, test } from 'vitest';
import { Controller } from '../../control/controller/controller.ts';
import { platform as realPlatform } from '../../std/platform.ts';
import { RestEndpoint } from '../rest/rest-endpoint.ts';
import { resource } from '../rest/resource.ts';
import { Entity } from '../schema/entity.ts';
import { schema } from '../schema/namespace.ts';
import { envelope } from './envelope.ts';
import { hal } from './hal.ts';
import { jsonApi } from './json-api.ts';
import { odata } from './odata.ts';
import { rails } from './rails.ts';

class Person extends Entity {
  id = 0;
  name = '';
  static override key = 'Person';
}
class Label extends Entity {
  name = '';
  static override key = 'Label';
  override pk() {
    return this.name;
  }
}
class Issue extends Entity {
  id = 0;
  subject = '';
  author?: Person;
  labels: Label[] = [];
  extra?: { readonly id: number };
  static override key = 'Issue';
  static override schema = { author: Person, labels: [Label] };
}

/** A platform whose fetch answers everything with one value, and what it was sent. */
function answering(answer: unknown, headers: Readonly<Record<string, string>> = {}, status = 200) {
  const sent: { url: string; body: unknown; headers: Headers }[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
    sent.push({ url: String(url), body, headers: new Headers(init.headers) });
    const text = answer === undefined ? null : JSON.stringify(answer);
    return new Response(text, { status, headers: { 'Content-Type': 'application/json', ...headers } });
  };
  return { sent, options: { urlPrefix: 'https://api.example', platform: { ...realPlatform, fetch } } };
}
const path = '/issues/:id';
const body: object = {};
const issue = { id: 1, subject: 'A' };

describe('an answer in an envelope', () => {
  test('returns its content: one record, or those of a list', async () => {
    const wire = envelope({ one: 'issue', many: 'issues' });
    const one = resource({ ...answering({ issue }).options, path, schema: Issue, wire });
    expect(await one.get({ id: 1 })).toEqual(issue);
    const many = resource({ ...answering({ issues: [issue], offset: 0 }).options, path, schema: Issue, wire });
    expect(await many.getList()).toEqual([issue]);
  });

  test('has a body that is sent as a form if its wire writes a form', async () => {
    const { sent, options } = answering(issue);
    const wire = { ...envelope({}), write: (fields: object) => new URLSearchParams(Object.entries(fields)) };
    const { partialUpdate } = resource({ ...options, path, schema: Issue, wire, optimistic: true });
    await partialUpdate({ id: 1 }, { subject: 'B & C' });
    expect(String(sent[0]?.body)).toBe('subject=B+%26+C');
    // `fetch` sets the type of a form.
    expect(sent[0]?.headers.has('content-type')).toBe(false);
  });

  test('is sent in the same form, in an envelope within another', async () => {
    const { sent, options } = answering({ data: { item: issue } });
    const wire = envelope({ one: 'data.item' });
    const endpoints = resource({ ...options, path, schema: Issue, wire });
    await endpoints.update({ id: 1 }, { subject: 'B' });
    expect(sent[0]?.body).toEqual({ data: { item: { subject: 'B' } } });
  });

  test('that is empty differs from a missing one', async () => {
    const wire = envelope({ one: 'issue', many: 'issues' });
    const none = resource({ ...answering({ issue: null, issues: null }).options, path, schema: Issue, wire });
    const controller = new Controller();
    await expect(controller.fetch(none.get, { id: 1 })).rejects.toThrow(
      'has null. If an empty answer is right, write schema: { found: Issue as typeof Issue | null }, process: (found) => ({ found }).',
    );
    await expect(controller.fetch(none.getList)).rejects.toThrow(
      'has null. If an empty answer is right, write process: (value) => value ?? [].',
    );
    const found = none.get.extend({ schema: { found: Issue }, process: (value: unknown) => ({ found: value }) });
    expect(await controller.fetch(found, { id: 1 })).toEqual({ found: null });
    const list = none.getList.extend({ process: (value: unknown) => value ?? [] });
    expect(await controller.fetch(list)).toEqual([]);
    const missing = resource({ ...answering({ page: null }).options, path, schema: Issue, wire });
    await expect(missing.get({ id: 1 })).rejects.toThrow('was answered with { page: null }. Expected { issue }.');
    await expect(missing.getList()).rejects.toThrow('was answered with { page: null }. Expected { issues: […] }.');
  });

  test('may be nested, or have a name with a dot', async () => {
    const wire = envelope({ one: 'data.item', many: 'my.list' });
    const one = resource({ ...answering({ data: { item: issue } }).options, path, schema: Issue, wire });
    expect(await one.get({ id: 1 })).toEqual(issue);
    const many = resource({ ...answering({ 'my.list': [issue] }).options, path, schema: Issue, wire });
    expect(await many.getList()).toEqual([issue]);
  });

  test('is not a list for an endpoint of lists of any form', async () => {
    const wire = envelope({ many: 'issues', total: 'total' });
    const { options } = answering({ issues: [issue], total: 7 });
    const page = { items: [issue], total: 7 };
    for (const form of [[Issue], new schema.Array(Issue), { items: [Issue], total: 0 }])
      expect(await new RestEndpoint({ ...options, path: '/issues', schema: form, wire })()).toEqual(page);
  });

  test('may be used by lists only', async () => {
    const bare = resource({ ...answering(issue).options, path, schema: Issue, wire: envelope({ many: 'issues' }) });
    expect(await bare.get({ id: 1 })).toEqual(issue);
  });

  test('without content has no record', async () => {
    const { options } = answering(undefined, {}, 204);
    const { update } = resource({ ...options, path, schema: Issue, wire: envelope({ one: 'issue' }) });
    expect(await update({ id: 1 }, { subject: 'B' })).toBe(null);
  });
});

describe('a page', () => {
  const at = (answer: unknown, wire: ReturnType<typeof envelope>, headers = {}) =>
    resource({ ...answering(answer, headers).options, path, schema: Issue, wire }).getList();

  test('has the total, in a field or a header', async () => {
    const wire = envelope({ many: 'issues', total: 'meta.total' });
    expect(await at({ issues: [issue], meta: { total: '7' } }, wire)).toEqual({ items: [issue], total: 7 });
    const counted = envelope({ total: { header: 'X-Total-Count' } });
    expect(await at([issue], counted, { 'X-Total-Count': '9' })).toEqual({ items: [issue], total: 9 });
    const ranged = envelope({ total: { header: 'Content-Range' } });
    expect(await at([issue], ranged, { 'Content-Range': 'items 0-0/57' })).toEqual({ items: [issue], total: 57 });
    await expect(at([issue], ranged, { 'Content-Range': '0-0/*' })).rejects.toThrow(
      "The header Content-Range is '0-0/*', which has no total. Ask the server to count, or write envelope() without total.",
    );
  });

  test('has the next cursor, until there is none', async () => {
    const wire = envelope({ many: 'issues', next: 'links.next' });
    expect(await at({ issues: [], links: { next: 5 } }, wire)).toEqual({ items: [], next: '5' });
    expect(await at({ issues: [], links: { next: null } }, wire)).toEqual({ items: [] });
  });

  test('has the next cursor of a header', async () => {
    const wire = envelope({ next: { header: 'X-Next-Page' } });
    expect(await at([issue], wire, { 'X-Next-Page': '2' })).toEqual({ items: [issue], next: '2' });
    for (const last of [{}, { 'X-Next-Page': '' }]) expect(await at([], wire, last)).toEqual({ items: [] });
  });

  test('has the next cursor, or the whole address, of a Link header', async () => {
    const link =
      '<https://api.test/issues?page=1>; rel="first", <https://api.test/issues?page=3&per_page=5>; rel="next"';
    const address = envelope({ next: { header: 'Link' } });
    const next = 'https://api.test/issues?page=3&per_page=5';
    expect(await at([issue], address, { Link: link })).toEqual({ items: [issue], next });
    const wire = envelope({ next: { header: 'Link', param: 'page' } });
    expect(await at([issue], wire, { Link: link })).toEqual({ items: [issue], next: '3' });
    for (const last of [{}, { Link: '<https://api.test/issues?page=1>; rel="first"' }])
      expect(await at([issue], wire, last)).toEqual({ items: [issue] });
  });

  test('has the next cursor of an address in a field', async () => {
    const wire = envelope({ many: 'results', next: { field: 'links.next', param: 'page[after]' } });
    const answer = { results: [issue], links: { next: '/issues?page%5Bafter%5D=a%2Fb&x=1#top' } };
    expect(await at(answer, wire)).toEqual({ items: [issue], next: 'a/b' });
    expect(await at({ results: [], links: { next: null } }, wire)).toEqual({ items: [] });
    expect(await at({ results: [], links: { next: '/issues' } }, wire)).toEqual({ items: [] });
    const object = { results: [issue], links: { next: { href: '/issues?page[after]=b' } } };
    expect(await at(object, wire)).toEqual({ items: [issue], next: 'b' });
  });

  test('without them is an error that names the option to write', async () => {
    const wire = envelope({ many: 'issues', total: 'total' });
    await expect(at({ issues: [], count: 7 }, wire)).rejects.toMatchObject({
      code: 'input-invalid',
      status: 400,
      message: expect.stringContaining(
        "GET Issue.getList was answered with { issues, count }. It has no number in total. Write envelope({ total: 'count' }).",
      ),
    });
    await expect(at({ issues: [], total: '' }, wire)).rejects.toThrow('Write envelope() without total.');
    await expect(at([], envelope({ total: 'total' }))).rejects.toThrow(
      'was answered with a list. It has no number in total.',
    );
    const counted = envelope({ total: { header: 'X-Total-Count' } });
    await expect(at([], counted)).rejects.toThrow('The header X-Total-Count has no total');
  });
});

describe('an answer without the envelope', () => {
  const wire = envelope({ one: 'issue', many: 'issues' });
  const at = (answer: unknown) => resource({ ...answering(answer).options, path, schema: Issue, wire });

  test.each<[unknown, string]>([
    [issue, "{ id, subject }. Expected { issue }. It is the record itself: write envelope() without one: 'issue'."],
    [{ data: issue }, "{ data }. Expected { issue }. Write envelope({ one: 'data' })."],
    [{ ok: true }, '{ ok }. Expected { issue }. Name in one the field that has the record.'],
    ['OK', 'the text "OK". Expected { issue }. Name in one the field that has the record.'],
    [5, '5. Expected { issue }. Name in one the field that has the record.'],
    [{ issu: { issue } }, "{ issu }. Expected { issue }. Write envelope({ one: 'issu' })."],
  ])('is an error of a read of one record: %j', async (answer, message) => {
    await expect(at(answer).get({ id: 1 })).rejects.toThrow(`GET Issue.get was answered with ${message}`);
  });

  test.each<[unknown, string]>([
    [[issue], "a list. Expected { issues: […] }. It is the list itself: write envelope() without many: 'issues'."],
    [{ data: [issue] }, "{ data }. Expected { issues: […] }. Write envelope({ many: 'data' })."],
    [{ issues: {} }, '{ issues }. Expected { issues: […] }. Name in many the field that has the list.'],
    [7, '7. Expected { issues: […] }. Name in many the field that has the list.'],
  ])('is an error of a read of a list: %j', async (answer, message) => {
    await expect(at(answer).getList()).rejects.toThrow(`GET Issue.getList was answered with ${message}`);
  });

  test('is an error of a read of a list without an envelope, if it is not a list', async () => {
    const bare = resource({ ...answering({ issues: [] }).options, path, schema: Issue, wire: envelope({}) });
    await expect(bare.getList()).rejects.toThrow("{ issues }. Expected a list. Write envelope({ many: 'issues' }).");
  });

  test.each([[{ ok: true }], [{ meta: {} }], [1], ['OK'], [true]])(
    'to a change, such as %j, has no record',
    async (answer) => {
      expect(await at(answer).update({ id: 1 }, { subject: 'B' })).toBe(null);
    },
  );

  test('to a mutation may be the record itself, or a list of records', async () => {
    expect(await at(issue).update({ id: 1 }, { subject: 'B' })).toEqual(issue);
    expect(await at(issue).create({ subject: 'B' })).toEqual(issue);
    expect(await at([issue]).create([{ subject: 'B' }])).toEqual([issue]);
    expect(await at({ issues: [issue] }).create([{ subject: 'B' }])).toEqual([issue]);
  });

  test('to a mutation may be a list in its envelope, also if single records have none', async () => {
    const names = { subject: 'title' };
    const answer = { data: [{ id: 1, title: 'A' }] };
    const made = (given: ReturnType<typeof envelope>, data: unknown = answer) =>
      resource({ ...answering(data).options, path, schema: Issue, wire: given });
    const listed = envelope({ many: 'data', names });
    expect(await made(listed).create([{ subject: 'A' }])).toEqual([issue]);
    expect(await made(listed).create({ subject: 'A' })).toEqual(issue);
    expect(await made(listed).update({ id: 1 }, { subject: 'A' })).toEqual(issue);
    expect(await made(listed, { data: { id: 1, title: 'A' } }).create({ subject: 'A' })).toEqual(issue);
    expect(await made(listed, { id: 1, title: 'A', data: [] }).create({ subject: 'A' })).toEqual({
      ...issue,
      data: [],
    });
    const both = envelope({ one: 'issue', many: 'data', names });
    expect(await made(both, { id: 1, title: 'A', data: [] }).create({ subject: 'A' })).toEqual({ ...issue, data: [] });
    const { options } = answering({ data: [1], count: 1 });
    const count = new RestEndpoint({ ...options, path: '/x', method: 'POST', schema: undefined, wire: listed });
    expect(await count({})).toEqual({ data: [1], count: 1 });
  });

  test('has no record for an endpoint whose schema has none, or whose pk() fails without the fields of a record', async () => {
    class Strict extends Entity {
      owner = { id: 0 };
      static override key = 'Strict';
      override pk() {
        return this.owner.id;
      }
    }
    const { options } = answering({ ok: true });
    const plain = new RestEndpoint({ ...options, path: '/x', method: 'POST', schema: undefined, wire });
    expect(await plain({})).toBe(null);
    const strict = new RestEndpoint({ ...options, path: '/x', method: 'POST', schema: { strict: Strict }, wire });
    expect(await strict({})).toBe(null);
    const bare = new RestEndpoint({ ...options, path: '/x', method: 'POST', schema: Strict, wire });
    expect(await bare({})).toBe(null);
  });
});

describe('a body', () => {
  const sentBy = async (
    wire: ReturnType<typeof envelope>,
    send: (issues: ReturnType<typeof made>) => Promise<unknown>,
  ): Promise<unknown> => {
    const { sent, options } = answering(undefined, {}, 204);
    await send(made(options, wire));
    return sent[0]?.body;
  };
  const made = (options: ReturnType<typeof answering>['options'], wire: ReturnType<typeof envelope>) =>
    resource({ ...options, path, schema: Issue, wire, body });

  test('is put into its envelope, and several into that of a list', async () => {
    const wire = envelope({ one: 'issue', many: 'issues' });
    expect(await sentBy(wire, ({ update }) => update({ id: 1 }, { subject: 'B' }))).toEqual({
      issue: { subject: 'B' },
    });
    expect(await sentBy(wire, ({ create }) => create([{ subject: 'B' }]))).toEqual({ issues: [{ subject: 'B' }] });
    expect(await sentBy(envelope({}), ({ create }) => create({ subject: 'B' }))).toEqual({ subject: 'B' });
  });

  test('of several records is a list, if that of one record has no envelope', async () => {
    const wire = envelope({ many: 'data', total: 'total' }) as ReturnType<typeof envelope>;
    expect(await sentBy(wire, ({ create }) => create([{ subject: 'B' }]))).toEqual([{ subject: 'B' }]);
    expect(await sentBy(wire, ({ create }) => create({ subject: 'B' }))).toEqual({ subject: 'B' });
  });

  test('has other names on the wire, in both directions', async () => {
    const wire = envelope({ one: 'issue', names: { subject: 'title' } });
    expect(await sentBy(wire, ({ create }) => create({ subject: 'B' }))).toEqual({ issue: { title: 'B' } });
    const { options } = answering({ issue: { id: 1, title: 'A' } });
    expect(await made(options, wire).get({ id: 1 })).toEqual(issue);
  });

  test('refers to records by their pks, whether it has records, plain objects or pks', async () => {
    const wire = envelope({ write: { author: 'author_id', labels: 'label_ids', extra: 'extra_id' } });
    const sent = async (fields: object) => sentBy(wire, ({ create }) => create(fields));
    const ann = Person.fromJS({ id: 3, name: 'Ann' });
    expect(await sent({ author: ann })).toEqual({ author_id: 3 });
    expect(await sent({ author: 4, subject: 'B' })).toEqual({ author_id: 4, subject: 'B' });
    expect(await sent({ author: null })).toEqual({ author_id: null });
    expect(await sent({ author: undefined })).toEqual({});
    expect(await sent({ labels: [Label.fromJS({ name: 'bug' }), 'new'] })).toEqual({ label_ids: ['bug', 'new'] });
    expect(await sent({ extra: { id: 9 } })).toEqual({ extra_id: 9 });
  });

  test('with a reference to no record is an error that names the field', async () => {
    const wire = envelope({ write: { author: 'author_id' } });
    const message =
      'The body of POST Issue.create has { name } as author, which identifies no record. Pass a record with its pk, or the pk.';
    await expect(sentBy(wire, ({ create }) => create({ author: { name: 'x' } }))).rejects.toMatchObject({
      code: 'body-invalid',
      path: 'author',
      message: expect.stringContaining(message),
    });
    for (const id of ['', null, undefined])
      await expect(sentBy(wire, ({ create }) => create({ author: { id } }))).rejects.toThrow('identifies no record');
  });

  test('that is a form stays one', async () => {
    const form = new FormData();
    expect(await sentBy(envelope({ one: 'issue' }), ({ update }) => update({ id: 1 }, form))).toBe(form);
  });

  test('is guessed without write-only fields', () => {
    const wire = envelope({ one: 'issue', write: { author: 'author_id' }, writeOnly: { notes: '' } });
    const { update } = resource({ path, schema: Issue, wire, optimistic: true });
    const snapshot = new Controller().snapshot();
    expect(update.getOptimisticResponse?.(snapshot, { id: 1 }, { author: 3, notes: 'Done' })).toEqual({
      id: 1,
      author: 3,
    });
  });
});

describe('an error of a server', () => {
  const refusal = async (answer: unknown, wire: ReturnType<typeof envelope>) => {
    const { options } = answering(answer, {}, 422);
    const issues = resource({ ...options, path, schema: Issue, wire, body });
    return issues.update({ id: 1 }, {}).catch((error: unknown) => error);
  };

  test('names fields as the class does', async () => {
    const wire = envelope({ one: 'issue', names: { subject: 'title' }, write: { author: 'author_id' } });
    const errors = { title: ['is blank'], author_id: ['is unknown'], 'issue.labels': ['are too many'] };
    expect(await refusal({ errors }, wire)).toMatchObject({
      message: 'title: is blank; author_id: is unknown; issue.labels: are too many',
      fieldErrors: { subject: ['is blank'], author: ['is unknown'], labels: ['are too many'] },
    });
    expect(await refusal({ errors: { base: ['No.'], x: ['is bad'] } }, envelope({}))).toMatchObject({
      fieldErrors: { x: ['is bad'] },
    });
  });

  test('is found by the option: a text, a list, or an object', async () => {
    const wire = envelope({ errors: 'fault.why' });
    expect(await refusal({ fault: { why: 'Not today' } }, wire)).toMatchObject({ message: 'Not today' });
    expect(await refusal({ fault: { why: ['One', 'Two'] } }, wire)).toMatchObject({ message: 'One; Two' });
    expect(await refusal({ fault: { why: { x: ['is bad'] } } }, wire)).toMatchObject({
      fieldErrors: { x: ['is bad'] },
    });
    expect(await refusal({ message: 'Elsewhere' }, wire)).toMatchObject({ message: 'Elsewhere' });
    expect(await refusal(['One', 'Two'], envelope({}))).toMatchObject({ message: 'One; Two' });
  });

  test('is not a page of HTML', async () => {
    const platform = { ...realPlatform, fetch: async () => new Response('<h1>Server Error</h1>', { status: 500 }) };
    const { get } = resource({ urlPrefix: 'https://api.example', platform, path, schema: Issue, wire: envelope({}) });
    await expect(get({ id: 1 })).rejects.toMatchObject({ message: 'https://api.example/issues/1: 500' });
  });
});

test('the fields that a wire names as references are fields of the record', () => {
  const options = { path, schema: Issue } as const;
  const named = resource({
    ...options,
    wire: envelope({ one: 'issue', write: { author: 'author_id', labels: 'label_ids' } }),
  });
  expect(named.update.wire).toBeDefined();
  // @ts-expect-error -- there is no such field
  resource({ ...options, wire: envelope({ one: 'issue', write: { authr: 'author_id' } }) });
  // @ts-expect-error -- nor on another kind of server
  resource({ ...options, wire: rails('issue', { write: { label: 'label_ids' } }) });
  // @ts-expect-error -- nor among those of it
  resource({ ...options, wire: jsonApi('issues', { relations: { author: 'people', tag: 'tags' } }) });
  // @ts-expect-error -- nor as a link
  resource({ ...options, wire: hal({ many: 'issues', links: { authors: '/people' } }) });
  // @ts-expect-error -- nor as a binding
  resource({ ...options, wire: odata({ bind: { writer: 'People' } }) });
});

import { describe, expect, test } from 'vitest';
import { type Answered, callWith, type Exchange, type Version } from '../endpoint/exchange.ts';
import { type Platform, platform as realPlatform } from '../../std/platform.ts';
import { httpCaching, type HttpCachingOptions } from './caching.ts';
import { NetworkError } from './network-error.ts';
import { RestEndpoint } from './rest-endpoint.ts';

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A server that answers every request in the same way, and the exchange of one request. */
function scene(
  respond: (sent: Sent) => Response,
  {
    options,
    versions = {},
    record,
  }: {
    options?: HttpCachingOptions;
    versions?: Readonly<Record<string, Partial<Version>>>;
    record?: () => unknown;
  } = {},
) {
  const sent: Sent[] = [];
  const platform: Platform = {
    ...realPlatform,
    fetch: async (url, init) => {
      const { Accept: _accept, ...headers } = init.headers as Record<string, string>;
      const one = { url, headers };
      sent.push(one);
      return respond(one);
    },
  };
  const answered: Answered = {};
  const version = (key: string): Version | undefined =>
    versions[key] && { url: '/todos/1', key, etag: undefined, lastModified: undefined, ...versions[key] };
  const exchange: Exchange = {
    key: 'GET /todos/1',
    session: {},
    signal: new AbortController().signal,
    retry: undefined,
    answered,
    stored: () => version('GET /todos/1'),
    version,
    ...(record && { record }),
    enter: async () => () => {},
  };
  const get = new RestEndpoint({ path: '/todos/:id', platform, caching: httpCaching(options) });
  const put = get.extend({ method: 'PUT' });
  const run = (endpoint: unknown, ...args: readonly unknown[]): Promise<unknown> =>
    callWith(endpoint as typeof get, exchange, args);
  return { sent, answered, exchange, get, put, run, platform };
}

function json(value: unknown, headers: Record<string, string> = {}, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json', ...headers } });
}
const code = (wanted: string): unknown => expect.objectContaining({ code: wanted });
const nothing = (status: number, headers: HeadersInit = {}): Response => new Response(null, { status, headers });

describe('the version of an answer', () => {
  test('is that of ETag and Last-Modified', async () => {
    const { answered, get, run } = scene(() => json({ id: '1' }, { ETag: '"a"', 'Last-Modified': 'yesterday' }));
    expect(await run(get, { id: '1' })).toEqual({ id: '1' });
    expect(answered.version).toEqual({
      url: '/todos/1',
      key: 'GET /todos/1',
      etag: '"a"',
      lastModified: 'yesterday',
    });
  });

  test('is undefined if the server sends none', async () => {
    const { answered, get, run } = scene(() => json({ id: '1' }));
    await run(get, { id: '1' });
    expect(answered.version).toMatchObject({ etag: undefined, lastModified: undefined });
  });

  test('is undefined if a fetch() makes several requests', async () => {
    const { answered, get, run } = scene(({ url }) => json({ url }, { ETag: `"${url}"` }));
    const base = get.fetch;
    const many = get.extend({
      async fetch(this: unknown): Promise<unknown> {
        const each = ['1', '2', '3'].map((id) => Reflect.apply(base, this, [{ id }]) as Promise<unknown>);
        return Promise.all(each);
      },
    });
    await run(many);
    expect(answered.version).toMatchObject({ url: '' });
  });

  test('of a mutation is that of the read at the same address', async () => {
    const { answered, put, run } = scene(() => json({ id: '1' }, { ETag: '"b"', 'Cache-Control': 'max-age=5' }));
    await run(put, { id: '1' }, { title: 'x' });
    expect(answered).toEqual({
      version: { url: '/todos/1', key: 'GET /todos/1', etag: '"b"', lastModified: undefined },
    });
  });
});

describe('a GET whose answer is stored', () => {
  const versions = { 'GET /todos/1': { etag: '"a"', lastModified: 'yesterday' } };

  test('sends its version', async () => {
    const { sent, get, run } = scene(() => json({ id: '1' }), { versions });
    await run(get, { id: '1' });
    expect(sent[0]?.headers).toEqual({ 'If-None-Match': '"a"', 'If-Modified-Since': 'yesterday' });
  });

  test('sends only the headers that are known', async () => {
    const { sent, get, run } = scene(() => json({ id: '1' }), { versions: { 'GET /todos/1': {} } });
    await run(get, { id: '1' });
    expect(sent[0]?.headers).toEqual({});
  });

  test('sends none to another address, if it is turned off, or if the application sets the header', async () => {
    const elsewhere = scene(() => json({ id: '2' }), { versions });
    await elsewhere.run(elsewhere.get, { id: '2' });
    expect(elsewhere.sent[0]?.headers).toEqual({});
    const off = scene(() => json({ id: '1' }), { versions, options: { conditional: false } });
    await off.run(off.get, { id: '1' });
    expect(off.sent[0]?.headers).toEqual({});
    const own = scene(() => json({ id: '1' }), { versions });
    const get = own.get.extend({ requestInit: { headers: { 'if-none-match': '"own"' } } });
    await own.run(get, { id: '1' });
    expect(own.sent[0]?.headers).toEqual({ 'if-none-match': '"own"' });
  });

  test('is unchanged when the server answers 304', async () => {
    const { answered, get, run, exchange } = scene(() => nothing(304), { versions });
    await expect(run(get, { id: '1' })).rejects.toThrow(NetworkError);
    expect(answered).toMatchObject({ isUnchanged: true, version: exchange.stored() });
  });

  test('is unchanged also if a fetchResponse() of the application returns the 304', async () => {
    const { answered, get, run } = scene(() => nothing(304), { versions });
    await expect(run(get.extend({ fetchResponse: async () => nothing(304) }), { id: '1' })).rejects.toThrow(
      NetworkError,
    );
    expect(answered.isUnchanged).toBe(true);
  });

  test('is unchanged also if an error of the application has the status 304, and no headers', async () => {
    const { answered, get, run } = scene(() => nothing(304), { versions, options: { cacheControl: false } });
    await expect(run(get, { id: '1' })).rejects.toThrow(NetworkError);
    const error = Object.assign(new Error('mine'), { status: 304 });
    await expect(run(get.extend({ fetchResponse: () => Promise.reject(error) }), { id: '1' })).rejects.toBe(error);
    expect(answered).toMatchObject({ isUnchanged: true });
  });

  test('fails when the server answers 304 to a request without a version', async () => {
    const { answered, get, run } = scene(() => nothing(304));
    await expect(run(get, { id: '1' })).rejects.toMatchObject({ status: 304, code: 'http-error' });
    expect(answered.isUnchanged).toBeUndefined();
  });
});

describe('a mutation of a record that was read', () => {
  const versions = { 'GET /todos/1': { etag: '"a"' } };

  test('sends the version that it changes', async () => {
    const { sent, put, run } = scene(() => json({ id: '1' }), { versions });
    await run(put, { id: '1' }, { title: 'x' });
    expect(sent[0]?.headers).toEqual({ 'Content-Type': 'application/json', 'If-Match': '"a"' });
  });

  test.each<[string, HttpCachingOptions, Partial<Version>, Record<string, string>]>([
    ['the tag is weak', {}, { etag: 'W/"a"' }, {}],
    ['the version has no tag', {}, { lastModified: 'yesterday' }, {}],
    ['the version is of several requests', {}, { etag: '"a"', url: '' }, {}],
    ['ifMatch is false', { ifMatch: false }, { etag: '"a"' }, {}],
    ['the application sets the header', {}, { etag: '"a"' }, { 'If-Match': '*' }],
  ])('adds no If-Match header if %s', async (_, options, version, headers) => {
    const { sent, put, run } = scene(() => json({ id: '1' }), { options, versions: { 'GET /todos/1': version } });
    await run(put.extend({ requestInit: { headers } }), { id: '1' }, { title: 'x' });
    expect(sent[0]?.headers).toEqual({ 'Content-Type': 'application/json', ...headers });
  });

  test('sends a weak version if ifMatch is weak', async () => {
    const weak = { 'GET /todos/1': { etag: 'W/"a"' } };
    const { sent, put, run } = scene(() => json({ id: '1' }), { options: { ifMatch: 'weak' }, versions: weak });
    await run(put, { id: '1' }, { title: 'x' });
    expect(sent[0]?.headers['If-Match']).toBe('W/"a"');
  });

  test('sends the version that ifMatch returns for the record', async () => {
    const options = { ifMatch: (record: Record<string, string>) => record['@odata.etag'] };
    const known = scene(() => nothing(412), { options, versions, record: () => ({ '@odata.etag': 'W/"7"' }) });
    await expect(known.run(known.put, { id: '1' }, {})).rejects.toThrow(code('version-conflict'));
    expect(known.sent[0]?.headers['If-Match']).toBe('W/"7"');
    const unknown = scene(() => json({}), { options, versions, record: () => undefined });
    await unknown.run(unknown.put, { id: '1' }, {});
    const untold = scene(() => json({}), { options, versions });
    await untold.run(untold.put, { id: '1' }, {});
    const without = scene(() => json({}), { options, versions, record: () => ({}) });
    await without.run(without.put, { id: '1' }, {});
    for (const { sent } of [unknown, untold, without]) expect(sent[0]?.headers).not.toHaveProperty('If-Match');
  });

  test('sends the version of an answer without a body, until the record has another one than before', async () => {
    const options = { ifMatch: (record: Record<string, string>) => record['@odata.etag'] };
    const record = { '@odata.etag': 'W/"1"' };
    let version = 1;
    const { put, run, sent, exchange } = scene(() => nothing(204, { ETag: `W/"${++version}"` }), {
      options,
      record: () => record,
    });
    const tags = (): unknown => sent.map(({ headers }) => headers['If-Match']);
    await run(put, { id: '1' }, {});
    await run(put, { id: '1' }, {});
    await run(put, { id: '2' }, {});
    expect(tags()).toEqual(['W/"1"', 'W/"2"', 'W/"1"']);
    record['@odata.etag'] = 'W/"7"';
    await run(put, { id: '1' }, {});
    expect(tags()).toMatchObject({ 3: 'W/"7"' });
    await callWith(put, { ...exchange, session: {} }, [{ id: '1' }, {}]);
    expect(tags()).toMatchObject({ 4: 'W/"7"' });
  });

  test('fails with a conflict if there is a newer version', async () => {
    const { put, run } = scene(() => nothing(412), { versions });
    const failed = run(put, { id: '1' }, { title: 'x' });
    await expect(failed).rejects.toThrow(NetworkError);
    await expect(failed).rejects.toMatchObject({ code: 'version-conflict', status: 412 });
    await expect(failed).rejects.toThrow('PUT /todos/:id was refused');
  });

  test('keeps a 412 as it is if no version was sent', async () => {
    const { put, run } = scene(() => nothing(412));
    await expect(run(put, { id: '1' }, { title: 'x' })).rejects.toMatchObject({ code: 'http-error', status: 412 });
  });

  test('keeps an error of the application', async () => {
    const error = Object.assign(new Error('mine'), { status: 412 });
    const { put, run } = scene(() => nothing(412), { versions });
    const own = put.extend({ fetchResponse: () => Promise.reject(error) });
    await expect(run(own, { id: '1' }, { title: 'x' })).rejects.toBe(error);
  });
});

describe('Cache-Control', () => {
  test.each<[string, Record<string, string>, Pick<Answered, 'freshFor' | 'isNoStore'>]>([
    ['max-age', { 'Cache-Control': 'public, Max-Age=60' }, { freshFor: 60_000 }],
    ['max-age in quotes', { 'Cache-Control': 'max-age="60"' }, { freshFor: 60_000 }],
    ['max-age less the age', { 'Cache-Control': 'max-age=60', Age: '20' }, { freshFor: 40_000 }],
    ['a max-age of 0', { 'Cache-Control': 'max-age=0, immutable' }, { freshFor: 0 }],
    ['an age over it', { 'Cache-Control': 'max-age=60', Age: '200' }, { freshFor: 0 }],
    ['immutable with max-age', { 'Cache-Control': 'max-age=60, immutable' }, { freshFor: 60_000 }],
    ['immutable', { 'Cache-Control': 'immutable' }, { freshFor: Number.POSITIVE_INFINITY }],
    ['no-cache', { 'Cache-Control': 'no-cache, max-age=60' }, { freshFor: 0 }],
    ['no-store', { 'Cache-Control': 'no-store' }, { freshFor: 0, isNoStore: true }],
    ['a max-age that is not a number', { 'Cache-Control': 'max-age=soon' }, {}],
    ['a max-age below 0', { 'Cache-Control': 'max-age=-1' }, {}],
    ['a max-age without a value', { 'Cache-Control': 'max-age' }, {}],
    ['a max-age with spaces for a value', { 'Cache-Control': 'max-age=" ", public' }, {}],
    ['a header that is too long', { 'Cache-Control': `max-age=60${', x'.repeat(1000)}` }, {}],
    ['nothing', {}, {}],
  ])('decides how long an answer is fresh: %s', async (_, headers, expected) => {
    const { answered, get, run } = scene(() => json({ id: '1' }, headers));
    await run(get, { id: '1' });
    const { version: _version, ...rest } = answered;
    expect(rest).toEqual(expected);
  });

  test('of a 304 decides how long the stored answer is fresh from now on', async () => {
    const versions = { 'GET /todos/1': { etag: '"a"' } };
    const { answered, get, run } = scene(() => nothing(304, { 'Cache-Control': 'max-age=60' }), { versions });
    await expect(run(get, { id: '1' })).rejects.toThrow(NetworkError);
    expect(answered).toMatchObject({ isUnchanged: true, freshFor: 60_000 });
  });

  test('of a failure, or of the answer to a mutation, is ignored', async () => {
    const versions = { 'GET /todos/1': { etag: '"a"' } };
    for (const status of [200, 500]) {
      const { answered, get, put, run } = scene(() => json({}, { 'Cache-Control': 'max-age=60' }, status), {
        versions,
      });
      // oxlint-disable-next-line no-await-in-loop -- one request after another
      await run(status === 500 ? get : put, { id: '1' }, {}).catch(() => undefined);
      expect(answered.freshFor).toBeUndefined();
    }
  });

  test.each([200, 304])('is ignored if it is turned off: %i', async (status) => {
    const respond = (): Response =>
      status === 304
        ? nothing(304, { 'Cache-Control': 'max-age=60' })
        : json({}, { 'Cache-Control': 'max-age=60' }, status);
    const { answered, get, run } = scene(respond, {
      options: { cacheControl: false },
      versions: { 'GET /todos/1': { etag: '"a"' } },
    });
    await run(get, { id: '1' }).catch(() => undefined);
    expect(answered.freshFor).toBeUndefined();
  });
});

test('a call without a controller has no stored answer', async () => {
  const { sent, get } = scene(() => json({ id: '1' }, { ETag: '"a"' }), {
    versions: { 'GET /todos/1': { etag: '"a"' } },
  });
  expect(await get({ id: '1' })).toEqual({ id: '1' });
  expect(sent[0]?.headers).toEqual({});
});

test('a function that is not an endpoint of this library is called as it is', async () => {
  const plain = Object.assign(async (given: number) => given, { key: () => '', testKey: () => true });
  expect(await callWith(plain, {} as Exchange, [5])).toBe(5);
});

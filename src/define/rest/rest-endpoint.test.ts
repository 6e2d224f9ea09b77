/* oxlint-disable typescript/no-unnecessary-type-assertion -- `{} as T` is how an endpoint gets a type */
import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { Post, User } from '../../../tests/model.ts';
import { Controller } from '../../control/controller/controller.ts';
import { NetworkManager } from '../../control/controller/network-manager.ts';
import { type Platform, platform as realPlatform } from '../../std/platform.ts';
import type { StandardSchema } from '../../std/standard-schema.ts';
import { Collection } from '../schema/collection.ts';
import { ObjectSchema } from '../schema/object.ts';
import type { Loose } from '../schema/infer-schema.ts';
import type { RestGenerics } from './infer-args.ts';
import type { ResponseMeta } from './infer-rest-options.ts';
import { parseLossless } from './lossless-json.ts';
import { NetworkError } from './network-error.ts';
import { resource } from './resource.ts';
import { RestEndpoint } from './rest-endpoint.ts';
import { retrying } from './retrying.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
}

/** A network that answers everything, and remembers what it was asked. */
function network(answer: (sent: Sent) => Response | Promise<Response> = () => Response.json({ id: '5' })): {
  readonly platform: Platform;
  readonly sent: Sent[];
} {
  const sent: Sent[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = { url, init } as Sent;
    sent.push(request);
    return answer(request);
  };
  return { platform: { ...realPlatform, fetch }, sent };
}
const accept = { Accept: 'application/json, text/plain;q=0.9, */*;q=0.8' };
const code = (wanted: string): unknown => expect.objectContaining({ code: wanted });

describe('a REST endpoint', () => {
  test('sends a request and resolves to the data of the response', async () => {
    const { platform, sent } = network();
    const getPost = new RestEndpoint({ path: '/posts/:id', urlPrefix: 'https://api.example', schema: Post, platform });
    expect(await getPost({ id: '5' })).toEqual({ id: '5' });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.url).toBe('https://api.example/posts/5');
    expect(sent[0]?.init).toEqual({ method: 'GET', headers: accept, signal: expect.any(AbortSignal) });
  });

  test('sends data as JSON, and everything else in its own form', async () => {
    const { platform, sent } = network();
    const create = new RestEndpoint({ path: '/posts', method: 'POST', platform });
    await create({ title: 'x' });
    await create([1, { a: undefined }]);
    await create(User.fromJS({ id: '1', name: 'y' }));
    const form = new FormData();
    await create(form);
    await create('text');
    await create(new Uint8Array([1]));
    const search = new URLSearchParams('a=1');
    await create(search);
    const others = [new Blob(['x']), new ArrayBuffer(1), new ReadableStream(), Readable.from(['x'])];
    for (const body of others) await create(body);
    expect(sent.splice(7).map(({ init }) => [init.body, init.headers['Content-Type']])).toEqual(
      others.map((body) => [body, undefined]),
    );
    expect(sent.map(({ init }) => [init.body, init.headers['Content-Type']])).toEqual([
      ['{"title":"x"}', 'application/json'],
      ['[1,{}]', 'application/json'],
      ['{"id":"1","name":"y"}', 'application/json'],
      [form, undefined],
      ['text', undefined],
      [new Uint8Array([1]), undefined],
      [search, undefined],
    ]);
  });

  test('refuses a body that is not JSON', async () => {
    const { platform, sent } = network();
    const create = new RestEndpoint({ path: '/posts', method: 'POST', platform });
    await expect(create({ id: 1n })).rejects.toThrow(code('body-invalid'));
    for (const [tags, kind] of [
      [new Map([['a', 1]]), 'a Map'],
      [new Set(['a']), 'a Set'],
      [Promise.resolve(1), 'a Promise'],
      [new File(['x'], 'x.png'), 'a File'],
      [new Blob(['x']), 'a Blob'],
      [new FormData(), 'a FormData'],
      [NaN, 'NaN'],
      [-Infinity, '-Infinity'],
      [new Date(NaN), 'an invalid Date'],
    ] as const)
      // oxlint-disable-next-line no-await-in-loop -- one request after another
      await expect(create({ id: { tags } })).rejects.toThrow(`cannot be JSON: tags is ${kind}.`);
    await expect(create({ due: [new Date(NaN)] })).rejects.toThrow(
      'The body of POST /posts cannot be JSON: 0 is an invalid Date. Pass plain data without circles, numbers and dates that are valid,',
    );
    for (const [body, kind] of [
      [new Map([['a', 1]]), 'a Map'],
      [new Set(['a']), 'a Set'],
      [new Date(NaN), 'an invalid Date'],
    ] as const)
      // oxlint-disable-next-line no-await-in-loop -- one request after another
      await expect(create(body)).rejects.toThrow(`cannot be JSON: it is ${kind}.`);
    expect(sent).toEqual([]);
    class Money {
      readonly cents = 5;
    }
    await create({ bytes: new Uint8Array([1]), price: new Money(), size: Object(5) as unknown, none: null });
    expect(sent[0]?.init.body).toBe('{"bytes":{"0":1},"price":{"cents":5},"size":5,"none":null}');
  });

  test('has a default name, method and side effect', () => {
    const get = new RestEndpoint({ path: '/posts/:id', urlPrefix: '/api' });
    expect([get.name, get.method, get.sideEffect]).toEqual(['/api/posts/:id', 'GET', undefined]);
    const put = new RestEndpoint({ path: '/posts/:id', method: 'PUT', name: 'Post.update' });
    expect([put.name, put.method, put.sideEffect]).toEqual(['Post.update', 'PUT', true]);
    expect(new RestEndpoint({ path: '/posts', sideEffect: true }).method).toBe('POST');
    expect(new RestEndpoint({ path: '/posts', body: {} }).method).toBe('POST');
    expect(new RestEndpoint({ path: '/posts', body: '' }).method).toBe('POST');
    expect(new RestEndpoint({ path: '/posts', body: undefined }).method).toBe('GET');
    expect(new RestEndpoint({ path: '/posts', sideEffect: false }).method).toBe('GET');
    expect(new RestEndpoint({ path: '/search', method: 'POST', sideEffect: undefined }).sideEffect).toBe(undefined);
  });

  test('without a path is an error when it is called', () => {
    const Untyped = RestEndpoint as unknown as new (options: object) => { key(): string };
    expect(() => new Untyped({}).key()).toThrow(
      'A RestEndpoint has no path. Give it the option path, such as /posts/:id.',
    );
    class Own extends Untyped {
      path = '/posts';
    }
    expect(new Own({}).key()).toBe('GET /posts');
  });

  test.each([3, true, { limit: 3 }])(
    'refuses the option retry: %j, also of a resource, of extend() and of a NetworkManager',
    (retry) => {
      const options = { path: '/posts/:id', retry: retry as unknown as false } as const;
      const refusal = expect.objectContaining({
        code: 'retry-invalid',
        message: expect.stringContaining('retrying()'),
      });
      expect(() => new RestEndpoint(options)).toThrow(refusal);
      expect(() => resource({ ...options, schema: Post })).toThrow(refusal);
      expect(() => new RestEndpoint({ path: '/posts' }).extend(options)).toThrow(refusal);
      expect(() => new NetworkManager({ retry: retry as never })).toThrow(refusal);
    },
  );

  test('treats undefined options as if they were not given', () => {
    const loose = { path: '/posts', method: undefined, urlPrefix: undefined, timeout: undefined, retry: undefined };
    const get = new RestEndpoint(loose as unknown as { path: '/posts' });
    expect([get.key(), get.timeout, get.retry]).toEqual(['GET /posts', 30_000, undefined]);
  });

  test('still shows data after an error of the server', () => {
    const get = new RestEndpoint({ path: '/posts' });
    expect(get.errorPolicy?.({ status: 500 })).toBe('soft');
    expect(get.errorPolicy?.({ status: 404 })).toBe(undefined);
    expect(get.errorPolicy?.({ code: 'request-timeout' })).toBe('soft');
    expect(get.errorPolicy?.(new Error('no'))).toBe(undefined);
    expect(get.errorPolicy?.(null)).toBe(undefined);
  });
});

describe('the arguments of a call', () => {
  const update = new RestEndpoint({ path: '/posts/:id', method: 'PUT' });
  const create = new RestEndpoint({ path: '/posts', method: 'POST', searchParams: {} as { draft?: boolean } });

  test('are params and a body, the params in the path or in the query', () => {
    expect(update.key({ id: 1 }, { id: 2 })).toBe('PUT /posts/1');
    expect(create.key({ draft: true }, { title: 'x' })).toBe('POST /posts?draft=true');
  });

  test('are the body alone if there is only one', () => {
    expect(create.key({ title: 'x' })).toBe('POST /posts');
  });

  test('are passed unchanged to an overridden url()', async () => {
    const seen: unknown[][] = [];
    const url = (...args: unknown[]): string => {
      seen.push(args);
      return `/u/${String(args[0])}`;
    };
    const { platform, sent } = network();
    const get = new RestEndpoint({ path: '/u/:id', url, platform }) as (...args: unknown[]) => Promise<unknown>;
    await get('5', 'x');
    await get();
    const put = new RestEndpoint({ path: '/u/:id', method: 'PUT', url, platform }) as typeof get;
    await put(7, { title: 'x' });
    await put({ title: 'y' });
    expect(seen).toEqual([['5', 'x'], [{}], [7, { title: 'x' }], [{}, { title: 'y' }]]);
    expect(sent[0]?.url).toBe('/u/5');
    expect(new RestEndpoint({ path: '/u{/:id}' }).key('5' as never)).toBe('GET /u');
  });

  test('are a body if they are a FormData, also on a platform whose FormData has no toStringTag', async () => {
    class Form {
      parts = ['x'];
    }
    vi.stubGlobal('FormData', Form);
    const { platform, sent } = network();
    const form = new Form();
    await new RestEndpoint({ path: '/posts', method: 'POST', platform })(form);
    const remove = new RestEndpoint({ path: '/posts/:id', method: 'DELETE', platform });
    await (remove as (...all: unknown[]) => Promise<unknown>)({ id: 1 }, form);
    vi.unstubAllGlobals();
    expect(sent.map(({ init }) => [init.body, init.headers['Content-Type']])).toEqual([
      [form, undefined],
      [form, undefined],
    ]);
  });

  test('with HEAD have parameters and no body, as with GET', async () => {
    const { platform, sent } = network();
    const size = new RestEndpoint({ path: '/files/:id', method: 'HEAD', platform });
    await size({ id: 1 });
    expect(sent.map(({ init, url }) => [init.method, url, init.body])).toEqual([['HEAD', '/files/1', undefined]]);
    await expect(
      (size as (params: object, body: FormData) => Promise<unknown>)({ id: 1 }, new FormData()),
    ).rejects.toThrow('but a HEAD has no body');
  });

  test.each([
    ['a form', new FormData()],
    ['a file', new Blob(['x'])],
    ['search parameters', new URLSearchParams('a=1')],
    ['bytes', new Uint8Array([1])],
    ['a buffer', new ArrayBuffer(1)],
    ['a stream', new ReadableStream()],
  ])('with %s are sent with it, where the endpoint says that it has no body', async (_what, body) => {
    const { platform, sent } = network();
    const none = { body: undefined, platform } as const;
    const vote = new RestEndpoint({ ...none, path: '/posts/:id', method: 'POST' }) as (
      ...all: unknown[]
    ) => Promise<unknown>;
    await vote({ id: 1 }, body);
    const upload = new RestEndpoint({ ...none, path: '/posts', method: 'POST' }) as typeof vote;
    await upload(body);
    const remove = new RestEndpoint({ path: '/posts/:id', method: 'DELETE', platform }) as typeof vote;
    await remove({ id: 2 }, body);
    expect(sent.map(({ url, init }) => [init.method, url, init.body])).toEqual([
      ['POST', '/posts/1', body],
      ['POST', '/posts', body],
      ['DELETE', '/posts/2', body],
    ]);
    const get = new RestEndpoint({ path: '/posts', platform }) as typeof vote;
    await expect(get(body)).rejects.toThrow(code('body-unexpected'));
    await expect(get({}, body)).rejects.toThrow(
      `was called with a ${Object.prototype.toString.call(body).slice(8, -1)}, but a GET has no body. Pass search parameters as a plain object`,
    );
    expect(sent).toHaveLength(3);
  });

  test('have a body with DELETE if one is declared', async () => {
    const { platform, sent } = network();
    const some = new RestEndpoint({
      path: '/posts',
      method: 'DELETE',
      body: {} as { ids: readonly number[] },
      platform,
    });
    await some({ ids: [1, 2] });
    const one = new RestEndpoint({ path: '/posts/:id', method: 'DELETE', body: {} as { reason: string }, platform });
    await one({ id: 1 }, { reason: 'old' });
    await one.extend({ method: 'DELETE' })({ id: 2 });
    const put = new RestEndpoint({ path: '/posts/:id', method: 'PUT', body: {} as { title: string }, platform });
    await put.extend({ method: 'DELETE' })({ id: 3 });
    await put.extend({ method: 'DELETE', body: {} as { reason: string } })({ id: 4 }, { reason: 'new' });
    expect(sent.map(({ url, init }) => [init.method, url, init.body])).toEqual([
      ['DELETE', '/posts', '{"ids":[1,2]}'],
      ['DELETE', '/posts/1', '{"reason":"old"}'],
      ['DELETE', '/posts/2', undefined],
      ['DELETE', '/posts/3', undefined],
      ['DELETE', '/posts/4', '{"reason":"new"}'],
    ]);
  });

  test('are params alone if there is no body', () => {
    const list = new RestEndpoint({ path: '/posts', searchParams: {} as { page?: number; tag?: string[] } });
    expect(list.key()).toBe('GET /posts');
    expect(list.key({ page: 2, tag: ['x', 'y'] })).toBe('GET /posts?page=2&tag=x&tag=y');
    expect(list.key({ tag: ['x'] })).toBe('GET /posts?tag=x [tag]');
    expect(list.key({ tag: [] })).toBe('GET /posts [tag]');
    expect(list.testKey(list.key({ tag: [] }))).toBe(true);
    const vote = new RestEndpoint({ path: '/posts/:id/vote', method: 'POST', body: undefined });
    expect(vote.key({ id: 1 })).toBe('POST /posts/1/vote');
    const remove = new RestEndpoint({ path: '/posts/:id', method: 'DELETE' });
    expect(remove.key({ id: 1 })).toBe('DELETE /posts/1');
  });

  test('are passed unchanged to process', async () => {
    const { platform } = network();
    const seen: unknown[] = [];
    const spy = update.extend({
      platform,
      process(...all: unknown[]) {
        seen.push(...all);
      },
    });
    const body = { title: 'x' };
    const params = { id: 1 };
    await spy(params, body);
    expect(seen).toEqual([{ id: '5' }, params, body]);
    expect(seen[1]).toBe(params);
  });

  test('do not change with null for params', () => {
    expect((create.key as (...args: unknown[]) => string)(null, {})).toBe('POST /posts');
    expect((create.url as (...args: unknown[]) => string)()).toBe('/posts');
  });
});

describe('a request key', () => {
  test('belongs to the endpoint if method, prefix and path match', () => {
    const get = new RestEndpoint({
      path: '/posts/:id',
      urlPrefix: 'https://api.example',
      searchParams: {} as { lang?: string },
    });
    expect(get.testKey(get.key({ id: 5, lang: 'en' }))).toBe(true);
    expect(get.testKey(get.key({ id: 'a?b/c' }))).toBe(true);
    expect(get.testKey('GET https://api.example/posts/5')).toBe(true);
    expect(get.testKey('PUT https://api.example/posts/5')).toBe(false);
    expect(get.testKey('GET https://api.example/posts/5/comments')).toBe(false);
    expect(get.testKey('GET https://other.example/posts/5')).toBe(false);
    const search = new RestEndpoint({ path: '/search?q=:q', searchParams: {} as { page?: number } });
    expect(search.testKey(search.key({ q: 'x', page: 2 }))).toBe(true);
  });
});

describe('the request key of a read with a body', () => {
  const search = new RestEndpoint({
    path: '/search/:index',
    method: 'POST',
    sideEffect: undefined,
    body: {} as Readonly<Record<string, unknown>> | FormData | ReadableStream,
    searchParams: {} as { lang?: string } | undefined,
  });

  test('includes the body, whatever the order of its fields', () => {
    expect(search.key({ index: 'a' }, { q: 'x', n: 1 })).toBe('POST /search/a [{"n":1,"q":"x"}]');
    expect(search.key({ index: 'a' }, { n: 1, q: 'x' })).toBe(search.key({ index: 'a' }, { q: 'x', n: 1 }));
    const bodies: unknown[] = [
      {},
      { q: 1 },
      { q: '1' },
      { q: null },
      { q: [1] },
      { q: new Date(0) },
      { q: Number.NaN },
    ];
    expect(
      new Set(bodies.map((body) => search.key({ index: 'a' }, body as Readonly<Record<string, unknown>>))).size,
    ).toBe(bodies.length);
    const reading = search.extend({ sideEffect: false });
    expect(reading.key({ index: 'a' }, { q: 'x' })).not.toBe(reading.key({ index: 'a' }, { q: 'y' }));
  });

  test('belongs to the endpoint, whatever the body', () => {
    for (const q of ['x', '/', '?', ' [', 'a b']) {
      expect(search.testKey(search.key({ index: 'a' }, { q }))).toBe(true);
      expect(search.testKey(search.key({ index: 'a', lang: 'en' }, { q }))).toBe(true);
    }
    expect(search.testKey('POST /search/a/b [{}]')).toBe(false);
  });

  test('distinguishes forms by their content', () => {
    const form = (q: string): FormData => {
      const made = new FormData();
      made.append('q', q);
      return made;
    };
    expect(search.key({ index: 'a' }, form('x'))).toBe(search.key({ index: 'a' }, form('x')));
    expect(search.key({ index: 'a' }, form('x'))).not.toBe(search.key({ index: 'a' }, form('y')));
  });

  test('is an error for a stream, which can be sent only once', () => {
    expect(() => search.key({ index: 'a' }, new ReadableStream())).toThrow(
      expect.objectContaining({
        code: 'args-invalid',
        message: expect.stringContaining('the body of POST /search/:index'),
      }),
    );
  });

  test('of a mutation does not include the body', () => {
    const save = search.extend({ sideEffect: true });
    expect(save.key({ index: 'a' }, new ReadableStream())).toBe('POST /search/a');
  });

  test('separates the answers of different bodies', async () => {
    const controller = new Controller();
    const echo = search.extend({ fetch: async (_params: unknown, body: unknown) => body });
    const asked = ['a', 'b', 'a'].map((q) => controller.fetch(echo, { index: 'a' }, { q }));
    expect(await Promise.all(asked)).toEqual([{ q: 'a' }, { q: 'b' }, { q: 'a' }]);
  });
});

describe('extend', () => {
  const get = new RestEndpoint({ path: '/posts/:id', schema: Post, dataExpiryLength: 5 });

  test('gives another endpoint', () => {
    const list = get.extend({ path: '/posts', schema: [Post] });
    expect(list.key()).toBe('GET /posts');
    expect(list.dataExpiryLength).toBe(5);
    expect(get.key({ id: 1 })).toBe('GET /posts/1');
    expect(list).toBeInstanceOf(RestEndpoint);
  });

  test('decides the side effect again with another method, unless it is given', () => {
    expect(get.extend({ method: 'PUT' }).sideEffect).toBe(true);
    const search = get.extend({ method: 'POST', sideEffect: undefined });
    expect(search.sideEffect).toBe(undefined);
    expect(search.extend({ dataExpiryLength: 1 }).sideEffect).toBe(undefined);
    expect(search.extend({ method: 'PUT' }).sideEffect).toBe(true);
    expect(get.extend({ sideEffect: true }).method).toBe('POST');
  });

  test('overrides fetch, which can call the original one', async () => {
    const { platform } = network();
    const wrapped = get.extend({
      platform,
      async fetch(...args: unknown[]) {
        return { wrapped: await Reflect.apply(get.fetch, this, args) };
      },
    });
    expect(await wrapped({ id: 1 })).toEqual({ wrapped: { id: '5' } });
  });

  test('binds arguments', async () => {
    const { platform, sent } = network();
    const five = get.extend({ platform }).bind(undefined, { id: 5 });
    expect(five.key()).toBe('GET /posts/5');
    await five();
    expect(sent[0]?.url).toBe('/posts/5');
  });
});

describe('a subclass', () => {
  test('overrides any step, and each can call the original one', async () => {
    const steps: string[] = [];
    class Traced<O extends RestGenerics = Loose> extends RestEndpoint<O> {
      override urlPrefix = 'https://api.example';
      override fetch(...args: Loose) {
        steps.push('fetch');
        return super.fetch(...args);
      }
      override url(...args: Loose) {
        steps.push('url');
        return super.url(...args);
      }
      override getRequestInit(body: Loose) {
        steps.push('getRequestInit');
        return super.getRequestInit(body && { wrapped: body });
      }
      override async getHeaders(headers: Record<string, string>) {
        steps.push('getHeaders');
        return { ...headers, 'X-Token': 'secret' };
      }
      override fetchResponse(url: string, init: RequestInit) {
        steps.push('fetchResponse');
        return super.fetchResponse(url, init);
      }
      override async parseResponse(response: Response) {
        steps.push('parseResponse');
        return { results: await super.parseResponse(response) };
      }
      override process(value: Loose) {
        steps.push('process');
        return { ...value, isProcessed: true };
      }
    }
    const { platform, sent } = network();
    const create = new Traced({ path: '/posts', method: 'POST', platform });
    expect(await create({ title: 'x' })).toEqual({ results: { id: '5' }, isProcessed: true });
    expect(steps).toEqual([
      'fetch',
      'url',
      'getRequestInit',
      'getHeaders',
      'fetchResponse',
      'parseResponse',
      'process',
    ]);
    expect(sent[0]?.url).toBe('https://api.example/posts');
    expect(sent[0]?.init.body).toBe('{"wrapped":{"title":"x"}}');
    expect(sent[0]?.init.headers).toEqual({ ...accept, 'Content-Type': 'application/json', 'X-Token': 'secret' });
    expect(create.extend({ path: '/x' })).toBeInstanceOf(Traced);
  });

  test('may set members that have defaults, also with a compiler that assigns fields', () => {
    class Assigned extends RestEndpoint {
      constructor(options: { path: string }) {
        super(options);
        Object.assign(this, { method: 'PATCH', sideEffect: undefined, name: 'assigned', urlPrefix: '/v2' });
      }
    }
    const endpoint = new Assigned({ path: '/posts' });
    expect([endpoint.key(), endpoint.sideEffect, endpoint.name]).toEqual(['PATCH /v2/posts', undefined, 'assigned']);
  });
});

describe('headers and options of a request', () => {
  test('are those of requestInit, and override the defaults', async () => {
    const { platform, sent } = network();
    const base = new RestEndpoint({ path: '/posts', method: 'PATCH', platform });
    const types = [
      { 'content-type': 'application/merge-patch+json' },
      new Headers({ 'Content-Type': 'application/merge-patch+json' }),
      [['Content-type', 'application/merge-patch+json']] as [string, string][],
    ];
    for (const headers of types) await base.extend({ requestInit: { headers, cache: 'no-store' } })({ a: 1 });
    for (const { init } of sent) {
      expect(new Headers(init.headers).get('content-type')).toBe('application/merge-patch+json');
      expect(init.cache).toBe('no-store');
    }
  });

  test('may be a promise, a Headers object or a list', async () => {
    const { platform, sent } = network();
    const base = new RestEndpoint({ path: '/posts', platform });
    await base.extend({ getHeaders: async (headers) => new Headers({ ...headers, 'X-A': '1' }) })();
    await base.extend({ getHeaders: () => [['X-A', '2']] })();
    await base.extend({ getRequestInit: async () => ({ method: 'HEAD' }) })();
    expect(sent.map(({ init }) => init.headers)).toEqual([
      { 'x-a': '1', ...accept },
      { 'X-A': '2', ...accept },
      accept,
    ]);
  });

  test('ask for JSON or else text, unless another content is set', async () => {
    const { platform, sent } = network();
    const base = new RestEndpoint({ path: '/posts', platform });
    await base();
    await base.extend({ content: 'json' })();
    await base.extend({ requestInit: { headers: { accept: 'application/vnd.api+json' } } })();
    await base.extend({ getHeaders: () => ({ ACCEPT: 'text/csv' }) })();
    await base.extend({ schema: undefined, content: 'blob' })();
    expect(sent.map(({ init }) => init.headers)).toEqual([
      accept,
      accept,
      { accept: 'application/vnd.api+json' },
      { ACCEPT: 'text/csv' },
      {},
    ]);
  });

  test('can depend on the parameters and the body', async () => {
    const { platform, sent } = network();
    const calls: unknown[] = [];
    const update = new RestEndpoint({
      path: '/posts/:id',
      method: 'PUT',
      body: {} as { title: string },
      platform,
      getRequestInit(body, { params }) {
        calls.push([body, params]);
        return { method: 'PUT', body: JSON.stringify({ ...body, id: params.id }) };
      },
      getHeaders: (headers, { params, body }) => ({ ...headers, 'X-Post': `${params.id} ${body.title}` }),
    });
    await update({ id: 5 }, { title: 'x' });
    expect(calls).toEqual([[{ title: 'x' }, { id: 5 }]]);
    expect(sent[0]?.init.body).toBe('{"title":"x","id":5}');
    expect(sent[0]?.init.headers['X-Post']).toBe('5 x');
  });

  test.each(['a\r\nX-Evil: 1', 'a\u0000b', '日本'])(
    'with %j in them are an error that names the header, and nothing is sent',
    async (value) => {
      const { platform, sent } = network();
      const get = new RestEndpoint({
        path: '/posts',
        platform,
        retry: retrying(),
        requestInit: { headers: { 'X-A': value } },
      });
      await expect(get()).rejects.toThrow(code('header-invalid'));
      await expect(get()).rejects.toThrow('A header of GET /posts is not valid: "X-A".');
      await expect(get()).rejects.not.toHaveProperty('status');
      expect(sent).toEqual([]);
    },
  );

  test('have an idempotency key if the option is set, the same on every try', async () => {
    const { platform, sent } = network();
    const create = new RestEndpoint({ path: '/posts', method: 'POST', platform, idempotencyKey: true });
    await create({});
    await create({});
    await create.extend({ idempotencyKey: 'fixed' })({});
    await create.extend({ idempotencyKey: () => 'made' })({});
    await create.extend({ idempotencyKey: false })({});
    await create.extend({ requestInit: { headers: { 'idempotency-key': 'own' } } })({});
    await create.extend({ method: 'GET' })();
    const keys = sent.map(({ init }) => new Headers(init.headers).get('idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys.slice(2)).toEqual(['fixed', 'made', null, 'own', null]);
  });
});

describe('the origin to which headers and bodies go', () => {
  const base = new RestEndpoint({ path: '/posts', urlPrefix: 'https://api.example' });
  const away = { url: () => 'https://evil.example/posts' };
  const secret = { requestInit: { headers: { 'X-Api-Key': 'secret' } } };

  test('is that of the prefix, and no other', async () => {
    const { platform, sent } = network();
    await expect(base.extend({ platform, ...away, ...secret })()).rejects.toThrow(code('origin-refused'));
    await expect(base.extend({ platform, ...away, method: 'POST' })({ a: 1 })).rejects.toThrow(code('origin-refused'));
    await expect(base.extend({ platform, url: () => 'https://:', ...secret })()).rejects.toThrow('to no origin');
    expect(sent).toEqual([]);
    await base.extend({ platform, ...secret })();
    expect(sent).toHaveLength(1);
  });

  test('may be any origin that is listed', async () => {
    const { platform, sent } = network();
    const listed = base.extend({ platform, ...away, method: 'POST', origins: ['https://evil.example'] });
    await listed({ a: 1 });
    expect(sent).toHaveLength(1);
    const relative = new RestEndpoint({
      path: '/posts',
      method: 'POST',
      platform,
      ...away,
      origins: ['https://api.example'],
    });
    await expect(relative({ a: 1 })).rejects.toThrow(code('origin-refused'));
  });

  test('may be any for a request without secrets', async () => {
    const { platform, sent } = network();
    await base.extend({ platform, ...away, requestInit: { headers: { Accept: 'text/plain' } } })();
    expect(sent).toHaveLength(1);
  });

  test('is that of the page with a relative prefix, independent of url()', async () => {
    const { platform, sent } = network();
    const unreadable = new RestEndpoint({
      path: '/:',
      platform,
      ...secret,
      ...away,
    }) as unknown as () => Promise<unknown>;
    await expect(unreadable()).rejects.toThrow(code('origin-refused'));
    for (const urlPrefix of ['', '/api']) {
      const relative = new RestEndpoint({ path: '/posts', urlPrefix, platform });
      await expect(relative.extend({ ...away, ...secret })()).rejects.toThrow(code('origin-refused'));
      await expect(relative.extend({ ...away, method: 'POST', body: {} })({ a: 1 })).rejects.toThrow(
        code('origin-refused'),
      );
    }
    expect(sent).toHaveLength(0);
    await new RestEndpoint({ path: '/posts', urlPrefix: '/api', platform, ...secret })();
    await new RestEndpoint({ path: String.raw`https\://evil.example/posts`, platform, ...secret })();
    vi.stubGlobal('location', { origin: 'https://evil.example' });
    await new RestEndpoint({ path: '/posts', platform, ...secret, ...away })();
    vi.unstubAllGlobals();
    expect(sent).toHaveLength(3);
  });

  test('is checked if getRequestInit() omits the method', async () => {
    const { platform, sent } = network();
    await base.extend({ platform, getRequestInit: () => ({ headers: { 'X-Api-Key': 'secret' } }) })();
    expect(sent[0]?.init.redirect).toBe('manual');
  });

  test('does not change by a redirect', async () => {
    const { platform, sent } = network(
      () => new Response(null, { status: 307, headers: { Location: 'https://evil.example' } }),
    );
    const post = base.extend({ platform, method: 'POST' });
    await expect(post({ a: 1 })).rejects.toThrow(code('redirect-refused'));
    expect(sent[0]?.init.redirect).toBe('manual');
    const following = post.extend({ requestInit: { redirect: 'follow' } });
    await expect(following({ a: 1 })).rejects.toThrow(code('origin-refused'));
    expect(sent[1]?.init.redirect).toBe('manual');
    await expect(base.extend({ platform })()).rejects.toMatchObject({ status: 307 });
    expect(sent[2]?.init).not.toHaveProperty('redirect');
    const stream = following.extend({ origins: ['https://evil.example'] }) as (body: object) => Promise<unknown>;
    await expect(stream(new ReadableStream())).rejects.toThrow(code('redirect-refused'));
    await expect(following.extend({ origins: ['https://evil.example'] })({ a: 1 })).rejects.toThrow(
      code('redirect-refused'),
    );
    expect(sent).toHaveLength(24);
  });

  test('is kept by a browser that follows redirects of the page itself', async () => {
    vi.stubGlobal('location', { origin: 'https://api.example' });
    const { platform, sent } = network();
    await base.extend({ platform, method: 'POST', requestInit: { redirect: 'follow' } })({ a: 1 });
    vi.unstubAllGlobals();
    expect(sent[0]?.init).toMatchObject({ redirect: 'follow', mode: 'same-origin' });
  });

  test('is not known in a browser, which only reports that there was a redirect', async () => {
    const opaque = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    const { platform } = network(() => opaque);
    await expect(base.extend({ platform, method: 'POST' })({})).rejects.toThrow(code('redirect-refused'));
  });
});

describe('a response', () => {
  async function read(response: Response, options: object = {}): Promise<unknown> {
    const { platform } = network(() => response);
    return new RestEndpoint({ path: '/posts', platform, ...options })();
  }
  const typed = (body: BodyInit | null, type: string): Response =>
    new Response(body, { headers: { 'Content-Type': type } });

  test('of JSON is data, for any JSON media type', async () => {
    expect(await read(typed('{"a":1}', 'application/json'))).toEqual({ a: 1 });
    expect(await read(typed('[1]', 'application/vnd.api+json; charset=utf-8'))).toEqual([1]);
    expect(await read(typed('', 'application/json'))).toBe(null);
    expect(await read(typed('{"a":1}', 'application/json'), { schema: Post })).toEqual({ a: 1 });
  });

  test('of text is read as it is, also if it is white space', async () => {
    expect(await read(typed(' ', 'text/plain'))).toBe(' ');
    expect(await read(typed('', 'text/plain'))).toBe('');
    expect(await read(typed(' ', 'text/plain'), { schema: Post })).toBe(null);
  });

  test('to a mutation may be a word, but no page of HTML, also after white space', async () => {
    const options = { method: 'PUT', schema: Post };
    expect(await read(typed('OK', 'text/plain'), options)).toBe('OK');
    await expect(read(typed('\n <html> ', 'text/html'), options)).rejects.toThrow('It looks like a page of HTML');
  });

  test('to a mutation may be a word that is called JSON, but no JSON that was cut off', async () => {
    const options = { method: 'DELETE', schema: Post };
    expect(await read(typed('OK', 'application/json'), options)).toBe('OK');
    const unreadable = { code: 'response-unreadable' };
    await expect(read(typed('{"id":"1"', 'application/json'), options)).rejects.toMatchObject(unreadable);
    expect(await read(typed('OK', 'application/json'), { method: 'DELETE' })).toBe('OK');
    await expect(read(typed('OK', 'application/json'), { schema: Post })).rejects.toMatchObject(unreadable);
  });

  test('without a body is null', async () => {
    expect(await read(new Response(null, { status: 204 }))).toBe(null);
    expect(await read(new Response(null), { schema: Post })).toBe(null);
    expect(await read(new Response(null, { status: 204 }), { content: 'blob' })).toBe(null);
    expect(await read(new Response(null, { status: 205, headers: { 'Content-Type': 'text/plain' } }))).toBe(null);
  });

  test.each([
    'text/plain',
    'application/xml',
    'application/atom+xml',
    'a/b+yaml',
    'application/json-seq',
    'application/x-www-form-urlencoded',
    'application/x-javascript',
    'application/x-ndjson',
    'text/csv; charset=x',
    'application/csv',
    'html/text',
    'text/whatever',
    'application/soap+xml',
  ])('of %s is text', async (type) => {
    expect(await read(typed('x', type))).toBe('x');
    expect(await read(typed('x', type), { schema: null })).toBe('x');
    expect(await read(typed('x', type), { schema: '' })).toBe('x');
    expect(await read(typed('x', type), { schema: Post, process: (value: unknown) => ({ value }) })).toEqual({
      value: 'x',
    });
  });

  test.each([
    'image/png',
    'application/octet-stream',
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.ms-excel',
    'font/woff2',
  ])('of %s is a blob', async (type) => {
    const blob = (await read(typed('x', type))) as Blob;
    expect(blob).toBeInstanceOf(Blob);
    expect(await blob.text()).toBe('x');
  });

  test('is read by the option content', async () => {
    expect(await read(typed('{"a":1}', 'text/plain'), { content: 'json', schema: Post })).toEqual({ a: 1 });
    expect(await read(typed('{"a":1}', 'application/json'), { content: 'text' })).toBe('{"a":1}');
    expect(await read(typed('x', 'application/json'), { content: 'blob' })).toBeInstanceOf(Blob);
    expect(await read(typed('x', 'application/json'), { content: 'arrayBuffer' })).toBeInstanceOf(ArrayBuffer);
    expect(await read(typed('x', 'application/json'), { content: 'stream' })).toBeInstanceOf(ReadableStream);
  });

  test('that is not data is an error for an endpoint with a schema', async () => {
    const schema = [Post];
    await expect(read(typed('<html>', 'text/html'), { schema })).rejects.toThrow(
      "must be JSON for its schema, but is read as text (of type 'text/html'). It looks like a page of HTML",
    );
    await expect(read(typed('<a/>', 'application/xml'), { schema })).rejects.toThrow('It looks like XML');
    await expect(read(typed('<html/>', 'application/xhtml+xml'), { schema })).rejects.toThrow('a page of HTML');
    await expect(read(typed('<html/>', 'text/plain'), { schema })).rejects.toThrow('a page of HTML');
    await expect(read(typed(' {"a":1}', 'text/plain'), { schema })).rejects.toThrow("set content: 'json'");
    await expect(read(typed('[1]', ''), { schema })).rejects.toThrow("(of type ''). It looks like JSON");
    await expect(read(typed('hello', 'text/plain'), { schema })).rejects.toThrow(
      "(of type 'text/plain'). Without a schema",
    );
    await expect(read(typed('hello', 'text/plain'), { schema })).rejects.toMatchObject({
      name: 'NetworkError',
      status: 400,
      data: 'hello',
      response: { status: 200 },
    });
    await expect(read(typed('x', 'image/png'), { schema })).rejects.toMatchObject({
      code: 'response-unexpected',
      status: 400,
    });
    for (const content of ['text', 'blob', 'arrayBuffer', 'stream'])
      await expect(read(typed('x', 'application/json'), { schema, content })).rejects.toThrow(
        `is read as ${content} (`,
      );
  });

  test.each<[object, object, string]>([
    [{ issues: [Post] }, { data: [], total: 3 }, 'has data, total, but its schema has issues'],
    [{ post: Post, total: 0 }, { data: {}, total: 3 }, 'has data, total, but its schema has post'],
    [{ posts: new Collection([Post]), next: '' }, { results: [] }, 'has results, but its schema has posts'],
    [new ObjectSchema({ data: { posts: [Post] } }), { posts: [] }, 'has posts, but its schema has data'],
    [{ data: { posts: [Post] } }, { data: { items: [] } }, ', at data, has items, but its schema has posts'],
    [{ posts: [Post] }, { posts: null }, 'has null as posts, but its schema has a list there'],
    [{ posts: new Collection([Post]) }, { posts: null }, 'has null as posts'],
  ])('without any list or record that the schema %o names is an error on reads', async (schema, body, message) => {
    const { platform } = network(() => Response.json(body));
    const get = new RestEndpoint({ path: '/posts', schema, platform });
    await expect(get()).rejects.toThrow(code('input-invalid'));
    await expect(get()).rejects.toThrow(`The response to GET /posts${message.startsWith(',') ? '' : ' '}${message}`);
    expect(await get.extend({ method: 'POST', body: undefined })()).toEqual(body);
  });

  test.each<[object, unknown]>([
    [{ posts: [Post], author: Post }, { author: { id: '1' } }],
    [{ posts: [Post] }, {}],
    [{ post: Post }, { post: null }],
    [{ data: { post: Post } }, { data: null }],
    [{ total: 0, at: Date }, { count: 1 }],
    [[Post], { a: { id: '1' } }],
    [Post, { id: '1' }],
    [{ posts: [Post] }, null],
  ])('with some of the members that the schema %o names is accepted', async (schema, body) => {
    const { platform } = network(() => Response.json(body));
    expect(await new RestEndpoint({ path: '/posts', schema, platform })()).toEqual(body);
  });

  test('that is not JSON although its type says so is an error', async () => {
    await expect(read(typed('{"a":', 'application/json'))).rejects.toMatchObject({
      code: 'response-unreadable',
      status: 400,
      cause: expect.any(SyntaxError),
    });
    await expect(read(typed('x', 'text/plain'), { content: 'json' })).rejects.toThrow('although the endpoint says so');
    await expect(read(typed('x', 'application/json'))).rejects.toThrow('although its Content-Type says so');
  });

  test('keeps integers that a number cannot hold, if parseLossless is used', async () => {
    const response = (): Response => typed('{"id":9007199254740993}', 'application/json');
    expect(await read(response(), { parseJson: parseLossless })).toEqual({ id: '9007199254740993' });
    expect(await read(response())).toEqual({ id: 9007199254740992 });
  });

  test.each<[string, (text: string) => unknown, unknown]>([
    ['has the integers of parseLossless', parseLossless, { id: '9007199254740993' }],
    [
      'is JSON if parseJson throws',
      (text) => (JSON.parse(text) as { rows: string[] }).rows.map(Number),
      { id: 2 ** 53 },
    ],
    ['is JSON if parseJson returns nothing', (text) => (JSON.parse(text) as { data?: object }).data, { id: 2 ** 53 }],
  ])('with a failed status %s', async (_, parse, data) => {
    const { platform } = network(() => new Response('{"id":9007199254740993}', { status: 409 }));
    await expect(new RestEndpoint({ path: '/posts', platform, parseJson: parse })()).rejects.toMatchObject({ data });
  });

  test('is reported to onResponse before it is read, with its headers and times', async () => {
    const metas: ResponseMeta[] = [];
    let time = 100;
    const { platform } = network(() => Response.json({}, { headers: { ETag: '"1"' } }));
    const get = new RestEndpoint({
      path: '/posts',
      platform: { ...platform, now: () => time++ },
      onResponse: (meta) => metas.push(meta),
    });
    await get();
    expect(metas).toEqual([
      { url: '/posts', method: 'GET', status: 200, headers: expect.any(Headers), sentAt: 100, receivedAt: 101 },
    ]);
    expect(metas[0]?.headers.get('etag')).toBe('"1"');
  });
});

describe('an error', () => {
  const failing = (response: Response | Error): ReturnType<typeof network> =>
    network(() => {
      if (response instanceof Error) throw response;
      return response;
    });

  test('is a NetworkError for a status that is not a success', async () => {
    const response = new Response('<p>no such post', { status: 404, statusText: 'Not Found' });
    const { platform } = failing(Object.defineProperty(response, 'url', { value: 'https://api.example/posts' }));
    const error: unknown = await new RestEndpoint({ path: '/posts', platform })().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      name: 'NetworkError',
      code: 'http-error',
      status: 404,
      message: 'https://api.example/posts: Not Found',
      problem: undefined,
    });
    expect(await (error as NetworkError).response.text()).toBe('<p>no such post');
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'NetworkError',
      code: 'http-error',
      status: 404,
      message: 'https://api.example/posts: Not Found',
      url: 'https://api.example/posts',
    });
  });

  test.each([
    ['no such post', 'text/plain', 'no such post'],
    [' Title missing\n', 'text/html; charset=utf-8', 'Title missing'],
    ['"Title missing"', 'application/json', 'Title missing'],
    ['Not Found', 'text/plain', ': Not Found'],
    ['<h1>Oops</h1>', 'text/html', ': Not Found'],
    ['Error: no\n    at read', 'text/plain', ': Not Found'],
    ['x'.repeat(301), 'text/plain', ': Not Found'],
    ['{oops', 'text/plain', ': Not Found'],
    ['', 'text/plain', ': Not Found'],
  ])('has as message the text %j of its body (%s), if it is one short line: %j', async (body, type, message) => {
    const answer = { status: 404, statusText: 'Not Found', headers: { 'Content-Type': type } };
    const { platform } = failing(new Response(body, answer));
    const error: unknown = await new RestEndpoint({ path: '/posts', platform })().catch((reason: unknown) => reason);
    expect((error as Error).message.replace('/posts', '')).toBe(message);
  });

  test('has the body, read once, as data, and the message and field errors in it', async () => {
    const body = { errors: { title: ["can't be blank"] } };
    const { platform } = failing(Response.json(body, { status: 422, statusText: 'Unprocessable Content' }));
    const error = (await new RestEndpoint({ path: '/posts', platform })().catch(
      (reason: unknown) => reason,
    )) as NetworkError;
    expect(error.data).toEqual(body);
    expect(error.message).toBe("title: can't be blank");
    expect(error.fieldErrors).toEqual({ title: ["can't be blank"] });
    expect(JSON.parse(JSON.stringify(error))).toHaveProperty('fieldErrors.title', ["can't be blank"]);
    expect(await error.response.json()).toEqual(body);
  });

  test.each<[string, string, unknown]>([
    ['a page of HTML', 'text/html', '<h1>Oops</h1>'],
    ['JSON of another type', 'text/plain', { message: 'no' }],
    ['a text that begins like JSON', 'text/plain', '{oops'],
    ['JSON that is cut off', 'application/json', '{"a":'],
    ['nothing', 'application/json', undefined],
    ['no text', 'image/png', undefined],
  ])('has %s as its data', async (_what, type, data) => {
    const text = typeof data === 'object' ? JSON.stringify(data) : String(data ?? '');
    const { platform } = failing(new Response(text, { status: 500, headers: { 'Content-Type': type } }));
    await expect(new RestEndpoint({ path: '/posts', platform })()).rejects.toMatchObject({ data, status: 500 });
  });

  test('has no data if the body was read already, or is no text', async () => {
    const used = Response.json({ message: 'no' }, { status: 500 });
    await used.text();
    for (const response of [used, new Response('{"a":1}', { status: 500, headers: { 'Content-Type': 'image/png' } })])
      // oxlint-disable-next-line no-await-in-loop -- one request after another
      await expect(new RestEndpoint({ path: '/posts', platform: failing(response).platform })()).rejects.toMatchObject({
        data: undefined,
        status: 500,
      });
  });

  test('can be made from a response alone, and from a part of one, as in a test', () => {
    expect(new NetworkError(new Response('', { status: 500 })).message).toBe(': 500');
    const part = { status: 404, statusText: 'Not Found', url: 'https://api.example/posts/5' } as Response;
    expect(new NetworkError(part)).toMatchObject({ status: 404, message: 'https://api.example/posts/5: Not Found' });
  });

  test('has the problem details of the server', async () => {
    const problem = { type: 'https://api.example/no-credit', title: 'No credit', status: 403, balance: 30, detail: 5 };
    const response = new Response(JSON.stringify(problem), {
      status: 403,
      headers: { 'Content-Type': 'application/problem+json; charset=utf-8' },
    });
    const { platform } = failing(response);
    const error: unknown = await new RestEndpoint({ path: '/posts', platform })().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 403, message: 'No credit', data: problem });
    // The detail is not a text, so it is none.
    expect((error as NetworkError).problem).toEqual({ ...problem, detail: undefined });
    expect(JSON.parse(JSON.stringify(error))).toHaveProperty('problem.balance', 30);
    expect(await (error as NetworkError).response.json()).toEqual(problem);
  });

  test('has the members of a problem, without those of a wrong type', async () => {
    const body = { title: 5, detail: 'No.', status: '403', instance: 'x', extra: 'y' };
    const headers = { 'Content-Type': 'application/problem+json' };
    const { platform } = failing(Response.json(body, { status: 403, headers }));
    await expect(new RestEndpoint({ path: '/posts', platform })()).rejects.toMatchObject({
      problem: { type: 'about:blank', detail: 'No.', instance: 'x', extra: 'y' },
    });
    const error: unknown = await new RestEndpoint({
      path: '/posts',
      platform: failing(Response.json(body, { status: 403, headers })).platform,
    })().catch((reason: unknown) => reason);
    expect(Object.keys((error as NetworkError).problem as object)).toEqual(['type', 'detail', 'instance', 'extra']);
  });

  test.each(['[]', 'null', '5', '{'])('has no problem in %s', async (body) => {
    const headers = { 'Content-Type': 'application/problem+json' };
    const { platform } = failing(new Response(body, { status: 400, headers }));
    const error: unknown = await new RestEndpoint({ path: '/posts', platform })().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 400, problem: undefined });
  });

  test('has the type about:blank if the problem has no type', async () => {
    const headers = { 'Content-Type': 'application/problem+json' };
    const { platform } = failing(new Response('{"__proto__":{"x":1}}', { status: 400, headers }));
    const error = (await new RestEndpoint({ path: '/posts', platform })().catch(
      (reason: unknown) => reason,
    )) as NetworkError;
    expect(error.problem?.type).toBe('about:blank');
    expect((error.problem as { x?: unknown }).x).toBe(undefined);
  });

  test('has the status 500 if the network is down', async () => {
    const down = new TypeError('fetch failed');
    const { platform } = failing(down);
    await expect(new RestEndpoint({ path: '/posts', platform })()).rejects.toBe(down);
    expect(down).toHaveProperty('status', 500);
    await expect(new RestEndpoint({ path: '/posts', platform })()).rejects.toBe(down);
    const other = new Error('mine');
    await expect(new RestEndpoint({ path: '/posts', platform: failing(other).platform })()).rejects.toBe(other);
    expect(other).not.toHaveProperty('status');
  });

  test('has the status 500 if fetch throws a DOMException because the network is down, and none after an abort', async () => {
    const reasonOf = async (name: string): Promise<unknown> => {
      const down = new DOMException('No answer from https://me:secret@api.test/posts', name);
      const reason = await new RestEndpoint({ path: '/posts', platform: failing(down).platform })().catch(
        (error: unknown) => error,
      );
      expect(reason).toBe(down);
      return reason;
    };
    expect(await reasonOf('NetworkError')).toMatchObject({
      status: 500,
      message: 'No answer from https://api.test/posts',
      stack: undefined,
    });
    expect(await reasonOf('AbortError')).not.toHaveProperty('status');
  });
});

describe('a validator', () => {
  const withId: StandardSchema<unknown, { id: string; isValid: true }> = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) =>
        typeof value === 'object' && value !== null && 'id' in value
          ? { value: { id: String(value.id), isValid: true } }
          : { issues: [{ message: 'an id is required', path: ['id'] }] },
    },
  };

  test('checks the response before process, which gets its output', async () => {
    const { platform } = network();
    const get = new RestEndpoint({
      path: '/posts',
      platform,
      validate: withId,
      process: (value: { isValid: boolean }) => [value.isValid],
    });
    expect(await get()).toEqual([true]);
  });

  test('rejects with the rule and the path that failed', async () => {
    const { platform } = network(() => Response.json({ name: 'x' }));
    const get = new RestEndpoint({ path: '/posts', platform, validate: withId });
    await expect(get()).rejects.toMatchObject({ code: 'validation-failed', path: 'id' });
    await expect(get()).rejects.toThrow('The response to GET /posts was refused at id: an id is required.');
  });
});

describe('a validator of an endpoint with a `fetch` of its own', () => {
  const counted = () => {
    const seen: unknown[] = [];
    const validate: StandardSchema = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) => {
          seen.push(value);
          return value === 'bad' ? { issues: [{ message: 'it is bad' }] } : { value: [value] };
        },
      },
    };
    return { seen, validate };
  };

  test('checks what that returns', async () => {
    const { validate } = counted();
    const get = new RestEndpoint({ path: '/posts' });
    expect(await get.extend({ validate, fetch: async () => 'good' } as never)()).toEqual(['good']);
    const bad = get.extend({ validate, fetch: async () => 'bad' } as never);
    await expect(bad()).rejects.toThrow('What /posts fetched was refused: it is bad.');
    await expect(new Controller().fetch(bad)).rejects.toMatchObject({ code: 'validation-failed' });
  });

  test('does not check a response again that the `fetch` of the class has checked, nor the answer of a mutation without a body', async () => {
    const { seen, validate } = counted();
    const { platform } = network(() => Response.json({ id: '1' }));
    class Api extends RestEndpoint {
      override async fetch(...args: Parameters<RestEndpoint['fetch']>) {
        return [await super.fetch(...args)];
      }
    }
    expect(await new Api({ path: '/posts', platform, validate })()).toEqual([[{ id: '1' }]]);
    expect(seen).toEqual([{ id: '1' }]);
    const change = new RestEndpoint({
      path: '/posts',
      method: 'POST',
      schema: Post,
      validate,
      fetch: async () => null,
    } as never);
    expect(await change()).toBe(null);
    expect(seen).toHaveLength(1);
  });
});

test('an endpoint whose method is not in capital letters is refused', () => {
  const make = () => new RestEndpoint({ path: '/todos', method: 'get' });
  expect(make).toThrow("The method of /todos is 'get', which is not an HTTP method. Write 'GET'.");
  const get = new RestEndpoint({ path: '/todos', name: 'todos' });
  expect(() => get.extend({ method: 5 } as never)).toThrow("The method of todos is '5'");
});

describe('endpoints of a list', () => {
  const posts = new Collection([Post]);
  const list = new RestEndpoint({
    path: '/users/:userId/posts',
    schema: { results: posts, next: '' },
    searchParams: {} as { sort?: string } | undefined,
    paginationField: 'cursor',
    name: 'Post.getList',
  });

  test('create, change and remove, with names, methods and schemas of their own', () => {
    const made = [list.push, list.unshift, list.assign, list.remove, list.move];
    expect(made.map(({ name, method, sideEffect }) => [name, method, sideEffect])).toEqual([
      ['Post.getList.create', 'POST', true],
      ['Post.getList.create', 'POST', true],
      ['Post.getList.create', 'POST', true],
      ['Post.getList.remove', 'PATCH', true],
      ['Post.getList.partialUpdate', 'PATCH', true],
    ]);
    expect(made.map(({ schema }) => schema)).toEqual([
      posts.push,
      posts.unshift,
      posts.assign,
      posts.remove,
      posts.move,
    ]);
    expect(list.push.schema).toBe(posts.push);
    expect(list.push.key({ userId: 1 }, { title: 'x' })).toBe('POST /users/1/posts');
  });

  test('are the same each time', () => {
    expect(list.push).toBe(list.push);
    expect(list.extend({ dataExpiryLength: 1 }).push).not.toBe(list.push);
  });

  test('move at the path of a record, if there is one', () => {
    const moving = list.extend({ movePath: '/posts/:id' });
    expect((moving.move.key as (...args: unknown[]) => string)({ id: 1 }, {})).toBe('PATCH /posts/1');
    expect(list.move.key({ userId: 1 }, {})).toBe('PATCH /users/1/posts');
  });

  test('have a body even if the list declares none', () => {
    const bodiless = list.extend({ body: undefined });
    expect(bodiless.push.key({ userId: 1 } as never, { title: 'x' } as never)).toBe('POST /users/1/posts');
  });

  test('guess created records if the list is optimistic', () => {
    expect(list.push.getOptimisticResponse).toBe(undefined);
    const guessing = list.extend({ optimistic: true });
    const guess = (name: 'push' | 'move', ...args: unknown[]): unknown =>
      Reflect.apply(guessing[name].getOptimisticResponse as never, guessing[name], [{}, ...args]);
    expect(guess('push', { userId: 1 }, { title: 'x' })).toEqual({ userId: 1, title: 'x' });
    expect(guess('push', { userId: 1 }, [{ title: 'x' }, { title: 'y' }])).toEqual([
      { userId: 1, title: 'x' },
      { userId: 1, title: 'y' },
    ]);
    const form = new FormData();
    form.set('title', 'z');
    expect(guess('move', { userId: 1 }, form)).toEqual({ userId: 1, title: 'z' });
    expect(guess('push', 'text')).toEqual({});
    expect(guessing.remove.getOptimisticResponse).toBe(undefined);
    expect(guessing.assign.getOptimisticResponse).toBe(undefined);
  });

  test('store a page under the key of the list', () => {
    const { getPage } = list;
    expect(getPage.key({ userId: 1, cursor: 'abc', sort: 'up' })).toBe(list.key({ userId: 1, sort: 'up' }));
    expect(getPage.url({ userId: 1, cursor: 'abc' })).toBe('/users/1/posts?cursor=abc');
    expect((getPage.schema.results as unknown as Collection).key).toBe(posts.key);
    expect(getPage.schema.next).toBe('');
    const pk = (getPage.schema.results as unknown as Collection).pk([], undefined, undefined, [
      { userId: 1, cursor: 'x' },
    ]);
    expect(pk).toBe(posts.pk([], undefined, undefined, [{ userId: 1 }]));
  });

  test('remove the cursor by a function, too', () => {
    const paged = list.paginated(({ page: _page, ...params }: { userId: number; page: number }) => [params]);
    expect(paged.key({ userId: 1, page: 2 })).toBe(list.key({ userId: 1 }));
    expect((list.paginated('page').key as () => string).bind(list.paginated('page').extend({ path: '/x' }))()).toBe(
      'GET /x',
    );
  });

  test('have no page without a paginationField or a collection', () => {
    const plain = new RestEndpoint({ path: '/posts', schema: [Post] });
    expect(plain.getPage).toBe(undefined);
    expect(plain.push.schema).toBe(undefined);
    expect(() => plain.paginated('page')).toThrow(
      'The schema of /posts has no Collection to which a page could be added. Use one, for example schema: new Collection([Post]).',
    );
  });
});

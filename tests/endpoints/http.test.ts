/* oxlint-disable typescript/no-unnecessary-type-assertion -- `{} as T` is how an endpoint gets a type */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Platform, platform as realPlatform } from '../../src/std/platform.ts';
import { NetworkError } from '../../src/define/rest/network-error.ts';
import { RestEndpoint } from '../../src/define/rest/rest-endpoint.ts';
import { retrying } from '../../src/define/rest/retrying.ts';
import { failuresOf, isRepeatable, retryAfter } from '../../src/define/rest/retryable.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Answer = (request: Received, response: ServerResponse, count: number) => void;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server on this machine that records its requests. */
async function serve(answer: Answer): Promise<{ readonly origin: string; readonly received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      answer(one, response, received.length);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

function json(response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** The real platform with other timers: they run at once if `isDue` returns true, and never otherwise. */
function timeless(isDue: (milliseconds: number) => boolean = () => false): Platform & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    ...realPlatform,
    waits,
    random: () => 1,
    setTimeout: (run, milliseconds) => {
      waits.push(milliseconds);
      if (isDue(milliseconds)) queueMicrotask(run);
      return {};
    },
    clearTimeout: () => {},
  };
}
const code = (wanted: string): unknown => expect.objectContaining({ code: wanted });

describe('a request over HTTP', () => {
  test('arrives with its method, path, query, headers and body', async () => {
    const { origin, received } = await serve((_request, response) => json(response, { id: '5' }));
    const update = new RestEndpoint({
      urlPrefix: origin,
      path: '/posts/:id',
      method: 'PATCH',
      searchParams: {} as { a?: string[] },
    });
    expect(await update({ id: 'ü/..', a: ['x', 'y'] }, { title: '€' })).toEqual({ id: '5' });
    expect(received[0]).toMatchObject({
      method: 'PATCH',
      url: '/posts/%C3%BC%2F..?a=x&a=y',
      body: '{"title":"€"}',
      headers: { 'content-type': 'application/json' },
    });
  });

  test('has no Content-Type and no credentials unless they are set', async () => {
    const { origin, received } = await serve((_request, response) => json(response, {}));
    await new RestEndpoint({ urlPrefix: origin, path: '/posts' })();
    const { headers } = received[0] as Received;
    for (const name of ['content-type', 'cookie', 'authorization', 'x-xsrf-token', 'x-csrf-token']) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  test('is an error with a status where no server listens', async () => {
    const { origin } = await serve(() => {});
    const [server] = servers.splice(0) as [Server];
    await new Promise((resolve) => server.close(resolve));
    await expect(new RestEndpoint({ urlPrefix: origin, path: '/posts' })()).rejects.toMatchObject({ status: 500 });
  });

  test('without an origin is an error that says what to write', async () => {
    const outcome = new RestEndpoint({ path: '/posts' })();
    await expect(outcome).rejects.toMatchObject({ status: 500 });
    await expect(outcome).rejects.toThrow(
      'Failed to parse URL from /posts. Outside of a page an address needs an origin: give the endpoint a urlPrefix',
    );
  });
});

describe('a redirect to another origin', () => {
  test('is refused, and the other origin gets no request', async () => {
    const evil = await serve((_request, response) => json(response, {}));
    const { origin, received } = await serve((_request, response) =>
      response.writeHead(307, { Location: `${evil.origin}/posts` }).end(),
    );
    const base = new RestEndpoint({ urlPrefix: origin, path: '/posts' });
    await expect(base.extend({ method: 'POST' })({ secret: 1 })).rejects.toThrow(code('redirect-refused'));
    const keyed = base.extend({ requestInit: { headers: { 'X-Api-Key': 'secret' } } });
    await expect(keyed()).rejects.toThrow(code('origin-refused'));
    expect(received).toHaveLength(2);
    expect(evil.received).toHaveLength(0);
    expect(await base()).toEqual({});
    expect(evil.received).toHaveLength(1);
  });
});

describe('a redirect that the endpoint follows', () => {
  const redirecting = async (status: number, to: (origin: string) => string) => {
    const server = await serve(({ url }, response) => {
      if (url === '/end') return json(response, { isThere: true });
      response.writeHead(status, { Location: to(server.origin) }).end();
    });
    const base = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/posts',
      method: 'POST',
      requestInit: { redirect: 'follow' },
    });
    return { ...server, base };
  };

  test.each([
    [307, 'POST', '{"a":1}'],
    [308, 'POST', '{"a":1}'],
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
  ])('%d stays on its origin, as a fetch would send it', async (status, method, body) => {
    const { base, received } = await redirecting(status, () => '/end');
    expect(await base({ a: 1 })).toEqual({ isThere: true });
    expect(received[1]).toMatchObject({ method, body });
    expect(received[1]?.headers['content-type']).toBe(method === 'GET' ? undefined : 'application/json');
    const put = base.extend({ method: 'PUT' });
    await put({ a: 1 });
    expect(received[3]?.method).toBe(status === 303 ? 'GET' : 'PUT');
  });

  test('does not take the body to another origin, except to one that is listed', async () => {
    const other = await serve((_request, response) => json(response, { isOther: true }));
    const { base } = await redirecting(307, () => `${other.origin}/posts`);
    await expect(base({ secret: 1 })).rejects.toThrow(code('origin-refused'));
    const keyed = base.extend({
      method: 'GET',
      requestInit: { redirect: 'follow', headers: { 'X-Api-Key': 'secret' } },
    });
    await expect((keyed as () => Promise<unknown>)()).rejects.toThrow(code('origin-refused'));
    expect(other.received).toHaveLength(0);
    expect(await base.extend({ origins: [other.origin] })({ secret: 1 })).toEqual({ isOther: true });
  });

  test('ends in an error if it leads in a circle', async () => {
    const { base } = await redirecting(307, () => '/posts');
    await expect(base({})).rejects.toThrow(code('redirect-refused'));
  });

  test('is an ordinary answer if it has no Location', async () => {
    const { origin } = await serve((_request, response) => response.writeHead(204).end());
    const base = new RestEndpoint({ urlPrefix: origin, path: '/posts', method: 'POST' });
    expect(await base.extend({ requestInit: { redirect: 'follow' } })({})).toBe(null);
  });
});

test('no error contains the user and the password of a URL', async () => {
  const get = new RestEndpoint({ urlPrefix: 'https://me:secret@api.test', path: '/posts/:id', retry: false });
  const errors: unknown[] = await Promise.all(
    [get({ id: 1 }), get.extend({ timeout: Number.NaN })({ id: 1 }), get({ id: '..' })].map((call) =>
      call.catch((error: unknown) => error),
    ),
  );
  for (const error of errors) {
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error)).not.toContain('secret');
  }
});

describe('a redirect of a GET with secret headers', () => {
  const authorized = { Authorization: 'Bearer secret' };
  const secrets: Record<string, string>[] = [authorized, { 'X-Api-Key': 'secret' }];

  test.each(secrets)('is followed within the origin, with %o', async (headers) => {
    const { origin, received } = await serve(({ url }, response) => {
      if (url === '/posts/') json(response, { id: '5' });
      else response.writeHead(301, { Location: url === '/posts' ? '/old' : '/posts/' }).end('moved');
    });
    const get = new RestEndpoint({ urlPrefix: origin, path: '/posts', requestInit: { headers } });
    expect(await get()).toEqual({ id: '5' });
    const [name = '', value] = Object.entries(headers)[0] ?? [];
    expect(received.map(({ url, headers: sent }) => [url, sent[name.toLowerCase()]])).toEqual([
      ['/posts', value],
      ['/old', value],
      ['/posts/', value],
    ]);
  });

  test.each(secrets)('to another origin is refused, also as the second one, with %o', async (headers) => {
    const evil = await serve((_request, response) => json(response, {}));
    const { origin, received } = await serve(({ url }, response) =>
      response.writeHead(302, { Location: url === '/posts' ? '/next' : `${evil.origin}/posts` }).end(),
    );
    const get = new RestEndpoint({ urlPrefix: origin, path: '/posts', requestInit: { headers } });
    await expect(get()).rejects.toThrow(code('origin-refused'));
    expect(received).toHaveLength(2);
    expect(evil.received).toHaveLength(0);
  });

  test.each([
    ['in a circle', { Location: '/posts' }, 20, 'redirect-refused'],
    ['to nowhere', {}, 1, 'redirect-refused'],
    ['to what is not an address', { Location: 'http://[' }, 1, 'redirect-refused'],
    ['to another scheme', { Location: 'data:,x' }, 1, 'origin-refused'],
  ])('%s is refused', async (_where, location, tries, refusal) => {
    const { origin, received } = await serve((_request, response) => response.writeHead(302, location).end());
    const headers = authorized;
    const get = new RestEndpoint({ urlPrefix: origin, path: '/posts', requestInit: { headers } });
    await expect(get()).rejects.toThrow(code(refusal));
    expect(received).toHaveLength(tries);
  });

  test('is refused if an option of the endpoint refuses redirects, and for another method', async () => {
    const { origin, received } = await serve((_request, response) =>
      response.writeHead(307, { Location: '/elsewhere' }).end(),
    );
    const headers = authorized;
    const get = new RestEndpoint({ urlPrefix: origin, path: '/posts', requestInit: { headers, redirect: 'error' } });
    await expect(get()).rejects.toThrow(code('redirect-refused'));
    const remove = new RestEndpoint({ urlPrefix: origin, path: '/posts', method: 'DELETE', requestInit: { headers } });
    await expect(remove()).rejects.toThrow(code('redirect-refused'));
    expect(received).toHaveLength(2);
  });
});

describe('a redirect that a browser hides', () => {
  const opaque = (): Response => Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
  function scene(headers: Record<string, string>, urlPrefix = '') {
    const sent: (readonly [redirect: unknown, mode: unknown])[] = [];
    const fetch: Platform['fetch'] = async (_url, { redirect, mode }) => {
      sent.push([redirect, mode]);
      return redirect === 'manual' ? opaque() : Response.json({ id: '5' });
    };
    const platform = { ...realPlatform, fetch };
    return { sent, get: new RestEndpoint({ urlPrefix, path: '/posts', platform, requestInit: { headers } }) };
  }

  test('is followed by the browser, which keeps the request in the origin of the page', async () => {
    vi.stubGlobal('location', { origin: 'https://page.example' });
    const { sent, get } = scene({ 'X-Api-Key': 'secret' });
    expect(await get()).toEqual({ id: '5' });
    vi.unstubAllGlobals();
    expect(sent).toEqual([['follow', 'same-origin']]);
  });

  test('of another origin is followed if the browser removes the secret headers', async () => {
    const { sent, get } = scene({ Authorization: 'Bearer secret' }, 'https://api.example');
    expect(await get()).toEqual({ id: '5' });
    expect(sent).toEqual([
      ['manual', undefined],
      ['follow', undefined],
    ]);
    const keyed = scene({ Authorization: 'Bearer secret', 'X-Api-Key': 'secret' }, 'https://api.example');
    await expect(keyed.get()).rejects.toThrow(code('redirect-refused'));
    expect(keyed.sent).toHaveLength(1);
  });
});

describe('credentials that have expired', () => {
  interface Scene {
    readonly isValid?: (token: string) => boolean;
    readonly renewed?: () => unknown;
  }
  /** A server that requires a token, and a client that can fetch a new one. */
  async function scene({ isValid = (token) => token !== '0', renewed }: Scene = {}) {
    let token = 0;
    const refreshes: unknown[] = [];
    const { origin, received } = await serve(({ headers }, response) => {
      const given = (headers.authorization ?? '').replace('Bearer ', '');
      if (isValid(given)) json(response, { given });
      else json(response, { message: 'Expired' }, 401);
    });
    const get = new RestEndpoint({
      urlPrefix: origin,
      path: '/posts',
      searchParams: {} as { page?: number },
      getHeaders: (headers) => ({ ...headers, Authorization: `Bearer ${token}` }),
      refresh: async (refusal) => {
        refreshes.push(refusal.status);
        await Promise.resolve();
        if (renewed) return renewed();
        token++;
        return undefined;
      },
    });
    return { get, received, refreshes };
  }

  test('are refreshed once for all requests that were answered with 401, and these are sent again with new headers', async () => {
    const { get, received, refreshes } = await scene();
    const answers = await Promise.all([1, 2, 3].map((page) => get({ page })));
    expect(answers).toEqual([{ given: '1' }, { given: '1' }, { given: '1' }]);
    expect(refreshes).toEqual([401]);
    expect(received).toHaveLength(6);
    await get();
    expect(received).toHaveLength(7);
  });

  test('are refreshed for a mutation too, with the same body and idempotency key', async () => {
    const { get, received } = await scene();
    const create = get.extend({ method: 'POST', body: {} as { title: string }, idempotencyKey: true });
    await create({ title: 'x' });
    expect(received.map(({ body }) => body)).toEqual(['{"title":"x"}', '{"title":"x"}']);
    const [first, second] = received.map(({ headers }) => headers['idempotency-key']);
    expect(first).toBe(second);
    expect(first).toHaveLength(32);
  });

  test('that are refused again are an error after one refresh', async () => {
    const { get, received, refreshes } = await scene({ isValid: () => false });
    await expect(get()).rejects.toMatchObject({ status: 401, message: 'Expired' });
    expect([received.length, refreshes.length]).toEqual([2, 1]);
  });

  test('that cannot be refreshed are the error of each request, with the reason', async () => {
    const reason = new Error('no session');
    const failing = await scene({ renewed: () => Promise.reject(reason) });
    await expect(Promise.all([failing.get(), failing.get()])).rejects.toMatchObject({ status: 401, cause: reason });
    expect(failing.refreshes).toHaveLength(1);
    const giving = await scene({ renewed: () => false });
    const error: unknown = await giving.get().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 401 });
    expect((error as Error).cause).toBe(undefined);
    expect(giving.received).toHaveLength(1);
  });

  test('are not refreshed for another error, nor if the option is off, nor for a body that is a stream', async () => {
    const { get, received, refreshes } = await scene();
    await expect(get.extend({ refresh: false })()).rejects.toMatchObject({ status: 401 });
    await expect(get.extend({ fetchResponse: () => Promise.reject(new Error('no')) })()).rejects.toThrow('no');
    const upload = get.extend({
      method: 'POST',
      body: {} as ReadableStream,
      requestInit: { duplex: 'half' } as RequestInit,
    });
    await expect(upload(new Blob(['x']).stream())).rejects.toMatchObject({ status: 401 });
    expect([received.length, refreshes.length]).toEqual([2, 0]);
  });

  test('are an error if the refresh takes longer than the timeout', async () => {
    const timers: (() => void)[] = [];
    const { get } = await scene({
      renewed: () => {
        timers.at(-1)?.();
        return new Promise(() => {});
      },
    });
    const platform: Platform = { ...realPlatform, setTimeout: (run) => timers.push(run), clearTimeout: () => {} };
    await expect(get.extend({ platform })()).rejects.toMatchObject({ status: 401, cause: code('request-timeout') });
  });
});

describe('each try', () => {
  test('has headers of its own, and the idempotency key of the first', async () => {
    let made = 0;
    const { origin, received } = await serve((_request, response, count) => json(response, {}, count < 3 ? 503 : 200));
    const create = new RestEndpoint({
      urlPrefix: origin,
      path: '/posts',
      method: 'POST',
      retry: retrying(),
      platform: timeless(() => true),
      timeout: Number.POSITIVE_INFINITY,
      getHeaders: (headers) => ({ ...headers, 'X-Try': String(++made), 'idempotency-KEY': `key ${made}` }),
    });
    await create({});
    expect(received.map(({ headers }) => [headers['x-try'], headers['idempotency-key']])).toEqual([
      ['1', 'key 1'],
      ['2', 'key 1'],
      ['3', 'key 1'],
    ]);
  });
});

describe('a timeout', () => {
  test('ends a request that is never answered', async () => {
    const { origin, received } = await serve(() => {});
    const waits: number[] = [];
    const platform: Platform = {
      ...realPlatform,
      // The first timer is that of the preparation, the second that of the request itself.
      setTimeout: (run, milliseconds) => waits.push(milliseconds) === 2 && void untilReceived(received, 1).then(run),
      clearTimeout: () => {},
    };
    const outcome = new RestEndpoint({ urlPrefix: origin, path: '/posts', platform })();
    await expect(outcome).rejects.toThrow(code('request-timeout'));
    await expect(outcome).rejects.toThrow('GET http://127.0.0.1');
    expect(waits).toEqual([30_000, 30_000]);
  });

  test('ends a body that stops in the middle', async () => {
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{"a":');
    });
    let fire: () => void = () => {};
    const world: Platform = { ...realPlatform, setTimeout: (run) => (fire = run), clearTimeout: () => {} };
    const get = new RestEndpoint({
      urlPrefix: origin,
      path: '/posts',
      platform: world,
      timeout: 5,
      onResponse: () => fire(),
    });
    await expect(get()).rejects.toThrow(code('request-timeout'));
  });

  test('ends a request whose getHeaders never resolves', async () => {
    const { origin, received } = await serve((_request, response) => json(response, {}));
    const get = new RestEndpoint({
      urlPrefix: origin,
      path: '/posts',
      platform: timeless(() => true),
      getHeaders: () => new Promise(() => {}),
    });
    await expect(get()).rejects.toThrow(code('request-timeout'));
    expect(received).toHaveLength(0);
  });
});

describe('an abort', () => {
  test('ends the request, by the signal of the endpoint or of its options', async () => {
    for (const where of ['signal', 'requestInit'] as const) {
      const controller = new AbortController();
      const { signal } = controller;
      const { origin } = await serve(() => controller.abort());
      const get = new RestEndpoint({ urlPrefix: origin, path: '/posts' });
      const aborted = where === 'signal' ? get.extend({ signal }) : get.extend({ requestInit: { signal } });
      await expect(aborted()).rejects.toMatchObject({ name: 'AbortError' });
      await expect(aborted()).rejects.toMatchObject({ name: 'AbortError' });
    }
  });

  test('ends also a stream that is being read', async () => {
    const controller = new AbortController();
    const { origin } = await serve((_request, response) => response.writeHead(200).write('first'));
    const read = new RestEndpoint({ urlPrefix: origin, path: '/posts', content: 'stream', signal: controller.signal });
    const reader = ((await read()) as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('first');
    controller.abort();
    await expect(reader.read()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a retry', () => {
  const flaky: Answer = (_request, response, count) =>
    count < 3 ? json(response, {}, 503) : json(response, { tries: count });

  test('sends a request again if it can be sent twice', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { origin, received } = await serve(flaky);
      const world = timeless((wait) => wait < 30_000);
      const endpoint = new RestEndpoint({
        urlPrefix: origin,
        path: '/posts',
        method,
        body: undefined,
        retry: retrying(),
        platform: world,
      });
      expect(await (endpoint as unknown as () => Promise<unknown>)()).toEqual({ tries: 3 });
      expect(received).toHaveLength(3);
      expect(world.waits.filter((wait) => wait < 30_000)).toEqual([300, 600]);
    }
  });

  test('is off by default', async () => {
    const { origin, received } = await serve(flaky);
    await expect(new RestEndpoint({ urlPrefix: origin, path: '/posts' })()).rejects.toMatchObject({ status: 503 });
    expect(received).toHaveLength(1);
  });

  test('does not send a POST or PATCH again, except with an idempotency key, the same each time', async () => {
    for (const method of ['POST', 'PATCH']) {
      const plain = await serve(flaky);
      const platform = timeless((wait) => wait < 30_000);
      const post = new RestEndpoint({
        urlPrefix: plain.origin,
        path: '/posts',
        method,
        retry: retrying({ limit: 5 }),
        platform,
      });
      await expect(post({})).rejects.toMatchObject({ status: 503 });
      expect(plain.received).toHaveLength(1);
      const keyed = await serve(flaky);
      expect(await post.extend({ urlPrefix: keyed.origin, idempotencyKey: true })({})).toEqual({ tries: 3 });
      const keys = keyed.received.map(({ headers }) => headers['idempotency-key']);
      expect(new Set(keys).size).toBe(1);
      expect(keys).toHaveLength(3);
    }
  });

  test.each<[string, object]>([
    ['undefined', { requestInit: { headers: { 'Idempotency-Key': undefined } } }],
    ['null', { requestInit: { headers: { 'idempotency-key': null } } }],
    ['empty', { requestInit: { headers: { 'Idempotency-Key': '' } } }],
    ['blank', { requestInit: { headers: { 'IDEMPOTENCY-KEY': ' \t ' } } }],
    ['empty in a Headers object', { requestInit: { headers: new Headers({ 'Idempotency-Key': ' ' }) } }],
    ['empty in a list', { requestInit: { headers: [['idempotency-key', '']] } }],
    ['empty twice', { requestInit: { headers: { 'Idempotency-Key': '', 'idempotency-key': ' ' } } }],
    ['empty by getHeaders', { getHeaders: () => ({ 'Idempotency-Key': '' }) }],
    ['undefined by getHeaders', { getHeaders: async () => ({ 'Idempotency-Key': undefined }) }],
    ['empty by getRequestInit', { getRequestInit: () => ({ method: 'POST', headers: { 'Idempotency-Key': '' } }) }],
    ['of a method that getRequestInit says', { method: 'PUT', getRequestInit: () => ({ method: 'post' }) }],
    ['an empty option', { idempotencyKey: '' }],
    ['a blank option', { idempotencyKey: ' ' }],
    ['a function without one', { idempotencyKey: () => undefined }],
  ])('takes an empty idempotency key for none: %s', async (_what, options) => {
    const { origin, received } = await serve(flaky);
    const platform = timeless((wait) => wait < 30_000);
    const post = new RestEndpoint({ urlPrefix: origin, path: '/posts', method: 'POST', retry: retrying(), platform });
    await expect(post.extend(options as { retry?: undefined })({})).rejects.toMatchObject({ status: 503 });
    expect(received).toHaveLength(1);
    expect(received[0]?.headers['idempotency-key'] ?? '').toMatch(/^[ ,]*$/);
  });

  test.each<[string, object]>([
    ['in other letters', { requestInit: { headers: { 'iDEMPOTENCY-kEY': 'k' } } }],
    ['in a Headers object', { requestInit: { headers: new Headers({ 'Idempotency-Key': 'k' }) } }],
    ['by getHeaders', { getHeaders: async () => new Headers({ 'Idempotency-Key': 'k' }) }],
    ['by getRequestInit', { getRequestInit: () => ({ method: 'POST', headers: [['idempotency-key', 'k']] }) }],
    ['by getRequestInit that says no method', { getRequestInit: () => ({ headers: { 'Idempotency-Key': 'k' } }) }],
    ['instead of an empty one', { idempotencyKey: 'k', requestInit: { headers: { 'idempotency-key': ' ' } } }],
  ])('finds the idempotency key %s', async (_what, options) => {
    const { origin, received } = await serve(flaky);
    const platform = timeless((wait) => wait < 30_000);
    const post = new RestEndpoint({ urlPrefix: origin, path: '/posts', method: 'POST', retry: retrying(), platform });
    expect(await post.extend(options as { retry?: undefined })({})).toEqual({ tries: 3 });
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k', 'k']);
  });

  test('happens after every temporary failure of a server', async () => {
    const { isTransient } = failuresOf(realPlatform);
    const statuses = Array.from({ length: 500 }, (_none, at) => 100 + at).filter((status) => isTransient({ status }));
    expect(statuses.filter((status) => status < 500)).toEqual([408, 425, 429]);
    const lasting = Array.from({ length: 100 }, (_none, at) => 500 + at).filter((status) => !isTransient({ status }));
    expect(lasting).toEqual([501, 505, 506, 510, 511]);
    expect(isTransient({ status: 600 })).toBe(false);
    expect(isTransient({ status: '503' })).toBe(false);
  });

  test('has one effect if the server has acted and the connection was lost', async () => {
    const effects = new Set<unknown>();
    const dropping: Answer = ({ headers }, response, count) => {
      effects.add(headers['idempotency-key'] ?? count);
      if (count < 3) response.destroy();
      else json(response, { done: true });
    };
    const platform = timeless((wait) => wait < 30_000);
    const plain = await serve(dropping);
    const post = new RestEndpoint({
      urlPrefix: plain.origin,
      path: '/posts',
      method: 'POST',
      retry: retrying(),
      platform,
    });
    await expect(post({})).rejects.toMatchObject({ status: 500 });
    expect(effects.size).toBe(1);
    effects.clear();
    const keyed = await serve(dropping);
    expect(await post.extend({ urlPrefix: keyed.origin, idempotencyKey: 'one' })({})).toEqual({ done: true });
    expect([...effects]).toEqual(['one']);
  });

  test('waits as long as Retry-After asks', async () => {
    const { origin, received } = await serve((_request, response, count) =>
      count === 1 ? json(response, {}, 429, { 'Retry-After': '7' }) : json(response, {}),
    );
    const world = timeless((wait) => wait < 30_000);
    await new RestEndpoint({ urlPrefix: origin, path: '/posts', retry: retrying(), platform: world })();
    expect(world.waits.filter((wait) => wait < 30_000)).toEqual([7000]);
    expect(received).toHaveLength(2);
  });

  test('happens after a body that was cut off', async () => {
    const { origin } = await serve((_request, response, count) => {
      if (count > 1) return json(response, { whole: true });
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{"a":');
      setImmediate(() => response.destroy());
    });
    const platform = timeless((wait) => wait < 30_000);
    expect(await new RestEndpoint({ urlPrefix: origin, path: '/posts', retry: retrying(), platform })()).toEqual({
      whole: true,
    });
  });

  test('does not happen after a permanent failure', async () => {
    for (const status of [400, 401, 404, 409, 422, 501]) {
      const { origin, received } = await serve((_request, response) => json(response, {}, status));
      const get = new RestEndpoint({ urlPrefix: origin, path: '/posts', retry: retrying(), platform: timeless() });
      await expect(get()).rejects.toMatchObject({ status });
      expect(received).toHaveLength(1);
    }
    const { origin, received } = await serve((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{ "id": }'),
    );
    const get = new RestEndpoint({ urlPrefix: origin, path: '/posts', retry: retrying(), platform: timeless() });
    await expect(get()).rejects.toBeInstanceOf(NetworkError);
    expect(received).toHaveLength(1);
  });

  test('happens after a timeout', async () => {
    const { origin, received } = await serve((_request, response, count) => {
      if (count > 1) json(response, { count });
    });
    let timers = 0;
    const platform: Platform = {
      ...realPlatform,
      // In this order: the preparation, the first try, the pause, the second try.
      setTimeout: (run) => {
        timers++;
        if (timers === 2) void untilReceived(received, 1).then(run);
        if (timers === 3) queueMicrotask(run);
      },
      clearTimeout: () => {},
    };
    const get = new RestEndpoint({ urlPrefix: origin, path: '/posts', retry: retrying(), platform });
    expect(await get()).toEqual({ count: 2 });
  });
});

/** Waits until a server has received `count` requests. */
async function untilReceived(received: readonly Received[], count: number): Promise<void> {
  while (received.length < count) await new Promise((resolve) => setImmediate(resolve));
}

describe('Retry-After', () => {
  const now = Date.parse('Sat, 21 Nov 2026 12:00:00 GMT');

  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-5x', undefined],
    ['-5', 0],
    ['', undefined],
    [null, undefined],
    ['9'.repeat(100), undefined],
  ])('%s is %s', (header, milliseconds) => {
    expect(retryAfter(header, now)).toBe(milliseconds);
  });
});

test('a stream cannot be sent twice', () => {
  expect(isRepeatable('PUT', {}, new ReadableStream())).toBe(false);
  expect(isRepeatable('PUT', {}, null)).toBe(true);
  expect(isRepeatable('POST', { 'idempotency-KEY': 'x' }, '{}')).toBe(true);
});

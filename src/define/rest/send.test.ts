import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { platform as realPlatform } from '../../std/platform.ts';
import { type Answered, callWith, type Exchange } from '../endpoint/exchange.ts';
import { retrying } from './retrying.ts';
import { RestEndpoint } from './rest-endpoint.ts';

/** An endpoint that gets these statuses one after the other, and a request of a controller that calls it. */
function scene(...statuses: readonly number[]) {
  const left = [...statuses];
  const stopped = new AbortController();
  const answered: Answered = {};
  const exchange: Exchange = {
    key: 'GET /todos',
    session: {},
    signal: stopped.signal,
    retry: undefined,
    answered,
    stored: () => undefined,
    version: () => undefined,
    enter: async () => () => {},
  };
  const fetch = async (_url: string, { signal }: RequestInit): Promise<Response> => {
    const status = left.shift();
    if (status !== undefined) return Response.json({ id: 1 }, { status });
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };
  const put = new RestEndpoint({
    path: '/todos',
    method: 'PUT',
    body: {},
    retry: retrying({ baseDelay: 0 }),
    platform: { ...realPlatform, fetch },
  });
  const send = async (endpoint = put): Promise<unknown> => callWith(endpoint, exchange, [{}]);
  return { answered, put, send, stopped };
}

describe('a request of a controller', () => {
  test('counts as repeated if it was sent more than once', async () => {
    const once = scene(200);
    await once.send();
    expect(once.answered.isRepeated).toBeUndefined();
    const refused = scene(422);
    await expect(refused.send()).rejects.toMatchObject({ status: 422 });
    expect(refused.answered.isRepeated).toBeUndefined();
    const twice = scene(503, 422);
    await expect(twice.send()).rejects.toMatchObject({ status: 422 });
    expect(twice.answered.isRepeated).toBe(true);
  });

  test.each(['controller', 'application'])('is stopped by the signal of its %s', async (by) => {
    const own = new AbortController();
    const { put, send, stopped } = scene();
    const sent = send(put.extend({ signal: own.signal }));
    (by === 'controller' ? stopped : own).abort(new Error('stopped'));
    await expect(sent).rejects.toThrow('stopped');
  });
});

describe('an answer of JSON', () => {
  /** An endpoint that gets these bodies one after the other. */
  function reading(...texts: string[]) {
    const fetch = async (): Promise<Response> =>
      new Response(texts.shift(), { headers: { 'Content-Type': 'application/json' } });
    return new RestEndpoint({ path: '/todos', platform: { ...realPlatform, fetch } });
  }
  const failure = async (text: string): Promise<unknown> => reading(text)().catch((reason: unknown) => reason);

  // Firefox takes a compressed body whose connection was lost for a complete one.
  test.each(['{', ' [', '{"id":1', '[{"id":1},', '{"text":"', '{"list":[1 '])(
    'that does not end, %s, counts as a lost connection, and is requested again',
    async (text) => {
      const error = await failure(text);
      expect(error).toMatchObject({ code: 'response-unreadable', status: 400 });
      expect(reading().errorPolicy?.(error)).toBe('soft');
      const retry = retrying({ baseDelay: 0 });
      expect(await reading(text, '{"id":1}').extend({ retry })()).toEqual({ id: 1 });
    },
  );

  test.each(['{"id":}', '[1,]', '{"text":"{}" "[]"}', 'no {', '"no', '<p>{</p>'])(
    'that is invalid in another way, %s, is an error without another request',
    async (text) => {
      const error = await failure(text);
      expect(reading().errorPolicy?.(error)).toBe(undefined);
      const retry = retrying({ baseDelay: 0 });
      await expect(reading(text, '{"id":1}').extend({ retry })()).rejects.toMatchObject({ data: text });
    },
  );
});

describe('a body that is a stream', () => {
  const fetched: unknown[] = [];
  const upload = new RestEndpoint({
    path: '/files',
    method: 'PUT',
    body: {} as ReadableStream,
    platform: {
      ...realPlatform,
      fetch: async (_url: string, { body }: RequestInit) => {
        fetched.push(body);
        return new Response(null, { status: fetched.length === 1 ? 503 : 204 });
      },
    },
    retry: retrying({ baseDelay: 0 }),
  });
  beforeEach(() => void fetched.splice(0));
  afterEach(() => vi.unstubAllGlobals());

  test('is sent once as it is', async () => {
    const body = new Blob(['x']).stream();
    await expect(upload(body)).rejects.toMatchObject({ status: 503 });
    expect(fetched).toEqual([body]);
  });

  test('is read before it is sent, where fetch would send its name', async () => {
    // As in Firefox and Safari.
    vi.stubGlobal('Request', class {});
    await upload(new Blob(['some ', 'bytes']).stream());
    expect(await Promise.all(fetched.map((body) => (body as Blob).text()))).toEqual(['some bytes', 'some bytes']);
  });
});

import { describe, expect, test } from 'vitest';
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

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Simulations } from './simulation.ts';
import type { Api } from './start-api.ts';
import { listen, ManualClock, startTestApi } from './testing.ts';

const clock = new ManualClock();
let api: Api;
beforeAll(async () => {
  api = await startTestApi({ clock });
});
afterAll(() => api.close());

const at = (path: string): string => `${api.url}/api${path}`;
const as = (session: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(at(path), { ...init, headers: { ...(init.headers as Record<string, string>), 'x-session': session } });
const simulate = (session: string, simulation: object): Promise<Response> =>
  as(session, '/simulate', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(simulation),
  });
const statuses = async (session: string, times: number): Promise<number[]> => {
  const found = [];
  for (let time = 0; time < times; time++) found.push((await as(session, '/tags')).status);
  return found;
};
const vote = (session: string, headers: Record<string, string> = {}): Promise<Response> =>
  as(session, '/posts/1/votes', { method: 'POST', headers });
const votes = async (): Promise<number> => ((await (await fetch(at('/posts/1'))).json()) as { votes: number }).votes;

describe('latency', () => {
  test('an answer is delayed by the latency of its session, and answers to other clients are not', async () => {
    await simulate('slow', { latency: 3_000 });
    let arrived = false;
    const slow = as('slow', '/tags').then(() => (arrived = true));
    await expect.poll(() => clock.waiting).toBe(1);
    expect((await as('quick', '/tags')).status).toBe(200);
    clock.pass(2_999);
    expect(arrived).toBe(false);
    clock.pass(1);
    await slow;
  });

  test('several latencies are used in turn, so that a later request overtakes an earlier one', async () => {
    await simulate('race', { latency: [2_000, 100] });
    const order: string[] = [];
    const first = as('race', '/tags').then(() => order.push('first'));
    await expect.poll(() => clock.waiting).toBe(1);
    const second = as('race', '/users/1').then(() => order.push('second'));
    await expect.poll(() => clock.waiting).toBe(2);
    clock.pass(100);
    await second;
    clock.pass(1_900);
    await first;
    expect(order).toEqual(['second', 'first']);
  });

  test('the server does not wait for a client that has aborted', async () => {
    await simulate('impatient', { latency: 60_000 });
    const abort = new AbortController();
    const request = as('impatient', '/tags', { signal: abort.signal }).catch((error: unknown) => (error as Error).name);
    await expect.poll(() => clock.waiting).toBe(1);
    abort.abort();
    expect(await request).toBe('AbortError');
    await expect.poll(() => clock.waiting).toBe(0);
  });
});

describe('failures', () => {
  test('the same seed fails the same requests', async () => {
    await simulate('half', { failRate: 0.5, seed: 3 });
    const first = await statuses('half', 12);
    await simulate('half', { failRate: 0.5, seed: 3 });
    expect(await statuses('half', 12)).toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 503]));
    await simulate('half', { failRate: 0.5, seed: 4 });
    expect(await statuses('half', 12)).not.toEqual(first);
  });

  test('a failure is answered with problem details, which say that it is simulated', async () => {
    await simulate('failing', { failRate: 1, failStatus: 500 });
    const response = await as('failing', '/tags');
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ status: 500, detail: 'This failure was asked for.' });
  });

  test('the given number of requests fail, and then no more', async () => {
    await simulate('twice', { failNext: 2 });
    expect(await statuses('twice', 4)).toEqual([503, 503, 200, 200]);
  });

  test('only some methods fail when these are named', async () => {
    await simulate('readonly', { failRate: 1, methods: ['POST'] });
    expect(await statuses('readonly', 2)).toEqual([200, 200]);
    const before = await votes();
    expect((await vote('readonly')).status).toBe(503);
    expect(await votes()).toBe(before);
  });

  test('a request whose answer is lost is carried out, and is not carried out twice if it is repeated with its key', async () => {
    const before = await votes();
    await simulate('lossy', { failNext: 1, failAt: 'after' });
    const key = { 'idempotency-key': 'lossy-1' };
    await expect(vote('lossy', key)).rejects.toThrow('fetch failed');
    expect(await votes()).toBe(before + 1);
    const again = await vote('lossy', key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(await votes()).toBe(before + 1);
  });

  test('one request can have options of its own', async () => {
    expect((await fetch(at('/tags'), { headers: { 'x-simulate': 'fail=429' } })).status).toBe(429);
    await expect(fetch(at('/tags'), { headers: { 'x-simulate': 'offline' } })).rejects.toThrow('fetch failed');
    const slow = fetch(at('/tags'), { headers: { 'x-simulate': 'latency=500, fail=500' } });
    await expect.poll(() => clock.waiting).toBe(1);
    clock.pass(500);
    expect((await slow).status).toBe(500);
    const before = await votes();
    await expect(fetch(at('/posts/1/votes'), { method: 'POST', headers: { 'x-simulate': 'lose' } })).rejects.toThrow(
      'fetch failed',
    );
    expect(await votes()).toBe(before + 1);
    expect((await fetch(at('/tags'), { headers: { 'x-simulate': 'nonsense' } })).status).toBe(200);
  });
});

describe('offline', () => {
  test('connections of that session break, and those of others do not, until it is online again', async () => {
    await simulate('train', { offline: true });
    await expect(as('train', '/tags')).rejects.toThrow('fetch failed');
    expect((await as('office', '/tags')).status).toBe(200);
    await as('train', '/simulate', { method: 'DELETE' });
    expect((await as('train', '/tags')).status).toBe(200);
  });

  test('going offline closes event streams and waiting requests', async () => {
    const stream = await listen(at('/events?session=tunnel'));
    await simulate('tunnel', { latency: 5_000 });
    const waiting = as('tunnel', '/tags');
    await expect.poll(() => clock.waiting).toBe(2);
    await simulate('tunnel', { offline: true });
    await expect(waiting).rejects.toThrow('fetch failed');
    await expect(stream.next()).rejects.toThrow('terminated');
    await simulate('tunnel', {});
    const again = await listen(at('/events?session=tunnel'));
    await vote('someone');
    expect((await again.next()).event).toBe('changed');
    again.close();
  });
});

describe('control', () => {
  test('it returns the simulated options, also while it is offline', async () => {
    expect(await (await as('new', '/simulate')).json()).toMatchObject({ latency: 0, offline: false });
    await simulate('new', { offline: true, failRate: 1, latency: 9_000 });
    expect(await (await as('new', '/simulate')).json()).toMatchObject({ latency: 9_000, offline: true });
  });

  test('it requires a session, and refuses invalid options', async () => {
    expect((await fetch(at('/simulate'))).status).toBe(400);
    expect((await simulate('x', { failRate: 2 })).status).toBe(422);
    expect((await simulate('x', { latency: [1, -1] })).status).toBe(422);
    expect((await simulate('x', { latencyy: 1 })).status).toBe(422);
  });

  test('it keeps the latest thousand sessions', () => {
    const simulations = new Simulations();
    for (let session = 0; session <= 1_000; session++) simulations.set(String(session), { latency: 5 });
    expect([simulations.get('0').latency, simulations.get('1').latency, simulations.get('1000').latency]).toEqual([
      0, 5, 5,
    ]);
  });
});

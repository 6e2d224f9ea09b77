import { describe, expect, test, vi } from 'vitest';
import { Channel } from './channel.ts';
import { systemClock } from './clock.ts';
import { Line } from './line.ts';
import { invalid, notFound, Problem } from './problem.ts';
import { CLEAR, Simulations } from './simulation.ts';
import { ManualClock } from './testing.ts';

describe('a problem', () => {
  test('has a title, a path, and a header that forbids caching', async () => {
    const response = new Problem(404, 'There is no post 9.', { headers: { allow: 'GET' } }).toResponse('/api/posts/9');
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      404,
      'application/problem+json',
      'no-store',
    ]);
    expect(response.headers.get('allow')).toBe('GET');
    expect(await response.json()).toEqual({
      type: 'urn:rejoin-demo:problem:not-found',
      title: 'Not found',
      status: 404,
      detail: 'There is no post 9.',
      instance: '/api/posts/9',
    });
  });

  test('of a status without a name has the title Failed', async () => {
    expect(await new Problem(418, 'Tea.').toResponse('/').json()).toMatchObject({ title: 'Failed' });
  });

  test('names each invalid field of the body', async () => {
    const problem = invalid([
      { pointer: '#/title', detail: 'is required' },
      { pointer: '#', detail: 'is not an object' },
    ]);
    expect(problem.message).toBe('title is required; The body is not an object.');
    expect(await problem.toResponse('/').json()).toMatchObject({
      status: 422,
      errors: [{ pointer: '#/title' }, { pointer: '#' }],
    });
  });

  test('about a missing record names the record', () => {
    expect(notFound('user', '7')).toMatchObject({ status: 404, message: 'There is no user 7.' });
  });
});

describe('the connections of a session', () => {
  test('are closed once by a cut', () => {
    const line = new Line();
    const cuts: string[] = [];
    line.hold(() => cuts.push('a'));
    const letGo = line.hold(() => cuts.push('b'));
    line.hold(() => cuts.push('c'));
    letGo();
    line.cut();
    line.cut();
    expect(cuts).toEqual(['a', 'c']);
  });

  test('opened after a cut are held as well', () => {
    const line = new Line();
    line.cut();
    const cut = vi.fn<() => void>();
    line.hold(cut);
    expect(cut).not.toHaveBeenCalled();
    line.cut();
    expect(cut).toHaveBeenCalledTimes(1);
  });
});

describe('a channel', () => {
  test('sends events to all listeners, in order, until they unsubscribe', () => {
    const channel = new Channel('run');
    const received: string[] = [];
    const stop = channel.subscribe(({ data }) => void received.push(`one ${String(data)}`));
    channel.subscribe(({ data }) => void received.push(`two ${String(data)}`));
    channel.publish('news', 1);
    stop();
    channel.publish('news', 2);
    expect(received).toEqual(['one 1', 'two 1', 'two 2']);
    expect(channel.listening).toBe(1);
  });

  test('returns the events after an id, and none after the last one', () => {
    const channel = new Channel('run');
    for (const data of ['a', 'b', 'c']) channel.publish('news', data);
    expect(channel.after('run-1')?.map(({ data }) => data)).toEqual(['b', 'c']);
    expect(channel.after('run-3')).toEqual([]);
    expect(channel.after('run-0')).toHaveLength(3);
  });

  test.each(['', 'run', 'run-', 'run-4', 'run--1', 'run-1.5', 'other-1'])('does not know the id "%s"', (id) => {
    const channel = new Channel('run');
    channel.publish('news', 1);
    expect(channel.after(id)).toBe(undefined);
  });
});

describe('a simulation', () => {
  test('without a session affects no other client', () => {
    const simulations = new Simulations();
    expect(simulations.get('new')).toEqual(CLEAR);
    expect(simulations.fateOf(undefined, 'GET', null)).toEqual({
      latency: 0,
      offline: false,
      fail: undefined,
      failAt: 'before',
    });
  });

  test('options that are left out keep their defaults', () => {
    const simulations = new Simulations();
    simulations.set('me', { failRate: 1, latency: 5 });
    expect(simulations.set('me', { latency: 7 })).toEqual({ ...CLEAR, latency: 7 });
  });

  test('a header overrides single options of the session', () => {
    const simulations = new Simulations();
    simulations.set('me', { latency: 9 });
    expect(simulations.fateOf('me', 'GET', 'fail=500')).toMatchObject({ latency: 9, fail: 500 });
    expect(simulations.fateOf('me', 'GET', ' latency=3 ,offline')).toMatchObject({ latency: 3, offline: true });
    expect(simulations.fateOf('me', 'GET', 'lose')).toMatchObject({ fail: 503, failAt: 'after' });
    expect(simulations.fateOf('me', 'GET', 'fail=200, latency=999999')).toMatchObject({ latency: 9, fail: undefined });
  });

  test('methods that are not named are not counted', () => {
    const simulations = new Simulations();
    simulations.set('me', { latency: [1, 2], methods: ['POST'] });
    const latencies = ['POST', 'GET', 'POST', 'GET', 'POST'].map(
      (method) => simulations.fateOf('me', method, null).latency,
    );
    expect(latencies).toEqual([1, 0, 2, 0, 1]);
  });

  test('going offline closes open connections; other changes do not', () => {
    const simulations = new Simulations();
    const cut = vi.fn<() => void>();
    simulations.lineOf('me').hold(cut);
    simulations.set('me', { latency: 5 });
    expect(cut).not.toHaveBeenCalled();
    simulations.set('me', { offline: true });
    expect(cut).toHaveBeenCalledTimes(1);
  });
});

describe('time', () => {
  test('the clock of the system ends a wait on time, and an aborted wait at once', async () => {
    const before = systemClock.now();
    await systemClock.sleep(5, new AbortController().signal);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before + 4);
    await systemClock.sleep(60_000, AbortSignal.abort());
    const abort = new AbortController();
    const asleep = systemClock.sleep(60_000, abort.signal);
    abort.abort();
    await asleep;
  });

  test('it calls again and again until it is stopped', async () => {
    const calls: number[] = [];
    await new Promise<void>((resolve) => {
      const stop = systemClock.every(1, () => {
        if (calls.push(calls.length) < 3) return;
        stop();
        resolve();
      });
    });
    expect(calls).toEqual([0, 1, 2]);
  });

  test('a manual clock advances as far as the test says, one timer after another', async () => {
    const clock = new ManualClock();
    const woken: string[] = [];
    const { signal } = new AbortController();
    const late = clock.sleep(20, signal).then(() => woken.push('late'));
    const early = clock.sleep(10, signal).then(() => woken.push('early'));
    const stop = clock.every(4, () => woken.push('tick'));
    clock.pass(9);
    expect(woken).toEqual(['tick', 'tick']);
    stop();
    clock.pass(11);
    await Promise.all([late, early]);
    expect(woken).toEqual(['tick', 'tick', 'early', 'late']);
    expect(clock.waiting).toBe(0);
  });
});

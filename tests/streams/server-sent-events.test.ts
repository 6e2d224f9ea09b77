import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  Controller,
  RestEndpoint,
  serverSentEvents,
  type ServerSentEventsOptions,
  StreamManager,
  type StreamMessage,
  type StreamOptions,
} from '../../src/index.ts';
import { Stream } from '../seed/stream.ts';
import { Clock, Switch } from './clock.ts';
import { accept, eventServer } from './event-server.ts';

/** A manager whose time the test advances, and the messages that it receives. */
async function listening(options: StreamOptions = {}, sourceOptions: ServerSentEventsOptions = {}) {
  const server = await eventServer();
  const clock = new Clock();
  const network = new Switch();
  const received: StreamMessage[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const errors: unknown[] = [];
  let failed = (): void => {};
  const failure = new Promise<void>((resolve) => void (failed = resolve));
  const stream = new StreamManager(serverSentEvents(server.url, sourceOptions), {
    platform: clock,
    presence: network,
    // The manager stores messages at once, because the server determines the speed here.
    schedule: (run) => {
      queueMicrotask(run);
      return () => {};
    },
    onMessage: (_, message) => {
      received.push(message);
      for (const { count, resolve } of waiting) if (received.length >= count) resolve();
    },
    onError: (error) => {
      errors.push(error);
      failed();
    },
    ...options,
  });
  const controller = new Controller({ managers: [stream], now: clock.now });
  onTestFinished(() => controller.dispose());
  const hasReceived = (count: number): Promise<void> =>
    new Promise((resolve) => {
      if (received.length >= count) resolve();
      else waiting.push({ count, resolve });
    });
  return { server, clock, network, received, hasReceived, errors, failure, stream, controller };
}

describe('server-sent events of a real server', () => {
  test('arrive with their type, their id and their data', async () => {
    let opened = 0;
    const { server, received, hasReceived } = await listening(
      { onOpen: () => opened++ },
      { headers: { authorization: 'Bearer x' } },
    );
    const { request, response } = await server.asked();
    expect(request.headers).toMatchObject({ accept: 'text/event-stream', authorization: 'Bearer x' });
    expect(request.headers['last-event-id']).toBeUndefined();
    accept(response).write(': hello\nretry: 10\n\ndata: {"a":1}\n\nevent: price\nid: 7\ndata: [\ndata: 2]\n\n');
    await hasReceived(2);
    expect(opened).toBe(1);
    expect(received).toEqual([
      { type: 'message', data: { a: 1 }, id: undefined },
      { type: 'price', data: [2], id: '7' },
    ]);
  });

  test('are joined from pieces, also if a piece ends in the middle of a character', async () => {
    const { server, received, hasReceived } = await listening();
    const { response } = await server.asked();
    accept(response);
    for (const byte of Buffer.from('data: {"name":"Zoë 🎈"}\r\n\r\n')) {
      response.write(Buffer.of(byte));
      // oxlint-disable-next-line no-await-in-loop -- each byte a piece of its own
      await new Promise((resolve) => void setImmediate(resolve));
    }
    await hasReceived(1);
    expect(received[0]?.data).toEqual({ name: 'Zoë 🎈' });
  });

  test('get the primary key that the stream lacks from process(), as a response does', async () => {
    const getStream = new RestEndpoint({
      path: '/:username',
      schema: Stream,
      process(value: Record<string, unknown>, args: { username: string }) {
        value['username'] = args.username;
        return value;
      },
    });
    const { server, controller } = await listening({
      write: ({ type, data }) => ({ endpoint: getStream, args: [{ username: type }], value: data }),
    });
    const seen = new Promise<Stream>((resolve) => {
      controller.watch(getStream, { username: 'ann' }, ({ status, ...answer }) => {
        if (status === 'fresh' && 'value' in answer) resolve(answer.value);
      });
    });
    const { response } = await server.asked();
    accept(response).write(
      'event: ann\ndata: {"title":"Speedrun","game":"Celeste","current_viewers":1234,"live":true}\n\n',
    );
    const stream = await seen;
    expect(stream).toBeInstanceOf(Stream);
    expect(stream.pk()).toBe('ann');
    expect(stream.title).toBe('Speedrun');
    expect(controller.get(Stream, { username: 'ann' })).toBe(stream);
  });

  test('continue after a lost connection with the last event id, after the delay that the server asked for', async () => {
    const { server, clock, hasReceived } = await listening({ reconnect: { baseDelay: 10 } });
    const first = await server.asked();
    accept(first.response).write('retry: 5000\n\nid: ä-1\ndata: 1\n\n');
    await hasReceived(1);
    const ended = once(first.response, 'close');
    first.response.end();
    await ended;
    await untilWaiting(clock);
    await clock.pass(4999);
    await turns(10);
    expect([clock.timers.size, server.count()]).toEqual([1, 1]);
    await clock.pass(1);
    const second = await server.asked();
    expect(Buffer.from(second.request.headers['last-event-id'] as string, 'latin1').toString()).toBe('ä-1');
    accept(second.response).write('data: 2\n\n');
    await hasReceived(2);
  });

  test('are not requested again after 204', async () => {
    const { server, clock, errors } = await listening();
    const { response } = await server.asked();
    response.writeHead(204).end();
    await untilIdle(clock);
    expect(errors).toEqual([]);
  });

  test.each([
    [401, {}],
    [404, {}],
    [200, { 'content-type': 'text/html' }],
  ])('are not requested again after %i with %j', async (status, headers) => {
    const { server, clock, errors, failure } = await listening();
    const { response } = await server.asked();
    response.writeHead(status, headers).end('no');
    await failure;
    const type = (headers as Record<string, string>)['content-type'] ?? 'no content type';
    expect(errors).toMatchObject([
      { code: 'stream-refused', status, message: expect.stringContaining(`answered ${status} (${type})`) },
    ]);
    expect(clock.timers.size).toBe(0);
  });

  test.each([503, 429])('are requested again after %i, at the time of Retry-After', async (status) => {
    const { server, clock, failure, hasReceived } = await listening();
    const { response } = await server.asked();
    response.writeHead(status, { 'retry-after': '7' }).end();
    await failure;
    await clock.pass(6999);
    await turns(10);
    expect([clock.timers.size, server.count()]).toEqual([1, 1]);
    await clock.pass(1);
    accept((await server.asked()).response).write('data: 1\n\n');
    await hasReceived(1);
  });

  test('are requested again at the date of Retry-After', async () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const headers = { 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' };
    const source = serverSentEvents('https://events.test/', {
      platform: { now: () => now, fetch: async () => new Response(null, { status: 503, headers }) },
    });
    const delays: number[] = [];
    const events = { opened() {}, message() {}, alive() {}, retryAfter: (delay: number) => void delays.push(delay) };
    await new Promise<unknown>((closed) => void source({ ...events, closed }, undefined));
    expect(delays).toEqual([7000]);
  });

  test('are not fetched from the target of a redirect, which would receive the headers', async () => {
    const other = await eventServer();
    const { server, clock, errors, failure } = await listening();
    const { response } = await server.asked();
    response.writeHead(307, { location: other.url }).end();
    await failure;
    expect(errors).toHaveLength(1);
    expect(clock.timers.size).toBe(1);
  });

  test('are requested again with current headers and a current address', async () => {
    let token = 0;
    const server = await eventServer();
    const clock = new Clock();
    const source = serverSentEvents(async () => `${server.url}/${++token}`, {
      headers: async () => ({ authorization: `Bearer ${token}` }),
      requestInit: { method: 'POST', body: 'which' },
    });
    const controller = new Controller({
      managers: [new StreamManager(source, { platform: clock, presence: new Switch() })],
    });
    onTestFinished(() => controller.dispose());
    const first = await server.asked();
    expect([first.request.url, first.request.method, first.request.headers.authorization]).toEqual([
      '/1',
      'POST',
      'Bearer 0',
    ]);
    const closed = once(first.response, 'close');
    accept(first.response).end();
    await closed;
    await untilWaiting(clock);
    await clock.pass(1000);
    const second = await server.asked();
    expect([second.request.url, second.request.headers.authorization]).toEqual(['/2', 'Bearer 1']);
  });

  test('are not read faster than they are stored', async () => {
    let isHolding = true;
    const held: (() => void)[] = [];
    const { server, received, hasReceived } = await listening({
      capacity: 2,
      schedule: (run) => {
        if (isHolding) held.push(run);
        else setImmediate(run);
        return () => {};
      },
    });
    const { response } = await server.asked();
    accept(response);
    let isDrained = false;
    const drained = once(response, 'drain').then(() => void (isDrained = true));
    for (let sent = 0; sent < 300; sent++) response.write(`data: "${'x'.repeat(60_000)}"\n\n`);
    response.write('event: last\ndata: 1\n\n');
    // Waits until everything is read.
    await Promise.race([drained, turns(2000)]);
    expect([isDrained, received.length, held.length]).toEqual([false, 0, 1]);
    isHolding = false;
    held[0]?.();
    await drained;
    await hasReceived(301);
    expect(received.at(-1)?.type).toBe('last');
    expect(received).toHaveLength(301);
  });

  test('that are too long end the stream', async () => {
    const { server, errors, failure, clock } = await listening({}, { maxEventSize: 100 });
    const { response } = await server.asked();
    const closed = once(response, 'close');
    accept(response).write(`data: ${'x'.repeat(200)}`);
    await failure;
    expect(errors).toMatchObject([{ code: 'stream-event-too-long' }]);
    expect(clock.timers.size).toBe(0);
    await closed;
  });

  test('stop when the controller is disposed of, and the request is aborted', async () => {
    const { server, controller, received, hasReceived } = await listening();
    const { response } = await server.asked();
    accept(response).write('data: 1\n\n');
    await hasReceived(1);
    const closed = once(response, 'close');
    controller.dispose();
    await closed;
    expect(received).toHaveLength(1);
  });

  test('stop when the network is lost, and at a reset, also in the middle of a piece', async () => {
    const seen: unknown[] = [];
    const { server, controller, network } = await listening({
      schedule: (run) => (queueMicrotask(run), () => {}),
      onMessage: (_, { data }) => {
        seen.push(data);
      },
      parse: (data) => {
        if (data === '2') void controller.resetEntireStore();
        return data;
      },
    });
    const { response } = await server.asked();
    const closed = once(response, 'close');
    accept(response).write('data: 1\n\ndata: 2\n\ndata: 3\n\n: comment\n\nretry: 1\n\n');
    await closed;
    network.turn(false);
    network.turn(true);
    expect(seen).not.toContain('3');
  });
});

/** Waits until the network has had time to answer. */
async function turns(count: number): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => void setImmediate(resolve));
}

/** Waits until the manager waits to connect again. */
async function untilWaiting(clock: Clock): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- the network has to come to rest
  while (![...clock.timers.values()].some(({ at }) => at !== 30_000))
    await new Promise((resolve) => void setImmediate(resolve));
}

/** Waits until the manager has given up. */
async function untilIdle(clock: Clock): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop
  while (clock.timers.size > 0) await new Promise((resolve) => void setImmediate(resolve));
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket as Socket, type WebSocket as Line, WebSocketServer } from 'ws';
import {
  Controller,
  Entity,
  StreamManager,
  type StreamOptions,
  webSocket,
  type WebSocketOptions,
} from '../../src/index.ts';
import { Clock, Switch } from './clock.ts';

class Ticker extends Entity {
  product_id = '';
  price = 0;
  override pk(): string {
    return this.product_id;
  }
  static override key = 'Ticker';
}

async function server() {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(sockets, 'listening');
  onTestFinished(() => {
    for (const line of sockets.clients) line.terminate();
    sockets.close();
  });
  const url = `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`;
  const connected = async (): Promise<Line> => ((await once(sockets, 'connection')) as [Line])[0];
  return { url, sockets, connected };
}

type Other = { readonly url?: () => Promise<string> } & WebSocketOptions;

async function listening(options: StreamOptions = {}, { url, ...socket }: Other = {}) {
  const { connected, ...rest } = await server();
  const clock = new Clock();
  const network = new Switch();
  const events = new EventTarget();
  const next = (type: string) =>
    new Promise<void>((resolve) => events.addEventListener(type, () => resolve(), { once: true }));
  const errors: unknown[] = [];
  const stream = new StreamManager(webSocket(url ?? rest.url, { WebSocket: Socket, ...socket }), {
    write: ({ data }) => ({ schema: Ticker, value: data }),
    schedule: (run) => {
      queueMicrotask(run);
      return () => {};
    },
    onOpen: () => events.dispatchEvent(new Event('open')),
    onMessage: () => events.dispatchEvent(new Event('message')),
    onError: (error) => {
      errors.push(error);
      events.dispatchEvent(new Event('error'));
    },
    platform: clock,
    presence: network,
    ...options,
  });
  const first = connected();
  const opened = next('open');
  const controller = new Controller({ managers: [stream], now: clock.now });
  onTestFinished(() => controller.dispose());
  return { ...rest, connected, clock, network, next, errors, stream, controller, first, opened };
}

describe('a WebSocket of a real server', () => {
  test('stores messages, and sends data to the server', async () => {
    const { first, opened, next, stream, controller } = await listening();
    const line = await first;
    await opened;
    const received = once(line, 'message');
    expect(stream.send('subscribe')).toBe(true);
    expect(String((await received)[0])).toBe('subscribe');
    const message = next('message');
    line.send('{"product_id":"BTC","price":1}');
    await message;
    expect(controller.get(Ticker, { product_id: 'BTC' })?.price).toBe(1);
  });

  test('is opened again when it breaks, and reports the reason', async () => {
    const { first, opened, next, clock, connected, errors } = await listening();
    const line = await first;
    await opened;
    const broken = next('error');
    line.terminate();
    await broken;
    expect(errors).toMatchObject([{ code: 'stream-closed', message: expect.stringContaining('code 1006.') }]);
    const again = connected();
    const reopened = next('open');
    await clock.pass(1000);
    await again;
    await reopened;
  });

  test('is not opened again when the server refuses this client', async () => {
    const { first, opened, next, clock, errors } = await listening();
    const line = await first;
    await opened;
    const refused = next('error');
    line.close(1008, 'who are you');
    await refused;
    expect(errors).toMatchObject([{ message: expect.stringContaining('code 1008: who are you.') }]);
    expect(clock.timers.size).toBe(0);
  });

  test('is not opened again when `isFinal` returns true', async () => {
    const { first, opened, next, clock } = await listening({}, { isFinal: ({ code }) => code === 4000 });
    const line = await first;
    await opened;
    const over = next('error');
    line.close(4000);
    await over;
    expect(clock.timers.size).toBe(0);
  });

  test('is closed when the controller is disposed of, and no later message is read', async () => {
    const { first, opened, controller } = await listening();
    const line = await first;
    await opened;
    line.send('{"product_id":"BTC","price":1}');
    const closed = once(line, 'close');
    controller.dispose();
    await closed;
    expect(controller.get(Ticker, { product_id: 'BTC' })).toBeUndefined();
  });

  test('calls `url` for each connection, and can be closed before `url` resolves', async () => {
    let answer = (_url: string): void => {};
    const url = (): Promise<string> => new Promise((resolve) => void (answer = resolve));
    const { controller, sockets } = await listening({}, { url, protocols: 'v1' });
    controller.dispose();
    answer('ws://127.0.0.1:1');
    await new Promise((resolve) => void setImmediate(resolve));
    expect(sockets.clients.size).toBe(0);
  });

  test('uses the protocol of the option `protocols`', async () => {
    const { first, opened } = await listening({}, { protocols: ['v2'] });
    const line = await first;
    await opened;
    expect(line.protocol).toBe('v2');
  });

  test('is opened again when there is no server', async () => {
    const { next, clock, errors } = await listening({}, { url: async () => 'ws://127.0.0.1:1' });
    await next('error');
    expect(errors).toMatchObject([{ code: 'stream-closed' }]);
    expect(clock.timers.size).toBe(1);
  });

  test('is opened again when `url` rejects', async () => {
    const { next, clock, errors } = await listening({}, { url: () => Promise.reject(new Error('no token')) });
    await next('error');
    expect(errors).toMatchObject([{ message: 'no token' }]);
    expect(clock.timers.size).toBe(1);
  });

  test('reports an error when the platform has no WebSocket', async () => {
    const before = globalThis.WebSocket as unknown;
    Reflect.deleteProperty(globalThis, 'WebSocket');
    try {
      const errors: unknown[] = [];
      const next = new Promise<void>((resolve) => {
        const stream = new StreamManager(webSocket('ws://127.0.0.1:1'), {
          presence: new Switch(),
          onError: (error) => {
            errors.push(error);
            resolve();
          },
        });
        const controller = new Controller({ managers: [stream] });
        onTestFinished(() => controller.dispose());
      });
      await next;
      expect(errors).toMatchObject([{ code: 'web-socket-missing' }]);
    } finally {
      if (before !== undefined) Object.assign(globalThis, { WebSocket: before });
    }
  });

  test('reports code 1006 when a socket closes without a code', async () => {
    const listeners = new Map<string, (event: object) => void>();
    class Silent {
      addEventListener(type: string, listener: (event: object) => void): void {
        listeners.set(type, listener);
      }
      send(): void {}
      close(): void {}
    }
    const { errors, next, controller } = await listening({}, { WebSocket: Silent });
    await new Promise((resolve) => void setImmediate(resolve));
    const over = next('error');
    listeners.get('close')?.({});
    await over;
    listeners.get('close')?.({});
    expect(errors).toMatchObject([{ message: expect.stringContaining('code 1006.') }]);
    controller.dispose();
  });
});

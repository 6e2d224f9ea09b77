import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import type { Api } from './start-api.ts';
import { ManualClock, startTestApi } from './testing.ts';

const clock = new ManualClock();
let api: Api;
beforeAll(async () => {
  api = await startTestApi({ clock });
});
afterAll(() => api.close());

interface Message {
  readonly type: string;
  readonly product_id?: string;
  readonly price?: string;
  readonly detail?: string;
}

/** A client, and the messages that it has received. */
class Client {
  readonly socket: WebSocket;
  readonly received: Message[] = [];
  closed: number | undefined;

  constructor(query = '', options: WebSocket.ClientOptions = {}) {
    this.socket = new WebSocket(`${api.url.replace('http', 'ws')}/api/socket${query}`, options);
    this.socket.on('message', (data) => void this.received.push(JSON.parse(String(data)) as Message));
    this.socket.on('close', (code) => (this.closed = code));
  }

  async open(): Promise<this> {
    await once(this.socket, 'open');
    return this;
  }

  send(type: string, ...products: readonly string[]): void {
    this.socket.send(JSON.stringify({ type, product_ids: products }));
  }

  async receives(count: number): Promise<readonly Message[]> {
    await vi.waitUntil(() => this.received.length >= count);
    return this.received;
  }

  async hangUp(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }
}

const connect = (query?: string): Promise<Client> => new Client(query).open();
const simulate = (session: string, simulation: object): Promise<Response> =>
  fetch(`${api.url}/api/simulate`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-session': session },
    body: JSON.stringify(simulation),
  });
const cut = (session: string): Promise<Response> =>
  fetch(`${api.url}/api/simulate/cut`, { method: 'POST', headers: { 'x-session': session } });

describe('the messages of a WebSocket', () => {
  test('a subscriber gets the ticker at once, and then once a second, with its product', async () => {
    const client = await connect();
    client.send('subscribe', 'BTC-USD');
    const ticker = (await (await fetch(`${api.url}/api/products/BTC-USD/ticker`)).json()) as object;
    expect(await client.receives(1)).toEqual([{ type: 'ticker', product_id: 'BTC-USD', ...ticker }]);
    clock.pass(1_000);
    const [first, second] = await client.receives(2);
    expect(second?.price).not.toBe(first?.price);
    clock.pass(3_000);
    expect(await client.receives(5)).toHaveLength(5);
    await client.hangUp();
  });

  test('each of several products is sent, and a product with two subscriptions is sent once', async () => {
    const client = await connect();
    client.send('subscribe', 'BTC-USD', 'ETH-USD');
    client.send('subscribe', 'ETH-USD');
    await client.receives(2);
    clock.pass(1_000);
    expect((await client.receives(4)).map(({ product_id: product }) => product)).toEqual([
      'BTC-USD',
      'ETH-USD',
      'BTC-USD',
      'ETH-USD',
    ]);
    await client.hangUp();
  });

  test('an unsubscribed product is not sent any more', async () => {
    const client = await connect();
    client.send('subscribe', 'BTC-USD', 'ETH-USD');
    await client.receives(2);
    client.send('unsubscribe', 'BTC-USD', 'DOGE-USD');
    // Answers come in the order of the messages: after this one, the other has been handled.
    client.send('subscribe', 'NONE-USD');
    await client.receives(3);
    clock.pass(1_000);
    expect((await client.receives(4)).at(-1)?.product_id).toBe('ETH-USD');
    expect(client.received).toHaveLength(4);
    await client.hangUp();
  });

  test('a product that does not exist is an error, and the others are still sent', async () => {
    const client = await connect();
    client.send('subscribe', 'NONE-USD', 'BTC-USD');
    expect(await client.receives(2)).toMatchObject([
      { type: 'error', detail: 'There is no product "NONE-USD".' },
      { type: 'ticker', product_id: 'BTC-USD' },
    ]);
    await client.hangUp();
  });

  test.each([
    ['no JSON', 'subscribe'],
    ['no object', 'null'],
    ['another type', '{"type":"buy","product_ids":["BTC-USD"]}'],
    ['no products', '{"type":"subscribe"}'],
    ['products that are not names', '{"type":"subscribe","product_ids":[1]}'],
    ['too many products', JSON.stringify({ type: 'subscribe', product_ids: Array.from({ length: 51 }, String) })],
  ])('%s is answered with what it should be', async (_, text) => {
    const client = await connect();
    client.socket.send(text);
    expect(await client.receives(1)).toMatchObject([
      { type: 'error', detail: expect.stringMatching(/^Send \{ "type"/) },
    ]);
    client.send('subscribe', 'BTC-USD');
    expect((await client.receives(2))[1]).toMatchObject({ type: 'ticker' });
    await client.hangUp();
  });

  test('a client that sends too much at once is disconnected', async () => {
    const client = await connect();
    client.socket.send('x'.repeat(20_000));
    await expect.poll(() => client.closed).toBe(1009);
  });
});

describe('a WebSocket', () => {
  test('leaves no timer and no subscription when it is closed', async () => {
    const before = clock.waiting;
    const client = await connect();
    await expect.poll(() => clock.waiting).toBe(before + 1);
    client.send('subscribe', 'BTC-USD');
    await client.hangUp();
    await expect.poll(() => clock.waiting).toBe(before);
  });

  test('is closed with the other connections of its session, and not with those of other sessions', async () => {
    const mine = await connect('?session=mine');
    const other = await connect('?session=other');
    const nameless = await connect();
    expect((await cut('mine')).status).toBe(204);
    await expect.poll(() => mine.closed).toBe(1006);
    const again = await connect('?session=mine');
    expect([again.closed, other.closed, nameless.closed]).toEqual([undefined, undefined, undefined]);
    for (const client of [again, other, nameless]) await client.hangUp();
  });

  test('breaks when its session goes offline, and cannot be opened until it is back', async () => {
    const client = await connect('?session=train');
    await simulate('train', { offline: true });
    await expect.poll(() => client.closed).toBe(1006);
    await expect(connect('?session=train')).rejects.toThrow('socket hang up');
    await simulate('train', {});
    await (await connect('?session=train')).hangUp();
  });

  test('is not opened for a page of another origin', async () => {
    await expect(new Client('', { origin: 'https://elsewhere.example' }).open()).rejects.toThrow('403');
    await (await new Client('', { origin: api.url }).open()).hangUp();
  });

  test('is required by its path: an ordinary request gets an error', async () => {
    const response = await fetch(`${api.url}/api/socket`);
    expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket']);
    expect(await response.json()).toMatchObject({ title: 'Upgrade required' });
  });

  test('cannot be cut without a session', async () => {
    expect((await fetch(`${api.url}/api/simulate/cut`, { method: 'POST' })).status).toBe(400);
  });

  test('is closed when the server stops, and the server does not wait for it', async () => {
    const own = await startTestApi();
    const socket = new WebSocket(`${own.url.replace('http', 'ws')}/api/socket`);
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await own.close();
    expect((await closed)[0]).toBe(1001);
  });
});

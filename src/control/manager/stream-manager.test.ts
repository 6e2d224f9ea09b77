import { describe, expect, it } from 'vitest';
import { Clock, rest, Switch } from '../../../tests/streams/clock.ts';
import { uncaught } from '../../../tests/uncaught.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { NetworkError } from '../../define/rest/network-error.ts';
import { RestEndpoint } from '../../define/rest/rest-endpoint.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Invalidate } from '../../define/schema/invalidate.ts';
import { DataError } from '../../std/data-error.ts';
import { deferred } from '../../std/deferred.ts';
import type { StandardSchema } from '../../std/standard-schema.ts';
import { Controller } from '../controller/controller.ts';
import { serverSentEvents } from './server-sent-events.ts';
import { StreamManager, type StreamOptions } from './stream-manager.ts';
import type { StreamConnection, StreamEvents, StreamMessage } from './stream-source.ts';
import { SubscriptionManager } from './subscription-manager.ts';
import { webSocket } from './web-socket.ts';

class Ticker extends Entity {
  product_id = '';
  price = 0;
  override pk(): string {
    return this.product_id;
  }
  static override key = 'Ticker';
  static override schema = { price: Number };
}

class Todo extends Entity {
  id = 0;
  done = false;
  static override key = 'Todo';
}

/** A server, as a manager sees it. */
class Server {
  readonly lines: {
    readonly events: StreamEvents;
    readonly lastEventId: string | undefined;
    readonly said: unknown[];
    isClosed: boolean;
    isPaused: boolean;
    resumes: number;
  }[] = [];
  canWait = false;
  canHear = true;

  readonly source = (events: StreamEvents, lastEventId: string | undefined): StreamConnection => {
    const line = { events, lastEventId, said: [] as unknown[], isClosed: false, isPaused: false, resumes: 0 };
    this.lines.push(line);
    return {
      ...(this.canHear && { send: (data: unknown) => void line.said.push(data) }),
      ...(this.canWait && {
        pause: () => void (line.isPaused = true),
        resume: () => {
          line.isPaused = false;
          line.resumes++;
        },
      }),
      close: () => void (line.isClosed = true),
    };
  };

  get line(): Server['lines'][number] {
    const line = this.lines.at(-1);
    if (line === undefined) throw new Error('There is no connection.');
    return line;
  }

  get isConnected(): boolean {
    return this.lines.length > 0 && !this.line.isClosed;
  }

  say(product: string, price: number, id?: string): void {
    this.line.events.message({ type: 'message', data: JSON.stringify({ product_id: product, price }), id });
  }

  tell(type: string, record: object): void {
    this.line.events.message({ type, data: JSON.stringify(record) });
  }
}

const getTicker = new Endpoint(async ({ product }: { product: string }) => ({ product_id: product, price: 0 }), {
  name: 'getTicker',
  schema: Ticker,
  pollFrequency: 10,
});

const toTicker = ({ data }: StreamMessage) => ({ schema: Ticker, value: data });
const productOf = ({ data }: StreamMessage): string => (data as { product_id: string }).product_id;

function world(options: StreamOptions = {}, server: Server = new Server()) {
  const clock = new Clock();
  const network = new Switch();
  const errors: unknown[] = [];
  const stream = new StreamManager(server.source, {
    write: toTicker,
    onError: (error) => errors.push(error),
    platform: clock,
    presence: network,
    ...options,
  });
  const controller = new Controller({ managers: [stream, new SubscriptionManager()], now: clock.now });
  const priceOf = (product: string): number | undefined => controller.get(Ticker, { product_id: product })?.price;
  return { clock, network, errors, server, stream, controller, priceOf };
}

describe('a stream', () => {
  it('opens with the controller, and stores each message as `file` says', async () => {
    const { clock, server, controller, priceOf } = world();
    expect(server.lines).toHaveLength(1);
    server.line.events.opened();
    server.say('BTC', 1);
    server.say('ETH', 2);
    await clock.pass(16);
    expect([priceOf('BTC'), priceOf('ETH')]).toEqual([1, 2]);
    controller.dispose();
    expect(server.line.isClosed).toBe(true);
    expect([clock.timers.size]).toEqual([0]);
  });

  it('deletes the record that a message names', async () => {
    const { clock, server, controller, priceOf } = world({
      write: ({ data }) => {
        const { price } = data as { price: number };
        return { schema: price < 0 ? new Invalidate(Ticker) : Ticker, value: data };
      },
    });
    controller.watch(getTicker, { product: 'BTC' }, () => {});
    server.line.events.opened();
    server.say('BTC', 1);
    await clock.pass(16);
    expect(priceOf('BTC')).toBe(1);
    server.say('BTC', -1);
    await clock.pass(16);
    expect(controller.get(Ticker, { product_id: 'BTC' })).toBe(undefined);
  });

  it('adds a record that is new to this client to its lists only if `write` says that it is a new member', async () => {
    const todos = new Collection([Todo]);
    const getTodos = new Endpoint(async (_list: { done: boolean }) => [], { name: 'getTodos', schema: todos });
    const { clock, server, controller } = world({
      write: ({ type, data }) => ({ schema: type === 'created' ? todos.push : Todo, value: data }),
    });
    await controller.setResponse(getTodos, { done: false }, [{ id: 1, done: false }]);
    await controller.setResponse(getTodos, { done: true }, []);
    const idsOf = (done: boolean) => controller.getResponse(getTodos, { done }).data?.map(({ id }) => id);
    server.line.events.opened();
    server.tell('changed', { id: 2, done: false });
    server.tell('created', { id: 3, done: false });
    server.tell('created', { id: 3, done: false });
    await clock.pass(16);
    expect([idsOf(false), idsOf(true)]).toEqual([[1, 3], []]);
    expect(controller.get(Todo, { id: 2 })?.id).toBe(2);
    server.tell('changed', { id: 3, done: true });
    await clock.pass(16);
    expect([idsOf(false), idsOf(true)]).toEqual([[1], [3]]);
  });

  it('adds a record only once that this client creates, if the message comes before the answer of the create', async () => {
    const sent = deferred();
    const todos = new Collection([Todo]);
    const getTodos = new Endpoint(async () => [], { name: 'getTodos', schema: todos });
    const answer = async (todo: { done: boolean }): Promise<object> => {
      await sent.promise;
      return { id: 1, ...todo };
    };
    const create = new Endpoint(answer, {
      name: 'create',
      schema: todos.push,
      sideEffect: true,
      getOptimisticResponse: (_snapshot, todo) => todo,
    });
    const { clock, server, controller } = world({ write: ({ data }) => ({ schema: todos.push, value: data }) });
    await controller.setResponse(getTodos, []);
    server.line.events.opened();
    const created = controller.fetch(create, { done: true });
    expect(controller.get(todos)).toHaveLength(1);
    server.tell('created', { id: 1, done: true });
    await clock.pass(16);
    sent.resolve();
    await created;
    expect(controller.get(todos)?.map(({ id }) => id)).toEqual([1]);
  });

  it('stores all messages of a frame in one commit, and notifies each subscriber once', async () => {
    const { clock, server, controller } = world({
      write: ({ data }) => [
        { endpoint: getTicker, args: [{ product: 'BTC' }], value: data },
        { schema: Ticker, value: data },
      ],
    });
    let commits = 0;
    controller.store.onCommit(() => commits++);
    const keys: string[] = [];
    controller.watch(getTicker, { product: 'BTC' }, ({ status }) => keys.push(status));
    const answers: unknown[] = [];
    controller.watch(Ticker, { product_id: 'BTC' }, (answer) => answers.push(answer));
    server.line.events.opened();
    for (let price = 1; price <= 50; price++) server.say('BTC', price);
    expect(commits).toBe(0);
    await clock.pass(16);
    expect(commits).toBe(1);
    expect(keys).toEqual(['missing', 'fresh']);
    expect(answers).toMatchObject([{ status: 'missing' }, { status: 'fresh', value: { price: 50 } }]);
    await clock.pass(1000);
    expect(commits).toBe(1);
  });

  it('stores a message as the answer of an endpoint, after its process()', async () => {
    const named = getTicker.extend({
      process: (value: { price: number }, { product }: { product: string }) => ({ ...value, product_id: product }),
    });
    const { clock, server, controller } = world({
      write: ({ data }) => [
        { endpoint: named, args: [{ product: 'BTC' }], value: data },
        { endpoint: getTicker, args: [{ product: 'ETH' }], value: { product_id: 'ETH', price: 7 } },
      ],
    });
    server.line.events.opened();
    server.line.events.message({ type: 'message', data: '{"price":5}' });
    await clock.pass(16);
    expect(controller.getResponse(named, { product: 'BTC' }).data).toMatchObject({ product_id: 'BTC', price: 5 });
    expect(controller.getResponse(getTicker, { product: 'ETH' }).data).toMatchObject({ price: 7 });
  });

  it('validates a message with the schema of its endpoint, synchronously or asynchronously', async () => {
    const isPrice = (value: unknown): boolean => typeof (value as { price: unknown }).price === 'number';
    const judge = (isLate: boolean): StandardSchema => ({
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) => {
          const result = isPrice(value) ? { value } : { issues: [{ message: 'no price' }] };
          return isLate ? Promise.resolve(result) : result;
        },
      },
    });
    for (const isLate of [false, true]) {
      const judged = getTicker.extend({ validate: judge(isLate) });
      const { clock, server, errors, priceOf } = world({
        write: ({ data }) => ({ endpoint: judged, args: [{ product: productOf({ type: '', data }) }], value: data }),
      });
      server.line.events.opened();
      server.say('BTC', 1);
      server.line.events.message({ type: 'message', data: '{"product_id":"ETH","price":"x"}' });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await clock.pass(16);
      expect([priceOf('BTC'), priceOf('ETH')]).toEqual([1, undefined]);
      expect(errors).toMatchObject([{ code: 'validation-failed' }]);
    }
  });

  it('passes messages and a controller to `onMessage`, which can dispatch actions', async () => {
    const received: unknown[] = [];
    const { clock, server, priceOf } = world({
      write: () => undefined,
      onMessage: (controller, { type, data }) => {
        received.push(type);
        return controller.dispatch({ type: 'rejoin/set', schema: Ticker, args: [], value: data });
      },
    });
    server.line.events.opened();
    server.line.events.message({ type: 'price', data: '{"product_id":"BTC","price":"3"}' });
    await clock.pass(16);
    expect(received).toEqual(['price']);
    expect(priceOf('BTC')).toBe(3);
  });

  it('stores the other messages when one cannot be parsed, stored or handled', async () => {
    const { clock, server, errors, priceOf } = world({
      onMessage: (_, { data }) => {
        const { product_id } = data as { product_id?: string };
        if (product_id === 'THROWS') throw new Error('thrown');
        return product_id === 'REJECTS' ? Promise.reject(new Error('rejected')) : undefined;
      },
    });
    server.line.events.opened();
    server.line.events.message({ type: 'message', data: '{' });
    server.line.events.message({ type: 'message', data: '{"price":1}' });
    server.say('THROWS', 1);
    server.say('REJECTS', 2);
    server.say('BTC', 3);
    await clock.pass(16);
    expect(errors.map(String).toSorted()).toEqual([
      expect.stringContaining('pk-missing'),
      'Error: rejected',
      'Error: thrown',
      expect.stringContaining('SyntaxError'),
    ]);
    expect(priceOf('BTC')).toBe(3);
  });

  it('passes bytes unchanged, and parses text with the option `parse`', async () => {
    const received: unknown[] = [];
    const bytes = new ArrayBuffer(2);
    const onMessage = (_: unknown, { data }: StreamMessage) => received.push(data);
    const one = world({ write: () => undefined, onMessage });
    one.server.line.events.message({ type: 'message', data: bytes });
    await one.clock.pass(16);
    const other = world({ write: () => undefined, onMessage, parse: (data) => `<${String(data)}>` });
    other.server.line.events.message({ type: 'message', data: 'x' });
    await other.clock.pass(16);
    expect(received[0]).toBe(bytes);
    expect(received[1]).toBe('<x>');
  });

  it('sends data when it is open, and returns false when it cannot send', () => {
    const { server, stream } = world();
    expect(stream.send('a')).toBe(false);
    server.line.events.opened();
    expect(stream.send('b')).toBe(true);
    expect(server.line.said).toEqual(['b']);
    const deaf = new Server();
    deaf.canHear = false;
    const other = world({}, deaf);
    deaf.line.events.opened();
    expect(other.stream.send('c')).toBe(false);
  });
});

describe('a message that waits for its frame', () => {
  const putTicker = new Endpoint(
    async (body: { product_id: string; price: number }) => new Promise((resolve) => setImmediate(resolve, body)),
    { name: 'putTicker', schema: Ticker, sideEffect: true },
  );

  it('does not overwrite an answer or a change that came after it', async () => {
    const { clock, server, controller, priceOf } = world();
    server.line.events.opened();
    for (const product of ['SET', 'PUT', 'ETH']) server.say(product, 1);
    await controller.fetch(putTicker, { product_id: 'PUT', price: 2 });
    await controller.set(Ticker, { product_id: 'SET' }, { product_id: 'SET', price: 2 });
    await clock.pass(16);
    expect(['SET', 'PUT', 'ETH'].map(priceOf)).toEqual([2, 2, 1]);
  });

  it('does not overwrite an answer of its endpoint that came after it', async () => {
    const getPrice = new Endpoint(async () => ({ price: 2 }), { name: 'getPrice' });
    const { clock, server, controller } = world({
      write: () => ({ endpoint: getPrice, args: [], value: { price: 1 } }),
    });
    server.line.events.opened();
    server.say('BTC', 1);
    await controller.fetch(getPrice);
    await clock.pass(16);
    expect(controller.getResponse(getPrice).data).toEqual({ price: 2 });
  });

  it('makes the shown data be fetched again when it differs from the answer of a pending mutation', async () => {
    let price = 1;
    let reads = 0;
    const getOne = new Endpoint(async () => (reads++, { product_id: 'BTC', price }), {
      name: 'getOne',
      schema: Ticker,
      dataExpiryLength: 10 ** 9,
    });
    for (const next of [2, 3]) {
      const { clock, server, controller, priceOf } = world();
      server.line.events.opened();
      // oxlint-disable-next-line no-await-in-loop -- one world after the other
      await controller.fetch(getOne);
      controller.watch(getOne, () => {});
      reads = 0;
      const put = controller.fetch(putTicker, { product_id: 'BTC', price: 2 });
      server.say('BTC', next);
      price = next;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await put;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await clock.pass(100);
      expect([priceOf('BTC'), reads]).toEqual([next, next === 2 ? 0 : 1]);
    }
  });

  it('that deletes the record of a pending mutation is newer than its answer, and a request that shows the record is sent again', async () => {
    const sent: string[] = [];
    const getOne = new Endpoint(async () => (sent.push('one'), { product_id: 'BTC', price: 3 }), {
      name: 'getOne',
      schema: Ticker,
      dataExpiryLength: 10 ** 9,
    });
    const getList = new Endpoint(async () => [], { name: 'getList', schema: new Collection([Ticker]) });
    const { clock, server, controller, priceOf } = world({
      write: ({ data }) => ({ schema: new Invalidate(Ticker), value: data }),
    });
    server.line.events.opened();
    await controller.setResponse(getList, [{ product_id: 'BTC', price: 1 }]);
    await controller.setResponse(getOne, { product_id: 'BTC', price: 1 });
    controller.watch(getOne, () => {});
    const put = controller.fetch(putTicker, { product_id: 'BTC', price: 2 });
    server.say('BTC', 1);
    await clock.pass(16);
    await put;
    expect([priceOf('BTC'), controller.getResponse(getList).data]).toEqual([undefined, []]);
    await clock.pass(100);
    expect([priceOf('BTC'), sent]).toEqual([3, ['one']]);
  });

  it('is stored in all its places, also when one of them is slow or fails', async () => {
    const valid: StandardSchema = {
      '~standard': { version: 1, vendor: 'test', validate: async (value) => ({ value }) },
    };
    const judged = getTicker.extend({ validate: valid });
    const { clock, server, errors, controller, priceOf } = world({
      write: ({ data }) => [
        { endpoint: judged, args: [{ product: 'LATE' }], value: { product_id: 'LATE', price: 1 } },
        { schema: Ticker, value: data },
        { schema: Ticker, value: {} },
      ],
    });
    server.line.events.opened();
    server.say('BTC', 1);
    await clock.pass(16);
    expect([priceOf('BTC'), priceOf('LATE'), errors]).toMatchObject([1, 1, [{ code: 'pk-missing' }]]);
    await controller.set(Ticker, { product_id: 'BTC' }, { product_id: 'BTC', price: 2 });
    server.say('BTC', 3);
    await clock.pass(16);
    expect(priceOf('BTC')).toBe(3);
  });

  it('does not prevent garbage collection after it was stored, replaced or discarded', async () => {
    const isNew = ({ data }: StreamMessage): boolean => (data as { price: number }).price > 1;
    const { clock, server, stream, controller } = world({
      capacity: 2,
      onGap: () => {},
      keyOf: productOf,
      write: (message) => (isNew(message) ? toTicker(message) : undefined),
    });
    server.line.events.opened();
    for (const product of ['A', 'A', 'B', 'C']) server.say(product, 1);
    server.say('C', 2);
    await clock.pass(16);
    server.say('D', 2);
    stream.cleanup();
    await controller.set(Ticker, { product_id: 'X' }, { product_id: 'X', price: 1 });
    await clock.pass(10 ** 9);
    // Rows are kept while an older message may arrive.
    Array.from(controller.collect());
    expect(controller.store.stats().rows).toBe(0);
  });
});

describe('a stream that is too fast', () => {
  it('keeps the newest message of a key', async () => {
    const seen: unknown[] = [];
    const { clock, server } = world({ keyOf: productOf, onMessage: (_, { data }) => seen.push(data) });
    server.line.events.opened();
    for (const price of [1, 2, 3]) server.say('BTC', price);
    server.say('ETH', 1);
    server.say('BTC', 4);
    await clock.pass(16);
    expect(seen).toEqual([
      { product_id: 'ETH', price: 1 },
      { product_id: 'BTC', price: 4 },
    ]);
  });

  it('discards the oldest messages when the server cannot pause, and calls `onGap` once a frame', async () => {
    let gaps = 0;
    const seen: number[] = [];
    const { clock, server } = world({
      capacity: 3,
      onGap: () => gaps++,
      onMessage: (_, { data }) => seen.push((data as { price: number }).price),
    });
    server.line.events.opened();
    for (let price = 1; price <= 10; price++) server.say(`P${price}`, price);
    await clock.pass(16);
    expect(seen).toEqual([8, 9, 10]);
    expect(gaps).toBe(1);
    server.say('BTC', 11);
    await clock.pass(16);
    expect([seen.at(-1), gaps]).toEqual([11, 1]);
  });

  it('pauses the server when it can pause, and discards no message', async () => {
    let gaps = 0;
    const server = new Server();
    server.canWait = true;
    const { clock, priceOf } = world({ capacity: 2, onGap: () => gaps++ }, server);
    server.line.events.opened();
    server.say('A', 1);
    expect(server.line.isPaused).toBe(false);
    server.say('B', 2);
    expect(server.line.isPaused).toBe(true);
    server.say('C', 3);
    await clock.pass(16);
    expect([server.line.isPaused, server.line.resumes]).toEqual([false, 1]);
    expect([priceOf('A'), priceOf('B'), priceOf('C'), gaps]).toEqual([1, 2, 3, 0]);
    server.say('A', 4);
    await clock.pass(16);
    expect([priceOf('A'), server.line.resumes]).toEqual([4, 1]);
  });

  it('is not closed for its silence while it is paused', async () => {
    const server = new Server();
    server.canWait = true;
    let flush = (): void => {};
    const schedule = (run: () => void) => ((flush = run), () => {});
    const { clock } = world({ capacity: 1, heartbeat: 100, schedule }, server);
    server.line.events.opened();
    server.say('A', 1);
    await clock.pass(1050);
    expect(server.lines).toHaveLength(1);
    flush();
    await clock.pass(99);
    expect(server.lines).toHaveLength(1);
    await clock.pass(1);
    expect(server.line.isClosed).toBe(true);
  });
});

describe('a stream that breaks', () => {
  it('while it is paused is not paused on the next connection', async () => {
    const server = new Server();
    server.canWait = true;
    const { clock } = world({ capacity: 1, heartbeat: 2000, schedule: () => () => {} }, server);
    server.line.events.opened();
    server.say('A', 1);
    server.line.events.closed({});
    await clock.pass(1000);
    server.line.events.opened();
    await clock.pass(2000);
    expect(server.isConnected).toBe(false);
  });

  it('cannot send before it is open again', async () => {
    const { clock, server, stream } = world();
    server.line.events.opened();
    server.line.events.closed({});
    expect(stream.send('a')).toBe(false);
    await clock.pass(1000);
    expect(stream.send('b')).toBe(false);
    server.line.events.opened();
    expect(stream.send('c')).toBe(true);
  });

  it('is closed one heartbeat after it opened, and not earlier', async () => {
    const { clock, server } = world({ heartbeat: 20_000 });
    await clock.pass(19_000);
    server.line.events.opened();
    await clock.pass(19_999);
    expect(server.isConnected).toBe(true);
    await clock.pass(1);
    expect(server.isConnected).toBe(false);
  });

  it('does not wait longer when the network reports again that it is available', async () => {
    const { clock, network, server } = world();
    server.line.events.closed({});
    await clock.pass(600);
    network.turn(true);
    await clock.pass(400);
    expect(server.lines).toHaveLength(2);
  });

  it('starts again after a reset, with no delay and no gap of the session before', async () => {
    let gaps = 0;
    const { clock, server, stream, controller } = world({ onGap: () => gaps++ });
    server.line.events.opened();
    for (let time = 0; time < 5; time++) {
      server.line.events.closed({});
      // oxlint-disable-next-line no-await-in-loop -- one break after the other
      await clock.pass(30_000);
    }
    server.line.events.retryAfter(60_000);
    await controller.resetEntireStore();
    stream.open();
    server.line.events.closed({});
    const before = server.lines.length;
    await clock.pass(1000);
    expect(server.lines).toHaveLength(before + 1);
    server.line.events.opened();
    await clock.pass(16);
    expect(gaps).toBe(0);
  });

  it('opens again after a delay, which grows with each failure up to a limit', async () => {
    const { clock, server } = world({ reconnect: { baseDelay: 100, maxDelay: 400 } });
    const waits: number[] = [];
    for (let time = 0; time < 5; time++) {
      server.line.events.closed({});
      const before = server.lines.length;
      const begun = clock.time;
      // oxlint-disable-next-line no-await-in-loop -- one break after the other
      for (let step = 0; step < 20 && server.lines.length === before; step++) await clock.pass(50);
      waits.push(clock.time - begun);
    }
    expect(waits).toEqual([100, 200, 400, 400, 400]);
    // A connection without a message does not reset the delay.
    server.line.events.opened();
    server.line.events.closed({});
    await clock.pass(399);
    expect(server.isConnected).toBe(false);
    await clock.pass(1);
    server.line.events.opened();
    server.line.events.alive();
    server.line.events.closed({});
    await clock.pass(100);
    expect(server.isConnected).toBe(true);
  });

  it('opens again after a random part of the delay, so that clients do not reconnect at the same time', async () => {
    const { clock, server } = world();
    clock.chance = 0.25;
    server.line.events.closed({});
    await clock.pass(249);
    expect(server.lines).toHaveLength(1);
    await clock.pass(1);
    expect(server.lines).toHaveLength(2);
  });

  it('waits as long as the server asks, for one connection or for all later ones', async () => {
    const { clock, server } = world();
    const waits = async (milliseconds: number): Promise<void> => {
      const before = server.lines.length;
      await clock.pass(milliseconds - 1);
      expect(server.lines).toHaveLength(before);
      await clock.pass(1);
      expect(server.lines).toHaveLength(before + 1);
    };
    // Without an open connection, the delay is for the next attempt only.
    server.line.events.retryAfter(5000);
    server.line.events.closed({});
    await waits(5000);
    server.line.events.opened();
    server.line.events.alive();
    server.line.events.closed({});
    await waits(1000);
    // On an open connection, the delay is for each later attempt.
    server.line.events.opened();
    server.line.events.alive();
    server.line.events.retryAfter(7000);
    server.line.events.closed({});
    await waits(7000);
    server.line.events.closed({});
    await waits(7000);
    server.line.events.retryAfter(Number.MAX_VALUE);
    server.line.events.closed({});
    await waits(2 ** 31 - 1);
  });

  it('uses its own delay after a reset, and not the delay that the server asked for before', async () => {
    const { clock, server, stream, controller } = world();
    server.line.events.opened();
    server.line.events.retryAfter(60_000);
    await controller.resetEntireStore();
    stream.open();
    server.line.events.closed({});
    await clock.pass(1000);
    expect(server.lines).toHaveLength(3);
  });

  it('continues after the last message that it received', async () => {
    let gaps = 0;
    const { clock, server } = world({ onGap: () => gaps++ });
    server.line.events.opened();
    server.say('BTC', 1, 'a7');
    server.say('BTC', 2);
    server.line.events.closed({});
    await clock.pass(1000);
    expect(server.line.lastEventId).toBe('a7');
    server.line.events.opened();
    expect(gaps).toBe(0);
    server.say('BTC', 3, '');
    server.line.events.closed({});
    await clock.pass(1000);
    expect(server.line.lastEventId).toBeUndefined();
    server.line.events.opened();
    await clock.pass(16);
    expect(gaps).toBe(1);
  });

  it('ignores events of closed connections', async () => {
    const { clock, server, errors, priceOf } = world();
    const { events } = server.line;
    events.opened();
    events.closed({ error: new Error('broken') });
    events.closed({ error: new Error('broken again') });
    events.message({ type: 'message', data: '{"product_id":"BTC","price":1}' });
    await clock.pass(1000);
    events.closed({});
    expect(errors).toEqual([new Error('broken')]);
    expect(priceOf('BTC')).toBeUndefined();
    expect([server.lines.length, server.isConnected]).toEqual([2, true]);
  });

  it('stays closed after a final close, until it is opened', async () => {
    const { clock, server, errors, stream } = world();
    server.line.events.closed({ error: new Error('no'), isFinal: true });
    await clock.pass(100_000);
    expect([server.lines.length, clock.timers.size]).toEqual([1, 0]);
    expect(errors).toEqual([new Error('no')]);
    stream.open();
    stream.open();
    expect(server.lines).toHaveLength(2);
  });

  it('is closed when no message arrives during one heartbeat', async () => {
    const { clock, server, errors } = world({ heartbeat: 1000 });
    server.line.events.opened();
    await clock.pass(900);
    server.line.events.alive();
    await clock.pass(999);
    expect(server.isConnected).toBe(true);
    await clock.pass(1);
    expect(server.isConnected).toBe(false);
    expect(errors).toMatchObject([{ code: 'stream-silent' }]);
    await clock.pass(1000);
    expect(server.lines).toHaveLength(2);
  });

  it('is closed when it does not open in time, and without a heartbeat never after it has opened', async () => {
    const { clock, server, errors } = world();
    await clock.pass(30_000);
    expect(errors).toMatchObject([{ code: 'stream-silent' }]);
    await clock.pass(1000);
    server.line.events.opened();
    expect(clock.timers.size).toBe(0);
  });

  it('works when the clock is set back', async () => {
    const { clock, server } = world({ heartbeat: 1000 });
    server.line.events.opened();
    clock.time = -3_600_000;
    await clock.pass(1000);
    expect(server.lines).toHaveLength(1);
    await clock.pass(1000);
    expect(server.isConnected).toBe(false);
  });

  it('reports errors of a final close and of messages with `reportError` when there is no `onError`', async () => {
    const reported: unknown[] = [];
    const before = globalThis.reportError;
    globalThis.reportError = (error: unknown) => void reported.push(error);
    try {
      const { clock, server } = world({ onError: undefined } as unknown as StreamOptions);
      server.line.events.closed({ error: new Error('passing') });
      await clock.pass(1000);
      server.line.events.message({ type: 'message', data: '{' });
      server.line.events.closed({ error: new Error('final'), isFinal: true });
      expect(reported).toMatchObject([{ name: 'SyntaxError' }, { message: 'final' }]);
    } finally {
      globalThis.reportError = before;
    }
  });
});

describe('a stream without a network', () => {
  it('is closed, and opens when the network is back', async () => {
    const { clock, network, server, controller } = world();
    server.line.events.opened();
    network.turn(false);
    expect([server.isConnected, clock.timers.size]).toEqual([false, 0]);
    await clock.pass(100_000);
    expect(server.lines).toHaveLength(1);
    network.turn(true);
    network.turn(true);
    await clock.pass(1000);
    expect(server.isConnected).toBe(true);
    network.turn(true);
    expect(server.lines).toHaveLength(2);
    server.line.events.opened();
    await clock.pass(16);
    network.isOn = false;
    server.line.events.closed({});
    expect(clock.timers.size).toBe(0);
    controller.dispose();
    expect(network.listeners.size).toBe(0);
  });

  it('does not open before there is a network', async () => {
    const server = new Server();
    const network = new Switch();
    network.isOn = false;
    const { clock } = world({ presence: network }, server);
    expect(server.lines).toHaveLength(0);
    network.turn(true);
    await clock.pass(1000);
    expect(server.lines).toHaveLength(1);
  });
});

describe('a stream that serves subscriptions', () => {
  const serving = (options: StreamOptions = {}) =>
    world({
      covers: ({ endpoint }) => endpoint === getTicker,
      onSubscribe: (connection, { args }) => connection.send?.(`+${(args[0] as { product: string }).product}`),
      onUnsubscribe: (connection, { args }) => connection.send?.(`-${(args[0] as { product: string }).product}`),
      ...options,
    });

  it('is open while there are subscriptions, and calls `onSubscribe` and `onUnsubscribe` for each of them', async () => {
    const { clock, server, controller } = serving({ onOpen: (connection) => connection.send?.('hello') });
    expect(server.lines).toHaveLength(0);
    await controller.subscribe(getTicker, { product: 'BTC' });
    await controller.subscribe(getTicker, { product: 'BTC' });
    server.line.events.opened();
    await controller.subscribe(getTicker, { product: 'ETH' });
    expect(server.line.said).toEqual(['hello', '+BTC', '+ETH']);
    await controller.unsubscribe(getTicker, { product: 'BTC' });
    await controller.unsubscribe(getTicker, { product: 'ETH' });
    expect(server.line.said).toEqual(['hello', '+BTC', '+ETH', '-ETH']);
    await controller.unsubscribe(getTicker, { product: 'BTC' });
    await clock.pass(4999);
    expect(server.isConnected).toBe(true);
    await clock.pass(1);
    expect(server.isConnected).toBe(false);
    await controller.unsubscribe(getTicker, { product: 'BTC' });
    await clock.pass(5000);
    expect(server.lines).toHaveLength(1);
  });

  it('stays open, without a gap, if the last subscription ends and another one begins soon', async () => {
    const { clock, server, controller } = serving();
    await controller.subscribe(getTicker, { product: 'BTC' });
    server.line.events.opened();
    await controller.unsubscribe(getTicker, { product: 'BTC' });
    await clock.pass(3000);
    await controller.subscribe(getTicker, { product: 'ETH' });
    await clock.pass(60_000);
    expect(server.lines).toHaveLength(1);
    expect(server.line).toMatchObject({ isClosed: false, said: ['+BTC', '-BTC', '+ETH'] });
    await controller.unsubscribe(getTicker, { product: 'ETH' });
    expect(server.line.isClosed).toBe(false);
    controller.dispose();
    expect(server.line.isClosed).toBe(true);
    expect(clock.timers.size).toBe(0);
  });

  it('fetches the data of a subscription that begins again, because messages about it were missed', async () => {
    const refuse = (): never => {
      throw new Error('The server refuses it.');
    };
    for (const [start, options, wanted] of [
      [serving, {}, ['BTC', 'BTC']],
      [serving, { onSubscribe: refuse, onError: () => {} }, ['BTC', 'BTC']],
      [serving, { onGap: () => {} }, ['BTC']],
      // Without `onUnsubscribe`, the server goes on sending these messages.
      [world, {}, ['BTC']],
    ] as const) {
      const sent: string[] = [];
      const getPrice = getTicker.extend({
        fetch: async ({ product }: { product: string }) => {
          sent.push(product);
          return { product_id: product, price: sent.length };
        },
      });
      const { server, controller, priceOf } = start({ covers: ({ endpoint }) => endpoint === getPrice, ...options });
      const [btc, eth] = [{ product: 'BTC' }, { product: 'ETH' }];
      await controller.fetch(getPrice, btc); // oxlint-disable-line no-await-in-loop -- one world after the other
      for (const product of [btc, eth]) void controller.subscribe(getPrice, product);
      server.line.events.opened();
      await controller.unsubscribe(getPrice, btc); // oxlint-disable-line no-await-in-loop
      void controller.unsubscribe(getPrice, eth);
      for (const product of [eth, btc]) void controller.subscribe(getPrice, product);
      await rest(); // oxlint-disable-line no-await-in-loop
      expect([sent, priceOf('BTC')]).toEqual([wanted, wanted.length]);
    }
  });

  it('replaces polls only for the endpoints that it covers', async () => {
    const { clock, server, controller } = serving();
    let polls = 0;
    const other = new Endpoint(async () => ++polls, { name: 'other', pollFrequency: Infinity });
    await controller.subscribe(other);
    expect(server.lines).toHaveLength(0);
    await controller.subscribe(getTicker, { product: 'BTC' });
    // The connection that is being opened has one timer. A poll would have a second one.
    expect(clock.timers.size).toBe(1);
    await controller.unsubscribe(other);
    expect(server.isConnected).toBe(true);
    await controller.unsubscribe(getTicker, { product: 'BTC' });
  });

  it('makes the data of its subscriptions stale and fetches it, also without a reader, when messages may have been missed', async () => {
    const { clock, server, controller } = serving({ covers: ({ endpoint }) => endpoint === getPrice });
    const sent: string[] = [];
    let price = 1;
    const getPrice = getTicker.extend({
      fetch: async ({ product }: { product: string }) => {
        sent.push(product);
        return { product_id: product, price };
      },
    });
    for (const product of ['BTC', 'ETH']) await controller.fetch(getPrice, { product }); // oxlint-disable-line no-await-in-loop -- one after another
    await controller.subscribe(getPrice, { product: 'BTC' });
    await controller.subscribe(getPrice, { product: 'DOT' });
    server.line.events.opened();
    await clock.pass(16);
    const expiry = (product: string): number => controller.getResponse(getPrice, { product }).expiresAt;
    expect([sent.splice(0), expiry('BTC')]).toEqual([['BTC', 'ETH'], 60_000]);
    price = 2;
    server.line.events.closed({});
    await clock.pass(1000);
    server.line.events.opened();
    await clock.pass(16);
    await rest();
    expect(sent).toEqual(['BTC']);
    expect([expiry('BTC') > clock.time, expiry('ETH')]).toEqual([true, 60_000]);
    expect(controller.get(Ticker, { product_id: 'BTC' })?.price).toBe(2);
  });

  it('keeps the data of its subscriptions if it cannot be fetched after a gap', async () => {
    const getPrice = new Endpoint(() => Promise.reject(new Error('no')), { name: 'getPrice', schema: Ticker });
    const { clock, server, controller, errors } = serving({ covers: () => true, onSubscribe: () => {} });
    await controller.setResponse(getPrice, { product_id: 'BTC', price: 1 });
    await controller.subscribe(getPrice);
    server.line.events.opened();
    server.line.events.closed({});
    await clock.pass(1000);
    server.line.events.opened();
    await clock.pass(16);
    await rest();
    expect(controller.get(Ticker, { product_id: 'BTC' })?.price).toBe(1);
    expect([controller.getError(getPrice)?.message, errors]).toEqual(['no', []]);
  });

  it('calls `onGap` when it opens again after it had no subscriber', async () => {
    let gaps = 0;
    const { clock, server, controller } = serving({ onGap: () => gaps++ });
    await controller.subscribe(getTicker, { product: 'BTC' });
    server.line.events.opened();
    await controller.unsubscribe(getTicker, { product: 'BTC' });
    await controller.subscribe(getTicker, { product: 'BTC' });
    expect(gaps).toBe(0);
    server.line.events.opened();
    await clock.pass(16);
    expect(gaps).toBe(1);
  });

  it('reports errors of the callbacks of the application, and stays open', async () => {
    const fail = (what: string) => () => {
      throw new Error(what);
    };
    const { clock, server, errors, controller } = serving({
      onOpen: fail('open'),
      onSubscribe: fail('subscribe'),
      onUnsubscribe: fail('unsubscribe'),
    });
    await controller.subscribe(getTicker, { product: 'BTC' });
    server.line.events.opened();
    await controller.unsubscribe(getTicker, { product: 'BTC' });
    expect(errors.map(String)).toEqual(['Error: open', 'Error: subscribe', 'Error: unsubscribe']);
    await clock.pass(5000);
    expect(server.isConnected).toBe(false);
  });

  it('calls `onSubscribe` for all subscriptions again on each connection', async () => {
    const { clock, server, controller } = serving();
    await controller.subscribe(getTicker, { product: 'BTC' });
    server.line.events.opened();
    server.line.events.closed({});
    await controller.subscribe(getTicker, { product: 'ETH' });
    await clock.pass(1000);
    server.line.events.opened();
    expect(server.line.said).toEqual(['+BTC', '+ETH']);
  });
});

describe('a stream and a session', () => {
  it('is closed by a reset, and stores none of the waiting messages', async () => {
    let gaps = 0;
    const { clock, server, stream, controller, priceOf } = world({ capacity: 1, onGap: () => gaps++ });
    server.line.events.opened();
    server.say('LOST', 1);
    server.say('BTC', 1, 'last');
    const { events } = server.line;
    await controller.resetEntireStore();
    events.message({ type: 'message', data: '{"product_id":"ETH","price":1}' });
    await clock.pass(100_000);
    expect([server.lines.length, server.isConnected, clock.timers.size]).toEqual([1, false, 0]);
    expect([priceOf('BTC'), priceOf('ETH')]).toEqual([undefined, undefined]);
    expect(controller.store.stats().rows).toBe(0);
    stream.open();
    expect(server.line.lastEventId).toBeUndefined();
    server.line.events.opened();
    server.say('XRP', 2);
    await clock.pass(16);
    expect([priceOf('XRP'), priceOf('BTC'), gaps]).toEqual([2, undefined, 0]);
  });

  it('is closed in the middle of a frame when `onMessage` resets the store', async () => {
    let gaps = 0;
    const { clock, server, controller, priceOf } = world({
      capacity: 3,
      onGap: () => gaps++,
      onMessage: (api, { data }) => ((data as { price: number }).price === 0 ? api.resetEntireStore() : undefined),
    });
    server.line.events.opened();
    server.say('LOST', 1);
    server.say('BTC', 1);
    server.say('LOGOUT', 0);
    server.say('ETH', 1);
    await clock.pass(16);
    expect([priceOf('BTC'), priceOf('LOGOUT'), priceOf('ETH'), gaps]).toEqual([undefined, undefined, undefined, 0]);
    expect(controller.store.stats().rows).toBe(0);
    expect(server.isConnected).toBe(false);
  });

  it('can be used with another controller later', async () => {
    const { server, stream, clock, controller } = world({
      covers: () => true,
      onSubscribe: (line) => line.send?.('+'),
    });
    await controller.subscribe(getTicker, { product: 'BTC' });
    controller.dispose();
    const other = new Controller({ managers: [stream], now: clock.now });
    await other.subscribe(getTicker, { product: 'ETH' });
    server.line.events.opened();
    expect(server.line.said).toEqual(['+']);
    other.dispose();
  });

  it('opens again after a reset when there is a new subscription', async () => {
    const { server, controller } = world({ covers: () => true });
    await controller.subscribe(getTicker, { product: 'BTC' });
    await controller.resetEntireStore();
    expect(server.isConnected).toBe(false);
    await controller.subscribe(getTicker, { product: 'BTC' });
    expect(server.isConnected).toBe(true);
  });

  it('stores a message as a `process` returns it that takes its time', async () => {
    const get = new RestEndpoint({
      path: '/:product',
      schema: Ticker,
      process: async (value: object, { product }: { product: string }) => ({ ...value, product_id: product }),
    });
    const { clock, server, priceOf } = world({
      write: ({ type, data }) => ({ endpoint: get, args: [{ product: type }], value: data }),
    });
    server.line.events.opened();
    server.tell('BTC', { price: 1 });
    await clock.pass(16);
    expect(priceOf('BTC')).toBe(1);
  });

  it('does not store a message whose validation ends after a reset', async () => {
    let judge = (): void => {};
    const judged = getTicker.extend({
      validate: {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate: (value: unknown) => new Promise((resolve) => void (judge = () => resolve({ value }))),
        },
      } satisfies StandardSchema,
    });
    const { clock, server, controller } = world({
      write: ({ data }) => ({ endpoint: judged, args: [{ product: 'BTC' }], value: data }),
    });
    server.line.events.opened();
    server.say('BTC', 1);
    await clock.pass(16);
    await controller.resetEntireStore();
    judge();
    await rest();
    expect(controller.store.stats()).toMatchObject({ rows: 0, results: 0 });
  });

  it('connects again for a controller that has replaced another one, and drops the messages for the former one', async () => {
    const { clock, server, stream, controller: former } = world();
    server.line.events.opened();
    server.say('BTC', 1, '7');
    const [line] = server.lines;
    const present = new Controller({ managers: [stream], now: clock.now });
    expect(line?.isClosed).toBe(true);
    expect(server.lines).toHaveLength(2);
    expect(server.line.lastEventId).toBeUndefined();
    server.line.events.opened();
    server.say('ETH', 2);
    former.dispose();
    await clock.pass(16);
    expect(present.get(Ticker, { product_id: 'BTC' })).toBeUndefined();
    expect(present.get(Ticker, { product_id: 'ETH' })?.price).toBe(2);
    expect(former.store.stats().rows).toBe(0);
    present.dispose();
    expect(server.isConnected).toBe(false);
  });

  it('does not serve the subscriptions of a controller that another one has replaced', async () => {
    const {
      clock,
      server,
      stream,
      controller: former,
    } = world({
      covers: () => true,
      onSubscribe: (connection, { key }) => connection.send?.(key),
    });
    const [bitcoin, ether] = [{ product: 'BTC' }, { product: 'ETH' }];
    await former.subscribe(getTicker, bitcoin);
    await former.subscribe(getTicker, ether);
    const present = new Controller({ managers: [stream], now: clock.now });
    await present.subscribe(getTicker, ether);
    await former.unsubscribe(getTicker, ether);
    await former.resetEntireStore();
    server.line.events.opened();
    expect(server.line.said).toEqual([getTicker.key(ether)]);
    await present.unsubscribe(getTicker, ether);
    await clock.pass(5000);
    expect(server.isConnected).toBe(false);
    for (const controller of [former, present]) controller.dispose();
  });

  it.each([
    ['a WebSocket', (url: () => Promise<string>) => webSocket(url, { WebSocket: class {} as never })],
    ['server-sent events', (url: () => Promise<string>) => serverSentEvents(url)],
  ])(
    'of %s is opened again if its address could not be fetched for a while, but not after a refusal',
    async (_, sourceOf) => {
      const failures = [
        new NetworkError(new Response(null, { status: 503 })),
        new NetworkError(new Response(null, { status: 429 })),
        new DataError('request-timeout', 'It took too long.'),
        new NetworkError(new Response(null, { status: 401 })),
      ];
      const ahead = [...failures];
      const source = sourceOf(async () => {
        throw ahead.shift();
      });
      const { clock, errors } = world({}, Object.assign(new Server(), { source }));
      await rest();
      await clock.pass(10_000);
      expect(errors).toEqual(failures);
      expect([ahead.length, clock.timers.size]).toEqual([0, 0]);
    },
  );

  it('is opened again if its source throws', async () => {
    const server = new Server();
    let isBroken = true;
    const { source } = server;
    const breaking: typeof source = (...given) => {
      if (isBroken) throw new Error('no address');
      return source(...given);
    };
    const { clock, errors, controller } = world({}, Object.assign(server, { source: breaking }));
    expect(errors).toEqual([new Error('no address')]);
    isBroken = false;
    await clock.pass(1000);
    expect(server.lines).toHaveLength(1);
    controller.dispose();
  });

  it('is closed when the controller is disposed of', async () => {
    const { clock, network, server, stream, controller } = world({ covers: () => true });
    await controller.subscribe(getTicker, { product: 'BTC' });
    server.line.events.opened();
    server.say('BTC', 1);
    controller.dispose();
    await rest();
    await controller.subscribe(getTicker, { product: 'ETH' });
    stream.open();
    expect([server.isConnected, clock.timers.size, network.listeners.size]).toEqual([false, 0, 0]);
  });

  it.each([
    { heartbeat: 0 },
    { capacity: Number.NaN },
    { reconnect: { baseDelay: -1 } },
    { reconnect: { maxDelay: 0 } },
  ])('refuses %j', (options) => {
    expect(() => world(options)).toThrow(expect.objectContaining({ code: 'manager-option-invalid' }));
  });
});

it('a schedule may run at once: each message is stored when it comes', () => {
  const atOnce = (run: () => void): (() => void) => {
    run();
    return () => {};
  };
  const { server, priceOf } = world({ schedule: atOnce });
  server.line.events.opened();
  for (const price of [1, 2, 3]) {
    server.say('A', price);
    expect(priceOf('A')).toBe(price);
  }
});

it('a connection whose `close` throws is opened again, and the error is reported', async () => {
  const errors = uncaught();
  const server = new Server();
  const source = (...given: Parameters<Server['source']>): StreamConnection => ({
    ...server.source(...given),
    close: () => {
      throw new RangeError('close');
    },
  });
  const clock = new Clock();
  const stream = new StreamManager(source, { heartbeat: 1000, platform: clock, presence: new Switch() });
  const controller = new Controller({ managers: [stream], now: clock.now });
  server.line.events.opened();
  await clock.pass(5000);
  expect(server.lines.length).toBeGreaterThan(1);
  controller.dispose();
  await rest();
  expect(clock.timers.size).toBe(0);
  expect(errors[0]).toMatchObject({ message: 'close' });
});

import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  Controller,
  Entity,
  ExpiryStatus,
  PollingSubscription,
  resource,
  RestEndpoint,
  SubscriptionManager,
} from '../../src/index.ts';
import { type Api, json, startApi } from './api-server.ts';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}
class Ticker extends Entity {
  product_id = '';
  trade_id = 0;
  price = 0;
  time = Temporal.Instant.fromEpochMilliseconds(0);
  override pk(): string {
    return this.product_id;
  }
  static override key = 'Ticker';
  static override schema = { price: Number, time: Temporal.Instant.from };
}

let api: Api;
let trade = 0;
let isBroken = false;
beforeAll(async () => {
  api = await startApi({
    'GET /todos/1': () => json({ id: 1, title: 'Write' }),
    'PATCH /todos/1': ({ body }) =>
      isBroken ? json({}, {}, 500) : json({ id: 1, ...(JSON.parse(body) as object), title: 'Of the server' }),
    'GET /products/BTC-USD/ticker': () =>
      json({ trade_id: ++trade, price: '6268.48', time: '2020-03-20T00:22:57.833897Z' }),
  });
});
afterAll(() => api.close());
beforeEach(() => {
  trade = 0;
  isBroken = false;
});

const todosOf = (url: string) => resource({ urlPrefix: url, path: '/todos/:id', schema: Todo, optimistic: true });
const tickerOf = (url: string) =>
  new RestEndpoint({
    urlPrefix: url,
    path: '/products/:productId/ticker',
    schema: Ticker,
    pollFrequency: 2000,
    process(value, { productId }) {
      value.product_id = productId;
      return value;
    },
  });

describe('a controller alone in a script', () => {
  test('fetches, gets and watches the same object, until it is invalidated', async () => {
    const controller = new Controller();
    const { get } = todosOf(api.url);
    const answers: Answer<Todo>[] = [];
    const stop = controller.watch(get, { id: 1 }, (answer) => void answers.push(answer));
    expect(answers.map(({ status }) => status)).toEqual(['missing']);
    const todo = await controller.fetch(get, { id: 1 });
    expect(controller.get(Todo, { id: 1 })).toBe(todo);
    expect(answers.at(-1)).toMatchObject({ status: 'fresh' });
    expect((answers.at(-1) as { value: Todo }).value).toBe(todo);
    await controller.invalidate(get, { id: 1 });
    expect(controller.getResponse(get, { id: 1 }).expiryStatus).toBe(ExpiryStatus.Invalid);
    const before = answers.length;
    stop();
    await controller.fetch(get, { id: 1 });
    expect(answers).toHaveLength(before);
  });

  test('shows a change at once, and then the answer of the server', async () => {
    const controller = new Controller();
    const { get, partialUpdate } = todosOf(api.url);
    await controller.fetch(get, { id: 1 });
    const changed = controller.fetch(partialUpdate, { id: 1 }, { title: 'Guess' });
    expect(controller.get(Todo, { id: 1 })?.title).toBe('Guess');
    const todo = await changed;
    expect(todo.title).toBe('Of the server');
    expect(controller.get(Todo, { id: 1 })).toBe(todo);
  });

  test('rolls a change back when the server answers 500', async () => {
    const controller = new Controller();
    const { get, partialUpdate } = todosOf(api.url);
    const before = await controller.fetch(get, { id: 1 });
    isBroken = true;
    const changed = controller.fetch(partialUpdate, { id: 1 }, { title: 'Guess' });
    expect(controller.get(Todo, { id: 1 })?.title).toBe('Guess');
    await expect(changed).rejects.toMatchObject({ name: 'NetworkError', status: 500 });
    const after = controller.get(Todo, { id: 1 });
    expect(after).toEqual(before);
    expect(after).toBe(controller.getResponse(get, { id: 1 }).data);
  });

  test('rejects with the status 404 for a missing record', async () => {
    const { get } = todosOf(api.url);
    await expect(new Controller().fetch(get, { id: 2 })).rejects.toMatchObject({ status: 404 });
  });
});

describe('GET /products/:productId/ticker', () => {
  test('has the product_id from the path, a number as its price and an instant as its time', async () => {
    const controller = new Controller();
    const ticker = await controller.fetch(tickerOf(api.url), { productId: 'BTC-USD' });
    expect(ticker).toBe(controller.get(Ticker, { product_id: 'BTC-USD' }));
    expect([ticker.pk(), ticker.trade_id, ticker.price]).toEqual(['BTC-USD', 1, 6268.48]);
    expect(ticker.time.toString()).toBe('2020-03-20T00:22:57.833897Z');
  });

  test('is polled at once, then every 2000 ms', async () => {
    const world = { time: 0 };
    // The test gets each timer, and runs it.
    let planned: (timer: { readonly run: () => void; readonly wait: number }) => void = () => {};
    const nextTimer = (): Promise<{ readonly run: () => void; readonly wait: number }> =>
      new Promise((resolve) => {
        planned = resolve;
      });
    const clock = {
      setTimeout: (run: () => void, wait: number) => planned({ run, wait }),
      clearTimeout: () => {},
    };
    class Polling extends PollingSubscription {
      constructor(...[subscribed, controller]: ConstructorParameters<typeof PollingSubscription>) {
        super(subscribed, controller, { platform: { ...clock, random: Math.random } });
      }
    }
    const controller = new Controller({ managers: [new SubscriptionManager(Polling)], now: () => world.time });
    const getTicker = tickerOf(api.url);
    const args = { productId: 'BTC-USD' };
    let timer = nextTimer();
    await controller.subscribe(getTicker, args);
    for (const wanted of [1, 2]) {
      const { run, wait } = await timer; // oxlint-disable-line no-await-in-loop -- one poll after another
      expect(wait).toBe(wanted === 1 ? 0 : 2000);
      expect(trade).toBe(wanted - 1);
      timer = nextTimer();
      world.time += wait;
      run();
      await timer; // oxlint-disable-line no-await-in-loop -- the answer is stored when the next is planned
      expect(controller.get(Ticker, { product_id: 'BTC-USD' })?.trade_id).toBe(wanted);
    }
    await controller.unsubscribe(getTicker, args);
    controller.dispose();
    expect(trade).toBe(2);
  });
});

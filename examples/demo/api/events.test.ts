import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from './start-api.ts';
import { listen, ManualClock, startTestApi } from './testing.ts';

const clock = new ManualClock();
let api: Api;
beforeAll(async () => {
  api = await startTestApi({ clock });
});
afterAll(() => api.close());

const at = (path: string): string => `${api.url}/api${path}`;
const read = async (path: string): Promise<unknown> => (await fetch(at(path))).json();
const patch = (path: string, body: unknown): Promise<Response> =>
  fetch(at(path), { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const dataOf = <Data>(event: { readonly data: string }): Data => JSON.parse(event.data) as Data;

interface Book {
  readonly sequence: number;
  readonly bids: [string, string][];
  readonly asks: [string, string][];
}
interface Changes {
  readonly sequence: number;
  readonly changes: readonly ['bids' | 'asks', string, string][];
}

function apply(book: Book, { sequence, changes }: Changes): Book {
  const next: Book = { sequence, bids: [...book.bids], asks: [...book.asks] };
  for (const [side, price, size] of changes)
    next[side][next[side].findIndex(([level]) => level === price)] = [price, size];
  return next;
}

test('the ticker changes with the clock, and has the time of the trade but no product', async () => {
  const before = await read('/products/BTC-USD/ticker');
  expect(await read('/products/BTC-USD/ticker')).toEqual(before);
  clock.pass(1_000);
  const after = await read('/products/BTC-USD/ticker');
  expect(after).not.toEqual(before);
  expect(after).not.toHaveProperty('product_id');
  expect(after).toMatchObject({
    time: new Date(clock.now()).toISOString(),
    price: expect.stringMatching(/^\d+\.\d+$/),
  });
});

test('a price has more digits than a number can hold', async () => {
  const { price, updatedAt } = (await read('/price/BTC-USD')) as { price: string; updatedAt: string };
  expect(price).toMatch(/^\d{5}\.\d{18}$/);
  expect(Number(price).toFixed(18)).not.toBe(price);
  expect(updatedAt).toBe(new Date(clock.now()).toISOString());
});

test('a stream does not contain its user, and its number of viewers changes', async () => {
  const stream = await listen(at('/streams/ann/events'));
  const first = dataOf<object>(await stream.next());
  expect(Object.keys(first)).toEqual(['title', 'game', 'current_viewers', 'live']);
  clock.pass(1_000);
  expect(dataOf(await stream.next())).not.toEqual(first);
  stream.close();
});

test('the first order book with all changes applied equals the present one', async () => {
  const stream = await listen(at('/products/ETH-USD/book/events'));
  const snapshot = await stream.next();
  expect(snapshot.event).toBe('snapshot');
  let book = dataOf<Book>(snapshot);
  clock.pass(5_000);
  for (let change = 0; change < 5; change++) {
    const event = await stream.next();
    expect([event.event, event.id]).toEqual(['change', String(book.sequence + 1)]);
    book = apply(book, dataOf<Changes>(event));
  }
  stream.close();
  expect(book).toEqual(await read('/products/ETH-USD/book'));
});

test('a client that reconnects with a Last-Event-ID gets exactly the changes that it missed', async () => {
  const first = await listen(at('/products/ETH-USD/book/events'));
  const { id = '', ...snapshot } = await first.next();
  first.close();
  let book = dataOf<Book>(snapshot);
  clock.pass(10_000);
  const second = await listen(at('/products/ETH-USD/book/events'), { 'last-event-id': id });
  for (let change = 0; change < 10; change++) book = apply(book, dataOf<Changes>(await second.next()));
  second.close();
  expect(book).toEqual(await read('/products/ETH-USD/book'));
});

test('a client that was away for too long, or has an unknown id, gets the whole book', async () => {
  const now = ((await read('/products/ETH-USD/book')) as Book).sequence;
  clock.pass(400_000);
  for (const id of [String(now), '99999999', 'x']) {
    const stream = await listen(at('/products/ETH-USD/book/events'), { 'last-event-id': id });
    expect((await stream.next()).event).toBe('snapshot');
    stream.close();
  }
});

test('each change is sent to all listeners after it is stored', async () => {
  const stream = await listen(at('/events'));
  await patch('/todos/1', { title: 'Told' });
  const changed = await stream.next();
  expect([changed.event, dataOf(changed)]).toEqual([
    'changed',
    { entity: 'Todo', id: 1, value: await read('/todos/1') },
  ]);
  await fetch(at('/todos/2'), { method: 'DELETE' });
  expect(dataOf(await stream.next())).toEqual({ entity: 'Todo', id: 2 });
  stream.close();
});

test('a refused write is sent to no listener', async () => {
  const stream = await listen(at('/events'));
  await patch('/todos/1', { userId: 999_999 });
  await patch('/todos/1', { title: 'First news' });
  expect(dataOf(await stream.next())).toMatchObject({ value: { title: 'First news' } });
  stream.close();
});

test('missed events are sent after a Last-Event-ID; an unknown id tells the client to fetch again', async () => {
  const stream = await listen(at('/events'));
  await patch('/todos/3', { title: 'Heard' });
  const { id = '' } = await stream.next();
  stream.close();
  await patch('/todos/3', { title: 'Missed' });
  const again = await listen(at('/events'), { 'last-event-id': id });
  expect(dataOf(await again.next())).toMatchObject({ value: { title: 'Missed' } });
  again.close();
  const stranger = await listen(at('/events?lastEventId=other-run-1'));
  expect((await stranger.next()).event).toBe('reset');
  stranger.close();
});

test('items change only while a client listens, at the requested rate, and so do the rows of the table', async () => {
  clock.pass(1_000);
  const before = await read('/items?limit=10000');
  clock.pass(5_000);
  expect(await read('/items?limit=10000')).toEqual(before);
  const stream = await listen(at('/items/events?perSecond=80'));
  clock.pass(250);
  const event = await stream.next();
  const changed = dataOf<{ id: number; quantity: number; updatedAt: string }[]>(event);
  expect([event.event, changed.length]).toEqual(['items', 20]);
  expect(await read(`/items/${changed[0]?.id}`)).toMatchObject({
    quantity: changed[0]?.quantity,
    updatedAt: changed[0]?.updatedAt,
  });
  await patch('/items/1', { quantity: 77 });
  const mine = await stream.next();
  expect([mine.event, dataOf(mine)]).toEqual(['item', await read('/items/1')]);
  stream.close();
});

test('a listener that disconnects leaves no timer and no subscription', async () => {
  await expect.poll(() => clock.waiting).toBe(0);
  const streams = await Promise.all(
    ['/events', '/items/events', '/products/BTC-USD/book/events', '/streams/ann/events'].map((path) =>
      listen(at(path)),
    ),
  );
  expect(clock.waiting).toBeGreaterThan(4);
  for (const stream of streams) stream.close();
  await expect.poll(() => clock.waiting).toBe(0);
});

test('a listener gets a heartbeat when there are no events', async () => {
  const response = await fetch(at('/events'));
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe('retry: 1000\n\n');
  clock.pass(15_000);
  expect((await reader?.read())?.value).toBe(': still here\n\n');
  await reader?.cancel();
});

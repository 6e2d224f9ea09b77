import { expect, test } from 'vitest';
import { attachment } from './content-disposition.ts';
import { Channel } from './channel.ts';
import { Market } from './market.ts';
import { Random, scramble } from './random.ts';
import { ManualClock } from './testing.ts';

const STEPS = Array.from({ length: 2_000 }, (_, step) => step);

test('two markets that started at different times have the same prices', () => {
  const early = new ManualClock();
  const late = new ManualClock();
  late.pass(123_456);
  const [first, second] = [new Market(early), new Market(late)];
  early.pass(42_000);
  late.pass(42_000);
  expect(second.price('BTC-USD')).toBe(first.price('BTC-USD'));
  expect(second.book('BTC-USD')).toEqual(first.book('BTC-USD'));
});

test('a price moves every second, a little, and stays near where it began', () => {
  const market = new Market(new ManualClock());
  for (const product of ['BTC-USD', 'DOGE-USD']) {
    const prices = STEPS.map((step) => Number(market.price(product, step)));
    const base = prices.reduce((sum, price) => sum + price, 0) / prices.length;
    expect(new Set(prices).size).toBe(prices.length);
    for (const [step, price] of prices.entries()) {
      expect(Math.abs(price / base - 1)).toBeLessThan(0.06);
      if (step > 0) expect(Math.abs(price / (prices[step - 1] ?? 0) - 1)).toBeLessThan(0.02);
    }
  }
});

test('the prices of products are independent', () => {
  const market = new Market(new ManualClock());
  const ups = (product: string): boolean[] =>
    STEPS.slice(1, 60).map((step) => market.price(product, step) > market.price(product, step - 1));
  expect(ups('BTC-USD')).not.toEqual(ups('ETH-USD'));
});

test('bids are below asks', () => {
  const market = new Market(new ManualClock());
  const { bids, asks } = market.book('ADA-USD', 50) as { bids: [string, string][]; asks: [string, string][] };
  expect(Math.max(...bids.map(([price]) => Number(price)))).toBeLessThan(
    Math.min(...asks.map(([price]) => Number(price))),
  );
  expect([bids.length, asks.length]).toEqual([10, 10]);
});

test('the random numbers of a seed are always the same, evenly spread and within their bounds', () => {
  const random = new Random(7);
  const counts = Array.from({ length: 10 }, () => 0);
  for (let draw = 0; draw < 10_000; draw++) counts[random.whole(0, 9)] = (counts[random.whole(0, 9)] ?? 0) + 1;
  expect(new Random(7).next()).toBe(new Random(7).next());
  expect(new Random(7).next()).not.toBe(new Random(8).next());
  expect(counts).toHaveLength(10);
  const spread = Array.from({ length: 10 }, () => 0);
  for (const step of STEPS) spread[scramble(5, step) % 10] = (spread[scramble(5, step) % 10] ?? 0) + 1;
  for (const count of spread) expect(count).toBeGreaterThan(150);
  expect(['a', 'b']).toContain(random.pick(['a', 'b']));
});

test('a channel keeps its last five hundred events, and knows no id of another run', () => {
  const channel = new Channel('run');
  for (let event = 1; event <= 600; event++) channel.publish('news', event);
  expect(channel.after('run-600')).toEqual([]);
  expect(channel.after('run-599')).toEqual([{ id: 'run-600', name: 'news', data: 600 }]);
  expect(channel.after('run-100')).toHaveLength(500);
  for (const id of ['run-99', 'run-601', 'other-600', 'run-', 'run-x', '']) expect(channel.after(id)).toBe(undefined);
});

test.each([
  ['plain.txt', 'attachment; filename="plain.txt"'],
  ['a"b\\c.txt', String.raw`attachment; filename="a\"b\\c.txt"`],
  ["it's (new)*.txt", `attachment; filename="it's (new)*.txt"`],
  ["é's (new)*.txt", `attachment; filename="e's (new)*.txt"; filename*=UTF-8''%C3%A9%27s%20%28new%29%2A.txt`],
  ['line\nbreak', `attachment; filename="line_break"; filename*=UTF-8''line%0Abreak`],
  [null, 'attachment'],
])('the name %j is sent as %s', (name, header) => {
  expect(attachment(name)).toBe(header);
});

import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import { visitor } from './browser.ts';
import { Reading } from './reading.ts';

const at = new Reading(visitor());

describe('Decimals and instants', () => {
  test('a price keeps every digit, and is multiplied as a decimal', async () => {
    await at.open('/price');
    await at.main.getByLabel('Price of').fill('7');
    const [price = ''] = (await at.texts('dd:nth-of-type(1)'))[0]?.split(',') ?? [];
    // The last of its 18 decimals may be zeros, which are not shown.
    expect(price).toMatch(/^\d+\.\d{12,18}$/);
    expect(price).not.toBe(String(Number(price)));
    // A new price may have come between the two reads.
    await expect
      .poll(async () => {
        const [text = ''] = (await at.texts('dd:nth-of-type(1)'))[0]?.split(',') ?? [];
        return (await at.texts('.big'))[0] === new BigNumber(text).times(7).toFixed();
      })
      .toBe(true);
  });

  test('the digits that a number would lose are marked', async () => {
    await at.open('/price');
    await expect.poll(async () => (await at.texts('.beyond'))[0]?.length ?? 0).toBeGreaterThan(2);
    expect((await at.texts('dd:nth-of-type(3)'))[0]).toMatch(/^\d\d:\d\d:\d\d UTC$/);
  });
});

describe('A stream without an id', () => {
  test('streams have the username that their responses lack, and their fields have the names of the class', async () => {
    const names = await at.api<string[]>('/streams');
    const streams = await Promise.all(
      names.map((name) => at.api<{ title: string; username?: string }>(`/streams/${encodeURIComponent(name)}`)),
    );
    expect(streams.map(({ username }) => username)).toEqual(names.map(() => undefined));
    await at.open('/stream');
    await expect.poll(() => at.texts('article h2 strong')).toEqual(names);
    expect(await at.texts('article p:first-child')).toEqual(streams.map(({ title }) => title));
    for (const line of await at.texts('article p + p')) expect(line).toMatch(/· [\d,]+ watching$/);
  });
});

describe('A polled ticker', () => {
  test('it changes without any input', async () => {
    await at.open('/ticker');
    const price = at.main.locator('article').first().locator('.middle');
    const before = await price.textContent();
    await expect.poll(() => price.textContent()).not.toBe(before);
  });

  test('two tickers of one product share one request and show the same price', async () => {
    await at.open('/ticker');
    await at.main.getByText('Show each ticker twice').click();
    await expect.poll(() => at.main.locator('article').count()).toBe(6);
    const counts = new Map<string, number>();
    for (const line of at.requests()) {
      const path = line.split(' ')[1] ?? '';
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    expect(counts.size).toBe(3);
    for (const count of counts.values()) expect(count).toBeLessThanOrEqual(2);
    const shown = await at.texts('article .middle');
    expect(shown.slice(0, 3)).toEqual(shown.slice(3));
  });

  test('offline it keeps its last price, and it polls again when the network is back', async () => {
    await at.open('/ticker');
    const trade = at.main.locator('article').first().locator('dd').nth(2);
    await trade.waitFor();
    await at.network('offline');
    await expect.poll(() => at.requests().some((line) => line.includes('no answer'))).toBe(true);
    const last = await trade.textContent();
    expect(await at.page.getByRole('alert').count()).toBe(0);
    await at.network('good');
    await expect.poll(() => trade.textContent()).not.toBe(last);
  });
});

import { describe, expect, test } from 'vitest';
import { visitor } from './browser.ts';
import { Reading } from './reading.ts';

const at = new Reading(visitor());

describe('Optimistic updates, races, rollbacks', () => {
  const votes = async (): Promise<number> => Number(await at.page.getByTestId('votes').textContent());
  const vote = () => at.main.getByRole('button', { name: 'Vote' });

  test('optimistic votes are shown at once on a slow network, and are added to each other', async () => {
    await at.open('/races');
    await at.page.getByTestId('votes').waitFor();
    const before = await votes();
    await at.network('slow: 1 s');
    for (let press = 0; press < 3; press++) await vote().click();
    expect(await votes()).toBe(before + 3);
    await at.main.getByRole('button', { name: 'Fetch the post now' }).click();
    await expect.poll(() => at.main.getByText('3 counted,').count()).toBe(1);
    expect(await votes()).toBe(before + 3);
  });

  test('an answer that arrives before an earlier one does not undo a vote', async () => {
    await at.open('/races');
    await at.page.getByTestId('votes').waitFor();
    const before = await votes();
    await at.network('answers in any order');
    const shown: number[] = [];
    await vote().click();
    await vote().click();
    // The second vote is counted before the answer to the first one has arrived.
    await at.main.locator('.lanes li').nth(1).getByText('counted').waitFor();
    shown.push(await votes());
    expect(await at.main.locator('.lanes li').nth(0).textContent()).toContain('pending');
    await at.main.getByText('2 counted').waitFor();
    shown.push(await votes());
    expect(shown).toEqual([before + 2, before + 2]);
  });

  test('an update that fails is rolled back, and no other update is', async () => {
    await at.open('/races');
    await at.page.getByTestId('votes').waitFor();
    const before = await votes();
    await vote().click();
    await expect.poll(() => at.main.getByText('1 counted,').count()).toBe(1);
    await at.network('every change fails');
    await vote().click();
    await expect.poll(() => at.main.getByText('counted, 1 failed').count()).toBe(1);
    expect(await votes()).toBe(before + 1);
  });
});

describe('Edits without a network', () => {
  const outbox = (): Promise<string | null> => at.main.getByLabel('Outbox').getByRole('status').textContent();

  test('a post is kept after a reload, shown in another tab, and sent once when the network is back', async () => {
    await at.open('/offline');
    await at.main.locator('article').first().waitFor();
    const context = at.page.context();
    // The files of the page stay in the cache.
    await expect
      .poll(() => at.page.evaluate(async () => (await (await caches.open('shell')).keys()).length))
      .toBeGreaterThan(2);
    await context.setOffline(true);
    await at.main.getByLabel('New post').fill('Written in a tunnel');
    await at.main.getByRole('button', { name: 'Post', exact: true }).click();
    await expect.poll(outbox).toBe('1 not saved yet');
    await at.page.reload();
    await at.main.getByRole('heading', { name: 'Written in a tunnel' }).waitFor();
    const opened = context.waitForEvent('page');
    await at.main.getByRole('link', { name: 'Open a second tab' }).click();
    const second = await opened;
    await second.getByRole('heading', { name: 'Written in a tunnel' }).waitFor();
    await context.setOffline(false);
    await expect.poll(outbox).toBe('all saved');
    const posts = await at.api<readonly { readonly title: string }[]>('/posts?authorId=5');
    expect(posts.filter(({ title }) => title === 'Written in a tunnel')).toHaveLength(1);
    await second.close();
  });

  test('an edit that is made while the page is offline is sent when the page is online again', async () => {
    await at.open('/offline');
    const first = at.main.locator('article').first();
    await first.waitFor();
    await at.main.getByRole('button', { name: 'Go offline' }).click();
    await first.getByLabel('New title').fill('Renamed');
    await first.getByRole('button', { name: 'Rename' }).click();
    await at.main.getByRole('heading', { name: 'Renamed' }).waitFor();
    expect(await outbox()).toBe('1 not saved yet');
    await at.main.getByRole('button', { name: 'Go online' }).click();
    await expect.poll(outbox).toBe('all saved');
    await at.main.getByRole('heading', { name: 'Renamed' }).waitFor();
  });
});

describe('Ten thousand live rows', () => {
  test('only the rows that changed are rendered', async () => {
    await at.open('/rows');
    await at.main.getByText('10,000 rows', { exact: true }).waitFor();
    const chip = at.main.locator('.chip.accent');
    const rendered = async (): Promise<number> => Number.parseInt((await chip.textContent()) ?? '', 10);
    // The first second counts the rows that were mounted.
    await expect.poll(rendered).toBeLessThan(20);
    await expect.poll(rendered).toBeGreaterThan(0);
    expect(await at.main.locator('.item').count()).toBeLessThan(60);
  });

  test('a change on the server is shown in its row', async () => {
    await at.open('/rows');
    const quantities = (): Promise<string> =>
      at.main
        .locator('.rows .item > :last-child')
        .allTextContents()
        .then((texts) => texts.join(' '));
    await at.main.locator('.item').first().waitFor();
    const before = await quantities();
    await expect.poll(quantities).not.toBe(before);
  });
});

describe('Six warehouses', () => {
  const board = () => at.main.getByRole('region');

  test('are joined with the scarcest of ten thousand items, in ascending order of stock', async () => {
    await at.open('/board');
    await at.page.getByLabel('Changes a second').selectOption('0');
    await expect.poll(() => board().count()).toBe(6);
    for (const warehouse of await board().all()) {
      const quantities = (await warehouse.locator('strong').allTextContents()).map(Number);
      expect(quantities).toHaveLength(6);
      expect(quantities).toEqual(quantities.toSorted((one, other) => one - other));
    }
  });

  test('show each change on the server in sums, numbers of short items and the scarcest items', async () => {
    await at.open('/board');
    await at.page.getByLabel('Changes a second').selectOption('1000');
    await expect.poll(() => board().count()).toBe(6);
    const stock = (): Promise<string | null> => at.main.getByRole('table', { name: 'Stock' }).textContent();
    const scarcest = (): Promise<string[]> => board().allTextContents();
    const before = [await stock(), await scarcest()] as const;
    await expect.poll(stock).not.toBe(before[0]);
    await expect.poll(scarcest).not.toEqual(before[1]);
  });

  test('a new limit for short items changes the numbers without a request', async () => {
    await at.open('/board');
    await at.page.getByLabel('Changes a second').selectOption('0');
    await expect.poll(() => board().count()).toBe(6);
    const requests = at.requests().length;
    await at.page.getByLabel('Short means at most').fill('500');
    const stock = at.main.getByRole('table', { name: 'Stock' }).locator('tbody tr');
    for (const [nth, row] of (await stock.all()).entries()) {
      const items = (await row.locator('td').nth(1).textContent())?.replace(',', '');
      await expect.poll(() => board().nth(nth).locator('.chip').textContent()).toBe(`${items} short`);
    }
    expect(at.requests().length).toBe(requests);
  });
});

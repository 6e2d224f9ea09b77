import { expect, test } from 'vitest';
import { visitor } from './browser.ts';
import { Reading } from './reading.ts';

const at = new Reading(visitor());

test('The developer tools show in two clicks why a page has changed', async () => {
  await at.open('/posts');
  await at.main.locator('article').first().waitFor();
  const tools = at.page.locator('rejoin-devtools');
  await tools.getByRole('button', { name: 'Rejoin' }).click();
  await at.main
    .getByRole('button', { name: /^Rename / })
    .first()
    .click();
  await at.main.getByLabel(/^New name of /).fill('Somebody Else');
  await at.main.getByRole('button', { name: 'Save' }).click();
  await at.main.getByText('Somebody Else').first().waitFor();

  await tools.getByRole('tab', { name: 'Screen' }).click();
  await tools.locator('.line', { hasText: '/api/posts' }).first().click();

  const detail = tools.locator('.detail');
  await expect
    .poll(() => detail.textContent())
    .toMatch(/rendered because of #\d+ the (?:answer|optimistic update) of P\w+ /);
  expect(await detail.textContent()).toMatch(/User \d+ changed/);
});

test('The developer tools show the ten thousand rows of a table without putting them into the page', async () => {
  await at.open('/rows');
  await at.main.locator('.card, .grid').first().waitFor();
  const tools = at.page.locator('rejoin-devtools');
  await tools.getByRole('button', { name: 'Rejoin' }).click();
  const list = tools.getByRole('list', { name: /^Rows of/ });
  await list.waitFor();
  expect(await list.locator('.line').count()).toBeLessThan(60);
});

test.each(['/overview', '/posts', '/', '/issues/7'])(
  'The button of the developer tools does not cover the last line of %s',
  async (path) => {
    await at.page.setViewportSize({ width: 360, height: 800 });
    await at.open(path);
    await at.main.locator('.card, .grid, .stack').first().waitFor();
    await at.page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
    const button = at.page.locator('rejoin-devtools').getByRole('button', { name: 'Rejoin' });
    const { y: top = 0 } = (await button.boundingBox()) ?? {};
    expect(top).toBeGreaterThan(600);
    const end = (): Promise<number> =>
      at.page.evaluate(() => {
        for (const one of [document.documentElement, ...document.querySelectorAll('.panels')])
          one.scrollTop = one.scrollHeight;
        const last = document.querySelectorAll(
          '.screen > :last-child, .panels > :last-child, .stage:last-child > :last-child',
        );
        return Math.max(...Array.from(last, (one) => one.getBoundingClientRect().bottom));
      });
    // The first lines can be shown before the others, which move the end of the page.
    await expect.poll(end).toBeLessThan(top);
    expect(await end()).toBeGreaterThan(0);
  },
);

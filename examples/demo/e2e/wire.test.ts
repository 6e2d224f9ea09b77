import { readFile } from 'node:fs/promises';
import type { WebSocket } from 'playwright';
import { describe, expect, test } from 'vitest';
import { visitor } from './browser.ts';
import { Reading } from './reading.ts';

const demo = visitor();
const at = new Reading(demo);

describe('snake_case, both ways', () => {
  test('a profile is changed in camelCase with an API that uses snake_case', async () => {
    await at.open('/key-case');
    const card = at.main.locator('article').first();
    await card.getByRole('textbox').fill('Captain');
    // The optimistic update shows the name before the server has it.
    const [answer] = await Promise.all([
      at.page.waitForResponse((received) => received.request().method() === 'PATCH'),
      card.getByRole('button').click(),
    ]);
    expect(answer.request().postDataJSON()).toEqual({ preferred_display_name: 'Captain' });
    await expect.poll(() => card.locator('strong').textContent()).toBe('Captain');
    expect(await at.api('/profiles/1')).toMatchObject({ preferred_display_name: 'Captain' });
    await at.page.reload();
    await expect.poll(() => card.locator('strong').textContent()).toBe('Captain');
  });
});

/** The page is busy: it is told that the end was out of view only when it is told that the end is in view. */
function keepEntries(): void {
  const Native = window.IntersectionObserver;
  window.IntersectionObserver = class extends Native {
    constructor(told: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      const kept: IntersectionObserverEntry[] = [];
      super((entries, observer) => {
        kept.push(...entries);
        if (kept.at(-1)?.isIntersecting === true) told(kept.splice(0), observer);
      }, options);
    }
  };
}

describe('Pages by header', () => {
  test.each([
    ['', () => undefined],
    [', also on a busy page', keepEntries],
  ])(
    'the next page is loaded when the end of the list is in view, until there are no more pages%s',
    async (_, begin) => {
      await at.page.addInitScript(begin);
      await at.open('/feed');
      await expect.poll(() => at.main.locator('ol > li').count()).toBe(15);
      await expect
        .poll(
          async () => {
            await at.page.mouse.wheel(0, 20_000);
            return at.main.getByText('There are no more posts.').count();
          },
          { timeout: 60_000 },
        )
        .toBe(1);
      const ids = await at.texts('ol > li .chip');
      const total = Number((await fetch(`${demo.url}/api/posts?perPage=1`)).headers.get('x-total-count'));
      expect(ids).toHaveLength(total);
      expect(new Set(ids).size).toBe(total);
    },
  );

  test('a page that could not be loaded can be loaded again', async () => {
    await at.open('/feed');
    await expect.poll(() => at.main.locator('ol > li').count()).toBe(15);
    await at.network('offline');
    await at.page.mouse.wheel(0, 20_000);
    const again = at.main.getByRole('button', { name: /Try again/ });
    await again.waitFor();
    await at.network('good');
    await again.click();
    await expect.poll(() => at.main.locator('ol > li').count()).toBeGreaterThan(15);
  });
});

describe('File download', () => {
  test('files are saved with their content, under the names in their headers', async () => {
    const files = await at.api<{ id: string; name: string | null; size: number }[]>('/files');
    await at.open('/download');
    await at.main.locator('li').first().waitFor();
    for (const [index, { name, size }] of files.entries()) {
      const [download] = await Promise.all([
        at.page.waitForEvent('download'),
        at.main
          .getByRole('button', { name: /Download/ })
          .nth(index)
          .click(),
      ]);
      // Characters that are not allowed in file names become underscores.
      const safe = (name ?? 'download').replaceAll('"', '_');
      expect(download.suggestedFilename()).toBe(safe);
      expect((await readFile(await download.path())).length).toBe(size);
      await at.main.getByText(`Saved as ${safe}, ${size.toLocaleString('en')} bytes.`).waitFor();
    }
  });

  test('the content of a file does not stay in memory', async () => {
    await at.open('/download');
    await at.main
      .getByRole('button', { name: /Download/ })
      .first()
      .click();
    await at.main.getByText(/^Saved as/).waitFor();
    const tools = at.page.locator('rejoin-devtools');
    await tools.getByRole('button', { name: 'Rejoin' }).click();
    await tools.getByRole('list').first().waitFor();
    expect(await tools.locator('.line').count()).toBe(0);
  });
});

describe('Messages from the server', () => {
  const state = (section: string) => at.main.getByRole('region', { name: section }).getByRole('status');
  const price = () => at.main.getByRole('region', { name: 'Prices' }).locator('.middle').first();
  const votes = () => at.main.getByRole('region', { name: 'Votes' }).locator('li strong').first();

  test('prices come over a WebSocket, and not from polls', async () => {
    await at.open('/pushed');
    await state('Prices').getByText('open, connection 1').waitFor();
    const before = await price().textContent();
    await expect.poll(() => price().textContent()).not.toBe(before);
    const between = await price().textContent();
    await expect.poll(() => price().textContent()).not.toBe(between);
    expect(at.requests().filter((line) => line.includes('BTC-USD/ticker'))).toHaveLength(1);
  });

  test('a vote of another client is shown', async () => {
    await at.open('/pushed');
    await state('Votes').getByText('open, connection 1').waitFor();
    const before = Number(await votes().textContent());
    await at.api('/posts/1/votes', { method: 'POST' });
    await expect.poll(async () => Number(await votes().textContent())).toBe(before + 1);
  });

  test('closed connections are shown as closed, open again, and bring the missed changes', async () => {
    await at.open('/pushed');
    await state('Prices').getByText('open, connection 1').waitFor();
    await state('Votes').getByText('open, connection 1').waitFor();
    const before = Number(await votes().textContent());
    await at.network('offline');
    await state('Prices').getByText('closed, reconnecting').waitFor();
    await state('Votes').getByText('closed, reconnecting').waitFor();
    await at.api('/posts/1/votes', { method: 'POST' });
    const last = await price().textContent();
    await at.network('good');
    await expect.poll(() => state('Prices').textContent()).toMatch(/^open, connection \d/);
    await expect.poll(() => price().textContent()).not.toBe(last);
    await expect.poll(async () => Number(await votes().textContent())).toBe(before + 1);
    expect(await state('Votes').textContent()).toMatch(/^open, connection \d/);
  });

  test('there is no connection without a reader', async () => {
    const sockets: WebSocket[] = [];
    at.page.on('websocket', (socket) => sockets.push(socket));
    await at.open('/pushed');
    await state('Prices')
      .getByText(/^open, connection/)
      .waitFor();
    expect(sockets.some((socket) => !socket.isClosed())).toBe(true);
    await at.page.getByRole('link', { name: 'Overview' }).click();
    await expect.poll(() => sockets.every((socket) => socket.isClosed())).toBe(true);
  });
});

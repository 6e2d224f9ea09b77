import type { Page, Request } from 'playwright';
import { describe, expect, test } from 'vitest';
import { inTurn } from '../../../tests/turn.ts';
import { visitor } from './browser.ts';
import { PATHS, SCREENS, WITHOUT_DATA } from './pages.ts';

const visit = visitor();
/** Core Web Vitals call a value of up to 0.1 good. */
const MOST = 0.01;
const LATE = 300;

const watched = new WeakSet<Page>();

/** Makes a page record which elements move, and how much each movement adds to the sum. */
async function watch(page: Page): Promise<void> {
  if (watched.has(page)) return;
  watched.add(page);
  await page.addInitScript(() => {
    const shifts: { readonly value: number; readonly of: string }[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        readonly value: number;
        readonly sources: readonly { readonly node: Node | null }[];
      })[])
        shifts.push({
          value: entry.value,
          of: entry.sources
            .map(({ node }) => (node instanceof Element ? node.outerHTML : (node?.textContent ?? '')).slice(0, 90))
            .join(' | '),
        });
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/**
 * Returns everything that moved, if it is too much in sum. Movements directly after a press count too, because users also notice what
 * moves a second after a press.
 */
async function moved(page: Page): Promise<readonly { readonly value: number; readonly of: string }[]> {
  // Two frames: the observer is notified of a movement after it has been painted.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const shifts = await page.evaluate(
    () => (globalThis as unknown as { shifts: { value: number; of: string }[] }).shifts,
  );
  return shifts.reduce((all, { value }) => all + value, 0) < MOST ? [] : shifts;
}

/** An event stream does not end. */
const isAnswered = (url: string): boolean => !url.includes('/events');

/** Opens a page whose API answers late, and not before the page has said that it is loading. */
async function openLate(page: Page, path: string): Promise<void> {
  await watch(page);
  let answer = (): void => undefined;
  const saidSo = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/**', async (route) => {
    await saidSo;
    const headers = { ...route.request().headers(), 'x-simulate': `latency=${LATE}` };
    await route.continue({ headers });
  });
  const open = new Set<string>();
  page.on('request', (request) => void (isAnswered(request.url()) && open.add(request.url())));
  const close = (request: Request): void => void open.delete(request.url());
  page.on('requestfinished', close);
  page.on('requestfailed', close);
  await page.goto(visit.url + path);
  if (!WITHOUT_DATA.includes(path)) await page.getByRole('status', { name: 'Loading' }).waitFor();
  answer();
  await page.locator('main .card, main .grid, main .board, main .detail, main search').first().waitFor();
  await expect.poll(async () => open.size + (await page.locator('.skeleton').count())).toBe(0);
}

/** A change on each page, made after its content is shown. */
const CHANGES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  '/overview': async (page) => page.getByRole('button', { name: 'Rename Ann' }).click(),
  '/posts': async (page) => {
    await page
      .getByRole('button', { name: /^Rename/ })
      .first()
      .click();
    await page.getByLabel(/^New name of/).fill('Nobody');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nobody').first().waitFor();
  },
  '/circular': async (page) => {
    await page.getByRole('group', { name: 'Member' }).getByRole('button').nth(2).click();
    await page.locator('main article').waitFor();
  },
  '/todos': async (page) => {
    await page.getByRole('checkbox').nth(2).click();
    await page
      .getByRole('button', { name: /^Delete/ })
      .nth(11)
      .click();
    await expect.poll(() => page.getByRole('button', { name: /^Delete/ }).count()).toBe(11);
  },
  '/currencies': async (page) => void (await page.getByLabel('Volume of at least').selectOption('10000000')),
  '/price': async (page) => page.getByLabel('Price of').fill('7'),
  '/ticker': async (page) => page.getByLabel('Show each ticker twice').click(),
  '/key-case': async (page) => {
    await page.getByRole('textbox').first().fill('Sir');
    await page.getByRole('button', { name: 'Change name' }).first().click();
    await expect.poll(() => page.getByText('Display name: Sir').count()).toBe(1);
  },
  '/feed': async (page) => {
    await page.mouse.wheel(0, 20_000);
    await expect.poll(() => page.locator('main ol > li').count()).toBeGreaterThan(15);
  },
  '/download': async (page) => {
    await page
      .getByRole('button', { name: /^Download/ })
      .first()
      .click();
    await page.getByText(/^Saved as/).waitFor();
  },
  '/pushed': async (page) => {
    const open = page
      .locator('main')
      .getByRole('status')
      .filter({ hasText: /^open, connection/ });
    const connections = async (): Promise<readonly number[]> =>
      (await open.allTextContents()).map((text) => Number.parseInt(text.replaceAll(/\D/g, ''), 10));
    await expect.poll(() => open.count()).toBe(2);
    // Any of the connections may have been closed and opened again before.
    const before = await connections();
    await page.getByRole('button', { name: 'Close both connections' }).click();
    await expect
      .poll(async () => (await connections()).filter((times, at) => times > (before[at] ?? 0)).length)
      .toBe(2);
  },
  '/races': async (page) => {
    for (let press = 0; press < 5; press++) await page.getByRole('button', { name: 'Vote' }).click();
    await page.getByText('5 counted').waitFor();
  },
  '/': async (page) => {
    const row = page.locator('.issue').first();
    await row.getByRole('combobox').first().selectOption('done');
    await row.getByText('saving').waitFor();
    await expect.poll(() => row.getAttribute('aria-busy')).toBe('false');
  },
  '/issues/people': async (page) => {
    await page
      .getByRole('button', { name: /^Rename/ })
      .first()
      .click();
    await page.getByLabel(/^New name of/).fill('Ann Once More');
    await page.keyboard.press('Enter');
    await page.getByText('Ann Once More').first().waitFor();
  },
  '/issues/search': async (page) => {
    await page.getByRole('searchbox').fill('calendar');
    await page.getByText(/found for/).waitFor();
  },
  '/issues/reports': async (page) => {
    await page
      .getByRole('button', { name: /^Done:/ })
      .first()
      .click();
    await expect.poll(() => page.locator('.pending').count()).toBe(0);
  },
  '/rows': async (page) => {
    await page.getByLabel('Changes a second').selectOption('1000');
    await expect
      .poll(async () => Number.parseFloat((await page.locator('main .chip.accent').textContent()) ?? ''))
      .toBeGreaterThan(0);
  },
};

const ALL = [...PATHS, ...SCREENS];
/** Each page is checked on a large screen for one commit, and on a phone for the next. */
const ON_PHONE = inTurn(ALL, 2);
const ON_LARGE = ON_PHONE.length === ALL.length ? ALL : ALL.filter((path) => !ON_PHONE.includes(path));

describe('With a slow API', () => {
  test.each(ON_LARGE)(
    'on a large screen %s shows that its data is loading, and nothing moves, also when its data changes',
    async (path) => {
      const { page } = visit;
      await openLate(page, path);
      expect(await moved(page)).toEqual([]);
      await CHANGES[path]?.(page);
      expect(await moved(page)).toEqual([]);
    },
  );

  test.each(ON_PHONE)('on a phone %s shows that its data is loading, and nothing moves', async (path) => {
    const { page } = visit;
    await page.setViewportSize({ width: 390, height: 844 });
    await openLate(page, path);
    expect(await moved(page)).toEqual([]);
  });
});

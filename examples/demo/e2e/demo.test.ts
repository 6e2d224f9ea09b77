import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DemoServer, startDemo } from './demo-server.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const PATHS = [
  '/',
  '/reverse',
  '/circular',
  '/todos',
  '/currencies',
  '/price',
  '/stream',
  '/ticker',
  '/key-case',
  '/feed',
  '/download',
  '/races',
  '/rows',
];

let demo: DemoServer;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  demo = await startDemo();
  browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ARGS });
}, 120_000);
afterAll(async () => {
  await browser.close();
  await demo.close();
});

beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
});
afterEach(async () => {
  await page.close();
  if (faults.length > 0) throw new Error(faults.join('\n'));
});

const visit = (path: string): Promise<unknown> => page.goto(demo.url + path);
const main = () => page.getByRole('main');

/** The requests that the page says it has made, newest first. */
async function requests(): Promise<string[]> {
  await page.getByRole('tab', { name: 'Requests' }).click();
  const lines = await page.locator('.requests li').allTextContents();
  return lines.map((line) => line.replaceAll(/\s+/g, ' '));
}

describe('Joins', () => {
  test('an author who is renamed under one post is renamed under every post and comment at once', async () => {
    await visit('/');
    const byline = (await main().getByRole('button', { name: /^by / }).first().textContent()) ?? '';
    const name = byline.replace(/^by /, '').replace(' rename', '');
    await main().getByRole('button', { name: /^by / }).first().click();
    await page.getByLabel(`New name of ${name}`).fill('Nobody Else');
    await main().getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => main().getByText(name, { exact: true }).count()).toBe(0);
    expect(await main().getByText('Nobody Else').count()).toBeGreaterThan(0);
    expect((await requests()).filter((line) => line.includes('/posts'))).toHaveLength(1);
  });

  test('what was nested lies in tables of its own', async () => {
    await visit('/');
    await main().locator('article').first().waitFor();
    await page.getByRole('tab', { name: 'Tables' }).click();
    const tables = page.locator('.tables summary .mono');
    await expect.poll(() => tables.allTextContents()).toEqual(expect.arrayContaining(['Post', 'Comment', 'User']));
  });

  test('the posts and comments of a user are found from the other side', async () => {
    await visit('/reverse');
    await main().locator('section li').first().waitFor();
    expect(await main().locator('section').first().locator('li').count()).toBeGreaterThan(0);
  });

  test('the author of a post of a member is that member, the very object', async () => {
    await visit('/circular');
    await main().locator('.note').waitFor();
    expect(await main().locator('.note').textContent()).toContain('is true for every post');
  });

  test('todos show the names of their users, who came with another response', async () => {
    await visit('/todos');
    await main().locator('li').first().waitFor();
    await expect
      .poll(() =>
        main()
          .locator('li .chip', { hasText: /^user \d+$/ })
          .count(),
      )
      .toBe(0);
  });

  test('currencies are sorted by the volume of their joined statistics', async () => {
    await visit('/currencies');
    const volumes = async (): Promise<number[]> =>
      (await main().locator('tbody td:last-child').allTextContents()).map(
        (text) => Number.parseFloat(text.slice(1)) * { K: 1e3, M: 1e6, B: 1e9 }[text.at(-1) as 'K' | 'M' | 'B'],
      );
    await expect.poll(async () => (await volumes()).length).toBeGreaterThan(5);
    const shown = await volumes();
    expect(shown).toEqual(shown.toSorted((a, b) => b - a));
  });
});

describe('Values and keys', () => {
  test('a price keeps every digit, and is multiplied as a decimal', async () => {
    await visit('/price');
    const total = main().locator('.big');
    await total.waitFor();
    await main().getByLabel('What do').fill('1');
    await expect.poll(async () => ((await total.textContent()) ?? '').split('.')[1]?.length ?? 0).toBeGreaterThan(8);
  });

  test('streams have the username that their responses lack', async () => {
    await visit('/stream');
    await main().locator('article').first().waitFor();
    for (const name of await main().locator('article h2').allTextContents()) expect(name).not.toBe('');
  });

  test('a ticker that is shown twice is asked for once', async () => {
    await visit('/ticker');
    await main().getByText('Show each ticker twice').click();
    await expect.poll(() => main().locator('article').count()).toBe(6);
    const counts = new Map<string, number>();
    for (const line of await requests()) {
      const path = line.split(' ')[1] ?? '';
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    expect(counts.size).toBe(3);
    for (const count of counts.values()) expect(count).toBeLessThanOrEqual(2);
  });
});

describe('On the wire', () => {
  test('a profile is changed in camelCase through an API that speaks snake_case', async () => {
    await visit('/key-case');
    const card = main().locator('article').first();
    await card.getByRole('textbox').fill('Captain');
    await card.getByRole('button').click();
    await expect.poll(() => card.locator('strong').textContent()).toBe('Captain');
    await page.reload();
    await expect.poll(() => card.locator('strong').textContent()).toBe('Captain');
  });

  test('the next page comes when the end of the list is in view', async () => {
    await visit('/feed');
    await expect.poll(() => main().locator('ol li').count()).toBe(15);
    await page.mouse.wheel(0, 20_000);
    await expect.poll(() => main().locator('ol li').count()).toBeGreaterThan(15);
  });

  test('a file is saved under the name that its header gives', async () => {
    await visit('/download');
    const name = (await main().locator('li strong').first().textContent()) ?? '';
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      main()
        .getByRole('button', { name: /Download/ })
        .first()
        .click(),
    ]);
    expect(download.suggestedFilename()).toBe(name);
  });
});

describe('Under load', () => {
  const votes = async (): Promise<number> => Number(await page.getByTestId('votes').textContent());

  test('guesses show at once on a slow network, and add up', async () => {
    await visit('/races');
    await page.getByTestId('votes').waitFor();
    const before = await votes();
    await page.getByLabel('answers after').selectOption('1000');
    for (let press = 0; press < 3; press++) await main().getByRole('button', { name: 'Vote' }).click();
    expect(await votes()).toBe(before + 3);
    await main().getByRole('button', { name: 'Fetch it again, in the middle' }).click();
    await expect.poll(() => main().getByText('3 counted,').count()).toBe(1);
    expect(await votes()).toBe(before + 3);
  });

  test('a refused guess takes back itself, and nothing else', async () => {
    await visit('/races');
    await page.getByTestId('votes').waitFor();
    const before = await votes();
    await main().getByRole('button', { name: 'Vote' }).click();
    await expect.poll(() => main().getByText('1 counted,').count()).toBe(1);
    await page.getByLabel('refuses').selectOption('1');
    await main().getByRole('button', { name: 'Vote' }).click();
    await expect.poll(() => main().getByText('counted, 1 refused').count()).toBe(1);
    expect(await votes()).toBe(before + 1);
  });

  test('offline, a new page says what is wrong, and tries again when asked', async () => {
    await visit('/races');
    await page.getByTestId('votes').waitFor();
    await page.getByLabel('offline').check();
    await page.getByRole('link', { name: 'Reverse lookup' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('offline').uncheck();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => main().locator('section li').count()).toBeGreaterThan(0);
  });

  test('of ten thousand rows only those that changed are rendered', async () => {
    await visit('/rows');
    await expect.poll(() => main().locator('.item').count()).toBe(10_000);
    const chip = main().locator('.chip.accent');
    const rendered = async (): Promise<number> => Number(((await chip.textContent()) ?? '').split(' ')[0]);
    // The first second counts the rows that were mounted.
    await expect.poll(rendered).toBeLessThan(200);
    await expect.poll(rendered).toBeGreaterThan(10);
  });
});

describe('Every page', () => {
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

  /** Rules that are broken seriously, each with the first place. */
  async function violations(): Promise<string[]> {
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ path: axe });
    return page.evaluate(async () => {
      const { axe: checker } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { impact: string; id: string; nodes: { html: string }[] }[] }> };
      };
      const found = (await checker.run()).violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
      return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    });
  }

  test.each(PATHS)(
    '%s shows its source, fits a phone, and can be used with a keyboard and a screen reader',
    async (path) => {
      // What holds of thirty rows holds of ten thousand, and axe would look at each.
      await page.route('**/api/items', (route) => route.continue({ url: `${demo.url}/api/items?limit=30` }));
      await visit(path);
      await main().locator('.card, .grid').first().waitFor();
      expect(await page.locator('.code figcaption').allTextContents()).toEqual(['model.ts', 'page.tsx']);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violations()).toEqual([]);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    },
  );
});

import { describe, expect, test } from 'vitest';
import { inTurn } from '../../../tests/turn.ts';
import { violations } from './accessibility.ts';
import { visitor } from './browser.ts';
import { PATHS, WITHOUT_DATA } from './pages.ts';
import { Reading } from './reading.ts';

const demo = visitor();
const at = new Reading(demo);
const ASKING = PATHS.filter((path) => !WITHOUT_DATA.includes(path));

describe('Every page', () => {
  test.each(PATHS)('%s shows its source and its requests, fits on a phone, and is accessible', async (path) => {
    // Axe checks each row. Thirty rows are enough.
    await at.page.route('**/api/items', (route) => route.continue({ url: `${demo.url}/api/items?limit=30` }));
    await at.open(path);
    await at.main.locator('.card, .grid').first().waitFor();
    expect(await violations(at.page)).toEqual([]);
    if (path !== '/overview') {
      expect(await at.page.locator('.code figcaption').allTextContents()).toEqual(['model.ts', 'page.tsx']);
      expect(at.requests().join('\n')).toMatch(/GET \/api\/\S+ 200/);
    }
    await at.page.emulateMedia({ colorScheme: 'dark' });
    // Only the colors differ.
    expect(await violations(at.page, ['color-contrast'])).toEqual([]);
    await at.page.setViewportSize({ width: 390, height: 844 });
    expect(await at.page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    expect(await violations(at.page)).toEqual([]);
  });

  test('all colors of code are readable', async () => {
    await at.open('/offline');
    await at.page.locator('.code').first().waitFor();
    const kinds = await at.page
      .locator('.code .line > span')
      .evaluateAll((all) => all.map(({ className }) => className));
    expect(new Set(kinds)).toEqual(new Set(['', 'c', 'k', 'n', 's', 't']));
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      expect(await violations(at.page, ['color-contrast'], '.nothing')).toEqual([]);
    }
  });

  test.each(inTurn(ASKING, 2))('offline %s shows an error, and shows its content after a retry', async (path) => {
    await at.open(path === '/price' ? '/download' : '/price');
    await at.main.locator('.card').first().waitFor();
    await at.network('offline');
    await at.page.locator(`nav a[href="${path}"]`).click();
    const alert = at.page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/^The request failed\. .+/);
    await at.network('good');
    await at.page.getByRole('button', { name: 'Try again' }).click();
    await at.main.locator('.card').first().waitFor();
    expect(await alert.count()).toBe(0);
  });
});

describe('On a phone', () => {
  test('the links to the other pages are hidden until the user opens them', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.open('/posts');
    const link = at.page.locator('nav').getByRole('link', { name: 'File download' });
    expect(await link.isVisible()).toBe(false);
    await at.page.getByRole('button', { name: 'All pages' }).click();
    await link.click();
    await at.main.getByRole('heading', { name: 'File download' }).waitFor();
    expect(await link.isVisible()).toBe(false);
  });
});

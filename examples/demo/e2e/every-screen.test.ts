import { describe, expect, test } from 'vitest';
import { violations } from './accessibility.ts';
import { visitor } from './browser.ts';
import { SCREENS } from './pages.ts';
import { Reading } from './reading.ts';

const at = new Reading(visitor());
const THERE = '.card, .board, .detail, search';

describe('Every screen', () => {
  test.each(SCREENS)('%s fits on a phone, is accessible, and runs on both libraries', async (path) => {
    await at.open(path);
    await at.main.locator(THERE).first().waitFor();
    expect(await violations(at.page)).toEqual([]);
    await at.page.emulateMedia({ colorScheme: 'dark' });
    await at.page.setViewportSize({ width: 360, height: 740 });
    expect(await at.page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    expect(await violations(at.page)).toEqual([]);
    await at.page.getByRole('button', { name: /^Compare/ }).click();
    const count = async (what: string): Promise<number> =>
      Number(await at.main.locator(`[data-count="${what}"]`).textContent());
    expect(await count('tanstack renders')).toBe(0);
    await at.main.getByRole('button', { name: 'Run on TanStack Query' }).click();
    await at.main.locator('[data-side="tanstack"]').locator(THERE).first().waitFor();
    await expect.poll(() => count('tanstack renders')).toBeGreaterThan(1);
    if (path !== '/issues/search') expect(await count('tanstack requests')).toBeGreaterThan(0);
    expect(await count('rejoin renders')).toBeGreaterThan(1);
    expect(await at.main.locator('.code figcaption').allTextContents()).toContain('rejoin-model.ts');
    expect(await at.page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    expect(await violations(at.page)).toEqual([]);
  });

  // The search sends no request before a key is pressed.
  test.each(SCREENS.filter((path) => path !== '/issues/search'))(
    'offline %s shows an error, and shows its content after a retry',
    async (path) => {
      await at.open('/overview');
      await at.network('offline');
      await at.page.evaluate((to) => {
        history.pushState(null, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
      }, path);
      await at.page.getByRole('alert').waitFor();
      await at.network('good');
      await at.page.getByRole('button', { name: 'Try again' }).click();
      await at.main.locator('.card:not(.note), .board, .detail').first().waitFor();
      expect(await at.page.getByRole('alert').count()).toBe(0);
    },
  );
});

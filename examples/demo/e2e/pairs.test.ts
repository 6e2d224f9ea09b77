import { expect, test } from 'vitest';
import { visitor } from './browser.ts';
import { PATHS } from './pages.ts';
import { Reading } from './reading.ts';

const demo = visitor();
const at = new Reading(demo);

// From each page to each other one, by the link that a visitor would follow. What the pages before have loaded stays in the store.
test('each page shows itself after every other page', { timeout: 300_000 }, async () => {
  // What holds of thirty items holds of ten thousand.
  await at.page.route('**/api/items*', (route) => route.continue({ url: `${demo.url}/api/items?limit=30` }));
  await at.open('/');
  const failed: string[] = [];
  const visit = async (path: string, before: string): Promise<void> => {
    await at.page.locator(`nav a[href="${path}"]`).click();
    await at.page.locator(`nav a[href="${path}"][aria-current]`).waitFor();
    await at.main.locator('.card, .grid, [role="alert"]').first().waitFor();
    if ((await at.page.getByRole('alert').count()) > 0) failed.push(`${before} → ${path}`);
  };
  let walked = 0;
  for (const [nth, path] of PATHS.entries())
    for (const other of PATHS.slice(nth + 1)) {
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      await visit(other, path);
      // oxlint-disable-next-line no-await-in-loop
      await visit(path, other);
      walked += 2;
    }
  expect(failed).toEqual([]);
  expect(walked).toBe(PATHS.length * (PATHS.length - 1));
});

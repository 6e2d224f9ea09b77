import { expect, test } from 'vitest';
import { visitor } from './browser.ts';
import { PATHS, SCREENS } from './pages.ts';
import { Reading } from './reading.ts';

const demo = visitor();
const at = new Reading(demo);
const ALL = [...SCREENS, ...PATHS];

// Opens each page from each other page, as a link does. The data of the earlier pages stays in the store.
test('each page shows its content when the user comes from any other page', async () => {
  // Thirty items are enough here.
  await at.page.route('**/api/items*', (route) => route.continue({ url: `${demo.url}/api/items?limit=30` }));
  await at.open('/');
  const walked = await at.page.evaluate(async (paths) => {
    const failed: string[] = [];
    const frame = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));
    const find = (selector: string): Element | null => document.querySelector(`main ${selector}`);
    const isThere = (): boolean =>
      find('.skeleton') === null && find('.card, .grid, .board, .detail, [role="alert"]') !== null;
    const visit = async (path: string, before: string): Promise<void> => {
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
      // oxlint-disable-next-line no-await-in-loop -- until it is there
      do await frame();
      while (!isThere());
      if (find('[role="alert"]') !== null) failed.push(`${before} → ${path}`);
    };
    let count = 0;
    for (const [nth, path] of paths.entries())
      for (const other of paths.slice(nth + 1)) {
        // oxlint-disable-next-line no-await-in-loop -- one page after the other
        await visit(other, path);
        // oxlint-disable-next-line no-await-in-loop
        await visit(path, other);
        count += 2;
      }
    return { count, failed };
  }, ALL);
  expect(walked).toEqual({ count: ALL.length * (ALL.length - 1), failed: [] });
});

import { expect, test } from 'vitest';
import { inTurn } from '../../../tests/turn.ts';
import { visitor } from './browser.ts';
import { PATHS, SCREENS } from './pages.ts';
import { Reading } from './reading.ts';

const demo = visitor();
const at = new Reading(demo);
const ALL = [...SCREENS, ...PATHS];
/** Each of these pages is visited in turns with all pages after it. */
const FIRST = inTurn([...ALL.keys()], 2);

// Opens each page from each other page, as a link does. The data of the earlier pages stays in the store.
test('each page shows its content when the user comes from any other page', async () => {
  // Thirty items are enough here.
  await at.page.route('**/api/items*', (route) => route.continue({ url: `${demo.url}/api/items?limit=30` }));
  await at.open('/');
  const walked = await at.page.evaluate(
    async ({ paths, first }) => {
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
      for (const nth of first)
        for (const other of paths.slice(nth + 1)) {
          const path = paths[nth] as string;
          // oxlint-disable-next-line no-await-in-loop -- one page after the other
          await visit(other, path);
          // oxlint-disable-next-line no-await-in-loop
          await visit(path, other);
          count += 2;
        }
      return { count, failed };
    },
    { paths: ALL, first: FIRST },
  );
  const count = FIRST.reduce((sum, nth) => sum + 2 * (ALL.length - 1 - nth), 0);
  expect(walked).toEqual({ count, failed: [] });
});

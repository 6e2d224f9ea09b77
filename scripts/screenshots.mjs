// `npm run screenshots -- [folder] [path …]` takes pictures of every page of the demo, or of the given pages, in both themes and at three widths.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { withDemo } from './demo-in-browser.mjs';

const WIDTHS = [360, 768, 1280];
const THEMES = ['light', 'dark'];
const [folder = 'screenshots', ...only] = process.argv.slice(2);

/** Returns the paths of all links on the pages, and of one issue. */
async function pathsOf(page, url) {
  const paths = [];
  for (const start of ['/', '/overview']) {
    await page.goto(url + start);
    await page.locator('nav a').first().waitFor();
    paths.push(...(await page.locator('nav a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))));
  }
  return [...paths, '/issues/7', '/nothing', '/?compare', '/issues/board?compare'];
}

const nameOf = (path) => path.replaceAll(/[^a-z\d]+/g, '-').replaceAll(/^-|-$/g, '') || 'list';

async function shoot(page, path) {
  await page.locator('main .card, main .grid, main .board, main .stack').first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
  if (path.endsWith('?compare')) await page.getByRole('button', { name: /^Compare/ }).click();
  if (path === '/issues/search') {
    await page.getByRole('searchbox').fill('calendar');
    await page.getByText(/found for/).waitFor();
  }
  // Waits for the end of animations, because a moving page looks different in each picture.
  await page.waitForTimeout(400);
}

await withDemo(async ({ url, browser }) => {
  mkdirSync(folder, { recursive: true });
  const first = await browser.newPage();
  const paths = only.length > 0 ? only : await pathsOf(first, url);
  await first.close();
  for (const colorScheme of THEMES)
    for (const width of WIDTHS) {
      const page = await browser.newPage({ colorScheme, reducedMotion: 'reduce', viewport: { width, height: 900 } });
      for (const path of paths) {
        await page.goto(url + path);
        await shoot(page, path);
        await page.screenshot({ path: `${folder}/${nameOf(path)}-${width}-${colorScheme}.png` });
      }
      await page.close();
    }
  console.log(
    `${paths.length * WIDTHS.length * THEMES.length} pictures of ${paths.length} pages in ${resolve(folder)}`,
  );
});

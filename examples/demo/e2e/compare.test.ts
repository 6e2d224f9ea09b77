import { expect, test } from 'vitest';
import { visitor } from './browser.ts';
import { Reading } from './reading.ts';

type Side = 'rejoin' | 'tanstack';
const at = new Reading(visitor());

/** The change on each screen, for both libraries. */
const CHANGES: Readonly<Record<string, () => Promise<void>>> = {
  '/': async () => {
    await at.main.getByLabel('Title of a new issue').fill('Compared');
    await at.page.keyboard.press('Enter');
    await at.main.locator('.issue', { hasText: 'Compared' }).first().waitFor();
  },
  '/issues/board': async () => {
    await at.main.getByRole('region', { name: 'To do', exact: true }).locator('[data-card]').first().focus();
    await at.page.keyboard.press('ArrowRight');
    await at.main.getByText(/: moved to In progress$/).waitFor({ state: 'attached' });
  },
  '/issues/search': async () => {
    // All at once: typed letter by letter, a busy machine would make pauses in which the page searches.
    await at.page.getByRole('searchbox').fill('calendar');
    await at.main.getByText(/found for/).waitFor();
    await at.main.locator('.window .state').first().selectOption('doing');
  },
  '/issues/reports': async () => {
    await at.main
      .getByRole('button', { name: /^Done:/ })
      .first()
      .click();
  },
};

const count = async (side: Side, what: string): Promise<number> =>
  Number(await at.main.locator(`[data-count="${side} ${what}"]`).textContent());

/** The counters of a side, after they have stopped changing. The page shows them after 150 ms without a change. */
async function counted(side: Side): Promise<{ readonly requests: number; readonly renders: number }> {
  let last = '';
  await expect
    .poll(
      async () => {
        const before = last;
        last = `${await count(side, 'requests')} ${await count(side, 'renders')}`;
        return before === last;
      },
      { interval: 800 },
    )
    .toBe(true);
  return { requests: await count(side, 'requests'), renders: await count(side, 'renders') };
}

test.each(Object.entries(CHANGES))(
  '%s has no more lines, requests and renders than on TanStack Query',
  async (path, change) => {
    const run = async (side: Side, name: string) => {
      await at.open(path);
      await at.page.getByRole('button', { name: /^Compare/ }).click();
      await at.main.getByRole('button', { name: `Run on ${name}` }).click();
      await at.main.locator(`.running[data-side="${side}"]`).waitFor();
      const before = await counted(side);
      await change();
      const after = await counted(side);
      const row = at.main.locator('.counts-table tr', { has: at.page.locator(`[data-count="${side} renders"]`) });
      return {
        lines: Number(await row.locator('td').first().textContent()),
        requests: after.requests - before.requests,
        renders: after.renders - before.renders,
      };
    };
    const other = await run('tanstack', 'TanStack Query');
    const own = await run('rejoin', 'Rejoin');
    expect(own.renders).toBeGreaterThan(0);
    expect(own.lines).toBeLessThanOrEqual(other.lines);
    expect(own.requests).toBeLessThanOrEqual(other.requests);
    expect(own.renders).toBeLessThanOrEqual(other.renders);
  },
);

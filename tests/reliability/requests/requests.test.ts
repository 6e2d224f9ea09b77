import { expect, test } from 'vitest';
import { showScreen } from './screens.ts';

const seed = Number(process.env['SEED'] ?? 1);
const runs = Number(process.env['RUNS'] ?? 60);

test('no screen sends a request without a cause', { timeout: 600_000 }, async () => {
  let sent = 0;
  for (let at = seed; at < seed + runs; at++) {
    // oxlint-disable-next-line no-await-in-loop -- one screen after another
    const budgets = await showScreen(at);
    const over = budgets.filter((budget) => budget.uncaused > 0 || budget.burst > 3);
    expect({ seed: at, over }).toEqual({ seed: at, over: [] });
    sent += budgets.reduce((sum, budget) => sum + budget.sent, 0);
  }
  expect(sent).toBeGreaterThan(runs * 3);
});

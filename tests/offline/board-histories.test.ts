import { expect, test, vi } from 'vitest';
import { stubPage } from '../persist/local-storage.ts';
import { seedsInTurn } from '../turn.ts';
import { BoardWorld, historyOf } from './board-histories.ts';

/** 100 histories. `SEED=1 RUNS=5000` runs others. */
const { seed: first, runs } = seedsInTurn(100, 4);

test(
  'if tabs are killed at any operation, stopped, logged out, or of two versions, each saved edit of cards and of their steps has one effect, in order, and all tabs show what the server has',
  { timeout: 60_000 + runs * 500 },
  async () => {
    const page = stubPage();
    for (let seed = first; seed < first + runs; seed++) {
      const world = new BoardWorld(historyOf(seed), page, (document) => vi.stubGlobal('document', document));
      const wrong = await world.run(); // oxlint-disable-line no-await-in-loop -- one history after another
      for (const tab of world.tabs) tab.kill();
      expect([seed, wrong]).toEqual([seed, []]);
    }
  },
);

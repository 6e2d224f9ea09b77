import { afterEach, expect, test, vi } from 'vitest';
import { createRoot } from 'react-dom/client';
import { inTurn, seedsInTurn } from '../turn.ts';
import { type InfiniteSetting, InfiniteWorld } from './infinite-world.tsx';

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => void log.mockClear());

const { seed, runs } = seedsInTurn(24, 24);

const kinds = (['cursor', 'cursors', 'last', 'page', 'offset'] as const).flatMap((paging) =>
  [true, false].flatMap((hasStream) => [true, false].map((isNewestFirst) => ({ paging, hasStream, isNewestFirst }))),
);

test.each(inTurn(kinds, 2))(
  'after a busy history, the infinite lists of several components are parts of the list of the server: $paging, stream $hasStream, newest first $isNewestFirst',
  { timeout: 600_000 },
  async (kind) => {
    for (let at = seed; at < seed + runs; at++) {
      const setting: InfiniteSetting = {
        ...kind,
        isOrdered: (at >> 1) % 2 === 0,
        isOptimistic: at % 2 === 0,
        isFlaky: at % 3 === 0,
        isFailing: at % 5 === 0,
        delay: at % 4 === 1 ? 3000 : 300,
      };
      const root = createRoot(document.createElement('div'));
      const world = new InfiniteWorld(setting, at, root);
      // oxlint-disable-next-line no-await-in-loop -- one history after another
      expect(await world.run(8), `SEED=${at} RUNS=1 ${JSON.stringify(setting)}`).toBeUndefined();
      root.unmount();
    }
  },
);

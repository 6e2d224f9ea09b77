import { expect, test, vi } from 'vitest';
import { seedsInTurn } from '../turn.ts';
import { type Following, FollowedWorld } from './followed-world.ts';

vi.spyOn(console, 'warn').mockImplementation(() => undefined);

const { seed, runs } = seedsInTurn(24, 12);

const pages = [
  { isPaged: false, hasMore: false },
  { isPaged: true, hasMore: false },
  { isPaged: true, hasMore: true },
];
const mutating = ['none', 'plain', 'optimistic'] as const;
const kinds: readonly Following[] = [false, true].flatMap((isOrdered) =>
  [true, false].flatMap((isNewestFirst) =>
    (['nothing', 'cursor'] as const).flatMap((beside) =>
      // Without an order, the answers of two creates do not say which record comes first.
      mutating
        .filter((mutations) => isOrdered || mutations === 'none')
        .flatMap((mutations) =>
          pages.map((page) => ({
            ...page,
            isOrdered,
            isNewestFirst,
            beside,
            mutations,
            isFlaky: mutations === 'plain',
          })),
        ),
    ),
  ),
);

test.each(kinds)(
  'after a busy history, each shown list is the beginning of the list of the server: paged $isPaged, more $hasMore, ordered $isOrdered, newest first $isNewestFirst, beside $beside, mutations $mutations',
  { timeout: 600_000 },
  async (kind) => {
    for (let at = seed; at < seed + runs; at++)
      for (const steps of [6, 12])
        // oxlint-disable-next-line no-await-in-loop -- one history after another
        expect(await new FollowedWorld(kind, at).run(steps), `SEED=${at} RUNS=1, ${steps} steps`).toBeUndefined();
  },
);

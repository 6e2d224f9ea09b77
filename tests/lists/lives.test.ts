import { afterEach, expect, test, vi } from 'vitest';
import { seedsInTurn } from '../turn.ts';
import { Life, type LifeSetting } from './life.ts';

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => void log.mockClear());

const { seed, runs } = seedsInTurn(6, 3);

const filters = [{}, { stage: 'lead' }, { stage: 'won' }, { owner_id: 1 }, { stage: 'won', owner_id: 2 }];
const pages = [1, 2, 3].map((page) => ({ stage: 'lead', limit: 3, page }));
const cursors = [{ limit: 3 }, { limit: 3, cursor: '3' }, { limit: 3, cursor: '6' }, { stage: 'won', limit: 2 }];
const kinds: readonly (readonly [name: string, searches: LifeSetting['searches']])[] = [
  ['lists with filters', filters],
  ['pages by number', pages],
  ['pages by cursor', cursors],
  ['lists that only the server can decide', [{}, { q: '1' }, { q: '2', stage: 'lead' }]],
  ['lists by what an owner is called', [{}, { owner_name: 'ann' }, { owner_name: 'bob', stage: 'lead' }]],
];
const lives: readonly (readonly [name: string, setting: Partial<LifeSetting>])[] = [
  ['are shown and hidden', { visits: 20 }],
  ['come from a server that has rendered them', { isHydrated: true, visits: 10 }],
  ['are reset', { resets: 3, visits: 5 }],
  ['are reset while changes are in flight', { resets: 3, visits: 1, mutations: 6, length: 2000 }],
  ['are garbage-collected', { collections: 10, visits: 20, length: 400_000 }],
  ['get new classes', { replacements: 4, visits: 5 }],
  ['have rules that throw', { isThrowing: true, visits: 5 }],
  [
    'go through all of these events',
    { isHydrated: true, isThrowing: true, resets: 1, collections: 3, replacements: 1, visits: 10 },
  ],
];

test.each(kinds.flatMap(([kind, searches]) => lives.map(([life, setting]) => ({ kind, life, searches, setting }))))(
  'after everything has settled, $kind that $life are those of a fresh GET',
  { timeout: 600_000 },
  async ({ searches, setting }) => {
    let requests = 0;
    for (let at = seed; at < seed + runs; at++) {
      const life = new Life({
        isOptimistic: at % 2 === 0,
        isOrdered: at % 4 < 2,
        isFlaky: at % 3 === 0,
        searches,
        mutations: 20,
        ...setting,
        seed: at,
      });
      // oxlint-disable-next-line no-await-in-loop -- one run after another
      expect(await life.run()).toBeUndefined();
      requests += life.requests;
    }
    if (process.env['TOLD'] !== undefined) process.stdout.write(`${requests / runs / 20} requests a mutation\n`);
  },
);

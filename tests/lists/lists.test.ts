import { afterEach, expect, test, vi } from 'vitest';
import { seedsInTurn } from '../turn.ts';
import { History } from './history.ts';
import { type Setting, World } from './world.ts';

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => void log.mockClear());

const { seed, runs } = seedsInTurn(300, 3);

/** The steps of the first history with a fault. */
function firstFailure(): string | undefined {
  for (let at = seed; at < seed + runs; at++) {
    const history = new History(at);
    const steps: string[] = [];
    for (let step = 0; step < 40; step++) {
      steps.push(history.step());
      const wrong = history.judge();
      if (wrong !== undefined) return `SEED=${at} RUNS=1 shows it again: ${wrong}\n${steps.join('\n')}`;
    }
  }
  return undefined;
}

test(
  'after every answer and every guess of random histories, each list has exactly the records that its arguments select',
  { timeout: 600_000 },
  () => {
    expect(firstFailure()).toBeUndefined();
  },
);

const filters = [{}, { stage: 'lead' }, { stage: 'won' }, { owner_id: 1 }, { stage: 'won', owner_id: 2 }];
const settings: readonly (readonly [name: string, setting: Partial<Setting>])[] = [
  ['lists with filters', { searches: filters }],
  ['lists whose order is declared', { searches: filters, isOrdered: true }],
  ['lists that only the server can decide', { searches: [{}, { q: '1' }, { q: '2', stage: 'lead' }] }],
  ['pages with a total', { searches: [1, 2, 3].map((page) => ({ stage: 'lead', limit: 3, page })), isOrdered: true }],
  ['lists by what an owner is called', { searches: [{}, { owner_name: 'ann' }, { owner_name: 'bob', stage: 'lead' }] }],
  [
    'lists of records that come in part',
    { searches: [{ owner_name: 'ann' }, { owner_id: 1 }, { stage: 'won' }], isPartial: true, isOrdered: true },
  ],
  ['lists of several controllers', { searches: filters, controllers: 3 }],
  ['pages of several controllers', { searches: [1, 2].map((page) => ({ limit: 3, page })), controllers: 2 }],
  ['sorted pages', { searches: [1, 2].map((page) => ({ sort: 'title', limit: 3, page })) }],
  [
    'sorted pages whose order is declared',
    { searches: [1, 2].map((page) => ({ sort: 'title', limit: 3, page })), isOrdered: true },
  ],
  ['lists sorted by the name of an owner', { searches: [{ sort: 'owner.name' }, { sort: 'owner.name', limit: 4 }] }],
  ['sorted lists', { searches: [{ sort: 'title' }, { sort: 'title', stage: 'won' }] }],
];

test.each(
  settings.flatMap(([name, setting]) => [true, false].map((isOptimistic) => ({ name, isOptimistic, setting }))),
)(
  'after everything has settled, $name are those of a fresh GET (optimistic: $isOptimistic)',
  { timeout: 600_000 },
  async ({ isOptimistic, setting }) => {
    let requests = 0;
    const [count, mutations] = [Number(process.env['RUNS'] ?? 12), 20];
    for (let at = seed; at < seed + count; at++) {
      const world = new World({
        isOrdered: false,
        isPartial: false,
        isFlaky: at % 2 === 0,
        searches: [],
        ...setting,
        isOptimistic,
        seed: at,
        mutations,
      });
      // oxlint-disable-next-line no-await-in-loop -- one run after another
      expect(await world.run()).toBeUndefined();
      requests += world.requests;
      // The rules are those of the server, so no answer may refute them.
      expect(log.mock.calls.flat().join(), `seed ${at}`).toBe('');
    }
    if (process.env['TOLD'] !== undefined)
      process.stdout.write(`${requests / count / mutations} requests a mutation\n`);
  },
);

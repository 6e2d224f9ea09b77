import { describe, expect, test } from 'vitest';
import { inTurn } from '../turn.ts';
import { type Fate, type KillPoint, ScriptedTabs, type ScriptStep } from './kill-points.ts';

/** Three people at three tabs. Two of them edit the task that the first one creates, before and after the server has answered. */
const created: readonly ScriptStep[] = [
  ...[0, 1, 2].map((person) => ({ what: 'open', person }) as const),
  { what: 'create', person: 0 },
  { what: 'wait', turns: 2 },
  { what: 'edit', person: 1 },
  { what: 'edit', person: 2 },
  { what: 'edit', person: 0 },
  { what: 'edit', person: 1, at: 0 },
  { what: 'edit', person: 0, at: 0 },
  { what: 'wait', turns: 30 },
  { what: 'edit', person: 0 },
  { what: 'edit', person: 1 },
  { what: 'edit', person: 2 },
  { what: 'wait', turns: 60 },
  { what: 'edit', person: 0 },
  { what: 'edit', person: 1 },
  { what: 'wait', turns: 60 },
];

/** The tab that creates a task is closed before the server has answered, so that another tab sends the create. */
const handedOn: readonly ScriptStep[] = [
  ...[0, 1, 2].map((person) => ({ what: 'open', person }) as const),
  { what: 'create', person: 0 },
  { what: 'wait', turns: 12 },
  { what: 'edit', person: 1 },
  { what: 'close', person: 0 },
  { what: 'wait', turns: 6 },
  { what: 'edit', person: 2 },
  { what: 'wait', turns: 12 },
  { what: 'edit', person: 1 },
  { what: 'edit', person: 2 },
  { what: 'edit', person: 0 },
  { what: 'wait', turns: 60 },
  { what: 'edit', person: 0 },
  { what: 'edit', person: 2 },
  { what: 'wait', turns: 60 },
];

const scripts = { created, handedOn };
const fates: Readonly<Record<string, readonly Fate[]>> = {
  'carries out each request': [],
  'loses the first request': ['lost', 'done', 'lost'],
  'loses the first answer': ['answer lost', 'done', 'answer lost'],
  'answers late': ['late', 'late', 'late', 'late'],
  'loses many': ['lost', 'answer lost', 'lost', 'answer lost', 'lost', 'lost'],
};

describe.each(['created', 'handedOn'] as const)(
  'of three tabs (%s), each edit is carried out once and in order',
  (name) => {
    test.each(inTurn(Object.keys(fates)))(
      'if one of them is killed at any operation, and the server %s',
      { timeout: 600_000 },
      async (outcome) => {
        const run = async (kills: readonly KillPoint[]): Promise<ScriptedTabs> => {
          const tabs = new ScriptedTabs(fates[outcome] ?? [], kills);
          await tabs.run(scripts[name]);
          return tabs;
        };
        const { operations, wrong: wrongWithout } = await run([]);
        expect(wrongWithout).toEqual([]);
        const points = operations.flatMap((count, tab) =>
          Array.from({ length: count }, (_, at) => ({ tab, operation: at + 1 })),
        );
        expect(points.length).toBeGreaterThan(100);
        for (const point of inTurn(points, 2)) {
          const { wrong } = await run([point]); // oxlint-disable-line no-await-in-loop -- one after another
          expect([point, wrong]).toEqual([point, []]);
        }
      },
    );
  },
);

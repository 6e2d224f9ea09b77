import { expect, test } from 'vitest';
import { seedsInTurn } from '../turn.ts';
import { type ListKind, StreamedHistory } from './streamed.ts';

const { seed, runs } = seedsInTurn(800, 4);

test.each<ListKind>([
  { isNewestFirst: false, isOrdered: false, isPaged: false },
  { isNewestFirst: false, isOrdered: true, isPaged: false },
  { isNewestFirst: true, isOrdered: false, isPaged: false },
  { isNewestFirst: true, isOrdered: true, isPaged: false },
  { isNewestFirst: true, isOrdered: true, isPaged: true },
])('a list is that of the server when all answers and messages have arrived, in whatever order: %o', (kind) => {
  for (let at = seed; at < seed + runs; at++) {
    const wrong = new StreamedHistory(at, kind).run(30);
    expect(wrong && `SEED=${at} RUNS=1 shows it again: ${wrong}`).toBeUndefined();
  }
});

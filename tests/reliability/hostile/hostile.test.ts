import { expect, test } from 'vitest';
import { seedsInTurn } from '../../turn.ts';
import { attack } from './attack.ts';
import { generatedPayloads, writtenPayloads } from './payload-list.ts';

test(
  'no written-down hostile input changes a prototype, throws anything untyped or leaves half of itself',
  { timeout: 600_000 },
  () => {
    const written = writtenPayloads();
    expect(written.length).toBeGreaterThan(360);

    for (const payload of written) attack(payload);
  },
);

test(
  'no hostile input put together at random changes a prototype, throws anything untyped or leaves half of itself',
  { timeout: 600_000 },
  () => {
    const { seed, runs } = seedsInTurn(300, 3);
    for (const payload of generatedPayloads(seed, runs)) attack(payload);
  },
);

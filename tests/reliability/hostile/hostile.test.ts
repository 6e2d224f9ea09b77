import { expect, test } from 'vitest';
import { seedsInTurn } from '../../turn.ts';
import { attack } from './attack.ts';
import { generatedPayloads, writtenPayloads } from './payload-list.ts';

test(
  'no hostile input of the list changes a prototype, throws an untyped error or is stored in part',
  { timeout: 600_000 },
  () => {
    const written = writtenPayloads();
    expect(written.length).toBeGreaterThan(360);

    for (const payload of written) attack(payload);
  },
);

test(
  'no random hostile input changes a prototype, throws an untyped error or is stored in part',
  { timeout: 600_000 },
  () => {
    const { seed, runs } = seedsInTurn(300, 3);
    for (const payload of generatedPayloads(seed, runs)) attack(payload);
  },
);

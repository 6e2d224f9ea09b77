import { expect, test } from 'vitest';
import { attack } from './attack.ts';
import { generatedPayloads, writtenPayloads } from './payload-list.ts';

test(
  'no written-down hostile input changes a prototype, throws anything untyped or leaves half of itself',
  { timeout: 120_000 },
  () => {
    const written = writtenPayloads();
    expect(written.length).toBeGreaterThan(360);

    for (const payload of written) attack(payload);
  },
);

test(
  'no hostile input put together at random changes a prototype, throws anything untyped or leaves half of itself',
  { timeout: 120_000 },
  () => {
    for (const payload of generatedPayloads(Number(process.env['SEED'] ?? 1), Number(process.env['RUNS'] ?? 300)))
      attack(payload);
  },
);

import { expect, test } from 'vitest';
import { describeFailure, NOT_YET, runPrograms } from './run.ts';

const seed = Number(process.env['SEED'] ?? 330);
/** The kinds of steps that no program has: `WITHOUT="reload,several classes"`. */
const without = process.env['WITHOUT']?.split(',') ?? NOT_YET;
const runs = Number(process.env['RUNS'] ?? 120);

test('random programs that use the public API break no law', { timeout: 600_000 }, async () => {
  const { failure } = await runPrograms({ seed, runs, without });

  expect(failure && describeFailure(failure)).toBeUndefined();
});

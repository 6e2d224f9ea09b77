import { expect, test } from 'vitest';
import { runLenses } from './lenses.ts';

const seed = Number(process.env['SEED'] ?? 1);

test('a value that is written for one lens is not seen through another, and does not change the objects of its readers', () => {
  for (let run = 0; run < Number(process.env['RUNS'] ?? 200); run++) expect(runLenses(seed + run, 40)).toBeUndefined();
});

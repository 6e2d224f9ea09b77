import { expect, test } from 'vitest';
import { runLenses } from './lenses.ts';

const seed = Number(process.env['SEED'] ?? 1);

test('what is told under one lens shows under no other, and changes nothing for readers under another', () => {
  for (let run = 0; run < Number(process.env['RUNS'] ?? 200); run++) expect(runLenses(seed + run, 40)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { runWide } from './wide.ts';
import { runWideKinds } from './wide-kinds.ts';

const seed = Number(process.env['SEED'] ?? 1);

test('long lists, and records that many others contain, equal the model after every change, and unchanged parts stay the same objects', () => {
  for (let run = 0; run < Number(process.env['RUNS'] ?? 20); run++) expect(runWide(seed + run, 60)).toBeUndefined();
});

test('long lists and maps of several kinds, in many collections and with many guesses, equal plain arrays after every change', () => {
  for (let run = 0; run < Number(process.env['RUNS'] ?? 20); run++)
    expect(runWideKinds(seed + run, 60)).toBeUndefined();
});

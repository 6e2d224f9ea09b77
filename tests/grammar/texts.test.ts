import { expect, test } from 'vitest';
import { Random } from '../oracle/random.ts';
import { checkTexts } from './texts.ts';

const seed = Number(process.env['SEED'] ?? 1);
const runs = Number(process.env['RUNS'] ?? 300);

test('each text that is written is read unchanged, and each text that cannot be read is refused with a typed error', async () => {
  const wrong: string[] = [];
  for (let run = 0; run < runs && wrong.length === 0; run++)
    // oxlint-disable-next-line no-await-in-loop -- one program after another
    await checkTexts(new Random(seed + run)).catch((error: unknown) =>
      wrong.push(`SEED=${seed + run} ${String(error)}`),
    );

  expect(wrong).toEqual([]);
});

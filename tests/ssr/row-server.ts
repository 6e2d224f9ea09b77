// node --expose-gc row-server.mjs RUNS SEED FILE: the parts of row R16 that a server plays; the pages of random trees go to FILE.
import { writeFileSync } from 'node:fs';
import { randomOf } from './app.ts';
import { breakoutFaults, breakouts } from './breakouts.ts';
import { foreignMarkers, heapOf } from './leaks.ts';
import { pageOf } from './server.ts';

const [runs = '300', seed = '1', file = ''] = process.argv.slice(2);
const { pages, wrong } = await foreignMarkers(100, 10, randomOf(Number(seed)));
const raw: string[] = [];
for (const text of breakouts) raw.push(...(await breakoutFaults(text)));
const { growth, timers } = await heapOf(Number(runs) * 16);
const trees: unknown[] = [];
for (let at = 0; at < Number(runs); at++) trees.push({ seed: Number(seed) + at, ...(await pageOf(Number(seed) + at)) });
writeFileSync(file, JSON.stringify(trees));
console.log(
  JSON.stringify({ pages, texts: breakouts.length, wrong, raw, rendered: Number(runs) * 16, growth, timers }),
);

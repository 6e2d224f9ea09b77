import * as runs from './run.ts';
import { changing } from '../session/scan.ts';
const profiles = { ...runs, changing };
const { simulate } = profiles;
const [from = '1', count = '20'] = process.argv.slice(2);
const start = performance.now();
let events = 0,
  bad = 0;
const faults = new Map<string, number>();
for (let seed = Number(from); seed < Number(from) + Number(count); seed++) {
  const o = await simulate(seed, (profiles as any)[process.env['P'] ?? 'storm']);
  events += o.events;
  for (const [k, v] of o.faults) faults.set(k, (faults.get(k) ?? 0) + v);
  if (o.wrong) {
    bad++;
    console.log(seed, bad < 4 ? o.wrong : o.wrong.split('\n')[0]);
  }
}
console.log({ events, bad, ms: Math.round(performance.now() - start), faults: Object.fromEntries(faults) });

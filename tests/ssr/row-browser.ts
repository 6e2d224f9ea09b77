// node --import dom.mjs row-browser.mjs FILE: hydrates pages that a server has left there.
import { readFileSync } from 'node:fs';
import { type Node } from './app.ts';
import { faultsOf } from './browser.ts';

interface Sent {
  readonly seed: number;
  readonly node: Node;
  readonly batches: readonly string[];
}

const pages = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as readonly Sent[];
const wrong: string[] = [];
let batches = 0;
for (const page of pages) {
  batches += page.batches.length;
  for (const fault of await faultsOf(page.node, page.batches, page.seed)) wrong.push(`tree ${page.seed} ${fault}`);
}
console.log(JSON.stringify({ pages: pages.length, batches, wrong }));
process.exit(0);

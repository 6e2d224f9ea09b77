import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postsText } from './data.mjs';
import { peers } from '../peers/index.mjs';

/** Returns the file with the response for a cell, and writes it at its first use. `undefined` for rows that have no response. */
export function textFor(row, name, size, outdir) {
  if (!row.needsText) return undefined;
  const typed = peers[name].typed === true;
  const file = join(outdir, `posts-${size}${typed ? '-typed' : ''}.json`);
  if (!existsSync(file)) writeFileSync(file, postsText(size, { typed }));
  return file;
}

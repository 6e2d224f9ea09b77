import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { rowOf } from '../rows/index.mjs';
import { peers } from '../peers/index.mjs';

/** Returns the arguments of `row.measure`: the peer, its name, the size, and the text of the response (with `__typename` if `typed`). */
export async function loadCell({ row, name, size, bundle, text }) {
  const module = await import(pathToFileURL(bundle).href);
  const peer = module[peers[name].name ?? 'peer'];
  const typed = peers[name].typed === true;
  return { row: rowOf(row), cell: { peer, name, size, typed, text: text && readFileSync(text, 'utf8') } };
}

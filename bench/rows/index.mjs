import { S2C, S6C, S9C, S12 } from './controller.mjs';
import { COLD, COLD_C } from './cold.mjs';
import { S1, S2, S3, S4, S5 } from './engine.mjs';
import { S6 } from './readers.mjs';
import { S7 } from './live.mjs';
import { S8 } from './list.mjs';
import { S9 } from './guesses.mjs';
import { S10 } from './heap.mjs';
import { S14 } from './circle.mjs';
import { S15, S15L } from './growth.mjs';
import { S15M } from './many.mjs';
import { S18 } from './saved.mjs';
import { S17, S17R } from './wide.mjs';

/**
 * All rows, in order. A row that needs another host than a child of Node (as `cold`)
 * brings `host`, a module that `run.mjs` starts in place of `cell.mjs`.
 */
export const rows = [
  S1,
  COLD,
  COLD_C,
  S2,
  S3,
  S4,
  S5,
  S6,
  S7,
  S8,
  S9,
  S10,
  S14,
  S15,
  S15L,
  S15M,
  S17,
  S17R,
  S18,
  S2C,
  S6C,
  S9C,
  S12,
];

export function rowOf(id) {
  const row = rows.find((each) => each.id === id);
  if (row === undefined) throw new Error(`There is no row ${id}; there are ${rows.map((each) => each.id).join(', ')}.`);
  return row;
}

import { expect, it } from 'vitest';
import { differencesOf } from '../../std/splice.ts';
import { PresentCells } from './present-cells.ts';

interface Placed {
  arrival: number;
  isThere: boolean;
}

/** Cells at the places 1, 2, 3 and 4. */
function present(): { readonly list: PresentCells<Placed>; readonly all: readonly Placed[] } {
  const all = [1, 2, 3, 4].map((arrival) => ({ arrival, isThere: true }));
  return { list: new PresentCells<Placed>(all, ({ isThere }) => isThere), all };
}

/** Changes the list, and returns the places in it. */
function after(came: readonly number[], went: readonly number[]): readonly number[] {
  const { list, all } = present();
  for (const arrival of came) list.note({ arrival, isThere: true }, true);
  for (const cell of all.filter(({ arrival }) => went.includes(arrival))) {
    cell.isThere = false;
    list.note(cell, false);
  }
  return list.cells.map(({ arrival }) => arrival);
}

it('present cells are in the order of their places, wherever cells are added and removed', () => {
  expect(after([5, 6], [])).toEqual([1, 2, 3, 4, 5, 6]);
  expect(after([2.75, 2.5], [])).toEqual([1, 2, 2.5, 2.75, 3, 4]);
  expect(after([2.5, 3.5], [])).toEqual([1, 2, 2.5, 3, 3.5, 4]);
  expect(after([], [2])).toEqual([1, 3, 4]);
  expect(after([], [1, 3])).toEqual([2, 4]);
  expect(after([2.5], [2])).toEqual([1, 2.5, 3, 4]);
  expect(after([1.5], [2])).toEqual([1, 1.5, 3, 4]);
  expect(after([2.5], [4])).toEqual([1, 2, 2.5, 3]);
  expect(after([5], [1])).toEqual([2, 3, 4, 5]);
  expect(after([2.5, 5], [2])).toEqual([1, 2.5, 3, 4, 5]);
  expect(after([2.5, 5], [2, 3])).toEqual([1, 2.5, 4, 5]);
});

it('a present cell that takes the place of another one is the only difference to the list before', () => {
  const { list, all } = present();
  const before = list.cells;
  list.note({ arrival: 2.5, isThere: true }, true);
  list.note(all[1] as Placed, false);
  expect(differencesOf(before, list.cells)).toEqual([
    { at: 1, removed: 1, added: 0 },
    { at: 1, removed: 0, added: 1 },
  ]);
});

it('present cells are the same list as long as none is added or removed', () => {
  const { list } = present();
  const before = list.cells;
  const added = { arrival: 5, isThere: true };
  list.note(added, true);
  list.note(added, false);
  expect(list.cells).toBe(before);
});

import { expect, it } from 'vitest';
import type { Cell } from './cell.ts';
import { isParent, type Parents, parentsOf, withoutParent, withParent } from './edges.ts';
import { SignalCell } from './signal-cell.ts';

const cells = (count: number): [SignalCell, ...SignalCell[]] => [
  new SignalCell(),
  ...Array.from({ length: count - 1 }, () => new SignalCell()),
];
const linked = (all: readonly Cell[]): Parents<Cell> => all.reduce<Parents<Cell>>(withParent, undefined);

it.each([0, 1, 2, 8, 9, 30])('%d parents are stored, each once', (count) => {
  const all = count === 0 ? [] : cells(count);
  const parents = linked([...all, ...all]);
  expect([...parentsOf(parents)]).toEqual(all);
});

it.each([0, 1, 2, 9])('among %d parents that are stored, each is found, and no other cell is', (count) => {
  const all = count === 0 ? [] : cells(count);
  const parents = linked(all);
  expect(all.every((cell) => isParent(parents, cell))).toBe(true);
  expect(isParent(parents, new SignalCell())).toBe(false);
});

it.each([1, 2, 3, 8, 9, 30])('%d parents can be removed one by one, in any order', (count) => {
  const all = cells(count);
  let parents = linked(all);
  const left = new Set<Cell>(all);
  for (const cell of [...all.slice(1), all[0]]) {
    parents = withoutParent(parents, cell);
    left.delete(cell);
    expect(new Set(parentsOf(parents))).toEqual(left);
  }
  expect(parents).toBeUndefined();
});

it.each([0, 1, 2, 9])('removing a cell that is not among %d parents has no effect', (count) => {
  const all = count === 0 ? [] : cells(count);
  const parents = withoutParent(linked(all), new SignalCell());
  expect([...parentsOf(parents)]).toEqual(all);
});

it.each([1, 2, 16, 17, 40])('each of %d parents is found, and no other cell', (count) => {
  const all = cells(count);
  const parents = linked(all);
  expect(all.every((cell) => isParent(parents, cell))).toBe(true);
  expect(isParent(parents, new SignalCell())).toBe(false);
});

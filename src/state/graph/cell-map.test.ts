import { expect, it, vi } from 'vitest';
import { Cell } from './cell.ts';
import { CellMap } from './cell-map.ts';

class Leaf extends Cell {
  override release = vi.fn<() => void>();
}
const owner = {};
const make = (): Leaf => new Leaf();

it('a cell is made once for each owner and name, until it is deleted', () => {
  const cells = new CellMap<Leaf>();
  const one = cells.get(owner, 'one', make);
  const other = cells.get(owner, 'other', make);
  expect(cells.get(owner, 'one', make)).toBe(one);

  cells.delete(owner, 'one');
  cells.delete({}, 'one');
  expect([...cells.of(owner)]).toEqual([other]);
  expect(cells.get(owner, 'one', make)).not.toBe(one);
  cells.delete(owner, 'one');
  cells.delete(owner, 'other');
  expect([...cells]).toEqual([]);
});

it('cells that are not used any more are released and removed', () => {
  const cells = new CellMap<Leaf>();
  const [kept, gone] = [cells.get(owner, 'kept', make), cells.get(owner, 'gone', make)];
  cells.forget((cell) => cell === kept);

  expect([...cells]).toEqual([kept]);
  expect(gone.release).toHaveBeenCalledOnce();
  expect(kept.release).not.toHaveBeenCalled();
});

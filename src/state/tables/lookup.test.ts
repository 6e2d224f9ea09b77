import { expect, it, vi } from 'vitest';
import { CellFinder } from '../denormalize/cell-finder.ts';
import { Lookup } from './lookup.ts';
import type { RowCell } from './table.ts';

const table = new CellFinder(false).space.table('User');
const cell = (pk: string): RowCell => table.cellOf(pk);

it('a lookup finds a cell by the value of its field, and treats 1 and "1" as one value', () => {
  const lookup = new Lookup<RowCell>(['email'], []);
  lookup.add(cell('u1'), { email: 'a@b.c' });
  lookup.add(cell('u2'), { email: 1 });
  expect(lookup.find(['a@b.c'])).toBe(cell('u1'));
  expect(lookup.find(['1'])).toBe(cell('u2'));
  expect(lookup.find([1])).toBe(cell('u2'));
  expect(lookup.find(['x'])).toBeUndefined();
});

it.each([true, false, 0, 12n])('a lookup finds a cell by the value %s, and by that as a text', (value) => {
  const lookup = new Lookup<RowCell>(['done'], []);
  lookup.add(cell('u1'), { done: value });
  expect(lookup.find([value])).toBe(cell('u1'));
  expect(lookup.find([String(value)])).toBe(cell('u1'));
});

it('a lookup finds the cell that arrived last of those with a value, and after its removal the cell before', () => {
  const lookup = new Lookup<RowCell>(['email'], []);
  const row = { email: 'a' };
  lookup.add(cell('u1'), row);
  lookup.add(cell('u2'), row);
  expect(lookup.find(['a'])).toBe(cell('u2'));
  lookup.move(cell('u2'), row, undefined, new Map());
  expect(lookup.find(['a'])).toBe(cell('u1'));
  lookup.move(cell('u1'), row, undefined, new Map());
  expect(lookup.find(['a'])).toBeUndefined();
  expect(lookup.size).toBe(0);
});

it('a row with a long list of values moves without a search of the list for each of them', () => {
  const lookup = new Lookup<RowCell>(['tags'], []);
  const tags = Array.from({ length: 1000 }, (_, at) => `${at}`);
  const before = { tags };
  const after = { tags: [...tags.slice(1), 'new'] };
  lookup.add(cell('u1'), before);
  const includes = vi.spyOn(Array.prototype, 'includes');
  lookup.move(cell('u1'), before, after, new Map());
  const searched = includes.mock.contexts.reduce((sum: number, list) => sum + (list as unknown[]).length, 0);
  includes.mockRestore();
  expect(searched).toBeLessThan(5000);
  expect(['0', '1', 'new'].map((tag) => lookup.find([tag]))).toEqual([undefined, cell('u1'), cell('u1')]);
});

it('a lookup forgets temporary pks by which it finds nothing', () => {
  const serverPks = new Map<string, string>();
  const lookup = new Lookup<RowCell>(['owner'], [], 'Todo', (pk) => serverPks.get(pk) ?? pk);
  const row = (cell('u1').row = { owner: 'temp:a:1' });
  lookup.add(cell('u1'), row);
  const watched = lookup.signalOf('temp:a:2');
  expect([lookup.cellsOf('temp:a:1').size, lookup.cellsOf('temp:a:3').size]).toEqual([1, 0]);
  lookup.forget();
  for (const nth of [1, 2, 3]) {
    serverPks.set(`temp:a:${nth}`, `${nth}`);
    expect(lookup.rename(new Map())).toBe(nth < 3);
  }
  expect([lookup.find(['1']), watched.version]).toEqual([cell('u1'), 1]);
});

it('a lookup contains no absent field, no null and no object', () => {
  const lookup = new Lookup<RowCell>(['toString'], []);
  for (const row of [{}, { toString: null }, { toString: undefined }, { toString: {} }]) {
    lookup.add(cell('u1'), row);
    lookup.move(cell('u1'), row, undefined, new Map());
  }
  expect(lookup.size).toBe(0);
});

it('a lookup ignores the removal of a value that it does not contain', () => {
  const lookup = new Lookup<RowCell>(['email'], []);
  lookup.move(cell('u1'), { email: 'a' }, undefined, new Map());
  expect(lookup.size).toBe(0);
});

it('a lookup keeps the signal of a value as long as a cell depends on it', () => {
  const lookup = new Lookup<RowCell>(['email'], []);
  const signal = lookup.signalOf('a');
  signal.linkTo(cell('u1'));
  lookup.forgetSignal('a');
  expect(lookup.signalOf('a')).toBe(signal);
  signal.unlinkFrom(cell('u1'));
  lookup.forgetSignal('a');
  expect(lookup.signalOf('a')).not.toBe(signal);
});

it.each([2 ** 53, -(2 ** 53), 1e300, Infinity, NaN, null, undefined])(
  'a lookup finds nothing by the value %s: a number that was rounded may be the id of another record',
  (value) => {
    const lookup = new Lookup<RowCell>(['ownerId'], []);
    lookup.add(cell('u1'), { ownerId: String(value) });
    lookup.add(cell('u2'), { ownerId: value });
    expect(lookup.find([value])).toBeUndefined();
    expect(lookup.find([String(value)])).toBe(cell('u1'));
    expect([...lookup.cellsOf(String(value))]).toEqual([cell('u1')]);
  },
);

it('a lookup by two fields finds nothing if one of the values has no name', () => {
  const lookup = new Lookup<RowCell>(['owner', 'kind'], []);
  lookup.add(cell('u1'), { owner: 'undefined', kind: 'a' });
  expect(lookup.find(['undefined', 'a'])).toBe(cell('u1'));
  expect(lookup.find([undefined, 'a'])).toBeUndefined();
});

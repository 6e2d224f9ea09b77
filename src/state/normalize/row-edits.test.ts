import { expect, test } from 'vitest';
import { INVALID, type Row, type RowEdit } from '../../define/schema/row.ts';
import { REMOVE } from '../../define/schema/member-edit.ts';
import { withEdits } from './row-edits.ts';

const calls: number[] = [];
const push = {
  over: (row: Row, edits: readonly RowEdit[]): Row => {
    calls.push(edits.length);
    return [...(row as string[]), ...edits.flatMap(({ incoming }) => incoming as string[])];
  },
};
const clear = { over: (): Row => [] };
const place = { pk: '', args: {}, getEntity: () => undefined, notes: () => new Map() };
const pushing = (...incoming: string[]): RowEdit => ({ repeat: push, incoming });

test('edits are applied in order, those of one kind at once', () => {
  expect(withEdits(['a'], [pushing('b'), pushing('c', 'd')], place)).toEqual(['a', 'b', 'c', 'd']);
  expect(calls).toEqual([2]);
  expect(withEdits(['a'], [pushing('b'), { repeat: clear, incoming: [] }, pushing('c')], place)).toEqual(['c']);
});

test('a missing or deleted row has nothing to edit', () => {
  expect(withEdits(undefined, [pushing('b')], place)).toBe(undefined);
  expect(withEdits(INVALID, [pushing('b')], place)).toBe(INVALID);
});

test('edits remove members of maps, too', () => {
  const removals = ['1', '3'].map((member) => ({ repeat: REMOVE, incoming: [member] }));
  expect(withEdits({ a: '1', b: '2' }, removals, place)).toEqual({ b: '2' });
});

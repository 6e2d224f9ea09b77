import { describe, expect, test } from 'vitest';
import { setListParts } from '../../std/splice.ts';
import { indexOfOnly } from './collection-members.ts';
import { ListOrder } from './list-order.ts';
import { moveByOrder, sizeOf } from './list-place.ts';

/** The order by pk, compared as a number. */
const byNumber = new ListOrder(
  'Todo',
  {},
  (one, other) => Number(one['id']) - Number(other['id']),
  (member) => ({ view: { id: member }, isMissing: false }) as never,
);

/** A list that is on the screen knows where each of its members is. */
function shownList(...pks: string[]): readonly string[] {
  const cells = new Map(pks.map((pk) => [pk, {}]));
  setListParts(pks, {
    parts: pks.map((pk) => cells.get(pk)),
    isLinkedTo: (list) => list === pks,
    memberOf: (pk) => cells.get(String(pk)) ?? {},
    has: (member) => [...cells.values()].includes(member as object),
    hasRepeats: false,
  });
  return pks;
}

describe('the index of a member that is in a list once', () => {
  test('is found in a shown list, and in any other', () => {
    expect(indexOfOnly(shownList('1', '2', '3'), '2')).toBe(1);
    expect(indexOfOnly(['1', '2', '3'], '2')).toBe(1);
  });

  test('is undefined if the list does not have the member, or has it twice', () => {
    expect(indexOfOnly(shownList('1', '2'), '3')).toBe(undefined);
    expect(indexOfOnly(['1', '2'], '3')).toBe(undefined);
    expect(indexOfOnly(['1', '2', '1'], '1')).toBe(undefined);
  });
});

describe('a member of an ordered list that has changed', () => {
  test('moves to its place, and leaves the list as it is if the place is the same', () => {
    expect(moveByOrder(byNumber)(['1', '3', '2'], ['3'])).toEqual(['1', '2', '3']);
    const list = ['1', '2', '3'];
    expect(moveByOrder(byNumber)(list, ['2'])).toBe(list);
  });

  test('stays once, and moves with others', () => {
    expect(moveByOrder(byNumber)(['3', '1', '3'], ['3'])).toEqual(['1', '3']);
    expect(moveByOrder(byNumber)(['4', '3', '5'], ['3', '4'])).toEqual(['3', '4', '5']);
  });
});

test('the size of a list or a map is the number of its members', () => {
  expect(sizeOf(['1', '2'])).toBe(2);
  expect(sizeOf({ a: '1' })).toBe(1);
});

import { describe, expect, it } from 'vitest';
import { MemberRules, push, pushAll, unshift, unshiftAll, without } from './collection-members.ts';
import { Collection } from './collection.ts';
import { Entity } from './entity.ts';
import { type ListEdit, ListEdits } from './list-edits.ts';
import { joinOf } from './list-join.ts';
import type { RepeatEdits } from './schema.ts';

const pushed = (...incoming: readonly unknown[]): ListEdit => ({ repeat: pushAll, incoming });
const unshifted = (...incoming: readonly unknown[]): ListEdit => ({ repeat: unshiftAll, incoming });
const ref = (id: string): object => ({ schema: 'post', id });

const place = { pk: '', args: {}, getEntity: () => undefined, notes: () => new Map() };

/** Follows edits over a list, which is shown with them. */
const tracked = (base: unknown, edits: readonly ListEdit[], shown: readonly unknown[]): ListEdits => {
  const made = ListEdits.of(base, edits);
  if (made === undefined) throw new Error('The edits are not followed.');
  expect(made.over(base, shown, place)).toBe(shown);
  return made;
};

describe('edits at the end of a list', () => {
  it('leave the list as it is when the first is confirmed', () => {
    const shown = ['a', 'b', 'c'];
    const edits = tracked(['a'], [pushed('b'), pushed('c')], shown);
    edits.remove([pushed('b')]);
    expect(edits.over(['a', 'b'], shown, place)).toBe(shown);
    expect(edits.over(['a', 'b'], shown, place)).toBe(shown);
  });

  it('move a member to the others that are confirmed', () => {
    const edits = tracked(['a'], [pushed('b'), pushed('c')], ['a', 'b', 'c']);
    edits.remove([pushed('c')]);
    expect(edits.over(['a', 'c'], ['a', 'b', 'c'], place)).toEqual(['a', 'c', 'b']);
  });

  it('take out a member whose edit is dropped, and not one that the list had before', () => {
    const edits = tracked(['a', 'b'], [pushed('b'), pushed('c', 'd')], ['a', 'b', 'c', 'd']);
    edits.remove([pushed('b')]);
    expect(edits.over(['a', 'b'], ['a', 'b', 'c', 'd'], place)).toEqual(['a', 'b', 'c', 'd']);
    edits.remove([pushed('c', 'd')]);
    expect(edits.over(['a', 'b'], ['a', 'b', 'c', 'd'], place)).toEqual(['a', 'b']);
  });

  it('do not add a member again that arrives, also with others and twice', () => {
    const edits = tracked(['a'], [pushed('b'), pushed('c')], ['a', 'b', 'c']);
    expect(edits.over(['x', 'c', 'c', 'a'], ['a', 'b', 'c'], place)).toEqual(['x', 'c', 'c', 'a', 'b']);
  });

  it('are added while others are pending', () => {
    const edits = tracked(['a'], [pushed('b')], ['a', 'b']);
    expect(edits.add([pushed('c')], ['a', 'b', 'c'], place)).toBe(true);
    edits.remove([pushed('b')]);
    expect(edits.over(['a'], ['a', 'b', 'c'], place)).toEqual(['a', 'c']);
  });
});

describe('edits at the start of a list', () => {
  it('leave the list as it is when the first is confirmed', () => {
    const shown = ['c', 'b', 'a'];
    const edits = tracked(['a'], [unshifted('b'), unshifted('c')], shown);
    edits.remove([unshifted('b')]);
    expect(edits.over(['b', 'a'], shown, place)).toBe(shown);
  });

  it('take out a member whose edit is dropped, while the list below changes', () => {
    const edits = tracked(['a', 'z'], [unshifted('b'), unshifted('c'), unshifted('d')], ['d', 'c', 'b', 'a', 'z']);
    edits.remove([unshifted('d')]);
    edits.remove([unshifted('b')]);
    expect(edits.over(['a', 'y', 'z'], ['d', 'c', 'b', 'a', 'z'], place)).toEqual(['c', 'a', 'y', 'z']);
    edits.remove([unshifted('c')]);
    expect(edits.over(['y', 'z'], ['c', 'a', 'y', 'z'], place)).toEqual(['y', 'z']);
  });
});

it('members of a polymorphic list are the same in other objects', () => {
  const [b, c] = [ref('b'), ref('c')];
  const shown = [ref('a'), b, c];
  const edits = tracked([shown[0]], [pushed(b), pushed(ref('c'))], shown);
  edits.remove([pushed(ref('b'))]);
  expect(edits.over([shown[0], ref('b')], shown, place)).toBe(shown);
  edits.remove([pushed(ref('c'))]);
  expect(edits.over([shown[0], b], shown, place)).toEqual([ref('a'), ref('b')]);
});

describe('edits are not followed', () => {
  it('if the list is not a list', () => {
    expect(ListEdits.of({}, [pushed('a')])).toBeUndefined();
    expect(tracked([], [pushed('a')], ['a']).over({}, ['a'], place)).toBeUndefined();
  });

  it('if they are of several kinds, or add a member twice', () => {
    const removed: ListEdit = { repeat: new MemberRules('', without).repeat as RepeatEdits, incoming: ['a'] };
    expect(ListEdits.of([], [pushed('a'), unshifted('b')])).toBeUndefined();
    expect(ListEdits.of([], [unshifted('a'), pushed('b')])).toBeUndefined();
    expect(ListEdits.of([], [removed])).toBeUndefined();
    expect(ListEdits.of([], [pushed('a'), pushed('a')])).toBeUndefined();
  });

  it('if one is added before the list was made without another', () => {
    const edits = tracked([], [pushed('a')], ['a']);
    edits.remove([pushed('a')]);
    expect(edits.add([pushed('a')], ['a'], place)).toBe(false);
  });
});

it('the rules of push and unshift have these edits', () => {
  expect(new MemberRules('', push).repeat).toBe(pushAll);
  expect(new MemberRules('', unshift).repeat).toBe(unshiftAll);
});

it('a member is added again that has left the list below', () => {
  const edits = tracked(['a', 'b'], [pushed('b'), pushed('c')], ['a', 'b', 'c']);
  expect(edits.over(['b'], ['a', 'b', 'c'], place)).toEqual(['b', 'c']);
  expect(edits.over([], ['b', 'c'], place)).toEqual(['b', 'c']);
});

it('edits of a list with an order are repeated if a member arrives at a place that is not in this order', () => {
  class Item extends Entity {
    id = '';
    rank = 0;
    static override key = 'Item';
  }
  const join = joinOf(new Collection([Item], { orderBy: (one, other) => one.rank - other.rank }), false);
  // The pk of each record is its rank.
  const rows = { ...place, getEntity: (_table: string, pk: string) => ({ id: pk, rank: Number(pk) }) };
  const edits = ListEdits.of(['1', '5'], [{ repeat: join, incoming: ['3'] }]);
  expect(edits?.over(['1', '5'], ['1', '3', '5'], rows)).toEqual(['1', '3', '5']);
  expect(edits?.over(['1', '9', '5'], ['1', '3', '5'], rows)).toEqual(join.whole(['1', '9', '5'], ['3'], rows));
});

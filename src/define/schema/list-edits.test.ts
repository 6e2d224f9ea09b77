import { describe, expect, it } from 'vitest';
import { MemberRules, push, pushAll, unshift, unshiftAll, without } from './collection-members.ts';
import { type ListEdit, ListEdits } from './list-edits.ts';
import type { RepeatEdits } from './schema.ts';

const pushed = (...incoming: readonly unknown[]): ListEdit => ({ repeat: pushAll, incoming });
const unshifted = (...incoming: readonly unknown[]): ListEdit => ({ repeat: unshiftAll, incoming });
const ref = (id: string): object => ({ schema: 'post', id });

const tracked = (base: unknown, edits: readonly ListEdit[]): ListEdits => {
  const made = ListEdits.of(base, edits);
  if (made === undefined) throw new Error('The edits are not followed.');
  return made;
};

describe('edits at the end of a list', () => {
  it('leave the list as it is when the first is confirmed', () => {
    const shown = ['a', 'b', 'c'];
    const edits = tracked(['a'], [pushed('b'), pushed('c')]);
    edits.remove([pushed('b')]);
    expect(edits.over(['a', 'b'], shown)).toBe(shown);
    expect(edits.over(['a', 'b'], shown)).toBe(shown);
  });

  it('move a member to the others that are confirmed', () => {
    const edits = tracked(['a'], [pushed('b'), pushed('c')]);
    edits.remove([pushed('c')]);
    expect(edits.over(['a', 'c'], ['a', 'b', 'c'])).toEqual(['a', 'c', 'b']);
  });

  it('take out a member whose edit is dropped, and not one that the list had before', () => {
    const edits = tracked(['a', 'b'], [pushed('b'), pushed('c', 'd')]);
    edits.remove([pushed('b')]);
    expect(edits.over(['a', 'b'], ['a', 'b', 'c', 'd'])).toEqual(['a', 'b', 'c', 'd']);
    edits.remove([pushed('c', 'd')]);
    expect(edits.over(['a', 'b'], ['a', 'b', 'c', 'd'])).toEqual(['a', 'b']);
  });

  it('do not add a member again that arrives, also with others and twice', () => {
    const edits = tracked(['a'], [pushed('b'), pushed('c')]);
    expect(edits.over(['x', 'c', 'c', 'a'], ['a', 'b', 'c'])).toEqual(['x', 'c', 'c', 'a', 'b']);
  });

  it('are added while others are pending', () => {
    const edits = tracked(['a'], [pushed('b')]);
    expect(edits.add([pushed('c')])).toBe(true);
    edits.remove([pushed('b')]);
    expect(edits.over(['a'], ['a', 'b', 'c'])).toEqual(['a', 'c']);
  });
});

describe('edits at the start of a list', () => {
  it('leave the list as it is when the first is confirmed', () => {
    const shown = ['c', 'b', 'a'];
    const edits = tracked(['a'], [unshifted('b'), unshifted('c')]);
    edits.remove([unshifted('b')]);
    expect(edits.over(['b', 'a'], shown)).toBe(shown);
  });

  it('take out a member whose edit is dropped, while the list below changes', () => {
    const edits = tracked(['a', 'z'], [unshifted('b'), unshifted('c'), unshifted('d')]);
    edits.remove([unshifted('d')]);
    edits.remove([unshifted('b')]);
    expect(edits.over(['a', 'y', 'z'], ['d', 'c', 'b', 'a', 'z'])).toEqual(['c', 'a', 'y', 'z']);
    edits.remove([unshifted('c')]);
    expect(edits.over(['y', 'z'], ['c', 'a', 'y', 'z'])).toEqual(['y', 'z']);
  });
});

it('members of a polymorphic list are the same in other objects', () => {
  const [b, c] = [ref('b'), ref('c')];
  const shown = [ref('a'), b, c];
  const edits = tracked([shown[0]], [pushed(b), pushed(ref('c'))]);
  edits.remove([pushed(ref('b'))]);
  expect(edits.over([shown[0], ref('b')], shown)).toBe(shown);
  edits.remove([pushed(ref('c'))]);
  expect(edits.over([shown[0], b], shown)).toEqual([ref('a'), ref('b')]);
});

describe('all edits are repeated', () => {
  it('if the list is not a list', () => {
    expect(ListEdits.of({}, [pushed('a')])).toBeUndefined();
    expect(tracked([], [pushed('a')]).over({}, ['a'])).toBeUndefined();
  });

  it('if they are of several kinds, or add a member twice', () => {
    const removed: ListEdit = { repeat: new MemberRules('', without).repeat as RepeatEdits, incoming: ['a'] };
    expect(ListEdits.of([], [pushed('a'), unshifted('b')])).toBeUndefined();
    expect(ListEdits.of([], [unshifted('a'), pushed('b')])).toBeUndefined();
    expect(ListEdits.of([], [removed])).toBeUndefined();
    expect(ListEdits.of([], [pushed('a'), pushed('a')])).toBeUndefined();
  });

  it('if a member has left the list below that one of them adds', () => {
    const edits = tracked(['a', 'b'], [pushed('b'), pushed('c')]);
    expect(edits.over(['b'], ['a', 'b', 'c'])).toEqual(['b', 'c']);
    expect(edits.over([], ['b', 'c'])).toBeUndefined();
  });

  it('if one is added before the list was made without another', () => {
    const edits = tracked([], [pushed('a')]);
    edits.remove([pushed('a')]);
    expect(edits.add([pushed('a')])).toBe(false);
  });
});

it('the rules of push and unshift have these edits', () => {
  expect(new MemberRules('', push).repeat).toBe(pushAll);
  expect(new MemberRules('', unshift).repeat).toBe(unshiftAll);
});

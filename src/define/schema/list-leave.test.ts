import { expect, it } from 'vitest';
import { pushAll, withoutAll } from './collection-members.ts';
import type { ListEdit } from './list-edits.ts';
import { LeaveEdits } from './list-leave.ts';

const removed = (...incoming: readonly unknown[]): ListEdit => ({ repeat: withoutAll, incoming });
const ref = (id: string): object => ({ schema: 'post', id });

const tracked = (base: unknown, edits: readonly ListEdit[]): LeaveEdits => {
  const made = LeaveEdits.of(base, edits);
  if (made === undefined) throw new Error('The edits are not followed.');
  return made;
};

it('readers see the same list when the list below loses or gets members that edits remove', () => {
  const shown = [ref('c')];
  const a = ref('a');
  const edits = tracked([a, ref('b'), shown[0]], [removed(ref('a')), removed(ref('b'))]);
  edits.remove([removed(ref('b'))]);
  expect(edits.over([a, shown[0]], shown)).toBe(shown);
  expect(edits.over([a, shown[0], ref('a')], shown)).toBe(shown);
});

it('edits are repeated when a member is to be shown again', () => {
  const edits = tracked(['a', 'b'], [removed('a'), removed('a')]);
  edits.remove([removed('a')]);
  expect(edits.over(['a', 'b'], ['b'])).toEqual(['b']);
  edits.remove([removed('a')]);
  expect(edits.over(['a', 'b'], ['b'])).toBeUndefined();
});

it('edits are repeated when a member leaves the list below, or arrives there, that readers see', () => {
  expect(tracked(['a', 'b'], [removed('a')]).over(['a'], ['b'])).toBeUndefined();
  expect(tracked(['a'], [removed('a')]).over(['a', 'b'], [])).toBeUndefined();
});

it('a member that the list has twice is shown when one of them leaves, and no edit removes the other', () => {
  const edits = tracked(['a', 'b', 'a'], [removed('a')]);
  edits.remove([removed('a')]);
  expect(edits.over(['a', 'b'], ['b'])).toBeUndefined();
});

it('edits are not followed if the list is not a list, if they do not remove, or before the list was made without another', () => {
  expect(LeaveEdits.of({}, [removed('a')])).toBeUndefined();
  expect(LeaveEdits.of([], [{ repeat: pushAll, incoming: ['a'] }])).toBeUndefined();
  const edits = tracked(['a'], [removed('a')]);
  expect(edits.over({}, [])).toBeUndefined();
  edits.remove([removed('a')]);
  expect(edits.add([removed('a')])).toBe(false);
});

import { expect, test } from 'vitest';
import { Trust } from './trust.ts';

const finding = { table: 'Todo', what: 'it was a test' };
const delegate = { onUndo: () => {} };

/** What is known of the list `a` and of the rules `x` and `y`. */
function known(trust: Trust): unknown {
  const lists = ['a', 'b'].map((list) => [
    trust.lastPage(list),
    trust.mayNameNext(list),
    trust.isFirst(list, 2),
    trust.hasArrivedSince(list, 5),
  ]);
  const rules = ['x', 'y'].map((name) => [trust.isOff(name, 1), trust.isOff(name, 2), trust.isRefuted(name)]);
  return [...lists, ...rules, trust.areNamesPks, trust.isAccompanied, trust.isAnyFirst, trust.hasAnyArrivedSince(5)];
}

function noteAll(trust: Trust): void {
  trust.notePage('a', true, true, true);
  trust.noteFirst('a', 9);
  trust.noteArrival('a', 9);
  trust.noteNames(true);
  trust.isAccompanied = true;
  trust.confirm('x');
  trust.refute('x', 2, finding);
  trust.refute('y', 1, finding);
}

const conditions = [['x', 1], ['y', 1]] as const; // prettier-ignore

test('notes about a list and its rules that are undone are as if they had not been made', () => {
  const trust = new Trust();
  const before = known(trust);
  const restore = trust.restorer('a', conditions);
  noteAll(trust);
  expect(known(trust)).not.toEqual(before);
  restore();
  expect(known(trust)).toEqual(before);
});

test('notes about a list and its rules that were made before the undone ones stay', () => {
  const trust = new Trust();
  trust.notePage('a', false);
  trust.noteFirst('a', 3);
  trust.noteArrival('a', 7);
  trust.refute('x', 1, finding);
  trust.noteAbsent('y', 2, finding);
  trust.noteJoined('a', ['1', '2'], delegate);
  const before = known(trust);
  const restore = trust.restorer('a', conditions);
  noteAll(trust);
  expect([...trust.takeJoined('a')]).toEqual(['1', '2']);
  trust.noteJoined('a', ['3'], delegate);
  restore();
  expect(known(trust)).toEqual(before);
  expect([...trust.takeJoined('a')]).toEqual(['1', '2']);
});

test('members whose joining is undone have not joined', () => {
  const trust = new Trust();
  const undo: (() => void)[] = [];
  trust.noteJoined('a', ['1'], delegate);
  trust.noteJoined('a', ['1', '2'], { onUndo: (step) => undo.push(step) });
  for (const step of undo) step();
  expect([...trust.takeJoined('a')]).toEqual(['1']);
});

test('of the members that left a list or belong behind it, the last 10,000 are noted, each once', () => {
  const trust = new Trust();
  const numbered = (first: number, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `${first + at}`);
  for (const members of [numbered(0, 6_000), numbered(3_000, 3_000), numbered(6_000, 6_000)]) {
    trust.noteMembers('a', 'left', members);
    trust.noteMembers('a', 'behind', members);
  }
  expect(trust.behind('a')).toEqual(numbered(2_000, 10_000));
  expect(['1999', '2000', '11999'].map((member) => trust.hasLeft('a', member))).toEqual([false, true, true]);

  for (let turn = 0; turn < 2; turn++) trust.noteMembers('b', 'behind', [{ schema: 'Post', id: '1' }]);
  expect(trust.behind('b')).toEqual([{ schema: 'Post', id: '1' }]);
});

import { expect, test } from 'vitest';
import { ChangedPks } from './changed-pks.ts';

test('a former pk means the record for requests from before the change, through several changes', () => {
  const changed = new ChangedPks();
  changed.add('a', { to: 'b', issue: 5, edited: 3 }, 'a');
  changed.add('b', { to: 'c', issue: 9, edited: 7 }, 'a');
  expect(changed.pkNow('a', 4)).toBe('c');
  expect(changed.pkNow('b', 6)).toBe('c');
  expect(changed.pkNow('a', 6)).toBe('a');
  expect(changed.pkNow('b', 9)).toBe('b');
  expect(changed.pkNow('d', 1)).toBe('d');
  expect(changed.keyOf('c')).toBe('a');
});

test('a former pk means the created record if its create was issued before the edits', () => {
  const changed = new ChangedPks();
  changed.add('a', { to: 'b', issue: 5, edited: 3 }, 'a');
  changed.add('b', { to: 'c', issue: 9, edited: 7 }, 'a');
  expect(changed.createdAs('a', 2)).toBe('c');
  expect(changed.createdAs('a', 4)).toBe('a');
  expect(changed.createdAs('d', 1)).toBe('d');
});

test('a change that is undone leaves what was known before', () => {
  const changed = new ChangedPks();
  changed.add('a', { to: 'b', issue: 5, edited: 3 }, 'a');
  changed.add('b', { to: 'c', issue: 9, edited: 7 }, 'a')();
  expect(changed.pkNow('a', 4)).toBe('b');
  expect(changed.keyOf('b')).toBe('a');
  expect(changed.keyOf('c')).toBe(undefined);
});

test('a record that was removed has no former pk any more', () => {
  const changed = new ChangedPks();
  changed.add('a', { to: 'b', issue: 5, edited: 3 }, 'a');
  changed.add('c', { to: 'd', issue: 6, edited: 4 }, 'c');
  changed.forget(new Set(['b']));
  expect(changed.pkNow('a', 4)).toBe('b');
  expect(changed.keyOf('b')).toBe('a');
  expect(changed.pkNow('c', 4)).toBe('c');
  expect(changed.keyOf('d')).toBe(undefined);
});

import { describe, expect, test } from 'vitest';
import { User } from '../../../tests/model.ts';
import { All } from '../../define/schema/all.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Query } from '../../define/schema/query.ts';
import { INVALID, type Row, type RowState } from '../../define/schema/row.ts';
import type { Commit } from './commit.ts';
import { EarlierStore, withLaterChange, withLaterRequestChange } from './earlier-store.ts';
import type { KeptRequests, KeptRows } from './kept-states.ts';
import { Store } from './store.ts';
import { from } from '../../index.ts';
import type { Note, Result } from './request-state.ts';
import { restore } from './restore.ts';
class Post extends Entity {
  id = '';
  title = '';
  likes = 0;
  author = User.fromJS();
  static override key = 'Post';
  static override schema = { author: User };
}
const titles = new Query(new All(Post), (posts) => posts.map(({ title }) => title).join());

/** A store, and the same store with some rows and results as they were. */
function scene(
  rows: readonly (readonly [table: string, pk: string, row: Row | undefined])[],
  results: KeptRequests = new Map(),
) {
  const store = new Store();
  const commits: Commit[] = [];
  store.write(
    [Post],
    [
      { id: '1', title: 'a', author: { id: 'u', name: 'x' } },
      { id: '2', title: 'b' },
    ],
  );
  store.onCommit((commit) => commits.push(commit));
  const kept: KeptRows = new Map();
  for (const [table, pk, row] of rows) {
    const pks = kept.get(table) ?? new Map<string, Row | undefined>();
    kept.set(table, pks.set(pk, row));
  }
  const past = new EarlierStore(store.writer.core, kept, results);
  const write = (post: object): boolean => {
    store.write(Post, post);
    return past.apply(commits.at(-1) as Commit);
  };
  const post = (id: string): Post | undefined => past.get(Post, [{ id }]).value as Post | undefined;
  return { store, past, commits, write, post };
}

const READ = { key: 'key', schema: Post, infer: [{ id: '1' }] };

function answer(past: EarlierStore): unknown {
  const { value } = past.request(READ).value;
  return value && (value as Post).title;
}

describe('an earlier store', () => {
  test('has all records in the order in which they arrived, whichever was read before', () => {
    const { past, post } = scene([['Post', '3', undefined]]);
    post('2');
    expect(past.get(titles, [])).toMatchObject({ value: 'a,b' });
  });

  test('has the given rows, and otherwise those of the store', () => {
    const { post, store } = scene([['Post', '1', { id: '1', title: 'before', author: 'u' }]]);
    expect(post('1')).toMatchObject({ title: 'before', author: { name: 'x' } });
    expect(post('2')).toMatchObject({ title: 'b' });
    expect(post('3')).toBeUndefined();
    expect(store.get(Post, { id: '1' })?.title).toBe('a');
  });

  test('returns whether a value consists only of data that the store has too', () => {
    const { past } = scene([
      ['User', 'u', { id: 'u', name: 'before' }],
      ['Tag', '1', { id: '1' }],
    ]);
    expect(past.get(Post, [{ id: '1' }]).isPresent).toBe(false);
    expect(past.get(Post, [{ id: '1' }]).isPresent).toBe(false);
    expect(past.get(Post, [{ id: '2' }]).isPresent).toBe(true);
    expect(past.get(titles, []).isPresent).toBe(false);
    expect(scene([]).past.get(titles, []).isPresent).toBe(true);
  });

  test('applies later commits, and keeps what they do not change', () => {
    const { post, write } = scene([['User', 'u', { id: 'u', name: 'before' }]]);
    const [first, second] = [post('1'), post('2')];
    expect(write({ id: '1', likes: 1 })).toBe(true);
    expect(post('1')).toMatchObject({ title: 'a', likes: 1, author: { name: 'before' } });
    expect(post('1')?.author).toBe(first?.author);
    expect(post('2')).toBe(second);
    expect(write({ id: '9', title: 'new' })).toBe(false);
  });

  test('applies only the fields that a later commit changed', () => {
    const { post, write } = scene([['Post', '1', { id: '1', title: 'before', likes: 0, author: 'u' }]]);
    expect(post('1')?.title).toBe('before');
    write({ id: '1', likes: 2 });
    expect(post('1')).toMatchObject({ title: 'before', likes: 2 });
    write({ id: '1', title: 'after' });
    expect(post('1')).toMatchObject({ title: 'after', likes: 2 });
  });

  test('follows rows that are added to a whole table or removed from it', () => {
    const { past, store, commits, write } = scene([['Post', '2', undefined]]);
    expect(past.get(titles, []).value).toBe('a');
    expect(past.get(titles, []).isPresent).toBe(false);
    expect(write({ id: '3', title: 'c' })).toBe(true);
    expect(past.get(titles, []).value).toBe('a,c');
    store.invalidate(Post, '1');
    expect(past.apply(commits.at(-1) as Commit)).toBe(true);
    expect(past.get(titles, []).value).toBe('c');
    expect(past.get(Post, [{ id: '1' }]).value).toBeUndefined();
  });

  test('shows added, removed and restored rows as they are', () => {
    const { post, write, store, past, commits } = scene([
      ['Post', '1', { id: '1', title: 'before' }],
      ['Post', '7', { id: '7', title: 'never read' }],
    ]);
    expect(past.get(Post, [{ id: '1' }]).isPresent).toBe(false);
    store.invalidate(Post, '1');
    past.apply(commits.at(-1) as Commit);
    expect(post('1')).toBeUndefined();
    write({ id: '1', title: 'back' });
    expect(post('1')?.title).toBe('back');
    write({ id: '1', title: 'again' });
    expect(post('1')?.title).toBe('again');
    write({ id: '7', title: 'new' });
    expect(post('7')?.title).toBe('new');
  });

  test('follows nothing if nothing was read', () => {
    const { write } = scene([]);
    expect(write({ id: '1', title: 'other' })).toBe(false);
  });

  test('is not changed by a commit whose state it has already', () => {
    const { past, commits, store, post } = scene([]);
    post('1');
    store.write(Post, { id: '1', title: 'other' });
    expect(past.apply(commits.at(-1) as Commit)).toBe(true);
    expect(past.apply(commits.at(-1) as Commit)).toBe(false);
  });
});

describe('an earlier answer', () => {
  test('is the given one, or else that of the store, or else what its arguments find', () => {
    const given: KeptRequests = new Map();
    const { past, store, commits } = scene([], given);
    expect(answer(past)).toBe('a');
    expect(past.request({ key: 'nothing' }).value.value).toBeUndefined();
    store.write(Post, { id: '2' }, { resultKey: 'key' });
    expect(past.apply(commits.at(-1) as Commit)).toBe(true);
    expect(answer(past)).toBe('b');
    expect(past.request(READ).isPresent).toBe(true);
  });

  test('that did not exist yet appears with the next commit that changes it', () => {
    const { past, store, commits } = scene([], new Map([['key', undefined]]));
    store.write(Post, { id: '2' }, { resultKey: 'key' });
    expect(answer(past)).toBe('a');
    expect(past.request(READ).isPresent).toBe(false);
    store.dropResult('key');
    past.apply(commits.at(-1) as Commit);
    store.write(Post, { id: '2' }, { resultKey: 'key' });
    past.apply(commits.at(-1) as Commit);
    expect(answer(past)).toBe('b');
  });

  test('that was not read is not a change', () => {
    const { past, store, commits } = scene([]);
    store.write([Post], [], { resultKey: 'other' });
    expect(past.apply(commits.at(-1) as Commit)).toBe(false);
  });

  test('that was restored is read by the schema of the reader', () => {
    const { store } = scene([]);
    restore(
      store.writer,
      [],
      [['key', { schema: undefined, stored: '2', args: [], stamp: { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 } }]],
    );
    expect(answer(new EarlierStore(store.writer.core, new Map(), new Map()))).toBe('b');
  });
});

test('of a request that stays invalidated ignores the change that is left out', () => {
  const invalidated = (since: number) => ({ results: [], note: { since, edits: 0, isInvalidated: true } }) as never;
  const [before, after, state] = [invalidated(1), invalidated(2), invalidated(3)];
  expect(withLaterRequestChange(state, before, after)).toBe(state);
  expect(withLaterRequestChange(before, before, after)).toBe(after);
  expect(withLaterRequestChange(state, undefined, after)).toBe(after);
  expect(withLaterRequestChange(state, before, undefined)).toBeUndefined();
});

test('a record that the earlier store does not have, or has deleted, is as a later change makes it', () => {
  const after = { id: '1', title: 'b' };
  const states: readonly RowState[] = [undefined, INVALID, ['1']];
  for (const earlier of states) expect(withLaterChange(earlier, { id: '1', title: 'a' }, after)).toBe(after);
  expect(
    withLaterChange({ id: '1', title: 'x', likes: 1 }, { id: '1', title: 'a', likes: 2 }, { ...after, likes: 2 }),
  ).toEqual({
    id: '1',
    title: 'b',
    likes: 1,
  });
});

test('a request that is answered or invalidated later is so in the earlier store too', () => {
  const note = (isInvalidated: boolean): Note => ({ since: 0, edits: 0, isInvalidated });
  const state = { results: [], note: note(false) };
  const answered = { results: [], note: note(false) };
  const invalidated = { results: [], note: note(true) };
  expect(withLaterRequestChange(state, invalidated, answered)).toBe(answered);
  expect(withLaterRequestChange(state, answered, invalidated)).toBe(invalidated);
  expect(withLaterRequestChange(state, invalidated, { results: [], note: note(true) })).toBe(state);
});

test('a request whose note changes later has the new note with its own results, unless it is unanswered or invalidated', () => {
  const results: readonly Result[] = [];
  const note = (since: number, isInvalidated = false): Note => ({ since, edits: 0, isInvalidated });
  const before = { results, note: note(1) };
  const after = { results, note: note(2) };
  const own = { results: [], note: note(0) };
  expect(withLaterRequestChange(own, before, after)).toEqual({ results: own.results, note: after.note });
  expect(withLaterRequestChange(own, before, { results, note: before.note })).toBe(own);
  expect(withLaterRequestChange(undefined, before, after)).toBeUndefined();
  const invalidated = { results: [], note: note(0, true) };
  expect(withLaterRequestChange(invalidated, before, after)).toBe(invalidated);
});

test('a record that was created under a temporary pk is found under both in the earlier store', () => {
  const { past, store } = scene([['Post', '1', { id: '1', title: 'earlier' }]]);
  const stamp = { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 };
  const row = { table: 'Post', pk: '9', row: { id: '9', title: 'new', author: 'temporary' }, stamp };
  restore(store.writer, [row], [], { aliases: [{ table: 'User', temporary: 'temporary', pk: 'u' }] });
  expect(past.get(Post, [{ id: '9' }]).value).toMatchObject({ author: { id: 'u', name: 'x' } });
});

test('a query for all but a temporary pk differs from that of the store while the record is shown under it', () => {
  const temporary = 'temp:here:1';
  for (const isShown of [true, false]) {
    const { past, store } = scene([[isShown ? 'User' : 'Tag', temporary, { id: temporary, name: 'guess' }]]);
    restore(store.writer, [], [], { aliases: [{ table: 'User', temporary, pk: 'u' }] });
    const byOthers = from(Post).where({ author: { not: temporary as never } });
    const { isPresent, value } = past.get(byOthers, []);
    expect((value as readonly Post[]).map(({ id }) => id)).toEqual(isShown ? ['1', '2'] : ['2']);
    expect(isPresent).toBe(!isShown);
    expect(store.get(byOthers)?.map(({ id }) => id)).toEqual(['2']);
  }
});

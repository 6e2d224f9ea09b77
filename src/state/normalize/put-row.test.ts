import { expect, test } from 'vitest';
import { Post } from '../../../tests/model.ts';
import { Collection, type Commit, Entity, INVALID, Store } from '../../index.ts';
import { storedRow } from '../store/restore.ts';
import type { WriteOptions } from '../store/write-options.ts';
import type { MutationAnswer } from './write-in-progress.ts';

const posts: Collection = new Collection([Post]);

/** The options of a write that answers a mutation, which may overwrite these fields. */
function answering(
  store: Store,
  may: (field: string) => boolean = () => true,
): WriteOptions & { answer: MutationAnswer } {
  const request = store.begin();
  const answer: MutationAnswer = {
    issue: request.issue,
    sent: request.issue,
    fieldsOf: (_table, _pk, _existing, incoming) =>
      Object.fromEntries(Object.entries(incoming).filter(([field]) => may(field))),
    isBeforeDeletion: () => false,
    isOlder: () => false,
    isDeletionOlder: () => false,
    noteEdits: () => {},
  };
  return { request, answer };
}

test('an earlier answer adds fields that the answer of a mutation lacked', () => {
  const store = new Store();
  const request = store.begin();
  store.write(Post, { id: '1', title: 'mutated' }, answering(store));
  store.write(Post, { id: '1', title: 'read', votes: 5 }, { request });
  expect(store.row('Post', '1')).toEqual({ id: '1', title: 'mutated', votes: 5 });
});

test('an earlier answer adds no field that a whole answer of a mutation lacked', () => {
  const store = new Store();
  const request = store.begin();
  store.write(Post, { id: '1', title: 'mutated' }, { ...answering(store), isWhole: true });
  store.write(Post, { id: '1', title: 'read', votes: 5 }, { request });
  expect(store.row('Post', '1')).toEqual({ id: '1', title: 'mutated' });
});

test('a whole answer of a mutation removes the fields that it lacks, while an earlier request is in flight too', () => {
  const store = new Store();
  store.write(Post, { id: '1', title: 'a', votes: 5 });
  store.begin();
  store.write(Post, { id: '1', title: 'b' }, { ...answering(store), isWhole: true });
  expect(store.row('Post', '1')).toEqual({ id: '1', title: 'b' });
  expect(Reflect.ownKeys(store.row('Post', '1') as object)).toEqual(['id', 'title']);
});

test('the answer of a mutation overwrites only fields that it may, unless the class merges records itself', () => {
  class Note extends Entity {
    id = '';
    text = '';
    tag = '';
    static override key = 'Note';
    static override merge(existing: object, incoming: object): object {
      return { ...existing, ...incoming, merged: true };
    }
  }
  const store = new Store();
  store.write([Note], [{ id: '1', text: 'a', tag: 'a' }]);
  store.write(
    Note,
    { id: '1', text: 'b', tag: 'b' },
    answering(store, (field) => field !== 'tag'),
  );
  expect(store.row('Note', '1')).toEqual({ id: '1', text: 'b', tag: 'b', merged: true });

  store.write(Post, { id: '1', title: 'a', votes: 1 });
  store.write(
    Post,
    { id: '1', title: 'b', votes: 2 },
    answering(store, (field) => field !== 'votes'),
  );
  expect(store.row('Post', '1')).toEqual({ id: '1', title: 'b', votes: 1 });
});

test('the sent body in place of an answer does not restore a record that was deleted meanwhile', () => {
  const store = new Store();
  store.write(Post, { id: '1', title: 'a' });
  store.invalidate(Post, '1');
  store.write(Post, { id: '1', title: 'b' }, { isPart: true });
  expect(store.row('Post', '1')).toBe(INVALID);
  store.write(Post, { id: '1', title: 'b' });
  expect(store.row('Post', '1')).toEqual({ id: '1', title: 'b' });
});

test('a list that arrives unchanged is not among the changes of a commit', () => {
  const store = new Store();
  const commits: Commit[] = [];
  store.onCommit((commit) => commits.push(commit));
  const arrive = (): unknown => store.write(posts, [{ id: '1' }, { id: '2' }], { args: [{}] });
  arrive();
  const row = store.row(posts.key, '{}');
  arrive();
  expect(commits).toHaveLength(1);
  expect(store.row(posts.key, '{}')).toBe(row);
});

test('a list to which one answer adds several records was requested as a whole when it arrived', () => {
  const store = new Store();
  store.write(posts, [{ id: '1' }], { args: [{}] });
  const arrived = storedRow(store.writer, posts.key, '{}')?.stamp.issue;
  store.write({ one: posts.push, other: posts.push }, { one: { id: '2' }, other: { id: '3' } }, { args: [{}] });
  expect(store.row(posts.key, '{}')).toEqual(['1', '2', '3']);
  expect(storedRow(store.writer, posts.key, '{}')?.stamp.sent).toBe(arrived);
});

test('a list in the answer of a mutation does not replace one of a mutation that was sent later and answered before', () => {
  const store = new Store();
  const first = answering(store);
  const second = answering(store);
  store.write(posts, [{ id: '2' }], { ...second, args: [{}] });
  const answer: MutationAnswer = { ...first.answer, isOlder: () => true };
  store.write(posts, [{ id: '1' }], { request: store.begin(), answer, args: [{}] });
  expect(store.row(posts.key, '{}')).toEqual(['2']);
});

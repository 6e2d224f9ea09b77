import { expect, test } from 'vitest';
import { User } from '../../../tests/model.ts';
import { type Commit, Entity, Store } from '../../index.ts';

class Plain extends Entity {
  id = '';
  author: unknown = undefined;
  static override key = 'Letter';
}
class Joined extends Entity {
  id = '';
  author = User.fromJS();
  static override key = 'Letter';
  static override schema = { author: User };
}

/** A store with a nested record that only `Joined` knows, and the number of notices about it. */
function watched(): { store: Store; commits: Commit[]; notices: () => number } {
  const store = new Store();
  store.write(Plain, { id: '1', author: { id: 'u', name: 'x' } });
  let notices = 0;
  store.query(User, [{ id: 'u' }]).subscribe(() => notices++);
  const commits: Commit[] = [];
  store.onCommit((commit) => commits.push(commit));
  return { store, commits, notices: () => notices };
}

test('observers and listeners of a record that a read has found are called after the read, once', async () => {
  const { commits, notices, store } = watched();
  expect(store.get(Joined, { id: '1' })?.author.name).toBe('x');
  expect([notices(), commits.length]).toEqual([0, 0]);
  await Promise.resolve();
  expect([notices(), commits.length]).toEqual([1, 1]);
  expect(commits[0]?.rows.map(({ table }) => table)).toContain('User');
});

test('observers and listeners of a record that a write has found are called when the write is over', () => {
  const { commits, notices, store } = watched();
  store.batch(() => {
    store.write(Joined, { id: '2' });
    expect([notices(), commits.length]).toEqual([0, 0]);
  });
  expect([notices(), commits.length]).toEqual([1, 1]);
  const again = watched();
  again.store.write(Joined, { id: '2' });
  expect(again.notices()).toBe(1);
});

test('a read in a batch does not delay the notices of the batch', () => {
  const { notices, store } = watched();
  store.batch(() => void store.get(Joined, { id: '1' }));
  expect(notices()).toBe(1);
});

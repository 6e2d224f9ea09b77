import { expect, it } from 'vitest';
import { Post, User } from '../../../tests/model.ts';
import { type Commit, Entity, Store } from '../../index.ts';

/** The posts of a response, for a class that does not declare their author. */
class Early extends Entity {
  id = '';
  author: unknown = undefined;
  static override key = 'Post';
}

it('records nested in stored rows are stored once a class declares their relation, and other rows stay the same', () => {
  const store = new Store();
  const commits: Commit[] = [];
  store.write([Early], [{ id: '1', author: { id: '7', name: 'Ann' } }, { id: '2', author: '7' }, { id: '3' }]);
  const before = ['2', '3'].map((id) => store.row('Post', id));
  store.onCommit((commit) => commits.push(commit));
  store.write(Post, { id: '9' });
  expect(store.get(Post, '1')?.author).toBe(store.get(User, '7'));
  expect(store.get(Post, '2')?.author).toBe(store.get(User, '7'));
  expect(['2', '3'].map((id) => store.row('Post', id))).toEqual(before);
  expect(commits.flatMap(({ rows }) => rows.map(({ table, pk }) => `${table} ${pk}`)).sort()).toEqual([
    'Post 1',
    'Post 9',
    'User 7',
  ]);
});

it('a nested value that is not a record stays as it is, and those of other rows are stored', () => {
  const store = new Store();
  store.write(
    [Early],
    [
      { id: '1', author: { name: 'no pk' } },
      { id: '2', author: { id: '7', name: 'Ann' } },
    ],
  );
  expect(store.get(Post, '2')?.author).toBe(store.get(User, '7'));
  expect(store.row('Post', '1')).toEqual({ id: '1', author: { name: 'no pk' } });
});

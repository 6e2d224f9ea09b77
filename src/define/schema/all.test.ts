import { expect, it } from 'vitest';
import { keepsTheSchemaLaws } from '../../../tests/laws/schema-laws.ts';
import { Store } from '../../state/store/store.ts';
import { All } from './all.ts';
import { Entity } from './entity.ts';
import { INVALID } from './row.ts';
import { Union } from './union.ts';

class User extends Entity {
  id = '';
  name = '';
  type = 'user';
  static override key = 'User';
}
class Team extends Entity {
  id = '';
  name = '';
  type = 'team';
  static override key = 'Team';
}

keepsTheSchemaLaws({
  schema: () => new All(User),
  response: () => [
    { id: '2', name: 'Ann' },
    { id: '1', name: 'Bob' },
  ],
  isQueried: true,
  part: { entity: User, pk: '2', record: { id: '2', name: 'Ann' } },
  withoutPart: [{ id: '1', name: 'Bob', type: 'user' }],
  wrong: ['text', 5, [{}]],
});

it('All reads every record in order of arrival, whatever response it came with', () => {
  const store = new Store();
  store.write([User], [{ id: '9' }, { id: '1' }]);
  store.write(User, { id: '5' });
  expect((store.get(new All(User)) as User[]).map((user) => user.id)).toEqual(['9', '1', '5']);
});

it('All is invalid, not empty, until there is a table', () => {
  const store = new Store();
  expect(store.query(new All(User)).current()).toBe(INVALID);
  store.write(User, { id: '1' });
  store.invalidate(User, '1');
  expect(store.query(new All(User)).current()).toEqual([]);
});

it('All is invalid in an object too, until there is a table, so that the object is fetched', () => {
  const store = new Store();
  const page = { results: new All(User), nextPage: '' };
  expect(store.query(page as never, [] as never).current()).toBe(INVALID);
  store.write(User, { id: '1' });
  expect(store.query(page as never, [] as never).current()).toEqual({ results: [store.get(User, '1')], nextPage: '' });
});

it('All answers a request with every record that is stored, alone and in an object', () => {
  const store = new Store();
  store.write(User, { id: '9' });
  store.write(new All(User), [{ id: '1' }], { resultKey: 'alone' });
  store.write({ users: new All(User), total: 0 }, { users: [{ id: '2' }], total: 2 }, { resultKey: 'page' });
  const users = ['9', '1', '2'].map((id) => store.get(User, id));
  expect(store.resultView('alone').current()).toEqual(users);
  expect(store.resultView('page').current()).toEqual({ users, total: 2 });
});

it('All reads records of several classes, as far as they have a table', () => {
  const store = new Store();
  const all = new All({ user: User, team: Team }, 'type');
  expect(store.query(all).current()).toBe(INVALID);
  store.write(all, [{ id: '1', type: 'team' }]);
  expect(store.get(all)).toEqual([{ id: '1', name: '', type: 'team' }]);
  store.write(User, { id: '1' });
  expect((store.get(all) as unknown[])[0]).toBeInstanceOf(User);
});

it('All takes over the classes of a Union', () => {
  const store = new Store();
  store.write(Team, { id: '1' });
  const all = new All(new Union({ user: User, team: Team }, 'type'));
  expect((store.get(all) as unknown[])[0]).toBe(store.get(Team, '1'));
  expect(Object.keys(all.schema as object)).toEqual(['user', 'team']);
});

it('All reads a selection of its records', () => {
  const store = new Store();
  store.write([User], [{ id: '1' }, { id: '2' }]);
  expect(store.read(new All(User), ['2'])).toEqual([store.get(User, '2')]);
});

import { describe, expect, test } from 'vitest';
import { User } from '../../../tests/model.ts';
import { count } from './aggregates.ts';
import { Entity } from '../../define/schema/entity.ts';
import { EarlierStore } from '../store/earlier-store.ts';
import type { KeptRows } from '../store/kept-states.ts';
import { addGuess } from '../store/layer.ts';
import { Store } from '../store/store.ts';
import { hasMany } from './has-many.ts';
import { on } from './on.ts';
import { from } from './live-query.ts';
import { takeSnapshot } from '../store/store-snapshot.ts';

class Post extends Entity {
  id = '';
  votes = 0;
  author: User | undefined = undefined;
  static override key = 'Post';
  static override schema = { author: User };
}

function strict<Value>(votes: number, value: Value): Value {
  if (votes === 5) throw new RangeError('five');
  return value;
}

const posts = from(Post);
const queries = {
  where: posts.where(({ votes }) => strict(votes, votes > 2)),
  orderBy: posts.orderBy(({ votes }) => strict(votes, votes)),
  select: posts.select(({ votes }) => strict(votes, votes)),
  count: posts.where(({ votes }) => strict(votes, true)).count(),
  groupBy: posts.groupBy(({ votes }) => strict(votes, votes), { posts: count() }),
};

describe('a value that no record has any more when a query is read', () => {
  test.each(Object.entries(queries))('does not make %s() fail, although others have read it', (_, given) => {
    const query = given as typeof posts;
    const store = new Store();
    store.write(
      [Post],
      [
        { id: '1', votes: 3 },
        { id: '2', votes: 1 },
      ],
    );
    const before = store.get(query);
    store.write(Post, { id: '2', votes: 5 });
    store.get(posts);
    store.write(Post, { id: '2', votes: 1 });
    expect(store.get(query)).toEqual(before);
    expect(() => {
      store.batch(() => {
        store.write(Post, { id: '3', votes: 5 });
        store.get(posts);
        throw new Error('undone');
      });
    }).toThrow('undone');
    expect(store.get(query)).toEqual(before);
    store.write(Post, { id: '3', votes: 5 });
    expect(() => store.get(query)).toThrow('five');
  });
});

test('a single record whose key cannot be compared can be removed', () => {
  const store = new Store();
  const collation = (one: string, other: string): number =>
    strict(one === '5' || other === '5' ? 5 : 0, one < other ? -1 : 1);
  const query = posts.orderBy(({ votes }) => `${votes}`, { collation });
  store.write(Post, { id: '1', votes: 5 });
  expect(store.get(query)).toHaveLength(1);
  store.write(
    [Post],
    [
      { id: '1', votes: 4 },
      { id: '2', votes: 1 },
    ],
  );
  expect(store.get(query)?.map(({ id }) => id)).toEqual(['2', '1']);
});

test('a moment has the former result of each query, although another query of the same records was read there before', () => {
  const store = new Store();
  store.write(
    [Post],
    [
      { id: '1', author: '7' },
      { id: '2', author: { id: '8', name: 'Ann' } },
    ],
  );
  const moment = takeSnapshot(store);
  const names = (all: readonly Post[] | undefined): unknown => all?.map(({ author }) => author?.name);
  const groups = posts.groupBy(({ author }) => author?.name ?? '', { posts: count() });
  expect(names(moment.get(posts))).toEqual([undefined, 'Ann']);
  expect(moment.get(groups.orderBy('key', 'desc'))).toEqual([
    { key: 'Ann', posts: 1 },
    { key: '', posts: 1 },
  ]);
  store.write(
    [User],
    [
      { id: '7', name: 'Bob' },
      { id: '8', name: 'Anna' },
    ],
  );
  expect(names(moment.get(posts.orderBy('id')))).toEqual([undefined, 'Ann']);
  expect(moment.get(groups)).toEqual([
    { key: '', posts: 1 },
    { key: 'Ann', posts: 1 },
  ]);
  expect(names(store.get(posts.orderBy('id')))).toEqual(['Bob', 'Anna']);
});

describe('a relation beside a record, from which one record was removed, and to which another was added', () => {
  const users = from(User).with({ posts: hasMany(() => Post, 'author') });
  const ids = (all: unknown): unknown =>
    (all as readonly { readonly posts: readonly Post[] }[]).map((user) => user.posts.map(({ id }) => id).join());
  function storeOfTwo(): Store {
    const store = new Store();
    store.write([User], [{ id: '7' }, { id: '8' }]);
    store.write(
      [Post],
      [
        { id: '1', author: '7' },
        { id: '2', author: '7' },
      ],
    );
    return store;
  }
  function move(store: Store): void {
    store.write(
      [Post],
      [
        { id: '1', author: '8' },
        { id: '3', author: '7' },
      ],
    );
  }

  test('has its former records in a moment, although it is read there for the first time', () => {
    const store = storeOfTwo();
    const moments = [takeSnapshot(store), takeSnapshot(store), takeSnapshot(store)] as const;
    expect(ids(moments[0].get(users))).toEqual(['1,2', '']);
    store.write(Post, { id: '1', author: null });
    expect(ids(moments[1].get(users))).toEqual(['1,2', '']);
    move(store);
    for (const moment of moments) expect(ids(moment.get(users))).toEqual(['1,2', '']);
    expect(ids(store.get(users))).toEqual(['2,3', '1']);
  });

  test('is not taken as unchanged by a screen that is behind', () => {
    const store = storeOfTwo();
    const rows: KeptRows = new Map();
    store.onCommit(({ shown }) => {
      for (const { table, pk, before } of shown) rows.set(table, (rows.get(table) ?? new Map()).set(pk, before));
    });
    store.write(Post, { id: '3', author: '8' });
    const { value, isPresent } = new EarlierStore(store.writer.core, rows, new Map()).get(users, []);
    expect([ids(value), isPresent]).toEqual([['1,2', ''], false]);
  });
});

describe('a relation that fails for a record', () => {
  class Sealed extends Entity {
    id = '';
    team = '';
    isBroken = false;
    static override key = 'Sealed';
    static override createIfValid(props: Readonly<Record<string, unknown>>): never {
      if (props['isBroken'] === true) throw new RangeError('broken');
      return super.createIfValid(props) as never;
    }
  }

  test('does not make the query fail any more when the record is not shown', () => {
    const withSealed = from(User).with({ sealed: hasMany(() => Sealed, { team: 'id' }) });
    const store = new Store();
    store.write([User], [{ id: '1' }, { id: '2' }]);
    store.write(
      [Sealed],
      [
        { id: '1', team: '1' },
        { id: '2', team: '2', isBroken: true },
      ],
    );
    expect(() => store.get(withSealed)).toThrow(/broken/);
    store.invalidate(User, '2');
    expect(store.get(withSealed)?.map(({ sealed }) => sealed.map(({ id }) => id))).toEqual([['1']]);
  });
});

describe('the pairs of a record that has gone, and has arrived again after others', () => {
  const pairs = posts.join('writer', User, on('author', 'id')).select(({ id, writer }) => `${id} of ${writer.id}`);

  function world() {
    const store = new Store();
    const guess = addGuess(store, () => ({ schema: Post, response: { id: '1', author: 'ann' } }));
    store.write([Post], [{ id: '2', author: { id: 'ann' } }]);
    expect(store.get(pairs)).toEqual(['1 of ann', '2 of ann']);
    const leave = (): void => {
      guess.drop();
      // Another query learns of it before the pairs are read.
      store.get(posts);
    };
    return { store, leave };
  }

  test('are at their new place', () => {
    const { store, leave } = world();
    leave();
    store.write(Post, { id: '1', author: 'ann' });
    expect(store.get(pairs)).toEqual(['2 of ann', '1 of ann']);
  });

  test('leave the list if it belongs to no other record any more', () => {
    const { store, leave } = world();
    leave();
    store.write(Post, { id: '1', author: 'bob' });
    expect(store.get(pairs)).toEqual(['2 of ann']);
  });
});

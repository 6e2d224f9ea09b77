import { describe, expect, test } from 'vitest';
import { count } from './aggregates.ts';
import { arg } from '../../define/query/argument.ts';
import { All } from '../../define/schema/all.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Query } from '../../define/schema/query.ts';
import { Store } from '../store/store.ts';
import { hasMany } from './has-many.ts';
import { from } from './live-query.ts';
import { on } from './on.ts';
import { addGuess } from '../store/layer.ts';
import { restore } from '../store/restore.ts';

class Post extends Entity {
  id = '';
  votes = 0;
  static override key = 'Post';
}

/** The type of any query. */
const ANY = from(Post);

function storeOf(): Store {
  const store = new Store();
  store.write(
    [Post],
    [1, 2].map((votes) => ({ id: String(votes), votes })),
  );
  return store;
}

describe('a query names an invalid argument at once', () => {
  const posts = from(Post) as unknown as Record<string, (...given: unknown[]) => unknown>;
  const relation = hasMany as (...given: unknown[]) => unknown;
  test.each<readonly [string, () => unknown, string]>([
    ['conditions', () => posts['where']?.(undefined), 'where() of a query was given undefined. Pass conditions'],
    ['a list of them', () => posts['where']?.([]), 'where() of a query was given a list. Pass conditions'],
    [
      'a comparison that does not exist',
      () => posts['where']?.({ votes: { greater: 3 } }),
      'where() for votes of a query was given { greater: number }. Pass a value, or comparisons by their names: gt, gte, lt, lte, in, not.',
    ],
    [
      'a comparison that does not exist beside one that does',
      () => posts['where']?.({ votes: { gt: 3, lessThan: 5 } }),
      'where() for votes of a query was given { gt: number, lessThan: number }',
    ],
    [
      'an order',
      () => posts['orderBy']?.(undefined),
      'orderBy() of a query was given undefined. Pass the name of a field',
    ],
    [
      'a direction',
      () => posts['orderBy']?.('votes', 'DESC'),
      "orderBy() of a query was given 'DESC'. Pass 'asc', 'desc', or",
    ],
    [
      'a direction by name',
      () => posts['orderBy']?.('votes', { direction: -1 }),
      'orderBy() of a query was given { direction: number }',
    ],
    [
      'a place for nothing',
      () => posts['orderBy']?.('votes', { nulls: true }),
      'orderBy() of a query was given { nulls: boolean }',
    ],
    ['options', () => posts['orderBy']?.('votes', null), 'orderBy() of a query was given null'],
    [
      'no aggregates',
      () => posts['groupBy']?.('votes'),
      'groupBy() of a query was given undefined. Pass aggregates: { posts: count() }.',
    ],
    [
      'an aggregate that is not called',
      () => posts['groupBy']?.('votes', { n: count }),
      'groupBy() of a query was given { n: function }',
    ],
    [
      'the name of the key',
      () => posts['groupBy']?.('votes', { votes: count() }),
      'Pass other names: votes is the key of the group.',
    ],
    [
      'no key',
      () => posts['groupBy']?.(undefined, { n: count() }),
      'groupBy() of a query was given undefined. Pass the name of a field',
    ],
    [
      'no relation',
      () => posts['with']?.({ author: undefined }),
      'with() of a query was given { author: undefined }. Pass relations by name',
    ],
    ['a function', () => posts['with']?.(() => Post), 'with() of a query was given a function'],
    ['a class', () => posts['with']?.({ author: Post }), 'with() of a query was given { author: function }'],
    ['no relations', () => posts['with']?.(), 'with() of a query was given undefined'],
    [
      'no field to join by',
      () => on(undefined as never, 'id'),
      'on() of a query was given undefined. Pass the name of a field, or a function.',
    ],
    [
      'nothing that is equal in a join',
      () => posts['join']?.('author', Post, 'authorId', 'id'),
      "join() of a query was given 'authorId'. Pass what is equal: on('authorId', 'id').",
    ],
    [
      'no name to join as',
      () => posts['leftJoin']?.(undefined, Post, on('id', 'id')),
      'leftJoin() of a query was given undefined. Pass a name for the field',
    ],
    ['no function', () => posts['select']?.('votes'), "select() of a query was given 'votes'. Pass a function."],
    [
      'a second function that replaces each record',
      () =>
        from(Post)
          .select(({ votes }) => votes)
          // @ts-expect-error -- only the compiler says it earlier
          .select(String),
      'select() of a query was given String. Pass it to a query without a select(): from(query).select(…).',
    ],
    [
      'relations of records that were replaced',
      () =>
        from(Post)
          .select(({ id }) => id)
          // @ts-expect-error -- only the compiler says it earlier
          .with({ posts: from(Post) }),
      'Pass it before select(): from(User).with(…).select(…).',
    ],
    [
      'no field',
      () => relation(Post),
      "hasMany() of a query was given undefined. Pass a field of the other class, { theirs: 'own' }, a function, or through().",
    ],
    ['a class as a field', () => relation(Post, Post), 'hasMany() of a query was given Post'],
    [
      'a relation that is none, beside one that is',
      () => posts['with']?.({ author: hasMany(Post, 'id'), best: Post }),
      'with() of a query was given { author: object, best: function }',
    ],
    [
      'an aggregate that is none, beside one that is',
      () => posts['groupBy']?.('votes', { n: count(), m: count }),
      'groupBy() of a query was given { n: object, m: function }',
    ],
    [
      'a field of no name beside one with a name',
      () => relation(Post, { author: 'id', votes: 5 }),
      'hasMany() of a query was given { author: string, votes: number }',
    ],
    ['a field of no name', () => relation(Post, { author: 5 }), 'hasMany() of a query was given { author: number }'],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: 'query-invalid' }));
  });

  test('a query names an invalid value of a reader when it is read', () => {
    const among = from(Post).where({ votes: { in: arg('among') } });
    expect(() => storeOf().get(among, { among: 5 as never })).toThrow(
      'in of where() of a query was given 5. Pass a list',
    );
  });
});

test('a query of a collection beside each record is an error that names the field and the collection', () => {
  const posts = from(new Collection([Post]));
  const query = from(Post).with({ posts } as never);
  expect(() => storeOf().get(query)).toThrow(
    "with() of a query was given 'posts'. Pass a relation: posts is a query of the collection [Post], which only an endpoint can load.",
  );
});

describe('functions of a query cannot write', () => {
  const functions: Readonly<Record<string, (run: () => void) => unknown>> = {
    'where()': (run) => from(Post).where(() => (run(), true)),
    'orderBy()': (run) => from(Post).orderBy(({ votes }) => (run(), votes)),
    'select()': (run) => from(Post).select(() => run()),
    'groupBy()': (run) => from(Post).groupBy(() => run(), { posts: count() }),
    'an aggregate': (run) => from(Post).groupBy('votes', { posts: count(() => (run(), true)) }),
    'a Query': (run) => new Query(new All(Post), (posts) => (run(), posts)),
  };
  const writes: Readonly<Record<string, (store: Store) => unknown>> = {
    write: (store) => store.write(Post, { id: '9' }),
    invalidate: (store) => store.invalidate(Post, '1'),
    guess: (store) => addGuess(store, () => ({ schema: Post, response: { id: '9' } })),
    note: (store) => store.note('key', { isExpired: true, issue: 0 } as never),
    restore: (store) => restore(store.writer, [], []),
    reset: (store) => store.reset(),
    collect: (store) => [...store.collect()],
  };
  test.each(Object.keys(functions).flatMap((where) => Object.keys(writes).map((what) => [where, what])))(
    'in %s: %s',
    (where = '', what = '') => {
      const store = storeOf();
      const query = functions[where]?.(() => writes[what]?.(store)) as typeof ANY;
      const rows = store.stats().rows;
      const text =
        'The store was written to during a read. Functions of queries, and hooks that create values, must only read.';
      const error = { code: 'store-busy', message: expect.stringContaining(text) as unknown };
      expect(() => store.get(query)).toThrow(expect.objectContaining(error));
      expect(store.stats().rows).toBe(rows);
      // The store can be written to again.
      store.write(Post, { id: '3', votes: 3 });
      expect(store.get(from(Post))).toHaveLength(3);
    },
  );

  test('although they can read', () => {
    const store = storeOf();
    const first = from(Post).where(({ votes }) => votes === store.get(Post, '1')?.votes);
    expect(store.get(first)).toHaveLength(1);
    store.write(Post, { id: '3' });
    expect(store.get(first)).toHaveLength(1);
  });

  test('also not at the end of a write that makes them run', () => {
    const store = storeOf();
    let isWriting = false;
    const query = from(Post).where(() => {
      if (isWriting) store.write(Post, { id: '9' });
      return true;
    });
    const view = store.query(query);
    view.subscribe(() => {});
    isWriting = true;
    store.batch(() => [4, 5].forEach((id) => void store.write(Post, { id })));
    expect(() => view.current()).toThrow(expect.objectContaining({ code: 'store-busy' }));
    isWriting = false;
    store.write(Post, { id: '6' });
    expect(view.current()).toHaveLength(5);
  });
});

test('observers of a query are not notified of a write that does not affect it', () => {
  const store = storeOf();
  const queries = [
    from(Post).where({ votes: { gt: 5 } }),
    from(Post).orderBy('votes').limit(1),
    from(Post)
      .where({ votes: { lt: 9 } })
      .count(),
    from(Post).exists(),
    from(Post)
      .where({ votes: { lt: 2 } })
      .groupBy('votes', { posts: count() }),
  ];
  const observers = queries.map((query) => {
    const view = store.query(query as typeof ANY);
    const counter = { times: 0 };
    view.subscribe(() => void counter.times++);
    return counter;
  });
  store.write(Post, { id: '2', votes: 3 });
  expect(observers.map(({ times }) => times)).toEqual([0, 0, 0, 0, 0]);
  store.write(Post, { id: '1', votes: 7 });
  expect(observers.map(({ times }) => times)).toEqual([1, 1, 0, 0, 1]);
});

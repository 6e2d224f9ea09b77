import { expect, test } from 'vitest';
import { count } from '../../define/query/aggregates.ts';
import { arg } from '../../define/query/argument.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Store } from '../store/store.ts';
import { explain } from './explain.ts';
import { hasMany } from './has-many.ts';
import { from } from './live-query.ts';
import { through } from './through.ts';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
  static todos = hasMany(() => Todo, 'userId');
  static seen = hasMany(
    () => Todo,
    through(() => View, 'userId', 'todoId'),
  );
}

class View extends Entity {
  id = '';
  userId = '';
  todoId = '';
  static override key = 'View';
}

class Todo extends Entity {
  id = '';
  userId = '';
  isDone = false;
  size = 0;
  static override key = 'Todo';
  static override indexes = ['size'];
}

const todos = new Collection([Todo]);

function storeOf(): Store {
  const store = new Store();
  store.write(
    todos,
    Array.from({ length: 10 }, (_, at) => ({ id: `t${at}`, userId: `u${at % 2}`, size: at })),
    { args: [{}] },
  );
  store.write([View], [{ id: 'v', userId: 'u0', todoId: 't1' }]);
  return store;
}

const all = from(Todo);

test.each([
  [
    all.where({ isDone: false }).limit(3),
    [],
    [],
    10,
    [
      'Goes through all 10 Todo rows once; from then on, through those that change. Only records that are shown are built.',
      'Shows 3 from place 0.',
    ],
  ],
  [
    all.where({ userId: arg('userId') }).count(),
    [{ userId: 'u0' }],
    ['userId'],
    5,
    [
      'Looks up userId: 5 of 10 Todo rows. Only records that are shown are built.',
      'Counts them: a change counts one more or less.',
    ],
  ],
  [
    all.orderBy('size', 'desc').limit(arg('most')),
    [{ most: 4 }],
    ['size'],
    4,
    ['Takes the first rows of the index of size. Only records that are shown are built.', 'Shows most from place 0.'],
  ],
  [
    all.orderBy('size').one(),
    [],
    ['size'],
    1,
    ['Takes the first rows of the index of size. Only records that are shown are built.'],
  ],
  [
    all.where({ size: { gte: 7 } }).where((todo) => todo.id !== ''),
    [],
    ['size'],
    3,
    [
      'Takes a stretch of the index of size: 3 of 10 Todo rows. The records are built whose rows pass.',
      'A function decides which of them pass: it is asked of each that changes, and no index can answer it.',
    ],
  ],
  [
    User.todos.orderBy('size').orderBy((todo) => todo.id),
    ['u1'],
    ['userId'],
    5,
    [
      'Looks up userId: 5 of 10 Todo rows. The records are built.',
      'Keeps them sorted by size, a function: a change moves one.',
    ],
  ],
  [
    User.seen,
    ['u0'],
    ['View'],
    1,
    ['Finds Todo rows by way of View, and again when something on that way changes. The records are built.'],
  ],
  [
    all
      .groupBy('userId', { all: count() })
      .where({ all: { gt: 1 } })
      .offset(1),
    [],
    [],
    10,
    [
      'Goes through all 10 Todo rows once; from then on, through those that change. The records are built.',
      'Groups them by userId: a change works out the group that it is in.',
      'Asks what has come of that: a change is asked alone.',
      'Shows all from place 1.',
    ],
  ],
  [
    from(todos).join('user', User, 'userId', 'id'),
    [{}],
    [],
    0,
    [
      `Goes through the members of the collection ${todos.key}. A change of the list costs its length, a change of a member that member.`,
      'Joins user by userId and id: a change touches the pairs of what has changed.',
    ],
  ],
  [
    from(all.orderBy('size').limit(2)).with({ user: User.todos }),
    [],
    ['size'],
    2,
    [
      'Takes the first rows of the index of size. Only records that are shown are built.',
      'Shows 2 from place 0.',
      'Goes on from what that gives.',
      'Reads user beside those that are shown.',
    ],
  ],
] as const)(
  '%# says which index finds the rows, how many are looked at, and what a change costs',
  (query, args, indexes, scanned, steps) => {
    const store = storeOf();
    const known = store.query(explain(query as never), args as never).current();
    expect(known).toMatchObject({ indexes, scanned, steps });
  },
);

test('is told again when the query is, and stays the same object while it says the same', () => {
  const store = storeOf();
  const open = explain(from(Todo).where({ isDone: false }).count());
  const view = store.query(open, []);
  view.subscribe(() => {});
  const known = view.current();
  expect(known).toMatchObject({ source: 'Todo', rows: 10, scanned: 10 });
  store.write(Todo, { id: 't1', size: 3 });
  expect(view.current()).toBe(known);
  store.write(Todo, { id: 'new' });
  expect(view.current()).toMatchObject({ rows: 11, scanned: 11 });
  expect(new Store().get(open)).toBeUndefined();
});

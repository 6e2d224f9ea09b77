import { expect, test } from 'vitest';
import { count } from './aggregates.ts';
import { arg } from '../../define/query/argument.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Store } from '../store/store.ts';
import { explain } from './explain.ts';
import { hasMany } from './has-many.ts';
import { from } from './live-query.ts';
import { on } from './on.ts';
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
      'Reads all 10 Todo rows once, and then only those that change. Builds only shown records.',
      'Shows 3 items from index 0.',
    ],
  ],
  [
    all.where({ userId: arg('userId') }).count(),
    [{ userId: 'u0' }],
    ['userId'],
    5,
    ['Looks up userId: 5 of 10 Todo rows. Builds only shown records.', 'Counts them: a change adds or subtracts one.'],
  ],
  [
    all.where({ userId: arg('userId'), isDone: false }),
    [{ userId: 'u0' }],
    ['userId'],
    5,
    ['Looks up userId: 5 of 10 Todo rows. Builds the records whose rows pass.'],
  ],
  [
    all.orderBy('size', 'desc').limit(arg('most')),
    [{ most: 4 }],
    ['size'],
    4,
    ['Takes the first rows of the index of size. Builds only shown records.', 'Shows most items from index 0.'],
  ],
  [
    all.orderBy('size').one(),
    [],
    ['size'],
    1,
    ['Takes the first rows of the index of size. Builds only shown records.'],
  ],
  [
    all.orderBy('size').limit(4).one(),
    [],
    ['size'],
    1,
    ['Takes the first rows of the index of size. Builds only shown records.', 'Shows 4 items from index 0.'],
  ],
  [
    all.orderBy('size').exists(),
    [],
    [],
    10,
    [
      'Reads all 10 Todo rows once, and then only those that change. Builds only shown records.',
      'Counts them: a change adds or subtracts one.',
    ],
  ],
  [
    all.orderBy('userId').one(),
    [],
    [],
    10,
    [
      'Reads all 10 Todo rows once, and then only those that change. Builds only shown records.',
      'Keeps them sorted by userId: a change moves one item.',
    ],
  ],
  [
    from(all.orderBy('size').limit(4)).orderBy('userId').orderBy('id'),
    [],
    ['size'],
    4,
    [
      'Takes the first rows of the index of size. Builds only shown records.',
      'Shows 4 items from index 0.',
      'Continues with the result of that query.',
      'Keeps them sorted by userId, id: a change moves one item.',
    ],
  ],
  [
    all.where({ size: { gte: 7 } }).where((todo) => todo.id !== ''),
    [],
    ['size'],
    3,
    [
      'Takes a range of the index of size: 3 of 10 Todo rows. Builds the records whose rows pass.',
      'A function decides which of them pass. It runs for each changed record, and no index can replace it.',
    ],
  ],
  [
    User.todos.orderBy('size').orderBy((todo) => todo.id),
    ['u1'],
    ['userId'],
    5,
    [
      'Looks up userId: 5 of 10 Todo rows. Builds these records.',
      'Keeps them sorted by size, a function: a change moves one item.',
    ],
  ],
  [
    User.seen,
    ['u0'],
    ['View'],
    1,
    ['Finds Todo rows through View, and again when something on that path changes. Builds these records.'],
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
      'Reads all 10 Todo rows once, and then only those that change. Builds these records.',
      'Groups them by userId: a change updates the groups that it is in.',
      'Filters the result: only changed items are checked.',
      'Shows all items from index 1.',
    ],
  ],
  [
    from(todos).join('user', User, on('userId', 'id')),
    [{}],
    [],
    0,
    [
      `Reads the members of the collection ${todos.key}. A change of the list costs its length, a change of a member one step.`,
      'Joins user by userId and id: a change updates the pairs of the changed record.',
    ],
  ],
  [
    from(all.orderBy('size').limit(2)).with({ user: User.todos }),
    [],
    ['size'],
    2,
    [
      'Takes the first rows of the index of size. Builds only shown records.',
      'Shows 2 items from index 0.',
      'Continues with the result of that query.',
      'Reads user for each shown item.',
    ],
  ],
] as const)(
  'explain() of query %# names the index that finds the rows, their number, and the steps of a change',
  (query, args, indexes, scanned, steps) => {
    const store = storeOf();
    const known = store.query(explain(query as never), args as never).current();
    expect(known).toMatchObject({ indexes, scanned, steps });
  },
);

test.each<[string, Record<string, unknown>, readonly string[], number]>([
  ['the fields of one index', { state: 'open', userId: 'u1' }, ['state and userId'], 2],
  [
    'the fields of one index, and another condition',
    { userId: 'u1', size: { lt: 9 }, state: 'open' },
    ['state and userId'],
    2,
  ],
  ['the first field of an index', { state: 'open' }, ['state'], 4],
  ['several values of the field of an index', { size: { in: [1, 2] } }, ['size'], 2],
  ['the second field of an index', { userId: 'u1' }, [], 6],
  ['a field of an index that must not have a value', { size: { not: 1 } }, [], 6],
  ['two indexes', { state: 'open', size: 1 }, ['state', 'size'], 1],
])(
  'an index of several fields, and one of a single field: a query by %s looks at the rows that they find',
  (_, condition, indexes, scanned) => {
    class Task extends Entity {
      id = '';
      state = '';
      userId = '';
      size = 0;
      static override key = 'Task';
      static override indexes = [['state', 'userId'], 'size'];
    }
    const store = new Store();
    store.write([Task], [0, 1, 2, 3, 4, 5].map((at) => ({ id: `${at}`, state: at < 4 ? 'open' : '', userId: `u${at % 2}`, size: at }))); // prettier-ignore
    expect(store.get(explain(from(Task).where(condition)))).toMatchObject({ indexes, scanned });
  },
);

test('explain() is computed again together with its query, and stays the same object while its content is the same', () => {
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

test('explain() of something that is not a query is a typed error', () => {
  for (const given of [Todo, undefined, new Collection([Todo])])
    expect(() => explain(given as never)).toThrow(expect.objectContaining({ code: 'query-invalid' }));
  expect(() => explain(Todo as never)).toThrow(
    'explain() of a query was given Todo. Pass a query, such as from(Post).',
  );
});

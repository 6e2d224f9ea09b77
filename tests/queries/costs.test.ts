import { describe, expect, test } from 'vitest';
import { arg } from '../../src/define/query/argument.ts';
import { Entity } from '../../src/define/schema/entity.ts';
import { avg, count, max, min, sum } from '../../src/state/query/aggregates.ts';
import { explain } from '../../src/state/query/explain.ts';
import { hasMany } from '../../src/state/query/has-many.ts';
import { from } from '../../src/state/query/live-query.ts';
import { on } from '../../src/state/query/on.ts';
import { Store } from '../../src/state/store/store.ts';

/** How many times functions of the application were called. */
const calls = { count: 0 };
const counted = <Value>(value: Value): Value => {
  calls.count++;
  return value;
};

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
  static todos = hasMany(() => Todo, 'userId');
}

class Todo extends Entity {
  id = '';
  userId = '';
  title = '';
  points = 0;
  static override key = 'Todo';
}

/** A number that counts how many times it is compared. */
class Points {
  readonly points: number;

  constructor(points: number) {
    this.points = points;
  }

  static compare(one: Points, other: Points): number {
    return counted(one.points - other.points);
  }
}

const points = Array.from({ length: 10_000 }, (_, at) => new Points(at));
const todos = from(Todo);
const collation = (one: string, other: string): number => counted(one < other ? -1 : one > other ? 1 : 0);
const titleOf = (at: number): string => String(100_000 + ((at * 7919) % 100_003));

function filled(size: number): Store {
  const store = new Store();
  const ids = Array.from({ length: size }, (_, at) => at);
  store.write(
    [User],
    ids.slice(0, size / 10).map((at) => ({ id: `u${at}`, name: `n${at}` })),
  );
  store.write(
    [Todo],
    ids.map((at) => ({ id: `t${at}`, userId: `u${at % (size / 10)}`, title: titleOf(at), points: at % 100 })),
  );
  return store;
}

/** Returns the number of calls for the first read, and the largest number for one of twenty changes of one record. */
function callsOf(query: object, size: number): readonly [first: number, change: number] {
  const store = filled(size);
  calls.count = 0;
  const stop = store.query(query as never, [] as never).subscribe(() => {});
  store.get(query as never, ...([] as never));
  const first = calls.count;
  let most = 0;
  for (let turn = 0; turn < 20; turn++) {
    calls.count = 0;
    store.write(Todo, { id: `t${(turn * 37) % size}`, title: titleOf(turn + size), points: turn });
    store.get(query as never, ...([] as never));
    most = Math.max(most, calls.count);
  }
  stop();
  return [first, most];
}

describe('a change of one record', () => {
  test.each<[string, object, number]>([
    ['the condition of a list', todos.where((todo) => counted(todo.points > 50)), 2],
    ['the condition of a number', todos.where((todo) => counted(todo.points > 50)).count(), 2],
    ['the key of an order', todos.orderBy((todo) => counted(todo.points)).limit(20), 2],
    ['a total', todos.groupBy('userId', { total: sum((todo) => counted(todo.points)) }), 2],
    ['a mean of all', todos.groupBy(() => 1, { mean: avg((todo) => counted(todo.points)) }), 2],
    ['the key of a group', todos.groupBy((todo) => counted(todo.points), { todos: count() }), 2],
    [
      'the key of a join',
      todos.join(
        'user',
        User,
        on((todo) => counted(todo.userId), 'id'),
      ),
      1,
    ],
    ['a selected value', todos.select((todo) => counted(todo.title)), 1],
    [
      'a value with relations beside it',
      from(User)
        .with({ todos: User.todos })
        .select((user) => counted(user.todos.length)),
      1,
    ],
  ])('computes %s for this record alone, and the first read once for each', (_, query, most) => {
    const [[first, change], [more, same]] = [callsOf(query, 500), callsOf(query, 4000)];
    expect([change, same].map((each) => each <= most)).toEqual([true, true]);
    expect(more / first).toBeCloseTo(8, 0);
  });

  test.each<[string, object]>([
    ['its place in an order', todos.orderBy('title', { collation })],
    ['its place in a window', todos.orderBy('title', { collation }).limit(20)],
    ['the least value', todos.groupBy(() => 1, { least: min((todo) => points[todo.points]) })],
    ['the greatest value', todos.groupBy(() => 1, { most: max((todo) => points[todo.points]) })],
  ])('finds %s in a number of comparisons that grows with the logarithm', (_, query) => {
    const [[, change], [, more]] = [callsOf(query, 500), callsOf(query, 4000)];
    // Eight times as many records: three more comparisons for each search.
    expect(change).toBeLessThan(30);
    expect(more - change).toBeLessThan(15);
  });

  test('concerns one of a thousand readers that read with other arguments', () => {
    const open = todos.where({ userId: arg('user') }).where((todo) => counted(todo.points > 50));
    const store = filled(10_000);
    const stops = Array.from({ length: 1000 }, (_, at) =>
      store.query(open, [{ user: `u${at}` }]).subscribe(() => calls.count++),
    );
    calls.count = 0;
    store.write(Todo, { id: 't1', points: 99 });
    // Its condition, before and after, and one notice.
    expect(calls.count).toBeLessThanOrEqual(3);
    // The others depend on the rows of their argument alone, and not on the table.
    expect(store.get(explain(open), { user: 'u1' })).toMatchObject({ indexes: ['userId'], scanned: 10 });
    for (const stop of stops) stop();
  });

  test('leaves the other groups as they are', () => {
    const store = filled(1000);
    const groups = todos.groupBy('userId', { todos: count(), points: sum((todo) => todo.points) });
    const before = store.get(groups) ?? [];
    store.write(Todo, { id: 't1', points: 99 });
    const after = store.get(groups) ?? [];
    expect(after.filter((group, at) => group !== before[at]).map(({ userId }) => userId)).toEqual(['u1']);
  });
});

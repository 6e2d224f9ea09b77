import { describe, expect, test } from 'vitest';
import { Collection, DataError, Invalidate, Store, Union, Values } from '../../../src/index.ts';
import { Comment, Post, Todo, User, comments, pksOf, todos, undone } from './models.ts';

// Faults that random histories have found, each as the shortest history that showed it.

describe('values that became valid, invalid or missing', () => {
  test('a record that was read while it was deleted is read again when it comes back', () => {
    const store = new Store();
    store.invalidate(User, 'u1');
    expect(store.get(User, { id: 'u1' })).toBeUndefined();

    store.write(User, { id: 'u1', name: 'a' });

    expect((store.get(User, { id: 'u1' }) as User).name).toBe('a');
  });

  test('a result that was read while its record was deleted is read again when it comes back, through a Union too', () => {
    const store = new Store();
    const media = new Union({ todo: Todo }, 'type');
    store.write(media, { id: 't1', type: 'todo' }, { resultKey: 'GET /a' });
    const view = store.resultView('GET /a');
    const before = view.current();
    store.invalidate(Todo, 't1');
    view.current();

    store.write(Todo, { id: 't1', title: 'again' });

    expect(before).toBeInstanceOf(Todo);
    expect(view.current()).toBe(store.get(Todo, { id: 't1' }));
  });

  test('a record becomes invalid when a required part goes from missing to deleted', () => {
    const store = new Store();
    store.write(Post, { id: 'p1', author: 'u1' });
    expect(store.get(Post, { id: 'p1' })).toBeInstanceOf(Post);

    store.invalidate(User, 'u1');

    expect(store.get(Post, { id: 'p1' })).toBeUndefined();
  });
});

describe('when nothing changes', () => {
  test('an identical answer with two versions of one record keeps the object', () => {
    const store = new Store();
    const answer = () => [
      { id: 'u1', name: 'a' },
      { id: 'u1', name: 'b' },
    ];
    store.write([User], answer());
    const before = store.get(User, { id: 'u1' });

    store.write([User], answer());

    expect(store.get(User, { id: 'u1' })).toBe(before);
  });

  test('an identical answer with two versions of one list keeps the object', () => {
    const store = new Store();
    const answer = () => [
      { id: 'p1', comments: ['c1'] },
      { id: 'p1', comments: [{ id: 'c2' }] },
    ];
    store.write([Post], answer());
    const before = store.get(Post, { id: 'p1' });

    store.write([Post], answer());

    expect(store.get(Post, { id: 'p1' })).toBe(before);
  });

  test('an identical result under the same request key keeps its object and notifies no observer', () => {
    const store = new Store();
    store.write([User], [{ id: 'u1' }], { resultKey: 'GET /a' });
    const view = store.resultView('GET /a');
    const before = view.current();
    let calls = 0;
    view.subscribe(() => calls++);

    store.write([User], [{ id: 'u1' }], { resultKey: 'GET /a' });

    expect(view.current()).toBe(before);
    expect(calls).toBe(0);
  });

  test('an undone batch notifies no observer', () => {
    const store = new Store();
    const live = store.query(comments, [{ postId: 'p2' }]);
    live.current();
    let calls = 0;
    live.subscribe(() => calls++);

    undone(
      (run) => store.batch(run),
      () => store.write(Post, { id: 'p2', comments: ['c1'] }),
    );

    expect(calls).toBe(0);
  });

  test('an undone batch leaves lists and identities as they were, also where it deleted a member’s record', () => {
    const store = new Store();
    store.write(Post, { id: 'p2', author: { id: 'u2' }, comments: [{ id: 'c1' }, 'c3'] });
    const before = store.get(Post, { id: 'p2' });

    undone(
      (run) => store.batch(run),
      () => {
        store.write(comments, [{ id: 'c3', commenter: 'u2' }], { args: [{ postId: 'p2' }] });
        store.write(new Invalidate(User), { id: 'u2' });
      },
    );

    expect(pksOf(store.get(comments, { postId: 'p2' }))).toEqual(['c1']);
    expect(store.get(Post, { id: 'p2' })).toBe(before);
  });

  test('an undone batch that emptied a list leaves its members in it', () => {
    const store = new Store();
    store.write(todos, [{ id: 't2' }], { args: [] });
    store.write(comments, [{ id: 'c1', commenter: { id: 'u1' } }], { args: [{ postId: 'p1' }] });
    store.get(comments, { postId: 'p1' });

    undone(
      (run) => store.batch(run),
      () => {
        store.write(comments, [], { args: [{ postId: 'p1' }] });
        store.write(new Invalidate(User), { id: 'u1' });
      },
    );

    expect(store.get(comments, { postId: 'p1' })).toEqual([store.get(Comment, { id: 'c1' })]);
  });

  test('a field that is undefined overwrites the stored value', () => {
    const store = new Store();
    store.write(Comment, { id: 'c1', commenter: 'u1' });
    store.write(Comment, { id: 'c1', commenter: undefined });

    expect(store.row('Comment', 'c1')).toEqual({ id: 'c1', commenter: undefined });
  });
});

describe('lists', () => {
  test('a list keeps its members when a deleted member that it did not show is deleted again', () => {
    const store = new Store();
    store.invalidate(Todo, 't3');
    store.write(todos, ['t3', { id: 't2' }, { id: 't1' }], { args: [] });
    expect(pksOf(store.get(todos))).toEqual(['t2', 't1']);
    store.invalidate(Todo, 't3');
    expect(pksOf(store.get(todos))).toEqual(['t2', 't1']);

    store.write(Todo, { id: 't1', title: 'x' });

    expect(pksOf(store.get(todos))).toEqual(['t2', 't1']);
  });

  test('an identical answer that holds two versions of one list notifies no observer', () => {
    const store = new Store();
    const answer = () =>
      store.write(comments, [{ id: 'c3', post: { id: 'p1', comments: [] } }], { args: [{ postId: 'p1' }] });
    const live = store.query(comments, [{ postId: 'p1' }]);
    let calls = 0;
    live.subscribe(() => calls++);
    answer();
    live.current();
    calls = 0;

    answer();

    expect(calls).toBe(0);
  });
});

test('a commit contains no change of an inner batch that was undone', () => {
  const store = new Store();
  const received: string[] = [];
  store.onCommit(({ rows, shown }) => received.push(...[...rows, ...shown].map(({ table, pk }) => `${table} ${pk}`)));

  store.batch(() => {
    store.write(Todo, { id: 't2' });
    undone(
      (run) => store.batch(run),
      () => store.write(User, { id: 'u2' }),
    );
  });

  expect(received).toEqual(['Todo t2', 'Todo t2']);
});

test('a map follows its members after a response that had deleted one of them was refused', () => {
  class Task extends Todo {
    static override key = 'Task';
    static override process(task: { title?: unknown }): object | undefined {
      return task.title === 'gone' ? undefined : { ...task };
    }
  }
  const board = new Collection(new Values(Task));
  const store = new Store();
  store.write(board, { first: { id: 't2' }, second: { id: 't3' } }, { args: [{ userId: 'u1' }] });
  store.get(board, { userId: 'u1' });
  const gone = { id: 't2', title: 'gone' };
  const bad = [gone, { ...gone }, { id: true }];
  expect(() => store.write([Task], bad)).toThrow(DataError);

  store.write(Task, { id: 't2', title: 'c' });

  expect(store.get(board, { userId: 'u1' })?.['first']).toBe(store.get(Task, { id: 't2' }));
});

test('a list shows a member that comes after a response that had deleted it was refused', () => {
  const store = new Store();
  const gone = new Invalidate(Todo);
  store.write(todos, ['t1'], { args: [] });
  expect(store.get(todos)).toEqual([]);
  const bad = { first: { id: 't1' }, second: { id: 't2' }, third: { id: true } };
  expect(() => store.write({ first: gone, second: gone, third: Todo }, bad)).toThrow(DataError);

  store.write(Todo, { id: 't1' });

  expect(pksOf(store.get(todos))).toEqual(['t1']);
});

import { expect, test } from 'vitest';
import { INVALID } from '../../../src/define/schema/row.ts';
import { All, Query, Store } from '../../../src/index.ts';
import { Comment, Node, Todo, User, pksOf, todos } from './models.ts';
import { takeSnapshot } from '../../../src/state/store/store-snapshot.ts';

// Faults that random histories have found, each as the shortest history that showed it.

test('the observer of a missing record is notified when it arrives, also after a garbage collection', () => {
  const store = new Store();
  const live = store.query(User, [{ id: 'u2' }]);
  live.current();
  let calls = 0;
  live.subscribe(() => calls++);
  Array.from(store.collect());

  store.write(User, { id: 'u2' });

  expect(calls).toBe(1);
  expect(live.current()).toBe(store.get(User, { id: 'u2' }));
});

test('a missing member is shown in its list when it arrives, also after a garbage collection', () => {
  let time = 0;
  const store = new Store({ now: () => time });
  store.begin();
  store.write(todos, ['t3'], { args: [], expiresAt: 0 });
  expect(store.get(todos)).toEqual([]);
  time = 1_000_000;
  Array.from(store.collect());

  store.write(Todo, { id: 't3' });

  expect(pksOf(store.get(todos))).toEqual(['t3']);
});

test('a watched record that comes back after a reset and a collection has all its members', () => {
  const store = new Store();
  const live = store.query(Node, [{ id: '2' }]);
  live.subscribe(() => undefined);
  store.write(Node, { id: '2', children: [{ id: '4' }] });
  live.current();
  store.reset();
  Array.from(store.collect());

  store.write(Node, { id: '4' });
  store.write(Node, { id: '2', children: ['2', '4'] });

  expect(pksOf((live.current() as Node).children)).toEqual(['2', '4']);
});

test('a snapshot shows rows that were collected after it was taken', () => {
  let time = 0;
  const store = new Store({ now: () => time });
  store.write(User, { id: 'u1', name: 'a' }, { expiresAt: 0 });
  const snapshot = takeSnapshot(store);
  time = 1_000_000;
  Array.from(store.collect());
  expect(store.row('User', 'u1')).toBeUndefined();

  expect((snapshot.get(User, { id: 'u1' }) as User).name).toBe('a');
});

test('a relation to a missing record is linked when the record arrives, also after a garbage collection', () => {
  let time = 0;
  const store = new Store({ now: () => time });
  store.begin();
  store.write(Comment, { id: 'c1', commenter: 'u2' }, { expiresAt: 0 });
  expect((store.get(Comment, { id: 'c1' }) as Comment).commenter).toBeUndefined();
  time = 1_000_000;
  Array.from(store.collect());

  store.write(User, { id: 'u2' });

  expect((store.get(Comment, { id: 'c1' }) as Comment).commenter).toBe(store.get(User, { id: 'u2' }));
});

test('a missing record that was read as a second class of its table is linked when it arrives, also after a garbage collection', () => {
  class Card extends User {}
  const store = new Store();
  store.get(Card, { id: 'u2' });
  store.write(Comment, { id: 'c1', commenter: 'u2' });
  Array.from(store.collect());

  store.write(User, { id: 'u2' });

  expect((store.get(Comment, { id: 'c1' }) as Comment).commenter).toBe(store.get(User, { id: 'u2' }));
});

test('the observer of all records is notified of the first deletion in an unknown table, and not of writes without effect', () => {
  const store = new Store();
  const adults = new Query(new All(User), (users: User[]) => users.filter(({ age }) => age > 0));
  const live = store.query(adults);
  let calls = 0;
  live.subscribe(() => calls++);

  store.invalidate(User, 'u1');
  expect(calls).toBe(1);
  expect(live.current()).toEqual([]);

  store.batch(() => {
    store.write(User, { id: 'u1', age: 1 });
    store.invalidate(User, 'u1');
  });
  expect(calls).toBe(1);
});

test('the observer of all records is notified of a reset', () => {
  let time = 0;
  const store = new Store({ now: () => time });
  const live = store.query(new All(User));
  store.write(User, { id: 'u1' }, { expiresAt: 0 });
  time = 1_000_000;
  Array.from(store.collect());
  expect(live.current()).toEqual([]);
  let calls = 0;
  live.subscribe(() => calls++);

  store.reset();

  expect(calls).toBe(1);
  expect(live.current()).toBe(INVALID);
});

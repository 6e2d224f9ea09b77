import { describe, expect, it } from 'vitest';
import { All, Collection, type Commit, Entity, Store } from '../../index.ts';
import { addGuess } from './layer.ts';

class User extends Entity {
  id = '';
  email = '';
  static override key = 'User';
  static override indexes = ['email'];
}
const users: Collection = new Collection([User]);
const all = { args: [{}] };

describe('a reset', () => {
  it('removes every row, result and guess, and notifies observers', () => {
    const store = new Store();
    store.write(users, [{ id: '1', email: 'a' }], { ...all, resultKey: 'k' });
    addGuess(store, () => ({ schema: User, response: { id: '1', email: 'guess' } }));
    const live = store.query(users, [{}]);
    let calls = 0;
    live.subscribe(() => calls++);
    store.reset();
    expect(calls).toBe(1);
    expect(live.current()).toBeUndefined();
    expect(store.stats()).toMatchObject({ rows: 0, results: 0, layers: 0 });
    expect([...store.rows()]).toEqual([]);
    expect(store.get(User, { email: 'a' })).toBeUndefined();
    expect(store.get(new All(User))).toBeUndefined();
  });

  it('reports a guess as not shown any more, and not as confirmed', () => {
    const store = new Store();
    addGuess(store, () => ({ schema: User, response: { id: '1', email: 'guess' } }));
    const commits: Commit[] = [];
    store.onCommit((commit) => commits.push(commit));
    const live = store.query(User, ['1']);
    let calls = 0;
    live.subscribe(() => calls++);
    store.reset();
    const before = { id: '1', email: 'guess' };
    expect(commits).toEqual([
      { rows: [], shown: [{ table: 'User', pk: '1', before, after: undefined }], requests: [] },
    ]);
    expect(calls).toBe(1);
    expect(live.current()).toBeUndefined();
  });

  it('rejects the answers of requests that began before it', () => {
    const store = new Store();
    const request = store.begin();
    store.reset();
    expect(store.write(User, { id: '1' }, { request })).toBeUndefined();
    store.invalidate(User, '2', { request });
    store.settle(request);
    expect(store.stats()).toMatchObject({ rows: 0 });
    expect(store.row('User', '2')).toBeUndefined();
    store.write(User, { id: '1' }, { request: store.begin() });
    expect(store.get(User, '1')).toBeInstanceOf(User);
  });

  it('keeps live views live', () => {
    const store = new Store();
    store.write(users, [{ id: '1' }], all);
    const live = store.query(users, [{}]);
    live.current();
    store.reset();
    store.write(users, [{ id: '2' }], all);
    expect(live.current()).toEqual([store.get(User, '2')]);
  });

  it('in a batch that is undone has not happened', () => {
    const store = new Store();
    store.write(users, [{ id: '1' }], { ...all, resultKey: 'k' });
    const before = store.get(users, {});
    expect(() =>
      store.batch(() => {
        store.reset();
        throw new Error('undo');
      }),
    ).toThrow('undo');
    expect(store.get(users, {})).toBe(before);
    expect(store.result('k')).toBeDefined();
    expect(store.get(new All(User))).toEqual(before);
  });

  it('in a batch that is undone restores guesses, requests, temporary ids and the order of records', () => {
    const store = new Store();
    store.write(users, [{ id: '1', name: 'first' }, { id: '2' }], all);
    const create = addGuess(store, () => ({ schema: users.push, response: { email: 'x' }, args: [{}] }));
    const [, , { id: temporary }] = store.get(users, {}) as [User, User, User];
    create.confirm(users.push, { id: '9', email: 'x' }, all);
    const layer = addGuess(store, () => ({ schema: User, response: { id: '1', email: 'guess' } }));
    const [older, newer] = [store.begin(), store.begin()];
    store.write(User, { id: '1', email: 'new' }, { request: newer });
    const before = store.get(new All(User));
    let begun: ReturnType<Store['begin']> | undefined;

    expect(() =>
      store.batch(() => {
        store.reset();
        store.write(User, { id: '2' });
        store.write(User, { id: '1', name: 'other' });
        expect(store.get(User, temporary)).toBeUndefined();
        begun = store.begin();
        throw new Error('undo');
      }),
    ).toThrow('undo');

    store.settle(begun ?? older);
    expect(store.get(new All(User))).toEqual(before);
    expect(store.get(User, temporary)).toBe(store.get(User, '9'));
    expect(store.stats().layers).toBe(1);
    expect(store.get(User, '1')?.email).toBe('guess');
    layer.drop();
    expect(store.get(User, '1')?.email).toBe('new');
    expect(store.write(User, { id: '1', name: 'second', email: 'old' }, { request: older })).toBe('1');
    expect(store.row('User', '1')).toEqual({ id: '1', name: 'second', email: 'new' });
  });

  it('forgets which rows were collected, and notifies queries for all records', () => {
    let now = 0;
    const store = new Store({ now: () => now });
    store.write(User, { id: '1' }, { expiresAt: 1 });
    now = 1_000_000;
    Array.from(store.collect());
    const live = store.query(new All(User));
    let calls = 0;
    live.subscribe(() => calls++);
    expect(live.current()).toEqual([]);
    store.reset();
    expect([store.get(new All(User)), calls]).toEqual([undefined, 1]);
  });

  it('in a batch that is undone has not happened under a later guess either', () => {
    const store = new Store();
    const commits: unknown[] = [];
    store.write(User, { id: '1', email: 'a' });
    store.onCommit((commit) => commits.push(commit));
    expect(() =>
      store.batch(() => {
        store.reset();
        addGuess(store, () => ({ schema: User, response: { id: '1' } }));
        throw new Error('undone');
      }),
    ).toThrow('undone');
    expect(store.row('User', '1')).toEqual({ id: '1', email: 'a' });
    expect(commits).toEqual([]);
  });

  it('in a batch that is undone restores temporary ids, also those that were never read', () => {
    const store = new Store();
    store.write(users, [], all);
    const create = addGuess(store, () => ({ schema: users.push, response: { email: 'x' }, args: [{}] }));
    const [{ id: temporary }] = store.get(users, {}) as [User];
    create.confirm(users.push, { id: '9', email: 'x' }, all);
    Array.from(store.collect());
    expect(() =>
      store.batch(() => {
        store.reset();
        throw new Error('undo');
      }),
    ).toThrow('undo');
    expect(store.get(User, temporary)).toBe(store.get(User, '9'));
  });

  it('drops every value without observers, and keeps those with observers', () => {
    const store = new Store();
    store.write(users, [{ id: '1' }], { ...all, resultKey: 'k' });
    const live = store.query(users, [{}]);
    live.subscribe(() => undefined);
    store.get(User, '1');
    expect(store.stats()).toMatchObject({ queries: 2 });
    store.reset();
    expect(store.stats()).toMatchObject({ queries: 1 });
    store.write(users, [{ id: '2' }], all);
    expect(live.current()).toEqual([store.get(User, '2')]);
  });

  it('in a batch releases values, but nothing that was written since, when the batch has ended, and not when it was undone', () => {
    let time = 1;
    const store = new Store({ now: () => (time *= 1e6), maxRows: 1 });
    store.write(User, { id: '1' });
    const before = store.get(User, '1');
    store.batch(() => {
      const inner = (): unknown =>
        store.batch(() => {
          store.reset();
          throw new Error('undo');
        });
      expect(inner).toThrow('undo');
    });
    expect(store.stats()).toMatchObject({ rows: 1, queries: 1 });
    expect(store.get(User, '1')).toBe(before);
    store.batch(() => {
      store.reset();
      store.write(users, [{ id: '2' }], { ...all, expiresAt: 0, resultKey: 'k' });
    });
    expect(store.stats()).toMatchObject({ rows: 2, results: 1, queries: 0 });
  });

  it('in a batch that is undone does not restore records that were deleted since a request', () => {
    const store = new Store();
    const older = store.begin();
    store.write(users, [{ id: '1' }], all);
    store.invalidate(User, '1');
    store.write(User, { id: '1' }, { request: store.begin() });
    expect(() =>
      store.batch(() => {
        store.reset();
        throw new Error('undo');
      }),
    ).toThrow('undo');
    store.write(User, { id: '1', email: 'from before the deletion' }, { request: older });
    expect(store.get(User, '1')?.email).toBe('');
  });

  it('makes confirming or dropping an earlier guess have no effect', () => {
    const store = new Store();
    const [one, two] = [1, 2].map(() => addGuess(store, () => ({ schema: User, response: { id: '1' } })));
    store.reset();
    one?.drop();
    two?.confirm(User, { id: '2' });
    expect(store.row('User', '1')).toBeUndefined();
  });

  it('removes temporary ids', () => {
    const store = new Store();
    store.write(users, [], all);
    const layer = addGuess(store, () => ({ schema: users.push, response: { email: 'x' }, args: [{}] }));
    const [{ id }] = store.get(users, {}) as [User];
    layer.confirm(users.push, { id: '9', email: 'x' }, all);
    expect(store.row('User', id)).toBe(store.row('User', '9'));
    store.reset();
    store.write(User, { id: '9' });
    expect(store.get(User, id)).toBeUndefined();
  });
});

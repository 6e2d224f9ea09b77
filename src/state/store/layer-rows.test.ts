import { describe, expect, it } from 'vitest';
import { User } from '../../../tests/model.ts';
import {
  All,
  Collection,
  type Commit,
  Entity,
  INVALID,
  Invalidate,
  type Layer,
  Query,
  type SnapshotReader,
  Store,
  Union,
  unshift,
} from '../../index.ts';
import { addGuess } from './layer.ts';
class Todo extends Entity {
  id = '';
  title = '';
  votes = 0;
  owner: User | undefined = undefined;
  static override key = 'Todo';
  static override schema = { owner: User };
}
const todos: Collection = new Collection([Todo]);
const all = { args: [{}] };

const edit =
  (response: object): (() => { schema: unknown; response: unknown }) =>
  () => ({ schema: Todo, response });
const votesOf = (snapshot: { row(table: string, pk: string): unknown }): number =>
  (snapshot.row('Todo', '1') as { votes?: number } | undefined)?.votes ?? 0;
/** One vote more than there are below. */
const vote = (snapshot: SnapshotReader): { schema: unknown; response: unknown } => ({
  schema: Todo,
  response: { id: '1', votes: votesOf(snapshot) + 1 },
});
const idsOf = (list: unknown): string[] => (list as Todo[]).map(({ id }) => id);

function filled(): Store {
  const store = new Store();
  store.write(todos, [{ id: '1', title: 'a', votes: 10 }], all);
  return store;
}

describe('a guess', () => {
  it('is shown until it settles, above the confirmed row', () => {
    const store = filled();
    const before = store.get(Todo, '1');
    const layer = addGuess(store, edit({ id: '1', title: 'guess' }));
    expect(store.get(Todo, '1')).toMatchObject({ title: 'guess', votes: 10 });
    expect(store.row('Todo', '1')).toMatchObject({ title: 'guess' });
    expect([...store.rows()].find(({ pk }) => pk === '1')?.row).toMatchObject({ title: 'a' });
    expect(store.stats()).toMatchObject({ layers: 1 });
    layer.drop();
    expect(store.get(Todo, '1')).toEqual(before);
    expect(store.stats()).toMatchObject({ layers: 0 });
  });

  it('notifies observers once when it is added and once when it is removed', () => {
    const store = filled();
    const live = store.query(todos, [{}]);
    let calls = 0;
    live.subscribe(() => calls++);
    const layer = addGuess(store, edit({ id: '1', title: 'guess' }));
    expect(calls).toBe(1);
    live.current();
    layer.drop();
    layer.drop();
    expect(calls).toBe(2);
  });

  it('that is confirmed is replaced by the response, in one commit', () => {
    const store = filled();
    const commits: Commit[] = [];
    const layer = addGuess(store, edit({ id: '1', title: 'guess' }));
    store.onCommit((commit) => commits.push(commit));
    expect(layer.confirm(Todo, { id: '1', title: 'truth' }, { resultKey: 'k' })).toBe('1');
    expect(store.get(Todo, '1')).toMatchObject({ title: 'truth', votes: 10 });
    expect(commits).toHaveLength(1);
    expect(store.result('k')?.stored).toBe('1');
  });

  it('that is confirmed without a difference changes nothing for readers', () => {
    const store = filled();
    const live = store.query(Todo, ['1']);
    const layer = addGuess(store, edit({ id: '1', title: 'guess' }));
    const before = live.current();
    let calls = 0;
    live.subscribe(() => calls++);
    layer.confirm(Todo, { id: '1', title: 'guess' });
    expect(live.current()).toBe(before);
    expect(calls).toBe(0);
  });

  it('that returns undefined changes nothing', () => {
    const store = filled();
    const before = store.get(Todo, '1');
    addGuess(store, () => undefined).confirm(Todo, { id: '2' });
    expect(store.get(Todo, '1')).toBe(before);
  });

  it('that equals the stored row changes nothing', () => {
    const store = filled();
    const before = store.get(Todo, '1');
    const layer = addGuess(store, edit({ id: '1', title: 'a' }));
    expect(store.get(Todo, '1')).toBe(before);
    layer.drop();
    expect(store.get(Todo, '1')).toBe(before);
  });

  it('whose response cannot be stored is removed all the same, and the caller gets the error', () => {
    const store = filled();
    const layer = addGuess(store, edit({ id: '1', title: 'guess' }));
    expect(() => layer.confirm(Todo, { title: 'no id' })).toThrow(expect.objectContaining({ code: 'pk-missing' }));
    layer.drop();
    expect(store.get(Todo, '1')).toMatchObject({ title: 'a' });
    expect(store.stats()).toMatchObject({ layers: 0 });
  });

  it('whose intent throws is not added, and the caller gets the error', () => {
    const store = filled();
    expect(() => addGuess(store, () => ({ schema: Todo, response: {} }))).toThrow('pk');
    expect(store.stats()).toMatchObject({ layers: 0 });
    expect(() =>
      store.batch(() => {
        addGuess(store, edit({ id: '1', title: 'guess' }));
        throw new Error('undo');
      }),
    ).toThrow('undo');
    expect(store.get(Todo, '1')).toMatchObject({ title: 'a' });
    expect(store.stats()).toMatchObject({ layers: 0 });
  });

  it('may delete a record, which leaves the lists until it fails', () => {
    const store = filled();
    store.write(todos.push, { id: '2' }, all);
    const layer = addGuess(store, () => ({ schema: new Invalidate(Todo), response: { id: '1' } }));
    expect(idsOf(store.get(todos, {}))).toEqual(['2']);
    expect(store.get(Todo, '1')).toBeUndefined();
    layer.drop();
    expect(idsOf(store.get(todos, {}))).toEqual(['1', '2']);
    const other = addGuess(store, () => ({ schema: new Invalidate(Todo), response: { id: '1' } }));
    other.confirm(new Invalidate(Todo), { id: '1' });
    expect(store.row('Todo', '1')).toBe(INVALID);
    expect(idsOf(store.get(todos, {}))).toEqual(['2']);
  });

  it('covers answers of other requests, also those that arrive meanwhile', () => {
    const store = filled();
    const layer = addGuess(store, edit({ id: '1', title: 'guess' }));
    store.write(Todo, { id: '1', title: 'polled', votes: 11 });
    expect(store.get(Todo, '1')).toMatchObject({ title: 'guess', votes: 11 });
    layer.drop();
    expect(store.get(Todo, '1')).toMatchObject({ title: 'polled', votes: 11 });
  });

  it('reads the arguments and the collections below it', () => {
    const store = filled();
    store.write(todos, [], { args: [{ done: true }] });
    const layer = addGuess(store, (snapshot) => ({
      schema: todos.addWith(unshift),
      response: { id: String((snapshot.get(todos, {}) as Todo[]).length + 1) },
      args: [{ done: true }],
    }));
    expect(idsOf(store.get(todos, { done: true }))).toEqual(['2']);
    expect(idsOf(store.get(todos, {}))).toEqual(['2', '1']);
    layer.drop();
    expect(store.get(todos, { done: true })).toEqual([]);
  });
});

describe('guesses on top of each other', () => {
  it('are made again when rows change from which they were made', () => {
    const store = filled();
    addGuess(store, vote);
    addGuess(store, vote);
    expect(votesOf(store)).toBe(12);
    store.write(Todo, { id: '1', votes: 20 });
    expect(votesOf(store)).toBe(22);
  });

  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  it.each(orders)('settle in any order: %d %d %d', (...order) => {
    const store = filled();
    const layers = [addGuess(store, vote), addGuess(store, vote), addGuess(store, vote)];
    let confirmed = 10;
    for (const [settled, at] of order.entries()) {
      const layer = layers[at] as Layer;
      if (at === 1) layer.drop();
      else layer.confirm(Todo, { id: '1', votes: ++confirmed });
      expect(votesOf(store)).toBe(confirmed + 2 - settled);
    }
    expect(store.stats()).toMatchObject({ layers: 0 });
  });

  it('are not made again when other rows change', () => {
    const store = filled();
    let made = 0;
    addGuess(store, (snapshot) => {
      made++;
      return vote(snapshot);
    });
    store.write(User, { id: 'u' });
    store.write(Todo, { id: '2' });
    expect(made).toBe(1);
    store.write(Todo, { id: '1', votes: 1 });
    expect(made).toBe(2);
  });

  it('are made again when a table changes that they have read as a whole', () => {
    const store = filled();
    addGuess(store, (snapshot) => ({
      schema: User,
      response: { id: 'u', name: String((snapshot.get(new All(Todo)) as Todo[]).length) },
    }));
    expect(store.get(User, 'u')).toMatchObject({ name: '1' });
    store.write(Todo, { id: '2' });
    expect(store.get(User, 'u')).toMatchObject({ name: '2' });
  });

  it('whose intent throws guess nothing until the rows below change again', () => {
    const store = filled();
    addGuess(store, (snapshot) => {
      if (votesOf(snapshot) === 13) throw new RangeError('unlucky');
      return vote(snapshot);
    });
    expect(votesOf(store)).toBe(11);
    store.write(Todo, { id: '1', votes: 13 });
    expect(votesOf(store)).toBe(13);
    store.write(Todo, { id: '1', votes: 14 });
    expect(votesOf(store)).toBe(15);
  });

  it('whose intent threw do not restore a deleted record when something else changes', () => {
    const store = filled();
    addGuess(store, (snapshot) => {
      const { votes } = snapshot.get(Todo, '1') as Todo;
      return { schema: Todo, response: { id: '1', votes: votes + 1 } };
    });
    expect(votesOf(store)).toBe(11);
    store.invalidate(Todo, '1');
    expect(store.get(Todo, '1')).toBeUndefined();
    store.write(todos, [], { args: [{ title: 'b' }] });
    expect(store.get(Todo, '1')).toBeUndefined();
    store.write(Todo, { id: '1', votes: 20 });
    expect(votesOf(store)).toBe(21);
  });

  it('may restore a record that a guess below has deleted', () => {
    const store = filled();
    const deletion = addGuess(store, () => ({ schema: new Invalidate(Todo), response: { id: 'x' } }));
    addGuess(store, edit({ id: 'x', title: 'back' }));
    expect(store.get(Todo, 'x')).toMatchObject({ title: 'back' });
    deletion.drop();
    expect(store.get(Todo, 'x')).toMatchObject({ title: 'back' });
  });

  it('that empty a list do not keep a record in the list below that is deleted meanwhile', () => {
    const store = filled();
    const layer = addGuess(store, () => ({ schema: todos, response: [], args: [{}] }));
    store.get(todos, {});
    store.invalidate(Todo, '1');
    layer.drop();
    expect(store.row(todos.key, '{}')).toEqual([]);
  });

  it('over a list do not keep a deleted record in the list below', () => {
    const store = filled();
    const layer = addGuess(store, () => ({ schema: todos.push, response: { id: '2' }, args: [{}] }));
    store.invalidate(Todo, '1');
    expect(idsOf(store.get(todos, {}))).toEqual(['2']);
    const list = store.row(todos.key, '{}');
    addGuess(store, () => ({ schema: todos, response: ['2'], args: [{ page: 9 }] }));
    store.write(Todo, { id: '4' });
    store.invalidate(Todo, '4');
    expect(store.row(todos.key, '{}')).toBe(list);
    layer.drop();
    expect(store.get(todos, {})).toEqual([]);
    const other = addGuess(store, () => ({ schema: User, response: { id: 'u' } }));
    store.write(Todo, { id: '3' });
    store.invalidate(Todo, '3');
    other.drop();
    expect(store.row(todos.key, '{}')).toEqual([]);
  });

  it('affect only their own record', () => {
    const store = filled();
    const first = addGuess(store, edit({ id: '1', title: 'one' }));
    const second = addGuess(store, edit({ id: '2', title: 'two' }));
    first.drop();
    expect([store.get(Todo, '1'), store.get(Todo, '2')]).toMatchObject([{ title: 'a' }, { title: 'two' }]);
    second.drop();
    expect(store.get(Todo, '2')).toBeUndefined();
  });

  it('are restored when a batch below them is undone', () => {
    const store = filled();
    addGuess(store, vote);
    const before = store.get(Todo, '1');
    expect(() =>
      store.batch(() => {
        store.write(Todo, { id: '1', votes: 50 });
        expect(votesOf(store)).toBe(51);
        store.write(Todo, { id: '7' });
        throw new Error('undo');
      }),
    ).toThrow('undo');
    expect(store.get(Todo, '1')).toEqual(before);
    expect(votesOf(store)).toBe(11);
  });
});

describe('a record that is being created', () => {
  const create = (store: Store, title: string): Layer =>
    addGuess(store, () => ({ schema: todos.push, response: { title }, args: [{}] }));
  const last = (store: Store): Todo => (store.get(todos, {}) as Todo[]).at(-1) as Todo;

  it('has a temporary id, which becomes the id of the server everywhere', () => {
    const store = filled();
    const layer = create(store, 'new');
    const { id } = last(store);
    store.write(todos, [id], { args: [{ kind: 1 }] });
    store.get(todos, { kind: 1 });
    layer.confirm(todos.push, { id: '9', title: 'new' }, all);
    expect(idsOf(store.get(todos, {}))).toEqual(['1', '9']);
    expect(idsOf(store.get(todos, { kind: 1 }))).toEqual(['9']);
    expect(store.get(Todo, id)).toBe(store.get(Todo, '9'));
    expect(store.get(Todo, { id })).toBe(store.get(Todo, '9'));
    expect(store.row('Todo', id)).toBe(store.row('Todo', '9'));
  });

  it('that is confirmed by a list passes its pk to none of the records', () => {
    const store = new Store();
    store.write(todos, [], all);
    const layer = addGuess(store, () => ({ schema: todos.push, response: { title: 'guess' }, ...all }));
    const pk = layer.created[0]?.pk as string;
    layer.confirm([Todo], [{ id: '9' }]);
    expect(store.pkOf('Todo', pk)).toBe(pk);
    expect(store.get(todos, {})).toEqual([]);
    expect(store.get(Todo, '9')).toBeInstanceOf(Todo);
  });

  it('keeps the observers that it has by its temporary id', () => {
    const store = filled();
    const layer = create(store, 'new');
    const live = store.query(Todo, [last(store).id]);
    let calls = 0;
    live.subscribe(() => calls++);
    layer.confirm(todos.push, { id: '9', title: 'from server' }, all);
    expect(calls).toBe(1);
    expect(live.current()).toBe(store.get(Todo, '9'));
    store.write(Todo, { id: '9', title: 'later' });
    expect(live.current()).toMatchObject({ title: 'later' });
  });

  it('may be referred to by records, by results, by queries and by other guesses', () => {
    const store = filled();
    const users: Collection = new Collection([User]);
    store.write(users, [], all);
    const layer = addGuess(store, () => ({ schema: users.push, response: { name: 'new' }, args: [{}] }));
    const [{ id }] = store.get(users, {}) as [User];
    store.write(Todo, { id: '1', owner: id }, { resultKey: 'k' });
    store.write({ owner: User }, { owner: id }, { resultKey: 'o' });
    store.write(User, id, { resultKey: 'u' });
    class Named extends Entity {
      id = '';
      static override key = 'Todo';
      static override schema = { owner: User };
    }
    const other = addGuess(store, edit({ id: '2', owner: { id, name: 'renamed' } }));
    const names = new Query(new All(User), (list: User[]) => list.map(({ name }) => name));
    const read = (): unknown[] => [
      (store.get(Todo, '1') as Todo).owner,
      (store.get(Todo, '2') as Todo).owner,
      (store.resultView('k').current() as Todo).owner,
      (store.resultView('o').current() as Todo).owner,
      store.resultView('u').current(),
      (store.get(Named, '1') as Todo).owner,
    ];
    expect(read().every((owner) => owner === store.get(User, id))).toBe(true);
    layer.confirm(users.push, { id: 'u9', name: 'new' }, all);
    expect(read().every((owner) => owner === store.get(User, 'u9'))).toBe(true);
    expect(store.get(names)).toEqual(['renamed']);
    other.drop();
    expect(store.get(names)).toEqual(['new']);
    expect(store.get(User, 'u9')).toBe((store.get(Todo, '1') as Todo).owner);
  });

  it('is removed when its create fails', () => {
    const store = filled();
    const layer = create(store, 'new');
    const { id } = last(store);
    layer.drop();
    expect(idsOf(store.get(todos, {}))).toEqual(['1']);
    expect(store.get(Todo, id)).toBeUndefined();
  });

  it('keeps its temporary id while other guesses settle', () => {
    const store = filled();
    const [one, two] = [create(store, 'one'), create(store, 'two')];
    const ids = idsOf(store.get(todos, {}));
    expect(new Set(ids).size).toBe(3);
    two.confirm(todos.push, { id: '22', title: 'two' }, all);
    expect(idsOf(store.get(todos, {})).sort()).toEqual(['1', '22', String(ids[1])].sort());
    store.write(todos, [{ id: '1' }, { id: '22' }, { id: '33' }], all);
    expect(idsOf(store.get(todos, {}))).toContain(ids[1]);
    one.confirm(todos.push, { id: '11', title: 'one' }, all);
    expect(idsOf(store.get(todos, {}))).toEqual(['1', '22', '33', '11']);
  });

  it('never has the temporary id of one that was created before', () => {
    const store = filled();
    const ids = new Set<string>();
    for (let time = 0; time < 3; time++) {
      const layer = create(store, 'new');
      ids.add(last(store).id);
      if (time === 1) layer.drop();
      else layer.confirm(todos.push, { id: `s${time}`, title: 'new' }, all);
      store.write(todos.push, { title: 'no guess' }, all);
      ids.add(last(store).id);
    }
    expect(ids.size).toBe(6);
  });

  it('never has the temporary id of another guess, also if that creates its record later', () => {
    const store = filled();
    addGuess(store, (snapshot) =>
      snapshot.row('User', 'u') === undefined
        ? undefined
        : { schema: todos.push, response: { title: 'late' }, args: [{}] },
    );
    create(store, 'early');
    store.write(User, { id: 'u' });
    const titles = (store.get(todos, {}) as Todo[]).map(({ title }) => title);
    expect(titles.sort()).toEqual(['a', 'early', 'late']);
  });

  it('several at once become the records of the response in their order', () => {
    const store = filled();
    const layer = addGuess(store, () => ({
      schema: todos.push,
      response: [{ title: 'a' }, { title: 'b' }],
      args: [{}],
    }));
    const [, a, b] = idsOf(store.get(todos, {}));
    layer.confirm(todos.push, [{ id: 'A', title: 'a' }, { id: 'B', title: 'b' }], all); // prettier-ignore
    expect(idsOf(store.get(todos, {}))).toEqual(['1', 'A', 'B']);
    expect(store.get(Todo, String(a))).toBe(store.get(Todo, 'A'));
    expect(store.get(Todo, String(b))).toBe(store.get(Todo, 'B'));
  });

  it('of several classes at once become the records of their class', () => {
    const store = new Store();
    const both = new Collection([new Union({ todo: Todo, user: User }, ({ kind }: { kind: 'todo' | 'user' }) => kind)]);
    store.write(both, [], all);
    const layer = addGuess(store, () => ({
      schema: both.push,
      response: [{ kind: 'todo' }, { kind: 'user' }],
      ...all,
    }));
    const [todo, user] = layer.created.map(({ pk }) => pk) as [string, string];
    layer.confirm(both.push, [{ kind: 'user', id: 'U' }, { kind: 'todo', id: 'T' }], all); // prettier-ignore
    expect([store.pkOf('Todo', todo), store.pkOf('User', user)]).toEqual(['T', 'U']);
  });

  it('is removed if the server answers with something without a schema', () => {
    const store = filled();
    const layer = create(store, 'new');
    expect(layer.confirm(undefined, 'done')).toBe('done');
    expect(idsOf(store.get(todos, {}))).toEqual(['1']);
  });

  it('is the record with which the server answers', () => {
    const store = filled();
    const layer = create(store, 'new');
    const { id } = last(store);
    layer.confirm(Todo, { id: '9', title: 'new' });
    expect(store.get(Todo, id)).toBe(store.get(Todo, '9'));
  });

  it('is removed if the answer of the server has no record of its class', () => {
    const store = filled();
    const layer = create(store, 'new');
    const { id } = last(store);
    layer.confirm(User, { id: 'u' });
    expect(store.get(Todo, id)).toBeUndefined();
    expect(idsOf(store.get(todos, {}))).toEqual(['1']);
  });

  it('with an id of its own keeps it', () => {
    const store = filled();
    const layer = addGuess(store, () => ({ schema: todos.push, response: { id: 'mine', title: 'a' }, args: [{}] }));
    layer.confirm(todos.push, { id: 'mine', title: 'b' }, all);
    expect(idsOf(store.get(todos, {}))).toEqual(['1', 'mine']);
  });

  it('that is renamed in an undone batch is as it was', () => {
    const store = filled();
    const layer = create(store, 'new');
    const { id } = last(store);
    expect(() =>
      store.batch(() => {
        layer.confirm(todos.push, { id: '9', title: 'new' }, all);
        expect(store.get(Todo, id)).toMatchObject({ id: '9' });
        throw new Error('undo');
      }),
    ).toThrow('undo');
    expect(store.row('Todo', '9')).toBeUndefined();
    expect(store.pkOf('Todo', id)).toBe(id);
    expect(store.get(Todo, id)).toMatchObject({ id, title: 'new' });
    expect(idsOf([...(store.get(todos, {}) as Todo[])].filter((todo) => todo.id !== id))).toEqual(['1']);
  });
});

it('a temporary pk leads to the pk of the server, in a table that exists', () => {
  const store = new Store();
  const layer = addGuess(store, () => ({ schema: todos.push, response: { title: 'x' }, args: [{}] }));
  const pk = layer.created[0]?.pk ?? '';
  expect([store.pkOf('Todo', pk), store.pkOf('Nothing', pk)]).toEqual([pk, pk]);
  layer.confirm(todos.push, { id: '9', title: 'x' }, { args: [{}] });
  expect([store.pkOf('Todo', pk), store.pkOf('Todo', '9')]).toEqual(['9', '9']);
});

it('a guess of one record can become the guess of only a pk', () => {
  const store = new Store();
  store.write(User, { id: 'u', name: 'a' });
  let isRecord = true;
  const layer = addGuess(store, (snapshot) => {
    const name = `${snapshot.get(User, 'u')?.name}!`;
    return { schema: User, response: isRecord ? { id: 'u', name } : 'u' };
  });
  expect(store.get(User, 'u')?.name).toBe('a!');
  isRecord = false;
  store.write(User, { id: 'u', name: 'b' });
  expect(store.get(User, 'u')?.name).toBe('b');
  layer.drop();
});

describe('a guess that is made again', () => {
  /** Says which todo is the favorite. */
  const favor = (store: Store, id: string, votes: number): void =>
    void store.write(Todo, { id: 'first', title: id, votes });
  const rowOf = (snapshot: SnapshotReader, id: string): { readonly title?: string; readonly votes?: number } =>
    Object(snapshot.row('Todo', id));
  class Plain extends Entity {
    id = '';
    title = '';
    static override key = 'Plain';
  }

  it('follows the records that it has read this time, and no others', () => {
    const store = new Store();
    let runs = 0;
    for (const id of ['a', 'b']) store.write(Todo, { id, votes: 1 });
    favor(store, 'a', 0);
    addGuess(store, (snapshot) => {
      runs++;
      const { votes = 0 } = rowOf(snapshot, rowOf(snapshot, 'first').title ?? '');
      return { schema: Plain, response: { id: '1', title: `${votes}` } };
    });
    const shown = (): unknown => store.get(Plain, '1')?.title;
    expect(shown()).toBe('1');
    favor(store, 'b', 0);
    store.write(Todo, { id: 'b', votes: 5 });
    expect(shown()).toBe('5');
    store.write(Todo, { id: 'b', votes: 6 });
    expect([shown(), runs]).toEqual(['6', 4]);
    store.write(Todo, { id: 'a', votes: 7 });
    expect([shown(), runs]).toEqual(['6', 4]);
  });

  it('is shown on another record if it is about that one now', () => {
    const store = new Store();
    store.write([Plain], [{ id: '1', title: 'a' }, { id: '2', title: 'b' }]); // prettier-ignore
    favor(store, '1', 0);
    addGuess(store, (snapshot) => ({
      schema: Plain,
      response: { id: rowOf(snapshot, 'first').title ?? '', title: 'guess' },
    }));
    const shown = (): unknown => ['1', '2'].map((id) => store.get(Plain, id)?.title);
    expect(shown()).toEqual(['guess', 'b']);
    favor(store, '2', 0);
    expect(shown()).toEqual(['a', 'guess']);
  });

  it('has the related records of its response once its class declares a relation', () => {
    class Note extends Entity {
      id = '';
      owner: User | undefined = undefined;
      static override key = 'Note';
      static override schema: Record<string, unknown> = {};
    }
    const store = new Store();
    store.write(Note, { id: '1' });
    favor(store, 'x', 0);
    addGuess(store, (snapshot) => ({
      schema: Note,
      response: { id: '1', owner: { id: 'u', name: rowOf(snapshot, 'first').title } },
    }));
    Note.schema = { owner: User };
    favor(store, 'y', 0);
    expect(store.get(Note, '1')?.owner).toBe(store.get(User, 'u'));
    expect(store.get(User, 'u')?.name).toBe('y');
  });
});

it('a guess of one record whose id is not an exact number is made again as any other', () => {
  const store = new Store();
  store.write(User, { id: 'u', name: 'a' });
  const layer = addGuess(store, (snapshot) => ({
    schema: User,
    response: { id: 1.5, name: `${snapshot.get(User, 'u')?.name}!` },
  }));
  expect(store.get(User, '1.5')?.name).toBe('a!');
  store.write(User, { id: 'u', name: 'b' });
  expect(store.get(User, '1.5')?.name).toBe('b!');
  layer.drop();
  expect(store.get(User, '1.5')).toBeUndefined();
});

it('a guess of a record that is being created follows it to the pk of the server', () => {
  const users: Collection = new Collection([User]);
  const store = new Store();
  store.write(User, { id: 'u', name: 'a' });
  const create = addGuess(store, () => ({ schema: users.push, response: { name: 'new' }, args: [{}] }));
  const pk = create.created[0]?.pk ?? '';
  const edited = addGuess(store, (snapshot) => ({
    schema: User,
    response: { id: pk, name: `${snapshot.get(User, 'u')?.name}!` },
  }));
  expect(store.get(User, pk)?.name).toBe('a!');
  create.confirm(users.push, { id: '9', name: 'new' }, { args: [{}] });
  expect(store.get(User, '9')?.name).toBe('a!');
  store.write(User, { id: 'u', name: 'b' });
  expect(store.get(User, '9')?.name).toBe('b!');
  edited.drop();
  expect(store.get(User, '9')?.name).toBe('new');
});

it('a record that a guess deletes is hidden, and keeps its place for a later guess that restores it', () => {
  class Item extends Entity {
    id = '';
    label = '';
    static override key = 'HiddenItem';
  }
  const items = new Collection([Item]);
  const store = new Store();
  store.write(items, [{ id: '1' }, { id: '2' }, { id: '3' }], { args: [] });
  const labels = (): string[] => (store.get(items) as readonly Item[]).map(({ id, label }) => id + label);
  for (const isReadByIntent of [false, true]) {
    const deletion = addGuess(store, (snapshot) => {
      if (isReadByIntent) snapshot.get(items);
      return { schema: new Invalidate(Item), response: { id: '2' } };
    });
    expect(labels()).toEqual(['1', '3']);
    const revival = addGuess(store, () => ({ schema: Item, response: { id: '2', label: 'b' } }));
    expect(labels()).toEqual(['1', '2b', '3']);
    deletion.drop();
    expect(labels()).toEqual(['1', '2b', '3']);
    revival.drop();
    expect(labels()).toEqual(['1', '2', '3']);
  }
  const deletion = addGuess(store, () => ({ schema: new Invalidate(Item), response: { id: '2' } }));
  addGuess(store, () => ({ schema: Item, response: { id: '2', label: 'b' } }));
  deletion.confirm(new Invalidate(Item), { id: '2' });
  expect(labels()).toEqual(['1', '3']);
  expect(store.get(Item, { id: '2' })?.label).toBe('b');
});

describe('a guess of a part of a record', () => {
  class Person extends Entity {
    id = '';
    static override key = 'PartPerson';
  }
  class Task extends Entity {
    id = '';
    done = false;
    note: string | undefined = '';
    person: Person | undefined = undefined;
    static override key = 'PartTask';
    static override schema = { person: Person };
    static override process({ secret, ...task }: { id: string; personId?: string; note?: string; secret?: string }) {
      return { ...task, person: task.personId, note: secret === undefined ? task.note : undefined };
    }
  }

  it('keeps fields that it lacks, whatever process() returns for them', () => {
    const store = new Store();
    store.write(Person, { id: '7' });
    store.write(Task, { id: '1', personId: '7', note: 'a' });
    const layer = addGuess(store, () => ({ schema: Task, response: { id: '1', done: true } }));
    expect(store.get(Task, '1')).toMatchObject({ done: true, note: 'a' });
    expect(store.get(Task, '1')?.person).toBe(store.get(Person, '7'));
    layer.drop();
    expect(store.get(Task, '1')?.done).toBe(false);
  });

  it('has the fields that it contains as process() changes them', () => {
    const store = new Store();
    store.write(Task, { id: '1', note: 'a' });
    addGuess(store, () => ({ schema: Task, response: { id: '1', note: 'b', secret: 'x' } }));
    expect(store.get(Task, '1')?.note).toBeUndefined();
  });
});

it('a guess of one record without relations is stored by the hooks of its class', () => {
  interface Tagged {
    readonly tags: readonly string[];
  }
  class Note extends Entity {
    id = '';
    tags: readonly string[] = [];
  }
  class Processed extends Note {
    static override process({ tags, ...note }: Tagged): object {
      return { ...note, tags: [...tags, 'processed'] };
    }
  }
  class Merged extends Note {
    static override merge(existing: Tagged, incoming: Tagged): object {
      return { ...incoming, tags: [...existing.tags, ...incoming.tags] };
    }
  }
  class Named extends Note {
    override pk(): string {
      return `note ${this.id}`;
    }
  }
  class Valid extends Note {
    static override validate({ tags }: Tagged): string | undefined {
      return tags.length > 1 ? 'two tags' : undefined;
    }
  }
  const shown = (kind: typeof Note): unknown => {
    const store = new Store();
    const pk = kind === Named ? 'note 1' : '1';
    store.write(kind, { id: '1', tags: ['a'] });
    addGuess(store, () => ({ schema: kind, response: { id: '1', tags: ['b'] } }));
    store.write(kind, { id: '1', tags: ['c'] });
    return store.get(kind, pk)?.tags;
  };
  expect([Note, Processed, Merged, Named].map(shown)).toEqual([['b'], ['b', 'processed'], ['a', 'c', 'b'], ['b']]);
  const refused = (): unknown =>
    addGuess(new Store(), () => ({ schema: Valid, response: { id: '1', tags: ['b', 'c'] } }));
  expect(refused).toThrow('two tags');
});

it('a guess of a part of a record is checked together with the rest of the record', () => {
  class Note extends Entity {
    id = '';
    title = '';
    text = '';
    static override validate({ title, text }: Readonly<Record<string, unknown>>): string | undefined {
      return title === undefined || text === undefined ? 'incomplete' : undefined;
    }
  }
  const store = new Store();
  store.write(Note, { id: '1', title: 'a', text: 'x' });
  addGuess(store, () => ({ schema: Note, response: { id: '1', title: 'b' } }));
  expect(store.get(Note, '1')).toMatchObject({ title: 'b', text: 'x' });
  expect(() => addGuess(store, () => ({ schema: Note, response: { id: '2', title: 'b' } }))).toThrow('incomplete');
});

it('a guess that is made again updates the results that it then names, and no others', () => {
  const store = filled();
  for (const resultKey of ['one', 'other']) store.write([Todo], [{ id: '1' }], { resultKey });
  const shown = (): unknown[] => ['one', 'other'].map((one) => idsOf(store.readRequest({ key: one }).value));
  let key = 'one';
  const layer = addGuess(store, () => ({
    schema: Todo,
    response: { id: '2' },
    update: (stored) => new Map([[key, (before: unknown) => [...(before as unknown[]), stored]]]),
  }));
  expect(shown()).toEqual([['1', '2'], ['1']]);
  key = 'other';
  layer.outdate();
  store.write(Todo, { id: '3' });
  expect(shown()).toEqual([['1'], ['1', '2']]);
});

it('a guess of one record changes the lists that arrive after it', () => {
  class Grouped extends Entity {
    id = '';
    group = '';
    static override key = 'Grouped';
  }
  const store = new Store();
  const groups: Collection = new Collection([Grouped]);
  const shown = (group: string): unknown => idsOf(store.get(groups, { group }));
  store.write(Grouped, { id: '1', group: 'a' });
  const layer = addGuess(store, () => ({ schema: Grouped, response: { id: '1', group: 'b' } }));
  store.write(groups, [{ id: '1', group: 'a' }], { args: [{ group: 'a' }] });
  store.write(groups, [], { args: [{ group: 'b' }] });
  expect([shown('a'), shown('b')]).toEqual([[], ['1']]);
  layer.drop();
  expect([shown('a'), shown('b')]).toEqual([['1'], []]);

  // The guess moves nothing at first, but does after the record has moved below it.
  addGuess(store, () => ({ schema: Grouped, response: { id: '1', group: 'a' } }));
  store.write(Grouped, { id: '1', group: 'b' });
  expect([shown('a'), shown('b')]).toEqual([['1'], []]);
});

import { describe, expect, it } from 'vitest';
import {
  All,
  Collection,
  dehydrate,
  Entity,
  from,
  hydrate,
  Invalidate,
  keyOf,
  type Layer,
  type SnapshotReader,
  Store,
} from '../../index.ts';
import { Todo, User } from '../../../tests/model.ts';
import type { RowState } from '../../define/schema/row.ts';
import type { Commit } from './commit.ts';
import { EarlierStore } from './earlier-store.ts';
import { addGuess } from './layer.ts';
import { restore } from './restore.ts';
import { takeSnapshot } from './store-snapshot.ts';

const todos = new Collection([Todo]);
const every = new All(Todo);
const args = [{}];

function titlesOf(list: readonly Todo[] | undefined): string {
  return (list ?? []).map(({ title }) => title).join(' ');
}

/** Reads all titles, which are also those of a live query. */
function titles(store: Store | SnapshotReader): string {
  const found = titlesOf(store.get(from(Todo)));
  expect(titlesOf(store.get(every))).toBe(found);
  return found;
}

const create = (store: Store, title: string): Layer =>
  addGuess(store, () => ({ schema: todos.push, response: { title }, args }));
const answer = (layer: Layer, title: string): unknown => layer.confirm(todos.push, { id: title, title }, { args });

/** A store with two records and three pending creates, which something shows. */
function pending(): { readonly store: Store; readonly layers: readonly [Layer, Layer, Layer] } {
  const store = new Store();
  for (const live of [store.query(every), store.query(from(Todo))]) live.subscribe(() => {});
  store.write(todos, [{ id: '1', title: '1' }, { id: '2', title: '2' }], { args }); // prettier-ignore
  const layers = [create(store, 'a'), create(store, 'b'), create(store, 'c')] as const;
  expect(titles(store)).toBe('1 2 a b c');
  return { store, layers };
}

describe('a created record', () => {
  it.each([true, false])(
    'keeps the key of its guess if its record was known, and the answer equals it (known before the guess: %s)',
    (isBefore) => {
      const store = new Store();
      store.write(todos, [], { args });
      const known = () => store.write(Todo, { id: 'A', title: 'A' });
      if (isBefore) known();
      const layer = create(store, 'A');
      const key = keyOf(store.get(todos, {})?.[0] as Todo);
      if (!isBefore) known();
      const live = store.query(Todo, ['A']);
      let notices = 0;
      live.subscribe(() => notices++);
      expect(keyOf(live.current() as Todo)).toBe('A');
      answer(layer, 'A');
      expect(keyOf(live.current() as Todo)).toBe(key);
      expect(notices).toBe(1);
    },
  );

  it('keeps its place among all records when creates are answered in order', () => {
    const { store, layers } = pending();
    const shown = ['A', 'B', 'C'].map((title, at) => answer(layers[at] as Layer, title) && titles(store));
    expect(shown).toEqual(['1 2 A b c', '1 2 A B c', '1 2 A B C']);
  });

  it('keeps its place when a later create is answered first, others fail, and records arrive meanwhile', () => {
    const { store, layers } = pending();
    answer(layers[1], 'B');
    expect(titles(store)).toBe('1 2 a B c');
    store.write(Todo, { id: '3', title: '3' });
    layers[2].drop();
    answer(layers[0], 'A');
    expect(titles(store)).toBe('1 2 A B 3');
  });

  it('gets the pk of the server if the answer lacks another one that the guess created', () => {
    const store = new Store();
    const both = { user: new Collection([User]).push, todo: todos.push };
    const response = { user: { name: 'a' }, todo: { title: 'a' } };
    const layer = addGuess(store, () => ({ schema: both, response, args }));
    const pk = layer.created.find(({ table }) => table === 'Todo')?.pk ?? '';
    layer.confirm(both, { todo: { id: '9', title: 'a' } }, { args });
    expect(store.pkOf('Todo', pk)).toBe('9');
  });

  it('keeps its temporary pk and its fields if the answer is a part without a pk', () => {
    const store = new Store();
    store.write(todos, [], { args });
    const layer = create(store, 'a');
    const [created] = layer.created;
    layer.confirm(todos.push, { title: 'b' }, { args, isPart: true });
    expect(store.get(todos, {})).toEqual([Todo.fromJS({ id: created?.pk ?? '', title: 'b' })]);
  });

  it('moves to the place of its guess if it had arrived before its answer', () => {
    const { store, layers } = pending();
    store.write(Todo, { id: 'A', title: 'A' });
    expect(titles(store)).toBe('1 2 a b c A');
    answer(layers[0], 'A');
    expect(titles(store)).toBe('1 2 A b c');
  });

  it('stays where it was if it was shown before its guess', () => {
    const { store, layers } = pending();
    answer(layers[0], '1');
    expect(titles(store)).toBe('1 2 b c');
  });

  it('keeps its place if it gets the pk of a record that was deleted', () => {
    const { store, layers } = pending();
    store.invalidate(Todo, '1');
    expect(titles(store)).toBe('2 a b c');
    answer(layers[0], '1');
    expect(titles(store)).toBe('2 1 b c');
    const undo = new Error('undo');
    const undone = (): void =>
      store.batch(() => {
        store.invalidate(Todo, '2');
        answer(layers[1], '2');
        throw undo;
      });
    expect(undone).toThrow(undo);
    expect(titles(store)).toBe('2 1 b c');
  });

  it('has its former place again after the answer was undone', () => {
    const { store, layers } = pending();
    store.write(Todo, { id: 'A', title: 'A' });
    titles(store);
    const write = (): void =>
      store.batch(() => {
        answer(layers[0], 'A');
        answer(layers[1], 'B');
        expect(titles(store)).toBe('1 2 A B c');
        throw new Error('undo');
      });
    expect(write).toThrow('undo');
    expect(titles(store)).toBe('1 2 a b c A');
    answer(layers[0], 'A');
    expect(titles(store)).toBe('1 2 A b c');
  });

  it('has its place in a snapshot, in a guess, and in a store that is hydrated', () => {
    const { store, layers } = pending();
    const before = takeSnapshot(store);
    answer(layers[1], 'B');
    answer(layers[0], 'A');
    const after = takeSnapshot(store);
    layers[2].drop();
    create(store, 'd');
    answer(create(store, 'e'), 'E');
    store.write(Todo, { id: '1', title: 'x' });
    expect(titles(before)).toBe('1 2 a b c');
    expect(titles(after)).toBe('1 2 A B c');
    const read: string[] = [];
    addGuess(store, (snapshot) => void read.push(titles(snapshot)));
    expect(read).toEqual(['x 2 A B d E']);
    const other = new Store();
    hydrate(other, JSON.parse(JSON.stringify(dehydrate(store))));
    expect(titles(other)).toBe('x 2 A B E');
  });

  it('has its place in a store with an earlier state, and is there once', () => {
    const { store, layers } = pending();
    const commits: Commit[] = [];
    store.onCommit((commit) => commits.push(commit));
    const kept = new Map([['Todo', new Map([['1', { id: '1', title: 'old' }]])]]);
    const past = new EarlierStore(store.writer.core, kept, new Map());
    const shown = (): string => {
      for (const commit of commits.splice(0)) past.apply(commit);
      return titlesOf(past.get(every, []).value as readonly Todo[]);
    };
    expect(shown()).toBe('old 2 a b c');
    answer(layers[1], 'B');
    expect(shown()).toBe('old 2 a B c');
    store.write(Todo, { id: 'A', title: 'A' });
    expect(shown()).toBe('old 2 a B c A');
    answer(layers[0], 'A');
    expect(shown()).toBe('old 2 A B c');
    answer(layers[2], '1');
    expect(shown()).toBe('old 2 A B');
  });

  it('is found by its temporary pk in a store with an earlier state that has read no other record', () => {
    const { store, layers } = pending();
    const commits: Commit[] = [];
    store.onCommit((commit) => commits.push(commit));
    const past = new EarlierStore(store.writer.core, new Map(), new Map());
    const [{ pk } = { pk: '' }] = layers[0].created;
    const title = (): unknown => past.get(Todo, [{ id: pk }]).value;
    expect(title()).toMatchObject({ title: 'a' });
    answer(layers[0], 'A');
    for (const commit of commits) past.apply(commit);
    expect(title()).toMatchObject({ title: 'A' });
  });

  it('has the place of the guess that another store shows', () => {
    const { store, layers } = pending();
    const [temporary] = layers[0].created;
    store.write(Todo, { id: 'A', title: 'A' });
    const aliases = [{ table: 'Todo', temporary: temporary?.pk ?? '', pk: 'A' }];
    restore(store.writer, [], [], { aliases });
    expect(titles(store)).toBe('1 2 a b c');
  });
});

describe('a record that was written under its temporary pk before the create was answered', () => {
  const todo = (store: Store, id: string): readonly unknown[] => {
    const { id: pk, title, done } = store.get(Todo, { id }) ?? {};
    return [pk, title, done];
  };

  it('is one record afterwards, with the fields that only the write had', () => {
    const { store, layers } = pending();
    const [{ pk } = { pk: '' }] = layers[0].created;
    store.write(Step, { id: 's', todo: { id: pk, title: 'chosen', done: true } });
    expect(titles(store)).toBe('1 2 a b c');
    answer(layers[0], 'A');
    expect(titles(store)).toBe('1 2 A b c');
    expect(todo(store, 'A')).toEqual(['A', 'A', true]);
    expect(todo(store, pk)).toEqual(['A', 'A', true]);
    expect(store.get(Step, { id: 's' })?.todo).toBe(store.get(Todo, { id: 'A' }));
    expect(store.get(from(Todo).count())).toBe(5);
  });

  it('keeps of each field the value that was requested last', () => {
    const { store, layers } = pending();
    const [{ pk } = { pk: '' }] = layers[0].created;
    const [first, second, third] = [store.begin(), store.begin(), store.begin()];
    store.write(Todo, { id: pk, done: true }, { request: third });
    store.write(Todo, { id: pk, title: 'first', done: false }, { request: first });
    layers[0].confirm(todos.push, { id: 'A', title: 'second', done: false }, { args, request: second });
    expect(todo(store, 'A')).toEqual(['A', 'second', true]);
  });

  it('is deleted if the record of the server is', () => {
    const { store, layers } = pending();
    const [{ pk } = { pk: '' }] = layers[0].created;
    const request = store.begin();
    store.write(Todo, { id: pk, done: true }, { request: store.begin() });
    store.write(new Invalidate(Todo), { id: 'A' });
    layers[0].confirm(todos.push, { id: 'A', title: 'A' }, { args, request });
    expect(store.get(Todo, { id: 'A' })).toBeUndefined();
    expect(titles(store)).toBe('1 2 b c');
  });

  it('is written still if the batch with the answer is undone', () => {
    const { store, layers } = pending();
    const [{ pk } = { pk: '' }] = layers[0].created;
    store.write(Todo, { id: pk, title: 'w', done: true });
    const fails = (): unknown =>
      store.batch(() => {
        answer(layers[0], 'A');
        throw new RangeError('undone');
      });
    expect(fails).toThrow('undone');
    expect(todo(store, pk)).toEqual([pk, 'a', true]);
    expect(store.get(Todo, { id: 'A' })).toBeUndefined();
  });

  it('is the record of the server when the pk comes from another store, or missing as long as that record is', () => {
    const { store, layers } = pending();
    const [{ pk } = { pk: '' }, { pk: other } = { pk: '' }] = layers.flatMap(({ created }) => created);
    for (const id of [pk, other]) store.write(Todo, { id, done: true });
    for (const layer of layers) layer.drop();
    store.write(Todo, { id: 'A', title: 'A' });
    restore(store.writer, [], [], {
      aliases: [
        { table: 'Todo', temporary: pk, pk: 'A' },
        { table: 'Todo', temporary: other, pk: 'B' },
      ],
    });
    expect(titles(store)).toBe('1 2 A');
    expect(todo(store, 'A')).toEqual(['A', 'A', true]);
  });
});

class Step extends Entity {
  id = '';
  todo = Todo.fromJS();
  static override key = 'Step';
  static override schema = { todo: Todo };
  static override indexes = ['todo'] as const;
}

it('a store from before the answer still shows the guess, wherever it is referred to, until it has the answer', () => {
  const { store, layers } = pending();
  const [{ pk } = { pk: '' }] = layers[0].created;
  store.write(Step, { id: 's', todo: pk });
  const commits: Commit[] = [];
  store.onCommit((commit) => commits.push(commit));
  answer(layers[0], 'A');
  const kept = new Map<string, Map<string, RowState>>();
  for (const { table, pk: changed, before } of commits.splice(0)[0]?.shown ?? [])
    kept.set(table, (kept.get(table) ?? new Map<string, RowState>()).set(changed, before));
  const past = new EarlierStore(store.writer.core, kept, new Map());
  const shown = (): readonly unknown[] => [
    titlesOf(past.get(every, []).value as readonly Todo[]),
    titlesOf(past.get(todos, args).value as readonly Todo[]),
    (past.get(Step, [{ id: 's' }]).value as Step | undefined)?.todo.title,
    (past.get(Todo, [{ id: pk }]).value as Todo | undefined)?.title,
    (past.get(Todo, [{ id: 'A' }]).value as Todo | undefined)?.title,
  ];
  expect(store.get(Step, { id: 's' })?.todo.title).toBe('A');
  expect(shown()).toEqual(['1 2 a b c', '1 2 a b c', 'a', 'a', undefined]);
  answer(layers[1], 'B');
  for (const commit of commits) past.apply(commit);
  expect(shown()[0]).toBe('1 2 a B c');
});

import { describe, expect, it } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { ArraySchema } from '../../define/schema/array.ts';
import { All, Collection, Entity, INVALID, schema as schemas, Store, Values } from '../../index.ts';
import { restore } from './restore.ts';
const list = [Todo];

describe('a result', () => {
  it('is stored under its request key, in refs, with the time of its request', () => {
    let time = 10;
    const store = new Store({ now: () => time });
    const request = store.begin();
    time = 20;
    store.write(list, [{ id: '1' }], { resultKey: 'k', args: [1], expiresAt: 99, request });
    expect(store.result('k')).toEqual({
      schema: list,
      stored: ['1'],
      args: [1],
      stamp: { issue: 1, fetchedAt: 10, date: 20, expiresAt: 99, latest: 1 },
    });
    expect([...store.results()].map(([key]) => key)).toEqual(['k']);
    expect(store.stats()).toMatchObject({ results: 1 });
    expect(store.result('other')).toBeUndefined();
  });

  it.each(['requests', 'results'] as const)('can be noted and used while %s() is iterated', (method) => {
    const store = new Store({ maxRows: 10 });
    for (const key of ['a', 'b']) store.write(list, [], { resultKey: key });
    const keys: string[] = [];
    for (const [key] of store[method]()) {
      if (keys.length > 2) break;
      keys.push(key);
      store.use(key);
      store.note(key, { since: 0, edits: 0 });
    }
    expect(keys).toEqual(['a', 'b']);
  });

  it('is fresh for ever by default', () => {
    const store = new Store();
    store.write(list, [], { resultKey: 'k' });
    expect(store.result('k')?.stamp.expiresAt).toBe(Infinity);
    expect(store.result('k')?.args).toEqual([]);
  });

  it('of an earlier request does not replace a later one', () => {
    const store = new Store();
    const request = store.begin();
    store.write(list, [{ id: '2' }], { resultKey: 'k' });
    store.write(list, [{ id: '1' }], { resultKey: 'k', request });
    expect(store.result('k')?.stored).toEqual(['2']);
  });

  it('of a request from before a reset is not stored', () => {
    const store = new Store();
    const request = store.begin();
    store.reset();
    expect(store.write(list, [{ id: '1' }], { resultKey: 'k', request })).toBeUndefined();
    expect(store.result('k')).toBeUndefined();
  });

  it('replaces that of an earlier answer of its form, and no others', () => {
    const store = new Store();
    for (const ids of [['1'], ['2'], ['3']]) {
      store.write(list, ids.map((id) => ({ id })), { resultKey: 'k' }); // prettier-ignore
      store.write(Todo, { id: ids[0] }, { resultKey: 'k' });
    }
    expect(store.writer.core.states.get('k')?.results.map(({ stored }) => stored)).toEqual(['3', ['3']]);
  });

  it('keeps its stored form when an answer is equal', () => {
    const store = new Store();
    store.write(list, [{ id: '1' }], { resultKey: 'k' });
    const { stored } = store.result('k') ?? {};
    store.write([Todo], [{ id: '1' }], { resultKey: 'k' });
    expect(store.result('k')?.stored).toBe(stored);
  });
});

describe('the view of a result', () => {
  it('is live: missing, stored, changed, replaced, dropped', () => {
    const store = new Store();
    const view = store.resultView('k');
    let calls = 0;
    view.subscribe(() => calls++);
    expect(view.current()).toBeUndefined();
    store.write(list, [{ id: '1' }], { resultKey: 'k' });
    expect(view.current()).toEqual([store.get(Todo, '1')]);
    store.write(Todo, { id: '1', title: 'x' });
    expect(view.current()).toEqual([store.get(Todo, '1')]);
    store.write(list, [], { resultKey: 'k' });
    expect(view.current()).toEqual([]);
    store.dropResult('k');
    expect(view.current()).toBeUndefined();
    expect(calls).toBe(4);
  });

  it('of null is there, and can be dropped', () => {
    const store = new Store();
    store.write(undefined, undefined, { resultKey: 'k' });
    expect(store.result('k')).toMatchObject({ stored: undefined });
    store.dropResult('k');
    expect(store.result('k')).toBeUndefined();
  });

  it('that is not there can be dropped, and other results stay', () => {
    const store = new Store();
    store.write(undefined, 1, { resultKey: 'other' });
    store.dropResult('k');
    expect(store.result('k')).toBeUndefined();
    expect(store.result('other')).toMatchObject({ stored: 1 });
  });

  it('follows an answer with another schema', () => {
    const store = new Store();
    store.write(list, [{ id: '1' }], { resultKey: 'k' });
    const view = store.resultView('k');
    view.current();
    store.write(new Values(Todo), { 0: '1' }, { resultKey: 'k' });
    expect(view.current()).toEqual({ 0: store.get(Todo, '1') });
    store.write(Todo, { id: '1' }, { resultKey: 'k' });
    expect(view.current()).toBe(store.get(Todo, '1'));
    store.write(undefined, '1', { resultKey: 'k' });
    expect(view.current()).toBe('1');
  });

  it('is invalid when its record is', () => {
    const store = new Store();
    store.write(Todo, { id: '1' }, { resultKey: 'k' });
    const view = store.resultView('k');
    store.invalidate(Todo, '1');
    expect(view.current()).toBe(INVALID);
  });

  it('uses the schema of its reader if the result has none', () => {
    const store = new Store();
    const stamp = { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 };
    restore(
      store.writer,
      [{ table: 'Todo', pk: '1', row: { id: '1' }, stamp }],
      [['k', { schema: undefined, stored: ['1'], args: [], stamp }]],
    );
    expect(store.resultView('k').current()).toEqual(['1']);
    expect(store.resultView('k', list).current()).toEqual([store.get(Todo, '1')]);
    expect(store.resultView('k', Todo).current()).toBeUndefined();
    expect(store.resultView('other', list).current()).toBeUndefined();
  });
});

it('is frozen as other values are, for a response without a schema', () => {
  const response = { count: { now: 1 } };
  const read = (store: Store): typeof response => {
    store.write(undefined, response, { resultKey: 'count' });
    return store.resultView('count').current() as typeof response;
  };
  expect(Object.isFrozen(read(new Store()).count)).toBe(true);
  expect(Object.isFrozen(read(new Store({ frozen: false })))).toBe(false);
  // What the application has handed over is its own.
  expect(Object.isFrozen(response)).toBe(false);
});

describe('a result that is read by another schema than the one that stored it', () => {
  class Note extends Entity {
    id = '';
    type = 'note';
    static override key = 'Note';
  }
  const kinds = { todo: Todo, note: Note };

  it('is read if both schemas have the same form: lists of the same classes', () => {
    const store = new Store();
    store.write(new ArraySchema(kinds, 'type'), [{ id: '1', type: 'note' }], { resultKey: 'k' });
    const { value } = store.readRequest({ key: 'k', schema: new ArraySchema(kinds, 'type') });
    expect(value).toEqual([store.get(Note, '1')]);
    expect(store.readRequest({ key: 'k', schema: [Note] }).value).toBeUndefined();
  });

  it('is read, if it was restored, by a schema of the application that stores members in its own form', () => {
    class Numbered extends schemas.Object {
      override denormalize(stored: object): never {
        return Object.values(stored).map(({ nth }: { nth: number }) => nth) as never;
      }
    }
    const store = new Store();
    const stamp = { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 };
    const stored = { todo: { nth: 5 } };
    restore(store.writer, [], [['k', { schema: undefined, stored, args: [], stamp }]]);
    expect(store.readRequest({ key: 'k', schema: new Numbered({ todo: Todo }) }).value).toEqual([5]);
    expect(store.readRequest({ key: 'k', schema: { todo: Todo } }).value).toBeUndefined();
  });

  it('is read if both are the list of every record', () => {
    const store = new Store();
    store.write(new All(Todo), [{ id: '1' }], { resultKey: 'k' });
    expect(store.readRequest({ key: 'k', schema: new All(Todo) }).result).toBe(store.result('k'));
    expect(store.readRequest({ key: 'k', schema: new All(Note) }).result).toBeUndefined();
  });

  it('is not read if a map of records has the form of a map of classes', () => {
    const store = new Store();
    store.write(new Values(Todo), { a: { id: '1' } }, { resultKey: 'k' });
    expect(store.readRequest({ key: 'k', schema: new Values(Todo) }).value).toEqual({ a: store.get(Todo, '1') });
    expect(store.readRequest({ key: 'k', schema: new Values({ schema: Todo }, 'title') }).value).toBeUndefined();
  });
});

it('a failed request is removed with its note', () => {
  const store = new Store();
  store.note('k', { since: 0, edits: 0, isInvalidated: true });
  expect(store.readRequest({ key: 'k' }).value).toBe(INVALID);
  store.note('k', undefined);
  expect(store.request('k')).toBeUndefined();
  expect([...store.requests()]).toEqual([]);
});

it('a result is not replaced by that of an earlier request, also if this one changes a list inside of its record', () => {
  class Thread extends Entity {
    id = '';
    static override key = 'Thread';
    static override schema = {
      posts: new Collection([Todo], { nestKey: ({ id }: { id: string }) => ({ thread: id }) }),
    };
  }
  const store = new Store();
  const write = (id: string, post: string, request = store.begin()): unknown =>
    store.write(Thread, { id, posts: [{ id: post }] }, { resultKey: 'k', request });
  write('1', 'a');
  const earlier = store.begin();
  write('2', 'b');
  write('1', 'c', earlier);
  expect(store.result('k')?.stored).toBe('2');
});

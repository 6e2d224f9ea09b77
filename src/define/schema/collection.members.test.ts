import { describe, expect, it } from 'vitest';
import { keepsTheSchemaLaws } from '../../../tests/laws/schema-laws.ts';
import { Store } from '../../state/store/store.ts';
import { Collection } from './collection.ts';
import { Entity } from './entity.ts';
import { unshift } from './collection-members.ts';
import { INVALID } from './row.ts';
import { Union } from './union.ts';
import { Values } from './values.ts';

class Todo extends Entity {
  id = '';
  title = '';
  status = '';
  static override key = 'Todo';
}
class Note extends Entity {
  id = '';
  type = 'note';
  static override key = 'Note';
}
class Link extends Entity {
  id = '';
  type = 'link';
  static override key = 'Link';
}
const todos = new Collection([Todo]);
const feed = new Collection([new Union({ note: Note, link: Link }, 'type')]);
const byName = new Collection(new Values(Todo));

type Params = Readonly<Record<string, unknown>>;

/** A store in which each list of ids is under its key. */
function storeWith(lists: readonly (readonly [key: Params, ids: readonly string[]])[]): Store {
  const store = new Store();
  for (const [key, ids] of lists) {
    store.write(
      todos,
      ids.map((id) => ({ id, ...key })),
      { args: [key] },
    );
  }
  return store;
}

const ids = (store: Store, key: Params): string[] => (store.get(todos, key) as Todo[]).map((todo) => todo.id);

describe.each([
  ['push', todos.push],
  ['unshift', todos.unshift],
  ['remove', todos.remove],
  ['move', todos.move],
])('%s', (_, schema) => {
  keepsTheSchemaLaws({
    schema: () => schema,
    response: () => [{ id: '1', name: 'a' }, { id: '2' }],
    part: { entity: Todo, pk: '1', record: { id: '1', name: 'a' } },
    withoutPart: [{ id: '2', title: '', status: '' }],
    wrong: [[[]], [{ id: null }], [{ id: '3' }, { id: true }]],
  });
});

describe('push and unshift', () => {
  it('add a created record to every list that the request selects, and to no other', () => {
    const store = storeWith([
      [{}, ['1']],
      [{ status: 'a' }, ['1']],
      [{ status: 'b' }, ['2']],
    ]);
    store.write(todos.push, { id: '3', status: 'a' }, { args: [{ status: 'a' }] });
    expect([ids(store, {}), ids(store, { status: 'a' }), ids(store, { status: 'b' })]).toEqual([
      ['1', '3'],
      ['1', '3'],
      ['2'],
    ]);
  });

  it('add it at the end, or at the start', () => {
    const store = storeWith([[{}, ['1', '2']]]);
    store.write(todos.unshift, { id: '0' }, { args: [{}] });
    store.write(todos.push, { id: '3' }, { args: [{}] });
    expect(ids(store, {})).toEqual(['0', '1', '2', '3']);
  });

  it('leave a member in its place, and the list the same object', () => {
    const store = storeWith([[{}, ['1', '2']]]);
    const before = store.get(todos, {});
    store.write(todos.push, { id: '1' }, { args: [{}] });
    store.write(todos.unshift, { id: '2' }, { args: [{}] });
    expect(store.get(todos, {})).toBe(before);
  });

  it('take one record or a list of them, and read as one or as a list', () => {
    const store = storeWith([[{}, []]]);
    const one = store.write(todos.push, { id: '1' }, { args: [{}] });
    const some = store.write(todos.push, [{ id: '2' }, null, { id: '3' }], { args: [{}] });
    expect(store.read(todos.push, one)).toBe(store.get(Todo, '1'));
    expect(store.read(todos.push, some)).toEqual([store.get(Todo, '2'), null, store.get(Todo, '3')]);
    expect(ids(store, {})).toEqual(['1', '2', '3']);
  });

  it('give a record without a pk a temporary one', () => {
    const store = storeWith([[{}, ['1']]]);
    const stored = store.write(todos.push, { title: 'new' }, { args: [{}] });
    expect(typeof stored).toBe('string');
    expect(ids(store, {})).toEqual(['1', stored]);
  });

  it('create the record also if there is no list yet', () => {
    const store = new Store();
    store.write(todos.push, { id: '1' }, { args: [{}] });
    expect(store.get(Todo, '1')).toBeInstanceOf(Todo);
    expect(store.get(todos, {})).toBeUndefined();
  });

  it('add even to a list that was requested later, which cannot include the record', () => {
    const store = new Store();
    const request = store.begin();
    store.write(todos, [{ id: '1' }], { args: [{}] });
    store.write(todos.push, { id: '2' }, { args: [{}], request });
    expect(ids(store, {})).toEqual(['1', '2']);
  });

  it('tell records of several classes apart', () => {
    const store = new Store();
    store.write(feed, [{ id: '1', type: 'note' }], { args: [{}] });
    const stored = store.write(
      feed.push,
      [
        { id: '1', type: 'note' },
        { id: '1', type: 'link' },
      ],
      { args: [{}] },
    );
    expect(stored).toEqual([
      { id: '1', schema: 'note' },
      { id: '1', schema: 'link' },
    ]);
    expect(store.get(feed, {})).toEqual([
      { id: '1', type: 'note' },
      { id: '1', type: 'link' },
    ]);
    expect(store.read(feed.push, { id: '1', schema: 'link' })).toBe(store.get(Link, '1'));
  });

  it('return the same schema at each read, and cannot be read without a request', () => {
    expect(todos.push).toBe(todos.push);
    expect(todos.unshift).not.toBe(todos.push);
    expect(todos.push.queryKey()).toBeUndefined();
  });

  it('refuse a value that is not a record', () => {
    const store = storeWith([[{}, ['1']]]);
    expect(() => store.write(todos.push, [{ id: null }], { args: [{}] })).toThrow(
      expect.objectContaining({ code: 'pk-invalid' }),
    );
    expect(() => todos.push.normalize(null, undefined, undefined, { args: [] } as never)).toThrow(
      expect.objectContaining({ code: 'input-invalid', entity: '[Todo]' }),
    );
    expect(ids(store, {})).toEqual(['1']);
  });

  it('leave deleted records out of a list when it is read', () => {
    const store = storeWith([[{}, ['1', '2']]]);
    store.invalidate(Todo, '1');
    expect(store.read(todos.push, ['1', '2'])).toEqual([store.get(Todo, '2')]);
    expect(store.read(todos.push, '1')).toBe(INVALID);
  });
});

describe('assign', () => {
  it('sets entries of every map that the request selects', () => {
    const store = new Store();
    store.write(byName, { a: { id: '1' } }, { args: [{}] });
    store.write(byName, { a: { id: '1' } }, { args: [{ status: 'x' }] });
    const stored = store.write(byName.assign, { b: { id: '2' }, none: null }, { args: [{}] });
    expect(stored).toEqual({ b: '2' });
    expect(store.read(byName.assign, stored)).toEqual({ b: store.get(Todo, '2') });
    expect(store.get(byName, {})).toEqual({ a: store.get(Todo, '1'), b: store.get(Todo, '2') });
    expect(Object.keys(store.get(byName, { status: 'x' }) as object)).toEqual(['a']);
  });

  it('leaves missing records out of a map when it is read', () => {
    const store = new Store();
    store.write(Todo, { id: '1' });
    expect(store.read(byName.assign, { a: '1', b: '404' })).toEqual({ a: store.get(Todo, '1') });
    expect(store.read(byName.assign, 'text')).toBeUndefined();
    expect(store.read(byName.assign, null)).toBeNull();
  });
});

describe('remove', () => {
  it('removes records from every list that the request selects, and keeps the records', () => {
    const store = storeWith([
      [{}, ['1', '2']],
      [{ status: 'a' }, ['1', '2']],
      [{ status: 'b' }, ['1']],
    ]);
    store.write(todos.remove, { id: '1', title: 'changed' }, { args: [{ status: 'a' }] });
    expect([ids(store, {}), ids(store, { status: 'a' }), ids(store, { status: 'b' })]).toEqual([['2'], ['2'], ['1']]);
    expect(store.get(Todo, '1')).toMatchObject({ title: 'changed' });
  });

  it('takes several, and takes bare pks', () => {
    const store = storeWith([[{}, ['1', '2', '3']]]);
    expect(store.write(todos.remove, ['1', { id: '3' }], { args: [{}] })).toEqual(['1', '3']);
    expect(ids(store, {})).toEqual(['2']);
  });

  it('removes entries from a map', () => {
    const store = new Store();
    store.write(byName, { a: { id: '1' }, b: { id: '2' } }, { args: [{}] });
    store.write(byName.remove, { any: { id: '1' } }, { args: [{}] });
    expect(Object.keys(store.get(byName, {}) as object)).toEqual(['b']);
  });

  it('removes records of several classes', () => {
    const store = new Store();
    store.write(
      feed,
      [
        { id: '1', type: 'note' },
        { id: '1', type: 'link' },
      ],
      { args: [{}] },
    );
    store.write(feed.remove, { id: '1', type: 'note' }, { args: [{}] });
    expect(store.get(feed, {})).toEqual([{ id: '1', type: 'link' }]);
  });
});

describe('move', () => {
  const lists = [
    [{}, ['1']],
    [{ status: 'a' }, ['1']],
    [{ status: 'b' }, ['2']],
  ] as const;
  const everywhere = (store: Store): string[][] => [{}, { status: 'a' }, { status: 'b' }].map((key) => ids(store, key));

  it('moves a record from its former list to the one to which it now belongs', () => {
    const store = storeWith(lists);
    store.write(Todo, { id: '1', status: 'a' });
    const stored = store.write(todos.move, { id: '1', status: 'b' }, { args: [{ id: '1' }, { status: 'b' }] });
    expect(everywhere(store)).toEqual([['1'], [], ['2', '1']]);
    expect(store.read(todos.move, stored)).toBe(store.get(Todo, '1'));
  });

  it('uses the body for fields that the response lacks', () => {
    const store = storeWith(lists);
    store.write(Todo, { id: '1', status: 'a' });
    store.write(todos.move, { id: '1' }, { args: [{ id: '1' }, { status: 'b' }] });
    expect(everywhere(store)).toEqual([['1'], [], ['2', '1']]);
  });

  it('prefers the response to the body', () => {
    const store = storeWith(lists);
    store.write(Todo, { id: '1', status: 'a' });
    store.write(todos.move, { id: '1', status: 'a' }, { args: [{ id: '1' }, { status: 'b' }] });
    expect(everywhere(store)).toEqual([['1'], ['1'], ['2']]);
  });

  it('accepts a body alone, and a list of records, each by its own fields', () => {
    const store = storeWith(lists);
    store.write(
      [Todo],
      [
        { id: '1', status: 'a' },
        { id: '2', status: 'b' },
      ],
    );
    const body = [
      { id: '1', status: 'b' },
      { id: '2', status: 'a' },
    ];
    store.write(todos.move, body, { args: [body] });
    expect(everywhere(store)).toEqual([['1'], ['2'], ['1']]);
  });

  it('ignores params that name the former list', () => {
    const store = storeWith(lists);
    store.write(Todo, { id: '1', status: 'a' });
    store.write(todos.move, { id: '1', status: 'b' }, { args: [{ status: 'a', id: '1' }, { status: 'b' }] });
    expect(everywhere(store)).toEqual([['1'], [], ['2', '1']]);
  });

  it('uses the params for fields that the record lacks', () => {
    const store = new Store();
    const inGroup = (status: string): Params => ({ group: '1', status });
    store.write(todos, [{ id: '1', status: 'a' }], { args: [inGroup('a')] });
    store.write(todos, [], { args: [inGroup('b')] });
    store.write(todos, [], { args: [{ group: '2', status: 'b' }] });
    store.write(todos.move, { id: '1', status: 'b' }, { args: [{ group: '1', id: '1' }, { status: 'b' }] });
    expect([ids(store, inGroup('a')), ids(store, inGroup('b'))]).toEqual([[], ['1']]);
    expect(ids(store, { group: '2', status: 'b' })).toEqual([]);
  });

  it('passes the params and the record to a filter of your own', () => {
    const seen: unknown[] = [];
    const own = new Collection([Todo], {
      createCollectionFilter: (...args: Record<string, unknown>[]) => {
        seen.push(args);
        return () => false;
      },
    });
    const store = new Store();
    store.write(Todo, { id: '1', status: 'a' });
    store.write(own.move, { id: '1', status: 'b' }, { args: [{ status: 'a', page: 2 }, { by: 'ann' }] });
    expect(seen).toEqual([
      [
        { status: 'a', page: 2 },
        { id: '1', status: 'a' },
      ],
      [
        { status: 'b', page: 2 },
        { id: '1', status: 'b', by: 'ann' },
      ],
    ]);
  });

  it('uses a body alone for fields that the response lacks', () => {
    const store = storeWith(lists);
    store.write(Todo, { id: '1', status: 'a' });
    store.write(todos.move, { id: '1' }, { args: [{ status: 'b' }] });
    expect(everywhere(store)).toEqual([['1'], [], ['2', '1']]);
  });

  it('only adds a record that was not stored', () => {
    const store = storeWith(lists);
    store.write(todos.move, { id: '9', status: 'b' }, { args: [{ id: '9' }, { status: 'b' }] });
    store.invalidate(Todo, '1');
    store.write(todos.move, { id: '1', status: 'b' }, { args: [{ id: '1' }, { status: 'b' }] });
    expect(everywhere(store)).toEqual([['9', '1'], [], ['2', '9', '1']]);
  });

  it('accepts a bare pk, and uses the body', () => {
    const store = storeWith(lists);
    store.write(Todo, { id: '1', status: 'a' });
    expect(store.write(todos.move, '1', { args: [{ id: '1' }, { status: 'b' }] })).toBe('1');
    expect(everywhere(store)).toEqual([['1'], [], ['2', '1']]);
  });

  it('uses the stored pk of a field with a relation', () => {
    class Task extends Entity {
      id = '';
      todo = Todo.fromJS();
      static override key = 'Task';
      static override schema = { todo: Todo };
    }
    const tasks = new Collection([Task]);
    const store = new Store();
    store.write(tasks, [{ id: '1', todo: { id: 'a' } }], { args: [{ todo: 'a' }] });
    store.write(tasks, [], { args: [{ todo: 'b' }] });
    store.write(tasks.move, { id: '1', todo: { id: 'b' } }, { args: [{ id: '1' }, {}] });
    expect(store.get(tasks, { todo: 'a' })).toEqual([]);
    expect(store.get(tasks, { todo: 'b' })).toEqual([store.get(Task, '1')]);
  });

  it('moves entries of maps under their own names', () => {
    const store = new Store();
    store.write(byName, { one: { id: '1', status: 'a' } }, { args: [{ status: 'a' }] });
    store.write(byName, {}, { args: [{ status: 'b' }] });
    store.write(byName.move, { one: { id: '1', status: 'b' } }, { args: [{}, {}] });
    expect(store.get(byName, { status: 'a' })).toEqual({});
    expect(store.get(byName, { status: 'b' })).toEqual({ one: store.get(Todo, '1') });
  });

  it('moves one record from map to map, under its name there, or else under its pk', () => {
    const store = new Store();
    store.write(byName, { one: { id: '1', status: 'a' } }, { args: [{ status: 'a' }] });
    store.write(byName, {}, { args: [{ status: 'b' }] });
    expect(store.write(byName.move, { id: '1', status: 'b' }, { args: [{ id: '1' }, {}] })).toBe('1');
    expect(store.row('{Todo}', '{"status":"a"}')).toEqual({});
    expect(store.row('{Todo}', '{"status":"b"}')).toEqual({ one: '1' });
    store.write(byName.move, { id: '2', status: 'b' }, { args: [{}, {}] });
    expect(store.row('{Todo}', '{"status":"b"}')).toEqual({ one: '1', 2: '2' });
    const kinds = new Collection(new Values(new Union({ note: Note, link: Link }, 'type')));
    store.write(kinds, { one: { id: '1', type: 'note', box: 'a' } }, { args: [{ box: 'a' }] });
    store.write(kinds, {}, { args: [{ box: 'b' }] });
    store.write(kinds.move, { id: '1', type: 'note', box: 'b' }, { args: [{ id: '1' }, {}] });
    store.write(kinds.move, { id: '7', type: 'link', box: 'b' }, { args: [{ id: '7' }, {}] });
    store.write(kinds.move, { id: '8', type: 'other', box: 'b' }, { args: [{ id: '8' }, {}] });
    expect(store.get(kinds, { box: 'b' })).toMatchObject({ one: { id: '1' }, 7: { id: '7' } });
  });

  it('moves records of several classes, and adds one of an unknown class only by the body', () => {
    const store = new Store();
    store.write(feed, [{ id: '1', type: 'note', box: 'a' }], { args: [{ box: 'a' }] });
    store.write(feed, [], { args: [{ box: 'b' }] });
    store.write(feed.move, { id: '1', type: 'note', box: 'b' }, { args: [{ id: '1' }, {}] });
    expect(store.get(feed, { box: 'a' })).toEqual([]);
    expect(store.get(feed, { box: 'b' })).toEqual([store.get(Note, '1')]);
    store.write(feed.move, { id: '7', type: 'other' }, { args: [{ id: '7' }, {}] });
    expect(store.row('[note=Note;link=Link]', '{"box":"b"}')).toEqual([{ id: '1', schema: 'note' }]);
  });

  it('adds no record for which process returned undefined', () => {
    class Job extends Entity {
      id = '';
      static override key = 'Job';
      static override process(input: { readonly gone?: boolean }): unknown {
        return input.gone === true ? undefined : { ...input };
      }
    }
    const jobs = new Collection([Job]);
    const store = new Store();
    store.write(jobs, [{ id: '1', box: 'a' }], { args: [{ box: 'a' }] });
    store.write(jobs.move, { id: '1', gone: true }, { args: [{ id: '1' }, {}] });
    expect(store.row('Job', '1')).toBe(INVALID);
    expect(store.get(jobs, { box: 'a' })).toEqual([]);
  });

  it('works without arguments', () => {
    const store = storeWith(lists);
    store.write(Todo, { id: '1', status: 'a' });
    store.write(todos.move, { id: '1', status: 'b' });
    expect(everywhere(store)).toEqual([['1'], [], ['2', '1']]);
  });
});

describe('addWith and moveWith', () => {
  it('merge with the given function, into the lists that the filter selects', () => {
    const store = storeWith([
      [{}, ['1']],
      [{ status: 'a' }, ['2']],
    ]);
    const sorted = todos.addWith(
      (existing: string[], incoming: string[]) => [...existing, ...incoming].toSorted(),
      () => (key) => key['status'] === 'a',
    );
    store.write(sorted, { id: '0' }, { args: [{}] });
    expect(ids(store, { status: 'a' })).toEqual(['0', '2']);
    expect(ids(store, {})).toEqual(['1']);
  });

  it('add a moved record with the given function', () => {
    const store = storeWith([
      [{ status: 'a' }, ['1']],
      [{ status: 'b' }, ['2']],
    ]);
    store.write(Todo, { id: '1', status: 'a' });
    const toFront = todos.moveWith((existing: string[], incoming: string[]) => [...incoming, ...existing]);
    store.write(toFront, { id: '1', status: 'b' }, { args: [{ id: '1' }, { status: 'b' }] });
    expect(ids(store, { status: 'b' })).toEqual(['1', '2']);
  });
});

describe('a deleted record', () => {
  it('leaves every list', () => {
    const store = storeWith([
      [{}, ['1', '2']],
      [{ status: 'a' }, ['1']],
    ]);
    store.invalidate(Todo, '1');
    expect(store.row('[Todo]', '{}')).toEqual(['2']);
    expect(store.row('[Todo]', '{"status":"a"}')).toEqual([]);
  });
});

describe('a collection with changes of its own', () => {
  it('sets them in its constructor', () => {
    class FirstIn extends Collection<(typeof Todo)[]> {
      constructor(content: (typeof Todo)[]) {
        super(content);
        this.push = this.addWith(unshift);
        this.move = this.moveWith(unshift);
        this.remove = this.addWith((existing: readonly unknown[]) => existing.slice(1));
      }
    }
    const list = new FirstIn([Todo]);
    const store = new Store();
    const [one, two, three] = [
      { id: '1', status: 'a' },
      { id: '2', status: 'a' },
      { id: '3', status: 'b' },
    ];
    store.write(list, [one, two], { args: [{ status: 'a' }] });
    store.write(list, [three], { args: [{ status: 'b' }] });
    store.write(list.push, { id: '4', status: 'a' }, { args: [{ status: 'a' }] });
    store.write(list.move, { id: '2', status: 'b' }, { args: [{ id: '2' }, { status: 'b' }] });
    store.write(list.remove, { id: '9' }, { args: [{ status: 'a' }] });
    expect(store.row('[Todo]', '{"status":"a"}')).toEqual(['1']);
    expect(store.row('[Todo]', '{"status":"b"}')).toEqual(['2', '3']);
    expect(list.push).toBe(list.push);
    expect(list.unshift).not.toBe(new FirstIn([Todo]).unshift);
  });

  it('declares them as fields', () => {
    class FirstIn extends Collection<(typeof Todo)[]> {
      override push = this.addWith(unshift);
    }
    const list = new FirstIn([Todo]);
    const store = new Store();
    store.write(list, [{ id: '1' }], { args: [{}] });
    store.write(list.push, { id: '2' }, { args: [{}] });
    expect(store.row('[Todo]', '{}')).toEqual(['2', '1']);
  });
});

it('an argument that is a list of one text selects the collection with that text', () => {
  const store = new Store();
  store.write(todos, [], { args: [{ tags: 'a' }] });
  store.write(todos, [], { args: [{ tags: ['b'] }] });
  store.write(todos.push, { id: '1', tags: ['a'] }, { args: [{ id: '1', tags: ['a'] }] });
  store.write(todos.push, { id: '2', tags: ['b'] }, { args: [{ id: '2', tags: ['b'] }] });
  store.write(todos.push, { id: '3' }, { args: [{ tags: [{ name: 'a' }] }] });
  expect(store.row('[Todo]', '{"tags":"a"}')).toEqual(['1']);
  expect(store.row('[Todo]', '{"tags":["b"]}')).toEqual(['2']);
});

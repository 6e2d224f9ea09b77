import { describe, expect, test } from 'vitest';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Invalidate } from '../../define/schema/invalidate.ts';
import { Union } from '../../define/schema/union.ts';
import { Values } from '../../define/schema/values.ts';
import { All } from '../../define/schema/all.ts';
import type { NormalizeDelegate } from '../../define/schema/delegate.ts';
import { changePk } from './change-pk.ts';
import { PreparedWrite } from './prepared-write.ts';
import type { Commit } from './commit.ts';
import type { Ticket } from './tickets.ts';
import { Store } from './store.ts';
import { addGuess } from './layer.ts';
import { nestedFieldsOf } from './restore.ts';

class User extends Entity {
  id = '';
  name = '';
  age = 0;
  static override key = 'User';
}

class Todo extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  static override key = 'Todo';
  static override schema = { author: User };
}

const Todos = new Collection([Todo]);
const Users = [User];

/** A prepared write that notes whether the write has used it, and how often cells that may have changed were reported to it. */
class WatchedWrite extends PreparedWrite {
  wasUsed = false;
  touches = 0;
  override noteTouched(...given: Parameters<PreparedWrite['noteTouched']>): void {
    this.touches++;
    super.noteTouched(...given);
  }
  override take(...given: Parameters<PreparedWrite['take']>): ReturnType<PreparedWrite['take']> {
    const use = super.take(...given);
    this.wasUsed ||= use !== undefined;
    return use;
  }
}

/** A collection that stores its records in another order. */
class Backwards extends Collection {
  override normalize(...[input, ...rest]: Parameters<Collection['normalize']>): string | undefined {
    return super.normalize([...(input as unknown[])].reverse(), ...rest);
  }
}

/** A schema that is not of this library. */
const Upper = {
  normalize: (input: string): string => input.toUpperCase(),
  denormalize: (stored: string): string => stored,
  queryKey: (): undefined => undefined,
};

interface Begun {
  readonly ticket: Ticket;
  readonly prepared: WatchedWrite;
  readonly walk: Generator<undefined>;
  readonly finish: () => unknown;
}

function begin(
  store: Store,
  schema: unknown,
  input: unknown,
  args: readonly unknown[] = [],
  ticket: Ticket = store.begin(),
): Begun {
  const { writer } = store;
  const prepared = writer.prepare(ticket, new WatchedWrite(writer, ticket, { schema, input, args }));
  const walk = prepared.walk();
  const finish = (): unknown => {
    Array.from(walk);
    return store.write(schema, input, { args, request: ticket, resultKey: 'key' });
  };
  return { ticket, prepared, walk, finish };
}

const INPUT = [{ id: '1' }];

const names = (store: Store): string[] => (store.get(new All(User)) ?? []).map(({ id }) => id);

describe('a prepared write', () => {
  test('has the result of an unprepared write', () => {
    const store = new Store();
    const input = [
      { id: '1', title: 'x', author: { id: 'a', name: 'ann' } },
      { id: '2', author: 'a' },
    ];
    const { prepared, finish, walk } = begin(store, Todos, input);
    walk.next();
    expect(store.stats()).toMatchObject({ rows: 0, results: 0 });
    expect(store.get(Todo, { id: '1' })).toBeUndefined();
    expect(finish()).toBe('{}');
    expect(prepared.wasUsed).toBe(true);
    expect(store.get(Todos)?.map(({ author }) => author.name)).toEqual(['ann', 'ann']);
    expect(store.result('key')?.stored).toBe('{}');
  });

  test('prepares the members after a list that is null', () => {
    const store = new Store();
    const schema = { none: new Collection(Users), users: Users };
    const { prepared, finish } = begin(store, schema, { none: null, users: INPUT });
    expect(finish()).toEqual({ none: null, users: ['1'] });
    expect(prepared.wasUsed).toBe(true);
  });

  test('yields between the records of lists, in collections, and in members of objects', () => {
    const records = [{ id: '1' }, { id: '2' }, { id: '3' }];
    const stepsOf = (schema: unknown, input: unknown): number => {
      const { prepared, walk, finish } = begin(new Store(), schema, input);
      const { length } = Array.from(walk);
      finish();
      expect(prepared.wasUsed).toBe(true);
      return length;
    };
    expect(stepsOf(Users, records)).toBe(3);
    expect(stepsOf(new Collection(Users), records)).toBe(3);
    expect(
      stepsOf(
        { first: User, users: Users, more: new Collection(Users), none: Users },
        {
          first: { id: '0' },
          users: records,
          more: [...records],
          total: 6,
        },
      ),
    ).toBe(6);
    expect(stepsOf({ users: Users, name: Upper, none: User }, { name: 'a', users: records, none: null })).toBe(3);
    // What is not a list of one kind of record is filed in one step.
    expect(stepsOf(new Collection(new Values(User)), { a: { id: '1' } })).toBe(0);
    expect(stepsOf(new Backwards(Users), records)).toBe(0);
    expect(stepsOf(User, { id: '1' })).toBe(0);
    expect(stepsOf(new Values(User), { a: { id: '1' } })).toBe(0);
    expect(stepsOf(Users, { a: { id: '1' } })).toBe(0);
    expect(stepsOf(new Union({ user: User }, () => 'user'), { id: '1' })).toBe(0);
  });

  test('stores each record once', () => {
    const processed: unknown[] = [];
    class Counted extends Entity {
      id = '';
      static override key = 'Counted';
      static override process(input: { readonly id: string }): object {
        processed.push(input.id);
        return { ...input };
      }
    }
    const lists = { all: [Counted], more: new Collection([Counted]), one: Counted };
    const input = { one: { id: '4' }, more: [{ id: '2' }, { id: '3' }], all: [{ id: '1' }] };
    begin(new Store(), lists, input).finish();
    // In the order of the schema.
    expect(processed).toEqual(['1', '2', '3', '4']);
  });

  test('is fresh for as long as the write says, counted from when it takes effect', () => {
    let now = 100;
    const store = new Store({ now: () => now });
    const { ticket, walk, prepared } = begin(store, Users, INPUT);
    Array.from(walk);
    now = 200;
    store.write(Users, INPUT, { request: ticket, expiresAt: 250, resultKey: 'key' });
    expect(prepared.wasUsed).toBe(true);
    expect(store.expiresAt(User, '1')).toBe(250);
    expect(store.result('key')?.stamp).toMatchObject({ fetchedAt: 100, date: 200, expiresAt: 250 });
  });

  test('leaves out values that are not records, as an unprepared write does', () => {
    const store = new Store();
    expect(begin(store, Users, [{ id: '1' }, undefined, null, '2']).finish()).toEqual(['1', null, '2']);
  });

  test('reaches records that are nested deeply', () => {
    class Node extends Entity {
      id = '';
      next: Node | undefined = undefined;
      static override key = 'Node';
      static override schema: { readonly next: typeof Node } = { next: Node };
    }
    let chain: object = { id: '0' };
    for (let at = 1; at < 1000; at++) chain = { id: `${at}`, next: chain };
    const store = new Store();
    const { prepared, finish } = begin(store, [Node], [chain]);
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(store.stats().rows).toBe(1000);
  });

  test('is not used for another input, schema or arguments, and not before it is done', () => {
    const lands = (write: (store: Store, request: Ticket) => unknown, isDone = true): boolean => {
      const store = new Store();
      const { prepared, ticket, walk } = begin(store, Users, INPUT, ['x']);
      if (isDone) Array.from(walk);
      write(store, ticket);
      expect(store.stats().rows).toBe(1);
      return prepared.wasUsed;
    };
    expect(lands((store, request) => store.write(Users, INPUT, { request, args: ['x'] }))).toBe(true);
    expect(lands((store, request) => store.write(Users, INPUT, { request, args: ['x'] }), false)).toBe(false);
    expect(lands((store, request) => store.write([User], INPUT, { request, args: ['x'] }))).toBe(false);
    expect(lands((store, request) => store.write(Users, [...INPUT], { request, args: ['x'] }))).toBe(false);
    expect(lands((store, request) => store.write(Users, INPUT, { request, args: ['y'] }))).toBe(false);
    expect(lands((store, request) => store.write(Users, INPUT, { request }))).toBe(false);
    expect(lands((store) => store.write(Users, INPUT, { args: ['x'] }))).toBe(false);
  });

  test('is dropped with its request', () => {
    const store = new Store();
    const settled = begin(store, Users, [{ id: '1' }]);
    store.write(User, { id: 'x' });
    expect(settled.prepared.touches).toBe(1);
    store.settle(settled.ticket);
    store.write(User, { id: 'y' });
    expect(settled.prepared.touches).toBe(1);
    const revoked = begin(store, Users, [{ id: '2' }]);
    store.reset();
    expect(revoked.finish()).toBeUndefined();
    expect(store.stats().rows).toBe(0);
  });
});

describe('between the preparation of a write and its effect', () => {
  test('writes to other records do not change it', () => {
    const store = new Store();
    const { prepared, finish, walk } = begin(store, Users, [{ id: '1' }, { id: '2' }]);
    walk.next();
    store.write(User, { id: 'x', name: 'other' });
    finish();
    expect(prepared.wasUsed).toBe(true);
    // As if all of it arrived now, after the earlier rows.
    expect(names(store)).toEqual(['x', '1', '2']);
  });

  test('a record that was newer already keeps its fields, and gets those that it lacked', () => {
    const store = new Store();
    const ticket = store.begin();
    store.write(User, { id: '1', name: 'new' }, { expiresAt: 50 });
    const { prepared, finish } = begin(store, Users, [{ id: '1', name: 'old', age: 3 }], [], ticket);
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(store.get(User, { id: '1' })).toMatchObject({ name: 'new', age: 3 });
    expect(store.expiresAt(User, '1')).toBe(50);
  });

  test('a record that is written after it was prepared keeps the newer fields', () => {
    const store = new Store();
    const { prepared, finish, walk } = begin(store, Users, [{ id: '1', name: 'late' }, { id: '2' }, { id: '3' }]);
    walk.next();
    store.write(User, { id: '1', name: 'new' });
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(store.get(User, { id: '1' })?.name).toBe('new');
    expect(store.get(User, { id: '2' })?.id).toBe('2');
  });

  test('a stream that writes one record after another leaves the preparation of the others as it is', () => {
    const store = new Store();
    const ids = ['1', '2', '3', '4'];
    store.write(
      Users,
      ids.map((id) => ({ id, name: 'old', age: 1 })),
    );
    const { prepared, finish, walk } = begin(
      store,
      Users,
      ids.map((id) => ({ id, name: 'new' })),
    );
    for (const id of ids) {
      walk.next();
      store.write(User, { id, age: Number(id) + 10 });
      store.write(User, { id: `x${id}`, age: 0 });
    }
    const untouched = store.row('User', 'x1');
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(ids.map((id) => store.row('User', id))).toEqual(
      ids.map((id) => ({ id, name: 'new', age: Number(id) + 10 })),
    );
    expect(store.row('User', 'x1')).toBe(untouched);
  });

  test('a record that is changed and changed back stays the same object', () => {
    const store = new Store();
    store.write(User, { id: '1', name: 'ann' });
    const before = store.row('User', '1');
    const { prepared, finish, walk } = begin(store, Users, [
      { id: '1', name: 'eve' },
      { id: '1', name: 'ann' },
    ]);
    Array.from(walk);
    store.write(User, { id: '1' });
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(store.row('User', '1')).toBe(before);
  });

  test('a collection that changes is merged with the prepared list', () => {
    const store = new Store();
    const list = new Collection(Users);
    store.write(list, [{ id: '1' }]);
    const ticket = store.begin();
    const { prepared, finish, walk } = begin(store, list, [{ id: '2' }, { id: '3' }], [], ticket);
    Array.from(walk);
    store.write(list.push, { id: '4' });
    const whole = new Store();
    whole.write(list, [{ id: '1' }]);
    const late = whole.begin();
    whole.write(list.push, { id: '4' });
    whole.write(list, [{ id: '2' }, { id: '3' }], { request: late });
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(store.get(list)?.map(({ id }) => id)).toEqual(whole.get(list)?.map(({ id }) => id));
  });

  test('a row that a schema sets without reading the stored one is overwritten', () => {
    const Putting = {
      normalize: (input: { id: string }, _parent: unknown, _key: unknown, delegate: NormalizeDelegate): string => {
        delegate.setEntity({ key: 'User' } as never, input.id, { ...input });
        return input.id;
      },
      denormalize: (stored: unknown): unknown => stored,
      queryKey: (): undefined => undefined,
    };
    const store = new Store();
    const { prepared, finish, walk } = begin(store, [Putting], [{ id: '1', name: 'put' }]);
    Array.from(walk);
    store.write(User, { id: '1', name: 'new', age: 3 });
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(store.row('User', '1')).toEqual({ id: '1', name: 'put' });
  });

  test('a record with a merge of its own is prepared again when it changes', () => {
    interface Counted {
      readonly id: string;
      readonly count: number;
    }
    class Adding extends Entity {
      id = '';
      count = 0;
      static override key = 'Adding';
      static override merge(existing: Counted, incoming: Counted): object {
        return { ...existing, ...incoming, count: existing.count + incoming.count };
      }
      static override mergeWithStore(...[, , existing, incoming]: [unknown, unknown, Counted, Counted]): object {
        return this.merge(existing, incoming);
      }
    }
    const store = new Store();
    store.write(Adding, { id: '1', count: 1 });
    const { prepared, finish, walk } = begin(store, [Adding], [{ id: '1', count: 10 }]);
    Array.from(walk);
    store.write(Adding, { id: '1', count: 100 });
    finish();
    expect(prepared.wasUsed).toBe(false);
    expect(store.row('Adding', '1')).toMatchObject({ count: 111 });
  });

  test('a batch that is undone leaves no trace in the result', () => {
    const store = new Store();
    store.write(User, { id: '1', name: 'old' });
    const { prepared, finish, walk } = begin(store, Users, [{ id: '1', age: 5 }]);
    const fail = (): never => {
      throw new Error('fails');
    };
    expect(() =>
      store.batch(() => {
        store.write(User, { id: '1', name: 'wrong' });
        Array.from(walk);
        fail();
      }),
    ).toThrow('fails');
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(store.get(User, { id: '1' })).toMatchObject({ name: 'old', age: 5 });
  });

  test('a deletion that was sent later is not undone', () => {
    const store = new Store();
    const { prepared, finish } = begin(store, Todos, [{ id: '1' }, '2']);
    store.invalidate(Todo, '2');
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(store.row('[Todo]', '{}')).toEqual(['1']);
    expect(store.get(Todos)?.map(({ id }) => id)).toEqual(['1']);
  });

  test('a deletion that was sent earlier removes only what was stored before', () => {
    const store = new Store();
    store.write(User, { id: '1', name: 'ann', age: 1 });
    const request = store.begin();
    const { prepared, finish, walk } = begin(store, Users, [{ id: '1', age: 2 }]);
    Array.from(walk);
    store.invalidate(User, '1', { request });
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(store.get(User, { id: '1' })).toMatchObject({ name: '', age: 2 });
  });

  test('a deletion that was sent earlier changes no row that was written since', () => {
    const store = new Store();
    const early = store.begin();
    const { prepared, finish, walk } = begin(store, Users, [{ id: '1', age: 2 }]);
    store.write(User, { id: '1', name: 'ann' });
    Array.from(walk);
    store.invalidate(User, '1', { request: early });
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(store.get(User, { id: '1' })).toMatchObject({ name: 'ann', age: 2 });
  });

  test('records that are collected are written again', () => {
    const store = new Store({ now: () => 0, maxRows: 0 });
    const { prepared, finish, walk } = begin(store, Users, [{ id: '1', name: 'ann' }]);
    Array.from(walk);
    Array.from(store.collect());
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(store.get(User, { id: '1' })?.name).toBe('ann');
  });

  test('a record that gets another pk is found by that', () => {
    const store = new Store();
    store.write(new Collection(Users), []);
    const { push } = new Collection(Users);
    const guess = addGuess(store, () => ({ schema: push, response: { name: 'ann' } }));
    const pk = guess.created[0]?.pk as string;
    const { prepared, finish, walk } = begin(store, Users, [{ id: pk, age: 5 }]);
    Array.from(walk);
    guess.confirm(push, { id: 's', name: 'ann' });
    finish();
    expect(prepared.wasUsed).toBe(false);
    expect(store.get(User, { id: 's' })).toMatchObject({ name: 'ann', age: 5 });
  });

  test('a record whose pk an edit has changed is in its lists by the present pk', () => {
    const store = new Store();
    store.write(User, { id: '1', name: 'ann' });
    const { prepared, finish, walk } = begin(store, Users, [{ id: '1', age: 5 }, { id: '2' }]);
    Array.from(walk);
    changePk(store.writer, { table: 'User', from: '1', to: '9', fields: { id: '9' }, edited: 0 });
    finish();
    expect(prepared.wasUsed).toBe(false);
    expect(store.result('key')?.stored).toEqual(['9', '2']);
    expect(store.get(User, { id: '9' })).toMatchObject({ name: 'ann', age: 5 });
  });

  test('a guess stays on top, and is made again', () => {
    const store = new Store();
    store.write(User, { id: '1', name: 'ann', age: 1 });
    const guess = addGuess(store, (snapshot) => ({
      schema: User,
      response: { id: '1', age: (snapshot.get(User, { id: '1' })?.age ?? 0) + 1 },
    }));
    const { prepared, finish } = begin(store, Users, [{ id: '1', name: 'eve', age: 10 }]);
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(store.get(User, { id: '1' })).toMatchObject({ name: 'eve', age: 11 });
    guess.drop();
    expect(store.get(User, { id: '1' })).toMatchObject({ name: 'eve', age: 10 });
  });

  test('a request in flight may fill gaps, and no more', () => {
    const store = new Store();
    store.write(User, { id: '1', name: 'old' });
    store.invalidate(User, '2');
    const early = store.begin();
    const { prepared, finish } = begin(store, Users, [
      { id: '1', name: 'new' },
      { id: '2', name: 'back' },
    ]);
    finish();
    expect(prepared.wasUsed).toBe(true);
    store.write(
      Users,
      [
        { id: '1', name: 'late', age: 3 },
        { id: '2', name: 'late', age: 4 },
      ],
      { request: early },
    );
    expect(store.get(User, { id: '1' })).toMatchObject({ name: 'new', age: 3 });
    expect(store.get(User, { id: '2' })).toMatchObject({ name: 'back', age: 4 });
  });

  test('while an earlier request is in flight, it is fresh for as long as the write says', () => {
    const store = new Store({ now: () => 10 });
    store.begin();
    store.write(User, { id: '1', name: 'old', age: 1 }, { expiresAt: 20 });
    const input = [{ id: '1', name: 'new' }];
    const { prepared, ticket, walk } = begin(store, Users, input);
    Array.from(walk);
    store.write(Users, input, { request: ticket, expiresAt: 50 });
    expect(prepared.wasUsed).toBe(true);
    expect(store.expiresAt(User, '1')).toBe(50);
  });

  test('a record that was deleted since the request was sent is not restored', () => {
    const store = new Store();
    store.write(User, { id: '1', age: 1 });
    const early = store.begin();
    store.invalidate(User, '1');
    const { prepared, finish } = begin(store, Users, [{ id: '1', name: 'back' }]);
    finish();
    expect(prepared.wasUsed).toBe(true);
    store.write(User, { id: '1', age: 2 }, { request: early });
    expect(store.get(User, { id: '1' })).toMatchObject({ name: 'back', age: 0 });
  });

  test('a record that is twice in the answer has the order of both', () => {
    const store = new Store();
    const early = store.begin();
    store.write(User, { id: '1', name: 'old' });
    const { prepared, finish } = begin(store, Users, [
      { id: '1', name: 'new' },
      { id: '1', age: 5 },
    ]);
    finish();
    expect(prepared.wasUsed).toBe(true);
    store.write(User, { id: '1', name: 'late', age: 6 }, { request: early });
    expect(store.get(User, { id: '1' })).toMatchObject({ name: 'new', age: 5 });
  });

  test('a batch that fails undoes the order of fields', () => {
    const store = new Store();
    const [first, second] = [store.begin(), store.begin()];
    store.write(User, { id: '1', name: 'n' });
    store.write(User, { id: '1', age: 1 }, { request: first });
    const { prepared, finish, walk } = begin(store, Users, [{ id: '1', age: 9 }]);
    Array.from(walk);
    expect(() =>
      store.batch(() => {
        finish();
        throw new Error('fails');
      }),
    ).toThrow('fails');
    expect(prepared.wasUsed).toBe(true);
    store.write(User, { id: '1', name: 'm', age: 2 }, { request: second });
    expect(store.get(User, { id: '1' })).toMatchObject({ name: 'n', age: 2 });
  });

  test('a batch that fails undoes that a field had records', () => {
    const store = new Store();
    const { prepared, finish } = begin(store, [Todo], [{ id: '1', author: { id: 'a' } }]);
    expect(() =>
      store.batch(() => {
        finish();
        expect([...nestedFieldsOf(store.writer)]).toEqual([['Todo', ['author']]]);
        throw new Error('fails');
      }),
    ).toThrow('fails');
    expect(prepared.wasUsed).toBe(true);
    expect([...nestedFieldsOf(store.writer)]).toEqual([]);
  });

  test('a batch that fails undoes the write', () => {
    const store = new Store();
    const commits: Commit[] = [];
    store.write(User, { id: '1', name: 'old', age: 1 });
    store.invalidate(User, '2');
    const early = store.begin();
    store.onCommit((commit) => commits.push(commit));
    const { prepared, finish, walk } = begin(store, Users, [
      { id: '1', name: 'new' },
      { id: '2', name: 'back' },
    ]);
    Array.from(walk);
    expect(() =>
      store.batch(() => {
        finish();
        throw new Error('fails');
      }),
    ).toThrow('fails');
    expect(prepared.wasUsed).toBe(true);
    expect(commits).toEqual([]);
    store.write(User, { id: '1', name: 'early' }, { request: early });
    expect(store.get(User, { id: '1' })).toMatchObject({ name: 'early', age: 1 });
    expect(store.get(User, { id: '2' })).toBeUndefined();
  });
});

describe('a part that cannot be prepared', () => {
  const wasUsed = (schema: unknown, input: unknown, store = new Store()): boolean => {
    const { prepared, finish } = begin(store, schema, input);
    finish();
    return prepared.wasUsed;
  };

  test('runs in the write if it deletes records', () => {
    const store = new Store();
    store.write(Todos, [{ id: '1' }, { id: '2' }]);
    expect(wasUsed([new Invalidate(Todo)], [{ id: '1' }], store)).toBe(false);
    expect(store.get(Todos)?.map(({ id }) => id)).toEqual(['2']);
  });

  test('runs in the write if it creates members of a list', () => {
    const store = new Store();
    store.write(new Collection(Users), []);
    expect(wasUsed(new Collection(Users).push, [{ id: '1' }], store)).toBe(false);
    expect(store.get(new Collection(Users))).toHaveLength(1);
  });

  test('runs in the write if its schema has read whole tables, and one of them changes', () => {
    const counts: number[] = [];
    const Counting = {
      normalize: (input: unknown, _parent: unknown, _key: unknown, delegate: NormalizeDelegate): unknown => {
        counts.push([...delegate.getEntities('User')].length);
        return input;
      },
      denormalize: (stored: unknown): unknown => stored,
      queryKey: (): undefined => undefined,
    };
    const store = new Store();
    store.write(User, { id: '1' });
    const { prepared, finish, walk } = begin(store, Counting, [1]);
    Array.from(walk);
    store.write(User, { id: '2' });
    finish();
    expect(prepared.wasUsed).toBe(false);
    expect(counts).toEqual([1, 2]);
  });

  test('runs in the write if a class has declared a relation of its records since, or declares it before the write', () => {
    class Early extends Entity {
      id = '';
      author: unknown = undefined;
      static override key = 'Todo';
    }
    for (const isDeclared of [true, false]) {
      const store = new Store();
      store.get(Early, '1');
      const { prepared, finish, walk } = begin(store, [Early], [{ id: '1', author: { id: '7', name: 'Ann' } }]);
      Array.from(walk);
      if (isDeclared) store.get(Todo, '1');
      finish();
      expect(prepared.wasUsed).toBe(!isDeclared);
      expect(store.get(Todo, '1')?.author).toBe(store.get(User, '7'));
      expect(store.get(User, '7')?.name).toBe('Ann');
    }
  });

  test('runs in the write if its schema has read one row, and the row changes', () => {
    const Asking = {
      normalize: (input: unknown, _parent: unknown, _key: unknown, delegate: NormalizeDelegate): unknown =>
        (delegate.getEntity('User', '1') as User | undefined)?.name ?? input,
      denormalize: (stored: unknown): unknown => stored,
      queryKey: (): undefined => undefined,
    };
    const results = [{ id: '1', name: 'new' }, undefined].map((changed) => {
      const store = new Store();
      store.write(User, { id: '1', name: 'old' });
      const { prepared, finish, walk } = begin(store, [Asking], ['x']);
      Array.from(walk);
      if (changed) store.write(User, changed);
      return [finish(), prepared.wasUsed];
    });
    expect(results).toEqual([
      [['new'], false],
      [['old'], true],
    ]);
  });

  test('makes the rest of the answer run in the write too', () => {
    const Counting = {
      normalize: (_input: unknown, _parent: unknown, _key: unknown, delegate: NormalizeDelegate): unknown =>
        [...delegate.getEntities('User')].length,
      denormalize: (stored: unknown): unknown => stored,
      queryKey: (): undefined => undefined,
    };
    const store = new Store();
    const { prepared, finish, walk } = begin(store, [Counting], [1, 2, 3]);
    walk.next();
    store.write(User, { id: '2' });
    expect(Array.from(walk)).toEqual([]);
    expect(finish()).toEqual([1, 1, 1]);
    expect(prepared.wasUsed).toBe(false);
  });

  test('throws if its hooks use the store, as in any write', () => {
    const store = new Store();
    class Asking extends Entity {
      id = '';
      static override key = 'Asking';
      static override process(input: object): object {
        store.get(User, { id: '1' });
        return input;
      }
    }
    const { walk, finish } = begin(store, [Asking], [{ id: '1' }]);
    Array.from(walk);
    expect(() => store.get(User, { id: '1' })).not.toThrow();
    expect(finish).toThrow(expect.objectContaining({ code: 'store-busy' }));
  });
});

describe('the values of prepared records', () => {
  test('are built record by record, and are those that are read afterwards', () => {
    const store = new Store();
    const { prepared, finish } = begin(store, Todos, [
      { id: '1', author: { id: 'a' } },
      { id: '2', author: { id: 'a' } },
    ]);
    finish();
    const reading = prepared.read();
    expect(Array.from(reading).length).toBeGreaterThan(0);
    const first = store.get(Todo, { id: '1' });
    expect(Array.from(prepared.read())).toEqual([]);
    expect(store.get(Todos)?.[0]).toBe(first);
  });

  test('of records without a known class are built by their first reader', () => {
    const Foreign = {
      normalize: (input: unknown, _parent: unknown, _key: unknown, delegate: NormalizeDelegate): string => {
        delegate.setEntity({ key: 'User' } as never, '1', input as object);
        return '1';
      },
      denormalize: (stored: unknown): unknown => stored,
      queryKey: (): undefined => undefined,
    };
    const store = new Store();
    const { prepared, finish } = begin(store, [Foreign], [{ id: '1', name: 'ann' }]);
    finish();
    expect(prepared.wasUsed).toBe(true);
    expect(Array.from(prepared.read())).toEqual([]);
    expect(store.get(User, { id: '1' })?.name).toBe('ann');
  });

  test('that are built during a collection are not removed', () => {
    let now = 0;
    const store = new Store({ now: () => now });
    for (let at = 0; at < 1000; at++) store.write(User, { id: `x${at}` }, { expiresAt: 1 });
    const { prepared, ticket, walk } = begin(store, Users, INPUT);
    Array.from(walk);
    store.write(Users, INPUT, { request: ticket, expiresAt: 1 });
    now = 1_000_000;
    const collecting = store.collect();
    collecting.next();
    Array.from(prepared.read());
    Array.from(collecting);
    expect(store.row('User', '1')).toBeDefined();
    expect(store.stats().rows).toBe(1);
  });

  test('that cannot be built are an error only for their readers', () => {
    class Broken extends Entity {
      id = '';
      static override key = 'Broken';
      static override fromJS(): never {
        throw new Error('cannot be made');
      }
    }
    const store = new Store();
    const { prepared, finish } = begin(store, [Broken], [{ id: '1' }]);
    finish();
    expect(Array.from(prepared.read())).toHaveLength(1);
    expect(() => store.get(Broken, { id: '1' })).toThrow('cannot be made');
  });
});

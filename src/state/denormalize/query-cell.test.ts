import { describe, expect, it } from 'vitest';
import {
  All,
  Collection,
  Entity,
  INVALID,
  Lazy,
  Query,
  type QueryDelegate,
  type SchemaSimple,
  Store,
  unshift,
} from '../../index.ts';

class User extends Entity {
  id = '';
  name = '';
  email = '';
  static override key = 'User';
  static override indexes = ['email'];
}
class Todo extends Entity {
  id = '';
  title = '';
  done = false;
  owner: User | undefined = undefined;
  static override key = 'Todo';
  static override schema = { owner: User };
}
const todos: Collection = new Collection([Todo]);
const all = new All(Todo);

/** Reads without the checks of the compiler. */
function ask(store: Store, schema: unknown, ...args: unknown[]): unknown {
  return store.get(schema as SchemaSimple, ...(args as []));
}

function found(queryKey: (delegate: QueryDelegate) => unknown): SchemaSimple {
  return {
    normalize: (input) => input,
    denormalize: (stored) => stored,
    queryKey: (_args, _unvisit, delegate) => queryKey(delegate),
  };
}

describe('an entity', () => {
  it.each([['1'], [1], [{ id: '1' }], [{ id: 1, other: true }]])('is found by %j', (asked) => {
    const store = new Store();
    store.write(User, { id: 1, name: 'a' });
    expect(store.get(User, asked)).toMatchObject({ name: 'a' });
    expect(store.get(User, asked)).toBe(store.get(User, { id: '1' }));
  });

  it.each([[], [undefined], [null], [''], [{}], [{ name: 'a' }], [Number.NaN]])('is not found by %j', (...asked) => {
    const store = new Store();
    store.write(User, { id: '1', name: 'a' });
    expect(ask(store, User, ...asked)).toBeUndefined();
  });

  it('is found by an indexed field, and follows its changes', () => {
    const store = new Store();
    const live = store.query(User, [{ email: 'a@x' }]);
    expect(live.current()).toBeUndefined();
    store.write(User, { id: '1', email: 'a@x' });
    expect(live.current()).toBe(store.get(User, '1'));
    store.write(User, { id: '2', email: 'a@x' });
    expect(live.current()).toBe(store.get(User, '2'));
    store.write(User, { id: '2', email: 'b@x' });
    expect(live.current()).toBe(store.get(User, '1'));
    store.invalidate(User, '1');
    expect(live.current()).toBeUndefined();
    expect(store.get(User, { email: 'b@x' })).toBe(store.get(User, '2'));
  });

  it('is found by an indexed field that was not looked up before it was written', () => {
    const store = new Store();
    store.write([User], [{ id: '1', email: 'a@x' }, { id: '2' }]);
    store.invalidate(User, '3');
    expect(store.get(User, { email: 'a@x' })).toBe(store.get(User, '1'));
  });

  it('that was read before it was stored appears in its place', () => {
    const store = new Store();
    const live = store.query(User, ['1']);
    let calls = 0;
    live.subscribe(() => calls++);
    store.write(User, { id: '2' });
    expect(calls).toBe(0);
    store.write(User, { id: '1' });
    expect(calls).toBe(1);
    expect(live.current()).toBeInstanceOf(User);
  });
});

describe('all records of an entity', () => {
  it('are missing until one was stored, which differs from an empty list', () => {
    const store = new Store();
    expect(store.query(all).current()).toBe(INVALID);
    expect(store.get(all)).toBeUndefined();
    store.write(all, []);
    expect(store.get(all)).toBeUndefined();
    store.write(all, [{ id: '1' }]);
    expect(store.get(all)).toEqual([store.get(Todo, '1')]);
    store.invalidate(Todo, '1');
    expect(store.get(all)).toEqual([]);
  });

  it('are in the order in which they arrived, not in which they were read', () => {
    const store = new Store();
    store.query(Todo, ['3']).subscribe(() => {});
    store.write([Todo], [{ id: '1' }, { id: '2' }]);
    store.write(Todo, { id: '3' });
    store.write(Todo, { id: '1', title: 'again' });
    expect((store.get(all) as Todo[]).map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it('are the same array until one is added, removed or changed', () => {
    const store = new Store();
    store.write([Todo], [{ id: '1' }, { id: '2' }]);
    const list = store.get(all);
    store.write(User, { id: '1' });
    expect(store.get(all)).toBe(list);
    store.write(Todo, { id: '2', title: 'b' });
    const changed = store.get(all) as Todo[];
    expect(changed).not.toBe(list);
    expect(changed[0]).toBe(store.get(Todo, '1'));
    store.write(Todo, { id: '3' });
    expect(store.get(all)).toHaveLength(3);
    store.invalidate(Todo, '1');
    expect(store.get(all)).toHaveLength(2);
  });
});

describe('a Query', () => {
  const open = new Query(all, (list: Todo[], { owner }: { owner?: string } = {}) =>
    list.filter((todo) => !todo.done && (owner === undefined || todo.owner?.id === owner)),
  );

  it('is computed from the records and the arguments, and again only when they change', () => {
    const store = new Store();
    store.write(
      [Todo],
      [
        { id: '1', owner: { id: 'a' } },
        { id: '2', owner: { id: 'b' } },
        { id: '3', done: true },
      ],
    );
    expect(store.get(open)).toEqual([store.get(Todo, '1'), store.get(Todo, '2')]);
    const ofA = store.get(open, { owner: 'a' });
    expect(ofA).toEqual([store.get(Todo, '1')]);
    expect(store.get(open, { owner: 'a' })).toBe(ofA);
    store.write(Todo, { id: '2', done: true });
    expect(store.get(open)).toEqual([store.get(Todo, '1')]);
    expect(store.get(open, { owner: 'a' })).toBe(ofA);
  });

  it('of a collection is updated with the collection', () => {
    const first = new Query(todos, (list: Todo[]) => list[0]);
    const store = new Store();
    expect(store.get(first, {})).toBeUndefined();
    store.write(todos, [{ id: '1' }], { args: [{}] });
    expect(store.get(first, {})).toBe(store.get(Todo, '1'));
    store.write(todos.addWith(unshift), { id: '0' }, { args: [{}] });
    expect(store.get(first, {})).toBe(store.get(Todo, '0'));
  });

  it('that throws is an error of the read, and not of the write', () => {
    const picky = new Query(all, (list: Todo[]) => {
      if (list.length > 1) throw new RangeError('too many');
      return list.length;
    });
    const store = new Store();
    const live = store.query(picky);
    let calls = 0;
    live.subscribe(() => calls++);
    store.write(Todo, { id: '1' });
    expect(live.current()).toBe(1);
    store.batch(() => {
      store.write(Todo, { id: '2' });
      store.write(Todo, { id: '3' });
    });
    expect(calls).toBe(2);
    expect(() => live.current()).toThrow('too many');
    store.invalidate(Todo, '2');
    store.invalidate(Todo, '3');
    expect(live.current()).toBe(1);
  });
});

describe('a Lazy field', () => {
  const owner = new Lazy(User);
  class Note extends Entity {
    id = '';
    owner: string | undefined = undefined;
    static override key = 'Note';
    static override schema = { owner };
  }

  it('holds the ref, and is read on demand', () => {
    const store = new Store();
    store.write(Note, { id: 'n', owner: { id: 'u', name: 'a' } });
    const note = store.get(Note, 'n') as Note;
    expect(note.owner).toBe('u');
    expect(store.get(owner.query, String(note.owner))).toBe(store.get(User, 'u'));
    store.write(User, { id: 'u', name: 'b' });
    expect(store.get(Note, 'n')).toBe(note);
    expect(store.get(owner.query, 'u')).toMatchObject({ name: 'b' });
  });
});

it('an object of queryables has the value of each', () => {
  const store = new Store();
  store.write(Todo, { id: '1' });
  expect(ask(store, { todo: Todo, list: all }, '1')).toEqual({ todo: store.get(Todo, '1'), list: store.get(all) });
});

describe('a schema that is not queryable', () => {
  it.each([[undefined], [null], ['text'], [(value: unknown) => value], [[Todo]]])(
    '%o has no value without a request',
    (given) => {
      const store = new Store();
      store.write(Todo, { id: '1' });
      expect(ask(store, given, '1')).toBeUndefined();
    },
  );
});

describe('a schema of your own', () => {
  it.each([[null], [undefined], [INVALID], ['text'], [5]])(
    'may have the value %s, which is returned unchanged',
    (stored) => {
      expect(new Store().query(found(() => stored)).current()).toBe(stored);
    },
  );

  it('may read every row of a table, and runs again when one changes', () => {
    const rows = found((delegate) => {
      const table = delegate.getEntities('Todo');
      return table === undefined ? 'unknown' : [...table].map(([pk, row]) => (row === INVALID ? `-${pk}` : pk));
    });
    const store = new Store();
    store.get(Todo, 'asked for');
    expect(store.get(rows)).toBe('unknown');
    store.write([Todo], [{ id: '1' }, { id: '2' }]);
    expect(store.get(rows)).toEqual(['1', '2']);
    store.invalidate(Todo, '1');
    expect(store.get(rows)).toEqual(['-1', '2']);
  });

  it('that called hasEntity runs again when the row is added or removed, and not when it changes', () => {
    let asked = 0;
    const isThere = found((delegate) => {
      asked++;
      return [delegate.hasEntity('User', 'u')];
    });
    const store = new Store();
    const live = store.query(isThere);
    expect(live.current()).toEqual([false]);
    store.write(User, { id: 'u' });
    expect(live.current()).toEqual([true]);
    store.write(User, { id: 'u', name: 'x' });
    store.invalidate(User, 'u');
    expect(live.current()).toEqual([true]);
    expect(asked).toBe(2);
    store.reset();
    expect(live.current()).toEqual([false]);
  });

  it('runs again after changes of what it looked up, and no others', () => {
    let asked = 0;
    const members = found((delegate) => {
      asked++;
      const known = delegate.INVALID === INVALID && delegate.getEntity('User', 'u');
      return [known !== undefined, ...(delegate.getPks('Todo') ?? [])];
    });
    const store = new Store();
    const live = store.query(members);
    expect(live.current()).toEqual([false]);
    store.write(Todo, { id: '1' });
    expect(live.current()).toEqual([false, '1']);
    expect(asked).toBe(2);
    store.write(Todo, { id: '1', title: 'x' });
    store.write(User, { id: 'other' });
    live.current();
    expect(asked).toBe(2);
    store.write(User, { id: 'u' });
    expect(live.current()).toEqual([true, '1']);
    store.invalidate(Todo, '1');
    expect(live.current()).toEqual([true]);
  });
});

it('does not look up again if only the found record changes', () => {
  let asked = 0;
  const list: SchemaSimple = {
    normalize: (input) => input,
    denormalize: (stored, delegate) => delegate.unvisit([Todo], stored),
    queryKey: (_args, _unvisit, delegate) => {
      asked++;
      return [...(delegate.getPks('Todo') ?? [])];
    },
  };
  const store = new Store();
  store.write([Todo], [{ id: '1' }, { id: '2' }]);
  expect(ask(store, list)).toHaveLength(2);
  store.write(Todo, { id: '1', title: 'x' });
  expect(ask(store, list)).toEqual([store.get(Todo, '1'), store.get(Todo, '2')]);
  expect(asked).toBe(1);
  store.write(Todo, { id: '3' });
  expect(ask(store, list)).toHaveLength(3);
  expect(asked).toBe(2);
});

describe('arguments', () => {
  it('with equal content are the same query', () => {
    const store = new Store();
    store.write(todos, [{ id: '1' }], { args: [{ page: 1 }] });
    const list = store.get(todos, { page: 1 });
    expect(list).toHaveLength(1);
    expect(store.get(todos, { page: 1 })).toBe(list);
    expect(store.stats().queries).toBe(1);
  });

  it('with different content are different queries, even if they have the same JSON', () => {
    const store = new Store();
    const echo = found(() => undefined);
    const kinds: unknown[][] = [
      [],
      [''],
      ['1'],
      [1],
      [1n],
      ['"1"'],
      [null],
      [undefined],
      ['null'],
      [['1']],
      ['1', '2'],
      [{ id: '1' }],
    ];
    kinds.push(
      [Number.NaN],
      [new Date(0)],
      [new Date(0).toISOString()],
      [new Set(['1'])],
      [new Set(['2'])],
      [new Map()],
    );
    for (const args of kinds) store.query(echo, args);
    expect(store.stats().queries).toBe(kinds.length);
  });

  it('keep their types when they are passed to a query', () => {
    const store = new Store();
    store.write([Todo], [{ id: '1' }]);
    const kindOf = new Query(new All(Todo), (_todos, arg: unknown) => Object.prototype.toString.call(arg));
    expect(store.get(kindOf, 1)).toBe('[object Number]');
    expect(store.get(kindOf, '1')).toBe('[object String]');
    expect(store.get(kindOf, new Date(0))).toBe('[object Date]');
    expect(store.get(kindOf, new Date(0).toISOString())).toBe('[object String]');
    expect(store.get(kindOf, null)).toBe('[object Null]');
    expect(store.get(kindOf, undefined)).toBe('[object Undefined]');
  });

  it('that cannot be distinguished are an error that names the argument', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const args of [circle, { find: () => true }, { user: Promise.resolve() }])
      expect(() => new Store().get(User, args)).toThrow(
        expect.objectContaining({ code: 'args-invalid', path: expect.stringMatching(/^args\[0\]\./) }),
      );
  });
});

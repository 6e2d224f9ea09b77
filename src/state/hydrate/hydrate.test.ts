import { describe, expect, it } from 'vitest';
import { Todo, User } from '../../../tests/model.ts';
import { Collection, type Commit, dehydrate, hydrate, INVALID, Query, Store, Values } from '../../index.ts';
import { ArraySchema } from '../../define/schema/array.ts';
import { addGuess } from '../store/layer.ts';
const todos: Collection = new Collection([Todo]);
const all = { args: [{}] };

function filled(): Store {
  const store = new Store({ now: () => 5 });
  store.write(todos, [{ id: '1', title: 'a', owner: { id: 'u', name: 'x' } }, { id: '2' }], {
    ...all,
    resultKey: 'GET /todos',
    expiresAt: 99,
  });
  store.invalidate(User, 'gone');
  return store;
}
const sent = (store: Store): unknown => JSON.parse(JSON.stringify(dehydrate(store))) as unknown;

describe('a dehydrated store', () => {
  it('is plain JSON, and shares nothing with the store', () => {
    const store = filled();
    const state = dehydrate(store);
    expect(state).toEqual({
      format: 'rejoin',
      version: 1,
      tables: [
        ['[Todo]', [['{}', ['1', '2'], 5, 5, 99]]],
        [
          'Todo',
          [
            ['1', { id: '1', title: 'a', owner: 'u' }, 5, 5, 99],
            ['2', { id: '2' }, 5, 5, 99],
          ],
        ],
        [
          'User',
          [
            ['u', { id: 'u', name: 'x' }, 5, 5, 99],
            ['gone', null, 5, 5, null],
          ],
        ],
      ],
      relations: [['Todo', ['owner']]],
      results: [['GET /todos', '{}', [{}], 5, 5, 99]],
    });
    expect(sent(store)).toEqual(state);
    const table = state.tables.find(([name]) => name === 'Todo');
    expect(table?.[1][0]?.[1]).not.toBe(store.row('Todo', '1'));
  });

  it('of an empty store is empty', () => {
    expect(dehydrate(new Store())).toEqual({ format: 'rejoin', version: 1, tables: [], results: [] });
  });

  it('leaves out requests that only have a note', () => {
    const store = new Store();
    store.note('k', { since: 5, edits: 0 });
    expect(dehydrate(store)).toEqual(dehydrate(new Store()));
  });

  it('has the keys of requests that were invalidated and have no result', () => {
    const store = filled();
    const invalidated = { since: 5, edits: 0, isInvalidated: true };
    for (const key of ['GET /todos', 'k']) store.note(key, invalidated);
    expect(dehydrate(store).invalidated).toEqual(['k']);
    store.dropResult('GET /todos');
    expect(dehydrate(store).invalidated?.toSorted()).toEqual(['GET /todos', 'k']);
  });

  it('has the versions of results, or those that mutations have made since', () => {
    const store = filled();
    store.note('GET /todos', { since: 5, edits: 0, version: { etag: 'a' } });
    expect(dehydrate(store).versions).toEqual([['GET /todos', { etag: 'a' }]]);
    store.note('GET /todos', { since: 5, edits: 0, version: { etag: 'a' }, written: { etag: 'b' } });
    expect(dehydrate(store).versions).toEqual([['GET /todos', { etag: 'b' }]]);
  });

  it('has the confirmed rows, and no guesses', () => {
    const store = filled();
    addGuess(store, () => ({ schema: Todo, response: { id: '1', title: 'guess' } }));
    addGuess(store, () => ({ schema: Todo, response: { id: '9', title: 'guess' } }));
    expect(sent(store)).toEqual(sent(filled()));
  });
});

describe('hydrate()', () => {
  it('a store reads as the one that was dehydrated', () => {
    const store = new Store();
    hydrate(store, sent(filled()));
    expect(store.get(todos, {})).toEqual(filled().get(todos, {}));
    expect((store.get(Todo, '1') as Todo).owner).toBe(store.get(User, 'u'));
    expect(store.row('User', 'gone')).toBe(INVALID);
    expect(store.resultView('GET /todos', todos).current()).toBe(store.get(todos, {}));
    expect(store.result('GET /todos')?.stamp).toEqual({ issue: 0, fetchedAt: 5, date: 5, expiresAt: 99 });
    expect(sent(store)).toEqual(sent(filled()));
  });

  it('rows and results come in one commit, and notify observers', () => {
    const store = new Store();
    const commits: Commit[] = [];
    store.onCommit((commit) => commits.push(commit));
    const live = store.query(todos, [{}]);
    let calls = 0;
    live.subscribe(() => calls++);
    hydrate(store, sent(filled()));
    expect(commits.map(({ rows, requests }) => [rows.length, requests.length])).toEqual([[5, 1]]);
    expect(calls).toBe(1);
    expect(live.current()).toHaveLength(2);
  });

  it('rows and results do not replace stored ones, which are newer', () => {
    const store = new Store();
    store.write(Todo, { id: '1', title: 'here' }, { resultKey: 'GET /todos' });
    store.invalidate(Todo, '2');
    hydrate(store, sent(filled()));
    expect(store.row('Todo', '1')).toEqual({ id: '1', title: 'here' });
    expect(store.row('Todo', '2')).toBe(INVALID);
    expect(store.result('GET /todos')?.stored).toBe('1');
    expect(store.get(todos, {})).toEqual([store.get(Todo, '1')]);
  });

  it('the first of two states stays', () => {
    const other = new Store();
    other.write(Todo, { id: '1', title: 'second' }, { resultKey: 'GET /todos' });
    const store = new Store();
    hydrate(store, sent(filled()));
    hydrate(store, sent(other));
    expect(store.row('Todo', '1')).toMatchObject({ title: 'a' });
    expect(store.result('GET /todos')?.stored).toBe('{}');
  });

  describe('a later state of the same store', () => {
    /** Two states of a store, between which a record and a list changed, and a request was answered. */
    const states = (): readonly [unknown, unknown] => {
      const given = filled();
      const first = sent(given);
      given.write(Todo, { id: '1', title: 'later' });
      given.write(todos, [{ id: '1' }], { ...all, resultKey: 'GET /todos' });
      given.write(Todo, { id: '9', title: 'later' }, { resultKey: 'GET /new' });
      return [first, sent(given)];
    };
    const listed = (store: Store): unknown => (store.get(todos, {}) as readonly Todo[]).map(({ id }) => id);

    it('replaces the rows and results of the earlier one', () => {
      const [first, second] = states();
      const store = new Store();
      hydrate(store, first);
      expect(listed(store)).toEqual(['1', '2']);
      hydrate(store, second, { isLater: true });
      expect(store.row('Todo', '1')).toMatchObject({ title: 'later' });
      expect(listed(store)).toEqual(['1']);
      expect(store.result('GET /new')?.stored).toBe('9');
    });

    it('does not replace them if it is not said to be later', () => {
      const [first, second] = states();
      const store = new Store();
      hydrate(store, first);
      hydrate(store, second);
      expect(store.row('Todo', '1')).toMatchObject({ title: 'a' });
      expect(listed(store)).toEqual(['1', '2']);
      expect(store.result('GET /new')?.stored).toBe('9');
    });

    it('does not replace what was stored here since', () => {
      const [first, second] = states();
      const store = new Store();
      hydrate(store, first);
      store.write(Todo, { id: '1', title: 'here' }, { resultKey: 'GET /new' });
      store.write(todos, [{ id: '2' }], { ...all, resultKey: 'GET /todos' });
      hydrate(store, second, { isLater: true });
      expect(store.row('Todo', '1')).toMatchObject({ title: 'here' });
      expect(listed(store)).toEqual(['2']);
      expect(store.result('GET /new')?.stored).toBe('1');
    });
  });

  it('a result has its version, unless the store has another result of the request', () => {
    const given = filled();
    given.note('GET /todos', { since: 5, edits: 0, version: { etag: 'a' } });
    const store = new Store({ now: () => 7 });
    hydrate(store, sent(given));
    expect(store.request('GET /todos')?.note).toEqual({ edits: 0, since: 7, version: { etag: 'a' } });
    const other = new Store();
    other.write(todos, [], { ...all, resultKey: 'GET /todos' });
    hydrate(other, sent(given));
    expect(other.request('GET /todos')?.note).toBeUndefined();
  });

  it('a result keeps the failure of its request here', () => {
    const store = new Store();
    const failure = { error: new Error('down'), policy: 'soft', since: 5, expiresAt: 9 } as const;
    store.note('GET /todos', { since: 5, edits: 0, failure });
    hydrate(store, sent(filled()));
    expect(store.request('GET /todos')).toMatchObject({ results: [{ stored: '{}' }], note: { failure } });
  });

  it('a request is known to be invalidated, unless the store has a result of it', () => {
    const invalidated = { format: 'rejoin', version: 1, tables: [], results: [], invalidated: ['known', 'k'] };
    const store = new Store({ now: () => 7 });
    store.write(Todo, { id: '1' }, { resultKey: 'known' });
    hydrate(store, invalidated);
    expect(store.request('known')).toMatchObject({ results: [{ stored: '1' }], note: undefined });
    expect(store.request('k')).toEqual({ results: [], note: { edits: 0, since: 7, isInvalidated: true } });
  });

  it('a request that was invalidated here stays so, until a new answer', () => {
    const store = new Store();
    store.note('GET /todos', { since: 5, edits: 0, isInvalidated: true });
    hydrate(store, sent(filled()));
    expect(store.result('GET /todos')).toBeUndefined();
    expect(store.request('GET /todos')?.note?.isInvalidated).toBe(true);
  });

  it('rows and results are older than every request, also those in flight', () => {
    const store = new Store();
    const request = store.begin();
    hydrate(store, sent(filled()));
    store.write(Todo, { id: '1', title: 'answer' }, { request });
    expect(store.row('Todo', '1')).toEqual({ id: '1', title: 'answer', owner: 'u' });
    store.write(todos, [{ id: '3' }], all);
    expect(store.get(todos, {})).toEqual([store.get(Todo, '3')]);
  });

  it('rows and results are below present guesses', () => {
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: Todo, response: { id: '1', title: 'guess' } }));
    hydrate(store, sent(filled()));
    expect(store.get(Todo, '1')).toMatchObject({ title: 'guess', owner: { name: 'x' } });
    layer.drop();
    expect(store.get(Todo, '1')).toMatchObject({ title: 'a' });
  });

  it('lists that were read before are read again', () => {
    const store = new Store();
    store.get(todos, { page: 1 });
    hydrate(store, sent(filled()));
    expect(store.get(todos, {})).toHaveLength(2);
    store.invalidate(Todo, '1');
    expect(store.get(todos, {})).toEqual([store.get(Todo, '2')]);
  });

  it('the caller may change the state afterwards', () => {
    const state = sent(filled()) as { tables: [string, [string, Record<string, unknown>][]][] };
    const store = new Store();
    hydrate(store, state);
    for (const [, rows] of state.tables) for (const [, row] of rows) if (row !== null) row['title'] = 'changed';
    expect(store.row('Todo', '1')).toMatchObject({ title: 'a' });
  });

  it('a name in the state is never taken for a member of an object', () => {
    const store = new Store();
    const row = JSON.parse('{"id":"__proto__","__proto__":{"admin":true}}') as object;
    hydrate(store, {
      format: 'rejoin',
      version: 1,
      tables: [['__proto__', [['__proto__', row, 0, 0, 0]]]],
      results: [],
    });
    expect(store.row('__proto__', '__proto__')).toEqual(row);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });
});

describe('anything that dehydrate did not make is refused, and changes nothing', () => {
  const row = ['1', { id: '1' }, 0, 0, null];
  const state = (parts: object): object => ({ format: 'rejoin', version: 1, tables: [], results: [], ...parts });
  const hostile = Object.defineProperty(state({}), 'format', {
    get: () => {
      throw new RangeError('mine');
    },
  });
  const nested = (inner: (value: unknown) => unknown, levels: number): unknown => {
    let value: unknown = 'end';
    for (let level = 0; level < levels; level++) value = inner(value);
    return value;
  };
  const deep = nested((a) => ({ a }), 5000);

  it.each([
    ['nothing', undefined, 'the top', 'a plain object is missing'],
    ['null', null, 'the top', 'a plain object is missing'],
    ['text', JSON.stringify(state({})), 'the top', 'a plain object is missing'],
    ['a list', [state({})], 'format', 'it was not made by dehydrate()'],
    ['an instance', new Map(), 'the top', 'a plain object is missing'],
    ['another format', state({ format: 'other' }), 'format', 'it was not made by dehydrate()'],
    ['another version', state({ version: 2 }), 'version', 'version 2 is not known here'],
    ['no tables', state({ tables: undefined }), 'tables', 'a list is missing'],
    ['tables by name', state({ tables: { Todo: [] } }), 'tables', 'a list is missing'],
    ['no results', state({ results: null }), 'results', 'a list is missing'],
    ['a table that is none', state({ tables: ['Todo'] }), 'tables[0]', 'a list is missing'],
    ['a table without a name', state({ tables: [['', []]] }), 'tables[0]', 'a text is missing'],
    ['a table with a number for a name', state({ tables: [[5, []]] }), 'tables[0]', 'a text is missing'],
    ['a table without rows', state({ tables: [['Todo', {}]] }), 'tables[0]', 'a list is missing'],
    ['a version that is none', state({ versions: [['k', 'a']] }), 'versions[0]', 'a plain object is missing'],
    ['a version without a request key', state({ versions: [[1, {}]] }), 'versions[0]', 'a text is missing'],
    ['fields of a table without a name', state({ relations: [[1, ['owner']]] }), 'relations[0]', 'a text is missing'],
    ['a row that is none', state({ tables: [['Todo', [row, {}]]] }), 'tables[0][1][1]', 'a list is missing'],
    ['a row without a pk', state({ tables: [['Todo', [['', {}, 0, 0, 0]]]] }), 'tables[0][1][0]', 'a text is missing'],
    [
      'a row with a number for a pk',
      state({ tables: [['Todo', [[1, {}, 0, 0, 0]]]] }),
      'tables[0][1][0]',
      'a text is missing',
    ],
    [
      'a row that is text',
      state({ tables: [['Todo', [['1', 'x', 0, 0, 0]]]] }),
      'tables[0][1][0]',
      'a plain object is missing',
    ],
    [
      'a row that is an instance',
      state({ tables: [['Todo', [['1', new Date(), 0, 0, 0]]]] }),
      'tables[0][1][0]',
      'a plain object is missing',
    ],
    ['no fetchedAt', state({ tables: [['Todo', [['1', {}, null, 0, 0]]]] }), 'tables[0][1][0]', 'a number is missing'],
    ['no date', state({ tables: [['Todo', [['1', {}, 0, '0', 0]]]] }), 'tables[0][1][0]', 'a number is missing'],
    ['no expiresAt', state({ tables: [['Todo', [['1', {}, 0, 0]]]] }), 'tables[0][1][0]', 'a number is missing'],
    ['a result that is none', state({ results: [null] }), 'results[0]', 'a list is missing'],
    ['a result without a request key', state({ results: [[null, 1, [], 0, 0, 0]] }), 'results[0]', 'a text is missing'],
    ['a result without arguments', state({ results: [['k', 1, {}, 0, 0, 0]] }), 'results[0]', 'a list is missing'],
    ['a result without times', state({ results: [['k', 1, []]] }), 'results[0]', 'a number is missing'],
    ['data nested too deep', state({ results: [['k', deep, [], 0, 0, 0]] }), 'the top', 'it is nested too deep'],
    ['an object that throws', hostile, 'the top', 'it cannot be read'],
    ['an alias without a pk', state({ aliases: [['Todo', 'temp:1']] }), 'aliases[0]', 'a text is missing'],
    ['an alias with an empty pk', state({ aliases: [['Todo', 'temp:1', '']] }), 'aliases[0]', 'a text is missing'],
  ])('%s', (_name, given, path, why) => {
    const store = filled();
    const before = sent(store);
    const tables = (given as { tables?: unknown } | null | undefined)?.tables;
    const message = `The state to hydrate was refused: ${why}. Pass the result of dehydrate() unchanged, after JSON.parse.`;
    expect(() => hydrate(store, given)).toThrow(
      expect.objectContaining({ code: 'hydrate-invalid', path, message: expect.stringContaining(message) }),
    );
    expect(sent(store)).toEqual(before);
    expect(Array.isArray(tables) ? store.row('Todo', 'other') : undefined).toBeUndefined();
  });

  it.each<[string, string, object]>([
    ['a map in a table of lists', '[Todo]', {}],
    ['a list in a table of maps', '{Todo}', []],
    ['a map in a table of lists of several kinds', '[todo=Todo;user=User]', { a: '1' }],
  ])('a collection of another kind than its table: %s', (_what, table, malformed) => {
    const store = new Store();
    expect(() => hydrate(store, state({ tables: [[table, [['{}', malformed, 0, 0, null]]]] }))).toThrow(
      expect.objectContaining({ code: 'hydrate-invalid', path: 'tables[0][1][0]' }),
    );
    store.write(todos, [], { args: [{}] });
    store.write(todos.push, { id: '1' }, { args: [{}] });
    expect(store.get(todos, {})).toHaveLength(1);
  });

  it('records can be written and read afterwards, whatever else rows hold', () => {
    const rows: unknown[] = [[], {}, { owner: 5 }, { owner: { a: 1 } }, { owner: ['u'] }, { id: null, owner: '1' }];
    for (const malformed of rows) {
      const store = new Store();
      const tables = [
        ['Todo', [['1', malformed, 0, 0, null]]],
        [
          '[Todo]',
          [
            ['{}', ['1', 5, null, { id: {}, schema: 'x' }, ['1']], 0, 0, null],
            ['no key', [], 0, 0, null],
          ],
        ],
        ['User', [['1', { owner: '1' }, 0, 0, null]]],
      ];
      hydrate(store, state({ tables }));
      store.get(todos, {});
      store.write(todos.push, { id: '2', title: 'b', owner: { id: 'u' } }, { args: [{}] });
      store.write(Todo, { id: '1', title: 'a', owner: { id: 'u' } });
      expect(store.get(todos, {})).toEqual(expect.arrayContaining([store.get(Todo, '1'), store.get(Todo, '2')]));
      store.invalidate(Todo, '1');
      expect(store.get(todos, {})).not.toContain(store.get(Todo, '1'));
    }
  });

  it('data nested as deep as allowed is accepted', () => {
    const lists = nested((item) => [item], 1400);
    const store = new Store();
    hydrate(store, state({ results: [['k', lists, [], 0, 0, 0]] }));
    expect(dehydrate(store).results[0]?.[1]).toHaveLength(1);
  });

  it('data nested deeper than allowed is refused as too deep', () => {
    for (const inner of [(a: unknown) => ({ a }), (item: unknown) => [item]])
      expect(() => hydrate(new Store(), state({ results: [['k', nested(inner, 5000), [], 0, 0, 0]] }))).toThrow(
        'it is nested too deep',
      );
  });

  it('the valid part of an invalid state is not stored either', () => {
    const store = new Store();
    expect(() => hydrate(store, state({ tables: [['Todo', [row]]], results: [null] }))).toThrow('refused');
    expect(store.stats()).toMatchObject({ rows: 0, tables: 0 });
  });
});

it('restored rows that are stored already, and results without a schema, stay as they are', () => {
  const store = filled();
  const before = store.row('Todo', '1');
  hydrate(store, sent(filled()));
  expect(store.row('Todo', '1')).toBe(before);
});

describe('a later part of a state', () => {
  const part = (title: string, stored: string): unknown => ({
    format: 'rejoin',
    version: 1,
    tables: [['Todo', [['1', { id: '1', title }, 1, 1, null]]]],
    results: [['first', stored, [], 1, 1, null]],
  });

  it('replaces what an earlier part brought, and the result with its schema', () => {
    const store = new Store();
    hydrate(store, part('early', '1'));
    expect(store.resultView('first', Todo).current()).toMatchObject({ title: 'early' });
    hydrate(store, part('late', '1'), { isLater: true });
    expect(store.get(Todo, '1')?.title).toBe('late');
    expect(store.resultView('first', Todo).current()).toBe(store.get(Todo, '1'));
    hydrate(store, part('late', '2'), { isLater: true });
    expect(store.result('first')?.stored).toBe('2');
  });

  it('invalidates a result of an earlier part, and answers a request again that was invalidated', () => {
    const store = new Store();
    hydrate(store, part('early', '1'));
    const later = { format: 'rejoin', version: 1, tables: [], results: [], invalidated: ['first'] };
    hydrate(store, later, { isLater: true });
    expect(store.request('first')).toMatchObject({ results: [], note: { isInvalidated: true } });
    hydrate(store, part('late', '1'), { isLater: true });
    expect(store.request('first')).toMatchObject({ results: [{ stored: '1' }], note: undefined });
  });

  it('keeps what has been written here since', () => {
    const store = new Store();
    hydrate(store, part('early', '1'));
    store.write(Todo, { id: '1', title: 'mine' }, { resultKey: 'first' });
    hydrate(store, part('late', '2'), { isLater: true });
    hydrate(store, { ...(part('late', '2') as object), results: [], invalidated: ['first'] }, { isLater: true });
    expect(store.get(Todo, '1')?.title).toBe('mine');
    expect(store.result('first')?.stored).toBe('1');
  });

  it('notifies observers that show it', () => {
    const store = new Store();
    hydrate(store, part('early', '1'));
    let notifications = 0;
    store.query(Todo, ['1']).subscribe(() => notifications++);
    hydrate(store, part('late', '1'), { isLater: true });
    expect(notifications).toBe(1);
  });
});

describe('a restored result', () => {
  const state = {
    format: 'rejoin',
    version: 1,
    tables: [['Todo', [['1', { id: '1' }, 1, 1, null]]]],
    results: [['first', '1', [], 1, 1, null]],
  };

  it('is read by a schema without a notification', () => {
    const store = new Store();
    hydrate(store, state);
    let commits = 0;
    store.onCommit(() => commits++);
    expect(store.resultView('first', Todo).current()).toBe(store.get(Todo, '1'));
    expect(commits).toBe(0);
  });

  it('that is read without a schema stays as it is for that reader', () => {
    const store = new Store();
    hydrate(store, state);
    const view = store.resultView('first');
    expect(view.current()).toBe('1');
    expect(store.resultView('first', Todo).current()).toBe(store.get(Todo, '1'));
    expect(view.current()).toBe('1');
  });

  const kinds = { todo: Todo, user: User };
  it.each([
    ['a record', Todo, ['1'], [{}, ['1']]],
    ['a collection', todos, ['{}'], [{}, ['1']]],
    ['a list of records', [Todo], [[], ['1'], [null]], ['1', {}, [{}], [['1']]]],
    ['a list of lists', [[Todo]], [[['1']], [[]]], [['1'], [{}]]],
    [
      'a list of several classes',
      new ArraySchema(kinds, () => 'todo'),
      [[], [{ id: '1', schema: 'todo' }], ['1']],
      [[{}], [[]], [{ id: '1', schema: 'note' }]],
    ],
    ['a map of records', new Values(Todo), [{}, { a: '1' }, { a: null }], [{ a: {} }, { a: ['1'] }]],
    [
      'an object with records',
      { one: Todo, many: [Todo] },
      [{}, { one: '1', many: ['1'] }, { one: null, many: null }],
      [
        { one: '1', many: '1' },
        { one: {}, many: [] },
      ],
    ],
    ['a function of a list', new Query([Todo], (list: unknown) => list), [['1']], ['1', [{}]]],
    ['plain data', undefined, ['1', ['1'], {}], []],
  ])('is read as %s only if it has the form of that', (_name, schema, readable, others) => {
    const isRead = (stored: unknown): boolean => {
      const store = new Store();
      hydrate(store, { ...state, results: [['k', stored, [], 1, 1, null]] });
      return store.readRequest({ key: 'k', schema }).result !== undefined;
    };
    expect(readable.map(isRead)).toEqual(readable.map(() => true));
    expect(others.map(isRead)).toEqual(others.map(() => false));
  });
});

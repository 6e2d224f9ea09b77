import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  Collection,
  dehydrate,
  Endpoint,
  Entity,
  hydrate,
  Invalidate,
  resource,
  RestEndpoint,
  schema,
  Store,
  undecidable,
  Union,
  Values,
} from '../../src/index.ts';
import { Owner, Screen, Task } from './screen.ts';
import { addGuess } from '../../src/state/store/layer.ts';

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => void log.mockClear());

const search: Record<string, unknown> | undefined = {};

const ids = (list: unknown): unknown[] => (list as readonly { readonly id: unknown }[]).map(({ id }) => id);
const ann = { id: 1, name: 'ann', team: 'red' };
const bob = { id: 2, name: 'bob', team: 'red' };
const task = (id: number, state: string, owner: object | null = ann): object => ({
  id,
  title: `task ${id}`,
  state,
  owner,
  watchers: [owner],
});

/** A store with lists by their keys. */
function filled(list: Collection, lists: readonly (readonly [key: object, tasks: readonly object[]])[]): Store {
  const store = new Store();
  for (const [key, tasks] of lists) store.write(list, tasks, { args: [key] });
  return store;
}

describe('a record that an answer has changed', () => {
  test('leaves the lists that it no longer belongs to, and joins those that it belongs to now', () => {
    const list = new Collection([Task]);
    const store = filled(list, [
      [{}, [task(1, 'open'), task(2, 'open')]],
      [{ state: 'open' }, [task(1, 'open'), task(2, 'open')]],
      [{ state: 'done' }, []],
      [{ state: 'done', title: 'task 2' }, []],
    ]);
    store.write(Task, { id: 1, state: 'done' });
    expect(ids(store.get(list, {}))).toEqual([1, 2]);
    expect(ids(store.get(list, { state: 'open' }))).toEqual([2]);
    expect(ids(store.get(list, { state: 'done' }))).toEqual([1]);
    expect(ids(store.get(list, { state: 'done', title: 'task 2' }))).toEqual([]);
  });

  test('moves in one commit with all other records of the answer', () => {
    const list = new Collection([Task], { total: 'n' });
    const store = filled(list, [[{ state: 'done' }, []]]);
    store.write({ list, n: 0 }, { list: [task(1, 'open'), task(2, 'open')], n: 2 }, { args: [{ state: 'open' }] });
    const changed = { schema: [Task], response: [task(1, 'done'), task(2, 'done')] };
    const layer = addGuess(store, () => changed);
    const shown = (): unknown => [ids(store.get(list, { state: 'open' })), ids(store.get(list, { state: 'done' }))];
    expect(shown()).toEqual([[], [1, 2]]);
    layer.drop();
    expect(shown()).toEqual([[1, 2], []]);
    store.write(changed.schema, changed.response);
    expect(shown()).toEqual([[], [1, 2]]);
    expect(store.row('[Task]#total', '{"state":"open"}')).toEqual({ count: 0 });
  });

  test('moves in a list that has changed since its request, if these changes do not concern the record', () => {
    const list = new Collection([Task]);
    const store = filled(list, [
      [{ state: 'open' }, [task(1, 'open'), task(2, 'open')]],
      [{ state: 'done' }, []],
    ]);
    const request = store.begin();
    store.write(Task, { id: 1, state: 'done' });
    store.write(Task, { id: 2, state: 'done' }, { request });
    expect(ids(store.get(list, { state: 'open' }))).toEqual([]);
    expect(ids(store.get(list, { state: 'done' }))).toEqual([1, 2]);
  });

  test('moves in a list that is being fetched, and the fetched list then replaces the result', () => {
    const list = new Collection([Task]);
    const store = filled(list, [[{ state: 'open' }, [task(1, 'open'), task(2, 'open'), task(3, 'open')]]]);
    const request = store.begin();
    store.write(list, [task(1, 'done')], { args: [{ title: 'task 1' }] });
    expect(ids(store.get(list, { state: 'open' }))).toEqual([2, 3]);
    store.write(list, [task(3, 'open')], { args: [{ state: 'open' }], request });
    expect(ids(store.get(list, { state: 'open' }))).toEqual([3]);
  });

  test('does not move in a list that was requested after the answer', () => {
    const list = new Collection([Task]);
    const store = filled(list, [
      [{}, [task(1, 'open')]],
      [{ state: 'done' }, []],
    ]);
    const request = store.begin();
    store.write(list, [task(1, 'open')], { args: [{ state: 'open' }] });
    store.write(list, [], { args: [{ state: 'done' }] });
    store.write(Task, { id: 1, state: 'done' }, { request });
    expect(ids(store.get(list, { state: 'open' }))).toEqual([1]);
    expect(ids(store.get(list, { state: 'done' }))).toEqual([]);
  });

  test('moves by the rules that its collection declares', () => {
    const list = new Collection([Task], {
      where: {
        owner_id: (one) => one.owner?.id,
        watcher: (one) => one.watchers.map(({ id }) => id),
        done: (one) => one.isDone,
        team: (one) => one.owner?.team,
      },
    });
    const keys = [{ owner_id: 1 }, { owner_id: 2 }, { watcher: 2 }, { done: true }, { done: false }, { team: 'red' }];
    const store = new Store();
    for (const key of keys) store.write(list, [], { args: [key] });
    store.write(list, [{ ...task(1, 'open'), watchers: [] }], { args: [{ owner_id: 1 }] });
    store.write(Task, { id: 1, owner: bob, watchers: [ann, bob], state: 'done' });
    expect(keys.map((key) => ids(store.get(list, key)))).toEqual([[], [1], [1], [1], [], []]);
    store.write(Task, { id: 1, owner: null, watchers: ['1', '3'] });
    expect(keys.map((key) => ids(store.get(list, key)))).toEqual([[], [], [], [1], [], []]);
  });

  test('leaves and joins lists of several kinds', () => {
    class Note extends Entity {
      id = 0;
      type = 'note';
      state = '';
      static override key = 'Note';
    }
    class Mail extends Entity {
      id = 0;
      type = 'mail';
      state = '';
      static override key = 'Mail';
    }
    const list = new Collection([new Union({ note: Note, mail: Mail }, 'type')]);
    const store = filled(list, [
      [
        { state: 'new' },
        [
          { id: 1, type: 'note', state: 'new' },
          { id: 1, type: 'mail', state: 'new' },
        ],
      ],
      [{ state: 'read' }, []],
    ]);
    store.write(Mail, { id: 1, state: 'read' });
    expect(store.get(list, { state: 'new' })).toMatchObject([{ type: 'note' }]);
    expect(store.get(list, { state: 'read' })).toMatchObject([{ type: 'mail' }]);
  });

  test('joins maps under its pk, if the names of the map are pks', () => {
    const map = new Collection(new Values(Task));
    const store = new Store();
    store.write(map, {}, { args: [{ state: 'done' }] });
    store.write(map, { 1: task(1, 'open'), 2: task(2, 'open') }, { args: [{ state: 'open' }] });
    store.write(map, {}, { args: [{ state: 'done', page: 2 }] });
    store.write(Task, { id: 1, state: 'done' });
    expect(Object.keys(store.get(map, { state: 'open' }) as object)).toEqual(['2']);
    expect(store.get(map, { state: 'done' })).toMatchObject({ 1: { id: 1 } });
    expect(store.get(map, { state: 'done', page: 2 })).toEqual({});
  });

  test('leaves maps whose names are not pks, and joins none of them, because its name would be unknown', () => {
    const map = new Collection(new Values(Task));
    const store = new Store();
    store.write(map, { first: task(1, 'open'), second: task(2, 'open') }, { args: [{ state: 'open' }] });
    store.write(map, {}, { args: [{ state: 'done' }] });
    store.write(Task, { id: 1, state: 'done' });
    expect(Object.keys(store.get(map, { state: 'open' }) as object)).toEqual(['second']);
    expect(store.get(map, { state: 'done' })).toEqual({});
  });

  test('does not join a list that lacked it although it already belonged there', () => {
    const list = new Collection([Task], { where: { title: undecidable }, orderBy: () => 0 });
    const store = filled(list, [
      [{}, [task(1, 'open')]],
      [{ state: 'open' }, []],
      [{ team: 'red' }, []],
    ]);
    store.write(Task, { id: 1, title: 'b' });
    expect(ids(store.get(list, { state: 'open' }))).toEqual([]);
    expect(ids(store.get(list, { team: 'red' }))).toEqual([]);
  });

  test('joins a complete list if its row gets the field of the rule for the first time', () => {
    const list = new Collection([Task]);
    const store = filled(list, [
      [{}, [{ id: 1 }]],
      [{ state: 'open' }, []],
      [{ state: 'open', page: 2 }, []],
    ]);
    store.write(Task, { id: 1, state: 'open' });
    expect(ids(store.get(list, { state: 'open' }))).toEqual([1]);
    expect(ids(store.get(list, { state: 'open', page: 2 }))).toEqual([]);
  });

  test('is passed to rules as it is stored, including plain lists', () => {
    class Tagged extends Entity {
      id = 0;
      tags: readonly string[] = [];
      static override key = 'Tagged';
    }
    const list = new Collection([Tagged], { where: { tag: (one) => one.tags } });
    const store = new Store();
    store.write(list, [{ id: 1, tags: ['a'] }], { args: [{ tag: 'a' }] });
    store.write(list, [], { args: [{ tag: 'b' }] });
    store.write(Tagged, { id: 1, tags: ['b', 'c'] });
    expect(ids(store.get(list, { tag: 'a' }))).toEqual([]);
    expect(ids(store.get(list, { tag: 'b' }))).toEqual([1]);
  });

  test('does not move in lists of a collection with its own filter', () => {
    const list = new Collection([Task], { createCollectionFilter: (_search: object) => () => true });
    const store = filled(list, [[{ state: 'open' }, [task(1, 'open')]]]);
    store.write(Task, { id: 1, state: 'done' });
    store.write(list.push, task(2, 'done'), { args: [{}] });
    expect(ids(store.get(list, { state: 'open' }))).toEqual([1, 2]);
  });

  test('moves by the rules of the one collection that has rules, if several have the same key', () => {
    const ruled = new Collection([Task], { where: { state: (one) => one.title } });
    const store = filled(new Collection([Task]), [[{ state: 'a' }, []]]);
    store.write(ruled, [], { args: [{ state: 'b' }] });
    store.write(new Collection([Task]), [{ id: 1, title: 'x', state: '' }], { args: [{}] });
    store.write(Task, { id: 1, title: 'b', state: 'a' });
    expect(ids(store.get(ruled, { state: 'b' }))).toEqual([1]);
    expect(ids(store.get(ruled, { state: 'a' }))).toEqual([]);
  });
});

describe('a guess', () => {
  const list = new Collection([Task]);
  const done = { schema: Task, response: { id: 1, state: 'done' } };

  test('that was made before a list arrived moves its record in that list', () => {
    const store = filled(list, [[{}, [task(1, 'open')]]]);
    const layer = addGuess(store, () => done);
    store.write(list, [task(1, 'open')], { args: [{ state: 'open' }] });
    expect(ids(store.get(list, { state: 'open' }))).toEqual([]);
    store.write(list, [], { args: [{ state: 'done' }] });
    expect(ids(store.get(list, { state: 'done' }))).toEqual([1]);
    layer.drop();
    expect(ids(store.get(list, { state: 'open' }))).toEqual([1]);
    expect(ids(store.get(list, { state: 'done' }))).toEqual([]);
  });

  test('joins a list when the list arrives, and not before', () => {
    const store = filled(list, [
      [{ state: 'lost' }, []],
      [{}, [task(1, 'open')]],
    ]);
    addGuess(store, () => done);
    store.write(list, [], { args: [{ state: 'done' }] });
    expect(ids(store.get(list, { state: 'done' }))).toEqual([1]);
  });

  test.each(['before', 'after'])(
    'that was made %s lists were restored moves its record when the lists are read',
    (when) => {
      const saved = dehydrate(
        filled(list, [
          [{ state: 'open' }, [task(1, 'open')]],
          [{ state: 'done' }, []],
        ]),
      );
      const store = new Store();
      if (when === 'before') addGuess(store, () => done);
      hydrate(store, saved);
      if (when === 'after') addGuess(store, () => done);
      expect(ids(store.get(list, { state: 'open' }))).toEqual([]);
      expect(ids(store.get(list, { state: 'done' }))).toEqual([1]);
    },
  );

  test('of a record that is not stored joins no list, because it may have been in each', () => {
    const store = filled(list, [
      [{ state: 'open' }, [task(1, 'open')]],
      [{ state: 'done' }, []],
    ]);
    addGuess(store, () => ({ schema: Task, response: task(9, 'done') }));
    expect(ids(store.get(list, { state: 'open' }))).toEqual([1]);
    expect(ids(store.get(list, { state: 'done' }))).toEqual([]);
  });

  test('that deletes its record removes it from its lists, and adds it to none', () => {
    const store = filled(list, [
      [{ state: 'open' }, [task(1, 'open'), task(2, 'open')]],
      [{ state: 'done' }, []],
    ]);
    addGuess(store, () => ({ schema: new Invalidate(Task), response: { id: 1 } }));
    expect(ids(store.get(list, { state: 'open' }))).toEqual([2]);
    expect(ids(store.get(list, { state: 'done' }))).toEqual([]);
  });

  test('that gives a record the field of the rule joins whole lists, and no page, which may not have it', () => {
    const store = filled(list, [
      [{ state: 'done' }, []],
      [{ state: 'done', page: 1, limit: 5 }, [2, 3, 4, 5, 6].map((id) => task(id, 'done'))],
      [{ state: 'open' }, []],
    ]);
    store.write(Task, { id: 1, title: 'known' });
    addGuess(store, () => done);
    expect(ids(store.get(list, { state: 'done' }))).toContain(1);
    expect(ids(store.get(list, { state: 'open' }))).toEqual([]);
    expect(ids(store.get(list, { state: 'done', page: 1, limit: 5 }))).toEqual([2, 3, 4, 5, 6]);
  });

  test('keeps its record in a list for which only the server can decide', () => {
    const store = filled(list, [[{ state: 'all' }, [task(1, 'open'), task(2, 'lost')]]]);
    addGuess(store, () => done);
    expect(ids(store.get(list, { state: 'all' }))).toEqual([1, 2]);
  });

  test('moves its record in a list that another guess has added', () => {
    const store = filled(list, [[{}, [task(1, 'open')]]]);
    addGuess(store, () => ({ schema: list, response: [{ id: 1 }], args: [{ state: 'open' }] }));
    addGuess(store, () => done);
    expect(ids(store.get(list, { state: 'open' }))).toEqual([]);
  });
});

describe('in lists with an order', () => {
  const byTitle = (one: Task, other: Task): number => one.title.localeCompare(other.title);

  test('a record that joins, is created or changes is at its place in the order', () => {
    const list = new Collection([Task], { orderBy: byTitle });
    const titled = (id: number, title: string): object => ({ id, title });
    const store = filled(list, [[{}, [titled(1, 'a'), titled(2, 'c'), titled(3, 'e')]]]);
    store.write(list.push, [titled(4, 'd'), titled(5, 'b')], { args: [{}] });
    expect(ids(store.get(list, {}))).toEqual([1, 5, 2, 4, 3]);
    store.write(Task, titled(1, 'f'));
    expect(ids(store.get(list, {}))).toEqual([5, 2, 4, 3, 1]);
    store.write(list.push, '9', { args: [{}] });
    store.write(list.push, titled(2, 'c'), { args: [{}] });
    expect(store.row('[Task]', '{}')).toEqual(['5', '2', '4', '3', '1', '9']);
  });

  test('a moved record that was not stored before is at its place in the order', () => {
    const list = new Collection([Task], { orderBy: byTitle });
    const store = filled(list, [[{ state: 'open' }, [task(1, 'open'), task(3, 'open')]]]);
    const answeredRequest = { isMutation: true, sent: 0, doubt: () => {} };
    store.write(list.move, task(2, 'open'), { args: [{ id: 2 }, { state: 'open' }], answeredRequest });
    expect(ids(store.get(list, { state: 'open' }))).toEqual([1, 2, 3]);
  });

  test('a changed member moves only if its place in the order changes', () => {
    const store = new Store();
    const list = new Collection([Task], { orderBy: byTitle });
    const titles = ['a', 'c', 'e', 'g'];
    store.write(
      list,
      titles.map((title, at) => ({ id: at + 1, title })),
      { args: [{}] },
    );
    const [{ pk } = { pk: '' }] = [...store.rows()].filter(({ table }) => table !== Task.key);
    const rowNow = (): unknown => store.row(list.key, pk);
    const read = (): string | undefined =>
      store
        .get(list, {})
        ?.map(({ title }) => title)
        .join('');
    for (const isRead of [false, true]) {
      if (isRead) store.query(list, [{}]).subscribe(() => {});
      const before = rowNow();
      store.write(Task, { id: 2, title: isRead ? 'c' : 'd' });
      expect(rowNow()).toBe(before);
    }
    for (const [title, due] of [
      ['h', 'aegh'],
      ['0', '0aeg'],
      ['b', 'abeg'],
      ['f', 'aefg'],
      ['c', 'aceg'],
    ] as const) {
      store.write(Task, { id: 2, title });
      expect(read()).toBe(due);
    }
  });

  test('a shown member keeps its place if it is still right', () => {
    const list = new Collection([Task], { orderBy: byTitle });
    const store = filled(list, [[{}, [1, 2, 3].map((id) => task(id, 'open'))]]);
    const live = store.query(list, [{}]);
    live.subscribe(() => {});
    expect(ids(live.current())).toEqual([1, 2, 3]);
    store.write(Task, { id: 2, state: 'done' });
    expect(ids(live.current())).toEqual([1, 2, 3]);
    store.write(Task, { id: 2, title: 'z' });
    expect(ids(live.current())).toEqual([1, 3, 2]);
  });

  test('maps have no order', () => {
    const map = new Collection(new Values(Task), { orderBy: byTitle });
    const store = new Store();
    store.write(map, { b: task(2, 'open'), a: task(1, 'open') }, { args: [{}] });
    store.write(Task, { id: 2, title: 'a' });
    expect(Object.keys(store.get(map, {}) as object)).toEqual(['b', 'a']);
  });

  test('an order function gets the name of an argument that sorts as its third parameter', () => {
    const list = new Collection([Task], {
      orderBy: (one, other, key) => (key['sort'] === 'title' ? byTitle(one, other) : 0),
    });
    const store = filled(list, [
      [
        { sort: 'title' },
        [
          { id: 1, title: 'a' },
          { id: 2, title: 'c' },
        ],
      ],
    ]);
    store.write(list.push, { id: 3, title: 'b' }, { args: [{}] });
    expect(ids(store.get(list, { sort: 'title' }))).toEqual([1, 3, 2]);
  });
});

describe('after a mutation, one fetch is sent for', () => {
  const server = (changed: object) => (url: URL, method: string, body: unknown) =>
    method === 'GET'
      ? url.searchParams.get('state') === 'done'
        ? []
        : [task(1, 'open'), task(2, 'open')]
      : { ...changed, ...(body as object) };
  const tasks = (screen: Screen, list: object = {}) =>
    resource({
      path: '/tasks/:id',
      schema: Task,
      searchParams: search,
      platform: screen.platform,
      list,
    });

  /** Shows lists. Returns a function that changes a task, and returns the requests that follow. */
  const showing = async (given: { readonly list?: object; readonly answer?: object }, ...keys: readonly object[]) => {
    const screen = new Screen(server(given.answer ?? task(1, 'open')));
    const { getList, partialUpdate } = tasks(screen, given.list);
    await screen.show(getList, ...keys);
    return async (id: number, body: object): Promise<readonly string[]> =>
      screen.after(() => screen.controller.fetch(partialUpdate, { id }, body));
  };

  test('a list that only the server can decide: its argument is not a field, or its rule is declared undecidable', async () => {
    const change = await showing({ list: { where: { state: undecidable } } }, {}, { q: 'task' }, { state: 'open' });
    expect(await change(1, { title: 'b' })).toEqual(['/tasks?q=task', '/tasks?state=open']);
  });

  test('a list whose rule throws for a missing value', async () => {
    const where = { team: (one: Task) => (one as unknown as { none: { team: string } }).none.team };
    const change = await showing({ list: { where } }, { team: 'red' });
    expect(await change(1, { title: 'b' })).toEqual(['/tasks?team=red']);
  });

  test('a list that a record has joined at an unknown place; not a list that was empty', async () => {
    const change = await showing({}, { state: 'open' }, { state: 'done' });
    expect(await change(1, { state: 'done' })).toEqual([]);
    expect(await change(2, { state: 'done' })).toEqual([]);
  });

  test('a sorted list, when a field that it is sorted by has changed', async () => {
    const change = await showing({}, { sort: '-title' });
    expect(await change(1, { state: 'done' })).toEqual([]);
    expect(await change(1, { title: 'z' })).toEqual(['/tasks?sort=-title']);
  });

  test.each([{ 'order[title]': 'asc' }, { '$sort[title]': -1 }])(
    'a sorted list, when the field in the name of its sort argument has changed: %j',
    async (sort) => {
      const change = await showing({}, sort);
      expect(await change(1, { state: 'done' })).toEqual([]);
      expect(await change(1, { title: 'z' })).toEqual([
        `/tasks?${new URLSearchParams(Object.entries(sort).map(([name, value]) => [name, String(value)]))}`,
      ]);
    },
  );

  test('a sorted list after a change of any field, if its sort argument is not the name of a field', async () => {
    const change = await showing({}, { sort: 'newest' });
    expect(await change(1, { state: 'done' })).toEqual(['/tasks?sort=newest']);
  });

  test('a list that a previously unknown record may belong to', async () => {
    const change = await showing({ answer: task(7, 'open') }, { state: 'open' }, { state: 'done' });
    expect(await change(7, { title: 'b' })).toEqual(['/tasks?state=open']);
  });

  test('a map that the record belongs to now', async () => {
    const screen = new Screen(({ searchParams }, method, body) => {
      if (method !== 'GET') return { ...task(1, 'open'), ...(body as object) };
      return searchParams.get('state') === 'open' ? { a: task(1, 'open') } : {};
    });
    const getMap = new RestEndpoint({
      path: '/map',
      searchParams: {} as { state: string },
      schema: new Collection(new Values(Task)),
      platform: screen.platform,
    });
    const { partialUpdate } = tasks(screen);
    await screen.show(getMap, { state: 'open' }, { state: 'done' });
    const asked = await screen.after(() => screen.controller.fetch(partialUpdate, { id: 1 }, { state: 'done' }));
    expect(asked).toEqual(['/map?state=done']);
  });

  test('a list that a new nested record of the answer may belong to', async () => {
    const screen = new Screen((_url, method) =>
      method === 'GET' ? [] : { ...task(1, 'open'), watchers: [{ id: 7, name: 'zoe', team: 'red' }] },
    );
    const { create } = tasks(screen);
    const owners = resource({ path: '/owners/:id', schema: Owner, searchParams: search, platform: screen.platform });
    await screen.show(owners.getList, { team: 'red' }, { team: 'blue' });
    expect(await screen.after(() => screen.controller.fetch(create, { title: 'a' }))).toEqual(['/owners?team=red']);
    expect(await screen.after(() => screen.controller.fetch(create, { title: 'a' }))).toEqual([]);
  });

  test('no list whose arguments are in the path of the mutation', async () => {
    const screen = new Screen(server({ id: 1, title: 'a' }));
    const issues = resource({ path: '/repos/:repo/tasks/:id', schema: Task, platform: screen.platform });
    await screen.show(issues.getList, { repo: 'trees' });
    const asked = await screen.after(() =>
      screen.controller.fetch(issues.partialUpdate, { repo: 'trees', id: 1 }, { title: 'b' }),
    );
    expect(asked).toEqual([]);
  });

  test('a list that the created record may belong to, and no other list', async () => {
    const screen = new Screen(server({ id: 9, title: 'new', state: 'open' }));
    const { create, getList } = tasks(screen);
    await screen.show(getList, {}, { state: 'open' }, { state: 'done' }, { q: 'n' });
    const asked = await screen.after(() => screen.controller.fetch(create, { title: 'new' }));
    expect(asked).toEqual(['/tasks?q=n']);
    expect(screen.controller.getResponse(getList, { state: 'open' }).data).toHaveLength(3);
    expect(screen.controller.getResponse(getList, { state: 'done' }).data).toHaveLength(0);
  });

  test('the lists that the mutation declares under `refetches`', async () => {
    const screen = new Screen(() => ({ count: 1 }));
    const getSummary = new RestEndpoint({ path: '/summary', platform: screen.platform });
    const getOther = new Endpoint(async () => ({ ok: true }), { name: 'getOther' });
    const close = new RestEndpoint({
      path: '/close',
      method: 'POST',
      refetches: [getSummary],
      platform: screen.platform,
    });
    await screen.show(getSummary, {});
    await screen.show(getOther);
    expect(await screen.after(() => screen.controller.fetch(close, {}))).toEqual(['/summary']);
    expect(await screen.after(() => screen.controller.fetch(getOther))).toEqual([]);
  });
});

/** A screen that shows an empty list, which task 1 has then joined by a rule. */
async function joinedByRule() {
  const screen = new Screen((_url, method, body) =>
    method === 'GET' ? [] : { ...task(1, 'open'), ...(body as object) },
  );
  const { getList, get, partialUpdate } = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { state: string },
    platform: screen.platform,
  });
  await screen.show(getList, { state: 'done' });
  await screen.controller.setResponse(get, { id: 1 }, task(1, 'open'));
  await screen.controller.fetch(partialUpdate, { id: 1 }, { state: 'done' });
  return { screen, getList };
}

describe('a rule is used as long as it agrees with the answers of the server', () => {
  test('an answer with a record that the rule excludes ends the use of the rule, with a warning', () => {
    const list = new Collection([Task]);
    const store = filled(list, [
      [{ owner: 'ann' }, [task(1, 'open')]],
      [{ owner: '2' }, []],
    ]);
    store.write(Task, { id: 1, owner: bob });
    expect(ids(store.get(list, { owner: 'ann' }))).toEqual([1]);
    expect(ids(store.get(list, { owner: '2' }))).toEqual([]);
    expect(log.mock.calls).toEqual([
      [
        'Lists of [Task] do not follow changes of records where owner is "ann": the answer to {"owner":"ann"} has a record whose owner is "1". ' +
          'They are fetched again instead. Write a rule that agrees with the server: where: { owner: (record) => … }, or { owner: undecidable }. See node_modules/rejoin/docs/errors.md#list-rule-refuted.',
      ],
    ]);
  });

  test('a list of several kinds, or a map, with a record that the rule excludes ends the use of the rule too', () => {
    class Mail extends Entity {
      id = 0;
      type = 'mail';
      state = '';
      static override key = 'Mail';
    }
    const list = new Collection([new Union({ task: Task, mail: Mail }, 'type')]);
    const sent = [
      { ...task(1, 'open'), type: 'task' },
      { id: 1, type: 'mail', state: 'new' },
    ];
    const store = filled(list, [[{ state: 'all' }, sent]]);
    expect(log.mock.calls.flat()).toEqual([
      expect.stringContaining('has a record whose state is "open"'),
      expect.stringContaining('has a record whose state is "new"'),
    ]);
    store.write(new Collection(new Values(Task)), { a: task(2, 'open') }, { args: [{ state: 'any' }] });
    expect(log.mock.calls.at(-1)?.join()).toContain('the answer to {"state":"any"} has a record whose state is "open"');
  });

  test('if answers have confirmed a rule for another value, its use ends only for the value that it excludes', () => {
    const list = new Collection([Task]);
    const store = filled(list, [
      [{ state: 'open' }, [task(1, 'open')]],
      [{ state: 'all' }, [task(1, 'open'), task(2, 'done')]],
      [{ state: 'done' }, [task(2, 'done')]],
    ]);
    store.write(Task, { id: 1, state: 'done' });
    expect(ids(store.get(list, { state: 'open' }))).toEqual([]);
    expect(ids(store.get(list, { state: 'done' }))).toEqual([2, 1]);
    expect(ids(store.get(list, { state: 'all' }))).toEqual([1, 2]);
  });

  test('an answer without a record that the rule has added ends the use of the rule', async () => {
    const { screen, getList } = await joinedByRule();
    expect(ids(screen.controller.getResponse(getList, { state: 'done' }).data)).toEqual([1]);
    await screen.controller.fetch(getList, { state: 'done' });
    expect(log.mock.calls.flat().join()).toContain(
      'the answer to {"state":"done"} lacks a record that belongs to it by that rule',
    );
  });

  test('a map whose names are pks, without a record that the rule has added, ends the use of the rule too', () => {
    const map = new Collection(new Values(Task));
    const store = new Store();
    store.write(map, { 1: task(1, 'open') }, { args: [{}] });
    store.write(map, {}, { args: [{ state: 'done' }] });
    store.write(Task, { id: 1, state: 'done' }, { answeredRequest: { isMutation: true, sent: 0, doubt: () => {} } });
    expect(Object.keys(store.get(map, { state: 'done' }) as object)).toEqual(['1']);
    store.write(map, {}, { args: [{ state: 'done' }] });
    expect(log.mock.calls.flat().join()).toContain('lacks a record that belongs to it by that rule');
  });

  test('if members have confirmed the rule, the first answer that contradicts it does not end its use, because another client may have changed the record', () => {
    const list = new Collection([Task]);
    const answeredRequest = { isMutation: true, sent: 0, doubt: () => {} };
    const store = filled(list, [[{ state: 'done' }, [task(9, 'done')]]]);
    const leaveOut = (id: number, isThere = false): void => {
      store.write(list.push, task(id, 'done'), { args: [{}], answeredRequest });
      store.write(list, [task(9, 'done'), ...(isThere ? [task(id, 'done')] : [])], { args: [{ state: 'done' }] });
    };
    leaveOut(1);
    leaveOut(2);
    leaveOut(3, true);
    leaveOut(4);
    leaveOut(5);
    expect(log).not.toHaveBeenCalled();
    leaveOut(6);
    expect(log.mock.calls.flat().join()).toContain('lacks a record that belongs to it by that rule');
  });

  test('a record that joins one list is not evidence about other lists', async () => {
    const { screen, getList } = await joinedByRule();
    screen.controller.store.write(getList.schema.push, task(2, 'done'), { args: [{ state: 'done' }] });
    expect(ids(screen.controller.getResponse(getList, { state: 'done' }).data)).toEqual([1, 2]);
    await screen.controller.fetch(getList, { state: 'done' });
    expect(log.mock.calls.flat().join()).toContain('lacks a record that belongs to it by that rule');
  });

  test('the same list in a later answer is evidence about the present values of its records', () => {
    const list = new Collection([Task]);
    const store = filled(list, [[{ state: 'open' }, [task(1, 'open')]]]);
    store.write(list, [task(1, 'done')], { args: [{ state: 'open' }] });
    expect(log.mock.calls.flat().join()).toContain('has a record whose state is "done"');
  });

  test('a record that changed after the request of the list is not evidence', () => {
    const list = new Collection([Task]);
    const store = new Store();
    const request = store.begin();
    store.write(Task, task(1, 'done'));
    store.write(list, [task(1, 'open')], { args: [{ state: 'open' }], request });
    expect(log).not.toHaveBeenCalled();
  });
});

describe('after the answer of a mutation, these lists are in doubt:', () => {
  const list = new Collection([Task], { total: 'n', orderBy: (one: Task, other: Task) => one.id - other.id });
  const counted = new schema.Object({ tasks: list, n: 0 });
  /** Lists by state, of which `all` is not the state of any task. */
  const known = (page: object): Store => {
    const store = new Store();
    store.write(counted, { tasks: [task(1, 'open')], n: 1 }, { args: [{ state: 'open', ...page }] });
    store.write(counted, { tasks: [task(1, 'open')], n: 1 }, { args: [{ state: 'all', ...page }] });
    store.write(counted, { tasks: [], n: 0 }, { args: [{ state: 'done', ...page }] });
    return store;
  };
  const doubts = (store: Store, kind: unknown, input: unknown, args: readonly unknown[] = []): readonly string[] => {
    const found: string[] = [];
    const answeredRequest = {
      isMutation: true,
      sent: 0,
      doubt: (table: string, pk: string) => void found.push(`${table} ${pk}`),
    };
    store.write(kind, input, { args, answeredRequest });
    return found;
  };
  const both = [
    '[Task] {"state":"open"}',
    '[Task] {"state":"all"}',
    '[Task]#total {"state":"open"}',
    '[Task]#total {"state":"all"}',
  ];

  test('the lists that a previously unknown record may belong to, unless they contain it', () => {
    expect(doubts(known({}), Task, task(9, 'open'))).toEqual(both);
    const store = new Store();
    store.write(list, ['7'], { args: [{}] });
    expect(doubts(store, Task, task(7, 'open'))).toEqual([]);
  });

  test.each<[string, readonly number[], readonly number[], object, readonly string[]]>([
    ['still has the record that has left it, and one that lacks it', [1], [], { state: 'done' }, ['open', 'done']],
    ['lacks the record that belongs to it now', [], [], { state: 'done' }, ['done']],
    ['lacks the record that has not moved', [], [], { title: 'new' }, ['open']],
    ['(none) agrees with a record that has moved', [], [1], { state: 'done' }, []],
    ['(none) agrees with a record that has not moved', [1], [], { title: 'new' }, []],
  ])('a list that was requested while the mutation was pending and %s', (_, open, finished, change, expected) => {
    const tasks = new Collection([Task]);
    const store = filled(tasks, [
      [{ state: 'open' }, [task(1, 'open')]],
      [{ state: 'done' }, []],
    ]);
    const request = store.begin();
    for (const [state, members] of [['open', open], ['done', finished]] as const) // prettier-ignore
      store.write(tasks, members.map((id) => ({ id })), { args: [{ state }] }); // prettier-ignore
    const found = new Set<string>();
    const answeredRequest = { isMutation: true, sent: 0, doubt: (_table: string, pk: string) => void found.add(pk) };
    store.write(Task, { id: 1, ...change }, { request, answeredRequest });
    expect([...found]).toEqual(expected.map((state) => JSON.stringify({ state })));
    expect(ids(store.get(tasks, { state: 'open' }))).toEqual(open);
    expect(ids(store.get(tasks, { state: 'done' }))).toEqual(finished);
  });

  test('the pages and totals that a deleted record may have been in', () => {
    expect(doubts(known({ page: 1 }), new Invalidate(Task), { id: 1 })).toEqual([
      '[Task] {"page":"1","state":"open"}',
      '[Task] {"page":"1","state":"all"}',
      '[Task]#total {"state":"open"}',
      '[Task]#total {"state":"all"}',
    ]);
  });

  test('the lists that a created record may belong to', () => {
    expect(doubts(known({}), list.push, task(9, 'open'), [{}])).toEqual([
      '[Task] {"state":"all"}',
      '[Task]#total {"state":"open"}',
      '[Task]#total {"state":"all"}',
    ]);
  });

  test('no list because of an unknown field that has not changed', () => {
    const store = known({});
    store.write(Task, { id: 5, title: 'a' });
    expect(doubts(store, Task, { id: 5, title: 'b' })).toEqual([
      '[Task] {"state":"all"}',
      '[Task]#total {"state":"all"}',
    ]);
  });
});

test('a record that has changed since a list was requested is not evidence about its rules', () => {
  const list = new Collection([Task], { where: { owner_id: (one) => one.owner?.id } });
  const answeredRequest = { isMutation: true, sent: 0, doubt: () => {} };
  const store = filled(list, [
    [{ owner_id: 1 }, []],
    [{}, [task(1, 'open', bob)]],
  ]);
  store.write(Task, { id: 1, owner: ann }, { answeredRequest });
  expect(ids(store.get(list, { owner_id: 1 }))).toEqual([1]);
  const request = store.begin();
  store.write(Task, { id: 1, title: 'b' }, { answeredRequest });
  store.write(list, [], { args: [{ owner_id: 1 }], request });
  expect(log).not.toHaveBeenCalled();
  store.write(list, [task(2, 'open', null)], { args: [{ owner_id: 1 }] });
  expect(log.mock.calls.flat().join()).toContain('has a record whose owner_id is null');
});

test('a record without an owner belongs to the list for the owner null', () => {
  const list = new Collection([Task], { where: { owner_id: (one) => one.owner?.id } });
  const store = filled(list, [
    [{ owner_id: null }, [task(1, 'open', null)]],
    [{ owner_id: 1 }, [task(2, 'open', ann)]],
  ]);
  store.write(Task, { id: 2, owner: null });
  expect([ids(store.get(list, { owner_id: null })), ids(store.get(list, { owner_id: 1 }))]).toEqual([[1, 2], []]);
  store.write(Task, { id: 1, owner: ann });
  expect([ids(store.get(list, { owner_id: null })), ids(store.get(list, { owner_id: 1 }))]).toEqual([[2], [1]]);
  expect(log).not.toHaveBeenCalled();
});

test('a guess of a plain record that was made before a list came moves it in that list', () => {
  class Flat extends Entity {
    id = 0;
    state = '';
    static override key = 'Flat';
  }
  const list = new Collection([Flat]);
  const store = new Store();
  store.write(Flat, { id: 1, state: 'open' });
  addGuess(store, () => ({ schema: Flat, response: { id: 1, state: 'done' } }));
  store.write(list, [{ id: 1, state: 'open' }], { args: [{ state: 'open' }] });
  expect(store.get(list, { state: 'open' })).toEqual([]);
  store.write(list, [], { args: [{ state: 'done' }] });
  expect(store.get(list, { state: 'done' })).toMatchObject([{ id: 1 }]);
});

test('a guess of a plain record that is in no list joins a list that arrives later', () => {
  class Flat extends Entity {
    id = 0;
    state = '';
    static override key = 'Flat';
  }
  const list = new Collection([Flat]);
  const store = new Store();
  store.write(list, [], { args: [{ state: 'lost' }] });
  store.write(Flat, { id: 1, state: 'open' });
  addGuess(store, () => ({ schema: Flat, response: { id: 1, state: 'done' } }));
  store.write(list, [], { args: [{ state: 'done' }] });
  expect(store.get(list, { state: 'done' })).toMatchObject([{ id: 1 }]);
});

test('a pushed value of a kind that the list does not have joins it unchanged', () => {
  class Note extends Entity {
    id = 0;
    type = 'note';
    static override key = 'Note';
  }
  const list = new Collection([new Union({ note: Note }, 'type')]);
  const store = new Store();
  store.write(list, [], { args: [{}] });
  store.write(list.push, { id: 1, type: 'none' }, { args: [{}] });
  expect(store.get(list, {})).toEqual([{ id: 1, type: 'none' }]);
});

describe('a record whose request names a list', () => {
  const list = new Collection([Task], {
    where: { owner: ({ owner, state }) => (state === 'hidden' ? null : owner?.id) },
    total: 'total',
  });
  const args = [{ owner: 1 }, {}];
  const shown = (store: Store): unknown => [
    ids(store.get(list, { owner: 1 })),
    store.row('[Task]#total', '{"owner":"1"}'),
  ];
  const one = (): Store => {
    const store = new Store();
    store.write({ list, total: 0 }, { list: [task(1, 'open')], total: 1 }, { args: [{ owner: 1 }] });
    return store;
  };

  test('does not join it when it is created, if the rule of the argument returns null', () => {
    const store = one();
    const layer = addGuess(store, () => ({ schema: list.push, response: task(2, 'hidden'), args }));
    expect(shown(store)).toEqual([[1], { count: 1 }]);
    layer.drop();
    store.write(list.push, task(2, 'hidden'), { args });
    expect(shown(store)).toEqual([[1], { count: 1 }]);
  });

  test('joins it when it is created, if the record does not decide the rule, or if the rule returns another value', () => {
    const store = one();
    store.write(list.push, { id: 2, title: 'without a state' }, { args });
    store.write(list.push, task(3, 'open', bob), { args });
    expect(shown(store)).toEqual([[1, 2, 3], { count: 3 }]);
  });
});

test('a pushed value that is not a record joins only the lists that it is pushed to', () => {
  class Price {
    readonly key = 'Price';
    normalize = (input: object): object => ({ ...input });
    denormalize = (stored: unknown): unknown => stored;
    queryKey = (): undefined => undefined;
  }
  const list = new Collection([new Price()]);
  const store = filled(list, [
    [{ currency: 'EUR' }, [{ value: 1 }]],
    [{ currency: 'USD' }, []],
  ]);
  store.write(list.push, { value: 2 }, { args: [{ currency: 'EUR' }] });
  store.write(list.push, { value: 3 }, { args: [{}] });
  expect(store.get(list, { currency: 'EUR' })).toEqual([{ value: 1 }, { value: 2 }]);
  expect(store.get(list, { currency: 'USD' })).toEqual([]);
});

test('an argument that only changes the presentation selects no records', () => {
  const list = new Collection([Task]);
  const store = filled(list, [[{ include: 'owner', sort: 'title', fields: 'id' }, []]]);
  store.write(list.push, task(1, 'open'), { args: [{}] });
  expect(ids(store.get(list, { include: 'owner', sort: 'title', fields: 'id' }))).toEqual([1]);
});

test('only the server can compare a value that is not a text', () => {
  const list = new Collection([Task]);
  const store = filled(list, [
    [{ watchers: 'ann' }, [task(1, 'open')]],
    [{ state: { not: 'done' } }, [task(1, 'open')]],
  ]);
  store.write(Task, { id: 1, state: 'done', watchers: [bob] });
  expect(ids(store.get(list, { watchers: 'ann' }))).toEqual([1]);
  expect(ids(store.get(list, { state: { not: 'done' } }))).toEqual([1]);
  expect(log).not.toHaveBeenCalled();
});

describe('a list whose argument has several values for one field', () => {
  const several = [
    { state: 'open,done' },
    { state: 'open|done' },
    { state: ['open', 'done'] },
    { state: ['open'] },
    { state: 'done,open', title: 'task 2' },
  ];
  const kinds: readonly (readonly [name: string, where: object])[] = [
    ['of its name', {}],
    ['that a rule names', { where: { state: (one: Task) => one.state } }],
    ['of which a record has several too', { where: { state: (one: Task) => [one.state, 'other'] } }],
  ];
  const searches = kinds.flatMap(([kind, list]) => several.map((asked) => ({ kind, list, asked })));

  test.each(searches)('$kind gets a record that has one of the values: $asked', async ({ list, asked }) => {
    let tasks = [task(1, 'new'), task(2, 'new')] as { id: number; title: string; state: string }[];
    const screen = new Screen((url, method, body) => {
      if (method === 'GET' && url.pathname === '/tasks')
        return tasks.filter(({ state }) => url.searchParams.getAll('state').join().includes(state));
      if (method === 'POST') tasks = [...tasks, { ...(body as (typeof tasks)[number]), id: 3 }];
      else tasks = tasks.map((one) => (one.id === 2 ? { ...one, ...(body as object) } : one));
      return method === 'POST' ? tasks.at(-1) : tasks[1];
    });
    const tasksOf = {
      path: '/tasks/:id',
      schema: Task,
      searchParams: search,
      platform: screen.platform,
      list,
    } as const;
    const { create, get, getList, partialUpdate } = resource(tasksOf);
    await screen.controller.setResponse(get, { id: 2 }, task(2, 'new'));
    await screen.show(getList, asked);
    const shown = (): unknown[] => ids(screen.controller.getResponse(getList, asked).data);
    const created = () => screen.controller.fetch(create, { state: 'open', title: 'task 2' });
    expect(await screen.after(created)).toHaveLength(1);
    expect(shown()).toEqual([3]);
    const changed = () => screen.controller.fetch(partialUpdate, { id: 2 }, { state: 'done' });
    // A list of open tasks only is not affected. A list of values may also mean a range, if no rule says otherwise.
    const isMeant = !Array.isArray(asked.state) || asked.state.includes('done');
    const isSure = typeof asked.state === 'string' || Object.keys(list).length > 0;
    expect(await screen.after(changed)).toHaveLength(isMeant || !isSure ? 1 : 0);
    expect(shown()).toEqual(isMeant ? [2, 3] : [3]);
    const late = () => screen.controller.fetch(create, { state: 'late', title: 'task 2' });
    expect(await screen.after(late)).toHaveLength(isSure ? 0 : 1);
  });

  test('counts a pushed record once, even if an argument contains quotes', () => {
    const list = new Collection([Task], { total: 'n' });
    const counted = new schema.Object({ tasks: list, n: 0 });
    const store = new Store();
    const args = [{ title: 'a": b, "c' }];
    store.write(counted, { tasks: [], n: 0 }, { args });
    store.write(list.push, { id: 1, ...args[0] }, { args });
    expect(store.get(counted, args[0] as object)).toMatchObject({ tasks: [{ id: 1 }], n: 1 });
  });
});

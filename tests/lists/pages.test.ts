import { describe, expect, test, vi } from 'vitest';
import {
  Collection,
  Controller,
  dehydrate,
  hydrate,
  Invalidate,
  resource,
  RestEndpoint,
  schema,
  Store,
  Values,
} from '../../src/index.ts';
import { envelope } from '../../src/wire.ts';
import { Transport } from '../ordering/transport.ts';
import { settled } from '../reliability/network/clock.ts';
import { Screen, Task } from './screen.ts';
import { addGuess } from '../../src/state/store/layer.ts';

const ids = (list: unknown): unknown[] => (list as readonly { readonly id: unknown }[]).map(({ id }) => id);
const task = (id: number): object => ({ id, title: `task ${id}` });

const search: Record<string, unknown> | undefined = {};

/** Five tasks, in pages. */
function paged(list: object) {
  let all = [1, 2, 3, 4, 5].map(task);
  const screen = new Screen((url, method, body) => {
    if (method === 'DELETE')
      return void (all = all.filter((one) => !url.pathname.endsWith(`/${String(Reflect.get(one, 'id'))}`)));
    if (method === 'POST') {
      const made = { id: 9, ...(body as object) };
      all = Object(list).create === 'first' ? [made, ...all] : [...all, made];
      return made;
    }
    const size = Number(url.searchParams.get('limit') ?? 2);
    const start = (Number(url.searchParams.get('page') ?? 1) - 1) * size;
    return all.slice(start, start + size);
  });
  const tasks = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: search,
    paginationField: 'page',
    platform: screen.platform,
    list,
  });
  const shown = (args: object): unknown[] => ids(screen.controller.getResponse(tasks.getList, args as never).data);
  return { screen, shown, ...tasks };
}

describe('a record that is created', () => {
  test('joins a full first page, removes the last record of that page, and only the other pages are fetched', async () => {
    const { create, getList, screen, shown } = paged({ create: 'first' });
    await screen.show(getList, { page: 1, limit: 2 }, { page: 2, limit: 2 });
    const asked = await screen.after(() => screen.controller.fetch(create, { title: 'new' }));
    expect(shown({ page: 1, limit: 2 })).toEqual([9, 1]);
    expect(asked).toEqual(['/tasks?limit=2&page=2']);
    expect(shown({ page: 2, limit: 2 })).toEqual([2, 3]);
  });

  describe('that needs another page', () => {
    /** Whether the first page is fetched after a creation, if its answer had two records and the fields `beside`. */
    const isAsked = async (
      beside: object,
      besideOthers: object = {},
      create: 'first' | 'last' = 'first',
      isCursorInSchema = false,
    ): Promise<boolean> => {
      const fresh = new Screen((url, method) => {
        if (method === 'POST') return task(9);
        return { items: [task(2), task(1)], ...(url.searchParams.has('page') ? besideOthers : beside) };
      });
      const list = new Collection([Task], { create, total: 'total' });
      const tasks = resource({
        path: '/tasks/:id',
        schema: Task,
        searchParams: search,
        platform: fresh.platform,
      }).extend({ getList: { schema: { items: list, total: 0, ...(isCursorInSchema && { next: '' }) } } });
      await fresh.show(tasks.getList, { limit: 2 }, { limit: 9 }, { limit: 2, page: 3 });
      const asked = await fresh.after(() => fresh.controller.fetch(tasks.create, { title: 'new' }));
      return asked.includes('/tasks?limit=2');
    };

    test('makes the first page stale when that page has the cursor of the next page', async () => {
      expect(await isAsked({ total: 5, next: 'b' })).toBe(true);
      expect(await isAsked({ total: 5 })).toBe(false);
      expect(await isAsked({})).toBe(false);
    });

    test('makes the first page stale when that page was the last one, because it may have a cursor now', async () => {
      expect(await isAsked({ total: 2 })).toBe(true);
      expect(await isAsked({}, { next: 'c' })).toBe(true);
      expect(await isAsked({ total: 2 }, {}, 'last')).toBe(true);
      expect(await isAsked({ total: 3 }, {}, 'last')).toBe(false);
    });

    test('makes a full first page without a cursor stale if other pages have one, because the page may have been the last one', async () => {
      expect(await isAsked({}, { next: 'c' }, 'last')).toBe(true);
      expect(await isAsked({ next: 'b' }, {}, 'last')).toBe(false);
      expect(await isAsked({}, {}, 'last')).toBe(false);
    });

    test('makes a full first page without a cursor stale if the schema has one', async () => {
      expect(await isAsked({}, {}, 'first', true)).toBe(true);
      expect(await isAsked({}, {}, 'last', true)).toBe(true);
      expect(await isAsked({ next: 'b' }, {}, 'last', true)).toBe(false);
    });
  });

  test('joins the lists of another endpoint by the rules of that endpoint when its own list has no rules', async () => {
    const { create, getList, screen } = paged({});
    const newestFirst = new Collection([Task], { create: 'first' });
    const getFeed = getList.extend({ schema: { tasks: newestFirst }, process: (tasks: unknown) => ({ tasks }) });
    await screen.show(getFeed, { page: 1, limit: 2 });
    await screen.after(() => screen.controller.fetch(create, { title: 'new' }));
    expect(ids(screen.controller.getResponse(getFeed, { page: 1, limit: 2 }).data?.tasks)).toEqual([9, 1]);
  });

  test('joins the last page when new records come last', async () => {
    const { create, getList, screen, shown } = paged({});
    await screen.show(getList, { page: 1, limit: 2 }, { page: 3, limit: 2 });
    const asked = await screen.after(() => screen.controller.fetch(create, { title: 'new' }));
    expect(asked).toEqual(['/tasks?limit=2&page=3']);
    expect(shown({ page: 1, limit: 2 })).toEqual([1, 2]);
    expect(shown({ page: 3, limit: 2 })).toEqual([5, 9]);
  });

  test('takes the last place of a page when a later creation is pending at the same time', async () => {
    const transport = new Transport();
    const controller = new Controller({ now: () => transport.time });
    const { create, getList } = resource({
      path: '/tasks/:id',
      schema: Task,
      searchParams: search,
      platform: transport,
      optimistic: true,
    });
    const page = { limit: 2 };
    controller.fetch(getList, page).catch(() => {});
    await settled();
    transport.take('GET /tasks?limit=2').answer([task(1)]);
    await settled();
    controller.watch(getList, page, () => {});
    for (const title of ['second', 'third']) void controller.fetch(create, { title });
    await settled();
    for (const id of [2, 3]) {
      transport.take('POST /tasks').answer(task(id));
      // oxlint-disable-next-line no-await-in-loop -- one answer after another
      await settled();
    }
    expect(ids(controller.getResponse(getList, page).data)).toEqual([1, 2]);
    expect(transport.sent).toEqual([]);
  });

  test('joins a page of unknown size, and that page is fetched', async () => {
    const { create, getList, screen } = paged({ create: 'first' });
    await screen.show(getList, { offset: 0 });
    expect(await screen.after(() => screen.controller.fetch(create, { title: 'new' }))).toEqual(['/tasks?offset=0']);
  });

  test('joins a first page that is not full, without a request', async () => {
    const { create, getList, screen, shown } = paged({});
    await screen.show(getList, { limit: 10 });
    expect(await screen.after(() => screen.controller.fetch(create, { title: 'new' }))).toEqual([]);
    expect(shown({ limit: 10 })).toEqual([1, 2, 3, 4, 5, 9]);
  });

  test('joins the first page when further pages were appended to it', async () => {
    const { create, getList, screen, shown } = paged({ create: 'first' });
    await screen.show(getList, { limit: 2 });
    await screen.controller.fetch(getList.getPage, { limit: 2, page: '2' });
    expect(await screen.after(() => screen.controller.fetch(create, { title: 'new' }))).toEqual([]);
    expect(shown({ limit: 2 })).toEqual([9, 1, 2, 3, 4]);
  });
});

test('a list to which further pages were appended keeps them when it is fetched again', async () => {
  const { create, getList, screen, shown } = paged({ create: 'first' });
  await screen.show(getList, { limit: 2 });
  await screen.controller.fetch(getList.getPage, { limit: 2, page: '2' });
  await screen.controller.fetch(create, { title: 'new' });
  await screen.controller.fetch(getList, { limit: 2 });
  expect(shown({ limit: 2 })).toEqual([9, 1, 2, 3, 4]);
});

test('a list and its further pages that are read while a mutation is pending have no gap: only the list is fetched again', async () => {
  let all = [8, 7, 6, 5, 4, 3, 2, 1].map(task);
  const screen = new Screen((url, method) => {
    if (method === 'POST') all = [task(10), task(9), ...all];
    if (method === 'POST') return all[0];
    const before = Number(url.searchParams.get('before') ?? Infinity);
    return all.filter((one) => Number(Reflect.get(one, 'id')) < before).slice(0, 2);
  });
  const { create, getList } = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: search,
    paginationField: 'before',
    list: { create: 'first' },
    platform: screen.platform,
  });
  const { controller } = screen;
  await screen.show(getList, {});
  const asked = await screen.after(async () => {
    const reads = [controller.fetch(getList), controller.fetch(getList.getPage, { before: 7 })];
    await Promise.all([...reads, controller.fetch(create, { title: 'new' })]);
  });
  expect(asked).toEqual(['/tasks', '/tasks?before=7', '/tasks']);
  expect(ids(controller.getResponse(getList).data)).toEqual([10, 9]);
});

test.each<[object, object, boolean, readonly number[]]>([
  [{}, { limit: 10 }, true, [1, 2, 3, 4, 5, 9]],
  [{}, { limit: 2 }, true, [1, 2]],
  [{ create: 'first' }, { limit: 10 }, false, [9, 1, 2, 3, 4, 5]],
  [{ create: 'first' }, { limit: 2 }, true, [9, 1]],
])(
  'a restored page may be the last one, and may have the cursor of the next page, so a created record makes it be fetched: %o, %o: %s',
  async (list, args, isFetched, expected) => {
    const server = paged(list);
    await server.screen.show(server.getList, args);
    const { create, getList, screen, shown } = paged(list);
    const { controller } = screen;
    hydrate(controller.store, JSON.parse(JSON.stringify(dehydrate(server.screen.controller.store))));
    controller.watch(getList, args as never, () => {});
    const asked = await screen.after(async () => {
      await controller.fetch(create, { title: 'new' });
      // Also before the page is fetched.
      expect(shown(args)).toEqual(expected);
    });
    expect(asked).toHaveLength(isFetched ? 1 : 0);
    expect(shown(args)).toEqual(expected);
    expect(await screen.after(() => controller.fetch(create, { id: 10 } as never))).toHaveLength(0);
  },
);

test.each([
  ['cursor', [12, 11]],
  ['page', [12, 11, 8, 7]],
])('a further page that is in flight while its list is replaced, by %s, leaves no gap: %j', async (name, expected) => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const getTasks = new RestEndpoint({
    path: '/tasks',
    searchParams: search,
    schema: new Collection([Task]),
    paginationField: name,
    platform: transport,
  });
  const answer = async (at: number, ...of: readonly number[]): Promise<void> => {
    await settled();
    transport.calls[at]?.answer(of.map(task));
    await settled();
  };
  void controller.fetch(getTasks, {});
  await answer(0, 10, 9);
  void controller.fetch(getTasks, {});
  const page = controller.fetch(getTasks.getPage, { [name]: 2 });
  await answer(1, 12, 11);
  await answer(2, 8, 7);
  expect(ids(await page)).toEqual(expected);
  expect(ids(controller.getResponse(getTasks, {}).data)).toEqual(expected);
});

test('a further page that came too late for its list is not fetched again, although a mutation ended since it was requested', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const { getList, partialUpdate } = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: search,
    paginationField: 'before',
    platform: transport,
  });
  const answer = async (what: string, value: unknown): Promise<void> => {
    await settled();
    transport.take(what).answer(value);
    await settled();
  };
  controller.watch(getList, () => {});
  void controller.fetch(getList);
  await answer('GET /tasks', [10, 9].map(task));
  const page = controller.fetch(getList.getPage, { before: 9 });
  void controller.fetch(partialUpdate, { id: 10 }, { title: 'changed' });
  await answer('PATCH /tasks/10', { id: 10, title: 'changed' });
  void controller.fetch(getList);
  await answer('GET /tasks', [12, 11].map(task));
  await answer('GET /tasks?before=9', [8, 7].map(task));
  expect(transport.sent).toEqual([]);
  expect(ids(await page)).toEqual([12, 11]);
});

describe('a full page that has a cursor beside it', () => {
  function withCursor() {
    let all = [6, 5, 4, 3, 2, 1].map(task);
    const screen = new Screen((url, method) => {
      if (method === 'POST') all = [task(8), ...all];
      if (method === 'POST') return all[0];
      const before = Number(url.searchParams.get('before') ?? Infinity);
      const items = all.filter((one) => Number(Reflect.get(one, 'id')) < before).slice(0, 2);
      return { items, older: Reflect.get(items.at(-1) ?? {}, 'id') };
    });
    const tasks = new Collection([Task], { create: 'first' });
    const { create, getList } = resource({
      path: '/tasks/:id',
      schema: Task,
      searchParams: search,
      platform: screen.platform,
    }).extend({ getList: { schema: { items: tasks, older: 0 } } });
    const pages = [{ limit: 2 }, { limit: 2, before: 5 }];
    const shown = (): unknown[] =>
      pages.flatMap((page) => ids(screen.controller.getResponse(getList, page).data.items));
    const other = (): void => {
      all = [task(7), ...all];
      screen.controller.store.write(tasks.push, all[0]);
    };
    return { create, getList, other, pages, screen, shown };
  }

  test('keeps its last record when another one joins it, because the next page begins after that record', async () => {
    const { create, getList, other, pages, screen, shown } = withCursor();
    await screen.show(getList, ...pages);
    other();
    expect(shown()).toEqual([7, 6, 5, 4, 3]);
    const seen: unknown[] = [];
    screen.controller.watch(getList, { limit: 2 }, () => void seen.push(shown()));
    await screen.after(() => screen.controller.fetch(create, { title: 'task 8' }));
    expect(seen).toContainEqual([8, 7, 6, 5, 4, 3]);
  });

  test('is fetched after a create, also if records of others have joined it before', async () => {
    const { create, getList, other, pages, screen, shown } = withCursor();
    await screen.show(getList, ...pages);
    other();
    const asked = await screen.after(() => screen.controller.fetch(create, { title: 'task 8' }));
    expect(asked).toEqual(['/tasks?limit=2', '/tasks?before=5&limit=2']);
    expect(shown()).toEqual([8, 7, 4, 3]);
  });
});

test('a page that was full is fetched when one of its records is deleted', async () => {
  const { delete: remove, getList, screen, shown } = paged({});
  await screen.show(getList, { page: 1, limit: 2 });
  const asked = await screen.after(() => screen.controller.fetch(remove, { id: 1 }));
  expect(asked).toEqual(['/tasks?limit=2&page=1']);
  expect(shown({ page: 1, limit: 2 })).toEqual([2, 3]);
});

test('a page that was the last is fetched when one of its records is deleted, if its total has grown since', async () => {
  let all = [task(1), task(2)];
  const screen = new Screen((url, method) => {
    if (method === 'DELETE') return void (all = all.slice(1));
    return { items: all.slice(0, 2), total: all.length };
  });
  const list = new Collection([Task], { total: 'total' });
  const tasks = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: search,
    platform: screen.platform,
  }).extend({ getList: { schema: { items: list, total: 0 } } });
  const page = { page: 1, limit: 2 };
  await screen.show(tasks.getList, page);
  all = [...all, task(3)];
  await screen.after(() => screen.controller.fetch(tasks.getList, page));
  const asked = await screen.after(() => screen.controller.fetch(tasks.delete, { id: 1 }));
  expect(asked).toEqual(['/tasks?limit=2&page=1']);
  expect(ids(screen.controller.getResponse(tasks.getList, page).data?.items)).toEqual([2, 3]);
});

test.each([
  ['a name', { page: 2 }, undefined],
  ['a name of one’s own', { seite: 2 }, ['seite']],
  ['an offset', { skip: 10 }, undefined],
  ['a cursor', { cursor: 'abc' }, undefined],
  ['an object, as in JSON:API', { page: { number: 2, size: 2 } }, undefined],
  ['a name with brackets', { 'page[number]': 2 }, undefined],
])('a created record does not join a page that is not the first one: %s', (_name, key, page) => {
  const list = new Collection([Task], { page });
  const store = new Store();
  store.write(list, [task(1)], { args: [key] });
  store.write(list.push, task(2), { args: [{}] });
  expect(ids(store.get(list, key))).toEqual([1]);
});

test.each([
  ['numbered from 1', { page: 1, limit: 9 }],
  ['numbered from 0', { page: 0, per_page: 9 }],
  ['without a cursor', { cursor: '', size: 9 }],
  ['in brackets', { 'page[size]': 9 }],
  ['in an object', { page: { size: 9, number: 1 } }],
])('a created record joins the first page: %s', (_name, key) => {
  const list = new Collection([Task]);
  const store = new Store();
  store.write(list, [task(1)], { args: [key] });
  store.write(list.push, task(2), { args: [{}] });
  expect(ids(store.get(list, key))).toEqual([1, 2]);
});

describe('a page to which a record may have moved from another page', () => {
  const byTitle = (one: Task, other: Task): number => one.title.localeCompare(other.title);

  /** Shows the first two pages of five tasks. Returns a function that changes a task, and returns the requests that follow. */
  const showing = async (
    args: object,
    list: object,
  ): Promise<(id: number, body: object) => Promise<readonly string[]>> => {
    const all = [1, 2, 3, 4, 5].map((id) => ({ id, title: `task ${id}` }));
    const screen = new Screen((url, method, body) => {
      const id = Number(url.pathname.split('/').at(-1));
      if (method === 'PATCH') return Object.assign(all[id - 1] ?? {}, body);
      const [page, size] = ['page', 'limit'].map((name) => Number(url.searchParams.get(name) ?? 9)) as [number, number];
      return all.toSorted(byTitle as never).slice((page - 1) * size, page * size);
    });
    const { getList, partialUpdate } = resource({
      path: '/tasks/:id',
      schema: Task,
      searchParams: search,
      platform: screen.platform,
      list,
    });
    await screen.show(getList, ...[1, 2, 3].map((page) => ({ ...args, limit: 2, page })));
    return async (id, body) => screen.after(() => screen.controller.fetch(partialUpdate, { id }, body));
  };

  test('is fetched when an argument sorts it by the changed field', async () => {
    const change = await showing({ sort: 'title' }, {});
    expect(await change(5, { state: 'done' })).toEqual([]);
    expect(await change(5, { title: 'a' })).toEqual([1, 2, 3].map((page) => `/tasks?limit=2&page=${page}&sort=title`));
  });

  test('is fetched when the record has no known value for another field of its arguments', async () => {
    const change = await showing({ sort: 'title', state: 'open' }, {});
    expect(await change(5, { title: 'a' })).toHaveLength(3);
  });

  test('is fetched when the record has another place in the declared order', async () => {
    const change = await showing({}, { orderBy: byTitle });
    expect(await change(5, { state: 'done' })).toEqual([]);
    expect(await change(5, { title: 'a' })).toEqual([1, 2, 3].map((page) => `/tasks?limit=2&page=${page}`));
  });

  test('is fetched when the declared order throws for the record', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const change = await showing({}, { orderBy: (one: Task, other: Task) => one.title.length - other.title.length });
    expect(await change(1, { title: null })).toContain('/tasks?limit=2&page=2');
    expect(log.mock.calls.flat().join()).toContain('list-rule-threw');
    log.mockRestore();
  });

  test('is not fetched when its order is not known', async () => {
    const change = await showing({}, {});
    expect(await change(5, { title: 'a' })).toEqual([]);
  });
});

test('a page size that is not a number is ignored', () => {
  const list = new Collection([Task]);
  const store = new Store();
  store.write(list, [task(1)], { args: [{ limit: 'all' }] });
  store.write(list.unshift, task(2), { args: [{}] });
  expect(ids(store.get(list, { limit: 'all' }))).toEqual([2, 1]);
});

test('a record that is removed from a list is removed from each page of it', () => {
  const list = new Collection([Task]);
  const store = new Store();
  store.write(list, [task(1), task(2)], { args: [{ page: 2 }] });
  store.write(list.remove, task(1), { args: [{}] });
  expect(ids(store.get(list, { page: 2 }))).toEqual([2]);
});

describe('a total', () => {
  const list = new Collection([Task], { total: 'total_count' });
  const counted = new schema.Object({ tasks: list, total_count: 0 });
  const totalOf = (store: Store, key: object): unknown =>
    Reflect.get(store.get(counted, key as never) as object, 'total_count');
  const filled = (): Store => {
    const store = new Store();
    store.write(counted, { tasks: [task(1), task(2)], total_count: 40 }, { args: [{ page: 1, limit: 2 }] });
    store.write(counted, { tasks: [task(3)], total_count: '40' }, { args: [{ page: 2, limit: 2, sort: 'title' }] });
    return store;
  };

  test('is the same for all pages of a list, and changes when records are created and deleted', () => {
    const store = filled();
    store.write(list.push, task(9), { args: [{}] });
    expect(totalOf(store, { page: 1, limit: 2 })).toBe(41);
    store.write(new Invalidate(Task), { id: 3 });
    expect(totalOf(store, { page: 2, limit: 2, sort: 'title' })).toBe(40);
  });

  test('is restored when an optimistic creation fails', () => {
    const store = filled();
    const layer = addGuess(store, () => ({ schema: list.push, response: { title: 'new' }, args: [{}] }));
    expect(totalOf(store, { page: 1, limit: 2 })).toBe(41);
    layer.drop();
    expect(totalOf(store, { page: 1, limit: 2 })).toBe(40);
  });

  test('that is not a number is kept as it is, and has the value of its schema before there is a list', () => {
    const store = new Store();
    expect(totalOf(store, {})).toBe(0);
    store.write(counted, { tasks: [], total_count: null }, { args: [{}] });
    store.write(counted, { tasks: [], total_count: 'many' }, { args: [{}] });
    const view = store.query(counted, [{}]).current();
    expect(view).toMatchObject({ tasks: [], total_count: undefined });
    expect(store.write(counted, { tasks: [], total_count: 'many' }, { args: [{}] })).toMatchObject({
      total_count: 'many',
    });
    expect(store.read(counted, store.write(counted, { tasks: [], total_count: 'many' }, { args: [{}] }))).toMatchObject(
      { total_count: 'many' },
    );
  });

  test('of a list with its own pk is the total of the answer', () => {
    class Own extends Collection<(typeof Task)[]> {
      override pk(): string {
        return 'mine';
      }
    }
    const own = new schema.Object({ tasks: new Own([Task], { total: 'count' }), count: 0 });
    const store = new Store();
    expect(store.write(own, { tasks: [], count: 3 }, { args: [{}] })).toEqual({ tasks: 'mine', count: 3 });
  });

  test('of a wire changes when a record is created', async () => {
    const screen = new Screen((_url, method, body) =>
      method === 'GET'
        ? { tasks: [task(1)], total_count: 1 }
        : { task: { id: 2, ...Object(Reflect.get(Object(body), 'task')) } },
    );
    const { create, getList } = resource({
      path: '/tasks/:id',
      schema: Task,
      platform: screen.platform,
      wire: envelope({ one: 'task', many: 'tasks', total: 'total_count' }),
    });
    await screen.show(getList, {});
    expect(await screen.after(() => screen.controller.fetch(create, { title: 'new' }))).toEqual([]);
    expect(screen.controller.getResponse(getList, {}).data).toMatchObject({ items: [{ id: 1 }, { id: 2 }], total: 2 });
  });

  test('of a list that is loaded page by page changes with a record that is not on a loaded page', () => {
    const store = new Store();
    const tasks = new Collection([Task], { total: 'total' });
    const withTotal = { items: tasks, total: 0 };
    store.write(withTotal, { items: [task(1), task(2)], total: 3 }, { resultKey: 'GET /tasks' });
    store.write(Task, task(3), { args: [{ id: 3 }] });
    store.write(new Invalidate(Task), { id: 3 });
    expect(store.resultView('GET /tasks').current()).toMatchObject({ total: 2 });
  });

  test('of a map that is loaded in parts changes with a record that is in no loaded part', () => {
    const store = new Store();
    const withTotal = { items: new Collection(new Values(Task), { total: 'total' }), total: 0 };
    store.write(withTotal, { items: { one: task(1), two: task(2) }, total: 3 }, { resultKey: 'GET /tasks' });
    store.write(Task, task(3), { args: [{ id: 3 }] });
    store.write(new Invalidate(Task), { id: 3 });
    expect(store.resultView('GET /tasks').current()).toMatchObject({ total: 2 });
  });

  test('is fetched when only the server knows whether a record counts, or when the server may have counted it already', async () => {
    let total = 7;
    const screen = new Screen((_url, method) =>
      method === 'GET' ? { tasks: [task(1)], total_count: total++ } : task(1),
    );
    const getTasks = new RestEndpoint({
      path: '/tasks',
      searchParams: {} as { q: string },
      schema: counted,
      platform: screen.platform,
    });
    const { delete: remove, create } = resource({
      path: '/tasks/:id',
      schema: Task,
      platform: screen.platform,
      list: { total: 'total_count' },
    });
    await screen.show(getTasks, { q: 'a' });
    expect(await screen.after(() => screen.controller.fetch(create, { title: 'a' }))).toEqual(['/tasks?q=a']);
    expect(await screen.after(() => screen.controller.fetch(remove, { id: 1 }))).toEqual(['/tasks?q=a']);
    expect(totalOf(screen.controller.store, { q: 'a' })).toBe(9);
  });
});

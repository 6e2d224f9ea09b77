import { afterEach, describe, expect, test, vi } from 'vitest';
import { Collection, Controller, dehydrate, hydrate, Invalidate, resource, schema, Store } from '../../src/index.ts';
import type { MutationAnswer } from '../../src/state/normalize/write-in-progress.ts';
import { Showing } from '../../src/state/store/showing.ts';
import { settled } from '../reliability/network/clock.ts';
import { Transport } from '../ordering/transport.ts';
import { Owner, Screen, Task } from './screen.ts';

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => void log.mockClear());

const task = (id: number, state: string): object => ({ id, title: `task ${id}`, state });
const list = new Collection([Task], { total: 'n' });
const counted = new schema.Object({ tasks: list, n: 0 });

type Lists = readonly (readonly [key: object, tasks: readonly object[]])[];

function write(store: Store, lists: Lists): void {
  for (const [key, tasks] of lists) store.write(counted, { tasks, n: tasks.length }, { args: [key] });
}

/** The store of a browser, with the data of a server-rendered page. */
function restored(lists: Lists): Store {
  const server = new Store();
  for (const [key, tasks] of lists)
    server.write(counted, { tasks, n: tasks.length }, { args: [key], resultKey: JSON.stringify(key) });
  const store = new Store();
  hydrate(store, JSON.parse(JSON.stringify(dehydrate(server))));
  return store;
}

/** Returns the lists and totals that a mutation, or a read during a mutation of these records, puts in doubt. */
function doubts(
  store: Store,
  kind: unknown,
  input: unknown,
  {
    mutated = [],
    isMutation = true,
    sent = 0,
    ...options
  }: {
    mutated?: string[];
    isMutation?: boolean;
    sent?: number;
    request?: ReturnType<Store['begin']>;
    args?: readonly unknown[];
    answer?: MutationAnswer;
  } = {},
): readonly string[] {
  const found: string[] = [];
  const answeredRequest = {
    isMutation,
    sent,
    doubt: (table: string, pk: string) => void found.push(`${table} ${pk}`),
    isMutated: (_table: string, pk: string) => mutated.includes(pk),
  };
  store.write(kind, input, { answeredRequest, ...options });
  return found;
}

describe('a read that contains the change of a pending mutation puts these in doubt:', () => {
  test('lists that were requested after the read, because they may have been answered before it', () => {
    const store = new Store();
    write(store, [[{}, [task(1, 'open'), task(3, 'new')]]]);
    const request = store.begin();
    write(store, [
      [{ state: 'done' }, []],
      [{ state: 'new' }, []],
      [{ q: 'task' }, []],
      [{ owner: 7 }, []],
      [{ title: 'task 3' }, []],
    ]);
    const read = { isMutation: false, mutated: ['3'], request };
    expect(doubts(store, Task, task(3, 'done'), read)).toEqual(['[Task] {"state":"done"}', '[Task] {"q":"task"}']);
  });

  test('lists that lack a record of the read', () => {
    const store = new Store();
    write(store, [[{}, [task(1, 'open')]]]);
    const request = store.begin();
    write(store, [[{ state: 'open' }, [task(1, 'open')]]]);
    const read = { isMutation: false, mutated: ['9'], request };
    expect(doubts(store, Task, task(9, 'open'), read)).toEqual([
      '[Task] {}',
      '[Task] {"state":"open"}',
      '[Task]#total {}',
    ]);
  });
});

describe('a mutation puts these in doubt:', () => {
  test('whole lists that lack the record although it belongs to them, if its answer equals the stored record', () => {
    const store = new Store();
    write(store, [
      [{ state: 'open' }, []],
      [{ state: 'done' }, []],
      [{ state: 'open', page: 1 }, []],
    ]);
    store.write(Task, task(1, 'open'));
    const answer = { mutated: ['1'] };
    expect(doubts(store, Task, task(1, 'open'), answer)).toEqual(['[Task] {"state":"open"}']);
    expect(doubts(store, Task, task(1, 'open'))).toEqual([]);
  });

  test('pages that lack the record, if its place in the order is on one of them and its answer equals the stored record', () => {
    const inOrder = new Collection([Task], { orderBy: (one: Task, other: Task) => one.id - other.id });
    const doubtsAbout = (id: number, ...pages: readonly (readonly number[])[]): readonly string[] => {
      const store = new Store();
      for (const [at, ids] of pages.entries())
        store.write(
          inOrder,
          ids.map((one) => task(one, 'open')),
          { args: [{ state: 'open', page: at + 1, limit: 2 }] },
        );
      store.write(Task, task(id, 'open'));
      return doubts(store, Task, task(id, 'open'), { mutated: [String(id)] }).map(
        (name) => /"page":"(.)"/.exec(name)?.[1] ?? name,
      );
    };
    expect(doubtsAbout(2, [1, 3], [4, 5], [6, 7])).toEqual(['1', '2', '3']);
    expect(doubtsAbout(5, [1, 3], [4, 6], [7, 8])).toEqual(['2', '3']);
    expect(doubtsAbout(5, [1, 3], [6, 7])).toEqual([]);
    expect(doubtsAbout(3, [1, 3], [4, 5])).toEqual([]);
    expect(doubtsAbout(9, [1, 3], [4, 5])).toEqual([]);
  });

  test('whole lists that lack the record although it belongs to them, if they arrived while the mutation was pending', () => {
    const store = new Store();
    write(store, [[{ state: 'done' }, []]]);
    const { issue: sent } = store.begin();
    write(store, [
      [{ title: 'task 1' }, []],
      [{ title: 'task 1', page: 1 }, []],
      [{ title: 'task 2' }, []],
    ]);
    store.write(Task, task(1, 'done'));
    write(store, [[{ title: 'task 1' }, []]]);
    const answer = { ...task(1, 'done'), watchers: [] };
    expect(doubts(store, Task, answer, { mutated: ['1'], sent })).toEqual(['[Task] {"title":"task 1"}']);
  });

  test('the pages and totals that may have contained a record of which nothing was known', () => {
    const known = (): Store => {
      const store = new Store();
      write(store, [[{ state: 'open', page: 1 }, [task(1, 'open')]]]);
      return store;
    };
    const both = ['[Task] {"page":"1","state":"open"}', '[Task]#total {"state":"open"}'];
    expect(doubts(known(), new Invalidate(Task), { id: 9 }, { mutated: ['9'] })).toEqual(both);
    expect(doubts(known(), Task, task(9, 'done'), { mutated: ['9'] })).toEqual(both);
    // Other records of the answer may have been in the list before, but probably were not.
    expect(doubts(known(), Task, task(9, 'done'))).toEqual([]);
  });

  test('lists that were restored and that no schema has read', () => {
    const store = restored([
      [{ state: 'open' }, [task(1, 'open')]],
      [{ state: 'done' }, []],
    ]);
    expect(doubts(store, Task, task(1, 'done'))).toEqual(['[Task] {"state":"open"}', '[Task] {"state":"done"}']);
    const showing = new Showing(store.writer.core, [['[Task]', '{"state":"open"}']]);
    expect(showing.distance('{"state":"open"}')).toBe(0);
    expect(showing.distance('{"state":"done"}')).toBeUndefined();
    expect(new Showing(store.writer.core, [['Task', '1']]).distance('{"state":"open"}')).toBe(1);
  });
});

describe('a mutation of a record that is in doubt puts these in doubt:', () => {
  const page = { state: 'open', limit: 1, page: 2 };
  /** Requested after task 1 had become in doubt. */
  const known = (isDoubted: boolean): Store => {
    const store = new Store();
    store.write(Task, task(1, 'open'));
    if (isDoubted) new Showing(store.writer.core, [['Task', '1']]).expire();
    write(store, [
      [page, [task(2, 'open')]],
      [{ ...page, state: 'done' }, [task(3, 'done')]],
    ]);
    return store;
  };
  const pages = ['open', 'done'].map((state) => `[Task] {"limit":"1","page":"2","state":"${state}"}`);
  const totals = ['open', 'done'].map((state) => `[Task]#total {"state":"${state}"}`);

  test('the pages and totals that arrived since, although its answer equals the stored record', () => {
    const answer = { mutated: ['1'] };
    expect(doubts(known(true), Task, task(1, 'open'), answer)).toEqual([...pages, ...totals]);
    expect(doubts(known(false), Task, task(1, 'open'), answer)).toEqual([]);
  });

  test('whole lists that arrived since and lack it, and the record joins them', () => {
    const store = known(true);
    write(store, [[{ state: 'open' }, [task(2, 'open')]]]);
    expect(doubts(store, Task, task(1, 'open'), { mutated: ['1'] })).toContain('[Task] {"state":"open"}');
    expect(store.get(counted, { state: 'open' })).toMatchObject({ tasks: [{ id: 2 }, { id: 1 }], n: 2 });
  });
});

describe('a mutation puts these lists by related records in doubt:', () => {
  const byOwner = new Collection([Task], { where: { boss: (one) => one.owner?.name } });
  const ann = { id: 7, name: 'ann' };
  const owned = (id: number): object => ({ ...task(id, 'open'), owner: ann });

  test('lists that arrived while a mutation of the related record was pending, although its answer equals the stored record', () => {
    const store = new Store();
    const writeList = (key: object): unknown => store.write(byOwner, [owned(1)], { args: [key] });
    const keys = [{ sort: 'owner.name' }, { boss: 'ann' }, { state: 'open' }];
    keys.forEach(writeList);
    const { issue: sent } = store.begin();
    expect(doubts(store, Owner, ann, { mutated: ['7'], sent })).toEqual([]);
    keys.forEach(writeList);
    const doubted = ['[Task] {"sort":"owner.name"}', '[Task] {"boss":"ann"}'];
    expect(doubts(store, Owner, ann, { mutated: ['7'], sent })).toEqual(doubted);
  });

  test('lists that a record may join by a field of another record that is in doubt', () => {
    const known = (isDoubted: boolean): Store => {
      const store = new Store();
      store.write(byOwner, [owned(1)], { args: [{ boss: 'ann' }] });
      store.write(Task, { ...task(2, 'open'), owner: null });
      if (isDoubted) new Showing(store.writer.core, [['Owner', '7']]).expire();
      return store;
    };
    const change = { ...task(2, 'open'), owner: 7 };
    const members = (isDoubted: boolean): unknown => {
      const store = known(isDoubted);
      // Only the server knows the place of the record, or whether it belongs there.
      expect(doubts(store, Task, change, { mutated: ['2'] })).toEqual(['[Task] {"boss":"ann"}']);
      return store.get(byOwner, { boss: 'ann' });
    };
    expect(members(true)).toHaveLength(1);
    expect(members(false)).toHaveLength(2);
  });
});

test('lists by a field of another record are fetched when a mutation changes a reference from one unknown record to another', async () => {
  let owner = 8;
  const screen = new Screen((url, method) => {
    const [, , id] = url.pathname.split('/');
    if (method === 'PATCH') owner = 7;
    if (id !== undefined) return { ...task(1, 'open'), owner: { id: owner } };
    return owner === 7 && url.searchParams.get('boss') === 'bob'
      ? [{ ...task(1, 'open'), owner: { id: 7, name: 'bob' } }]
      : [];
  });
  const { get, getList, partialUpdate } = resource({
    platform: screen.platform,
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { boss: string },
    list: { where: { boss: (one: Task) => one.owner?.name } },
  });
  await screen.controller.fetch(get, { id: 1 });
  await screen.show(getList, { boss: 'ann' }, { boss: 'bob' });
  const change = () => screen.controller.fetch(partialUpdate, { id: 1 }, { state: 'open' });
  expect(await screen.after(change)).toEqual(['/tasks?boss=ann', '/tasks?boss=bob']);
  expect(screen.controller.getResponse(getList, { boss: 'bob' }).data).toHaveLength(1);
  expect(await screen.after(change)).toEqual([]);
});

describe('a record that is in doubt', () => {
  class Merged extends Task {
    static override key = 'Merged';
    static override merge(existing: object, incoming: object): object {
      return { ...existing, ...incoming };
    }
  }
  const inDoubt = (kind: typeof Task): Store => {
    const store = new Store();
    store.write(kind, task(1, 'open'));
    new Showing(store.writer.core, [[kind.key, '1']]).expire();
    return store;
  };

  test.each([Task, Merged])('stays in doubt when an answer has a part of it, or only refers to it (%o)', (kind) => {
    const store = inDoubt(kind);
    for (const part of [{ id: 1 }, { id: 1, state: 'open' }, { id: 1, state: 'done' }]) {
      store.write([kind], [part], { expiresAt: 1000 });
      expect(store.expiresAt(kind, { id: 1 })).toBe(0);
    }
    expect(store.get(kind, { id: 1 })?.state).toBe('done');
  });

  test.each([Task, Merged])('is known again when an answer has all of it (%o)', (kind) => {
    const store = inDoubt(kind);
    store.write([kind], [{ id: 1 }, task(1, 'done'), { id: 1 }], { expiresAt: 1000 });
    expect(store.expiresAt(kind, { id: 1 })).toBe(1000);
    new Showing(store.writer.core, [[kind.key, '1']]).expire();
    store.write(kind, task(1, 'done'), { expiresAt: 2000 });
    expect(store.expiresAt(kind, { id: 1 })).toBe(2000);
  });

  test('is known again when an answer that has the whole record leaves fields out', () => {
    const store = inDoubt(Task);
    store.write(Task, { id: 1, title: 'task 1' }, { expiresAt: 1000, isWhole: true });
    expect(store.expiresAt(Task, { id: 1 })).toBe(1000);
    expect(store.get(Task, { id: 1 })?.state).toBe('');
  });
});

test('after the answer to a mutation was lost, an answer that only refers to its record adds nothing to lists by it', async () => {
  let [name, owner] = ['ann', 8];
  const screen = new Screen((url, method, body) => {
    const [, kind, id] = url.pathname.split('/');
    if (kind === 'owners') {
      ({ name } = body as { name: string });
      throw new TypeError('Failed to fetch');
    }
    if (method === 'PATCH') owner = 7;
    if (id !== undefined) return { ...task(1, 'open'), owner: { id: owner } };
    return owner === 7 && url.searchParams.get('owner') === name
      ? [{ ...task(1, 'open'), owner: { id: 7, name } }]
      : [];
  });
  const shared = { platform: screen.platform } as const;
  const tasks = resource({
    ...shared,
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { owner: string },
    list: { where: { owner: (one: Task) => one.owner?.name } },
  });
  const { partialUpdate } = resource({ ...shared, path: '/owners/:id', schema: Owner });
  await screen.controller.set(Owner, { id: 7 }, { id: 7, name });
  await screen.controller.set(Owner, { id: 8 }, { id: 8, name: 'zoe' });
  await screen.controller.fetch(tasks.get, { id: 1 });
  await screen.show(tasks.getList, { owner: 'ann' }, { owner: 'bob' });
  await screen.after(() => screen.controller.fetch(partialUpdate, { id: 7 }, { name: 'bob' }).catch(() => {}));
  expect(
    await screen.after(() => screen.controller.fetch(tasks.partialUpdate, { id: 1 }, { title: 'task 1' })),
  ).toEqual(['/tasks?owner=ann', '/tasks?owner=bob']);
  expect(screen.controller.getResponse(tasks.getList, { owner: 'ann' }).data).toEqual([]);
  expect(screen.controller.getResponse(tasks.getList, { owner: 'bob' }).data).toHaveLength(1);
});

test('a list without a record that is in doubt refutes no rule', () => {
  const store = new Store();
  write(store, [[{ state: 'done' }, []]]);
  doubts(store, Task, task(1, 'open'));
  doubts(store, Task, task(1, 'done'));
  new Showing(store.writer.core, [['Task', '1']]).expire();
  write(store, [[{ state: 'done' }, []]]);
  expect(log).not.toHaveBeenCalled();
});

test('a list without a record refutes no rule by another record that is in doubt, to which it refers', () => {
  const byOwner = new Collection([Task], { where: { owner: (one) => one.owner?.name } });
  const store = new Store();
  const key = { args: [{ owner: 'ann' }] };
  store.write(byOwner, [], key);
  doubts(store, Task, { ...task(1, 'open'), owner: { id: 7, name: 'bob' } });
  doubts(store, Owner, { id: 7, name: 'ann' });
  expect(store.get(byOwner, { owner: 'ann' })).toHaveLength(1);
  new Showing(store.writer.core, [['Owner', '7']]).expire();
  store.write(byOwner, [], key);
  expect(log).not.toHaveBeenCalled();
});

test.each(['1', '7'])(
  'a list without a record refutes no rule while a mutation of it, or of one to which it refers, is pending',
  (mutated) => {
    const byOwner = new Collection([Task], { where: { owner: (one) => one.owner?.name } });
    const store = new Store();
    const key = { args: [{ owner: 'ann' }] };
    store.write(byOwner, [], key);
    doubts(store, Task, { ...task(1, 'open'), owner: { id: 7, name: 'bob' } });
    doubts(store, Owner, { id: 7, name: 'ann' });
    doubts(store, byOwner, [], { ...key, isMutation: false, mutated: [mutated] });
    expect(log).not.toHaveBeenCalled();
  },
);

test('a list that is in doubt stays in doubt while mutations change it', () => {
  const store = new Store();
  write(store, [[{ state: 'open' }, [task(1, 'open'), task(2, 'open')]]]);
  new Showing(store.writer.core, [['[Task]', '{"state":"open"}']]).expire();
  doubts(store, Task, task(1, 'done'));
  expect(store.get(list, { state: 'open' })).toHaveLength(1);
  expect(store.expiresAt(list, { state: 'open' })).toBe(0);
});

test('a page that has become full is not the last page any more when a record belongs after it', () => {
  const store = new Store();
  const page = { state: 'open', limit: 2, page: 1 };
  write(store, [[page, [task(1, 'open')]]]);
  const [create, remove] = [{ args: [{}] }, { mutated: ['1'] }];
  const name = '[Task] {"limit":"2","page":"1","state":"open"}';
  expect(doubts(store, list.push, task(2, 'open'), create)).not.toContain(name);
  doubts(store, list.push, task(3, 'open'), create);
  expect(doubts(store, new Invalidate(Task), { id: 1 }, remove)).toContain(name);
});

test('a list that arrives with a record of which newer data is stored is in doubt', () => {
  const store = new Store();
  const [first, second] = [store.begin(), store.begin()];
  const open = { args: [{ state: 'open' }], isMutation: false, request: first };
  store.write(Task, task(1, 'done'), { request: second });
  expect(doubts(store, list, [task(1, 'open'), task(2, 'open')], open)).toEqual(['[Task] {"state":"open"}']);
  const done = { args: [{ state: 'done' }], isMutation: false, request: store.begin() };
  expect(doubts(store, list, [task(1, 'done')], done)).toEqual([]);
});

test('a list that arrives without a record that has joined it by newer data is in doubt', () => {
  const store = new Store();
  store.write(list, [task(1, 'open'), null], { args: [{ state: 'open' }] });
  store.write(Task, task(2, 'done'), { request: store.begin() });
  const request = store.begin();
  store.write(Task, task(2, 'open'), { request: store.begin() });
  expect(store.get(list, { state: 'open' })).toHaveLength(3);
  const open = { args: [{ state: 'open' }], isMutation: false };
  expect(doubts(store, list, [task(1, 'open')], { ...open, request })).toEqual(['[Task] {"state":"open"}']);
  expect(doubts(store, list, [task(1, 'open')], { ...open, request: store.begin() })).toEqual([]);
});

test('a list that arrives with a record which was deleted since is in doubt, because its total counts the record', () => {
  const store = new Store();
  write(store, [[{}, [task(1, 'open'), task(2, 'open')]]]);
  const request = store.begin();
  store.write(new Invalidate(Task), { id: 2 }, { request: store.begin() });
  const answer = { tasks: [task(1, 'open'), task(2, 'open')], n: 2 };
  expect(doubts(store, counted, answer, { args: [{}], isMutation: false, request })).toEqual(['[Task] {}']);
  const later = { args: [{}], isMutation: false, request: store.begin() };
  expect(doubts(store, counted, { tasks: [task(1, 'open')], n: 1 }, later)).toEqual([]);
});

test('lists are fetched when a record belongs to them by only one of two overlapping changes', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const { getList, partialUpdate } = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: {},
    platform: transport,
  });
  for (const search of [{ title: 'task 1' }, { state: 'open' }, { state: 'done' }, { state: 'new' }, { q: 'task' }]) {
    const tasks = search.state === 'new' ? [] : [task(1, 'open')].filter(() => search.state !== 'done');
    // oxlint-disable-next-line no-await-in-loop -- one list after another
    await controller.setResponse(getList, search, tasks);
    controller.view(getList, search).subscribe(() => {});
  }
  for (const state of ['done', 'open']) controller.fetch(partialUpdate, { id: 1 }, { state }).catch(() => {});
  await settled();
  const [first, second] = [0, 1].map(() => transport.take('PATCH /tasks/1'));
  second?.answer(task(1, 'open'));
  await settled();
  // The server may have executed this change after the other one.
  first?.answer(task(1, 'done'));
  await settled();
  expect(controller.get(Task, { id: 1 })?.state).toBe('open');
  const asked = ['title=task%201', 'state=open', 'state=done', 'q=task'].map((search) => `GET /tasks?${search}`);
  expect(transport.sent).toEqual(asked);
});

test('lists are fetched when a record has left them by an answer that may be older than an overlapping answer', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const { getList, partialUpdate } = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { title: string },
    platform: transport,
  });
  await controller.setResponse(getList, { title: 'old' }, [{ id: 1, title: 'old', state: 'open' }]);
  await controller.setResponse(getList, { title: 'new' }, []);
  for (const title of ['old', 'new']) controller.view(getList, { title }).subscribe(() => {});
  for (const body of [{ state: 'renamed' }, { state: 'done' }])
    controller.fetch(partialUpdate, { id: 1 }, body).catch(() => {});
  await settled();
  const [first, second] = [0, 1].map(() => transport.take('PATCH /tasks/1'));
  first?.answer({ id: 1, title: 'new', state: 'renamed' });
  await settled();
  second?.answer({ id: 1, title: 'old', state: 'done' });
  await settled();
  expect(transport.sent.toSorted()).toEqual(['GET /tasks?title=new', 'GET /tasks?title=old']);
});

test('an answer that is not written puts the lists in doubt that contain the record by either its old or its new fields', () => {
  const store = new Store();
  write(store, [
    [{ state: 'open' }, [task(1, 'open')]],
    [{ state: 'done' }, []],
    [{ filter: { state: 'new' } }, []],
    [{ filter: { state: 'done' } }, []],
  ]);
  const not = (): boolean => false;
  const answer = {
    issue: 1,
    sent: 1,
    fieldsOf: () => ({}),
    isBeforeDeletion: not,
    isOlder: not,
    isDeletionOlder: not,
    noteEdits: () => {},
  };
  expect(doubts(store, Task, task(1, 'done'), { answer })).toEqual(
    ['[Task]', '[Task]#total'].flatMap((name) => [
      `${name} {"state":"open"}`,
      `${name} {"state":"done"}`,
      `${name} {"filter":{"state":"done"}}`,
    ]),
  );
});

test('a record that is changed while its deletion is in flight makes the total uncertain', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const {
    getList,
    partialUpdate,
    delete: remove,
  } = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { limit: number },
    platform: transport,
  }).extend({ getList: { schema: counted } });
  // The page shows another record.
  await controller.setResponse(getList, { limit: 1 }, { tasks: [task(1, 'open')], n: 2 });
  await controller.set(Task, { id: 2 }, task(2, 'open'));
  controller.view(getList, { limit: 1 }).subscribe(() => {});
  for (const ask of [
    () => controller.fetch(remove, { id: 2 }),
    () => controller.fetch(partialUpdate, { id: 2 }, { title: 'changed' }),
  ])
    void ask();
  await settled();
  // The server has carried out the change first.
  transport.take('PATCH /tasks/2').answer({ ...task(2, 'open'), title: 'changed' });
  await settled();
  transport.take('DELETE /tasks/2').answer(undefined, { status: 204 });
  await settled();
  transport.take('GET /tasks?limit=1').answer({ tasks: [task(1, 'open')], n: 1 });
  await settled();
  expect(controller.getResponse(getList, { limit: 1 }).data).toMatchObject({ n: 1 });
});

test('a list to which only the earlier of two edits adds the record is fetched again, if the server answers the later one first and both without data', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const { getList, partialUpdate } = resource({
    path: '/tasks/:id',
    schema: Task,
    optimistic: true,
    searchParams: {} as { state: string },
    platform: transport,
  });
  for (const state of ['open', 'done']) {
    await controller.setResponse(getList, { state }, state === 'open' ? [task(1, 'open')] : []);
    controller.view(getList, { state }).subscribe(() => {});
  }
  for (const state of ['done', 'open']) void controller.fetch(partialUpdate, { id: 1 }, { state });
  await settled();
  const [done, open] = transport.calls.splice(0);
  open?.answer(undefined, { status: 204 });
  await settled();
  done?.answer(undefined, { status: 204 });
  await settled();
  transport.take('GET /tasks?state=open').answer([]);
  transport.take('GET /tasks?state=done').answer([task(1, 'done')]);
  await settled();
  expect(controller.getResponse(getList, { state: 'done' }).data).toMatchObject([{ id: 1, state: 'done' }]);
  expect(controller.getResponse(getList, { state: 'open' }).data).toEqual([]);
});

test('a list that was restored and read once is found', () => {
  const store = restored([[{ state: 'open' }, [task(1, 'open')]]]);
  store.resultView('{"state":"open"}', counted).current();
  store.write(Task, task(1, 'done'));
  expect(new Showing(store.writer.core, [['[Task]', '{"state":"open"}']]).distance('{"state":"open"}')).toBe(0);
});

test('a list that was stored by another class of the same key is found', () => {
  class Other extends Task {}
  const store = new Store();
  write(store, [[{}, [task(1, 'open')]]]);
  const others = new schema.Object({ tasks: new Collection([Other], { total: 'n' }), n: 0 });
  store.write(others, { tasks: [task(1, 'open'), task(2, 'open')], n: 2 }, { args: [{}], resultKey: 'others' });
  expect(new Showing(store.writer.core, [['[Task]', '{}']]).distance('others')).toBe(0);
});

test('a total counts the same records as its whole list', () => {
  const store = new Store();
  store.write(Task, task(2, 'open'));
  write(store, [[{ state: 'open' }, [task(1, 'open')]]]);
  // It was open before the list arrived, and is not in it.
  store.write(Task, task(2, 'done'));
  expect(store.get(counted, { state: 'open' })).toMatchObject({ n: 1 });
});

test('a list without its total is not an answer', () => {
  const store = new Store();
  store.write(list, [task(1, 'open')], { args: [{}] });
  expect(store.get(counted, {})).toMatchObject({ tasks: [{ id: 1 }], n: undefined });
  expect(store.get(counted, { state: 'open' })).toMatchObject({ n: 0 });
});

test('a page that was restored may be followed by another page when members have left it', () => {
  const page = { state: 'open', limit: 2, page: 1 };
  const store = restored([[page, [task(1, 'open'), task(2, 'open')]]]);
  store.query(counted, [page]).current();
  store.write(Task, task(1, 'done'));
  expect(doubts(store, new Invalidate(Task), { id: 2 }, { mutated: ['2'] })).toContain(
    '[Task] {"limit":"2","page":"1","state":"open"}',
  );
});

test('after the answer to a mutation was lost, each list that may contain its record is fetched', async () => {
  let deals = [task(1, 'open'), task(2, 'done')] as { id: number; state: string }[];
  const screen = new Screen((url, method, body) => {
    const state = url.searchParams.get('state');
    if (method === 'GET') return deals.filter((deal) => deal.state === state);
    deals = deals.map((deal) => (deal.id === 2 ? { ...deal, ...(body as object) } : deal));
    throw new TypeError('Failed to fetch');
  });
  const { getList, partialUpdate } = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { state: string },
    platform: screen.platform,
  });
  await screen.show(getList, { state: 'open' });
  const asked = await screen.after(() =>
    screen.controller.fetch(partialUpdate, { id: 2 }, { state: 'open' }).catch(() => {}),
  );
  expect(asked).toEqual(['/tasks?state=open']);
  expect(screen.controller.getResponse(getList, { state: 'open' }).data).toMatchObject([{ id: 1 }, { id: 2 }]);
});

test('a total is fetched again when a read returns a record that changed before the total was fetched', async () => {
  // The page is not the whole list.
  let [other, open] = [task(2, 'open'), 7];
  const screen = new Screen((url) => (url.pathname === '/tasks' ? { tasks: [task(1, 'open')], n: open } : other));
  const { get, getList } = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { state: string; limit: number },
    platform: screen.platform,
  }).extend({ getList: { schema: counted } });
  const page = { state: 'open', limit: 1 };
  const read = () => screen.after(() => screen.controller.fetch(get, { id: 2 }));
  await screen.controller.fetch(get, { id: 2 });
  // Another client has changed the record before the list is fetched.
  [other, open] = [task(2, 'done'), 6];
  await screen.show(getList, page);
  expect(await read()).toEqual(['/tasks/2', '/tasks?limit=1&state=open']);
  expect(screen.controller.getResponse(getList, page).data).toMatchObject({ n: 6 });

  [other, open] = [task(2, 'open'), 7];
  expect(await read()).toEqual(['/tasks/2', '/tasks?limit=1&state=open']);
  // A change after the total was fetched changes the total.
  await read();
  [other, open] = [task(2, 'done'), 6];
  expect(await read()).toEqual(['/tasks/2']);
  expect(screen.controller.getResponse(getList, page).data).toMatchObject({ n: 6 });
});

test('a total is fetched again when a read shows that a deletion was carried out, whose answer was lost before the total was fetched', async () => {
  let [isThere, open] = [true, 7];
  const screen = new Screen((url, method) => {
    if (url.pathname === '/tasks') return { tasks: [task(1, 'open')], n: open };
    if (method === 'GET') return isThere ? task(2, 'open') : new Response(null, { status: 404 });
    [isThere, open] = [false, 6];
    throw new TypeError('Failed to fetch');
  });
  const page = { state: 'open', limit: 1 };
  const tasks = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as typeof page,
    platform: screen.platform,
  }).extend({ getList: { schema: counted } });
  await screen.controller.fetch(tasks.get, { id: 2 });
  await screen.controller.fetch(tasks.delete, { id: 2 }).catch(() => {});
  await screen.show(tasks.getList, page);
  const total = (): unknown => screen.controller.getResponse(tasks.getList, page).data;
  expect(total()).toMatchObject({ n: 6 });
  await screen.after(() => screen.controller.fetch(tasks.get, { id: 2 }).catch(() => {}));
  expect(total()).toMatchObject({ n: 6 });
});

test('after the answer to a mutation was lost, the lists whose rules read its record are fetched', async () => {
  let name = 'ann';
  const screen = new Screen((url, method, body) => {
    if (method === 'GET') return url.searchParams.get('owner') === name ? [{ id: 1, owner: { id: 7, name } }] : [];
    ({ name } = body as { name: string });
    throw new TypeError('Failed to fetch');
  });
  const shared = { platform: screen.platform } as const;
  const { getList } = resource({
    ...shared,
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { owner: string },
    list: { where: { owner: (one: Task) => one.owner?.name } },
  });
  const { partialUpdate } = resource({ ...shared, path: '/owners/:id', schema: Owner });
  await screen.show(getList, { owner: 'ann' }, { owner: 'bob' });
  const renamed = () => screen.controller.fetch(partialUpdate, { id: 7 }, { name: 'bob' }).catch(() => {});
  expect(await screen.after(renamed)).toEqual(['/tasks?owner=ann', '/tasks?owner=bob']);
});

test('after the answer to a create was lost, a record that its guess changed inside of the created one is fetched', async () => {
  let name = 'none';
  const screen = new Screen((url, method) => {
    if (method === 'GET') return url.pathname === '/tasks' ? [] : { id: 7, name };
    name = 'one task';
    throw new TypeError('Failed to fetch');
  });
  const { getList } = resource({ path: '/tasks/:id', schema: Task, platform: screen.platform });
  const create = getList.push.extend({
    getOptimisticResponse: () => ({ title: 'new', owner: { id: 7, name: 'one task' } }),
  });
  const { get } = resource({ path: '/owners/:id', schema: Owner, platform: screen.platform });
  await screen.show(getList, {});
  await screen.show(get, { id: 7 });
  const asked = await screen.after(() => screen.controller.fetch(create, { title: 'new' }).catch(() => {}));
  expect(asked).toEqual(['/tasks', '/owners/7']);
  expect(screen.controller.getResponse(get, { id: 7 }).data).toMatchObject({ name: 'one task' });
});

test('a read of a record that is being changed moves the record in lists that are sorted by an argument', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const { get, getList, partialUpdate } = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { sort: string },
    platform: transport,
  });
  await controller.setResponse(getList, { sort: 'title' }, [task(1, 'open'), task(2, 'open')]);
  controller.view(getList, { sort: 'title' }).subscribe(() => {});
  for (const ask of [
    () => controller.fetch(partialUpdate, { id: 1 }, { title: 'task 3' }),
    () => controller.fetch(get, { id: 1 }),
  ])
    ask().catch(() => {});
  await settled();
  // The server has carried the change out before it answers the read.
  for (const method of ['GET', 'PATCH']) {
    transport.take(`${method} /tasks/1`).answer({ ...task(1, 'open'), title: 'task 3' });
    // oxlint-disable-next-line no-await-in-loop -- one answer after another
    await settled();
  }
  expect(transport.sent).toContain('GET /tasks?sort=title');
});

describe('among many lists, which are found by the values of their arguments:', () => {
  const crowd: Lists = Array.from({ length: 12 }, (_, at) => [{ state: `other ${at}` }, []]);
  const filled = (): Store => {
    const store = new Store();
    write(store, [...crowd, [{ state: 'open' }, [task(1, 'open'), task(2, 'open')]], [{ state: 'done' }, []]]);
    return store;
  };
  const totalOf = (store: Store, state: string): unknown => store.get(counted, { state })?.n;

  test('a deleted record leaves its list, whose total goes down', () => {
    const store = filled();
    doubts(store, new Invalidate(Task), { id: 1 }, { mutated: ['1'] });
    expect(store.get(list, { state: 'open' })?.map(({ id }) => id)).toEqual([2]);
    expect(totalOf(store, 'open')).toBe(1);
    expect(totalOf(store, 'done')).toBe(0);
  });

  test('a mutation of a record that was not stored puts the lists in doubt to which it belongs now', () => {
    const store = filled();
    expect(doubts(store, Task, task(7, 'done'), { mutated: ['7'] })).toContain('[Task] {"state":"done"}');
    expect(totalOf(store, 'open')).toBe(2);
  });

  test('a read of a record that was not stored puts no list in doubt, and a mutation of other records puts the lists in doubt to which it belongs', () => {
    expect(doubts(filled(), Task, task(7, 'done'), { isMutation: false })).toEqual([]);
    expect(doubts(filled(), Task, task(7, 'done'), { mutated: ['1'] })).toContain('[Task] {"state":"done"}');
  });
});

import { describe, expect, test } from 'vitest';
import { actionTypes, Collection, Controller, Entity, Invalidate, RestEndpoint } from '../../src/index.ts';
import { Transport } from '../ordering/transport.ts';
import { settled } from '../reliability/network/clock.ts';
import { Task } from './screen.ts';

const task = (id: number): object => ({ id, title: `task ${id}` });
class Label extends Entity {
  id = 0;
  static override key = 'Label';
}

const search: Record<string, unknown> | undefined = {};

interface Listing {
  readonly list?: ConstructorParameters<typeof Collection<readonly [typeof Task]>>[1];
  readonly args?: Record<string, unknown>;
  /** What comes beside the list. */
  readonly beside?: (ids: readonly number[]) => object;
}

/** A list of the tasks 2 and 1 that is requested again while a stream brings messages. */
async function requestedAgain({ list = {}, args = {}, beside }: Listing = {}) {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const tasks = new Collection([Task], list);
  const getTasks = new RestEndpoint({
    path: '/tasks',
    searchParams: search,
    schema: beside === undefined ? tasks : { items: tasks, ...beside([]) },
    paginationField: 'page',
    platform: transport,
  });
  const answer = async (...ids: readonly number[]): Promise<void> => {
    await settled();
    const items = ids.map(task);
    const { method, url } = transport.calls[0] as (typeof transport.calls)[0];
    transport.take(`${method} ${url}`).answer(beside === undefined ? items : { items, ...beside(ids) });
    await settled();
  };
  controller.watch(getTasks, args, () => {});
  void controller.fetch(getTasks, args);
  await answer(2, 1);
  void controller.fetch(getTasks, args);
  await settled();
  const data = (): unknown => controller.getResponse(getTasks, args).data;
  const shown = (): unknown[] => {
    const value = data() as { items: readonly Task[] } | readonly Task[];
    return ('items' in value ? value.items : value).map(({ id }) => id);
  };
  return { answer, controller, data, getTasks, shown, tasks, transport };
}

describe('a list that was requested before a message added a record to it', () => {
  test.each<readonly [Listing['list'], readonly number[], readonly number[]]>([
    // The message came after the server had read its list.
    [{}, [5, 4, 2, 1], [5, 4, 2, 1, 3]],
    [{ create: 'first' }, [5, 4, 2, 1], [3, 5, 4, 2, 1]],
    [{ orderBy: (one, other) => other.id - one.id }, [5, 4, 2, 1], [5, 4, 3, 2, 1]],
    [{}, [], [3]],
    [{}, [7, 6], [7, 6, 3]],
    [{ create: 'first' }, [7, 6], [3, 7, 6]],
    // The server had the record already.
    [{}, [5, 3, 2], [5, 3, 2]],
    [{ create: 'first' }, [5, 3, 2], [5, 3, 2]],
  ])('has the records of its answer, and that record: %o, %o', async (list, ids, expected) => {
    const { answer, controller, shown, tasks, transport } = await requestedAgain({ list });
    controller.store.write(tasks.push, task(3));
    await answer(...ids);
    expect(shown()).toEqual(expected);
    expect(transport.sent).toEqual([]);
  });

  test('has no record that a message has deleted or removed since', async () => {
    const { answer, controller, shown, tasks } = await requestedAgain();
    controller.store.write(tasks.push, task(3));
    controller.store.write(new Invalidate(Task), { id: 2 });
    controller.store.write(tasks.remove, task(1));
    await answer(5, 2, 1);
    expect(shown()).toEqual([5, 3]);
  });

  test('counts that record in its total', async () => {
    const beside = (ids: readonly number[]): object => ({ total: ids.length });
    const { answer, controller, data, tasks } = await requestedAgain({ list: { total: 'total' }, beside });
    controller.store.write(tasks.push, task(3));
    await answer(5, 4, 2, 1);
    expect(data()).toMatchObject({ total: 5 });
  });

  test('has the length of a page', async () => {
    const { answer, controller, shown, tasks } = await requestedAgain({
      list: { create: 'first' },
      args: { limit: 2 },
    });
    controller.store.write(tasks.push, task(3));
    await answer(5, 4);
    expect(shown()).toEqual([3, 5]);
  });

  test('is fetched again if it is a page that lacks a record which a message has moved to it', async () => {
    const orderBy = (one: Task, other: Task): number => one.title.localeCompare(other.title);
    const args = { limit: 2 };
    const { answer, controller, getTasks, transport } = await requestedAgain({ list: { orderBy }, args });
    await answer(1, 2);
    await controller.set(Task, { id: 7 }, task(7));
    void controller.fetch(getTasks, args);
    await settled();
    await controller.set(Task, { id: 7 }, { ...task(7), title: 'task 0' });
    await answer(1, 2);
    expect(transport.calls).toHaveLength(1);
  });

  test('keeps the last record of a page with a cursor, because the next page begins after it', async () => {
    const { answer, controller, shown, tasks } = await requestedAgain({
      list: { create: 'first' },
      args: { limit: 2 },
      beside: (ids) => ({ older: ids.at(-1) ?? 0 }),
    });
    controller.store.write(tasks.push, task(3));
    await answer(5, 4);
    expect(shown()).toEqual([3, 5, 4]);
  });

  /** As `requestedAgain`, after a further page with the task 0 was added. */
  async function pagedAgain(listing: Listing) {
    const world = await requestedAgain(listing);
    const { answer, controller, getTasks } = world;
    await answer(2, 1);
    void controller.fetch(getTasks.getPage, { page: 2 });
    await answer(0);
    void controller.fetch(getTasks);
    await settled();
    return world;
  }

  test.each<readonly [Listing['list'], readonly number[], readonly number[]]>([
    [{ create: 'first' }, [5, 2, 1], [3, 5, 2, 1, 0]],
    [{ create: 'first' }, [3, 5, 2], [3, 5, 2, 1, 0]],
    // The page does not begin where the answer ends any more.
    [{ create: 'first' }, [5, 4], [3, 5, 4]],
    [{ orderBy: (one, other) => other.id - one.id }, [5, 2], [5, 3, 2, 1, 0]],
    [{ orderBy: (one, other) => other.id - one.id }, [5, 4], [5, 4]],
    [{ orderBy: (one, other) => other.id - one.id }, [], [3]],
  ])('keeps the further pages that begin where its answer ends: %o, %o', async (list, ids, expected) => {
    const { answer, controller, shown, tasks } = await pagedAgain({ list });
    controller.store.write(tasks.push, task(3));
    await answer(...ids);
    expect(shown()).toEqual(expected);
  });

  test('drops a page in flight that was requested by the cursor of the former list', async () => {
    const { answer, controller, getTasks, shown, tasks } = await requestedAgain({ list: { create: 'first' } });
    void controller.fetch(getTasks.extend({ paginationField: 'cursor' }).getPage, { cursor: '1' });
    controller.store.write(tasks.push, task(3));
    await answer(5, 4);
    await answer(0);
    expect(shown()).toEqual([3, 5, 4]);
  });

  test('has a record of which only an edit came as a message', async () => {
    const { answer, controller, shown, tasks } = await requestedAgain();
    controller.store.write(Task, { ...task(5), title: 'edited' });
    controller.store.write(tasks.push, task(3));
    await answer(5, 2, 1);
    expect(shown()).toEqual([5, 2, 1, 3]);
  });

  test('has no record that an edit in a message has moved to another list', async () => {
    const { answer, controller, shown, tasks } = await requestedAgain({ args: { state: 'open' } });
    controller.store.write(Task, { ...task(5), state: 'done' });
    controller.store.write(tasks.push, { ...task(3), state: 'open' });
    await answer(5, 1);
    expect(shown()).toEqual([1, 3]);
  });

  const byTitle: Listing['list'] = { orderBy: (one, other) => one.title.localeCompare(other.title) };

  test.each<readonly [what: string, args: Record<string, unknown>, id: number, shown: readonly number[], sent: number]>(
    [
      ['has it at its new place in the order', {}, 1, [2, 5, 1], 0],
      ['lacks it if others may come before it on a page', { limit: 3 }, 1, [2, 5], 0],
      ['is fetched again if it is the last of a page', { limit: 3 }, 5, [1, 2, 5], 1],
      ['stays in order if it is the last of all', {}, 5, [1, 2, 5], 0],
    ],
  )('if an edit in a message has moved a record, the list %s', async (_what, args, id, expected, sent) => {
    const { answer, controller, shown, transport } = await requestedAgain({ list: byTitle, args });
    controller.store.write(Task, { ...task(id), title: 'task 9' });
    await answer(1, 2, 5);
    expect(shown()).toEqual(expected);
    expect(transport.sent).toHaveLength(sent);
  });

  test.each<readonly [string, Listing['list'], object, readonly number[]]>([
    ['it has left the list', {}, { state: 'done' }, [2, 1, 7]],
    ['it has left a list with an order', byTitle, { state: 'done' }, [2, 1, 7]],
    ['it comes behind the page now', byTitle, { title: 'task 9' }, [2, 1, 7]],
    ['it comes before the others now', byTitle, { title: 'task 0' }, [5, 2, 1, 7]],
  ])(
    'a further page in flight does not add a record at the place before a message: %s',
    async (_what, list, change, expected) => {
      const args = { state: 'open', limit: 2 };
      const { answer, controller, getTasks, shown } = await requestedAgain({ list, args });
      await answer(2, 1);
      void controller.fetch(getTasks.getPage, { ...args, page: 2 });
      controller.store.write(Task, { ...task(5), ...change });
      await answer(5, 7);
      expect(shown()).toEqual(expected);
    },
  );

  test('stays as it is if the answer has nothing new', async () => {
    const { answer, controller, data, tasks } = await requestedAgain();
    controller.store.write(tasks.push, task(3));
    const before = data();
    await answer(2, 1);
    expect(data()).toBe(before);
  });

  test('is newer than an answer that was requested before it and arrives later', async () => {
    const { answer, controller, shown, tasks, transport } = await requestedAgain();
    const [older] = transport.calls.splice(0, 1);
    const key = (): string => 'again';
    void controller.fetch(new RestEndpoint({ path: '/tasks', schema: tasks, key, platform: transport }));
    await settled();
    controller.store.write(tasks.push, task(3));
    await answer(5, 2);
    older?.answer([2, 1].map(task));
    await settled();
    expect(shown()).toEqual([5, 2, 3]);
  });
});

describe('a list that was requested for the first time before a message added a record to it', () => {
  function firstRead(beside?: () => object) {
    const transport = new Transport();
    const controller = new Controller({ now: () => transport.time });
    const tasks = new Collection([Task]);
    const schema = beside === undefined ? tasks : { items: tasks };
    const getTasks = new RestEndpoint({ path: '/tasks', schema, platform: transport });
    const answer = async (...ids: readonly number[]): Promise<void> => {
      const items = ids.map(task);
      transport.take('GET /tasks').answer(beside === undefined ? items : { items });
      await settled();
    };
    void controller.fetch(getTasks);
    /** Stores a message as a `StreamManager` does. */
    const message = (change: object, value: unknown): Promise<void> =>
      controller.dispatch({ type: actionTypes.SET, schema: change as typeof tasks, args: [], value });
    return { answer, controller, getTasks, message, tasks, transport };
  }

  test.each([
    ['a list', undefined],
    ['a list in an object', () => ({})],
  ])('is fetched once more if it is shown, as it may lack the record: %s', async (_name, beside) => {
    const { answer, controller, getTasks, message, tasks, transport } = firstRead(beside);
    controller.watch(getTasks, () => {});
    await settled();
    await message(tasks.push, task(3));
    await answer(1, 2);
    expect(transport.sent).toEqual(['GET /tasks']);
    await message(tasks.push, task(4));
    await answer(1, 2, 3);
    expect(controller.get(tasks, {})?.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(transport.sent).toEqual([]);
  });

  test('is stale if it is not shown, also if the record is set as the answer of an endpoint', async () => {
    const { answer, controller, getTasks, tasks, transport } = firstRead();
    const created = new RestEndpoint({ path: '/tasks', method: 'POST', schema: tasks.push, platform: transport });
    await settled();
    await controller.setResponse(created, {}, task(3));
    await answer(1, 2);
    expect(controller.view(getTasks).current()).toMatchObject({ status: 'stale' });
    expect(transport.sent).toEqual([]);
  });

  test.each<readonly [string, Listing['list'], Record<string, unknown>]>([
    ['a search finds it by a part of a field', {}, { title: 'TASK' }],
    ['an argument asks for several values', {}, { title: 'task 1,task 3' }],
    ['an argument has a rule', { where: { title: ({ id }) => id } }, { title: '3' }],
    ['an argument selects nothing', { nonFilterArgumentKeys: ['title'] }, { title: 'short' }],
    ['the condition is that of a filter', {}, { 'filter[title]': 'task 3' }],
    ['a condition is no field', {}, { 'filter[query]': 'task 1' }],
    ['a field is a record', {}, { owner: 7 }],
    ['a field is a number', {}, { id: 3 }],
  ])('is stale if its arguments may include the record: %s', async (_name, list, args) => {
    const transport = new Transport();
    const controller = new Controller({ now: () => transport.time });
    const tasks = new Collection([Task], list);
    const getTasks = new RestEndpoint({ path: '/tasks', searchParams: search, schema: tasks, platform: transport });
    void controller.fetch(getTasks, args);
    await settled();
    await controller.dispatch({
      type: actionTypes.SET,
      schema: tasks.push,
      args: [],
      value: { ...task(3), owner: { id: 7 } },
    });
    const [request] = transport.calls;
    request?.answer([]);
    await settled();
    expect(controller.view(getTasks, args).current()).toMatchObject({ status: 'stale' });
  });

  test.each<readonly [string, 'stale' | 'fresh', Listing['list'], object]>([
    ['with a value that the list asks for', 'stale', {}, { state: 'open' }],
    ['that was not known', 'stale', {}, { id: 9, state: 'open' }],
    ['with the value that it had', 'fresh', {}, { state: 'done', title: 'other' }],
    ['with another value', 'fresh', {}, { state: 'late' }],
    ['in a field that a rule may read', 'stale', { where: { state: ({ title }) => title } }, { title: 'other' }],
    ['in nothing, and the list has a rule', 'fresh', { where: { state: ({ title }) => title } }, { title: 'task 1' }],
  ])('if a message changes a record %s, it is %s', async (_name, status, list, change) => {
    const transport = new Transport();
    const controller = new Controller({ now: () => transport.time });
    const tasks = new Collection([Task], list);
    const getTasks = new RestEndpoint({ path: '/tasks', searchParams: search, schema: tasks, platform: transport });
    await controller.set(Task, { id: 1 }, { ...task(1), state: 'done' });
    void controller.fetch(getTasks, { state: 'open' });
    await settled();
    const changed = { id: 1, ...change };
    await controller.set(Task, { id: changed.id }, changed);
    const [request] = transport.calls;
    request?.answer([]);
    await settled();
    expect(controller.view(getTasks, { state: 'open' }).current()).toMatchObject({ status });
  });

  test('is fresh if the message is of another list', async () => {
    const { controller, message, tasks, transport } = firstRead();
    const getTasksOf = new RestEndpoint({ path: '/users/:title/tasks', schema: tasks, platform: transport });
    void controller.fetch(getTasksOf, { title: 'task 1' });
    await settled();
    await message(tasks.push, task(3));
    await message(new Collection([Label]).push, { id: 1 });
    transport.take('GET /users/task%201/tasks').answer([task(1)]);
    await settled();
    expect(controller.view(getTasksOf, { title: 'task 1' }).current()).toMatchObject({ status: 'fresh' });
  });
});

test.each([
  ['is not fetched again if its records are the same there', 'task 1', []],
  ['is fetched again if its last record is another one there', 'renamed', ['GET /tasks?limit=2&page=1']],
])('a page that arrives after a list which was requested later %s', async (_what, title, expected) => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const orderBy = (one: Task, other: Task): number => other.id - one.id;
  const getTasks = new RestEndpoint({
    path: '/tasks',
    searchParams: search,
    schema: new Collection([Task], { orderBy }),
    platform: transport,
  });
  const page = { limit: 2, page: 1 };
  for (const args of [page, {}]) {
    controller.watch(getTasks, args, () => {});
    void controller.fetch(getTasks, args);
    // oxlint-disable-next-line no-await-in-loop -- one request after the other
    await settled();
  }
  transport.take('GET /tasks').answer([task(2), { ...task(1), title }]);
  await settled();
  transport.take('GET /tasks?limit=2&page=1').answer([task(2), task(1)]);
  await settled();
  expect(controller.getResponse(getTasks, page).data).toMatchObject([{ id: 2 }, { id: 1, title }]);
  expect(transport.calls.map(({ method, url }) => `${method} ${url}`)).toEqual(expected);
  for (const { method, url } of transport.calls) transport.take(`${method} ${url}`).answer([task(2), task(1)]);
  await settled();
});

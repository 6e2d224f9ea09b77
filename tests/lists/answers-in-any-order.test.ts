import { describe, expect, test } from 'vitest';
import { Collection, Controller, resource } from '../../src/index.ts';
import { Transport } from '../ordering/transport.ts';
import { settled } from '../reliability/network/clock.ts';
import { type Owner, Task } from './screen.ts';

const SIZE = 3;
const PAGES = [1, 2, 3];

interface KeptTask {
  readonly id: number;
  readonly owner: Pick<Owner, 'id'>;
}

const taskOf = (id: number, owner: number): KeptTask => ({ id, owner: { id: owner } });
const byId = (one: Task, other: Task): number => one.id - other.id;

const search: Record<string, unknown> | undefined = {};
const sent: { readonly owner?: number } = {};

type Order = 'declared' | 'newest first';
type World = Awaited<ReturnType<typeof shownPages>>;

/**
 * Shows the three pages of the tasks of owner 1. The server has a task for each id from 1 to 17, and the odd ones belong to owner 1. Lists of
 * other owners, without a task, are stored too.
 */
async function shownPages(order: Order, otherLists = 0) {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const list = new Collection([Task], {
    where: { owner: (task: Task) => task.owner?.id },
    ...(order === 'declared' ? { orderBy: byId } : { create: 'first' }),
  });
  const tasks = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: search,
    body: sent,
    platform: transport,
  }).extend({ getList: { schema: { items: list } } });
  const server = { tasks: Array.from({ length: 17 }, (_, at) => taskOf(at + 1, at % 2 === 0 ? 1 : 2)) };
  const due = (page: number): readonly KeptTask[] => {
    const own = server.tasks.filter(({ owner }) => owner.id === 1);
    return (order === 'declared' ? own : own.toReversed()).slice((page - 1) * SIZE, page * SIZE);
  };
  const argsOf = (page: number): Record<string, unknown> => ({
    owner: 1,
    limit: SIZE,
    page,
  });
  for (let owner = 3; owner < 3 + otherLists; owner += 1)
    void controller.setResponse(tasks.getList, { owner, limit: SIZE, page: 1 }, { items: [] });
  const urls = new Map<string, number>();
  for (const page of PAGES) {
    const args = argsOf(page);
    controller.watch(tasks.getList, args, () => {});
    void controller.fetch(tasks.getList, args);
    // oxlint-disable-next-line no-await-in-loop -- one page after another
    await settled();
    const [call] = transport.calls.splice(0);
    urls.set(String(call?.url), page);
    call?.answer({ items: due(page) });
  }
  await settled();
  const shown = (): unknown => PAGES.map((page) => idsOf(controller.getResponse(tasks.getList, argsOf(page)).data));
  const requested = (): unknown => transport.calls.map(({ url }) => urls.get(url) ?? url);
  return { ...tasks, argsOf, controller, due, requested, server, shown, transport, urls };
}

function idsOf(data: unknown): readonly number[] {
  return (data as { readonly items: readonly Task[] }).items.map(({ id }) => id);
}

/** The server answers the requests for the pages, each as it was sent, in this order. */
async function answerPages({ due, transport, urls }: World, order: readonly number[]): Promise<void> {
  const calls = transport.calls.splice(0);
  for (const page of order) {
    calls.find(({ url }) => urls.get(url) === page)?.answer({ items: due(page) });
    // oxlint-disable-next-line no-await-in-loop -- one answer after another
    await settled();
  }
}

/** A mutation of a record, which the server carries out. Its answer is lost if `isLost`. */
async function mutate(
  { server, transport }: World,
  run: () => Promise<unknown>,
  { after, answer, isLost }: { after: readonly KeptTask[]; answer: object | undefined; isLost: boolean },
): Promise<void> {
  void run().catch(() => {});
  await settled();
  const [call] = transport.calls.splice(0);
  server.tasks = [...after];
  if (isLost) call?.fail();
  else call?.answer(answer, answer === undefined ? { status: 204 } : {});
  await settled();
}

const CHANGES: Readonly<Record<string, (world: World, isLost: boolean) => Promise<void>>> = {
  'a record joined them': async (world, isLost) => {
    const after = world.server.tasks.map((task) => (task.id === 10 ? taskOf(10, 1) : task));
    const run = (): Promise<unknown> => world.controller.fetch(world.partialUpdate, { id: 10 }, { owner: 1 });
    await mutate(world, run, { after, answer: taskOf(10, 1), isLost });
  },
  'a record left them': async (world, isLost) => {
    const after = world.server.tasks.map((task) => (task.id === 9 ? taskOf(9, 2) : task));
    const run = (): Promise<unknown> => world.controller.fetch(world.partialUpdate, { id: 9 }, { owner: 2 });
    await mutate(world, run, { after, answer: taskOf(9, 2), isLost });
  },
  'a record was created': async (world, isLost) => {
    const made = taskOf(18, 1);
    const run = (): Promise<unknown> => world.controller.fetch(world.create, { owner: 1 });
    await mutate(world, run, { after: [...world.server.tasks, made], answer: made, isLost });
  },
  'a record was deleted': async (world, isLost) => {
    const after = world.server.tasks.filter(({ id }) => id !== 7);
    const run = (): Promise<unknown> => world.controller.fetch(world.delete, { id: 7 });
    await mutate(world, run, { after, answer: undefined, isLost });
  },
  'other clients changed records': async ({ argsOf, controller, getList, server }) => {
    server.tasks = [...server.tasks.filter(({ id }) => id !== 5), taskOf(19, 1)];
    for (const page of PAGES) void controller.fetch(getList, argsOf(page));
    await settled();
  },
};

function ordersOf(pages: readonly number[]): readonly (readonly number[])[] {
  if (pages.length < 2) return [pages];
  return pages.flatMap((page) => ordersOf(pages.filter((one) => one !== page)).map((rest) => [page, ...rest]));
}

describe('pages that are fetched again at the same time, and answered in any order, are not fetched once more', () => {
  const cases = Object.entries(CHANGES).flatMap(([why, change]) =>
    (['declared', 'newest first'] as const).flatMap((order) =>
      // So many lists are found by an index.
      [0, 20].map((otherLists) => [why, order, otherLists, change] as const),
    ),
  );
  test.each(cases)('%s; order: %s; other lists: %i', async (_why, order, otherLists, change) => {
    for (const answered of ordersOf(PAGES))
      for (const isLost of [false, true]) {
        // oxlint-disable-next-line no-await-in-loop -- one history after another
        const world = await shownPages(order, otherLists);
        // oxlint-disable-next-line no-await-in-loop -- as above
        await change(world, isLost);
        // oxlint-disable-next-line no-await-in-loop -- as above
        await answerPages(world, answered);
        const due = PAGES.map((page) => world.due(page).map(({ id }) => id));
        expect([answered, isLost, world.shown(), world.requested()]).toEqual([answered, isLost, due, []]);
      }
  });
});

describe('a page that lacks a record which another list has brought meanwhile', () => {
  test.each<[string, Order, answer: readonly number[], other: readonly number[], again: readonly number[]]>([
    ['is fetched once more', 'newest first', [19, 17], [13, 15], [1]],
    ['is not fetched once more, if the place of the record is behind it', 'declared', [0, 1, 3], [5], []],
    ['is fetched once more, if it is not full', 'declared', [0, 1], [5], [1]],
    ['is fetched once more, if the place of the record is on it', 'declared', [1, 5, 7], [3], [1]],
  ])('%s', async (_what, order, ids, otherIds, again) => {
    const { controller, getList, requested, transport } = await shownPages(order);
    const args = { owner: 1, limit: SIZE, page: 1 };
    void controller.fetch(getList, args);
    void controller.fetch(getList, { ...args, sort: 'title' });
    await settled();
    const [page, other] = transport.calls.splice(0);
    other?.answer({ items: otherIds.map((id) => taskOf(id, 1)) });
    await settled();
    page?.answer({ items: ids.map((id) => taskOf(id, 1)) });
    await settled();
    expect(requested()).toEqual(again);
  });
});

import { describe, expect, test } from 'vitest';
import {
  Collection,
  Controller,
  type EndpointInterface,
  Entity,
  Invalidate,
  type ListOptions,
  resource,
} from '../../src/index.ts';
import { Transport } from '../ordering/transport.ts';
import { settled } from '../reliability/network/clock.ts';

class Note extends Entity {
  id = 0;
  place = 0;
  list = 'a';
  static override key = 'Note';
}

const note = (id: number, place = id, list = 'a'): Note => ({ id, place, list }) as Note;
const notes = (...ids: readonly number[]): readonly Note[] => ids.map((id) => note(id));
const inOrder = { orderBy: (one: Note, other: Note) => one.place - other.place };
const newestFirst = { create: 'first' } as const;
const search: { list?: string; limit?: number; after?: number } | undefined = {};
const args = { list: 'a', limit: 3 };
const PAGE = '/notes?limit=3&list=a';

/** A shown page with three notes of a list, of which a stream brings messages. */
async function shownPage(list: ListOptions<Note>, first: readonly Note[], total?: number) {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const collection = new Collection([Note], { ...list, ...(total !== undefined && { total: 'total' }) });
  const base = resource({
    path: '/notes/:id',
    schema: Note,
    searchParams: search,
    paginationField: 'after',
    platform: transport,
  });
  const { create, getList } = base.extend({
    getList: { schema: total === undefined ? collection : { items: collection, total: 0 } },
  });
  const endpoint: EndpointInterface = getList;
  const answer = async (what: string, value: unknown): Promise<void> => {
    await settled();
    transport.take(what).answer(value);
    await settled();
  };
  const shown = (): unknown[] => (controller.get(collection, args) ?? []).map(({ id }: Note) => id);
  const data = (): unknown => controller.getResponse(endpoint, args).data;
  const more = (after: number): void => void controller.fetch(getList.getPage, { ...args, after });
  controller.watch(endpoint, args, () => {});
  void controller.fetch(getList, args);
  await answer(`GET ${PAGE}`, total === undefined ? first : { items: first, total });
  return { answer, collection, controller, create, data, getList, more, shown, transport };
}

describe('a further page that is in flight', () => {
  test('has no gap before it if a message adds a record to the full page before it', async () => {
    const { answer, collection, controller, more, shown } = await shownPage(newestFirst, notes(6, 5, 4));
    more(4);
    controller.store.write(collection.push, note(7));
    await answer(`GET /notes?after=4&limit=3&list=a`, notes(3, 2, 1));
    expect(shown()).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  test('has no gap before it if a message adds a record while the list is fetched again', async () => {
    const { answer, collection, controller, getList, more, shown } = await shownPage(newestFirst, notes(6, 5, 4));
    void controller.fetch(getList, args);
    more(4);
    controller.store.write(collection.push, note(7));
    await answer(`GET ${PAGE}`, notes(6, 5, 4));
    await answer(`GET /notes?after=4&limit=3&list=a`, notes(3, 2, 1));
    expect(shown()).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  test.each([
    ['moves a record of the list behind the loaded ones', 1, 4.5, [2, 3, 4, 1, 5]],
    ['moves a record of another list there', 9, 4.5, [1, 2, 3, 4, 9, 5]],
    ['moves a record of another list behind the last page', 9, 9, [1, 2, 3, 4, 5, 9]],
  ])('has that record, although the server had answered before: a message %s', async (_, id, place, expected) => {
    const { answer, controller, more, shown, transport } = await shownPage(inOrder, notes(1, 2, 3));
    await controller.set(Note, { id: 9 }, note(9, 9, 'b'));
    more(3);
    await controller.set(Note, { id }, note(id, place));
    await answer(`GET /notes?after=3&limit=3&list=a`, notes(4, 5));
    expect(shown()).toEqual(expected);
    expect(transport.sent).toEqual([]);
  });

  test('has no record that belongs behind it, before the page after it has arrived', async () => {
    const { answer, controller, more, shown, transport } = await shownPage(inOrder, notes(1, 2, 3));
    await controller.set(Note, { id: 9 }, note(9, 9, 'b'));
    more(3);
    await controller.set(Note, { id: 9 }, note(9));
    await answer(`GET /notes?after=3&limit=3&list=a`, notes(4, 5, 6));
    expect(shown()).toEqual([1, 2, 3, 4, 5, 6]);
    more(6);
    await answer(`GET /notes?after=6&limit=3&list=a`, notes(7, 9));
    expect(shown()).toEqual([1, 2, 3, 4, 5, 6, 7, 9]);
    expect(transport.sent).toEqual([]);
  });

  test.each([
    ['it has', 1, notes(4), 'a'],
    ['has moved to another list since', 9, [], 'b'],
  ])('is not fetched again if a message moves a record behind the loaded ones that %s', async (...given) => {
    const [, id, before, list] = given;
    const { answer, controller, more, transport } = await shownPage(inOrder, notes(1, 2, 3));
    more(3);
    await controller.set(Note, { id }, note(id, 4.5));
    await controller.set(Note, { id }, note(id, 4.5, list));
    await answer(`GET /notes?after=3&limit=3&list=a`, [...before, ...(list === 'a' ? [note(id, 4.5)] : []), note(5)]);
    expect(transport.sent).toEqual([]);
  });
});

describe('on a page in an order, after a message', () => {
  test.each([
    ['is at its place, if others come behind it', 1, 2.5, [2, 1, 3]],
    ['is not shown, if it is behind the last one, because others may come before it', 1, 9, [2, 3]],
    ['is not shown, if it was the last one and moves further', 3, 4, [1, 2]],
    ['is at its place, if it was the last one and moves forward', 3, 1.5, [1, 3, 2]],
  ])('a moved record %s', async (_, id, place, expected) => {
    const { controller, shown } = await shownPage(inOrder, notes(1, 2, 3));
    await controller.set(Note, { id }, note(id, place));
    expect(shown()).toEqual(expected);
  });

  test('a record of a later page joins it, if it moves there', async () => {
    const { controller, shown } = await shownPage(inOrder, notes(1, 2, 3));
    await controller.set(Note, { id: 8 }, note(8));
    await controller.set(Note, { id: 8 }, note(8, 1.5));
    expect(shown()).toEqual([1, 8, 2]);
  });

  test('a record that moves there does not join it if only the server knows whether it belongs to the list', async () => {
    const { collection, controller, getList } = await shownPage(inOrder, notes(1, 2, 3));
    const ofTwoLists = { ...args, list: 'a,b' };
    await controller.setResponse(getList as EndpointInterface, ofTwoLists, notes(1, 2, 3));
    await controller.set(Note, { id: 8 }, note(8));
    await controller.set(Note, { id: 8 }, note(8, 1.5));
    expect(controller.get(collection, ofTwoLists)?.map(({ id }: Note) => id)).toEqual([1, 2, 3]);
  });

  test.each([
    ['full', [], 9, [1, 2, 3]],
    ['not full any more', [3], 9, [1, 2]],
    ['not full any more', [3], 1.5, [1, 9, 2]],
  ])('a record of another list joins the page, which is %s, before its last one only: %j, %s', async (...given) => {
    const [, deleted, place, expected] = given;
    const { controller, shown } = await shownPage(inOrder, notes(1, 2, 3));
    await controller.set(Note, { id: 9 }, note(9, place, 'b'));
    for (const id of deleted) controller.store.write(new Invalidate(Note), { id });
    await controller.set(Note, { id: 9 }, note(9, place));
    expect(shown()).toEqual(expected);
  });
});

test.each<[ListOptions<Note>]>([[{}], [inOrder]])(
  'a created record is added behind the further pages of a list as soon as the last one has arrived: %o',
  async (list) => {
    const { answer, collection, controller, more, shown } = await shownPage(list, notes(1, 2, 3));
    more(3);
    await answer(`GET /notes?after=3&limit=3&list=a`, notes(4, 5, 6));
    controller.store.write(collection.push, note(9));
    expect(shown()).toEqual([1, 2, 3, 4, 5, 6]);
    more(6);
    await answer(`GET /notes?after=6&limit=3&list=a`, notes(7, 9));
    controller.store.write(collection.push, note(10));
    controller.store.write(collection.push, note(11));
    expect(shown()).toEqual([1, 2, 3, 4, 5, 6, 7, 9, 10, 11]);
  },
);

test.each([true, false])(
  'the total of a page counts a created record once that a message also brings (first: %s)',
  async (isMessageFirst) => {
    const { answer, collection, controller, create, data, transport } = await shownPage({}, notes(1, 2, 3), 5);
    const created = controller.fetch(create, note(6));
    if (isMessageFirst) controller.store.write(collection.push, note(6));
    await answer('POST /notes', note(6));
    await created;
    if (!isMessageFirst) controller.store.write(collection.push, note(6));
    await settled();
    if (isMessageFirst) await answer(`GET ${PAGE}`, { items: notes(1, 2, 3), total: 6 });
    expect(data()).toMatchObject({ total: 6 });
    expect(transport.sent).toEqual([]);
  },
);

test.each<
  [
    why: string,
    shown: readonly number[],
    total: number,
    change: readonly [place: number, list: string] | undefined,
    expected: number,
  ]
>([
  ['that is not on the page is deleted, and not counted if the page is the whole list', [1, 2], 2, undefined, 2],
  ['that is not on the page is deleted, and counted if it may be on a later page', [1, 2], 5, undefined, 4],
  ['that is not on the page leaves the list, and is not counted if the page is the whole list', [1, 2], 2, [5, 'b'], 2],
  ['that is not on the page leaves the list, and is counted if it may be on a later page', [1, 2], 5, [5, 'b'], 4],
  ['of the page is deleted, and counted', [1, 2, 5], 3, undefined, 2],
])('a record %s', async (_why, ids, total, change, expected) => {
  const { controller, data } = await shownPage({}, notes(...ids), total);
  await controller.set(Note, { id: 5 }, note(5));
  if (change === undefined) controller.store.write(new Invalidate(Note), { id: 5 });
  else await controller.set(Note, { id: 5 }, note(5, ...change));
  expect(data()).toMatchObject({ total: expected });
});

test('a page that is fetched again, and lacks a record that joined it by a message meanwhile, is fetched once more', async () => {
  const { answer, controller, getList, shown } = await shownPage(inOrder, notes(2, 3, 4));
  await controller.set(Note, { id: 1 }, note(1, 1, 'b'));
  void controller.fetch(getList, args);
  await settled();
  await controller.set(Note, { id: 1 }, note(1));
  expect(shown()).toEqual([1, 2, 3]);
  await answer(`GET ${PAGE}`, notes(2, 3, 4));
  await answer(`GET ${PAGE}`, notes(1, 2, 3));
  expect(shown()).toEqual([1, 2, 3]);
});

test('a page that was not full keeps its last record when own records and messages fill it and go on', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const collection = new Collection([Note], newestFirst);
  const { create, getList } = resource({
    path: '/notes/:id',
    schema: Note,
    searchParams: search,
    platform: transport,
  }).extend({ getList: { schema: { items: collection } } });
  void controller.fetch(getList, args);
  await settled();
  transport.take(`GET ${PAGE}`).answer({ items: notes(2, 1) });
  await settled();
  void controller.fetch(create, note(3));
  await settled();
  transport.take('POST /notes').answer(note(3));
  await settled();
  // The server sends a message about the own record too.
  for (const id of [3, 4]) controller.store.write(collection.push, note(id));
  expect(controller.get(collection, args)?.map(({ id }: Note) => id)).toEqual([4, 3, 2, 1]);
});

test('a page that lacks a record which a message created behind the list makes the list be fetched again', async () => {
  const { answer, collection, controller, more, shown } = await shownPage(inOrder, notes(1, 2, 3));
  more(3);
  await settled();
  controller.store.write(collection.push, note(8));
  expect(shown()).toEqual([1, 2, 3]);
  await answer('GET /notes?after=3&limit=3&list=a', notes(4, 5));
  await answer(`GET ${PAGE}`, notes(1, 2, 3));
  more(3);
  await answer('GET /notes?after=3&limit=3&list=a', notes(4, 5, 8));
  expect(shown()).toEqual([1, 2, 3, 4, 5, 8]);
});

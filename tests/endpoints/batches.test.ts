import { describe, expect, test } from 'vitest';
import {
  BatchError,
  Collection,
  Controller,
  Entity,
  type Platform,
  platform as realPlatform,
  RestEndpoint,
} from '../../src/index.ts';

class Todo extends Entity {
  id: number | string = 0;
  title = '';
  status = 'new';
  static override key = 'Todo';
}
const all = new Collection([Todo]);

/** A server that answers each request with the given answer. */
function scene(answer: unknown, status = 207) {
  const urls: string[] = [];
  const platform: Platform = {
    ...realPlatform,
    fetch: async (url, init) => {
      urls.push(`${init.method} ${url}`);
      return Response.json(answer, { status });
    },
  };
  const list = new RestEndpoint({ path: '/todos', schema: all, optimistic: true, platform });
  const update = new RestEndpoint({ path: '/todos', method: 'PATCH', schema: [Todo], body: [] as object[], platform });
  const change = new RestEndpoint({ path: '/todos/:id', method: 'PATCH', schema: Todo, optimistic: true, platform });
  const controller = new Controller();
  const titles = (): string[] => (controller.get(all, {}) ?? []).map(({ title }) => title);
  return { controller, list, update, change, titles, urls, platform };
}

const REASON = { errors: { title: ['is too short'] } };

describe('a batch that is answered with 207', () => {
  test.each<[string, unknown]>([
    [
      'a list of outcomes',
      [
        { status: 201, body: { id: 1, title: 'A' } },
        { status: 422, body: REASON },
        { status: 201, body: { id: 3, title: 'C' } },
      ],
    ],
    [
      'an envelope',
      {
        responses: [
          { status: 201, data: { id: 1, title: 'A' } },
          { status: '422', ...REASON },
          { status: 201, resource: { id: 3, title: 'C' } },
        ],
      },
    ],
    ['records and errors', [{ id: 1, title: 'A' }, REASON, { id: 3, title: 'C' }]],
    [
      'statuses in words',
      [
        { status: 'HTTP/1.1 201 Created', id: 1, title: 'A' },
        { status: 'HTTP/1.1 422 No', ...REASON },
        { status: 'HTTP/1.1 200 OK', id: 3 },
      ],
    ],
  ])('stores the accepted items, and rejects with the refused ones and the reasons: %s', async (_what, answer) => {
    const { controller, list, titles } = scene(answer);
    await controller.setResponse(list, []);
    const saved = controller.fetch(list.push, [{ title: 'A' }, { title: '' }, { title: 'C' }]);
    const guessed = (controller.get(all, {}) ?? []).map(({ id }) => String(id));
    expect(titles()).toEqual(['A', '', 'C']);
    const error: unknown = await saved.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BatchError);
    expect(error).toMatchObject({
      code: 'batch-refused',
      status: 207,
      refused: [
        { index: 1, item: { title: '' }, message: 'title: is too short', fieldErrors: { title: ['is too short'] } },
      ],
    });
    expect((error as BatchError).message).toContain('1 of 3 items were refused: [1] title: is too short');
    expect((controller.get(all, {}) ?? []).map(({ id, title }) => [id, title])).toEqual([
      [1, 'A'],
      [3, 'C'],
    ]);
    // Each temporary pk leads to its own record, and that of the refused item to none.
    expect(guessed.map((pk) => controller.get(Todo, { id: pk })?.title)).toEqual(['A', undefined, 'C']);
  });

  test('is not an error if no item was refused', async () => {
    const { controller, update } = scene([{ status: 204 }, { status: 200, body: { id: 2, title: 'B!' } }]);
    const sent = [
      { id: 1, title: 'A' },
      { id: 2, title: 'B' },
    ];
    expect((await controller.fetch(update, sent)).map(({ title }) => title)).toEqual(['A', 'B!']);
  });

  test('stores no words about accepted items as fields of their records', async () => {
    const { controller, update } = scene([
      { code: 200, message: 'Saved' },
      { status: 200, body: { code: 200, message: 'Saved' } },
    ]);
    const sent = [1, 2].map((id) => ({ id, title: 'new' }));
    await controller.fetch(update, sent);
    expect(sent.map(({ id }) => controller.store.row('Todo', String(id)))).toEqual(sent);
  });

  test('leaves the records of refused items unchanged', async () => {
    const { controller, update } = scene([
      { code: 200, value: null },
      { code: 500, message: 'no' },
      3,
      { status: 409 },
    ]);
    for (const id of [1, 2, 4]) controller.store.write(Todo, { id, title: 'old' });
    const sent = [1, 2, 3, 4].map((id) => ({ id, title: 'new' }));
    const saved = controller.fetch(update, sent);
    await expect(saved).rejects.toMatchObject({
      refused: [
        { index: 1, status: 500, message: 'no' },
        { index: 3, status: 409 },
      ],
    });
    expect([1, 2, 4].map((id) => controller.get(Todo, { id })?.title)).toEqual(['new', 'old', 'old']);
  });

  test.each([
    ['a list of one', [{ status: 422, error: { message: 'no' } }]],
    ['one outcome', { status: 422, body: { message: 'no' } }],
  ])('fails if the only item was refused: %s', async (_what, answer) => {
    const { controller, change } = scene(answer);
    controller.store.write(Todo, { id: 1, title: 'old' });
    const saved = controller.fetch(change, { id: 1 }, { title: 'new' });
    await expect(saved).rejects.toMatchObject({ code: 'batch-refused', refused: [{ index: 0, message: 'no' }] });
    expect(controller.get(Todo, { id: 1 })?.title).toBe('old');
  });

  test('fails as a whole if the answer is one error, and its guess is removed', async () => {
    const { controller, list, titles } = scene({ error: 'all wrong' });
    await controller.setResponse(list, []);
    await expect(controller.fetch(list.push, [{ title: 'A' }])).rejects.toMatchObject({ code: 'batch-refused' });
    expect(titles()).toEqual([]);
  });

  test.each([
    ['two lists', { done: [{ id: 1 }], failed: [{ title: '' }] }, '{ done, failed }'],
    ['records within others', { items: [{ index: { _id: '1' } }, { index: { _id: '2' } }] }, '{ items }'],
    ['a list of records within others', [{ index: { _id: '1' } }, { index: { _id: '2' } }], 'a list'],
    ['a number', 2, '2'],
  ])(
    'in no known form is an error with the answer, the expected form and the code to write: %s',
    async (_, answer, form) => {
      const { controller, list, titles } = scene(answer);
      await controller.setResponse(list, []);
      const saved = controller.fetch(list.push, [{ title: 'A' }, { title: '' }]);
      await expect(saved).rejects.toMatchObject({ code: 'batch-unreadable', status: 207 });
      await expect(saved).rejects.toThrow(`POST /todos.create was answered with 207 and ${form}, which does not tell`);
      await expect(saved).rejects.toThrow('Convert the answer to [{ status, body }] in parseJson()');
      expect(titles()).toEqual([]);
    },
  );

  test('makes a call without a controller reject, too', async () => {
    const { update } = scene([{ status: 400 }]);
    await expect(update([{ id: 1 }])).rejects.toBeInstanceOf(BatchError);
    const { update: done } = scene([{ status: 200, body: { id: 1 } }]);
    expect(await done([{ id: 1 }])).toEqual([{ id: 1 }]);
  });

  test('fails with the error that process() throws', async () => {
    const fault = new Error('no');
    const { update } = scene([{ status: 200, body: { id: 1 } }]);
    const refusing = update.extend({
      process: () => {
        throw fault;
      },
    });
    await expect(refusing([{ id: 1 }])).rejects.toBe(fault);
  });

  test('is an ordinary answer of a read', async () => {
    const { controller, list } = scene([{ id: 1, title: 'A', status: 'x' }]);
    expect((await controller.fetch(list)).map(({ title }) => title)).toEqual(['A']);
  });
});

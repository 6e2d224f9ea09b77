import { describe, expect, test } from 'vitest';
import { Collection, Controller, Entity, resource, RestEndpoint, Union } from '../../src/index.ts';
import { settled, Transport } from './transport.ts';

class Todo extends Entity {
  id = '';
  title = '';
  note = '';
  type = 'todo';
  static override key = 'Todo';
}
class Meeting extends Todo {
  override type = 'meeting';
  static override key = 'Meeting';
}
const OLD = { id: '1', title: 'old', note: 'old', type: 'todo' };

const kinds = { todo: Todo, meeting: Meeting };
const schemas = {
  'of one class': Todo,
  'of a union': new Union(kinds, 'type'),
  'of a union whose classes a function tells apart': new Union(kinds, ({ type }: Partial<Todo>) =>
    type === 'meeting' ? 'meeting' : 'todo',
  ),
};

/** Record 1 on the screen. Its edits do not name its class. */
function scene(schema: unknown, optimistic = true) {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const todos = resource({ path: '/todos/:id', schema: schema as typeof Todo, optimistic, platform: transport });
  void controller.setResponse(todos.get, { id: '1' }, OLD);
  controller.watch(todos.get, { id: '1' }, () => {});
  const edit = async (change: object) => {
    const result = controller.fetch(todos.partialUpdate, { id: '1' }, change);
    await settled();
    return { result, call: transport.take('PATCH /todos/1') };
  };
  const shown = (): unknown => {
    const { title, note } = controller.get(Todo, { id: '1' }) as Todo;
    return { title, note };
  };
  return { transport, controller, todos, edit, shown };
}

describe.each(Object.entries(schemas))('a record %s', (_name, schema) => {
  test('does not show a pending edit over a later one that was answered', async () => {
    const { edit, shown } = scene(schema);
    const first = await edit({ title: 'first' });
    const second = await edit({ title: 'second' });
    second.call.answer({ ...OLD, title: 'second' });
    await settled();
    expect(shown()).toEqual({ title: 'second', note: 'old' });
    first.call.answer({ ...OLD, title: 'first' });
    await settled();
    expect(shown()).toEqual({ title: 'second', note: 'old' });
  });

  test.each([true, false])(
    'keeps an edit that the answer leaves out, and is fetched again (guess: %s)',
    async (guess) => {
      const { transport, edit, shown } = scene(schema, guess);
      const { call } = await edit({ title: 'new' });
      call.answer({ id: '1', note: 'changed' });
      await settled();
      expect(shown()).toEqual({ title: 'new', note: 'changed' });
      expect(transport.sent).toEqual(['GET /todos/1']);
    },
  );

  test.each([true, false])(
    'keeps an edit that is answered without a body, or without its pk (guess: %s)',
    async (guess) => {
      for (const [value, status] of [
        [undefined, 204],
        [{ title: 'new' }, 200],
      ] as const) {
        const { transport, edit, shown } = scene(schema, guess);
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { call, result } = await edit({ title: 'new' });
        call.answer(value, { status });
        // oxlint-disable-next-line no-await-in-loop
        expect(await result).toMatchObject({ title: 'new' });
        // oxlint-disable-next-line no-await-in-loop
        await settled();
        expect(shown()).toEqual({ title: 'new', note: 'old' });
        expect(transport.sent).toEqual(['GET /todos/1']);
      }
    },
  );
});

const bulk = Object.entries(schemas).flatMap(([name, schema]) => [
  [name, schema, (part: unknown): unknown => part] as const,
  [`${name}, in a list`, [schema], (part: unknown): unknown => [part]] as const,
  [`${name}, in a member of an object`, { changed: schema }, (changed: unknown): unknown => ({ changed })] as const,
]);

describe.each(bulk)('a record %s, whose pk is in the only argument of a mutation', (_name, schema, wrap) => {
  test.each([
    ['names its class', { type: 'todo' }],
    ['does not name its class', {}],
  ])('does not show an earlier guess after the answer of a later one, if the guess %s', async (_named, kind) => {
    const { controller, shown, transport } = scene(schemas['of one class']);
    const set = (title: string): Promise<unknown> => {
      const endpoint = new RestEndpoint({
        path: `/todos/:id/${title}`,
        method: 'POST',
        body: undefined,
        schema: schema as typeof Todo,
        getOptimisticResponse: (_, { id }) => wrap({ id, title, ...kind }),
        platform: transport,
      });
      return controller.fetch(endpoint, { id: '1' });
    };
    void set('liked');
    void set('unliked');
    await settled();
    for (const title of ['unliked', 'liked']) {
      transport.take(`POST /todos/1/${title}`).answer(wrap({ ...OLD, title }));
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await settled();
      expect(shown()).toEqual({ title: 'unliked', note: 'old' });
    }
    expect(transport.sent).toEqual(['GET /todos/1']);
  });
});

test('creates of two classes that overlap make their list be fetched once, because only the server knows the order', async () => {
  const { transport, controller, todos } = scene(schemas['of a union']);
  await controller.setResponse(todos.getList, []);
  controller.watch(todos.getList, () => {});
  const created = [
    { ...OLD, id: '2' },
    { ...OLD, id: '3', type: 'meeting' },
  ];
  for (const { id: _id, ...body } of created) void controller.fetch(todos.getList.push, body);
  await settled();
  const calls = created.map(() => transport.take('POST /todos'));
  for (const [at, call] of calls.entries()) {
    call.answer(created[at]);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await settled();
  }
  expect(transport.sent).toEqual(['GET /todos']);
});

test('a total counts a created record once when the list with it was read before the create is answered', async () => {
  const { transport, controller, todos } = scene(Todo);
  const getList = todos.getList.extend({ schema: { items: new Collection([Todo], { total: 'total' }), total: 0 } });
  await controller.setResponse(getList, { items: [OLD], total: 1 });
  const created = { ...OLD, id: '2' };
  const creating = controller.fetch(getList.push, { title: 'old' });
  await settled();
  const [create, reading] = [transport.take('POST /todos'), controller.fetch(getList)];
  await settled();
  transport.take('GET /todos').answer({ items: [OLD, created], total: 2 });
  await reading;
  create.answer(created);
  await creating;
  expect(controller.getResponse(getList).data.total).toBe(2);
});

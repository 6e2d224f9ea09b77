import { describe, expect, test } from 'vitest';
import { Collection, Controller, Endpoint, Entity, RestEndpoint, resource, Union } from '../../src/index.ts';
import { settled, Transport } from './transport.ts';

class Todo extends Entity {
  id = '';
  title = '';
  note = '';
  static override key = 'Todo';
}
const OLD = { id: '1', title: 'old', note: 'old' };
const OTHER = { id: '2', title: 'old', note: 'old' };

function scene(optimistic: boolean) {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const todos = resource({ path: '/todos/:id', schema: Todo, optimistic, platform: transport });
  const shown = (): unknown => Object.assign({}, controller.get(Todo, { id: '1' }));
  /** Sends two edits, and returns their calls. */
  const edit = async (...changes: readonly object[]) => {
    for (const change of changes) controller.fetch(todos.partialUpdate, { id: '1' }, change).catch(() => {});
    await settled();
    return changes.map(() => transport.take('PATCH /todos/1'));
  };
  return { transport, controller, todos, shown, edit };
}

type Call = ReturnType<Transport['take']> | undefined;

async function answer(call: Call, value: unknown): Promise<void> {
  call?.answer(value);
  await settled();
}

describe.each([
  ['with guesses', true],
  ['without guesses', false],
])('two edits of one record overlap, %s', (_name, optimistic) => {
  test('a poll that was sent between their answers, and is answered last, undoes neither', async () => {
    const { transport, controller, todos, shown, edit } = scene(optimistic);
    await controller.setResponse(todos.get, { id: '1' }, OLD);
    const [first, second] = await edit({ title: 'new' }, { note: 'new' });
    await answer(second, { ...OLD, note: 'new' });
    void controller.fetch(todos.get, { id: '1' });
    await settled();
    await answer(first, { ...OLD, title: 'new', note: 'new' });
    await answer(transport.take('GET /todos/1'), { ...OLD, note: 'new' });
    expect(shown()).toEqual({ id: '1', title: 'new', note: 'new' });
  });

  test('an answer with the record as it was before the first edit undoes nothing when it comes last', async () => {
    const { controller, todos, shown, edit } = scene(optimistic);
    await controller.setResponse(todos.get, { id: '1' }, OLD);
    const [first, second] = await edit({ title: 'new' }, { note: 'new' });
    await answer(first, { ...OLD, title: 'new' });
    await answer(second, { ...OLD, note: 'new' });
    expect(shown()).toEqual({ id: '1', title: 'new', note: 'new' });
  });

  test('a list on the screen that shows the record is fetched once, when both have settled', async () => {
    const { transport, controller, todos, edit } = scene(optimistic);
    await controller.setResponse(todos.getList, [OLD, OTHER]);
    controller.watch(todos.getList, () => {});
    const [first, second] = await edit({ title: 'first' }, { title: 'second' });
    await answer(second, { ...OLD, title: 'second' });
    expect(transport.sent).toEqual([]);
    await answer(first, { ...OLD, title: 'first' });
    expect(transport.sent).toEqual(['GET /todos']);
    await answer(transport.take('GET /todos'), [{ ...OLD, title: 'first' }, OTHER]);
    expect(transport.sent).toEqual([]);
    expect(controller.getResponse(todos.getList).data?.map(({ title }) => title)).toEqual(['first', 'old']);
  });

  test('a record on the screen that came with a list is fetched once, when both have settled', async () => {
    const { transport, controller, todos, edit } = scene(optimistic);
    await controller.setResponse(todos.getList, [OLD]);
    controller.watch(todos.get, { id: '1' }, () => {});
    const [first, second] = await edit({ title: 'first' }, { title: 'second' });
    await answer(second, { ...OLD, title: 'second' });
    first?.fail();
    await settled();
    expect(transport.sent).toEqual(['GET /todos/1']);
  });

  test('a record without a reader is stale, whether it was read or not', async () => {
    const { transport, controller, todos, edit } = scene(optimistic);
    await controller.setResponse(todos.getList, [OLD]);
    await controller.setResponse(todos.get, { id: '2' }, OTHER);
    const [first, second] = await edit({ title: 'first' }, { title: 'second' });
    await answer(second, { ...OLD, title: 'second' });
    await answer(first, { ...OLD, title: 'first' });
    expect(transport.sent).toEqual([]);
    expect(controller.getResponse(todos.getList).expiresAt).toBeLessThan(transport.time);
    expect(controller.getResponse(todos.get, { id: '1' }).expiresAt).toBeLessThan(transport.time);
    expect(controller.getResponse(todos.get, { id: '2' }).expiresAt).toBeGreaterThan(transport.time);
  });

  test('edits of different records cause no fetch', async () => {
    const { transport, controller, todos } = scene(optimistic);
    await controller.setResponse(todos.getList, [OLD, OTHER]);
    controller.watch(todos.getList, () => {});
    for (const id of ['1', '2']) void controller.fetch(todos.partialUpdate, { id }, { title: id });
    await settled();
    await answer(transport.take('PATCH /todos/2'), { ...OTHER, title: '2' });
    await answer(transport.take('PATCH /todos/1'), { ...OLD, title: '1' });
    expect(transport.sent).toEqual([]);
  });

  test('if one fails, the other stays', async () => {
    const { controller, todos, shown, edit } = scene(optimistic);
    await controller.setResponse(todos.get, { id: '1' }, OLD);
    const [first, second] = await edit({ title: 'first' }, { title: 'second' });
    await answer(first, { ...OLD, title: 'first' });
    second?.fail();
    await settled();
    expect(shown()).toEqual({ id: '1', title: 'first', note: 'old' });
  });
});

describe('mutations of many records, or of none that is known', () => {
  const schemas: readonly (readonly [string, unknown])[] = [
    ['a list', [Todo]],
    ['a collection', new Collection([Todo])],
    ['an object', { todos: [Todo] }],
  ];
  test.each(schemas)('rows and results of %s are those of the request that was issued last', async (_name, schema) => {
    const { transport, controller, shown } = scene(false);
    const wrap = (value: readonly object[]): unknown => (_name === 'an object' ? { todos: value } : value);
    const search = new RestEndpoint({ path: '/search', method: 'POST', schema, body: {}, platform: transport });
    for (const text of ['first', 'second']) void controller.fetch(search, { text });
    await settled();
    const [first, second] = [1, 2].map(() => transport.take('POST /search'));
    await answer(second, wrap([{ ...OLD, title: 'second' }]));
    const before = controller.getResponse(search, { text: 'second' }).data;
    await answer(first, wrap([{ ...OLD, title: 'first' }, OTHER]));
    expect(shown()).toMatchObject({ title: 'second' });
    expect(controller.getResponse(search, { text: 'second' }).data).toBe(before);
  });

  test('a bulk edit that was issued later stays, and the field that it does not name too', async () => {
    const { transport, controller, shown, edit } = scene(false);
    const bulk = new RestEndpoint({ path: '/todos', method: 'PATCH', schema: [Todo], body: {}, platform: transport });
    await controller.set(Todo, { id: '1' }, OLD);
    const [one] = await edit({ title: 'one', note: 'one' });
    void controller.fetch(bulk, { ids: ['1', '2'], note: 'bulk' });
    await settled();
    const many = transport.take('PATCH /todos');
    await answer(one, { ...OLD, title: 'one', note: 'one' });
    await answer(many, [{ ...OLD, note: 'bulk' }, OTHER]);
    expect(shown()).toEqual({ id: '1', title: 'one', note: 'bulk' });
  });

  test('a body that lists records edits the fields that it has for each', async () => {
    const { transport, controller, shown, edit } = scene(false);
    const bulk = new RestEndpoint({
      path: '/todos',
      method: 'PUT',
      schema: [Todo],
      body: [] as readonly object[],
      platform: transport,
    });
    await controller.set(Todo, { id: '1' }, OLD);
    void controller.fetch(bulk, [
      { id: '1', note: 'bulk' },
      { id: '2', title: 'bulk' },
    ]);
    const [one] = await edit({ title: 'one' });
    const many = transport.take('PUT /todos');
    await answer(one, { ...OLD, title: 'one' });
    await answer(many, [{ ...OLD, note: 'bulk' }]);
    expect(shown()).toEqual({ id: '1', title: 'one', note: 'bulk' });
  });

  test('of a union, the body says what is edited', async () => {
    const { transport, controller, shown } = scene(false);
    const schema = new Union({ todo: Todo }, () => 'todo');
    const save = new RestEndpoint({ path: '/any/:id', method: 'PATCH', schema, body: {}, platform: transport });
    await controller.set(Todo, { id: '1' }, OLD);
    void controller.fetch(save, { id: '1' }, { title: 'new' });
    void controller.fetch(save, { id: '1' }, { note: 'new' });
    await settled();
    const [first, second] = [1, 2].map(() => transport.take('PATCH /any/1'));
    await answer(first, { ...OLD, title: 'new' });
    await answer(second, { ...OLD, note: 'new' });
    expect(shown()).toEqual({ id: '1', title: 'new', note: 'new' });
  });
});

describe('rows that are ordered as a whole', () => {
  test('a class with a merge of its own keeps what was issued last', async () => {
    class Merged extends Todo {
      static override key = 'Merged';
      static override merge(existing: object, incoming: object): object {
        return { ...existing, ...incoming };
      }
    }
    const { transport, controller } = scene(false);
    const merged = resource({ path: '/merged/:id', schema: Merged, platform: transport });
    for (const title of ['first', 'second']) void controller.fetch(merged.partialUpdate, { id: '1' }, { title });
    await settled();
    const [first, second] = [1, 2].map(() => transport.take('PATCH /merged/1'));
    await answer(second, { id: '1', title: 'second' });
    await answer(first, { ...OLD, title: 'first' });
    expect(controller.get(Merged, { id: '1' })).toMatchObject({ title: 'second', note: 'old' });
  });
});

test('a page that shows the record inside another is fetched only if no list shows the record itself', async () => {
  class Page extends Entity {
    id = '';
    todo: Todo | undefined = undefined;
    static override key = 'Page';
    static override schema = { todo: Todo };
  }
  const { transport, controller, todos, edit } = scene(true);
  const pages = resource({ path: '/pages/:id', schema: Page, platform: transport });
  await controller.setResponse(pages.get, { id: 'p' }, { id: 'p', todo: OLD });
  await controller.setResponse(pages.get, { id: 'q' }, { id: 'q', todo: OLD });
  const stop = controller.watch(pages.get, { id: 'p' }, () => {});
  const overlap = async (): Promise<void> => {
    const [first, second] = await edit({ title: 'first' }, { title: 'second' });
    await answer(second, { ...OLD, title: 'second' });
    await answer(first, { ...OLD, title: 'first' });
  };
  await overlap();
  expect(transport.sent).toEqual(['GET /pages/p']);
  expect(controller.getResponse(pages.get, { id: 'q' }).expiresAt).toBeLessThan(transport.time);
  await answer(transport.take('GET /pages/p'), { id: 'p', todo: OLD });
  await controller.setResponse(todos.getList, [OLD]);
  controller.watch(todos.getList, () => {});
  await overlap();
  expect(transport.sent).toEqual(['GET /todos']);
  stop();
});

describe('errors', () => {
  test.each([true, undefined])(
    'an older error hides no newer answer, and no newer error (sideEffect %s)',
    async (sideEffect) => {
      const controller = new Controller();
      const calls: { readonly resolve: (value: string) => void; readonly reject: (error: Error) => void }[] = [];
      const ask = new Endpoint(() => new Promise<string>((resolve, reject) => void calls.push({ resolve, reject })), {
        name: 'ask',
        sideEffect,
      });
      const write = new Endpoint(async () => '', { name: 'write', sideEffect: true });
      for (let nth = 0; nth < 4; nth++) {
        controller.fetch(ask).catch(() => {});
        // So that reads do not share a request.
        // oxlint-disable-next-line no-await-in-loop
        await controller.fetch(write);
      }
      calls[1]?.resolve('newer');
      await settled();
      calls[0]?.reject(new Error('older'));
      await settled();
      expect(controller.getError(ask)).toBeUndefined();
      expect(controller.getResponse(ask).data).toBe('newer');
      calls[3]?.reject(new Error('newest'));
      await settled();
      calls[2]?.resolve('not the newest');
      await settled();
      expect(controller.getError(ask)).toMatchObject({ message: 'newest' });
      controller.dispose();
    },
  );
});

test('an edit with a bare answer does not bring back what was deleted meanwhile', async () => {
  const { transport, controller, todos, shown, edit } = scene(false);
  await controller.setResponse(todos.getList, [OLD, OTHER]);
  const [first] = await edit({ title: 'new' });
  const deleted = controller.fetch(todos.delete, { id: '1' });
  await settled();
  await answer(transport.take('DELETE /todos/1'), null);
  await deleted;
  first?.answer(null, { status: 204 });
  await settled();
  expect(shown()).toEqual({});
  expect(controller.getResponse(todos.getList).data).toHaveLength(1);
});

test('after creates that overlap, the list is fetched once, because only the server knows the order of the new records', async () => {
  const { transport, controller, todos } = scene(true);
  await controller.setResponse(todos.getList, [OLD]);
  controller.watch(todos.getList, () => {});
  for (const title of ['a', 'b']) controller.fetch(todos.create, { title }).catch(() => {});
  await settled();
  const [a, b] = [transport.take('POST /todos'), transport.take('POST /todos')];
  await answer(b, { id: '2', title: 'b', note: '' });
  await answer(a, { id: '3', title: 'a', note: '' });
  expect(transport.sent).toEqual(['GET /todos']);
  const one = controller.fetch(todos.create, { title: 'c' });
  await answer(transport.take('GET /todos'), [OLD, { id: '2', title: 'b' }, { id: '3', title: 'a' }]);
  await answer(transport.take('POST /todos'), { id: '4', title: 'c', note: '' });
  await one;
  expect(controller.getResponse(todos.getList).data?.map(({ title }) => title)).toEqual(['old', 'b', 'a', 'c']);
  expect(transport.sent).toEqual([]);
});

test.each([
  ['alone', [OLD]],
  ['with parameters', [{}, OLD]],
  ['in a list', [[OLD]]],
])(
  'a record that was created with a pk of its own, %s, and deleted is not shown again until its create is answered',
  async (_, args) => {
    const { transport, controller, todos } = scene(true);
    await controller.setResponse(todos.getList, [OTHER]);
    const frames: string[] = [];
    controller.watch(todos.getList, (reading) => {
      const frame = 'value' in reading ? reading.value.map(({ id }) => id).join(' ') : reading.status;
      if (frame !== frames.at(-1)) frames.push(frame);
    });
    void controller.fetch(todos.getList.push, ...(args as [object]));
    await settled();
    void controller.fetch(todos.delete, { id: '1' });
    await settled();
    await answer(transport.take('POST /todos'), args.at(-1));
    await answer(transport.take('DELETE /todos/1'), undefined);
    expect(frames).toEqual(['2', '2 1', '2']);
    expect(controller.get(Todo, { id: '1' })).toBeUndefined();
  },
);

test.each(['move', 'partialUpdate'] as const)(
  'a record that getList.%s has changed leaves the list of that change once a later change of the same field is answered',
  async (name) => {
    class Visit extends Entity {
      id = '';
      day = '';
      static override key = 'OverlappingVisit';
    }
    const transport = new Transport();
    const searchParams: { day?: string } = {};
    const visits = resource({
      path: '/visits/:id',
      schema: Visit,
      searchParams,
      optimistic: true,
      platform: transport,
    });
    const { move } = visits.getList;
    const controller = new Controller({ now: () => transport.time });
    await controller.setResponse(visits.getList, { day: 'mo' }, [{ id: '1', day: 'mo' }]);
    await controller.setResponse(visits.getList, { day: 'tu' }, []);
    await controller.setResponse(visits.getList, { day: 'we' }, []);
    const shown = (): unknown[] =>
      ['mo', 'tu', 'we'].map((day) => controller.getResponse(visits.getList, { day }).data?.map((visit) => visit.day));
    void controller.fetch(name === 'move' ? move : visits.partialUpdate, { id: '1' }, { day: 'tu' });
    await settled();
    const earlier = transport.take('PATCH /visits/1');
    void controller.fetch(visits.partialUpdate, { id: '1' }, { day: 'we' });
    await settled();
    expect(shown()).toEqual([[], [], ['we']]);
    await answer(transport.take('PATCH /visits/1'), { id: '1', day: 'we' });
    expect(shown()).toEqual([[], [], ['we']]);
    await answer(earlier, { id: '1', day: 'tu' });
    expect(shown()).toEqual([[], [], ['we']]);
  },
);

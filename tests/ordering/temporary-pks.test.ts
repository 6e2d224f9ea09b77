import { describe, expect, test } from 'vitest';
import { Controller, Endpoint, Entity, from, hasMany, resource, RestEndpoint } from '../../src/index.ts';
import { settled, Transport } from './transport.ts';

class Todo extends Entity {
  id: number | string = '';
  title = '';
  static override key = 'Todo';
}
class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}

/** A record that is being created, and the pk that it has until then. */
async function scene() {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const todos = resource({ path: '/todos/:id', schema: Todo, optimistic: true, platform: transport });
  const notes = resource({ path: '/todos/:todo/notes/:id', schema: Note, optimistic: true, platform: transport });
  await controller.setResponse(todos.getList, []);
  const created = controller.fetch(todos.getList.push, { title: 'new' });
  created.catch(() => {});
  await settled();
  const id = String(controller.getResponse(todos.getList).data?.[0]?.id);
  const shown = (): readonly unknown[] | undefined =>
    controller.getResponse(todos.getList).data?.map(({ id: pk, title }) => [pk, title]);
  return { transport, controller, todos, notes, created, id, shown };
}

describe('a request that mentions a record which is still being created', () => {
  test('shows its guess at once, waits for the create, and is sent with the id of the server', async () => {
    const { transport, controller, todos, id, shown } = await scene();
    const changed = controller.fetch(todos.partialUpdate, { id }, { title: 'changed' });
    const deleted = controller.fetch(todos.delete, { id });
    deleted.catch(() => {});
    await settled();
    expect(transport.sent).toEqual(['POST /todos']);
    expect(shown()).toEqual([]);
    transport.take('POST /todos').answer({ id: 7, title: 'new' });
    await settled();
    expect(transport.sent).toEqual(['PATCH /todos/7', 'DELETE /todos/7']);
    transport.take('DELETE /todos/7').fail();
    await settled();
    expect(shown()).toEqual([[7, 'changed']]);
    transport.take('PATCH /todos/7').answer({ id: 7, title: 'changed' });
    expect(await changed).toMatchObject({ id: 7, title: 'changed' });
    expect(shown()).toEqual([[7, 'changed']]);
  });

  test('counts as pending for the record under both of its ids, until it is answered', async () => {
    const { transport, controller, todos, id } = await scene();
    const { pendingRecords } = controller.mutations;
    const isPending = (pk: number | string): boolean => pendingRecords.has(Todo.fromJS({ id: pk }));
    const changes = ['first', 'second'].map((title) => controller.fetch(todos.partialUpdate, { id }, { title }));
    expect([isPending(id), isPending(7)]).toEqual([true, false]);
    transport.take('POST /todos').answer({ id: 7, title: 'new' });
    await settled();
    expect([isPending(id), isPending(7)]).toEqual([true, true]);
    transport.take('PATCH /todos/7').answer({ id: 7, title: 'first' });
    await changes[0];
    expect([isPending(id), isPending(7)]).toEqual([true, true]);
    transport.take('PATCH /todos/7').answer({ id: 7, title: 'second' });
    await changes[1];
    expect([isPending(id), isPending(7)]).toEqual([false, false]);
  });

  test('waits for the create also if it has the record itself as a reference', async () => {
    class Part extends Entity {
      id = '';
      todo: Todo = Todo.fromJS();
      static override key = 'Part';
      static override schema = { todo: Todo };
    }
    const { transport, controller, todos } = await scene();
    const parts = resource({ path: '/parts/:id', schema: Part, optimistic: true, platform: transport });
    const todo = controller.getResponse(todos.getList).data?.[0] as Todo;
    void controller.fetch(parts.create, { todo });
    expect(controller.get(from(Part))?.map((part) => part.todo)).toEqual([todo]);
    await settled();
    expect(transport.sent).toEqual(['POST /todos']);
    transport.take('POST /todos').answer({ id: 7, title: 'new' });
    await settled();
    expect(transport.take('POST /parts').body).toMatchObject({ todo: { id: 7 } });
  });

  test('has the pk of the server in its guess after the create, so lists, filters and relations of the record show the guess until the answer', async () => {
    class Part extends Entity {
      id = '';
      todo: Todo | undefined = undefined;
      todoId: string | number = '';
      static override key = 'Part';
      static override schema = { todo: Todo };
    }
    const { transport, controller, id } = await scene();
    const parts = resource({
      path: '/parts/:id',
      schema: Part,
      searchParams: {} as { todoId: string | number } | undefined,
      body: {} as { todo: string; todoId: string },
      optimistic: true,
      platform: transport,
    });
    await controller.setResponse(parts.getList, { todoId: 7 }, []);
    const seen = () => [
      controller.get(parts.getList.schema, { todoId: 7 })?.length,
      controller.get(from(Part).where({ todoId: 7 }))?.length,
      controller.get(
        hasMany(() => Part, 'todo'),
        '7',
      )?.length,
      controller.getState().get(from(Part).where({ todoId: 7 }))?.length,
    ];
    const added = controller.fetch(parts.create, { todo: id, todoId: id });
    await settled();
    expect(seen()).toEqual([0, 0, 0, 0]);
    transport.take('POST /todos').answer({ id: 7, title: 'new' });
    await settled();
    expect(seen()).toEqual([1, 1, 1, 1]);
    transport.take('POST /parts').answer({ id: 'a', todo: 7, todoId: 7 });
    await added;
    expect(seen()).toEqual([1, 1, 1, 1]);
  });

  test('is sent with the pk of the server in URLs, in bodies at any depth, and in forms', async () => {
    const { transport, controller, notes, id } = await scene();
    const form = new FormData();
    form.append('todo', id);
    form.append('text', 'hello');
    form.append('file', new Blob(['x']), 'a.txt');
    void controller.fetch(notes.getList.push, { todo: id }, {
      text: 'a',
      about: [{ todo: id }],
      at: new Date(0),
    } as never);
    void controller.fetch(notes.getList.push, { todo: id }, form);
    await settled();
    transport.take('POST /todos').answer({ id: 7, title: 'new' });
    await settled();
    expect(transport.sent).toEqual(['POST /todos/7/notes', 'POST /todos/7/notes']);
    expect(transport.calls[0]?.body).toMatchObject({ about: [{ todo: 7 }] });
    const sent = transport.calls[1]?.body as FormData;
    expect([...sent.entries()].map(([name, value]) => [name, typeof value === 'string' ? value : value.name])).toEqual([
      ['todo', '7'],
      ['text', 'hello'],
      ['file', 'a.txt'],
    ]);
  });

  test('is sent with all other texts unchanged, even if they look like temporary pks', async () => {
    const { transport, controller, todos, id } = await scene();
    const texts = ['temp:1', 'temp:', id.slice(0, -1), `${id.slice(0, -1)}2`, `see ${id.slice(0, -1)}`];
    void controller.fetch(todos.update, { id: 5 }, { id: 5, title: texts } as never);
    await settled();
    expect(transport.calls.find(({ method }) => method === 'PUT')?.body).toEqual({ id: 5, title: texts });
  });

  test('is sent with the pk of the server inside of longer texts, also as a URL has it', async () => {
    const { transport, controller, todos, id } = await scene();
    const texts = [`${id} `, `see ${id}, and ${id}`, `/todos/${encodeURIComponent(id)}/notes`, `temp${id}`];
    void controller.fetch(todos.update, { id: 5 }, { id: 5, title: texts } as never);
    await settled();
    transport.take('POST /todos').answer({ id: 7, title: 'new' });
    await settled();
    const sent = transport.calls.find(({ method }) => method === 'PUT')?.body as { title: unknown } | undefined;
    expect(sent?.title).toEqual(['7 ', 'see 7, and 7', '/todos/7/notes', 'temp7']);
  });

  test('is sent with the pk of the server even if that looks like a temporary pk', async () => {
    const { transport, controller, todos, id, created } = await scene();
    transport.take('POST /todos').answer({ id: 'temp:1', title: 'new' });
    await created;
    void controller.fetch(todos.partialUpdate, { id }, { title: 'x' });
    await settled();
    expect(transport.sent).toEqual(['PATCH /todos/temp%3A1']);
  });

  test('has a random temporary pk, which no other store has', async () => {
    const [one, other] = await Promise.all([scene(), scene()]);
    expect(one.id).toMatch(/^temp:[0-9a-z]{21}:1$/);
    expect(one.id).not.toBe(other.id);
  });

  test('is sent with the pk of the server at any later time, and other requests are sent unchanged', async () => {
    const { transport, controller, todos, id, created } = await scene();
    void controller.fetch(todos.get, { id: 'temp:unknown' });
    await settled();
    expect(transport.take('GET /todos/temp%3Aunknown')).toBeDefined();
    transport.take('POST /todos').answer({ id: 'seven', title: 'new' });
    await created;
    const body = { title: 'x' };
    let seen: unknown;
    const note = new Endpoint(
      async (args: object) => {
        seen = args;
      },
      { name: 'note', sideEffect: true },
    );
    await controller.fetch(note, body);
    expect(seen).toEqual(body);
    void controller.fetch(todos.partialUpdate, { id }, body);
    await settled();
    expect(transport.sent).toEqual(['PATCH /todos/seven']);
  });

  test('fails if the create fails, and its guess is rolled back', async () => {
    const { transport, controller, todos, id, created, shown } = await scene();
    const changed = controller.fetch(todos.partialUpdate, { id }, { title: 'changed' });
    await settled();
    transport.take('POST /todos').answer({}, { status: 422 });
    await expect(created).rejects.toMatchObject({ status: 422 });
    await expect(changed).rejects.toMatchObject({ code: 'record-never-created', entity: 'Todo' });
    expect(shown()).toEqual([]);
    expect(transport.sent).toEqual([]);
    await expect(controller.fetch(todos.delete, { id })).rejects.toMatchObject({ code: 'record-never-created' });
  });

  test('fails if the create is answered without a record, or with a response that cannot be stored', async () => {
    for (const answer of [undefined, { title: 'no id' }]) {
      // oxlint-disable-next-line no-await-in-loop
      const { transport, controller, todos, id } = await scene();
      const changed = controller.fetch(todos.partialUpdate, { id }, { title: 'changed' });
      // oxlint-disable-next-line no-await-in-loop
      await settled();
      transport.take('POST /todos').answer(answer, answer === undefined ? { status: 204 } : {});
      // oxlint-disable-next-line no-await-in-loop
      await expect(changed).rejects.toMatchObject({ code: 'record-never-created' });
    }
  });

  test('is rejected by a reset, and is never sent', async () => {
    const { transport, controller, todos, id } = await scene();
    const changed = controller.fetch(todos.partialUpdate, { id }, { title: 'changed' });
    const read = controller.fetch(todos.get, { id });
    await settled();
    await controller.resetEntireStore();
    await expect(changed).rejects.toMatchObject({ code: 'request-reset' });
    await expect(read).rejects.toMatchObject({ code: 'request-reset' });
    await settled();
    expect(transport.sent).toEqual(['POST /todos']);
  });

  test('is rejected when its controller is disposed, and is never sent', async () => {
    const { transport, controller, todos, id } = await scene();
    const changed = controller.fetch(todos.partialUpdate, { id }, { title: 'changed' });
    await settled();
    controller.dispose();
    await expect(changed).rejects.toMatchObject({ code: 'request-reset' });
    await settled();
    expect(transport.sent).toEqual(['POST /todos']);
  });

  test('counts as issued when it is sent, if it is a read: earlier reads are older', async () => {
    const { transport, controller, todos, id } = await scene();
    const read = controller.fetch(todos.get, { id });
    await settled();
    transport.take('POST /todos').answer({ id: 7, title: 'new' });
    await settled();
    transport.take('GET /todos/7').answer({ id: 7, title: 'read' });
    expect(await read).toMatchObject({ title: 'read' });
    expect(controller.get(Todo, { id: 7 })).toBe(await read);
    expect(controller.getResponse(todos.get, { id }).data).toBe(await read);
  });

  test('has temporary pks replaced only in plain data, down to a limited depth', async () => {
    const { transport, controller, id, created } = await scene();
    transport.take('POST /todos').answer({ id: 7, title: 'new' });
    await created;
    const seen: unknown[] = [];
    const say = new Endpoint(
      async (args: unknown) => {
        seen.push(args);
      },
      { name: 'say', sideEffect: true, key: () => 'say' },
    );
    let deep: object = { id };
    for (let level = 0; level < 50; level++) deep = { deep };
    const circle: Record<string, unknown> = { id };
    circle['self'] = circle;
    await controller.fetch(say, deep);
    await controller.fetch(say, circle);
    await controller.fetch(say, new Map([[id, id]]));
    expect(seen[0]).toEqual(deep);
    expect(seen[1]).toMatchObject({ id: 7, self: { id: 7 } });
    expect(seen[2]).toEqual(new Map([[id, id]]));
  });

  test('is sent with the id of the server as long as the record is kept, and fails once it is collected', async () => {
    const { transport, controller, todos, created, id } = await scene();
    transport.take('POST /todos').answer({ id: 7, title: 'new' });
    await created;
    const stop = controller.view(Todo, { id }).subscribe(() => {});
    transport.time += 604_800_000;
    Array.from(controller.collect());
    expect(controller.get(Todo, { id })).toMatchObject({ id: 7 });
    void controller.fetch(todos.get, { id });
    await settled();
    transport.take('GET /todos/7').answer({ id: 7, title: 'read' });
    await settled();

    stop();
    transport.time += 604_800_000;
    Array.from(controller.collect());
    expect(controller.get(Todo, { id: 7 })).toBeUndefined();
    await expect(controller.fetch(todos.get, { id })).rejects.toMatchObject({ code: 'record-never-created' });
  });

  test('keeps the pk of the server while a mutation is pending, although its record was collected', async () => {
    const { transport, controller, todos, created, id } = await scene();
    transport.take('POST /todos').answer({ id: 7, title: 'new' });
    await created;
    const pending = controller.fetch(todos.getList.push, { title: 'other' });
    pending.catch(() => {});
    await settled();
    transport.time += 604_800_000;
    Array.from(controller.collect());
    void controller.fetch(todos.get, { id }).catch(() => {});
    await settled();
    expect(transport.sent).toEqual(['POST /todos', 'GET /todos/7']);
  });
});

test('a request waits for a create also if its guess could only be made after the create was sent', async () => {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const todos = resource({ path: '/todos/:id', schema: Todo, platform: transport });
  await controller.setResponse(todos.getList, []);
  const copyFirst = todos.getList.push.extend({
    getOptimisticResponse: (snapshot, ...args) => {
      if (snapshot.get(Todo, { id: '1' }) === undefined) throw snapshot.abort;
      return args.at(-1);
    },
  });
  void controller.fetch(copyFirst, { title: 'copy' });
  await settled();
  await controller.set(Todo, { id: '1' }, { id: '1', title: 'first' });
  const id = String(controller.getResponse(todos.getList).data?.[0]?.id);
  expect(id).toContain('temp:');
  expect(controller.mutations.pendingRecords.has(Todo.fromJS({ id }))).toBe(true);
  void controller.fetch(todos.partialUpdate, { id }, { title: 'changed' });
  await settled();
  expect(transport.sent).toEqual(['POST /todos']);
  transport.take('POST /todos').answer({ id: 7, title: 'copy' });
  await settled();
  expect(transport.sent).toEqual(['PATCH /todos/7']);
  transport.take('PATCH /todos/7').answer({ id: 7, title: 'changed' });
  await settled();
  expect(controller.mutations.pendingRecords.has(Todo.fromJS({ id }))).toBe(false);
});

test('a mutation without data in its answer succeeds although its guess mentions a record whose create failed', async () => {
  const { transport, controller, created, id } = await scene();
  const label = new RestEndpoint({
    path: '/todos/:id/label',
    method: 'POST',
    schema: Todo,
    body: undefined,
    platform: transport,
    getOptimisticResponse: (_snapshot, { id: labeled }) => ({ id: labeled, title: id }),
  });
  await controller.set(Todo, { id: '1' }, { id: '1', title: 'first' });
  const labeled = controller.fetch(label, { id: '1' });
  await settled();
  transport.take('POST /todos').answer({}, { status: 500 });
  await expect(created).rejects.toMatchObject({ status: 500 });
  transport.take('POST /todos/1/label').answer(null, { status: 204 });
  expect(await labeled).toMatchObject({ id: '1', title: id });
});

test('an edit that was never sent, because the create of its record was refused, causes no fetch', async () => {
  const { transport, controller, todos, created, id } = await scene();
  controller.watch(todos.getList, () => {});
  const changed = controller.fetch(todos.partialUpdate, { id }, { title: 'changed' });
  await settled();
  transport.take('POST /todos').answer({}, { status: 422 });
  await expect(created).rejects.toMatchObject({ status: 422 });
  await expect(changed).rejects.toMatchObject({ code: 'record-never-created' });
  await settled();
  expect(transport.sent).toEqual([]);
});

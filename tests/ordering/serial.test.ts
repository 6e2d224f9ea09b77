import { describe, expect, test } from 'vitest';
import {
  Controller,
  Endpoint,
  type EndpointExtraOptions,
  Entity,
  type Platform,
  platform as realPlatform,
  resource,
  Union,
} from '../../src/index.ts';
import { settled, Transport } from './transport.ts';

class Todo extends Entity {
  id: number | string = '';
  title = '';
  note = '';
  static override key = 'Todo';
}

async function scene(serial: EndpointExtraOptions['serial'] = true) {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const todos = resource({ path: '/todos/:id', schema: Todo, optimistic: true, platform: transport, serial });
  await controller.setResponse(todos.getList, [
    { id: 1, title: 'old', note: 'old' },
    { id: 2, title: 'old', note: 'old' },
  ]);
  const shown = (id: number | string = 1): unknown => {
    const todo = controller.get(Todo, { id });
    return todo && [todo.title, todo.note];
  };
  const answer = async (what: string, value: unknown, init?: ResponseInit): Promise<void> => {
    transport.take(what).answer(value, init);
    await settled();
  };
  return { transport, controller, todos, shown, answer };
}

describe('serial: true', () => {
  test('sends mutations of one record one after another, and shows their guesses at once', async () => {
    const { transport, controller, todos, shown, answer } = await scene();
    controller.watch(todos.getList, () => {});
    const done = Promise.all([
      controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'a' }),
      controller.fetch(todos.update, { id: '1' }, { title: 'b', note: 'b' }),
      controller.fetch(todos.partialUpdate, { id: 2 }, { title: 'other' }),
      controller.fetch(todos.partialUpdate, { id: 1 }, { note: 'c' }),
    ]);
    await settled();
    expect(shown()).toEqual(['b', 'c']);
    expect(transport.sent).toEqual(['PATCH /todos/1', 'PATCH /todos/2']);
    await answer('PATCH /todos/1', { id: 1, title: 'a', note: 'old' });
    expect(transport.sent).toEqual(['PATCH /todos/2', 'PUT /todos/1']);
    expect(shown()).toEqual(['b', 'c']);
    await answer('PUT /todos/1', { id: 1, title: 'b', note: 'b' });
    await answer('PATCH /todos/2', { id: 2, title: 'other', note: 'old' });
    await answer('PATCH /todos/1', { id: 1, title: 'b as the server writes it', note: 'c' });
    await done;
    expect(shown()).toEqual(['b as the server writes it', 'c']);
    // The mutations did not overlap on the server, so nothing is in doubt.
    expect(transport.sent).toEqual([]);
  });

  test('of edits of one field in different queues, the one that was sent last counts', async () => {
    const { transport, controller, todos, shown, answer } = await scene();
    const free = todos.partialUpdate.extend({ serial: false });
    const done = Promise.all([
      controller.fetch(todos.partialUpdate, { id: 1 }, { note: 'a' }),
      controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'waits' }),
      controller.fetch(free, { id: 1 }, { title: 'free' }),
    ]);
    await settled();
    const [first, other] = [transport.take('PATCH /todos/1'), transport.take('PATCH /todos/1')];
    other.answer({ id: 1, title: 'free', note: 'a' });
    await settled();
    first.answer({ id: 1, title: 'free', note: 'a' });
    await settled();
    await answer('PATCH /todos/1', { id: 1, title: 'waits', note: 'a' });
    await done;
    expect(shown()).toEqual(['waits', 'a']);
  });

  test('sends the next mutation after a failed one', async () => {
    const { transport, controller, todos, shown, answer } = await scene();
    const first = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'a' });
    first.catch(() => {});
    const second = controller.fetch(todos.delete, { id: 1 });
    await settled();
    expect(shown()).toBe(undefined);
    await answer('PATCH /todos/1', {}, { status: 500 });
    await expect(first).rejects.toMatchObject({ status: 500 });
    expect(transport.sent).toEqual(['DELETE /todos/1']);
    await answer('DELETE /todos/1', null, { status: 204 });
    await second;
    expect(shown()).toBe(undefined);
  });

  test('keeps the order of mutations that wait for a create, and sends them with the pk of the server', async () => {
    const { transport, controller, todos, shown, answer } = await scene();
    const created = controller.fetch(todos.create, { title: 'new', note: '' });
    await settled();
    const id = String(controller.getResponse(todos.getList).data?.at(-1)?.id);
    const done = Promise.all([
      controller.fetch(todos.partialUpdate, { id }, { note: id }),
      controller.fetch(todos.partialUpdate, { id }, { title: 'second' }),
    ]);
    const another = controller.fetch(todos.create, { title: id, note: '' });
    await settled();
    expect(transport.sent).toEqual(['POST /todos']);
    // The first observer of the answer fetches at once, with the pk of the server.
    let third: Promise<Todo> | undefined;
    let isAsked = false;
    controller.watch(Todo, { id: 7 }, (shownNow) => {
      if (isAsked || !('value' in shownNow)) return;
      isAsked = true;
      third = controller.fetch(todos.partialUpdate, { id: 7 }, { title: 'third' });
    });
    await answer('POST /todos', { id: 7, title: 'new', note: '' });
    await created;
    expect(transport.sent).toEqual(['POST /todos', 'PATCH /todos/7']);
    expect(transport.call('PATCH /todos/7').body).toEqual({ note: 7 });
    expect(transport.call('POST /todos').body).toEqual({ title: 7, note: '' });
    await answer('POST /todos', { id: 8, title: 7, note: '' });
    await another;
    await answer('PATCH /todos/7', { id: 7, title: 'new', note: 7 });
    expect(transport.sent).toEqual(['PATCH /todos/7']);
    await answer('PATCH /todos/7', { id: 7, title: 'second', note: 7 });
    await answer('PATCH /todos/7', { id: 7, title: 'third', note: 7 });
    await done;
    await third;
    expect(shown(7)).toEqual(['third', 7]);
  });

  test('an edit of a record of a union waits for the deletion that was sent before it', async () => {
    const transport = new Transport();
    const controller = new Controller({ now: () => transport.time });
    class Bug extends Todo {
      type = 'bug';
      static override key = 'Bug';
    }
    class Chore extends Todo {
      type = 'chore';
      static override key = 'Chore';
    }
    const schema = new Union({ bug: Bug, chore: Chore }, 'type');
    const tasks = resource({ path: '/tasks/:id', schema, optimistic: true, platform: transport, serial: true });
    await controller.setResponse(tasks.get, { id: 1 }, { id: 1, type: 'chore', title: 'old', note: '' });
    const done = Promise.all([
      controller.fetch(tasks.delete, { id: 1 }),
      expect(controller.fetch(tasks.partialUpdate, { id: 1 }, { title: 'new' })).rejects.toMatchObject({ status: 404 }),
    ]);
    await settled();
    expect(transport.sent).toEqual(['DELETE /tasks/1']);
    transport.take('DELETE /tasks/1').answer('');
    await settled();
    transport.take('PATCH /tasks/1').answer({}, { status: 404 });
    await done;
  });

  test('a reset rejects waiting mutations, which are never sent', async () => {
    const { transport, controller, todos } = await scene();
    const all = ['a', 'b', 'c'].map((title) => controller.fetch(todos.partialUpdate, { id: 1 }, { title }));
    const ended = Promise.allSettled(all);
    await settled();
    await controller.resetEntireStore();
    expect((await ended).map((one) => (one as { reason?: { code?: string } }).reason?.code)).toEqual([
      'request-reset',
      'request-reset',
      'request-reset',
    ]);
    await settled();
    expect(transport.sent).toEqual(['PATCH /todos/1']);
  });

  test('a waiting mutation that is aborted ends at once with its guess, and the order of the others stays', async () => {
    const { transport, controller, todos, shown, answer } = await scene();
    const aborted = new AbortController();
    const first = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'a' });
    const second = controller.fetch(todos.partialUpdate.extend({ signal: aborted.signal }), { id: 1 }, { title: 'b' });
    const third = controller.fetch(todos.partialUpdate, { id: 1 }, { note: 'c' });
    await settled();
    expect(shown()).toEqual(['b', 'c']);
    aborted.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    expect(shown()).toEqual(['a', 'c']);
    await settled();
    expect(transport.sent).toEqual(['PATCH /todos/1']);
    await answer('PATCH /todos/1', { id: 1, title: 'a', note: 'old' });
    expect(transport.sent).toEqual(['PATCH /todos/1']);
    await answer('PATCH /todos/1', { id: 1, title: 'a', note: 'c' });
    await Promise.all([first, third]);
    expect(shown()).toEqual(['a', 'c']);
  });

  test('each mutation is sent with the version of its record from the answer before', async () => {
    const tags: (string | undefined)[] = [];
    const platform: Platform = {
      ...realPlatform,
      fetch: async (_url, { headers }) => {
        tags.push(new Headers(headers).get('X-Note') ?? undefined);
        return Response.json({ id: 1, title: 'x', note: `v${tags.length + 1}` });
      },
    };
    const { controller, todos } = await scene();
    await controller.setResponse(todos.get, { id: 1 }, { id: 1, title: 'x', note: 'v1' });
    const update = todos.partialUpdate.extend({
      platform,
      getHeaders(this: { exchange?: { record?(): unknown } }, headers: object) {
        return { ...headers, 'X-Note': (Object(this.exchange?.record?.()) as Todo).note };
      },
    });
    await Promise.all(['a', 'b', 'c'].map((title) => controller.fetch(update, { id: 1 }, { title })));
    expect(tags).toEqual(['v1', 'v2', 'v3']);
  });
});

describe('serial with a function', () => {
  test('sends mutations with the same key one after another, and mutations without a key at once', async () => {
    const { transport, controller, todos, answer } = await scene();
    const queued = todos.partialUpdate.extend({ serial: ({ id }: { id: number }) => (id < 3 ? 'low' : undefined) });
    for (const id of [1, 2, 3, 4]) void controller.fetch(queued, { id }, { title: 'x' });
    await settled();
    expect(transport.sent).toEqual(['PATCH /todos/1', 'PATCH /todos/3', 'PATCH /todos/4']);
    await answer('PATCH /todos/1', { id: 1, title: 'x' });
    expect(transport.sent).toEqual(['PATCH /todos/3', 'PATCH /todos/4', 'PATCH /todos/2']);
  });

  test('works with endpoints that are not REST endpoints', async () => {
    const running: string[] = [];
    let most = 0;
    const work = new Endpoint(
      async (name: string) => {
        running.push(name);
        most = Math.max(most, running.length);
        await settled();
        running.pop();
        return name;
      },
      { name: 'work', sideEffect: true, serial: () => 'work' },
    );
    const controller = new Controller();
    expect(await Promise.all(['a', 'b', 'c'].map((name) => controller.fetch(work, name)))).toEqual(['a', 'b', 'c']);
    expect(most).toBe(1);
  });
});

test('the function is called once for each mutation, even if many wait', async () => {
  let calls = 0;
  const serial = (): string => {
    calls++;
    return 'queue';
  };
  const { controller, todos, answer } = await scene(serial);
  const done = Promise.all(
    Array.from({ length: 50 }, (_, at) => controller.fetch(todos.partialUpdate, { id: 1 }, { title: `${at}` })),
  );
  for (let at = 0; at < 50; at++) {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    await settled();
    // oxlint-disable-next-line no-await-in-loop -- as above
    await answer('PATCH /todos/1', { id: 1, title: `${at}` });
  }
  await done;
  expect(calls).toBe(50);
});

test('reads ignore the option', async () => {
  const { transport, controller, todos } = await scene();
  void controller.fetch(todos.get, { id: 1 });
  void controller.fetch(todos.get.extend({ serial: true }), { id: 2 });
  void controller.fetch(todos.getList);
  await settled();
  expect(transport.sent).toHaveLength(3);
});

import { describe, expect, test } from 'vitest';
import { type Answer, Controller, Endpoint, Entity, RestEndpoint, resource } from '../../src/index.ts';
import { settled, Transport } from './transport.ts';

class Todo extends Entity {
  id = '';
  title = '';
  age = 0;
  note = '';
  static override key = 'Todo';
}

function scene() {
  const transport = new Transport();
  const controller = new Controller({ now: () => transport.time });
  const todos = resource({ path: '/todos/:id', schema: Todo, optimistic: true, platform: transport });
  const title = (): string | undefined => controller.get(Todo, { id: '1' })?.title;
  return { transport, controller, todos, title };
}

/** Every value that a watcher gets. */
function valuesSeen(controller: Controller, todos: ReturnType<typeof scene>['todos']): string[] {
  const titles: string[] = [];
  controller.watch(todos.get, { id: '1' }, (answer: Answer<Todo>) => {
    if ('value' in answer && titles.at(-1) !== answer.value.title) titles.push(answer.value.title);
  });
  return titles;
}

describe('for each field, the latest request wins', () => {
  test('the answer of an earlier request adds missing fields, and overwrites none', async () => {
    const { transport, controller, todos } = scene();
    const full = new RestEndpoint({ path: '/full', schema: Todo, platform: transport });
    const name = new RestEndpoint({ path: '/name', schema: Todo, platform: transport });
    void controller.fetch(full);
    void controller.fetch(todos.get, { id: '1' });
    void controller.fetch(name);
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'second', age: 2 });
    await settled();
    transport.take('GET /name').answer({ id: '1', title: 'third' });
    await settled();
    transport.take('GET /full').answer({ id: '1', title: 'first', age: 1, note: 'only here' });
    await settled();
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'third', age: 2, note: 'only here' });
  });

  test.each([-3_600_000, 0])('the order does not depend on the clock (set by %i ms)', async (step) => {
    const { transport, controller, todos, title } = scene();
    const other = new RestEndpoint({ path: '/other', schema: Todo, platform: transport });
    void controller.fetch(todos.get, { id: '1' });
    await settled();
    transport.time += step;
    void controller.fetch(other);
    await settled();
    transport.take('GET /other').answer({ id: '1', title: 'newer' });
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'older' });
    await settled();
    expect(title()).toBe('newer');
  });

  test('after the clock was set, data is still fetched again when it is due', async () => {
    const { transport, controller, todos } = scene();
    void controller.fetch(todos.get, { id: '1' });
    await settled();
    transport.take('GET /todos/1').answer({ id: '1' });
    await settled();
    transport.time += 60_001;
    expect(controller.fetchIfStale(todos.get, { id: '1' })).toBeInstanceOf(Promise);
    await settled();
    expect(transport.sent).toEqual(['GET /todos/1']);
  });
});

describe('a deleted record stays deleted', () => {
  test('a list that was requested before the deletion does not bring the record back', async () => {
    const { transport, controller, todos } = scene();
    await controller.setResponse(todos.getList, [{ id: '1', title: 'a' }]);
    void controller.fetch(todos.getList);
    await settled();
    void controller.fetch(todos.delete, { id: '1' });
    await settled();
    transport.take('DELETE /todos/1').answer(undefined, { status: 204 });
    await settled();
    transport.take('GET /todos').answer([
      { id: '1', title: 'a' },
      { id: '2', title: 'b' },
    ]);
    await settled();
    expect(controller.get(Todo, { id: '1' })).toBeUndefined();
    expect(controller.getResponse(todos.getList).data?.map(({ id }) => id)).toEqual(['2']);
  });
});

describe('an answer from before a mutation never undoes the mutation', () => {
  test('a read from before a mutation does not answer a fetch after it', async () => {
    const { transport, controller, todos, title } = scene();
    controller.watch(todos.get, { id: '1' }, () => {});
    void controller.fetch(todos.get, { id: '1' });
    await settled();
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'new' });
    await settled();
    transport.take('PATCH /todos/1').answer({ id: '1', title: 'new' });
    await settled();
    const asked = controller.fetch(todos.get, { id: '1' });
    await settled();
    expect(transport.sent).toEqual(['GET /todos/1', 'GET /todos/1']);
    const [before, after] = transport.calls;
    after?.answer({ id: '1', title: 'newest' });
    expect(await asked).toMatchObject({ title: 'newest' });
    before?.answer({ id: '1', title: 'old' });
    await settled();
    expect(title()).toBe('newest');
    expect(transport.sent).toHaveLength(2);
    expect(controller.getResponse(todos.get, { id: '1' }).expiresAt).toBeGreaterThan(transport.time);
  });

  test.each([true, false])(
    'a list from before a create keeps the created record, and is requested again because of the records of others (shown: %s)',
    async (isShown) => {
      const { transport, controller, todos } = scene();
      const ids = (): string | undefined =>
        controller
          .getResponse(todos.getList)
          .data?.map(({ id }) => id)
          .join();
      await controller.setResponse(todos.getList, [{ id: '1' }]);
      if (isShown) controller.watch(todos.getList, () => {});
      void controller.fetch(todos.getList);
      void controller.fetch(todos.getList.push, { title: 'new' });
      await settled();
      transport.take('POST /todos').answer({ id: '2', title: 'new' });
      await settled();
      transport.take('GET /todos').answer([{ id: '1' }, { id: '3' }]);
      await settled();
      expect(ids()).toBe('1,2');
      if (!isShown) void controller.fetchIfStale(todos.getList);
      await settled();
      transport.take('GET /todos').answer([{ id: '1' }, { id: '3' }, { id: '2' }]);
      await settled();
      expect([ids(), transport.sent]).toEqual(['1,3,2', []]);
    },
  );

  test('an outdated answer is not fetched again if a later request for it is in flight', async () => {
    const { transport, controller, todos } = scene();
    controller.watch(todos.get, { id: '1' }, () => {});
    void controller.fetch(todos.get, { id: '1' });
    for (const id of ['2', '3']) void controller.fetch(todos.update, { id }, { title: 'x' });
    await settled();
    transport.take('PUT /todos/2').answer({ id: '2' });
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'old' });
    await settled();
    void controller.fetch(todos.get, { id: '1' });
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'new' });
    await settled();
    transport.take('PUT /todos/3').answer({ id: '3' });
    await settled();
    expect(transport.sent).toEqual([]);
  });

  test('an outdated answer after a failed later read is stale once the error has expired', async () => {
    const { transport, controller, todos } = scene();
    void controller.fetch(todos.get, { id: '1' });
    await settled();
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'new' });
    await settled();
    transport.take('PATCH /todos/1').answer({ id: '1', title: 'new' });
    await settled();
    const early = transport.take('GET /todos/1');
    controller.fetch(todos.get, { id: '1' }).catch(() => {});
    await settled();
    transport.take('GET /todos/1').fail();
    await settled();
    early.answer({ id: '1', title: 'old' });
    await settled();
    transport.time += 5_000;
    expect(controller.getResponse(todos.get, { id: '1' }).expiresAt).toBeLessThan(transport.time);
  });

  test('if the answer of a mutation differs from a read that overlapped it, the shown data is fetched once', async () => {
    const { transport, controller, todos } = scene();
    await controller.setResponse(todos.get, { id: '1' }, { id: '1', title: 'old', age: 1 });
    controller.watch(todos.get, { id: '1' }, () => {});
    for (const [read, mentioned] of [
      [1, 1],
      [2, 1],
    ]) {
      void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'new' });
      void controller.fetch(todos.get, { id: '1' });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await settled();
      transport.take('GET /todos/1').answer({ id: '1', title: 'old', age: read });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await settled();
      transport.take('PATCH /todos/1').answer({ id: '1', title: 'new', age: mentioned });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await settled();
      expect(transport.sent).toEqual(read === mentioned ? [] : ['GET /todos/1']);
    }
    transport.take('GET /todos/1').answer({ id: '1', title: 'new', age: 2 });
    await settled();
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'new', age: 2 });
    expect(transport.sent).toEqual([]);
  });

  test('records with a merge of their own, and deleted ones, are applied in the order of arrival', async () => {
    class Merged extends Entity {
      id = '';
      title = '';
      static override key = 'Merged';
      static override merge(existing: object, incoming: object): object {
        return { ...existing, ...incoming };
      }
    }
    const { transport, controller } = scene();
    const merged = resource({ path: '/merged/:id', schema: Merged, platform: transport });
    await controller.setResponse(merged.get, { id: '1' }, { id: '1', title: 'old' });
    void controller.fetch(merged.partialUpdate, { id: '1' }, { title: 'new' });
    void controller.fetch(merged.getList);
    await settled();
    transport.take('PATCH /merged/1').answer({ id: '1', title: 'new' });
    await settled();
    expect(controller.get(Merged, { id: '1' })?.title).toBe('new');
    void controller.fetch(merged.delete, { id: '1' });
    void controller.fetch(merged.get, { id: '2' });
    await settled();
    transport.take('DELETE /merged/1').answer({ id: '1' });
    await settled();
    expect(controller.get(Merged, { id: '1' })).toBeUndefined();
  });

  test.each([
    ['partialUpdate', 'PATCH /todos/1', true],
    ['delete', 'DELETE /todos/1', true],
    ['create', 'POST /todos', false],
  ] as const)(
    'records that %s may have changed are stale, and are fetched again when they are shown',
    async (how, sent, isOne) => {
      const { transport, controller, todos } = scene();
      controller.watch(todos.get, { id: '1' }, () => {});
      const until = (): readonly number[] => [
        controller.getResponse(todos.get, { id: '1' }).expiresAt - transport.time,
        controller.getResponse(todos.get, { id: '2' }).expiresAt - transport.time,
        controller.getResponse(todos.getList).expiresAt - transport.time,
      ];
      const send = (): void => {
        const run = controller.fetch as (...all: readonly unknown[]) => Promise<unknown>;
        const args =
          how === 'create' ? [todos.getList.push, { title: 'new' }] : [todos[how], { id: '1' }, { title: 'new' }];
        run(...args).catch(() => {});
      };
      await controller.setResponse(todos.get, { id: '1' }, { id: '1', title: 'old' });
      await controller.setResponse(todos.get, { id: '2' }, { id: '2', title: 'old' });
      await controller.setResponse(todos.getList, [{ id: '1', title: 'old' }]);
      const before = until();
      send();
      await settled();
      transport.take(sent).answer({ message: 'no' }, { status: 409 });
      await settled();
      expect(until()).toEqual(before);
      send();
      await settled();
      transport.take(sent).fail();
      await settled();
      expect(until().map((left) => left > 0)).toEqual([!isOne, true, false]);
      expect(transport.sent).toEqual(isOne ? ['GET /todos/1'] : []);
    },
  );

  test('a reader that shows no stale data is notified when a mutation of its rows has failed', async () => {
    const { transport, controller, todos } = scene();
    const strict = todos.getList.extend({ invalidIfStale: true });
    const expiresAt = transport.time + 60_000;
    controller.store.write(todos.getList.schema, [{ id: '1', title: 'old' }], { args: [], expiresAt });
    const shown: string[] = [];
    controller.watch(strict, ({ status }) => shown.push(status));
    controller.fetch(todos.getList.push, { title: 'new' }).catch(() => {});
    await settled();
    transport.take('POST /todos').fail();
    await settled();
    expect([shown[0], shown.at(-1)]).toEqual(['fresh', 'missing']);
  });

  test('a poll that was sent during an edit never shows the old value, and is sent once more', async () => {
    const { transport, controller, todos } = scene();
    await controller.setResponse(todos.get, { id: '1' }, { id: '1', title: 'old' });
    const titles = valuesSeen(controller, todos);
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'new' });
    await settled();
    void controller.fetch(todos.get, { id: '1' });
    await settled();
    transport.take('PATCH /todos/1').answer({ id: '1', title: 'new' });
    await settled();
    transport.take('GET /todos/1').answer({ id: '1', title: 'old' });
    await settled();
    expect(transport.sent).toEqual(['GET /todos/1']);
    transport.take('GET /todos/1').answer({ id: '1', title: 'new' });
    await settled();
    expect(transport.sent).toEqual([]);
    expect(titles).toEqual(['old', 'new']);
  });

  test('five edits with a read between them cause one fetch after the last answer, and no old value is shown', async () => {
    const { transport, controller, todos } = scene();
    await controller.setResponse(todos.get, { id: '1' }, { id: '1', title: '0' });
    const titles = valuesSeen(controller, todos);
    for (const nth of ['1', '2', '3', '4', '5']) {
      void controller.fetch(todos.partialUpdate, { id: '1' }, { title: nth });
      // oxlint-disable-next-line no-await-in-loop
      await settled();
      if (nth === '2') void controller.fetch(todos.get, { id: '1' });
      transport.time += 10;
    }
    await settled();
    const edits = transport.calls.filter(({ method }) => method === 'PATCH');
    edits[0]?.answer({ id: '1', title: '1' });
    await settled();
    transport.call('GET /todos/1').answer({ id: '1', title: '0' });
    await settled();
    transport.calls.splice(transport.sent.indexOf('GET /todos/1'), 1);
    for (const edit of [edits[2], edits[1], edits[3]])
      edit?.answer({ id: '1', title: (edit.body as { title: string }).title });
    await settled();
    expect(transport.sent).not.toContain('GET /todos/1');
    expect(controller.getResponse(todos.get, { id: '1' }).expiresAt).toBeGreaterThan(transport.time);
    edits[4]?.answer({ id: '1', title: '5' });
    await settled();
    expect(transport.sent.filter((what) => what === 'GET /todos/1')).toHaveLength(1);
    transport.take('GET /todos/1').answer({ id: '1', title: '5' });
    await settled();
    expect(titles).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(transport.sent).not.toContain('GET /todos/1');
  });

  test('after overlapping edits, a record without a reader is stale, and is not fetched', async () => {
    const { transport, controller, todos } = scene();
    void controller.fetch(todos.get, { id: '1' });
    void controller.fetch(todos.update, { id: '2' }, { title: 'x' });
    controller.fetch(todos.update, { id: '3' }, { title: 'x' }).catch(() => {});
    await settled();
    transport.take('PUT /todos/2').answer({ id: '2' });
    await settled();
    transport.take('GET /todos/1').answer({ id: '1' });
    await settled();
    expect(controller.getResponse(todos.get, { id: '1' }).expiresAt).toBeGreaterThan(transport.time);
    transport.take('PUT /todos/3').fail();
    await settled();
    expect(controller.getResponse(todos.get, { id: '1' }).expiresAt).toBe(1);
    expect(transport.sent).toEqual([]);
  });
});

describe('a failed mutation rolls back its own effect and nothing else', () => {
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  const outcomes = Array.from({ length: 8 }, (_, bits) => [0, 1, 2].map((bit) => (bits >> bit) % 2 === 1));
  test.each(orders)(
    'its fields return to their former values if the answers arrive in the order %i, %i, %i, with every combination of failures',
    async (...order) => {
      for (const isGood of outcomes) {
        const { transport, controller, todos } = scene();
        // oxlint-disable-next-line no-await-in-loop
        await controller.setResponse(todos.get, { id: '1' }, { id: '1', title: 'a0', age: 0, note: 'c0' });
        const changes = [{ title: 'a1' }, { age: 1 }, { note: 'c1' }];
        for (const change of changes) controller.fetch(todos.partialUpdate, { id: '1' }, change).catch(() => {});
        // oxlint-disable-next-line no-await-in-loop
        await settled();
        const open = new Set([0, 1, 2]);
        const expected = { title: 'a0', age: 0, note: 'c0' };
        const edits = [...transport.calls];
        for (const nth of order) {
          if (isGood[nth] === true) edits[nth]?.answer({ id: '1', ...changes[nth] });
          else edits[nth]?.fail();
          // oxlint-disable-next-line no-await-in-loop
          await settled();
          open.delete(nth);
          if (isGood[nth] === true) Object.assign(expected, changes[nth]);
          const shown = Object.assign({ ...expected }, ...[...open].map((one) => changes[one])) as object;
          expect(controller.get(Todo, { id: '1' })).toMatchObject(shown);
        }
      }
    },
  );
});

describe('mutations that overlap', () => {
  async function overlapping(ids: readonly [string, string], between?: readonly object[]) {
    const given = scene();
    const { transport, controller, todos } = given;
    await controller.setResponse(todos.getList, [
      { id: '1', title: 'old', age: 1 },
      { id: '2', title: 'old', age: 1 },
    ]);
    controller.watch(todos.getList, () => {});
    controller.fetch(todos.partialUpdate, { id: ids[0] }, { title: 'new' }).catch(() => {});
    controller.fetch(todos.partialUpdate, { id: ids[1] }, { age: 2 }).catch(() => {});
    await settled();
    const [slow, fast] = transport.calls.splice(0);
    fast?.answer({ id: ids[1], age: 2 });
    await settled();
    if (between !== undefined) {
      void controller.fetch(todos.getList);
      await settled();
      transport.take('GET /todos').answer(between);
      await settled();
    }
    return { ...given, slow };
  }

  test('of two records do not affect each other, and neither do reads between them', async () => {
    const { transport, slow, title } = await overlapping(
      ['1', '2'],
      [
        { id: '1', title: 'old', age: 1 },
        { id: '2', title: 'old', age: 2 },
      ],
    );
    slow?.answer({ id: '1', title: 'new', age: 1 });
    await settled();
    expect(title()).toBe('new');
    expect(transport.sent).toEqual([]);
  });

  test('of two records: a read between them does not undo a deletion', async () => {
    const { transport, controller, todos } = scene();
    controller.watch(todos.getList, () => {});
    void controller.fetch(todos.delete, { id: '1' });
    void controller.fetch(todos.update, { id: '2' }, { title: 'x' });
    await settled();
    transport.take('PUT /todos/2').answer({ id: '2', title: 'x' });
    await settled();
    void controller.fetch(todos.getList);
    await settled();
    transport.take('GET /todos').answer([{ id: '1' }, { id: '2' }]);
    await settled();
    transport.take('DELETE /todos/1').answer({});
    await settled();
    expect(controller.get(Todo, { id: '1' })).toBeUndefined();
    expect(controller.getResponse(todos.getList).data?.map(({ id }) => id)).toEqual(['2']);
  });

  test('of one record: the one that was issued later wins', async () => {
    const { transport, controller, todos, title } = scene();
    for (const nth of ['first', 'second']) void controller.fetch(todos.partialUpdate, { id: '1' }, { title: nth });
    await settled();
    const [first, second] = transport.calls;
    second?.answer({ id: '1', title: 'second' });
    await settled();
    first?.answer({ id: '1', title: 'first' });
    await settled();
    expect(title()).toBe('second');
  });

  test('of one record: a guess does not hide the answer of a later mutation', async () => {
    const { transport, controller, todos } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'old', note: 'old' });
    const shown = (): unknown => Object.assign({}, controller.get(Todo, { id: '1' }));
    const titles = valuesSeen(controller, todos);
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'first', age: 1, note: 'same' });
    void controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'second', note: 'same' });
    await settled();
    const [first, second] = [1, 2].map(() => transport.take('PATCH /todos/1'));
    expect(shown()).toEqual({ id: '1', title: 'second', age: 1, note: 'same' });
    second?.answer({ id: '1', title: 'second!', note: 'same!' });
    await settled();
    // Where both said the same, the guess stays.
    expect(shown()).toEqual({ id: '1', title: 'second!', age: 1, note: 'same' });
    first?.answer({ id: '1', title: 'first', age: 1, note: 'same!' });
    await settled();
    expect(shown()).toEqual({ id: '1', title: 'second!', age: 1, note: 'same!' });
    expect(titles).toEqual(['old', 'first', 'second', 'second!']);
  });

  test('of one record: a guess stays if a later mutation fails', async () => {
    const { transport, controller, todos, title } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'old' });
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'first' }).catch(() => {});
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'second' }).catch(() => {});
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'third' }).catch(() => {});
    await settled();
    const [first, second, third] = [1, 2, 3].map(() => transport.take('PATCH /todos/1'));
    third?.fail();
    await settled();
    expect(title()).toBe('second');
    second?.fail();
    await settled();
    expect(title()).toBe('first');
    first?.fail();
    await settled();
    expect(title()).toBe('old');
  });

  test('of one record: a field that a later mutation sent wins, even if its answer leaves it out', async () => {
    const { transport, controller, todos, title } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'old' });
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'first' });
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'second' });
    await settled();
    const [first, second] = [1, 2].map(() => transport.take('PATCH /todos/1'));
    second?.answer({ id: '1', age: 5 });
    await settled();
    expect(title()).toBe('second');
    first?.answer({ id: '1', title: 'first', age: 5 });
    await settled();
    expect(title()).toBe('second');
  });

  test('of one record: every later mutation counts', async () => {
    const { transport, controller, todos } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'old' });
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'first', note: 'first', age: 1 });
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'second' });
    void controller.fetch(todos.partialUpdate, { id: '1' }, { note: 'third' });
    await settled();
    const [, second, third] = [1, 2, 3].map(() => transport.take('PATCH /todos/1'));
    second?.answer({ id: '1', title: 'second', note: '', age: 0 });
    await settled();
    third?.answer({ id: '1', title: 'second', note: 'third', age: 0 });
    await settled();
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'second', note: 'third', age: 1 });
  });

  test('of one record: a field that a guess only copied from the row below overrules no edit', async () => {
    const { transport, controller, todos, title } = scene();
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'old' });
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'first' });
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'second' }).catch(() => {});
    void controller.fetch(todos.partialUpdate, { id: '1' }, { age: 3 });
    await settled();
    const [, second, third] = [1, 2, 3].map(() => transport.take('PATCH /todos/1'));
    third?.answer({ id: '1', title: 'second!', age: 3 });
    await settled();
    expect(title()).toBe('second');
    second?.fail();
    await settled();
    expect(title()).toBe('first');
  });

  test('of one record: a guess that adds to a number adds to the number of the latest answer', async () => {
    const { controller } = scene();
    const answers: ((todo: object) => void)[] = [];
    const older = new Endpoint(
      ({ id }: { readonly id: string }) =>
        new Promise<object>((resolve) => answers.push((todo) => resolve({ id, ...todo }))),
      {
        name: 'older',
        schema: Todo,
        sideEffect: true,
        getOptimisticResponse: (snap, { id }) => {
          const todo = snap.get(Todo, { id });
          return { ...(todo as object), age: (todo?.age ?? 0) + 1 };
        },
      },
    );
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'old', age: 0 });
    const both = [controller.fetch(older, { id: '1' }), controller.fetch(older, { id: '1' })];
    await settled();
    expect(controller.get(Todo, { id: '1' })?.age).toBe(2);
    // The server has received one of them.
    answers[1]?.({ title: 'old', age: 1 });
    await both[1];
    expect(controller.get(Todo, { id: '1' })?.age).toBe(2);
    answers[0]?.({ title: 'old', age: 2 });
    await both[0];
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'old', age: 1 });
  });

  test('of one record: a field that a later guess copied from an earlier one stays', async () => {
    class Tagged extends Entity {
      id = '';
      tags: readonly string[] = [];
      name = '';
      static override key = 'Tagged';
    }
    const { controller } = scene();
    const answers: ((record: object) => void)[] = [];
    const edit = new Endpoint(
      (_id: string, _changes: object) => new Promise<object>((resolve) => void answers.push(resolve)),
      {
        name: 'edit',
        schema: Tagged,
        sideEffect: true,
        getOptimisticResponse: (snap, id, changes) => ({ ...(snap.get(Tagged, { id }) as object), ...changes }),
      },
    );
    await controller.set(Tagged, { id: '1' }, { id: '1', tags: [], name: 'old' });
    const both = [
      controller.fetch(edit, '1', { tags: ['new'] }),
      controller.fetch(edit, '1', { name: 'new', tags: ['new'] }),
    ];
    await settled();
    // The server has not received the first one.
    answers[1]?.({ id: '1', tags: [], name: 'new' });
    await both[1];
    expect(controller.get(Tagged, { id: '1' })).toMatchObject({ tags: ['new'], name: 'new' });
    answers[0]?.({ id: '1', tags: ['new'], name: 'new' });
    await both[0];
    controller.dispose();
  });

  test('of one record, if their answers disagree: data that was read between them is fetched once more', async () => {
    const { transport, slow, title } = await overlapping(['1', '1'], [{ id: '1', title: 'old', age: 2 }]);
    slow?.answer({ id: '1', title: 'new', age: 1 });
    await settled();
    expect(transport.sent).toEqual(['GET /todos']);
    transport.take('GET /todos').answer([{ id: '1', title: 'new', age: 2 }]);
    await settled();
    expect(title()).toBe('new');
    expect(transport.sent).toEqual([]);
  });

  test.each([
    ['whole', { id: '1', title: 'new', age: 2 }],
    ['partial', { id: '1', title: 'new' }],
  ])('of one record, if their answers agree: nothing is fetched again; %s', async (_name, answer) => {
    const { controller, transport, slow } = await overlapping(['1', '1'], [{ id: '1', title: 'old', age: 2 }]);
    slow?.answer(answer);
    await settled();
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'new', age: 2 });
    expect(transport.sent).toEqual([]);
  });

  test('of one record, if another record of the answer of one of them contains it: it is fetched once, because its value is not known', async () => {
    class Post extends Entity {
      id = '';
      author?: Todo = undefined;
      static override key = 'PostWithAuthor';
      static override schema = { author: Todo };
    }
    const { controller, transport, todos, title } = scene();
    const posts = resource({ path: '/posts/:id', schema: Post, platform: transport, optimistic: true });
    await controller.setResponse(todos.getList, [{ id: '1', title: 'old' }]);
    controller.watch(todos.getList, () => {});
    await controller.setResponse(posts.get, { id: '5' }, { id: '5', author: { id: '1', title: 'old' } });
    void controller.fetch(posts.partialUpdate, { id: '5' }, { author: { id: '1', title: 'first' } });
    void controller.fetch(todos.partialUpdate, { id: '1' }, { title: 'second' });
    await settled();
    // The server carries out the second one before the first one.
    transport.take('PATCH /posts/5').answer({ id: '5', author: { id: '1', title: 'first' } });
    await settled();
    transport.take('PATCH /todos/1').answer({ id: '1', title: 'second' });
    await settled();
    transport.take('GET /todos').answer([{ id: '1', title: 'first' }]);
    await settled();
    expect(title()).toBe('first');
  });

  test('the guess of an update does not bring back a record that was deleted after the update was issued', async () => {
    const { transport, controller, todos } = scene();
    await controller.setResponse(todos.get, { id: '1' }, { id: '1', title: 'a' });
    controller.fetch(todos.update, { id: '1' }, { title: 'b' }).catch(() => {});
    void controller.fetch(todos.delete, { id: '1' });
    await settled();
    transport.take('DELETE /todos/1').answer({});
    await settled();
    expect(controller.get(Todo, { id: '1' })).toBeUndefined();
    transport.take('PUT /todos/1').answer({}, { status: 404 });
    await settled();
    expect(controller.get(Todo, { id: '1' })).toBeUndefined();
  });

  test('the late answer of a create does not bring back a record that was deleted meanwhile', async () => {
    const { transport, controller, todos } = scene();
    controller.watch(todos.getList, () => {});
    void controller.fetch(todos.getList.push, { title: 'new' });
    await settled();
    void controller.fetch(todos.getList);
    await settled();
    transport.take('GET /todos').answer([{ id: '12', title: 'new' }]);
    await settled();
    void controller.fetch(todos.delete, { id: '12' });
    await settled();
    transport.take('DELETE /todos/12').answer({});
    await settled();
    transport.take('POST /todos').answer({ id: '12', title: 'new' });
    await settled();
    expect(controller.get(Todo, { id: '12' })).toBeUndefined();
    for (const call of transport.calls.splice(0)) call.answer([]);
    await settled();
    expect(controller.getResponse(todos.getList).data).toEqual([]);
  });

  test('a moved member, and a record that the arguments identify by a body or only by a pk, are recognized as the mutated record', async () => {
    const { transport, controller, todos, title } = scene();
    await controller.setResponse(todos.getList, [{ id: '1', title: 'old' }]);
    const put = new RestEndpoint({ path: '/put', method: 'PUT', schema: Todo, platform: transport });
    void controller.fetch(todos.getList.move, { id: '1' }, { title: 'first' });
    void controller.fetch(put, { id: '1', title: 'second' });
    await settled();
    transport.take('PUT /put').answer({ id: '1', title: 'second' });
    await settled();
    transport.take('PATCH /todos/1').answer({ id: '1', title: 'first' });
    await settled();
    expect(title()).toBe('second');
    const rename = new Endpoint(
      (_id: string, name: string) => transport.fetch(`/${name}`, {}).then((one) => one.json()),
      {
        name: 'rename',
        schema: Todo,
        sideEffect: true,
      },
    );
    for (const name of ['third', 'fourth']) void controller.fetch(rename, '1', name);
    await settled();
    transport.take('GET /fourth').answer({ id: '1', title: 'fourth' });
    await settled();
    transport.take('GET /third').answer({ id: '1', title: 'third' });
    await settled();
    expect(title()).toBe('fourth');
  });

  test('without a mutated record that the arguments identify, answers are applied in the order of arrival', async () => {
    class Odd extends Entity {
      name = { first: '' };
      override pk(): string {
        return this.name.first;
      }
      static override key = 'Odd';
    }
    const { transport, controller } = scene();
    const save = new RestEndpoint({ path: '/odd', method: 'PUT', schema: Odd, platform: transport });
    const say = new Endpoint(async (_text: string) => ({ name: { first: 'Bea' } }), {
      name: 'say',
      schema: Odd,
      sideEffect: true,
    });
    void controller.fetch(save, { nothing: 1 });
    await controller.fetch(say, '');
    await settled();
    transport.take('PUT /odd').answer({ name: { first: 'Ann' } });
    await settled();
    expect(controller.get(Odd, 'Bea')).toBeDefined();
    expect(controller.get(Odd, 'Ann')).toMatchObject({ name: { first: 'Ann' } });
  });

  test('an update that was issued after a deletion may bring the record back', async () => {
    const { controller, todos } = scene();
    controller.store.invalidate(Todo, '1');
    void controller.fetch(todos.update, { id: '1' }, { title: 'again' });
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'again' });
  });
});

import { describe, expect, it, vi } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Controller } from './controller.ts';

describe('update', () => {
  const list = new Endpoint(async () => [{ id: '1' }], { name: 'list', schema: [Todo] });
  const create = new Endpoint(async (body: { id: string }) => body, {
    name: 'create',
    schema: Todo,
    sideEffect: true,
    update: (pk: string, body: { id: string }) => ({
      [list.key()]: (pks: string[] | undefined) => [...(pks ?? []), pk],
      [`of ${body.id}`]: (pks: string[] | undefined) => pks ?? ['none'],
    }),
  });

  it('changes other results from the stored answer, in the same commit', async () => {
    const controller = new Controller();
    await controller.fetch(list);
    const lists: string[][] = [];
    controller.watch(list, (answer) => {
      if ('value' in answer) lists.push(answer.value.map(({ id }) => id));
    });
    await controller.fetch(create, { id: '2' });
    expect(lists).toEqual([['1'], ['1', '2']]);
    expect(controller.store.result('of 2')?.stored).toEqual(['none']);
  });

  it('adds nothing to other results for an answer from before a reset by another controller of the store', async () => {
    const controller = new Controller();
    const other = new Controller({ store: controller.store });
    let answer: (value: { id: string }) => void = () => {};
    const late = create.extend({
      fetch: (_body: { id: string }) => new Promise<{ id: string }>((resolve) => (answer = resolve)),
    });
    const fetched = controller.fetch(late, { id: '2' }).catch(() => {});
    await other.resetEntireStore();
    await controller.setResponse(late, { id: '2' }, { id: '3' });
    answer({ id: '2' });
    await fetched;
    expect(controller.store.result(list.key())?.stored).toEqual(['3']);
  });

  it('that throws does not undo the answer, and one without a result is not called', async () => {
    const controller = new Controller();
    const broken = create.extend({
      update: () => {
        throw new RangeError('no');
      },
    });
    expect(await controller.fetch(broken, { id: '3' })).toMatchObject({ id: '3' });
    await controller.fetch(create.extend({ update: () => undefined as never }), { id: '4' });
    expect(controller.get(Todo, { id: '4' })).toBeDefined();
  });
});

describe('update of a mutation that shows a guess', () => {
  /** A list, and creates that the test answers one by one. */
  function setUp() {
    const controller = new Controller();
    let ids = ['1'];
    const list = new Endpoint(async () => ids.map((id) => ({ id })), { name: 'list', schema: [Todo] });
    const ends = new Map<string, { resolve(): void; reject(error: Error): void }>();
    const create = new Endpoint(
      (body: { id: string }) =>
        new Promise<{ id: string }>((resolve, reject) => ends.set(body.id, { resolve: () => resolve(body), reject })),
      {
        name: 'create',
        schema: Todo,
        sideEffect: true,
        getOptimisticResponse: (_snap, body: { id: string }) => body,
        update: (pk: string) => ({ [list.key()]: (pks: string[] = []) => [...pks, pk] }),
      },
    );
    const shown = (): unknown => controller.getResponse(list).data?.map(({ id }) => id);
    return {
      controller,
      list,
      create,
      shown,
      stored: () => controller.store.result(list.key())?.stored,
      serve: (served: string[]) => void (ids = served),
      end: (id: string) => ends.get(id) as { resolve(): void; reject(error: Error): void },
    };
  }

  it('changes other results at once, and again with the answer', async () => {
    const { controller, create, end, list, shown, stored } = setUp();
    await controller.fetch(list);
    const created = controller.fetch(create, { id: '2' });
    expect(shown()).toEqual(['1', '2']);
    expect(stored()).toEqual(['1']);
    const guessed = controller.getResponse(list).data?.[0];
    end('2').resolve();
    await created;
    expect(shown()).toEqual(['1', '2']);
    expect(stored()).toEqual(['1', '2']);
    expect(controller.getResponse(list).data?.[0]).toBe(guessed);
  });

  it('is rolled back with its failed guess, and the others stay', async () => {
    const { controller, create, end, list, shown, stored } = setUp();
    await controller.fetch(list);
    const [second, third] = ['2', '3'].map((id) => controller.fetch(create, { id }));
    expect(shown()).toEqual(['1', '2', '3']);
    end('2').reject(new Error('no'));
    await expect(second).rejects.toThrow('no');
    expect(shown()).toEqual(['1', '3']);
    end('3').resolve();
    await third;
    expect(shown()).toEqual(['1', '3']);
    expect(stored()).toEqual(['1', '3']);
  });

  it('is applied again to a result that is fetched meanwhile', async () => {
    const { controller, create, end, list, shown, serve } = setUp();
    await controller.fetch(list);
    const created = controller.fetch(create, { id: '2' });
    serve(['1', '9']);
    await controller.fetch(list);
    expect(shown()).toEqual(['1', '9', '2']);
    end('2').reject(new Error('no'));
    await expect(created).rejects.toThrow('no');
    expect(shown()).toEqual(['1', '9']);
  });

  it('shows a result without a request until the guess ends', async () => {
    const { controller, create, end, shown, stored } = setUp();
    const created = controller.fetch(create, { id: '2' });
    expect([shown(), stored()]).toEqual([['2'], undefined]);
    end('2').reject(new Error('no'));
    await expect(created).rejects.toThrow('no');
    expect([shown(), stored()]).toEqual([undefined, undefined]);
  });

  it('notifies the readers of the result, once for each change', async () => {
    const { controller, create, end, list } = setUp();
    await controller.fetch(list);
    const lists: string[][] = [];
    controller.watch(list, (answer) => {
      if ('value' in answer) lists.push(answer.value.map(({ id }) => id));
    });
    const created = controller.fetch(create, { id: '2' });
    end('2').resolve();
    await created;
    const failed = controller.fetch(create, { id: '3' });
    end('3').reject(new Error('no'));
    await expect(failed).rejects.toThrow('no');
    expect(lists).toEqual([['1'], ['1', '2'], ['1', '2', '3'], ['1', '2']]);
  });

  it('is applied again when the rows below the guess change', async () => {
    const { controller, list } = setUp();
    const rename = new Endpoint(() => new Promise<{ id: string }>(() => {}), {
      name: 'rename',
      schema: Todo,
      sideEffect: true,
      getOptimisticResponse: (snap) => {
        if (snap.get(Todo, '7') === undefined) throw snap.abort;
        return { id: '7' };
      },
      update: (pk: string) => ({ [list.key()]: (pks: string[] = []) => [...pks, pk] }),
    });
    await controller.fetch(list);
    controller.fetch(rename).catch(() => {});
    const shown = (): unknown => controller.getResponse(list).data?.map(({ id }) => id);
    expect(shown()).toEqual(['1']);
    await controller.set(Todo, '7', { id: '7' });
    expect(shown()).toEqual(['1', '7']);
    await controller.resetEntireStore();
    expect(shown()).toBeUndefined();
  });

  it('does not change snapshots, saved data, or the data that a guess reads', async () => {
    const { controller, create, list, stored } = setUp();
    await controller.set(Todo, '2', { id: '2' });
    await controller.fetch(list);
    const before = controller.getState();
    controller.fetch(create, { id: '2' }).catch(() => {});
    expect(controller.getResponse(list, before).data).toHaveLength(1);
    expect(controller.getResponse(list, controller.getState()).data).toHaveLength(2);
    expect(Array.from(controller.store.results(), ([, result]) => result.stored)).toEqual([stored()]);
    controller.dispose();
  });

  it('is undone with a batch that fails', async () => {
    const { controller, create, list, shown } = setUp();
    await controller.fetch(list);
    expect(() =>
      controller.batch(() => {
        controller.fetch(create, { id: '2' }).catch(() => {});
        expect(shown()).toEqual(['1', '2']);
        throw new RangeError('stop');
      }),
    ).toThrow('stop');
    expect(shown()).toEqual(['1']);
  });

  it('that throws changes nothing, and is reported in development', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { controller, create, end, list, shown } = setUp();
    await controller.fetch(list);
    const broken = create.extend({
      update: () => ({
        [list.key()]: () => {
          throw new RangeError('no list');
        },
      }),
    });
    const created = controller.fetch(broken, { id: '2' });
    expect(shown()).toEqual(['1']);
    end('2').resolve();
    await created;
    expect(shown()).toEqual(['1']);
    expect(controller.get(Todo, '2')).toBeDefined();
    expect(log.mock.calls.flat()).toEqual([
      expect.stringMatching(
        /^update\(\) of create .* threw: RangeError: no list. The results that it should change stay/,
      ),
    ]);
    log.mockRestore();
  });
});

describe('update of a result that was not loaded', () => {
  const count = new Endpoint(async () => ({ unread: 3 }), { name: 'count' });
  const read = new Endpoint(async (body: { id: string }) => body, {
    name: 'read',
    schema: Todo,
    sideEffect: true,
    update: () => ({
      [count.key()]: (known: { unread: number } | undefined) => known && { unread: known.unread - 1 },
    }),
  });

  it('leaves it not loaded if its function returns undefined', async () => {
    const controller = new Controller();
    await controller.fetch(read, { id: '1' });
    expect(controller.view(count).current().status).toBe('missing');
    expect(controller.store.request(count.key())).toBeUndefined();
    expect(await controller.fetchIfStale(count)).toEqual({ unread: 3 });
    await controller.fetch(read, { id: '2' });
    expect(controller.getResponse(count).data).toEqual({ unread: 2 });
  });

  it('does not become fresh by it: the rest of it is as old as before', async () => {
    let time = 1_000_000;
    const controller = new Controller({ now: () => time });
    await controller.fetch(count);
    const { expiresAt } = controller.getResponse(count);
    time += 50_000;
    await controller.fetch(read, { id: '1' });
    expect(controller.getResponse(count)).toMatchObject({ data: { unread: 2 }, expiresAt });
  });

  it('is stale if its function makes something of nothing', async () => {
    const controller = new Controller();
    const all = new Endpoint(async () => [{ id: '1' }, { id: '2' }], { name: 'all', schema: [Todo] });
    let answer: (todo: { id: string }) => void = () => {};
    const create = new Endpoint(
      (_body: { id: string }) => new Promise<{ id: string }>((resolve) => (answer = resolve)),
      {
        name: 'create',
        schema: Todo,
        sideEffect: true,
        getOptimisticResponse: (_snap, body: { id: string }) => body,
        update: (pk: string) => ({ [all.key()]: (pks: string[] = []) => [...pks, pk] }),
      },
    );
    const created = controller.fetch(create, { id: '2' });
    const shown = (): unknown => controller.view(all).current();
    expect(shown()).toMatchObject({ status: 'stale', value: [{ id: '2' }] });
    answer({ id: '2' });
    await created;
    expect(shown()).toMatchObject({ status: 'stale', value: [{ id: '2' }] });
    expect(await controller.fetchIfStale(all)).toHaveLength(2);
    expect(shown()).toMatchObject({ status: 'fresh' });
  });

  it('leaves it not loaded while a guess is shown', async () => {
    const controller = new Controller();
    const pending = read.extend({
      fetch: (_body: { id: string }) => new Promise<{ id: string }>(() => {}),
      getOptimisticResponse: (_snap: unknown, body: { id: string }) => body,
    });
    controller.fetch(pending, { id: '1' }).catch(() => {});
    expect(controller.view(count).current().status).toBe('missing');
    await controller.setResponse(count, { unread: 3 });
    expect(controller.getResponse(count).data).toEqual({ unread: 2 });
    await controller.invalidate(count);
    expect(controller.view(count).current().status).toBe('missing');
    controller.dispose();
  });
});

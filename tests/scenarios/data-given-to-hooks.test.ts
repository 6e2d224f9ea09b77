import { describe, expect, test, vi } from 'vitest';
import { All, Collection, Controller, Endpoint, Entity, Query, Store } from '../../src/index.ts';

interface Meta {
  readonly by: { name: string };
  seen: string[];
}
class Todo extends Entity {
  id = '';
  title = '';
  tags: string[] = [];
  meta: Meta = { by: { name: '' }, seen: [] };
  static override key = 'Todo';
}
const first = () => ({ id: '1', title: 'a', tags: ['x'], meta: { by: { name: 'me' }, seen: [] } });

const builds = [
  ['in development', true],
  ['in production', false],
] as const;

describe.each(builds)('data of the store that a hook changes in place, %s', (_build, frozen) => {
  test('merge() by Object.assign works: the row changes, observers are notified, and unchanged parts stay the same', () => {
    class Merged extends Todo {
      static override merge(existing: object, incoming: object): object {
        return Object.assign(existing, incoming);
      }
    }
    const store = new Store({ frozen });
    store.write(Merged, first());
    const before = store.get(Merged, '1');
    const row = store.row('Todo', '1');
    const view = store.query(Merged, ['1'] as never);
    const listener = vi.fn<() => void>();
    view.subscribe(listener);
    store.write(Merged, { id: '1', title: 'b' });
    expect(listener).toHaveBeenCalledTimes(1);
    expect(row).toEqual(first());
    expect(store.get(Merged, '1')).toMatchObject({ title: 'b', tags: ['x'] });
    expect(store.get(Merged, '1')?.tags).toBe(before?.tags);
    expect(before?.title).toBe('a');
    store.write(Merged, { id: '1', title: 'b' });
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test('merge() that changes data inside of a field does not change the former value', () => {
    class Collected extends Todo {
      static override merge(existing: Todo, incoming: Todo): Todo {
        existing.tags.push(...incoming.tags);
        existing.meta.seen.push('again');
        return existing;
      }
    }
    const store = new Store({ frozen });
    store.write(Collected, first());
    const before = store.get(Collected, '1');
    store.write(Collected, { id: '1', tags: ['y'] });
    const now = store.get(Collected, '1');
    expect([before?.tags, now?.tags]).toEqual([['x'], ['x', 'y']]);
    expect(now?.meta).not.toBe(before?.meta);
    expect(now?.meta.by).toBe(before?.meta.by);
    expect(store.batch(() => store.get(Collected, '1'))).toBe(now);
  });

  test('mergeWithStore() may change it too, and a record that it keeps is not the one in the store', () => {
    const mine: object[] = [];
    class Kept extends Todo {
      static override mergeWithStore(_old: unknown, _new: unknown, existing: object, incoming: object): object {
        mine.push(Object.assign(existing, incoming));
        return mine[0] as object;
      }
    }
    const store = new Store({ frozen });
    store.write(Kept, first());
    store.write(Kept, { id: '1', tags: ['y'] });
    const now = store.get(Kept, '1');
    expect(now?.tags).toEqual(['y']);
    Object.assign(mine[0] as object, { title: 'mine' });
    (mine[0] as { tags: string[] }).tags.push('mine');
    expect(store.get(Kept, '1')).toBe(now);
    expect(store.row('Todo', '1')).toMatchObject({ title: 'a', tags: ['y'] });
  });

  test('the merge of addWith() and moveWith() may change the members, and keep them', () => {
    const mine: unknown[][] = [];
    const append = (existing: unknown[], incoming: unknown[]): unknown[] => {
      existing.push(...incoming);
      incoming.length = 0;
      mine.push(existing);
      return existing;
    };
    const list = new Collection([Todo]);
    const adding = list.addWith(append);
    const store = new Store({ frozen });
    store.write(list, [first()], { args: [{}] });
    const before = store.get(list, {});
    store.write(adding, { id: '2' }, { args: [{}] });
    store.write(list.moveWith(append), { id: '3' }, { args: [{}] });
    expect(before).toHaveLength(1);
    expect(store.get(list, {})?.map(({ id }) => id)).toEqual(['1', '2', '3']);
    for (const members of mine) members.length = 0;
    expect(store.get(list, {})).toHaveLength(3);
  });

  test('a function of a schema may sort its argument', () => {
    class Sorted extends Todo {
      static override schema = { tags: (tags: string[]) => tags.sort() };
    }
    const store = new Store({ frozen });
    store.write(Sorted, { ...first(), tags: ['b', 'a'] });
    expect(store.get(Sorted, '1')?.tags).toEqual(['a', 'b']);
    expect(store.row('Todo', '1')).toMatchObject({ tags: ['b', 'a'] });
  });

  test('arguments of a query keep their values, although the caller changes them later', () => {
    const store = new Store({ frozen });
    store.write([Todo], [first(), { ...first(), id: '2', title: 'b' }]);
    const titled = new Query(new All(Todo), (todos, asked: { titles: string[] }) =>
      todos.filter(({ title }) => asked.titles.includes(title)).map(({ id }) => id),
    );
    const asked = { titles: ['a'] };
    const view = store.query(titled, [asked]);
    expect(view.current()).toEqual(['1']);
    expect(Object.isFrozen(asked)).toBe(false);
    asked.titles.push('b');
    store.write(Todo, { id: '3', title: 'b' });
    expect(view.current()).toEqual(['1']);
    expect(store.get(titled, { titles: ['a'] })).toEqual(['1']);
    expect(store.get(titled, asked)).toEqual(['1', '2', '3']);
  });
});

describe('in development, data of the store is frozen for hooks that get it without a copy', () => {
  const failed = (what: string) =>
    expect.objectContaining({ code: 'hook-failed', message: expect.stringContaining(what) });

  test('a guess that changes the data that it reads is an error, and no part of it stays', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const controller = new Controller();
    await controller.set(Todo, { id: '1' }, first());
    let answer: (value: unknown) => void = () => {};
    const save = new Endpoint(() => new Promise((resolve) => (answer = resolve)), {
      name: 'save',
      schema: Todo,
      sideEffect: true,
      getOptimisticResponse(snap) {
        const todo = snap.get(Todo, { id: '1' }) as Todo;
        todo.tags.push('guessed');
        return todo;
      },
    });
    const saved = controller.fetch(save);
    await Promise.resolve();
    expect(log.mock.calls.flat()).toEqual([expect.stringContaining('getOptimisticResponse of save [] threw')]);
    log.mockRestore();
    expect(controller.get(Todo, { id: '1' })?.tags).toEqual(['x']);
    answer(first());
    await saved;
    expect(controller.store.row('Todo', '1')).toEqual(first());
  });

  test('a function given to set() that changes the value fails, and changes nothing', async () => {
    const controller = new Controller();
    await controller.set(Todo, { id: '1' }, first());
    const change = (todo: Todo): Todo => {
      todo.tags.push('y');
      return todo;
    };
    await expect(controller.set(Todo, { id: '1' }, change)).rejects.toEqual(failed('The function given to set()'));
    expect(controller.store.row('Todo', '1')).toEqual(first());
    const own = new RangeError('mine');
    const fail = (): never => {
      throw own;
    };
    await expect(controller.set(Todo, { id: '1' }, fail)).rejects.toBe(own);
  });

  test('a Query that changes its list or its arguments in place fails', () => {
    const store = new Store();
    store.write([Todo], [first(), { ...first(), id: '2' }]);
    const sorted = new Query(new All(Todo), (todos: Todo[]) => todos.reverse());
    expect(() => store.get(sorted)).toThrow(failed('The function of a Query'));
    const tagged = new Query(new All(Todo), (todos, asked: string[]) => todos.filter(() => asked.sort()));
    expect(() => store.get(tagged, ['b', 'a'])).toThrow(failed('The function of a Query'));
  });

  test('a class that changes its record while an instance is made fails', () => {
    class Made extends Todo {
      static override createIfValid(props: Partial<Todo>): unknown {
        props.tags?.push('made');
        return super.createIfValid(props);
      }
    }
    const store = new Store();
    store.write(Made, first());
    expect(() => store.get(Made, '1')).toThrow(failed('Todo'));
    expect(store.row('Todo', '1')).toEqual(first());
  });
});

test('the input of a write is neither changed nor frozen', () => {
  class Given extends Todo {
    static override merge(existing: object, incoming: object): object {
      return Object.assign(existing, incoming);
    }
  }
  const store = new Store();
  const inputs = [first(), { ...first(), tags: ['z'] }];
  for (const input of inputs) store.write(Given, input);
  store.get(Given, '1');
  expect(inputs).toEqual([first(), { ...first(), tags: ['z'] }]);
  for (const input of inputs) expect(Object.isFrozen(input) || Object.isFrozen(input.tags)).toBe(false);
});

test('an update() that changes a result in place changes it for its readers', async () => {
  const controller = new Controller();
  const list = new Endpoint(async () => ['1'], { name: 'list' });
  const add = new Endpoint(async (id: string) => id, {
    name: 'add',
    sideEffect: true,
    update: (id: string) => ({
      [list.key()]: (ids: string[]) => {
        ids.push(id);
        return ids;
      },
    }),
  });
  await controller.fetch(list);
  const before = controller.getResponse(list).data;
  await controller.fetch(add, '2');
  expect(before).toEqual(['1']);
  expect(controller.getResponse(list).data).toEqual(['1', '2']);
});

import { afterEach, describe, expect, test, vi } from 'vitest';
import { Collection, dehydrate, hydrate, Invalidate, resource, schema, Store } from '../../src/index.ts';
import { Showing } from '../../src/state/store/showing.ts';
import { Screen, Task } from './screen.ts';

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => void log.mockClear());

const task = (id: number, state: string): object => ({ id, title: `task ${id}`, state });
const list = new Collection([Task], { total: 'n' });
const counted = new schema.Object({ tasks: list, n: 0 });

type Lists = readonly (readonly [key: object, tasks: readonly object[]])[];

function write(store: Store, lists: Lists): void {
  for (const [key, tasks] of lists) store.write(counted, { tasks, n: tasks.length }, { args: [key] });
}

/** The store of a browser, with what a server has rendered. */
function restored(lists: Lists): Store {
  const server = new Store();
  for (const [key, tasks] of lists)
    server.write(counted, { tasks, n: tasks.length }, { args: [key], resultKey: JSON.stringify(key) });
  const store = new Store();
  hydrate(store, JSON.parse(JSON.stringify(dehydrate(server))));
  return store;
}

/** What a mutation, or a read while a mutation of these records is pending, leaves in doubt. */
function doubts(
  store: Store,
  kind: unknown,
  input: unknown,
  {
    mutated = [],
    isMutation = true,
    ...options
  }: { mutated?: string[]; isMutation?: boolean; request?: ReturnType<Store['begin']> } = {},
): readonly string[] {
  const found: string[] = [];
  const origin = {
    isMutation,
    sent: 0,
    doubt: (table: string, pk: string) => void found.push(`${table} ${pk}`),
    isMutated: (_table: string, pk: string) => mutated.includes(pk),
  };
  store.write(kind, input, { origin, ...options });
  return found;
}

describe('while a mutation is pending, a read that brings its work leaves in doubt', () => {
  test('lists that were asked for after the read, and may have been answered before it', () => {
    const store = new Store();
    write(store, [[{}, [task(1, 'open'), task(3, 'new')]]]);
    const request = store.begin();
    write(store, [
      [{ state: 'done' }, []],
      [{ state: 'new' }, []],
      [{ q: 'task' }, []],
      [{ owner: 7 }, []],
      [{ title: 'task 3' }, []],
    ]);
    const read = { isMutation: false, mutated: ['3'], request };
    expect(doubts(store, Task, task(3, 'done'), read)).toEqual(['[Task] {"state":"done"}', '[Task] {"q":"task"}']);
  });

  test('a list without a record that the read has brought', () => {
    const store = new Store();
    write(store, [[{}, [task(1, 'open')]]]);
    const request = store.begin();
    write(store, [[{ state: 'open' }, [task(1, 'open')]]]);
    const read = { isMutation: false, mutated: ['9'], request };
    expect(doubts(store, Task, task(9, 'open'), read)).toEqual([
      '[Task] {}',
      '[Task] {"state":"open"}',
      '[Task]#total {}',
    ]);
  });
});

describe('a mutation leaves in doubt', () => {
  test('whole lists without the record that belongs to them, where its answer says what was known', () => {
    const store = new Store();
    write(store, [
      [{ state: 'open' }, []],
      [{ state: 'done' }, []],
      [{ state: 'open', page: 1 }, []],
    ]);
    store.write(Task, task(1, 'open'));
    const answer = { mutated: ['1'] };
    expect(doubts(store, Task, task(1, 'open'), answer)).toEqual(['[Task] {"state":"open"}']);
    expect(doubts(store, Task, task(1, 'open'))).toEqual([]);
  });

  test('the pages and totals that a record may have been in of which nothing was known', () => {
    const known = (): Store => {
      const store = new Store();
      write(store, [[{ state: 'open', page: 1 }, [task(1, 'open')]]]);
      return store;
    };
    const both = ['[Task] {"page":"1","state":"open"}', '[Task]#total {"state":"open"}'];
    expect(doubts(known(), new Invalidate(Task), { id: 9 }, { mutated: ['9'] })).toEqual(both);
    expect(doubts(known(), Task, task(9, 'done'), { mutated: ['9'] })).toEqual(both);
    // Records beside the one that it is about may have been there as well, and were probably not.
    expect(doubts(known(), Task, task(9, 'done'))).toEqual([]);
  });

  test('lists that were restored and that no schema has read', () => {
    const store = restored([
      [{ state: 'open' }, [task(1, 'open')]],
      [{ state: 'done' }, []],
    ]);
    expect(doubts(store, Task, task(1, 'done'))).toEqual(['[Task] {"state":"open"}', '[Task] {"state":"done"}']);
    const showing = new Showing(store.writer.core, [['[Task]', '{"state":"open"}']]);
    expect(showing.distance('{"state":"open"}')).toBe(0);
    expect(showing.distance('{"state":"done"}')).toBeUndefined();
    expect(new Showing(store.writer.core, [['Task', '1']]).distance('{"state":"open"}')).toBe(1);
  });
});

test('a list that was restored and read is found before it is read again', () => {
  const store = restored([[{ state: 'open' }, [task(1, 'open')]]]);
  store.resultView('{"state":"open"}', counted).current();
  store.write(Task, task(1, 'done'));
  expect(new Showing(store.writer.core, [['[Task]', '{"state":"open"}']]).distance('{"state":"open"}')).toBe(0);
});

test('a list that another class of the same key has filed is found before it is read again', () => {
  class Other extends Task {}
  const store = new Store();
  write(store, [[{}, [task(1, 'open')]]]);
  const others = new schema.Object({ tasks: new Collection([Other], { total: 'n' }), n: 0 });
  store.write(others, { tasks: [task(1, 'open'), task(2, 'open')], n: 2 }, { args: [{}], resultKey: 'others' });
  expect(new Showing(store.writer.core, [['[Task]', '{}']]).distance('others')).toBe(0);
});

test('a total counts a record as its whole list does', () => {
  const store = new Store();
  store.write(Task, task(2, 'open'));
  write(store, [[{ state: 'open' }, [task(1, 'open')]]]);
  // It was open before the list came, and is not in it.
  store.write(Task, task(2, 'done'));
  expect(store.get(counted, { state: 'open' })).toMatchObject({ n: 1 });
});

test('a list without its total is no answer', () => {
  const store = new Store();
  store.write(list, [task(1, 'open')], { args: [{}] });
  expect(store.get(counted, {})).toMatchObject({ tasks: [{ id: 1 }], n: undefined });
  expect(store.get(counted, { state: 'open' })).toMatchObject({ n: 0 });
});

test('a page that was restored may have more behind it once members have left', () => {
  const page = { state: 'open', limit: 2, page: 1 };
  const store = restored([[page, [task(1, 'open'), task(2, 'open')]]]);
  store.query(counted, [page]).current();
  store.write(Task, task(1, 'done'));
  expect(doubts(store, new Invalidate(Task), { id: 2 }, { mutated: ['2'] })).toContain(
    '[Task] {"limit":"2","page":"1","state":"open"}',
  );
});

test('after the answer to a mutation was lost, every list is asked for in which its record can be', async () => {
  let deals = [task(1, 'open'), task(2, 'done')] as { id: number; state: string }[];
  const screen = new Screen((url, method, body) => {
    const state = url.searchParams.get('state');
    if (method === 'GET') return deals.filter((deal) => deal.state === state);
    deals = deals.map((deal) => (deal.id === 2 ? { ...deal, ...(body as object) } : deal));
    throw new TypeError('Failed to fetch');
  });
  const { getList, partialUpdate } = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { state: string },
    platform: screen.platform,
  });
  await screen.show(getList, { state: 'open' });
  const asked = await screen.after(() =>
    screen.controller.fetch(partialUpdate, { id: 2 }, { state: 'open' }).catch(() => {}),
  );
  expect(asked).toEqual(['/tasks?state=open']);
  expect(screen.controller.getResponse(getList, { state: 'open' }).data).toMatchObject([{ id: 1 }, { id: 2 }]);
});

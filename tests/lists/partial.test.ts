import { afterEach, describe, expect, test, vi } from 'vitest';
import { Collection, Entity, resource, Store, Union, Values } from '../../src/index.ts';
import { Screen } from './screen.ts';

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => void log.mockClear());

class Task extends Entity {
  id = 0;
  title = '';
  /** No field of this record is stored. */
  declare note: { readonly text: string };
  created: Date = new Date(0);
  static override key = 'Task';
  static override schema = { created: Date };
}

const ids = (list: unknown): unknown[] => (list as readonly { readonly id: unknown }[]).map(({ id }) => id);
const search: Record<string, unknown> | undefined = {};

/** A store with one list. */
function filled(list: Collection, tasks: readonly object[], key: object = {}): Store {
  const store = new Store();
  store.write(list, tasks, { args: [key] });
  return store;
}

describe('a record that lacks a field by which its list is ordered', () => {
  const byTitle = (one: Task, other: Task): number => one.title.localeCompare(other.title);

  test('is compared by the default of its class', () => {
    const list = new Collection([Task], { orderBy: byTitle });
    const store = filled(list, [{ id: 2 }, { id: 1, title: 'a' }]);
    store.write(list.push, { id: 3, title: 'b' }, { args: [{}] });
    store.write(list.push, { id: 4 }, { args: [{}] });
    expect(ids(store.get(list, {}))).toEqual([2, 4, 1, 3]);
    store.write(Task, { id: 1, title: 'z' });
    expect(ids(store.get(list, {}))).toEqual([2, 4, 3, 1]);
    expect(log).not.toHaveBeenCalled();
  });

  test('is put into its place although a field of the filter is not known', () => {
    const list = new Collection([Task], { orderBy: byTitle });
    const store = filled(
      list,
      [
        { id: 1, title: 'a' },
        { id: 2, title: 'b' },
      ],
      { created: '2024-01-01' },
    );
    store.write(Task, { id: 1, title: 'c' });
    expect(ids(store.get(list, { created: '2024-01-01' }))).toEqual([2, 1]);
  });

  test('makes the list be fetched if the list is shown', async () => {
    const screen = new Screen((_url, method) => (method === 'GET' ? [{ id: 1, title: 'a' }] : { id: 2 }));
    const { create, getList } = resource({
      path: '/tasks/:id',
      schema: Task,
      platform: screen.platform,
      list: { orderBy: byTitle },
    });
    await screen.show(getList, {});
    expect(await screen.after(() => screen.controller.fetch(create, { title: 'b' }))).toEqual(['/tasks']);
  });
});

describe('a comparison that throws', () => {
  const byText =
    () =>
    (one: Task, other: Task): number =>
      one.note.text.localeCompare(other.note.text);
  const noted = (id: number, text: string): object => ({ id, note: { text } });

  test('does not end the write, and the record goes to the end', () => {
    const list = new Collection([Task], { orderBy: byText() });
    const store = filled(list, [noted(1, 'b'), noted(2, 'c')]);
    store.write(list.push, { id: 3 }, { args: [{}] });
    expect(ids(store.get(list, {}))).toEqual([1, 2, 3]);
    store.write(list.push, noted(4, 'a'), { args: [{}] });
    expect(ids(store.get(list, {}))).toEqual([4, 1, 2, 3]);
    store.write(Task, { id: 1, note: null });
    expect(ids(store.get(list, {}))).toEqual([4, 2, 3, 1]);
  });

  test('is reported once, with the collection and the rule', () => {
    const list = new Collection([Task], { orderBy: byText() });
    const store = filled(list, [noted(1, 'b')]);
    for (const id of [2, 3, 4]) store.write(list.push, { id }, { args: [{}] });
    expect(log.mock.calls).toEqual([
      [
        "The rule orderBy of the lists of [Task] threw: TypeError: Cannot read properties of undefined (reading 'text'). " +
          'Lists that depend on it are fetched again instead. ' +
          'Make the rule accept records that lack fields, or have null in them. See node_modules/rejoin/docs/errors.md#list-rule-threw.',
      ],
    ]);
  });

  test('makes a list stale, which is fetched once when it is shown', async () => {
    const screen = new Screen((_url, method, body) =>
      method === 'GET' ? [noted(1, 'a'), noted(2, 'b')] : { id: 1, ...Object(body) },
    );
    const { getList, partialUpdate } = resource({
      path: '/tasks/:id',
      schema: Task,
      searchParams: search,
      platform: screen.platform,
      list: { orderBy: byText() },
    });
    await screen.show(getList, {});
    const asked = await screen.after(() => screen.controller.fetch(partialUpdate, { id: 1 }, { note: null } as never));
    expect(asked).toEqual(['/tasks']);
  });
});

test('a collection that creates sorted members, and has no order, is an error that says what to write', () => {
  // @ts-expect-error -- orderBy is missing
  const make = (): unknown => new Collection([Task], { create: 'sorted' });
  expect(make).toThrow(
    "The collection [Task] has create: 'sorted' and no orderBy. Add orderBy, or use create: 'first' or 'last'. See node_modules/rejoin/docs/errors.md#list-order-missing.",
  );
  const sorted = new Collection([Task], { create: 'sorted', orderBy: (one, other) => one.id - other.id });
  const store = filled(sorted, [{ id: 1 }, { id: 3 }]);
  store.write(sorted.push, { id: 2 }, { args: [{}] });
  expect(ids(store.get(sorted, {}))).toEqual([1, 2, 3]);
});

test('a rule of an argument that throws is reported once', () => {
  const list = new Collection([Task], { where: { text: (one) => one.note.text } });
  const store = filled(list, [], { text: 'a' });
  for (const id of [2, 3]) store.write(list.push, { id }, { args: [{}] });
  store.write(Task, { id: 2, title: 'b' });
  expect(log.mock.calls.flat()).toEqual([expect.stringContaining('The rule where.text of the lists of [Task] threw')]);
});

describe('a rule sees a record as it is read', () => {
  test('with dates, and not with the texts that are stored', () => {
    const list = new Collection([Task], {
      where: { year: (one) => one.created.getUTCFullYear() },
      orderBy: (one, other) => Number(other.created) - Number(one.created),
    });
    const at = (id: number, created: string): object => ({ id, created });
    const store = filled(list, [at(1, '2024-12-01'), at(2, '2024-02-01')], { year: 2024 });
    store.write(list.push, [at(3, '2024-03-01'), at(4, '2023-01-01')], { args: [{}] });
    expect(ids(store.get(list, { year: 2024 }))).toEqual([1, 3, 2]);
    expect(log).not.toHaveBeenCalled();
  });

  test('with its nested records: one of several kinds, maps, objects and custom lists', () => {
    class Cat extends Entity {
      id = 0;
      type = 'cat';
      lives = 9;
      static override key = 'Cat';
    }
    class Home extends Entity {
      id = 0;
      pet: Cat | undefined = undefined;
      cats: Readonly<Record<string, Cat>> = {};
      address: { readonly owner?: Cat } = {};
      all: readonly Cat[] = [];
      static override key = 'Home';
      static override schema = {
        pet: new Union({ cat: Cat }, 'type'),
        cats: new Values(Cat),
        address: { owner: Cat },
        all: new Collection([Cat], { nestKey: ({ id }: Home) => ({ home: id }) }),
      };
    }
    const where = {
      pet: (one: Home) => one.pet?.lives,
      best: (one: Home) => one.cats['best']?.lives,
      owner: (one: Home) => one.address.owner?.lives,
      all: (one: Home) => one.all.map(({ lives }) => lives),
      named: (one: Home) => 'cats' in one,
    };
    const list = new Collection([Home], { where });
    const cat = (id: number, lives: number): object => ({ id, type: 'cat', lives });
    const home = { id: 1, pet: cat(1, 1), cats: { best: cat(2, 2) }, address: { owner: cat(3, 3) }, all: [cat(4, 4)] };
    const keys = [{ pet: 1 }, { best: 2 }, { owner: 3 }, { all: 4 }, { named: true }];
    const store = new Store();
    for (const key of [...keys, { pet: 2 }]) store.write(list, [], { args: [key] });
    store.write(list.push, home, { args: [{}] });
    expect(keys.map((key) => ids(store.get(list, key)))).toEqual(keys.map(() => [1]));
    expect(ids(store.get(list, { pet: 2 }))).toEqual([]);
  });

  test('with an empty reference instead of a record', () => {
    class Page extends Entity {
      id = 0;
      author: Task | null = null;
      static override key = 'Page';
      static override schema = { author: Task };
    }
    const list = new Collection([Page], { where: { signed: (one) => one.author !== (0 as unknown) } });
    const store = filled(list, [], { signed: false });
    store.write(
      list.push,
      [
        { id: 1, author: 0 },
        { id: 2, author: 7 },
      ],
      { args: [{}] },
    );
    expect(ids(store.get(list, { signed: false }))).toEqual([1]);
  });

  test('with the members of its class whose names are symbols, and with the stored fields', () => {
    class Named extends Entity {
      id = 0;
      name = '';
      [Symbol.toPrimitive](): string {
        return `called ${this.name}`;
      }
      static override key = 'Named';
    }
    const where = {
      as: (one: Named) => `${one}`,
      has: (one: Named) => ['name', 'extra', 'none'].filter((field) => field in one),
    };
    const list = new Collection([Named], { where });
    const keys = [{ as: 'called ann' }, { has: 'name' }, { has: 'extra' }, { has: 'none' }];
    const store = new Store();
    for (const key of keys) store.write(list, [], { args: [key] });
    store.write(list.push, { id: 1, name: 'ann', extra: 1 }, { args: [{}] });
    store.write(list.push, { id: 2 }, { args: [{}] });
    expect(keys.map((key) => ids(store.get(list, key)))).toEqual([[1], [1, 2], [1], []]);
  });

  test('with the methods of its class, which data does not replace', () => {
    class Odd extends Entity {
      id = 0;
      kind(): string {
        return 'odd';
      }
      static override key = 'Odd';
    }
    const list = new Collection([Odd], { where: { of: (one) => one.kind() } });
    const store = filled(list, [], { of: 'odd' });
    store.write(list.push, { id: 1, kind: 'even' }, { args: [{}] });
    expect(ids(store.get(list, { of: 'odd' }))).toEqual([1]);
  });
});

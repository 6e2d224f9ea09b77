import { BigNumber } from 'bignumber.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Collection, Entity, Store, undecidable } from '../../src/index.ts';
import { Task } from './screen.ts';
import { addGuess } from '../../src/state/store/layer.ts';

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => void log.mockClear());

const ids = (list: unknown): unknown[] => (list as readonly { readonly id: unknown }[]).map(({ id }) => id);
const task = (id: number, state: string, owner = 1): object => ({
  id,
  title: `task ${id}`,
  state,
  owner: { id: owner },
});

const forms: readonly (readonly [name: string, key: (fields: object) => object])[] = [
  ['an object', (fields) => ({ filter: fields })],
  ['brackets', (fields) => Object.fromEntries(Object.entries(fields).map(([name, of]) => [`filter[${name}]`, of]))],
];

describe.each(forms)('arguments inside a filter, as %s,', (_name, key) => {
  /** A store with lists, each for the content of its filter. */
  const filled = (list: Collection, lists: readonly (readonly [fields: object, tasks: readonly object[]])[]): Store => {
    const store = new Store();
    for (const [fields, tasks] of lists) store.write(list, tasks, { args: [key(fields)] });
    return store;
  };
  const shown = (store: Store, list: Collection, fields: object): unknown => ids(store.get(list, key(fields) as never));

  test('select records by the field of the same name', () => {
    const list = new Collection([Task], { total: 'n' });
    const store = filled(list, [
      [{ state: 'open' }, [task(1, 'open')]],
      [{ state: 'done', id: 1 }, []],
      [{ state: 'done', id: 2 }, []],
    ]);
    store.write(Task, { id: 1, state: 'done' });
    store.write(list.push, task(3, 'open'), { args: [{}, { state: 'open' }] });
    expect(shown(store, list, { state: 'open' })).toEqual([3]);
    expect(shown(store, list, { state: 'done', id: 1 })).toEqual([1]);
    expect(shown(store, list, { state: 'done', id: 2 })).toEqual([]);
    addGuess(store, () => ({ schema: list.push, response: { title: 'new', state: 'open' }, args: [{}, {}] }));
    expect(shown(store, list, { state: 'open' })).toHaveLength(2);
  });

  test('are decided by rules of the field, or of the whole name', () => {
    for (const where of [{ owner: (one: Task) => one.owner?.id }, { 'filter[owner]': (one: Task) => one.owner?.id }]) {
      const list = new Collection([Task], { where });
      const store = filled(list, [
        [{ owner: 1 }, [task(1, 'open')]],
        [{ owner: 2 }, []],
      ]);
      store.write(Task, { id: 1, owner: 2 });
      expect(shown(store, list, { owner: 1 })).toEqual([]);
      expect(shown(store, list, { owner: 2 })).toEqual([1]);
    }
  });

  test('are refuted by an answer of the server, with a warning that says what to write', () => {
    const list = new Collection([Task]);
    const store = filled(list, [[{ state: 'mine' }, [task(1, 'open')]]]);
    store.write(Task, { id: 1, state: 'done' });
    expect(shown(store, list, { state: 'mine' })).toEqual([1]);
    expect(log.mock.calls.flat().join()).toContain("where: { 'filter[state]': (record) => … }");
  });

  test('are decided by the server if they have several values', () => {
    const list = new Collection([Task]);
    const store = filled(list, [
      [{ state: { not: 'done' } }, [task(1, 'open')]],
      [{ state: 'open,new' }, [task(1, 'open')]],
    ]);
    store.write(Task, { id: 1, state: 'new' });
    expect(shown(store, list, { state: { not: 'done' } })).toEqual([1]);
    expect(shown(store, list, { state: 'open,new' })).toEqual([1]);
    expect(log).not.toHaveBeenCalled();
  });
});

test('a filter as a whole can have a rule', () => {
  const list = new Collection([Task], { where: { filter: undecidable } });
  const doubted: string[] = [];
  const answeredRequest = { isMutation: true, sent: 0, doubt: (_table: string, pk: string) => void doubted.push(pk) };
  const store = new Store();
  store.write(list, [task(1, 'open')], { args: [{ filter: { state: 'open' } }] });
  store.write(Task, { id: 1, state: 'done' }, { answeredRequest });
  expect(ids(store.get(list, { filter: { state: 'open' } } as never))).toEqual([1]);
  expect(doubted).toEqual(['{"filter":{"state":"open"}}']);
  expect(log).not.toHaveBeenCalled();
});

test.each<[string, readonly [object, ...object[]]]>([
  ['parameters of its request', [{ q: 'x' }, { title: 'a', state: 'open' }]],
  ['the body of its request', [{ q: 'x', title: 'a', state: 'open' }]],
])(
  'a pending create is shown in the lists of arguments that only the server can judge, if they are %s',
  (_what, args) => {
    const list = new Collection([Task], { where: { q: undecidable } });
    const store = new Store();
    const keys: readonly object[] = [{}, { q: 'x' }, { q: 'y' }, { q: 'x', state: 'open' }, { q: 'x', state: 'done' }];
    for (const key of keys) store.write(list, [], { args: [key] });
    const counts = (): readonly number[] =>
      keys.map((key) => (store.get(list, key as never) as unknown as readonly Task[]).length);
    const create = { schema: list.push, response: { title: 'a', state: 'open' }, args };
    const pending = addGuess(store, () => create);
    expect(counts()).toEqual([1, 1, 0, 1, 0]);
    pending.drop();
    addGuess(store, () => ({ ...create, args: [{ title: 'a', state: 'open' }] }));
    expect(counts()).toEqual([1, 0, 0, 0, 0]);
  },
);

describe('an argument for a field that the schema converts', () => {
  class Slot extends Entity {
    id = '';
    start = new Date(0);
    price = new BigNumber(0);
    static override key = 'Slot';
    static override schema = { start: (text: string) => new Date(text), price: BigNumber };
  }
  const list = new Collection([Slot]);
  const at = new Date('2026-12-01T08:00:00Z');
  const idsIn = (store: Store, args: object): unknown => store.get(list, args)?.map(({ id }) => id);

  test.each([
    ['a date', { start: at }, { start: '2026-12-01T08:00:00Z' }, { start: '2026-12-01T09:00:00Z' }],
    ['its text', { start: '2026-12-01T08:00:00Z' }, { start: '2026-12-01T08:00:00Z' }, { start: 'soon' }],
    ['a decimal', { price: new BigNumber('10.1') }, { price: '10.10' }, { price: '10.11' }],
    ['a number', { price: 10.1 }, { price: '10.10' }, { price: 'free' }],
  ])('can be %s', (_, args, belongs, differs) => {
    const store = new Store();
    store.write(list, [], { args: [args] });
    store.write(Slot, { id: '1', ...differs });
    store.write(Slot, { id: '1', ...belongs });
    expect(idsIn(store, args)).toEqual(['1']);
    store.write(Slot, { id: '1', ...differs });
    expect(idsIn(store, args)).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { Collection, Controller, Endpoint, Entity, Store, Union, Values } from '../../src/index.ts';
import { User } from '../model.ts';
class Todo extends Entity {
  id = '';
  type = 'todo';
  title = '';
  owner: User | undefined = undefined;
  static override key = 'Todo';
  static override schema = { owner: User };
}
const DAY = 86_400_000;
const soon = { expiresAt: 1000 };
const many = (of: string, count = 2000): object[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${of}${at}`, type: 'todo', title: of, owner: `${of}-owner` }));

/** The same records in different schemas, each with a response of the schema. */
const kinds: readonly (readonly [name: string, schema: unknown, of: (items: object[]) => unknown])[] = [
  ['a list', [Todo], (items) => items],
  ['a collection', new Collection([Todo]), (items) => items],
  ['a map', new Values(Todo), (items) => Object.fromEntries(items.map((item, at) => [`at${at}`, item]))],
  ['a list of a union', [new Union({ todo: Todo }, 'type')], (items) => items],
  ['an object', { items: [Todo] }, (items) => ({ items })],
];

function scene(frozen: boolean) {
  let time = 0;
  const store = new Store({ now: () => time, frozen });
  return { store, wait: () => void (time += DAY) };
}

function rowsOf(store: Store): number {
  return Array.from(store.rows()).filter(({ table }) => table === 'Todo').length;
}

/** Runs the rest of a collection. Returns the number of removed rows. */
function rest(slices: Generator<undefined, number>): number {
  for (let slice = slices.next(); ; slice = slices.next()) if (slice.done === true) return slice.value;
}

describe.each([true, false])('a garbage collection in progress, values that are frozen: %s', (frozen) => {
  test.each(kinds)('removes no data of the next user after a reset: %s', (_name, schema, response) => {
    for (let slicesBefore = 0; slicesBefore < 12; slicesBefore++) {
      const { store, wait } = scene(frozen);
      store.write(schema, response(many('first')), { args: [{}], resultKey: 'todos', ...soon });
      wait();
      const slices = store.collect();
      for (let slice = 0; slice < slicesBefore; slice++) slices.next();
      store.reset();
      store.write(schema, response(many('next')), { args: [{}], resultKey: 'todos', ...soon });
      rest(slices);

      expect(rowsOf(store)).toBe(2000);
      expect(store.get(Todo, { id: 'next1999' })?.title).toBe('next');
    }
  });

  test('keeps new data when another collection begins and ends in between', () => {
    for (let slicesBefore = 0; slicesBefore < 12; slicesBefore++) {
      const { store, wait } = scene(frozen);
      store.write([Todo], many('old'), { resultKey: 'todos', ...soon });
      wait();
      const first = store.collect();
      for (let slice = 0; slice < slicesBefore; slice++) first.next();
      rest(store.collect());
      store.write([Todo], many('new'), { resultKey: 'todos', ...soon });
      rest(first);

      expect(rowsOf(store)).toBe(2000);
    }
  });

  test('removes the same rows when its slices alternate with those of another collection', () => {
    const { store, wait } = scene(frozen);
    store.write([Todo], many('old'), soon);
    wait();
    const [one, other] = [store.collect(), store.collect()];
    one.next();
    for (let turn = 0, isOver = false; !isOver; turn++) {
      isOver = other.next().done === true;
      one.next();
      if (turn === 1) store.write([Todo], many('new', 100), soon);
    }
    rest(one);

    expect(rowsOf(store)).toBe(100);
  });

  test('that is stopped keeps no rows, and the next collection removes all of them', () => {
    const { store, wait } = scene(frozen);
    store.write([Todo], many('old'), soon);
    wait();
    store.collect().next();
    store.write(User, { id: 'u', name: 'a' }, soon);
    const live = store.query(User, [{ id: 'u' }]);
    const stop = live.subscribe(() => {});
    store.collect().return(0);

    rest(store.collect());
    expect(rowsOf(store)).toBe(0);
    expect(live.current()).toMatchObject({ name: 'a' });
    stop();
    wait();
    expect(rest(store.collect())).toBe(1);
  });

  test('keeps data that is written after a reset that is undone', () => {
    const { store, wait } = scene(frozen);
    store.write([Todo], many('old'), soon);
    wait();
    const slices = store.collect();
    slices.next();
    expect(() =>
      store.batch(() => {
        store.reset();
        throw new Error('no');
      }),
    ).toThrow('no');
    store.write([Todo], many('new', 10), soon);
    rest(slices);

    for (let at = 0; at < 10; at++) expect(store.get(Todo, { id: `new${at}` })?.title).toBe('new');
  });
});

test('a logout during a collection leaves the next user with everything that is on the screen', async () => {
  let time = 0;
  const controller = new Controller({ now: () => time });
  let user = 'ann';
  const getTodos = new Endpoint(async () => many(user), {
    name: 'getTodos',
    schema: new Collection([Todo]),
    dataExpiryLength: 1000,
  });
  await controller.fetch(getTodos);
  time += DAY;
  const slices = controller.store.collect();
  slices.next();
  slices.next();
  await controller.resetEntireStore();
  user = 'ben';
  const shown = controller.view(getTodos);
  const stop = shown.subscribe(() => {});
  await controller.fetch(getTodos);
  const before = shown.current();
  rest(slices);

  expect(shown.current()).toBe(before);
  expect(before).toMatchObject({ value: { length: 2000, 0: { title: 'ben' } } });
  stop();
  controller.dispose();
});

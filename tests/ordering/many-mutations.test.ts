import { expect, test, vi } from 'vitest';
import { Controller, Endpoint, Entity, Invalidate, Store } from '../../src/index.ts';
import { Snapshots } from '../../src/state/store/snapshots.ts';

class Row extends Entity {
  id = '';
  title = '';
  static override key = 'Row';
}
const COUNT = 200;

/* oxlint-disable no-await-in-loop -- one answer after the other */

/** Sends this many mutations, and answers them in a given order. Returns how often each guess was made. */
async function guessesMade(
  idOf: (at: number) => string,
  order: (turn: number) => number,
  besides: (turn: number) => object = () => ({}),
): Promise<readonly number[]> {
  const controller = new Controller();
  const made = Array.from({ length: COUNT }, () => 0);
  const answers: ((row: object) => void)[] = [];
  const change = new Endpoint(
    ({ at }: { id: string; at: number }) => new Promise<object>((resolve) => (answers[at] = resolve)),
    {
      name: 'change',
      schema: Row,
      sideEffect: true,
      key: ({ at }) => `change ${at}`,
      getOptimisticResponse: (_snapshot, { id, at }) => {
        made[at] = (made[at] ?? 0) + 1;
        return { id, title: `title ${at}` } as Row;
      },
    },
  );
  for (let at = 0; at < COUNT; at++) await controller.set(Row, { id: idOf(at) }, { id: idOf(at), title: '' });
  const asked = Array.from({ length: COUNT }, (_, at) => controller.fetch(change, { id: idOf(at), at }));
  for (let turn = 0; turn < COUNT; turn++) {
    const at = order(turn);
    answers[at]?.({ id: idOf(at), title: `title ${at}`, ...besides(turn) });
    await asked[at];
    const shown = controller.get(Row, { id: idOf(COUNT - 1) });
    expect(shown?.title).toBe(`title ${COUNT - 1}`);
  }
  expect(controller.store.stats().layers).toBe(0);
  return made;
}

const backwards = (turn: number): number => COUNT - 1 - turn;

test.each([
  ['of a record each land in order', (at: number) => `r${at}`, (turn: number) => turn],
  ['of a record each land backwards', (at: number) => `r${at}`, backwards],
  ['of one record land in order', () => 'r', (turn: number) => turn],
  ['of one record land backwards', () => 'r', backwards],
])('mutations that %s make no guess more than twice', async (_, idOf, order) => {
  expect(Math.max(...(await guessesMade(idOf, order)))).toBeLessThanOrEqual(2);
});

test('a guess is not made again when answers change a field that it does not use', async () => {
  const made = await guessesMade(
    () => 'r',
    (turn) => turn,
    (turn) => ({ landed: turn }),
  );
  expect(Math.max(...made)).toBeLessThanOrEqual(2);
});

test.each([
  ['updates', Row],
  ['deletes', new Invalidate(Row)],
])(
  'a guess that %s a record takes no snapshot of the store, which would keep all that changes meanwhile',
  async (_, schema) => {
    const snapshot = vi.spyOn(Snapshots.prototype, 'take');
    const controller = new Controller();
    await controller.set(Row, { id: '1' }, { id: '1', title: '' });
    const before = snapshot.mock.calls.length;
    const change = new Endpoint(async ({ id }: { id: string }) => ({ id, title: 'answer' }), {
      name: 'change',
      schema,
      sideEffect: true,
      getOptimisticResponse: (_snapshot, { id }) => ({ id, title: 'guess' }) as never,
    });
    await controller.fetch(change, { id: '1' });
    expect(snapshot.mock.calls.length).toBe(before);
    snapshot.mockRestore();
  },
);

/** How often the present pk of a record is looked up while this many mutations are pending and one answer of each kind arrives. */
async function lookups(pending: number): Promise<{ readonly read: number; readonly mutation: number }> {
  const controller = new Controller();
  const answers: (() => void)[] = [];
  const change = new Endpoint(
    ({ id }: { id: string }) => new Promise<object>((resolve) => answers.push(() => resolve({ id, title: 'sent' }))),
    {
      name: 'change',
      schema: Row,
      sideEffect: true,
      getOptimisticResponse: (_snapshot, { id }) => ({ id, title: 'sent' }) as Row,
    },
  );
  const get = new Endpoint(async ({ id }: { id: string }) => ({ id, title: '' }), { name: 'get', schema: Row });
  const ids = Array.from({ length: pending }, (_, at) => `r${at}`);
  for (const id of ids) await controller.set(Row, { id }, { id, title: '' });
  const asked = ids.map((id) => controller.fetch(change, { id }));
  const { pendingRecords } = controller.mutations;
  const isPending = (at: number): boolean => pendingRecords.has(controller.get(Row, { id: `r${at}` }) as Row);
  expect(isPending(0)).toBe(true);
  const spy = vi.spyOn(Store.prototype, 'pkOf');
  await controller.fetch(get, { id: 'another' });
  const read = spy.mock.calls.length;
  answers[0]?.();
  await asked[0];
  expect([isPending(0), isPending(1)]).toEqual([false, true]);
  const mutation = spy.mock.calls.length - read;
  spy.mockRestore();
  for (const answer of answers.slice(1)) answer();
  await Promise.all(asked);
  return { read, mutation };
}

test('an answer does not look up the record of each pending mutation', async () => {
  expect(await lookups(100)).toEqual(await lookups(10));
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Collection, Controller, Endpoint, Store } from '../../src/index.ts';
import type { NormalizeDelegate } from '../../src/define/schema/delegate.ts';
import { deferred } from '../../src/std/deferred.ts';
import { settled } from '../reliability/network/clock.ts';
import { anyStep, idsOf, options, Play } from './joins.ts';
import { Task } from './screen.ts';

describe.each([false, true])('members that join a list in one batch (in an order: %s)', (isOrdered) => {
  test('are in it as if each had joined alone, whatever is read, undone and guessed between', () => {
    const history = fc.array(anyStep(4), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(history, (steps) => {
        const play = new Play(isOrdered);
        for (const step of steps) {
          play.take(step);
          play.end();
          expect(play.differences).toEqual([]);
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 100) },
    );
  });

  test('are added to one copy of it, and to another one after a read', () => {
    const tasks = new Collection([Task], isOrdered ? { orderBy: (one, other) => one.id - other.id } : {});
    const store = new Store();
    store.write(tasks, [{ id: 1 }, { id: 1000 }], options);
    const rows = new Set<unknown>();
    /** Adds a record, and notes the object that has the members. */
    const adding = {
      normalize: (input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): unknown => {
        const stored = delegate.visit(tasks.push, input, parent, key);
        for (const { row } of delegate.getCollections(tasks.key)) rows.add(row);
        return stored;
      },
      denormalize: () => undefined,
      queryKey: () => undefined,
    };
    store.batch(() => {
      for (let id = 2; id < 100; id++) store.write(adding, { id }, options);
      expect(rows.size).toBe(1);
      const shown = store.get(tasks, {});
      for (let id = 100; id < 200; id++) store.write(adding, { id }, options);
      expect(rows.size).toBe(2);
      expect(shown).toHaveLength(100);
    });
    expect(store.get(tasks, {})).toHaveLength(200);
    store.write(adding, { id: 200 }, options);
    expect(rows.size).toBe(3);
  });
});

test('members that a write adds one by one leave the list if the write fails, and those of earlier writes of the batch stay', () => {
  const tasks = new Collection([Task]);
  const store = new Store();
  store.write(tasks, [{ id: 1 }], options);
  const failing = {
    normalize: (input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): unknown => {
      for (const id of [3, 4]) delegate.visit(tasks.push, { id }, parent, key);
      throw new RangeError('refused');
    },
    denormalize: () => undefined,
    queryKey: () => undefined,
  };
  store.batch(() => {
    store.write(tasks.push, { id: 2 }, options);
    expect(() => store.write(failing, {}, options)).toThrow('refused');
    store.write(tasks.push, { id: 5 }, options);
  });
  // A record that is not in the store would be missing in any list.
  store.write([Task], [{ id: 3 }, { id: 4 }], options);
  expect(idsOf(store.get(tasks, {}))).toEqual([1, 2, 5]);
});

test('records whose creates are answered in one turn are in the order in which they were created', async () => {
  const controller = new Controller();
  const tasks = new Collection([Task]);
  const answers = [1, 2, 3].map(() => deferred());
  const create = new Endpoint(
    async (id: number) => {
      await answers[id - 1]?.promise;
      return { id };
    },
    { name: 'create', sideEffect: true, schema: tasks.push },
  );
  controller.store.write(tasks, [{ id: 9 }], options);
  const created = [1, 2, 3].map((id) => controller.fetch(create, id));
  await settled();
  let commits = 0;
  controller.store.onCommit(() => commits++);
  for (const answer of answers.toReversed()) answer.resolve();
  await Promise.all(created);
  expect(commits).toBe(1);
  expect(idsOf(controller.get(tasks, {}))).toEqual([9, 1, 2, 3]);
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Collection, Controller, Endpoint, Entity, Invalidate, Store } from '../../src/index.ts';
import type { NormalizeDelegate } from '../../src/define/schema/delegate.ts';
import { addGuess } from '../../src/state/store/layer.ts';
import { PreparedWrite } from '../../src/state/store/prepared-write.ts';
import type { SnapshotReader } from '../../src/state/store/snapshot.ts';
import { takeSnapshot } from '../../src/state/store/store-snapshot.ts';
import { deferred } from '../../src/std/deferred.ts';
import { settled } from '../reliability/network/clock.ts';
import { Task } from './screen.ts';

/** A record that no write can store. */
class Unstorable extends Entity {
  id = '';
  static override key = 'Unstorable';
  static override process(): never {
    throw new RangeError('mine');
  }
}

/** What is done between changes. It changes nothing in the end. */
type Look = (typeof looks)[number];
const looks = ['read', 'snapshot', 'guess', 'prepare', 'collect'] as const;
type Change = 'push' | 'unshift' | 'remove' | 'delete' | 'push and fail';
type Step =
  | Look
  | readonly [change: Change, id: number]
  | { readonly isFailing: boolean; readonly steps: readonly Step[] };

const anyStep: fc.Memo<Step> = fc.memo((depth) => {
  const change = fc.tuple(
    fc.constantFrom<Change>('push', 'push', 'push', 'unshift', 'unshift', 'remove', 'delete', 'push and fail'),
    fc.integer({ min: 1, max: 9 }),
  );
  const look = fc.constantFrom(...looks);
  if (depth <= 1) return fc.oneof({ arbitrary: change, weight: 4 }, look);
  const batch = fc.record({ isFailing: fc.boolean(), steps: fc.array(anyStep(depth - 1), { maxLength: 8 }) });
  return fc.oneof({ arbitrary: change, weight: 6 }, { arbitrary: batch, weight: 2 }, look);
});

const options = { args: [{}] };
const idsOf = (list: unknown): number[] => (list as readonly Task[]).map(({ id }) => id);

/** A store with a list, and the ids that the list must have. */
class Play {
  readonly #store = new Store();
  readonly #tasks: Collection;
  readonly #isOrdered: boolean;
  #ids: readonly number[] = [];
  /** What observers were told last. */
  #told: unknown;
  readonly #snapshots: (readonly [snapshot: SnapshotReader, ids: readonly number[]])[] = [];

  constructor(isOrdered: boolean) {
    this.#isOrdered = isOrdered;
    this.#tasks = new Collection([Task], isOrdered ? { orderBy: (one, other) => one.id - other.id } : {});
    this.#store.write(this.#tasks, [], options);
    this.#store.write(Task, { id: 11 });
    const live = this.#store.query(this.#tasks, [{}]);
    live.subscribe(() => (this.#told = live.current()));
    this.#told = live.current();
  }

  take(step: Step): void {
    if (step === 'read') expect(idsOf(this.#store.get(this.#tasks, {}))).toEqual(this.#ids);
    else if (step === 'snapshot') this.#snapshots.push([takeSnapshot(this.#store), this.#ids]);
    else if (step === 'guess') this.#guess();
    else if (step === 'prepare') this.#prepare();
    else if (step === 'collect') for (const _ of this.#store.collect());
    else if ('steps' in step) this.#batch(step);
    else this.#change(...step);
  }

  end(): void {
    expect(idsOf(this.#told)).toEqual(this.#ids);
    this.take('read');
    for (const [snapshot, ids] of this.#snapshots) expect(idsOf(snapshot.get(this.#tasks, {}))).toEqual(ids);
  }

  #guess(): void {
    const layer = addGuess(this.#store, () => ({ schema: this.#tasks.push, response: { id: 10 }, ...options }));
    expect(idsOf(this.#store.get(this.#tasks, {}))).toEqual([...this.#ids, 10]);
    layer.drop();
  }

  /** A further page is normalized, and not stored. */
  #prepare(): void {
    const [ticket, { writer }] = [this.#store.begin(), this.#store];
    const answer = { schema: this.#tasks.pagesWith((...args) => args), input: [{ id: 11 }], ...options };
    for (const _ of new PreparedWrite(writer, ticket, answer).walk());
    this.#store.settle(ticket);
  }

  #batch({ isFailing, steps }: { readonly isFailing: boolean; readonly steps: readonly Step[] }): void {
    const before = this.#ids;
    const run = (): void => {
      for (const step of steps) this.take(step);
      if (isFailing) throw new Error('undo');
    };
    if (!isFailing) return this.#store.batch(run);
    expect(() => this.#store.batch(run)).toThrow('undo');
    this.#ids = before;
  }

  #change(change: Change, id: number): void {
    const [tasks, ids] = [this.#tasks, this.#ids];
    if (change === 'push and fail') {
      const schema = { added: tasks.push, bad: Unstorable };
      expect(() => this.#store.write(schema, { added: { id }, bad: { id: '1' } }, options)).toThrow('mine');
    } else if (change === 'delete' || change === 'remove') {
      this.#store.write(change === 'delete' ? new Invalidate(Task) : tasks.remove, { id }, options);
      this.#ids = ids.filter((other) => other !== id);
    } else {
      this.#store.write(tasks[change], { id }, options);
      if (ids.includes(id)) return;
      this.#ids = change === 'push' ? [...ids, id] : [id, ...ids];
      if (this.#isOrdered) this.#ids = this.#ids.toSorted((one, other) => one - other);
    }
  }
}

describe.each([false, true])('members that join a list in one batch (in an order: %s)', (isOrdered) => {
  test('are in it as if each had joined alone, whatever is read, undone and guessed between', () => {
    const history = fc.array(anyStep(4), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(history, (steps) => {
        const play = new Play(isOrdered);
        for (const step of steps) {
          play.take(step);
          play.end();
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

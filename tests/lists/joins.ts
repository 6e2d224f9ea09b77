import * as fc from 'fast-check';
import { Collection, Entity, Invalidate, Store } from '../../src/index.ts';
import { addGuess } from '../../src/state/store/layer.ts';
import { PreparedWrite } from '../../src/state/store/prepared-write.ts';
import type { SnapshotReader } from '../../src/state/store/snapshot.ts';
import { takeSnapshot } from '../../src/state/store/store-snapshot.ts';
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

export const anyStep: fc.Memo<Step> = fc.memo((depth) => {
  const change = fc.tuple(
    fc.constantFrom<Change>('push', 'push', 'push', 'unshift', 'unshift', 'remove', 'delete', 'push and fail'),
    fc.integer({ min: 1, max: 9 }),
  );
  const look = fc.constantFrom(...looks);
  if (depth <= 1) return fc.oneof({ arbitrary: change, weight: 4 }, look);
  const batch = fc.record({ isFailing: fc.boolean(), steps: fc.array(anyStep(depth - 1), { maxLength: 8 }) });
  return fc.oneof({ arbitrary: change, weight: 6 }, { arbitrary: batch, weight: 2 }, look);
});

export const options = { args: [{}] };
export const idsOf = (list: unknown): number[] => (list as readonly Task[]).map(({ id }) => id);

/** A store with a list, and the ids that the list must have. */
export class Play {
  readonly #store = new Store();
  readonly #tasks: Collection;
  readonly #isOrdered: boolean;
  #ids: readonly number[] = [];
  /** Where something else was found. */
  readonly differences: string[] = [];
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
    if (step === 'read') this.#compare(this.#store.get(this.#tasks, {}));
    else if (step === 'snapshot') this.#snapshots.push([takeSnapshot(this.#store), this.#ids]);
    else if (step === 'guess') this.#guess();
    else if (step === 'prepare') this.#prepare();
    else if (step === 'collect') for (const _ of this.#store.collect());
    else if ('steps' in step) this.#batch(step);
    else this.#change(...step);
  }

  end(): void {
    this.#compare(this.#told);
    this.take('read');
    for (const [snapshot, ids] of this.#snapshots) this.#compare(snapshot.get(this.#tasks, {}), ids);
  }

  #compare(list: unknown, ids = this.#ids): void {
    const [found, wanted] = [idsOf(list).join(), ids.join()];
    if (found !== wanted) this.differences.push(`${found} instead of ${wanted}`);
  }

  #expectThrow(run: () => void): void {
    try {
      run();
    } catch {
      return;
    }
    this.differences.push('an error is missing');
  }

  #guess(): void {
    const layer = addGuess(this.#store, () => ({ schema: this.#tasks.push, response: { id: 10 }, ...options }));
    this.#compare(this.#store.get(this.#tasks, {}), [...this.#ids, 10]);
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
    this.#expectThrow(() => this.#store.batch(run));
    this.#ids = before;
  }

  #change(change: Change, id: number): void {
    const [tasks, ids] = [this.#tasks, this.#ids];
    if (change === 'push and fail') {
      const schema = { added: tasks.push, bad: Unstorable };
      this.#expectThrow(() => void this.#store.write(schema, { added: { id }, bad: { id: '1' } }, options));
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

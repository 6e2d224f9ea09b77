import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { Collection, Store, addGuess } from '../../index.ts';
import type { SnapshotReader } from './snapshot.ts';
import { takeSnapshot } from './store-snapshot.ts';

afterEach(() => vi.unstubAllGlobals());

/** Replaces weak references by ones that count their reads, and that lose what `isHeld` denies. */
function stubWeakRefs(isHeld: (number: number) => boolean): { reads: number } {
  const counted = { reads: 0 };
  let made = 0;
  class Weak {
    readonly #number = made++;
    readonly #target: object;
    constructor(target: object) {
      this.#target = target;
    }
    deref(): object | undefined {
      counted.reads++;
      return isHeld(this.#number) ? this.#target : undefined;
    }
  }
  vi.stubGlobal('WeakRef', Weak);
  return counted;
}

const todos = new Collection([Todo]);

describe('snapshots that are kept', () => {
  it('do not add to the cost of a change, however many there are', () => {
    const readsWith = (count: number): number => {
      const counted = stubWeakRefs(() => true);
      const store = new Store();
      const kept: SnapshotReader[] = [];
      for (let at = 0; at < count; at++) {
        store.write(Todo, { id: String(at), title: 'before' });
        kept.push(takeSnapshot(store));
      }
      for (let at = 0; at < count; at++) {
        store.write(Todo, { id: String(at), title: 'after' });
        store.write([Todo], [{ id: String(at) }], { resultKey: 'GET /todos' });
      }
      expect(kept.map((snapshot) => snapshot.get(Todo, '0')?.title)).toEqual(kept.map(() => 'before'));
      return counted.reads / count;
    };
    expect(readsWith(400)).toBeLessThan(readsWith(100) * 1.5);
  });

  it('know the pks that had replaced temporary pks when they were taken, and no later ones', () => {
    const store = new Store();
    store.write(todos, [], { args: [{}] });
    const kept = Array.from({ length: 5 }, (_, at) => {
      const layer = addGuess(store, () => ({ schema: todos.push, response: { title: 'new' }, args: [{}] }));
      const [created] = layer.created;
      layer.confirm(todos.push, { id: String(at), title: 'new' }, { args: [{}] });
      return [created?.pk as string, takeSnapshot(store)] as const;
    });
    const known = kept.map(([, snapshot]) =>
      kept.filter(([temporary]) => snapshot.pkOf('Todo', temporary) !== temporary),
    );
    expect(known.map(({ length }) => length)).toEqual([1, 2, 3, 4, 5]);
  });

  it('have the rows of the time when they were taken, also after other snapshots are no longer referenced', () => {
    const step = fc.oneof(
      fc.record({ row: fc.nat({ max: 3 }), title: fc.string() }),
      fc.constant('take' as const),
      fc.record({ release: fc.nat({ max: 9 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 150, maxLength: 300 }), (steps) => {
        const held = new Map<number, readonly [SnapshotReader, readonly unknown[]]>();
        stubWeakRefs((number) => held.has(number) || number === taken);
        let taken = 0;
        const store = new Store();
        const titles: unknown[] = [];
        for (const one of steps)
          if (one === 'take') {
            held.set(taken, [takeSnapshot(store), [...titles]]);
            taken++;
          } else if ('release' in one) held.delete([...held.keys()][one.release] ?? -1);
          else {
            titles[one.row] = one.title;
            store.write(Todo, { id: String(one.row), title: one.title });
          }
        for (const [snapshot, then] of held.values())
          for (const [at, title] of then.entries())
            expect((snapshot.row('Todo', String(at)) as { title?: string } | undefined)?.title).toBe(title);
      }),
      { numRuns: 60 },
    );
  });
});

it('snapshots have their rows on an engine without FinalizationRegistry, such as that of React Native', () => {
  vi.stubGlobal('FinalizationRegistry', undefined);
  const store = new Store();
  store.write(Todo, { id: '1', title: 'before' });
  const snapshot = takeSnapshot(store);
  store.write(Todo, { id: '1', title: 'after' });
  expect(snapshot.get(Todo, '1')?.title).toBe('before');
});

import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { All, descendants, Entity, Invalidate, Store } from '../../index.ts';
import { Lookup } from '../tables/lookup.ts';

class Folder extends Entity {
  id = '';
  title = '';
  parentId: string | readonly string[] = '';
  static override key = 'Folder';
}
const below = descendants(() => Folder, 'parentId');
const gone = new Invalidate(Folder);

/** A store with a live query of everything below a record. */
function watched(): { readonly store: Store; readonly ids: () => readonly string[] } {
  const store = new Store();
  const view = store.query(below, ['root']);
  view.subscribe(() => {});
  view.current();
  return { store, ids: () => (view.current() as readonly Folder[]).map(({ id }) => id) };
}

/** Everything below a record, found from the start: level by level, in the order of the parents and of arrival. */
function searched(store: Store): readonly string[] {
  const all = store.get(new All(Folder)) as readonly Folder[] | undefined;
  const parents = (all ?? []).map(({ id, parentId }) => [id, [parentId].flat()] as const);
  const found = new Set<string>();
  let level = ['root'];
  while (level.length > 0) {
    const next = level.flatMap((above) => parents.filter(([, of]) => of.includes(above)).map(([id]) => id));
    level = [...new Set(next)].filter((id) => id !== 'root' && !found.has(id));
    for (const id of level) found.add(id);
  }
  return [...found];
}

describe('the descendants of a record', () => {
  it('cost the same for each row that joins or leaves, however many there are', () => {
    const lookedUp = vi.spyOn(Lookup.prototype, 'cellsOf');
    const callsFor = (count: number): number => {
      const { store, ids } = watched();
      lookedUp.mockClear();
      for (let at = 0; at < count; at++) {
        store.write(Folder, { id: `${at}`, parentId: at < 3 ? 'root' : `${at - 3}` });
        expect(ids()).toHaveLength(at + 1);
      }
      for (let at = count - 1; at >= 0; at--) {
        store.write(gone, { id: `${at}` });
        expect(ids()).toHaveLength(at);
      }
      return lookedUp.mock.calls.length / count;
    };
    const few = callsFor(40);
    expect(callsFor(160)).toBeLessThan(few * 2);
  });

  it('stay the same list while a record outside of it changes', () => {
    const { store } = watched();
    store.write([Folder], [{ id: '1', parentId: 'root' }, { id: '2' }]);
    const list = store.get(below, 'root');
    store.write(Folder, { id: '2', title: 'b' });
    store.write(Folder, { id: '3', parentId: '2' });
    expect(store.get(below, 'root')).toBe(list);
  });

  it('are the same as after a full search, after any changes', () => {
    const id = fc.constantFrom('root', ...Array.from({ length: 7 }, (_, at) => `${at}`));
    const above = fc.oneof({ weight: 4, arbitrary: id }, fc.array(id, { maxLength: 2 }));
    const change = fc.oneof(
      { weight: 4, arbitrary: fc.record({ id, parentId: above }) },
      fc.record({ id, title: fc.string({ maxLength: 2 }) }),
      fc.record({ id, isGone: fc.constant(true) }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 25 }), (batches) => {
        const { store, ids } = watched();
        for (const batch of batches) {
          store.batch(() => {
            for (const one of batch) store.write('isGone' in one ? gone : Folder, one);
          });
          expect(ids()).toEqual(searched(store));
        }
      }),
      { numRuns: 400 },
    );
  });
});

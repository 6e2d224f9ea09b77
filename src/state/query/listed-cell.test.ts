import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Collection, count, distinct, Entity, from, Invalidate, Store } from '../../index.ts';
import { SortedList } from '../../std/sorted-list.ts';

class Track extends Entity {
  id = '';
  votes = 0;
  static override key = 'Track';
}
const tracks = new Collection([Track]);
const all = { args: [{}] };
const gone = new Invalidate(Track);
const queries = {
  best: from(tracks).orderBy('votes', 'desc').limit(3),
  listed: from(tracks).where(({ votes }) => votes > 1),
  counted: from(tracks).groupBy('votes', { many: count() }),
};

test('a member that joins a collection or leaves it does not make its queries sort all members again', () => {
  const store = new Store();
  store.write(
    tracks,
    Array.from({ length: 20 }, (_, at) => ({ id: `${at}`, votes: (at * 7) % 20 })),
    all,
  );
  const view = store.query(queries.best, [{}]);
  view.subscribe(() => {});
  view.current();
  const sorted = vi.spyOn(SortedList.prototype, 'replaceAll');
  store.write(tracks.push, { id: 'last', votes: 100 }, all);
  store.write(tracks.unshift, { id: 'first', votes: 99 }, all);
  store.write(tracks.remove, { id: '17' }, all);
  store.write(gone, { id: '14' });
  store.write(Track, { id: '3', votes: 98 });
  expect((view.current() as readonly Track[]).map(({ id }) => id)).toEqual(['last', 'first', '3']);
  expect(sorted).not.toHaveBeenCalled();
  sorted.mockRestore();
});

test('members can join at one place of a list any number of times', () => {
  const store = new Store();
  store.write(tracks, [{ id: 'a' }, { id: 'b' }, { id: 'z' }], all);
  const view = store.query(from(tracks), [{}]);
  view.subscribe(() => {});
  view.current();
  const ids = ['z'];
  for (let nth = 0; nth < 80; nth++) {
    ids.unshift(`${nth}`);
    store.write(
      tracks,
      ['a', 'b', ...ids].map((id) => ({ id })),
      all,
    );
    expect((view.current() as readonly Track[]).map(({ id }) => id)).toEqual(['a', 'b', ...ids]);
  }
});

test('the arguments of a collection may have a bigint in a query, as they may without one', () => {
  const store = new Store();
  const artist = 9007199254740993n;
  store.write(tracks, [{ id: 'a', votes: 2 }, { id: 'b' }], { args: [{ artist }] }); // prettier-ignore
  expect(store.get(queries.listed, { artist })).toEqual([store.get(Track, 'a')]);
  expect(store.get(queries.listed, { artist: 9007199254740992n })).toBeUndefined();
});

/** Returns how many items of lists are read by a loop or a spread while a function runs. */
function itemsReadBy(run: () => void): number {
  const { values } = Array.prototype;
  let items = 0;
  const counted = function* (this: readonly unknown[]): Generator {
    for (let at = 0; at < this.length; at++) {
      items++;
      yield this[at];
    }
  };
  Reflect.set(Array.prototype, Symbol.iterator, counted);
  try {
    run();
  } finally {
    Reflect.set(Array.prototype, Symbol.iterator, values);
  }
  return items;
}

test('a list with many equal values is read again in a time that grows with its length', () => {
  const store = new Store();
  store.write(
    [Track],
    Array.from({ length: 1000 }, (_, at) => ({ id: `${at}`, votes: at })),
  );
  const view = store.query(
    distinct(
      from(Track)
        .orderBy('votes')
        .select(({ votes }) => votes > 500),
    ),
  );
  view.subscribe(() => {});
  expect(view.current()).toEqual([false, true]);
  const items = itemsReadBy(
    () =>
    store.write([Track], [{ id: '7', votes: 900 }, { id: '900', votes: 7 }, { id: '8', votes: 1000 }]), // prettier-ignore
  );
  expect(view.current()).toEqual([false, true]);
  expect(items).toBeLessThan(20_000);
});

test('queries of a collection show the same as if they were read from the start, after any changes of its list', () => {
  const id = fc.integer({ min: 0, max: 9 }).map(String);
  const track = fc.record({ id, votes: fc.integer({ min: 0, max: 4 }) });
  const change = fc.oneof(
    fc.record({
      how: fc.constantFrom('push' as const, 'unshift' as const, 'edit' as const),
      tracks: fc.array(track, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ how: fc.constant('list' as const), tracks: fc.uniqueArray(track, { selector: (one) => one.id }) }),
    fc.record({
      how: fc.constantFrom('remove' as const, 'delete' as const),
      tracks: fc.array(track, { minLength: 1, maxLength: 2 }),
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(change, fc.boolean()), { maxLength: 30 }), (changes) => {
      const store = new Store();
      store.write(tracks, [], all);
      const best = store.query(queries.best, [{}]);
      const listed = store.query(queries.listed, [{}]);
      const counted = store.query(queries.counted, [{}]);
      best.subscribe(() => {});
      for (const [{ how, tracks: given }, isRead] of changes) {
        store.batch(() => {
          if (how === 'list') store.write(tracks, given, all);
          else if (how === 'edit') store.write([Track], given);
          else if (how === 'delete') for (const { id: pk } of given) store.write(gone, { id: pk });
          else for (const one of given) store.write(tracks[how], one, all);
        });
        const members = store.get(tracks, {}) as readonly Track[];
        const inOrder = members.toSorted((one, other) => other.votes - one.votes).slice(0, 3);
        expect(best.current()).toEqual(inOrder);
        // The others fall behind for some changes.
        if (!isRead) continue;
        expect(listed.current()).toEqual(members.filter(({ votes }) => votes > 1));
        const many = (counted.current() as readonly { readonly many: number }[]).map((group) => group.many);
        expect(many.reduce((sum, one) => sum + one, 0)).toBe(members.length);
      }
    }),
    { numRuns: 300 },
  );
});

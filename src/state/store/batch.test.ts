import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Post, User } from '../../../tests/model.ts';
import { All, Collection, type Commit, from, INVALID, Query, Store } from '../../index.ts';
import { addGuess, type Layer } from './layer.ts';
import { restore } from './restore.ts';
const users: Collection = new Collection([User]);
const all = { args: [{}] };

afterEach(() => vi.unstubAllGlobals());

/** A record to push, or if negative to remove, or a part of a batch. */
type Step = number | { readonly isFailing: boolean; readonly steps: readonly Step[] };

/** A store with one observed user, and how often the observer was notified. */
function observed(): { readonly store: Store; readonly calls: () => number; readonly stop: () => void } {
  const store = new Store();
  store.write(Post, { id: 'p', author: { id: '1', name: 'a' } });
  let calls = 0;
  const stop = store.query(Post, ['p']).subscribe(() => calls++);
  return { store, calls: () => calls, stop };
}

function failing(store: Store, run: () => void): void {
  expect(() =>
    store.batch(() => {
      run();
      throw new Error('undo');
    }),
  ).toThrow('undo');
}

describe('observers', () => {
  it('are notified once for each commit that changes what they observe', () => {
    const { store, calls, stop } = observed();
    store.write(Post, { id: 'p', title: 'x', author: { id: '1', name: 'b' } });
    expect(calls()).toBe(1);
    store.get(Post, 'p');
    store.write(User, { id: '1', name: 'c' });
    expect(calls()).toBe(2);
    stop();
    store.get(Post, 'p');
    store.write(User, { id: '1', name: 'd' });
    expect(calls()).toBe(2);
  });

  it('are not notified of a commit that does not affect them', () => {
    const { store, calls } = observed();
    store.write(User, { id: '1', name: 'a' });
    store.write(User, { id: '2' });
    store.write(Post, { id: 'p', author: '1' });
    expect(calls()).toBe(0);
  });

  it('may read and write in their calls', () => {
    const { store, calls } = observed();
    const live = store.query(User, ['1']);
    live.subscribe(() => {
      if ((live.current() as User).name === 'b') store.write(User, { id: '1', name: 'c' });
    });
    store.write(User, { id: '1', name: 'b' });
    expect(store.get(User, '1')).toMatchObject({ name: 'c' });
    expect(calls()).toBeGreaterThan(0);
  });

  it('that throw do not keep others from being notified, nor the write from taking effect', () => {
    const late: (() => void)[] = [];
    vi.stubGlobal('queueMicrotask', (task: () => void) => late.push(task));
    const { store, calls } = observed();
    store.query(User, ['1']).subscribe(() => {
      throw new RangeError('mine');
    });
    store.query(User, ['1']).subscribe(() => {});
    store.write(User, { id: '1', name: 'b' });
    expect(calls()).toBe(1);
    expect(late).toHaveLength(1);
    expect(() => late[0]?.()).toThrow(RangeError);
  });

  it('that unsubscribe during a notification are not called', () => {
    const store = new Store();
    store.write(User, { id: '1' });
    const calls: string[] = [];
    const first = store.query(User, ['1']).subscribe(() => {
      calls.push('first');
      first();
      second();
    });
    const second = store.query(User, ['1']).subscribe(() => calls.push('second'));
    store.write(User, { id: '1', name: 'x' });
    expect(calls).toEqual(['first']);
  });
});

describe('a batch', () => {
  it('is one commit, and returns what its function returns', () => {
    const { store, calls } = observed();
    const commits: Commit[] = [];
    store.onCommit((commit) => commits.push(commit));
    const given = store.batch(() => {
      store.write(User, { id: '1', name: 'b' });
      store.write(User, { id: '2' });
      return 'given';
    });
    expect(given).toBe('given');
    expect(calls()).toBe(1);
    expect(commits).toHaveLength(1);
    expect(commits[0]?.rows.map(({ pk }) => pk)).toEqual(['1', '2']);
  });

  it('reads its own writes', () => {
    const { store } = observed();
    store.batch(() => {
      store.write(User, { id: '1', name: 'b' });
      expect(store.get(Post, 'p')).toMatchObject({ author: { name: 'b' } });
      store.write(User, { id: '1', name: 'c' });
      expect(store.get(Post, 'p')).toMatchObject({ author: { name: 'c' } });
    });
    expect(store.get(Post, 'p')).toMatchObject({ author: { name: 'c' } });
  });

  it('that restores the state notifies no observer and keeps the object', () => {
    const { store, calls } = observed();
    const before = store.get(Post, 'p');
    store.batch(() => {
      store.write(User, { id: '1', name: 'b' });
      store.write(User, { id: '1', name: 'a' });
    });
    expect(calls()).toBe(0);
    expect(store.get(Post, 'p')).toBe(before);
    store.write(User, { id: '1', name: 'z' });
    expect(calls()).toBe(1);
  });

  it('takes effect as a whole or not at all', () => {
    const { store, calls } = observed();
    store.write(users, [{ id: '1' }], all);
    const before = [store.get(Post, 'p'), store.get(users, {}), store.stats()];
    failing(store, () => {
      store.write(User, { id: '1', name: 'b' });
      store.write(users, [{ id: '3' }], { ...all, resultKey: 'k' });
      store.invalidate(User, '1');
    });
    expect([store.get(Post, 'p'), store.get(users, {}), store.stats()]).toEqual(before);
    expect(store.get(Post, 'p')).toBe(before[0]);
    expect(store.result('k')).toBeUndefined();
    expect(store.row('User', '3')).toBeUndefined();
    expect(calls()).toBe(0);
  });

  it('of one write that was undone notifies no observer', () => {
    const { store, calls } = observed();
    failing(store, () => void store.write(User, { id: '1', name: 'b' }));
    expect(calls()).toBe(0);
  });

  it('whose parts were undone notifies no observer if the value is the same in the end', () => {
    const store = new Store();
    store.write(User, { id: '1' });
    const live = store.query(new Query(new All(User), (list: readonly User[]) => list.length), []);
    expect(live.current()).toBe(1);
    let calls = 0;
    live.subscribe(() => calls++);
    store.batch(() => {
      for (const id of ['2', '3'])
        failing(store, () => {
          store.write(User, { id });
          expect(live.current()).toBe(2);
        });
      store.write(User, { id: '4' });
      store.invalidate(User, '4');
    });
    expect(calls).toBe(0);
    expect(live.current()).toBe(1);
  });

  it('that was undone does not count in the order of arrival', () => {
    const store = new Store();
    failing(store, () => void store.write([User], [{ id: '1' }, { id: '2' }]));
    store.write([User], [{ id: '2' }, { id: '1' }]);
    expect((store.get(new All(User)) as User[]).map(({ id }) => id)).toEqual(['2', '1']);
  });

  it('that was undone puts a guessed record back where it was among all records', () => {
    const store = new Store();
    const guess = (): Layer => addGuess(store, () => ({ schema: User, response: { id: '1', name: 'guess' } }));
    const layer = guess();
    store.write(User, { id: '2' });
    const shown = store.get(new All(User));
    failing(store, () => {
      layer.drop();
      guess().drop();
      store.write(User, { id: '3' });
      guess();
      expect(store.get(new All(User))).not.toEqual(shown);
    });
    expect(store.get(new All(User))).toEqual(shown);
  });

  it('with an answer that came too late for a result is undone all the same', () => {
    const { store } = observed();
    const request = store.begin();
    store.write([User], ['1'], { resultKey: 'k' });
    failing(store, () => store.write([User], [], { resultKey: 'k', request }));
    expect(store.result('k')?.stored).toEqual(['1']);
  });

  it('that was undone leaves no list that it created and read', () => {
    const { store } = observed();
    failing(store, () => {
      store.write(users, [{ id: '1' }], all);
      expect(store.read(users, '{}')).toHaveLength(1);
    });
    expect(store.read(users, '{}')).toBeUndefined();
    expect(store.get(users, {})).toBeUndefined();
  });

  it('that was undone leaves no list to which a result refers', () => {
    const { store } = observed();
    const stamp = { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 };
    restore(store.writer, [], [['k', { schema: users, stored: '{}', args: [], stamp }]]);
    const view = store.resultView('k');
    expect(view.current()).toBeUndefined();
    failing(store, () => {
      store.write(users, [{ id: '1' }], all);
      expect(view.current()).toHaveLength(1);
    });
    expect(view.current()).toBeUndefined();
  });

  it('that was undone leaves its observers ready for the next change', () => {
    const { store, calls } = observed();
    failing(store, () => store.write(User, { id: '1', name: 'b' }));
    store.write(User, { id: '1', name: 'c' });
    expect(calls()).toBe(1);
  });

  it('inside another is undone alone if its error is caught', () => {
    const { store, calls } = observed();
    store.batch(() => {
      store.write(User, { id: '2', name: 'kept' });
      failing(store, () => {
        store.write(User, { id: '1', name: 'b' });
        store.write(User, { id: '2', name: 'lost' });
      });
      expect(store.row('User', '1')).toEqual({ id: '1', name: 'a' });
    });
    expect(store.row('User', '2')).toEqual({ id: '2', name: 'kept' });
    expect(calls()).toBe(0);
  });

  it.each([
    ['', () => {}],
    [
      ', also if they were read during the batch',
      (store: Store) => void [store.get(new All(User)), store.get(from(User))],
    ],
  ])('that throws leaves records in their order%s', (_, read) => {
    const store = new Store();
    const [listed, live] = [new All(User), from(User)];
    const layer = addGuess(store, () => ({ schema: User, response: { id: '1', name: 'guessed' } }));
    store.write(User, { id: '2' });
    const view = store.query(live);
    view.subscribe(() => {});
    const ids = (): readonly unknown[] =>
      [store.get(listed), view.current()].map((records) => (records as readonly User[]).map(({ id }) => id));
    failing(store, () => {
      layer.drop();
      read(store);
      store.write(User, { id: '1' });
      read(store);
      failing(store, () => store.write(User, { id: '0' }));
    });
    expect(ids()).toEqual([
      ['1', '2'],
      ['1', '2'],
    ]);
    layer.drop();
    store.write(User, { id: '1' });
    expect(ids()).toEqual([
      ['2', '1'],
      ['2', '1'],
    ]);
  });

  it('inside another is undone with it', () => {
    const { store } = observed();
    failing(store, () => store.batch(() => store.write(User, { id: '1', name: 'b' })));
    expect(store.row('User', '1')).toEqual({ id: '1', name: 'a' });
  });

  it('keeps one former list, however many of its writes change the list', () => {
    const store = new Store();
    store.write(users, [{ id: '1' }], all);
    const show = vi.spyOn(store.writer.core, 'show');
    failing(store, () => {
      for (const id of ['2', '3', '4']) store.write(users.push, { id }, all);
      store.write(users.remove, { id: '1' }, all);
      expect(store.row('[User]', '{}')).toEqual(['2', '3', '4']);
      show.mockClear();
    });
    expect(show.mock.calls.filter(([cell]) => cell.table.name === '[User]')).toHaveLength(1);
    expect(store.row('[User]', '{}')).toEqual(['1']);
  });

  it('restores lists to where each undone part of it began', () => {
    const step: fc.Memo<Step> = fc.memo((depth) =>
      depth <= 1
        ? fc.integer({ min: -4, max: 4 })
        : fc.oneof(
            fc.integer({ min: -4, max: 4 }),
            fc.record({ isFailing: fc.boolean(), steps: fc.array(step(depth - 1), { maxLength: 5 }) }),
          ),
    );
    fc.assert(
      fc.property(fc.array(step(4), { maxLength: 6 }), fc.boolean(), (steps, isPending) => {
        const store = new Store();
        store.write(users, [{ id: '1' }], all);
        if (isPending) addGuess(store, () => ({ schema: users.push, response: { id: '9' }, args: [{}] }));
        const play = (each: readonly Step[]): void => {
          for (const one of each) {
            if (typeof one !== 'number') {
              const before = store.get(users, {});
              if (one.isFailing) failing(store, () => play(one.steps));
              else store.batch(() => play(one.steps));
              if (one.isFailing) expect(store.get(users, {})).toEqual(before);
            } else if (one !== 0) store.write(one > 0 ? users.push : users.remove, { id: `${Math.abs(one)}` }, all);
          }
        };
        const before = store.get(users, {});
        failing(store, () => play(steps));
        expect(store.get(users, {})).toEqual(before);
      }),
    );
  });

  it('that throws because of a value that cannot be built notifies the observers of that value', () => {
    const store = new Store();
    let isFailing = false;
    const picky = new Query(new All(User), (list: User[]) => {
      if (isFailing) throw new RangeError('mine');
      return list.length;
    });
    store.write(User, { id: '1' });
    let calls = 0;
    store.query(picky).subscribe(() => calls++);
    isFailing = true;
    failing(store, () => store.write(User, { id: '2' }));
    expect(calls).toBe(0);
    store.batch(() => {
      store.write(User, { id: '3' });
      store.write(User, { id: '4' });
    });
    expect(calls).toBe(1);
  });
});

describe('a write that fails', () => {
  it('changes nothing and uses its ticket up', () => {
    const { store, calls } = observed();
    const request = store.begin();
    expect(() => store.write([User], [{ id: '9' }, {}], { request, resultKey: 'k' })).toThrow('pk');
    expect(store.row('User', '9')).toBeUndefined();
    expect(store.result('k')).toBeUndefined();
    expect(calls()).toBe(0);
    expect(() => store.write(User, { id: '9' }, { request })).toThrow(
      expect.objectContaining({ code: 'request-settled' }),
    );
  });

  it('restores more than rows: a deletion, and a record that others refer to', () => {
    const { store } = observed();
    store.write(Post, { id: 'q', author: '7' });
    store.get(Post, 'q');
    const older = store.begin();
    store.invalidate(User, '1');
    expect(() => store.write([User], [{ id: '1', name: 'x' }, { id: '7' }, {}])).toThrow('pk');
    expect(store.row('User', '1')).toBe(INVALID);
    store.write(User, { id: '1', name: 'old' }, { request: older });
    expect(store.row('User', '1')).toBe(INVALID);
    store.write(User, { id: '7' });
    expect((store.get(Post, 'q') as Post).author).toBe(store.get(User, '7'));
  });
});

it('after two undone batches inside another, observers are notified of values that differ from those that they know', () => {
  const { store, calls } = observed();
  store.batch(() => {
    failing(store, () => store.write(User, { id: '1', name: 'b' }));
    store.get(Post, 'p');
    failing(store, () => store.write(User, { id: '1', name: 'c' }));
  });
  expect(calls()).toBe(0);
  store.batch(() => {
    failing(store, () => store.write(User, { id: '1', name: 'b' }));
    store.write(User, { id: '1', name: 'd' });
  });
  expect(calls()).toBe(1);
});

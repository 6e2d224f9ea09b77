import { describe, expect, it } from 'vitest';
import { Todo, User } from '../../../tests/model.ts';
import { All, Collection, Entity, from, INVALID, Query, Scalar, Store, Union } from '../../index.ts';
import { EarlierStore } from './earlier-store.ts';
import { takeSnapshot } from './store-snapshot.ts';
import { addGuess } from './layer.ts';
import { restore } from './restore.ts';
import type { Trust } from '../../define/schema/trust.ts';
const todos: Collection = new Collection([Todo]);
const all = { args: [{}] };
const DAY = 86_400_000;

/** A store whose clock the test advances by days. */
function timed(maxRows?: number): { readonly store: Store; readonly wait: (days: number) => void } {
  let time = 0;
  const store = new Store(maxRows === undefined ? { now: () => time } : { now: () => time, maxRows });
  return { store, wait: (days) => void (time += days * DAY) };
}

function collect(store: Store): number {
  const slices = store.collect();
  for (let slice = slices.next(); ; slice = slices.next()) if (slice.done === true) return slice.value;
}

const under = (of: string): { id: string; of: string } => ({ id: '1', of });
const soon = { expiresAt: 1000 };

describe('a collection of garbage', () => {
  it('removes expired data that is not shown', () => {
    const { store, wait } = timed();
    store.write([Todo], [{ id: '1' }, { id: '2' }], soon);
    store.write(Todo, { id: '3' });
    expect(collect(store)).toBe(0);
    wait(1);
    expect(collect(store)).toBe(2);
    expect(store.stats()).toMatchObject({ rows: 1 });
    expect(store.row('Todo', '3')).toEqual({ id: '3' });
    expect(collect(store)).toBe(0);
  });

  it('forgets what answers have shown of lists and totals that it removes', () => {
    const { store, wait } = timed();
    const counted = { items: new Collection([Todo], { total: 'total' }), total: 0 };
    const write = (of: string, options: object): unknown =>
      store.write(counted, { items: [], total: 0 }, { args: [{ of }], ...options });
    const { tables } = store.writer.core.reading.space;
    /** The pks of the lists of which something is known, and those of the totals. */
    const known = (pks: readonly (readonly string[])[]): readonly (readonly string[])[] =>
      [...tables.values()].map(({ notes }, at) => {
        const trust = notes.get('trust') as Trust | undefined;
        return (pks[at] ?? []).filter((pk) => trust?.hasArrivedSince(pk, 0) === true || notes.has(pk));
      });
    write('gone', soon);
    write('kept', {});
    const before = [...tables.values()].map(({ cells }) => [...cells.keys()]);
    expect(before.flat()).toHaveLength(4);
    expect(known(before)).toEqual(before);
    wait(1);
    expect(collect(store)).toBe(2);
    const after = [...tables.values()].map(({ cells }) => [...cells.keys()]);
    expect(after.flat()).toHaveLength(2);
    expect(known(before)).toEqual(after);
  });

  it('keeps nothing of lists that it removes, also after a reset', () => {
    const { store, wait } = timed();
    const { unlinked } = store.writer.core.reading.space;
    const search = (q: string): unknown => store.write(todos, [{ id: q }], { args: [{ q }], ...soon });
    for (const q of ['a', 'b']) search(q);
    store.get(todos, { q: 'a' });
    wait(1);
    expect(collect(store)).toBe(4);
    expect(unlinked.size).toBe(0);
    search('c');
    store.reset();
    expect(unlinked.size).toBe(0);
  });

  it('leaves the indexes of a table as they are', () => {
    class Tag extends Entity {
      id = '';
      owner = '';
      static override key = 'Tag';
      static override indexes = ['owner'] as const;
    }
    const { store, wait } = timed();
    store.write([Tag], [{ id: '1', owner: 'b' }, { id: '2', owner: 'c' }]); // prettier-ignore
    const first = store.query(from(Tag).orderBy('owner').one());
    const owned = store.query(from(Tag).where({ owner: 'b' }));
    for (const live of [first, owned]) live.subscribe(() => {});
    wait(1);
    expect(collect(store)).toBe(0);
    store.write(Tag, { id: '2', owner: 'a' });
    store.write(Tag, { id: '3', owner: 'b' });
    expect(first.current()).toBe(store.get(Tag, '2'));
    expect(owned.current()).toEqual([store.get(Tag, '1'), store.get(Tag, '3')]);
  });

  it('keeps data for at least two minutes, and for twice the time that it was fresh', () => {
    let time = 0;
    const store = new Store({ now: () => time });
    store.write(Todo, { id: '1' }, { expiresAt: 1000 });
    store.write(Todo, { id: '2' }, { expiresAt: 200_000 });
    for (const [at, removed] of [
      [120_000, 0],
      [120_001, 1],
      [400_000, 0],
      [400_001, 1],
    ] as const) {
      time = at;
      expect(collect(store)).toBe(removed);
    }
  });

  it('leaves empty lists of all records, also in guesses, states and earlier moments', () => {
    const { store, wait } = timed();
    const everyone = new All(User);
    const unknown = takeSnapshot(store);
    store.write(User, { id: 'u' }, soon);
    wait(1);
    collect(store);
    const state = takeSnapshot(store);
    const read: unknown[] = [];
    addGuess(store, (below) => {
      read.push(below.get(everyone));
      return { schema: Todo, response: { id: '1' } };
    });
    store.write(User, { id: 'v' });
    const earlier = new EarlierStore(store.writer.core, new Map([['User', new Map([['v', undefined]])]]), new Map());
    expect([read[0], state.get(everyone), earlier.get(everyone, []).value]).toEqual([[], [], []]);
    expect(unknown.get(everyone)).toBeUndefined();
  });

  it('keeps observed values, with all their parts', () => {
    const { store, wait } = timed();
    store.write(todos, [{ id: '1', owner: { id: 'u' } }], { ...all, ...soon });
    store.write(Todo, { id: '2', owner: { id: 'v' } }, soon);
    const live = store.query(todos, [{}]);
    const stop = live.subscribe(() => {});
    wait(1);
    expect(collect(store)).toBe(2);
    expect(live.current()).toEqual([store.get(Todo, '1')]);
    expect((store.get(Todo, '1') as Todo).owner).toBeInstanceOf(User);
    stop();
    expect(collect(store)).toBe(3);
    expect(store.stats()).toMatchObject({ rows: 0, queries: 0 });
  });

  it('keeps the records of a kept result, and drops expired results', () => {
    const { store, wait } = timed();
    store.write([Todo], [{ id: '1' }], { ...soon, resultKey: 'old' });
    store.write([Todo], [{ id: '2' }], { ...soon, resultKey: 'shown' });
    store.write([Todo], ['3'], { resultKey: 'fresh' });
    store.write(Todo, { id: '3', owner: { id: 'u' } }, soon);
    store.resultView('shown').subscribe(() => {});
    store.resultView('old').current();
    wait(1);
    expect(collect(store)).toBe(1);
    expect([...store.results()].map(([key]) => key).sort()).toEqual(['fresh', 'shown']);
    expect(store.row('Todo', '3')).toBeDefined();
    expect(store.row('User', 'u')).toBeDefined();
    expect(store.row('Todo', '1')).toBeUndefined();
  });

  it('removes rows that only expired rows refer to, and keeps those that a kept row refers to', () => {
    const { store, wait } = timed();
    store.write(User, { id: 'u' }, soon);
    store.write(User, { id: 'v' }, soon);
    store.write(Todo, { id: '1', owner: 'u' });
    store.write(Todo, { id: '2', owner: 'v' }, soon);
    wait(1);
    expect(collect(store)).toBe(2);
    expect(store.row('User', 'u')).toBeDefined();
    expect(store.row('User', 'v')).toBeUndefined();
  });

  it('removes deletions too, once no older answer can arrive', () => {
    const { store, wait } = timed();
    store.write(Todo, { id: '1' }, soon);
    const request = store.begin();
    store.write(new Union({ todo: Todo }, () => 'todo'), { kind: 'todo', id: '2' }, soon);
    store.invalidate(Todo, '2');
    wait(1);
    collect(store);
    expect(store.row('Todo', '2')).toBe(INVALID);
    store.settle(request);
    collect(store);
    expect(store.row('Todo', '2')).toBe(INVALID);
  });

  it('keeps a deletion that an answer in flight must not undo, whatever its age', () => {
    const { store, wait } = timed();
    const request = store.begin();
    store.write(Todo, { id: '1', title: 'later' }, soon);
    wait(1);
    expect(collect(store)).toBe(0);
    store.write(Todo, { id: '1', title: 'earlier' }, { request });
    expect(store.row('Todo', '1')).toMatchObject({ title: 'later' });
  });

  it('keeps the rows from which a guess was made', () => {
    const { store, wait } = timed();
    store.write(Todo, { id: '1', title: 'a' }, soon);
    const layer = addGuess(store, () => ({ schema: Todo, response: { id: '1', title: 'guess' } }));
    wait(1);
    expect(collect(store)).toBe(0);
    expect(store.get(Todo, '1')).toMatchObject({ title: 'guess' });
    layer.drop();
    expect(collect(store)).toBe(1);
  });

  it('keeps the temporary pk of a removed record as long as a mutation or a request is pending, which may mention it', () => {
    const { store, wait } = timed();
    const created = addGuess(store, () => ({ schema: todos.push, response: { title: 'new' }, ...all }));
    const temporary = created.created[0]?.pk ?? '';
    created.confirm(todos.push, { id: '9', title: 'new' }, { ...all, ...soon });
    const pending = addGuess(store, () => ({ schema: User, response: { id: '1' } }));
    const request = store.begin();
    wait(1);
    expect(store.pkOf('Todo', temporary)).toBe('9');
    pending.drop();
    collect(store);
    expect(store.pkOf('Todo', temporary)).toBe('9');
    store.settle(request);
    const other = addGuess(store, () => ({ schema: User, response: { id: '1' } }));
    collect(store);
    expect(store.row('Todo', '9')).toBeUndefined();
    expect(store.pkOf('Todo', temporary)).toBe('9');
    other.drop();
    collect(store);
    expect(store.pkOf('Todo', temporary)).toBe(temporary);
  });

  it('keeps the row over which a guess puts fields', () => {
    const { store, wait } = timed();
    store.write(User, { id: '1', name: 'a' }, soon);
    const layer = addGuess(store, () => ({ schema: User, response: { id: '1' } }));
    wait(1);
    expect(collect(store)).toBe(0);
    expect(store.get(User, '1')).toMatchObject({ name: 'a' });
    layer.drop();
    expect(collect(store)).toBe(1);
  });

  it('removes the members of a removed list, and the next answer starts again', () => {
    const { store, wait } = timed();
    store.write(todos, [{ id: '1' }, { id: '2' }], { ...all, ...soon });
    store.get(todos, {});
    wait(1);
    expect(collect(store)).toBe(3);
    expect(store.get(todos, {})).toBeUndefined();
    store.write(todos, [{ id: '2' }], { ...all, expiresAt: Infinity });
    expect(store.get(todos, {})).toEqual([store.get(Todo, '2')]);
  });

  it('removes values with lenses that are not shown, and keeps the others', () => {
    const share = new Scalar({ key: 'share', lens: ([args]) => (args as { of?: string } | undefined)?.of });
    class Company extends Entity {
      id = '';
      share: number | undefined = undefined;
      static override key = 'Company';
      static override schema = { share };
    }
    const { store } = timed();
    for (const [of, value] of [
      ['a', 1],
      ['b', 2],
    ] as const)
      store.write(Company, { id: '1', share: value }, { args: [{ of }] });
    const live = store.query(Company, [under('a')]);
    live.subscribe(() => {});
    const kept = live.current();
    store.get(Company, under('b'));
    collect(store);
    expect(live.current()).toBe(kept);
    expect(store.get(Company, under('b'))).toMatchObject({ share: 2 });
    store.write(Company, { id: '1', share: 3 }, { args: [{ of: 'a' }] });
    expect(live.current()).toMatchObject({ share: 3 });
  });

  it('removes all values with lenses when none is shown, with their parts', () => {
    const share = new Scalar({ key: 'share', lens: ([args]) => (args as { of?: string } | undefined)?.of });
    class Company extends Entity {
      id = '';
      share: number | undefined = undefined;
      parent: unknown = undefined;
      boards: unknown = undefined;
      static override key = 'Company';
      static override schema: Record<string, unknown> = {};
    }
    Company.schema = { share, parent: Company, boards: [Company] };
    const { store } = timed();
    store.write(
      Company,
      { id: '1', share: 1, parent: { id: '2', share: 2 }, boards: [{ id: '2' }] },
      { args: [{ of: 'a' }] },
    );
    const read = (): Company => store.get(Company, under('a')) as Company;
    const before = read();
    collect(store);
    expect(read()).toEqual(before);
    expect(read().parent).toMatchObject({ share: 2 });
  });

  it('removes the cells of records that were requested and never stored', () => {
    const { store } = timed();
    store.get(Todo, 'none');
    expect(collect(store)).toBe(0);
    store.write(Todo, { id: 'none' });
    expect(store.get(Todo, 'none')).toBeInstanceOf(Todo);
  });

  it('releases queries without observers; reading them links them again', () => {
    const { store } = timed();
    const names = new Query(todos, (list: Todo[]) => ({ titles: list.map(({ title }) => title) }));
    store.write(todos, [{ id: '1', title: 'a' }], all);
    const live = store.query(names, [{}]);
    expect(live.current()).toEqual({ titles: ['a'] });
    collect(store);
    expect(store.stats().queries).toBe(0);
    store.write(Todo, { id: '1', title: 'b' });
    expect(live.current()).toEqual({ titles: ['b'] });
    expect(store.get(names, {})).toEqual({ titles: ['b'] });
  });

  it('releases views of results without observers; they stay live', () => {
    const { store, wait } = timed();
    store.write([Todo], [{ id: '1', title: 'a' }], { ...soon, resultKey: 'k' });
    const view = store.resultView('k');
    view.current();
    wait(1);
    collect(store);
    expect(store.result('k')).toBeUndefined();
    store.write([Todo], [{ id: '2', title: 'b' }], { resultKey: 'k' });
    expect(store.resultView('k').current()).toEqual([store.get(Todo, '2')]);
  });

  it('reports removed rows to snapshots and listeners', () => {
    const { store, wait } = timed();
    store.write(Todo, { id: '1' }, soon);
    const snapshot = takeSnapshot(store);
    const seen: unknown[] = [];
    store.onCommit(({ shown }) => seen.push(...shown.map(({ pk, after }) => [pk, after])));
    wait(1);
    collect(store);
    expect(seen).toEqual([['1', undefined]]);
    expect(snapshot.get(Todo, '1')).toBeInstanceOf(Todo);
  });

  it('keeps rows without a known schema until they expire', () => {
    const { store, wait } = timed();
    const stamp = { issue: 0, fetchedAt: 0, date: 0, expiresAt: Infinity };
    restore(
      store.writer,
      [
        { table: 'Todo', pk: '1', row: { id: '1', owner: 'u' }, stamp },
        { table: 'User', pk: 'u', row: { id: 'u' }, stamp: { ...stamp, expiresAt: 1 } },
      ],
      [],
    );
    wait(1);
    expect(collect(store)).toBe(1);
    expect(store.row('Todo', '1')).toBeDefined();
  });
});

describe('in slices', () => {
  const many = (count: number): object[] => Array.from({ length: count }, (_, at) => ({ id: `t${at}` }));

  it('lets the application run in between', () => {
    const { store, wait } = timed();
    store.write([Todo], many(3000), soon);
    wait(1);
    let slices = 0;
    for (const _ of store.collect()) slices++;
    expect(slices).toBeGreaterThanOrEqual(5);
    expect(store.stats().rows).toBe(0);
  });

  it('follows kept data in slices too', () => {
    const { store } = timed();
    store.write(todos, many(3000), { ...all, resultKey: 'k' });
    store.write([Todo], many(3000));
    let slices = 0;
    for (const _ of store.collect()) slices++;
    expect(slices).toBeGreaterThanOrEqual(5);
    expect(store.stats().rows).toBe(3001);
  });

  it('keeps data that is read or written meanwhile, with what it refers to', () => {
    const { store, wait } = timed();
    store.write([Todo], many(2000), soon);
    store.write(User, { id: 'u' }, soon);
    wait(1);
    const slices = store.collect();
    slices.next();
    store.get(Todo, 't1999');
    store.write(Todo, { id: 't1998', owner: 'u' }, soon);
    for (const _ of slices);
    expect(store.row('Todo', 't1999')).toBeDefined();
    expect(store.row('User', 'u')).toBeDefined();
    expect(store.get(Todo, 't1998')).toMatchObject({ owner: { id: 'u' } });
    expect(store.stats().rows).toBe(3);
  });

  it('that is broken off leaves the rest as it is, and the next is complete', () => {
    const { store, wait } = timed();
    store.write([Todo], many(2000), soon);
    wait(1);
    const slices = store.collect();
    slices.next();
    slices.return(0);
    expect(store.get(Todo, 't1999')).toBeInstanceOf(Todo);
    expect(collect(store)).toBeGreaterThan(1000);
    expect(store.stats().rows).toBe(0);
  });
});

describe('a running collection', () => {
  const half = (): { readonly store: Store; readonly slices: Generator<undefined, number> } => {
    const { store, wait } = timed();
    const records = Array.from({ length: 2000 }, (_, at) => ({ id: `${at}` }));
    store.write([Todo], records, soon);
    wait(1);
    const slices = store.collect();
    slices.next();
    return { store, slices };
  };
  const rest = (slices: Generator<undefined, number>): number => {
    for (let slice = slices.next(); ; slice = slices.next()) if (slice.done === true) return slice.value;
  };

  it('ends with a reset, and keeps what is stored afterwards', () => {
    const { store, slices } = half();
    store.reset();
    store.write(Todo, { id: 'new' }, { expiresAt: 0 });
    expect(rest(slices)).toBeLessThan(2000);
    expect(store.row('Todo', 'new')).toBeDefined();
  });

  it('ends with another, which removes the rest', () => {
    const { store, slices } = half();
    const other = store.collect();
    other.next();
    const removed = rest(slices);
    expect(removed).toBeLessThan(2000);
    expect(removed + rest(other)).toBe(2000);
    expect(store.stats().rows).toBe(0);
  });
});

describe('with a limit', () => {
  it('keeps the results that were written last, with their rows', () => {
    const { store } = timed(2);
    for (const id of ['1', '2', '3']) store.write([Todo], [{ id }], { resultKey: id });
    collect(store);
    expect([...store.results()].map(([key]) => key).sort()).toEqual(['2', '3']);
    expect(store.stats().rows).toBe(2);
    expect(store.row('Todo', '1')).toBeUndefined();
  });

  it('counts a result that was requested again as new', () => {
    const { store } = timed(2);
    for (const id of ['1', '2', '3', '1']) store.write([Todo], [{ id }], { resultKey: id });
    collect(store);
    expect([...store.results()].map(([key]) => key).sort()).toEqual(['1', '3']);
  });

  it('counts a result that was read as new', () => {
    const { store } = timed(2);
    for (const id of ['1', '2', '3']) store.write([Todo], [{ id }], { resultKey: id });
    store.resultView('1').current();
    collect(store);
    expect([...store.results()].map(([key]) => key).sort()).toEqual(['1', '3']);
  });

  it('keeps the rows that were written last, of those without a result', () => {
    const { store } = timed(2);
    for (const id of ['1', '2', '3']) store.write(Todo, { id });
    store.write(Todo, { id: '1', title: 'again' });
    expect(collect(store)).toBe(1);
    expect(['1', '2', '3'].map((pk) => store.row('Todo', pk) !== undefined)).toEqual([true, false, true]);
  });

  it('does not count cells without rows', () => {
    const { store } = timed(1);
    store.get(Todo, 'none');
    store.write(Todo, { id: '1' });
    store.resultView('none');
    expect(collect(store)).toBe(0);
    expect(store.row('Todo', '1')).toBeDefined();
  });

  it('counts observed data, and keeps it beyond the limit', () => {
    const { store } = timed(1);
    store.write([Todo], [{ id: '1' }, { id: '2' }], { resultKey: 'k' });
    store.resultView('k').subscribe(() => {});
    store.write(Todo, { id: '3' });
    expect(collect(store)).toBe(1);
    expect(store.resultView('k').current()).toHaveLength(2);
    expect(store.result('k')).toBeDefined();
  });
});

it('a record that is shown as two classes counts as one row', () => {
  class Summary extends Entity {
    id = '';
    static override key = 'Todo';
  }
  const { store, wait } = timed(2);
  store.write([Todo], [{ id: '1' }, { id: '2' }]);
  for (const entity of [Todo, Summary]) store.query(entity, [{ id: '1' }]).subscribe(() => {});
  store.get(Summary, { id: '1' });
  store.get(Todo, { id: '1' });
  wait(1);
  expect(collect(store)).toBe(0);
  store.write(Todo, { id: '3' });
  expect(collect(store)).toBe(1);
  expect(store.row('Todo', '3')).toEqual({ id: '3' });
});

it('a live value is read by the arguments that it was created with, also after its cell was collected', () => {
  const { store, wait } = timed();
  const args = { id: '1' };
  store.write(Todo, { id: '1', title: 'a' }, soon);
  const live = store.query(Todo, [args]);
  args.id = '2';
  wait(1);
  collect(store);

  const missing = live.current();
  store.write(Todo, { id: '1', title: 'b' });

  expect(missing).toBeUndefined();
  expect(live.current()).toBe(store.get(Todo, { id: '1' }));
});

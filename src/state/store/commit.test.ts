import { afterEach, describe, expect, it, vi } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { type Commit, INVALID, Store } from '../../index.ts';
import { addGuess } from './layer.ts';

afterEach(() => vi.unstubAllGlobals());

function watchedStore(): { readonly store: Store; readonly commits: Commit[]; readonly stop: () => void } {
  const store = new Store();
  const commits: Commit[] = [];
  const stop = store.onCommit((commit) => commits.push(commit));
  return { store, commits, stop };
}
const one = (before: unknown, after: unknown): object => ({ table: 'Todo', pk: '1', before, after });

describe('a commit', () => {
  it('is not sent if all writes have been undone', () => {
    const { store, commits } = watchedStore();
    store.batch(() => {
      const inner = (): unknown =>
        store.batch(() => {
          store.write(Todo, { id: '1', title: 'a' });
          throw new Error('undo');
        });
      expect(inner).toThrow('undo');
    });
    expect(commits).toEqual([]);
  });

  it('is sent to each listener in order, also if a listener writes', () => {
    const store = new Store();
    const titles: string[] = [];
    const titleOf = (row: unknown): string => (Object(row) as Todo).title;
    const note = (name: string, { rows }: Commit): void => {
      for (const { before, after } of rows) titles.push(`${name}: ${titleOf(before)} → ${titleOf(after)}`);
    };
    const view = store.query(Todo, ['1']);
    view.subscribe(() => titles.push(`observer: ${titleOf(view.current())}`));
    store.onCommit((commit) => note('first', commit));
    const stop = store.onCommit((commit) => {
      note('second', commit);
      stop();
      stopLast();
      store.write(Todo, { id: '1', title: 'b' });
    });
    const stopLast = store.onCommit((commit) => note('last', commit));
    store.onCommit((commit) => note('third', commit));
    store.write(Todo, { id: '1', title: 'a' });
    expect(titles).toEqual([
      'observer: a',
      'first: undefined → a',
      'second: undefined → a',
      'third: undefined → a',
      'observer: b',
      'first: a → b',
      'third: a → b',
    ]);
  });

  it('has the changed rows, before and after', () => {
    const { store, commits } = watchedStore();
    store.write(Todo, { id: '1', title: 'a' });
    store.write(Todo, { id: '1', title: 'b' });
    store.invalidate(Todo, '1');
    const [a, b] = [{ id: '1', title: 'a' }, { id: '1', title: 'b' }]; // prettier-ignore
    const changes = [one(undefined, a), one(a, b), one(b, INVALID)];
    expect(commits.map(({ rows }) => rows)).toEqual(changes.map((change) => [change]));
    expect(commits.map(({ shown }) => shown)).toEqual(changes.map((change) => [change]));
    expect(commits[1]?.rows[0]?.before).toBe(commits[0]?.rows[0]?.after);
    expect(commits[0]?.requests).toEqual([]);
  });

  it('has the changed results', () => {
    const { store, commits } = watchedStore();
    store.write([Todo], [{ id: '1' }], { resultKey: 'k', args: [1] });
    store.write([Todo], [], { resultKey: 'k' });
    store.dropResult('k');
    expect(
      commits.map(({ requests }) =>
        requests.map(({ key, before, after }) => [key, before?.results[0]?.stored, after?.results[0]?.stored]),
      ),
    ).toEqual([[['k', undefined, ['1']]], [['k', ['1'], []]], [['k', [], undefined]]]);
    expect(commits[0]?.requests[0]?.after?.results[0]).toMatchObject({ args: [1] });
  });

  it('is sent once for a batch, with the first and the last state of each row', () => {
    const { store, commits } = watchedStore();
    store.batch(() => {
      store.write(Todo, { id: '1', title: 'a' }, { resultKey: 'k' });
      store.write(Todo, { id: '1', title: 'b' }, { resultKey: 'k' });
    });
    expect(commits).toHaveLength(1);
    expect(commits[0]?.rows).toEqual([one(undefined, { id: '1', title: 'b' })]);
    expect(commits[0]?.requests).toHaveLength(1);
    expect(commits[0]?.requests[0]?.before).toBeUndefined();
  });

  it('is not sent for a write without changes', () => {
    const { store, commits } = watchedStore();
    store.write(Todo, { id: '1', title: 'a' });
    store.write(Todo, { id: '1', title: 'a' });
    store.batch(() => {});
    store.invalidate(Todo, '2');
    store.invalidate(Todo, '2');
    expect(commits).toHaveLength(2);
  });

  it('has the rows that were written again without a change, if a listener needs them', () => {
    const { store, commits } = watchedStore();
    let isNeeded = false;
    store.writer.core.listen(
      () => {},
      () => isNeeded,
    );
    const write = (): unknown => store.write([Todo], [{ id: '1', title: 'a' }], { resultKey: 'k' });
    write();
    isNeeded = true;
    write();
    write();
    const layer = addGuess(store, () => ({ schema: Todo, response: { id: '1', title: 'guess' } }));
    write();
    layer.drop();
    isNeeded = false;
    write();
    const [row] = commits.map(({ rows }) => rows[0]?.after);
    const again = [one(row, row)];
    // The last ones are of a guess, an answer below it, the end of the guess, and an answer that no listener needs.
    const rest = [undefined, undefined, undefined, undefined];
    expect(commits.map(({ confirmed }) => confirmed)).toEqual([undefined, again, again, ...rest]);
    expect(commits[1]?.confirmed?.[0]?.after).toBe(row);
  });

  it('is not sent for a batch that was undone', () => {
    const { store, commits } = watchedStore();
    expect(() =>
      store.batch(() => {
        store.write(Todo, { id: '1' }, { resultKey: 'k' });
        throw new Error('undo');
      }),
    ).toThrow('undo');
    expect(commits).toEqual([]);
    store.write(Todo, { id: '2' });
    expect(commits[0]?.rows.map(({ pk }) => pk)).toEqual(['2']);
  });

  it('distinguishes confirmed rows from those that readers see', () => {
    const { store, commits } = watchedStore();
    const layer = addGuess(store, () => ({ schema: Todo, response: { id: '1', title: 'guess' } }));
    store.write(Todo, { id: '1', title: 'confirmed' });
    layer.drop();
    const [confirmed, guess] = [{ id: '1', title: 'confirmed' }, { id: '1', title: 'guess' }]; // prettier-ignore
    expect(commits.map(({ rows, shown }) => [rows, shown])).toEqual([
      [[], [one(undefined, guess)]],
      [[one(undefined, confirmed)], []],
      [[], [one(guess, confirmed)]],
    ]);
  });

  it('that confirms a guess changes no shown row', () => {
    const { store, commits } = watchedStore();
    const layer = addGuess(store, () => ({ schema: Todo, response: { id: '1', title: 'a' } }));
    layer.confirm(Todo, { id: '1', title: 'a' });
    expect(commits.map(({ shown }) => shown.length)).toEqual([1, 0]);
  });
});

describe('a listener', () => {
  it('that has unsubscribed is not called any more', () => {
    const { store, commits, stop } = watchedStore();
    stop();
    stop();
    store.write(Todo, { id: '1' }, { resultKey: 'k' });
    expect(commits).toEqual([]);
  });

  it('that is added during a batch gets the rest', () => {
    const store = new Store();
    const commits: Commit[] = [];
    store.batch(() => {
      store.write(Todo, { id: '1' });
      store.onCommit((commit) => commits.push(commit));
      store.write(Todo, { id: '2' });
    });
    expect(commits[0]?.rows.map(({ pk }) => pk)).toEqual(['2']);
  });

  it('may be the same function twice', () => {
    const store = new Store();
    let calls = 0;
    const count = (): void => void calls++;
    const stop = store.onCommit(count);
    store.onCommit(count);
    store.write(Todo, { id: '1' });
    expect(calls).toBe(2);
    stop();
    store.write(Todo, { id: '2' });
    expect(calls).toBe(3);
  });

  it('that throws does not keep the others from being called', () => {
    const late: (() => void)[] = [];
    vi.stubGlobal('queueMicrotask', (task: () => void) => late.push(task));
    const store = new Store();
    let calls = 0;
    store.onCommit(() => {
      throw new RangeError('mine');
    });
    store.onCommit(() => calls++);
    store.write(Todo, { id: '1' });
    expect(calls).toBe(1);
    expect(() => late[0]?.()).toThrow(RangeError);
  });

  it('may write in its call, which is a commit of its own', () => {
    const { store, commits } = watchedStore();
    store.onCommit(({ rows }) => {
      if (rows[0]?.pk === '1') store.write(Todo, { id: '2' });
    });
    store.write(Todo, { id: '1' });
    expect(commits.map(({ rows }) => rows.map(({ pk }) => pk))).toEqual([['1'], ['2']]);
  });
});

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { All, Collection, Controller, Endpoint, Entity } from 'rejoin';
import type { Answer, LiveView } from '../../src/control/view/answer.ts';
import type { Entry } from '../../src/control/screen/commit-entry.ts';
import { Moment } from '../../src/control/screen/moment.ts';
import { queryView } from '../../src/control/view/query-view.ts';
import { ViewReader } from '../../src/control/screen/reader.ts';
import { responseView } from '../../src/control/view/endpoint-view.ts';
import { PagesView, ShownPages } from '../../src/control/view/pages-view.ts';
import { requestView } from '../../src/control/view/request-view.ts';
import type { Commit } from '../../src/state/store/commit.ts';
import { Screen } from '../../src/control/screen/screen.ts';

class Post extends Entity {
  id = '';
  title = '';
  likes = 0;
  static override key = 'Post';
}
const getPost = new Endpoint(async (args: { id: string }) => args, { name: 'getPost', schema: Post });
const getPosts = new Endpoint(async () => [] as unknown[], { name: 'getPosts', schema: [Post] });
const getText = new Endpoint(async () => '', { name: 'getText' });

/** A store, and a log of its commits. */
function noted({ withConfirmed = false } = {}) {
  const controller = new Controller();
  const { store } = controller;
  const log: Entry[] = [];
  store.writer.core.listen(
    (commit) => log.push({ commit, isOnScreen: false }),
    () => withConfirmed,
  );
  const set = (fields: object): void => void controller.set(Post, { id: '1' }, { id: '1', ...fields });
  const without = (...missing: number[]): Moment =>
    new Moment(
      store,
      log,
      missing.map((at) => log[at] as Entry),
    );
  const post = (moment: Moment): unknown => {
    const found = moment.get(Post, [{ id: '1' }]) as Post | undefined;
    return found && [found.title, found.likes];
  };
  return { controller, store, log, set, without, post };
}

describe('a store without some of its commits', () => {
  test('has the rows as they were before these commits', () => {
    const { set, without, post } = noted();
    set({ title: 'a' });
    set({ title: 'b' });
    set({ title: 'c' });
    expect(post(without(1, 2))).toEqual(['a', 0]);
    expect(post(without(2))).toEqual(['b', 0]);
    expect(post(without(0, 1, 2))).toBe(undefined);
    expect(post(without())).toEqual(['c', 0]);
  });

  test('has no answer when later commits only touched the answer that is left out', () => {
    const { controller, store, without } = noted();
    const view = responseView(controller, getPost, [{ id: '1' }]);
    void controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'a' });
    void controller.invalidate(getPost, { id: '1' });
    void controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'a' });
    store.touch(getPost.key({ id: '1' }));
    expect(view.at(without(2)).status).toBe('missing');
  });

  test('has the rows that a later commit repeats, although only a commit that is left out changed them', () => {
    const { controller, set, without, post } = noted({ withConfirmed: true });
    const schema = { items: new Collection([Post]), total: 0 };
    const getPage = new Endpoint(async () => ({ items: [] as unknown[], total: 0 }), { name: 'getPage', schema });
    const view = responseView(controller, getPage, []);
    for (const total of [1, 2]) void controller.setResponse(getPage, { items: [{ id: '1', title: 'a' }], total });
    expect(view.at(without(0))).toMatchObject({ value: { items: [{ title: 'a' }], total: 2 } });
    expect(view.at(without(0, 1)).status).toBe('missing');
    expect(view.at(without(1))).toMatchObject({ value: { items: [{ title: 'a' }], total: 1 } });
    expect(view.at(without())).toMatchObject({ value: { items: [{ title: 'a' }], total: 2 } });
    set({ title: 'a' });
    expect(post(without(0, 1))).toEqual(['a', 0]);
    expect(post(without(0, 1, 2))).toBe(undefined);
  });

  test('has the fields that later commits changed', () => {
    const { set, without, post } = noted();
    set({ title: 'a', likes: 1 });
    set({ title: 'b' });
    set({ likes: 2 });
    expect(post(without(1))).toEqual(['a', 2]);
  });

  test('has the deletions and the new records of later commits', () => {
    const { store, set, without, post } = noted();
    set({ title: 'a' });
    set({ title: 'b' });
    store.invalidate(Post, '1');
    set({ title: 'd' });
    expect(post(without(1))).toEqual(['d', 0]);
    expect(post(without(1, 3))).toBe(undefined);
  });

  test('has an answer whose invalidation is left out, also when a later commit invalidates or expires it again', () => {
    const { controller, log, without } = noted();
    void controller.setResponse(getPosts, [{ id: '1' }]);
    void controller.invalidate(getPosts);
    void controller.invalidateAll({ testKey: () => true });
    void controller.expireAll({ testKey: () => true });
    const key = getPosts.key();
    const there = (...missing: number[]): boolean => Array.isArray(without(...missing).request({ key }).value);
    expect([there(1), there(1, 2), there(2), there()]).toEqual([true, true, false, false]);
    const moment = without(1);
    expect(Array.isArray(moment.request({ key }).value)).toBe(true);
    void controller.expireAll({ testKey: () => true });
    moment.apply(log.at(-1)?.commit as Commit);
    expect(Array.isArray(moment.request({ key }).value)).toBe(true);
    void controller.setResponse(getPosts, [{ id: '1' }, { id: '2' }]);
    moment.apply(log.at(-1)?.commit as Commit);
    expect(moment.request({ key }).value).toHaveLength(2);
  });

  test('has no answer when its invalidation is not left out', () => {
    const { controller, without } = noted();
    void controller.setResponse(getPosts, [{ id: '1' }]);
    void controller.invalidate(getPosts);
    void controller.setResponse(getPosts, [{ id: '1' }]);
    void controller.invalidate(getPosts);
    void controller.expireAll({ testKey: () => true });
    expect(Array.isArray(without(2).request({ key: getPosts.key() }).value)).toBe(false);
  });

  test('has the lists and answers as they were before these commits', () => {
    const { controller, log, store, without } = noted();
    void controller.setResponse(getPosts, [{ id: '1' }, { id: '2' }]);
    void controller.setResponse(getPosts, [{ id: '2' }]);
    void controller.setResponse(getPosts, [{ id: '3' }, { id: '2' }]);
    const key = getPosts.key();
    const ids = (moment: Moment): unknown => (moment.request({ key }).value as Post[] | undefined)?.map(({ id }) => id);
    expect(ids(without(1, 2))).toEqual(['1', '2']);
    expect(ids(without(1))).toEqual(['3', '2']);
    expect(ids(without(0, 1, 2))).toBe(undefined);
    expect(ids(new Moment(store, log, []))).toEqual(['3', '2']);
  });

  test('does not change with later commits', () => {
    const { set, without, post } = noted();
    set({ title: 'a' });
    set({ title: 'b' });
    const moment = without(1);
    set({ title: 'c' });
    expect(post(moment)).toEqual(['a', 0]);
  });
});

describe('a store without the answer of a create', () => {
  /** A list with a post that a create shows, whose answer is commit 1, and later commits. */
  async function created() {
    const { log, store, controller, ...noted1 } = noted();
    let answer = (): void => {};
    const list = new Collection([Post]);
    const getList = getPosts.extend({ schema: list });
    const create = new Endpoint(
      (post: object) => new Promise<object>((resolve) => void (answer = () => resolve({ ...post, id: '1' }))),
      {
        name: 'create',
        schema: list.push,
        sideEffect: true,
        getOptimisticResponse: (_: unknown, post: object) => post,
      },
    );
    void controller.setResponse(getList, []);
    const done = controller.fetch(create, { title: 'a' });
    await Promise.resolve();
    const at = log.length;
    answer();
    await done;
    expect(log.length).toBe(at + 1);
    const all = (moment: Moment): unknown =>
      (moment.get(new All(Post), []) as Post[]).map(({ id, title, likes }) => [id.startsWith('temp:'), title, likes]);
    const listed = (moment: Moment): unknown =>
      (moment.request({ key: getList.key() }).value as Post[]).map(({ id, title, likes }) => [
        id.startsWith('temp:'),
        title,
        likes,
      ]);
    return { ...noted1, all, at, controller, getList, listed, log, store };
  }

  test('has later changes of the record under its temporary pk', async () => {
    const { all, at, listed, log, set, store, without } = await created();
    const moment = without(at);
    expect(all(moment)).toEqual([[true, 'a', 0]]);
    set({ likes: 2 });
    moment.apply(log.at(-1)?.commit as Commit);
    for (const state of [moment, without(at)]) {
      expect(all(state)).toEqual([[true, 'a', 2]]);
      expect(listed(state)).toEqual([[true, 'a', 2]]);
    }
    store.invalidate(Post, '1');
    moment.apply(log.at(-1)?.commit as Commit);
    for (const state of [moment, without(at)]) expect([all(state), listed(state)]).toEqual([[], []]);
  });

  test('has the record once, in a list that a later answer contains', async () => {
    const { all, at, controller, getList, listed, log, without } = await created();
    const moment = without(at);
    expect(listed(moment)).toEqual([[true, 'a', 0]]);
    void controller.setResponse(getList, [{ id: '1', title: 'b' }]);
    moment.apply(log.at(-1)?.commit as Commit);
    for (const state of [moment, without(at)]) {
      expect(all(state)).toEqual([[true, 'b', 0]]);
      expect(listed(state)).toEqual([[true, 'b', 0]]);
    }
  });
});

describe('the view of a request at another moment', () => {
  test('returns the value of the rows, or the stored answer', () => {
    const { controller, set, without } = noted();
    set({ title: 'a' });
    const view = responseView(controller, getPost, [{ id: '1' }]);
    set({ title: 'b' });
    expect(view.at(without(1))).toMatchObject({ status: 'fresh', value: { title: 'a' } });
    expect(view.at(without(0, 1))).toEqual({ status: 'missing' });
    const text = responseView(controller, getText, []);
    void controller.setResponse(getText, 'x');
    expect(text.at(without())).toEqual({ status: 'fresh', value: 'x' });
    expect(text.at(without(2))).toEqual({ status: 'missing' });
  });

  test('is missing where the present view is: a row that lacks a needed field, and an object of which no member is known, are no answer', () => {
    const { controller, set, without } = noted();
    const detail = responseView(controller, getPost.extend({ needs: ['likes'] }), [{ id: '1' }]);
    set({ title: 'a' });
    expect(detail.current()).toEqual({ status: 'missing' });
    expect(detail.at(without())).toEqual({ status: 'missing' });
    const getPage = new Endpoint(async () => ({}), { name: 'getPage', schema: { items: [Post], next: '' } });
    const page = responseView(controller, getPage, []);
    void controller.setResponse(getPage, { items: [{ id: '1' }], next: 'x' });
    expect(page.at(without())).toMatchObject({ status: 'fresh', value: { next: 'x' } });
    expect(page.at(without(1))).toEqual({ status: 'missing' });
  });
});

describe('a reader', () => {
  function reading() {
    const { controller, store, set } = noted();
    set({ title: 'a' });
    const screen = new Screen(store, { later: (run) => run(), isKept: false, rendering: undefined });
    const entries: Entry[] = [];
    screen.start((entry) => entries.push(entry));
    const rerenders: (Entry | undefined)[] = [];
    const view = queryView<Post>(store, Post, [{ id: '1' }]);
    const made = (of: LiveView<Post> = view): ViewReader<Post> => new ViewReader(screen, of);
    const rerender = (entry: Entry | undefined): void => void rerenders.push(entry);
    const listen = (reader: ViewReader<Post>): (() => void) => {
      reader.settle(reader.read([]), [], rerender);
      return reader.listen();
    };
    const title = (answer: Answer<Post>): unknown => ('value' in answer ? answer.value.title : answer.status);
    /** The title in a render with the commits `rendered`. The reader itself was rendered with the commits `included`. */
    const readIn = (rendered: readonly Entry[], reader: ViewReader<Post>, included = rendered): unknown => {
      screen.rendered = rendered;
      const shown = title(reader.read(included));
      screen.rendered = [];
      return shown;
    };
    return { readIn, controller, store, set, screen, entries, rerenders, view, made, title, rerender, listen };
  }

  test('that listens is notified of each commit that changes its value, and of no other', () => {
    const { controller, set, entries, rerenders, made, listen } = reading();
    const reader = made();
    const stop = listen(reader);
    void controller.set(Post, { id: '2' }, { id: '2', title: 'other' });
    set({ title: 'b' });
    expect(entries).toHaveLength(1);
    expect(rerenders).toEqual(entries);
    stop();
    set({ title: 'c' });
    expect(entries).toHaveLength(1);
  });

  test('shows the commits that are rendered or on the screen, and no others', () => {
    const { set, entries, screen, made, title, listen, readIn } = reading();
    const reader = made();
    listen(reader);
    set({ title: 'b' });
    expect(title(reader.read([]))).toBe('a');
    expect(reader.read([])).toBe(reader.read([]));
    expect(readIn(entries, reader)).toBe('b');
    screen.show(entries);
    expect(title(reader.read([]))).toBe('b');
  });

  test('that is mounted late shows the version on the screen, and is notified when the screen changes', () => {
    const { set, entries, rerenders, screen, made, title, listen, rerender } = reading();
    const early = made();
    listen(early);
    set({ title: 'b' });
    rerenders.length = 0;
    const late = made();
    const first = late.read([]);
    expect(title(first)).toBe('b');
    late.settle(first, [], rerender);
    expect(rerenders).toEqual([undefined]);
    expect(title(late.read([]))).toBe('a');
    late.settle(late.read([]), [], rerender);
    screen.show(entries);
    expect(rerenders).toEqual([undefined, undefined]);
    expect(title(late.read([]))).toBe('b');
  });

  test('that was notified of a commit, and is left out of the frame that shows it, shows it after the frame', async () => {
    const { set, entries, rerenders, screen, made, listen, rerender } = reading();
    const [leftOut, rendered] = [made(), made()];
    listen(leftOut);
    listen(rendered);
    set({ title: 'b' });
    rerenders.length = 0;
    screen.rendered = entries;
    const shown = rendered.read(entries);
    screen.show(entries);
    rendered.settle(shown, entries, () => expect.fail('It shows the commit already.'));
    expect(rerenders).toEqual([]);
    await Promise.resolve();
    expect(rerenders).toEqual([undefined]);
    leftOut.settle(leftOut.read([]), [], rerender);
    await Promise.resolve();
    expect(rerenders).toEqual([undefined]);
  });

  test('that waits does not show a commit before the commit is rendered', () => {
    const { set, entries, screen, store, made, view, title, listen, rerender } = reading();
    store.invalidate(Post, '1');
    listen(made());
    const late = new ViewReader<Post>(screen, view, true);
    set({ title: 'b' });
    expect(title(late.read([]))).toBe('missing');
    screen.rendered = entries;
    expect(title(late.read([]))).toBe('b');
    screen.show(entries);
    screen.rendered = [];
    expect(title(late.read([]))).toBe('b');
    late.settle(late.read([]), [], rerender);
  });

  describe('that waits for a commit which is not rendered', () => {
    function waiting() {
      const here = reading();
      const { set, screen, store, made, view, title, listen } = here;
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      store.invalidate(Post, '1');
      const early = made();
      listen(early);
      const late = new ViewReader<Post>(screen, view, true);
      set({ title: 'b' });
      expect([early, late].map((reader) => title(reader.read([])))).toEqual(['missing', 'missing']);
      return { ...here, early, late };
    }

    test('shows the commit after 100 ms, in the same frame as all other readers', async () => {
      const { early, entries, rerenders, late, screen, title } = waiting();
      const isThere = late.wait();
      entries.length = 0;
      rerenders.length = 0;
      vi.advanceTimersByTime(100);
      expect(entries).toEqual(screen.log.pending);
      screen.show(entries);
      await isThere;
      expect(rerenders).toEqual([undefined]);
      expect([early, late].map((reader) => title(reader.read([])))).toEqual(['b', 'b']);
    });

    test('waits another 100 ms for a later commit', async () => {
      const { entries, late, screen, set } = waiting();
      const isFirst = late.wait();
      screen.show(entries);
      await isFirst;
      set({ title: 'c' });
      const isSecond = late.wait();
      entries.length = 0;
      vi.advanceTimersByTime(100);
      await isSecond;
      expect(entries).toEqual([]);
      void late.wait();
      vi.advanceTimersByTime(100);
      expect(entries).toEqual(screen.log.pending);
      void late.wait();
      vi.advanceTimersByTime(100);
      expect(entries).toHaveLength(1);
    });
  });

  test('shows all commits of a render, also when it was notified of only some of them', () => {
    const { controller, entries, rerenders, screen, made, title, listen, set, readIn } = reading();
    void controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'a' });
    const reader = made(responseView(controller, getPost, [{ id: '1' }]));
    listen(reader);
    const stop = listen(made());
    void controller.invalidate(getPost, { id: '1' });
    const received = entries.slice();
    rerenders.length = 0;
    // The answer is invalid before and after this.
    set({ title: 'b' });
    expect(rerenders).toHaveLength(1);
    stop();
    const rendered = entries.slice();
    void controller.setResponse(getPost, { id: '1' }, { id: '1', likes: 1 });
    screen.show(entries.filter((entry) => !rendered.includes(entry)));
    reader.settle(reader.read([]), [], () => {});
    expect(title(reader.read([]))).toBe('a');
    expect(readIn(received, reader)).toBe('a');
    expect(readIn(rendered, reader, received)).toBe('b');
  });

  test('does not show a commit that React renders in this reader and not in the rest of the page', () => {
    const { set, entries, screen, made, title, listen, readIn } = reading();
    const reader = made();
    listen(reader);
    set({ title: 'b' });
    expect(readIn([], reader, entries)).toBe('a');
    const rerenders: unknown[] = [];
    reader.settle(reader.read(entries), entries, (entry) => rerenders.push(entry));
    expect(title(reader.read(entries))).toBe('a');
    screen.show(entries);
    expect(rerenders).toEqual([undefined]);
    expect(title(reader.read(entries))).toBe('b');
  });

  test('keeps its content when several commits on the screen each remove a part of it', () => {
    const { controller, entries, screen, listen } = reading();
    const args = [{ id: '1' }, { id: '2' }];
    for (const one of args) void controller.setResponse(getPost, one, { ...one, title: 'a' });
    const pages = args.map((one) => requestView(controller, getPost, [one]));
    const reader = new ViewReader<readonly unknown[]>(screen, new PagesView(pages, new ShownPages()), true);
    reader.settle(reader.read([]), [], () => {});
    reader.listen();
    listen(new ViewReader<Post>(screen, responseView(controller, getPost, [{ id: '2' }])));
    for (const one of args) void controller.invalidate(getPost, one);
    expect(reader.read([])).toMatchObject({ value: [{ id: '1' }, { id: '2' }] });
    expect(entries).toHaveLength(2);
    for (const entry of entries) entry.isUrgent = true;
    screen.show(entries);
    expect(reader.read([])).toMatchObject({ value: [{ id: '1' }, { id: '2' }] });
  });

  test('that is mounted is not notified when nothing has changed', () => {
    const { rerenders, made, rerender } = reading();
    const reader = made();
    const shown = reader.read([]);
    reader.settle(shown, [], rerender);
    reader.listen();
    reader.settle(shown, [], rerender);
    expect(rerenders).toEqual([]);
  });

  test('does not show a commit before it is rendered, and waits until it is on the screen', async () => {
    const { set, entries, screen, made, store, title, listen, readIn } = reading();
    store.invalidate(Post, '1');
    const reader = made();
    listen(reader);
    set({ title: 'b' });
    expect(title(reader.read([]))).toBe('missing');
    expect(readIn(entries, reader)).toBe('b');
    const isThere = reader.wait();
    screen.show(entries);
    await isThere;
    expect(title(reader.read([]))).toBe('b');
  });

  test('returns the error of its view', () => {
    const { made, view } = reading();
    const failing = made({
      current: () => ({ status: 'failed', error: 'no' }),
      subscribe: () => () => {},
      at: (moment) => view.at(moment),
    });
    expect(failing.read([]).status).toBe('failed');
  });

  test('whose value does not change returns the same object while commits of other readers are pending', () => {
    const { controller, entries, screen, made, listen } = reading();
    const value = (answer: Answer<Post>): unknown => ('value' in answer ? answer.value : undefined);
    void controller.set(Post, { id: '2' }, { id: '2', title: 'other' });
    const other = made(queryView<Post>(controller.store, Post, [{ id: '2' }]));
    const reader = made();
    listen(other);
    listen(reader);
    void controller.set(Post, { id: '2' }, { id: '2', title: 'changed' });
    const moment = screen.without(entries);
    expect(moment.read(() => reader.view.at(moment)).isPresent).toBe(true);
    expect(moment.read(() => other.view.at(moment)).isPresent).toBe(false);
    expect(value(reader.read([]))).toBe(controller.get(Post, { id: '1' }));
  });

  test('that has a pending commit shows an urgent change of which it was not notified', () => {
    const { controller, set, entries, rerenders, screen, made, title, rerender, readIn } = reading();
    void controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'a' });
    const reader = made(responseView(controller, getPost, [{ id: '1' }]));
    const show = (): void => reader.settle(reader.read([]), [], rerender);
    show();
    reader.listen();
    void controller.invalidate(getPost, { id: '1' });
    const behind = entries.slice();
    expect(readIn(entries, reader)).toBe('missing');
    expect(title(reader.read([]))).toBe('a');
    show();
    rerenders.length = 0;
    set({ title: 'b' });
    screen.show(entries.filter((entry) => !behind.includes(entry)));
    expect(rerenders).toEqual([undefined]);
    expect(title(reader.read([]))).toBe('b');
  });

  test('shows later commits of other records while an earlier commit is pending', () => {
    const { controller, set, entries, screen, made, title, listen } = reading();
    const reader = made();
    listen(reader);
    const other = made(queryView<Post>(controller.store, Post, [{ id: '2' }]));
    listen(other);
    set({ title: 'b' });
    for (let at = 0; at < 3; at++) void controller.set(Post, { id: '2' }, { id: '2', title: `${at}` });
    set({ likes: 2 });
    const [first, ...rest] = entries;
    expect(rest).toHaveLength(4);
    screen.show(rest);
    expect(screen.log.pending).toEqual([first]);
    expect(title(reader.read([]))).toBe('a');
    expect(title(other.read([]))).toBe('2');
    screen.show(entries);
    expect(screen.log.pending).toEqual([]);
  });
  test('shows what an urgent commit repeats, although only a pending commit changed it', () => {
    const { controller, entries, screen, made } = reading();
    const getTitles = new Endpoint(async () => ({}), { name: 'getTitles', schema: { items: [Post], total: 0 } });
    const answer = (total: number): void =>
      void controller.setResponse(getTitles, { items: [{ id: '2', title: 'c' }], total });
    const view = responseView(controller, getTitles, []);
    const reader = made(view as LiveView<Post>);
    reader.settle(reader.read([]), [], () => {});
    reader.listen();
    answer(1);
    answer(2);
    const [pending, ...urgent] = entries;
    screen.show(urgent);
    expect(screen.log.pending).toEqual([pending]);
    expect(reader.read([])).toMatchObject({ value: { items: [{ title: 'c' }], total: 2 } });
    const known = made(queryView<Post>(controller.store, Post, [{ id: '2' }]));
    expect(known.read([])).toMatchObject({ value: { title: 'c' } });
  });
});

import { describe, expect, it } from 'vitest';
import { Store } from '../../state/store/store.ts';
import type { Ticket } from '../../state/store/tickets.ts';
import { Collection } from './collection.ts';
import { Entity } from './entity.ts';
import { Union } from './union.ts';
import { Values } from './values.ts';

class Post extends Entity {
  id = '';
  type = 'post';
  static override key = 'Post';
}
const withoutCursor = (params: Record<string, unknown>): [Record<string, unknown>] => [
  { ...params, cursor: undefined },
];

it('a page joins the list of the same arguments without the cursor', () => {
  const store = new Store();
  const posts = new Collection([Post]);
  const pages = posts.pagesWith(withoutCursor);
  store.write(posts, [{ id: '1' }, { id: '2' }], { args: [{ userId: 1 }] });
  const stored = store.write(pages, [{ id: '2' }, { id: '3' }], { args: [{ userId: 1, cursor: 'x' }] });
  expect(stored).toBe('{"userId":"1"}');
  expect(store.row('[Post]', '{"userId":"1"}')).toEqual(['1', '2', '3']);
  expect(store.read(pages, stored)).toBe(store.get(posts, { userId: 1 }));
});

it('a page that arrives first is the list', () => {
  const store = new Store();
  const posts = new Collection([Post]);
  store.write(posts.pagesWith(withoutCursor), [{ id: '3' }], { args: [{ cursor: 'x' }] });
  expect(store.get(posts, {})).toEqual([store.get(Post, '3')]);
});

it('a page that was requested before the list is added to it all the same', () => {
  const store = new Store();
  const posts = new Collection([Post]);
  const request = store.begin();
  store.write(posts, [{ id: '1' }], { args: [{}] });
  store.write(posts.pagesWith(withoutCursor), [{ id: '2' }], { args: [{ cursor: 'x' }], request });
  expect(store.row('[Post]', '{}')).toEqual(['1', '2']);
});

it('pages that are answered in another order are in the order of their requests, also after the list has changed', () => {
  const store = new Store();
  const posts = new Collection([Post]);
  const pages = posts.pagesWith(withoutCursor);
  const answer = (request: Ticket, ...ids: readonly string[]): unknown =>
    store.write(
      pages,
      ids.map((id) => ({ id })),
      { args: [{ cursor: ids[0] }], request },
    );
  store.write(posts, [{ id: '1' }], { args: [{}] });
  const [second, third, fourth, fifth] = [store.begin(), store.begin(), store.begin(), store.begin()];
  answer(fifth, '9');
  answer(third, '4', '5');
  store.write(posts.push, { id: 'new' }, { args: [{}] });
  answer(fourth, '4', '6', '7');
  answer(second, '2', '3');
  const ids = (): unknown => store.get(posts, {})?.map(({ id }) => id);
  expect(ids()).toEqual(['1', '2', '3', '4', '5', '6', '7', '9', 'new']);

  const [before, after] = [store.begin(), store.begin()];
  answer(after, '11');
  store.invalidate(Post, '11');
  answer(before, '10');
  expect(ids()).toEqual(['1', '2', '3', '4', '5', '6', '7', '9', 'new', '10']);
  answer(store.begin(), '1', '10');
  expect(ids()).toHaveLength(10);
});

it('a page comes before one that was requested later, also if the first record of that one was deleted', () => {
  const store = new Store();
  const posts = new Collection([Post]);
  const write = (ids: readonly string[], request: Ticket): unknown =>
    store.write(
      posts.pagesWith(withoutCursor),
      ids.map((id) => ({ id })),
      { args: [{ cursor: ids[0] }], request },
    );
  store.write(posts, [{ id: '1' }], { args: [{}] });
  const [earlier, later] = [store.begin(), store.begin()];
  write(['4', '5'], later);
  store.invalidate(Post, '4');
  write(['2', '3'], earlier);
  expect(store.get(posts, {})?.map(({ id }) => id)).toEqual(['1', '2', '3', '5']);
});

it('a page comes before one that was requested later, also if the list is otherwise empty', () => {
  const store = new Store();
  const posts = new Collection([Post]);
  const write = (id: string, request: Ticket): unknown =>
    store.write(posts.pagesWith(withoutCursor), [{ id }], { args: [{ cursor: id }], request });
  store.write(posts, [], { args: [{}] });
  const [earlier, later] = [store.begin(), store.begin()];
  write('2', later);
  write('1', earlier);
  expect(store.get(posts, {})).toMatchObject([{ id: '1' }, { id: '2' }]);
});

describe('a list that was requested before one of its pages, and is answered after it', () => {
  const begin = () => {
    const store = new Store();
    const posts = new Collection([Post]);
    const write = (ids: string, request: Ticket, cursor?: string): unknown =>
      store.write(
        cursor === undefined ? posts : posts.pagesWith(withoutCursor),
        ids.split(' ').map((id) => ({ id })),
        { args: [{ cursor }], request },
      );
    const shown = (): unknown =>
      store
        .get(posts, {})
        ?.map(({ id }) => id)
        .join(' ');
    return { store, posts, write, shown, requests: Array.from({ length: 5 }, () => store.begin()) as Tickets };
  };
  type Tickets = [Ticket, Ticket, Ticket, Ticket, Ticket];

  it('replaces the former list, and keeps the members of the page after its own', () => {
    const { store, write, shown, requests } = begin();
    const [former, early, list, page, next] = requests;
    write('1 2', former);
    write('4 5 6', page, 'x');
    write('3', early, 'w');
    write('7', next, 'y');
    store.invalidate(Post, '5');
    write('0 1 6', list);
    expect(shown()).toBe('0 1 6 4 7');
    write('8', store.begin(), 'z');
    expect(shown()).toBe('0 1 6 4 7 8');
    write('9', store.begin());
    expect(shown()).toBe('9');
  });

  it('is shown also if there was no list before', () => {
    const { write, shown, requests } = begin();
    const [list, page, , late] = requests;
    write('2 3', page, 'x');
    write('1', list);
    expect(shown()).toBe('1 2 3');
    write('4', late);
    expect(shown()).toBe('4');
  });

  it('does not undo a change of the list that was requested after it', () => {
    for (const isLate of [false, true]) {
      const { posts, store, write, shown, requests } = begin();
      const [former, list, push, page] = requests;
      write('1', former);
      if (isLate) write('2', page, 'x');
      store.write(posts.push, { id: '3' }, { args: [{}], request: push });
      if (!isLate) write('2', page, 'x');
      write('0', list);
      expect(shown()).toBe(isLate ? '1 2 3' : '1 3 2');
    }
  });
});

describe('a list that is fetched again after pages were added to it', () => {
  const begin = (first: string, ...others: readonly string[]) => {
    const store = new Store();
    const posts = new Collection([Post]);
    const write = (ids: string, cursor?: string): void => {
      const schema = cursor === undefined ? posts : posts.pagesWith(withoutCursor);
      const answer = ids.split(' ').flatMap((id) => (id === '' ? [] : { id }));
      store.write(schema, answer, { args: [{ cursor }] });
    };
    write(first);
    for (const page of others) write(page, 'x');
    const shown = (): unknown => (store.get(posts, {}) ?? []).map(({ id }) => id).join(' ');
    return { store, posts, write, shown };
  };

  it('keeps the members behind its last one, if it has all former members before that one', () => {
    const { store, posts, write, shown } = begin('8 7', '6 5', '4');
    write('9 8');
    expect(shown()).toBe('9 8 7 6 5 4');
    write('3', 'x');
    store.write(posts.unshift, { id: '10' }, { args: [{}] });
    write('10 9');
    expect(shown()).toBe('10 9 8 7 6 5 4 3');
  });

  it('replaces the former list, if a former member is missing before its last one', () => {
    const { write, shown } = begin('8 7', '6 5');
    write('8 6');
    expect(shown()).toBe('8 6');
  });

  it('replaces the former list, if it has none of its members', () => {
    const { write, shown } = begin('8 7', '6 5');
    write('10 9');
    expect(shown()).toBe('10 9');
    write('11 10');
    expect(shown()).toBe('11 10');
  });

  it('replaces the former list, if its pages added nothing', () => {
    const { write, shown } = begin('8 7', '8');
    write('8');
    expect(shown()).toBe('8');
  });

  it('replaces the former list, if it is shorter than a page', () => {
    const { write, shown } = begin('8 7', '6 5');
    write('8');
    expect(shown()).toBe('8');
    write('7', 'x');
    write('');
    expect(shown()).toBe('');
  });
});

describe('a page that is in flight while its list is replaced', () => {
  const begin = (isAfterCursor: boolean) => {
    const store = new Store();
    const posts = new Collection([Post]);
    const pages = posts.pagesWith(withoutCursor, isAfterCursor);
    const write = (ids: string, request: Ticket, cursor?: string): unknown =>
      store.write(
        { items: cursor === undefined ? posts : pages, next: '' },
        { items: ids.split(' ').map((id) => ({ id })), next: `after ${ids.at(-1)}` },
        { args: [{ cursor }], request, resultKey: 'posts' },
      );
    const list = (ids: string): unknown => write(ids, store.begin());
    const shown = (): string => {
      const { items, next } = store.resultView('posts').current() as { items: readonly Post[]; next: string };
      return `${items.map(({ id }) => id).join(' ')}, ${next}`;
    };
    return { store, posts, list, write, shown };
  };

  it.each([false, true])(
    'is not added, and its cursor is not shown, if it was requested before the list, by a cursor: %s',
    (isAfterCursor) => {
      const { list, posts, shown, store, write } = begin(isAfterCursor);
      list('9 8 7');
      const [page, late, later] = [store.begin(), store.begin(), store.begin()];
      list('12 11 10');
      expect(write('6 5', page, '7')).toEqual({ items: '{}', next: 'after 0' });
      expect(shown()).toBe('12 11 10, after 0');
      expect(store.get(Post, '6')).toBeDefined();
      // Also after the list has changed.
      store.write(posts.unshift, { id: '13' }, { args: [{}] });
      list('13 12 11 10');
      write('6 5', late, '7');
      expect(shown()).toBe('13 12 11 10, after 0');
      write('3 2', store.begin(), '10');
      write('6 5', later, '7');
      expect(shown()).toBe('13 12 11 10 3 2, after 2');
    },
  );

  it.each([
    [false, '12 11 10 6 5, after 5'],
    [true, '12 11 10, after 0'],
  ])(
    'is added if it was requested after the list and before its answer, unless by a cursor: %s',
    (isAfterCursor, expected) => {
      const { list, shown, store, write } = begin(isAfterCursor);
      list('9 8 7');
      const [again, page] = [store.begin(), store.begin()];
      write('12 11 10', again);
      write('6 5', page, '7');
      expect(shown()).toBe(expected);
    },
  );

  it.each([
    [false, '12 11 10 6 5, after 5'],
    [true, '12 11 10, after 0'],
  ])('stays if it was answered before the list, unless it was requested by a cursor: %s', (isAfterCursor, expected) => {
    const { list, shown, store, write } = begin(isAfterCursor);
    list('9 8 7');
    const [again, page] = [store.begin(), store.begin()];
    write('6 5', page, '7');
    expect(shown()).toBe('9 8 7 6 5, after 5');
    write('12 11 10', again);
    expect(shown()).toBe(expected);
  });

  it.each([false, true])('is added if no list was there before, by a cursor: %s', (isAfterCursor) => {
    const { shown, store, write } = begin(isAfterCursor);
    const [first, page, other] = [store.begin(), store.begin(), store.begin()];
    write('6 5', page, '7');
    write('9 8 7', first);
    write('4 3', other, '5');
    expect(shown()).toBe('9 8 7 6 5 4 3, after 3');
  });

  it.each([false, true])('is added if the list ends as before, by a cursor: %s', (isAfterCursor) => {
    const { list, shown, store, write } = begin(isAfterCursor);
    list('9 8 7');
    const page = store.begin();
    list('8 7');
    write('6 5', page, '7');
    expect(shown()).toBe('8 7 6 5, after 7');
  });

  it('is not added, and what came with it is shown, if its request has no result any more', () => {
    const { list, store, write } = begin(true);
    list('9 8 7');
    const page = store.begin();
    list('12 11 10');
    store.dropResult('posts');
    expect(write('6 5', page, '7')).toEqual({ items: '{}', next: 'after 5' });
    expect(store.row('[Post]', '{}')).toEqual(['12', '11', '10']);
  });
});

it('records of several classes are not repeated', () => {
  const store = new Store();
  const feed = new Collection([new Union({ post: Post }, 'type')]);
  store.write(feed, [{ id: '1', type: 'post' }], { args: [{}] });
  const page = [
    { id: '1', type: 'post' },
    { id: '2', type: 'post' },
  ];
  store.write(feed.pagesWith(withoutCursor), page, { args: [{ cursor: 'x' }] });
  expect(store.get(feed, {})).toHaveLength(2);
});

it('a page of a map sets its entries', () => {
  const store = new Store();
  const byName = new Collection(new Values(Post));
  store.write(byName.pagesWith(withoutCursor), { c: { id: '3' } }, { args: [{ user: 1, cursor: 'x' }] });
  expect(Object.keys(store.get(byName, { user: 1 }) as object)).toEqual(['c']);
  store.write(byName, { a: { id: '1' } }, { args: [{}] });
  store.write(byName.pagesWith(withoutCursor), { b: { id: '2' } }, { args: [{ cursor: 'x' }] });
  expect(Object.keys(store.get(byName, {}) as object)).toEqual(['a', 'b']);
});

it('the list of a record takes pages as well', () => {
  class User extends Entity {
    id = '';
    static override key = 'User';
    static override schema: Record<string, unknown> = {};
  }
  const posts = new Collection([Post], { nestKey: (parent: User) => ({ userId: parent.id }) });
  User.schema = { posts: posts.pagesWith(withoutCursor) };
  const store = new Store();
  store.write(User, { id: '1', posts: [{ id: '1' }] }, { args: [{}] });
  store.write(User, { id: '1', posts: [{ id: '2' }] }, { args: [{ cursor: 'x' }] });
  expect(store.row('[Post]', '{"userId":"1"}')).toEqual(['1', '2']);
});

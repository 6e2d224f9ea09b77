import { afterEach, describe, expect, test, vi } from 'vitest';
import { All, Collection, Entity, Invalidate, resource, Store } from '../../src/index.ts';
import type { Related } from '../../src/define/schema/list-related.ts';
import { Screen } from './screen.ts';
import { addGuess } from '../../src/state/store/layer.ts';

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => void log.mockClear());

class Team extends Entity {
  id = 0;
  city = '';
  static override key = 'Team';
}

class Author extends Entity {
  id = 0;
  name = '';
  seen = 0;
  team: Team | null = null;
  static override key = 'Author';
  static override schema = { team: Team };
}

class Post extends Entity {
  id = 0;
  title = '';
  author: Author | null = null;
  static override key = 'Post';
  static override schema = { author: Author };
}

const ids = (list: unknown): unknown[] => (list as readonly { readonly id: unknown }[]).map(({ id }) => id);
const rome = { id: 1, city: 'rome' };
const ann = { id: 1, name: 'ann', team: rome };
const bob = { id: 2, name: 'bob', team: { id: 2, city: 'oslo' } };
const post = (id: number, author: object | null): object => ({ id, title: `post ${id}`, author });
const search: Record<string, unknown> | undefined = {};

const where = { author: (one: Post) => one.author?.name, city: (one: Post) => one.author?.team?.city };

/** A store with lists by their keys. */
function filled(list: Collection, lists: readonly (readonly [key: object, posts: readonly object[]])[]): Store {
  const store = new Store();
  for (const [key, posts] of lists) store.write(list, posts, { args: [key] });
  return store;
}

describe('when a record changes that others refer to', () => {
  test('they leave and join the lists whose rules read it', () => {
    const list = new Collection([Post], { where });
    const store = filled(list, [
      [{}, [post(1, ann), post(2, bob), post(3, null)]],
      [{ author: 'ann' }, [post(1, ann)]],
      [{ author: 'zoe' }, []],
    ]);
    store.write(Author, { id: 1, name: 'zoe' });
    expect(ids(store.get(list, { author: 'ann' }))).toEqual([]);
    expect(ids(store.get(list, { author: 'zoe' }))).toEqual([1]);
    expect(ids(store.get(list, {}))).toEqual([1, 2, 3]);
    store.write(Author, { id: 2, name: 'zoe' });
    expect(ids(store.get(list, { author: 'zoe' }))).toEqual([1, 2]);
  });

  test('they leave and join lists for each of several records that change at once', () => {
    const list = new Collection([Post], { where });
    const store = filled(list, [
      [{ author: 'ann' }, [post(1, ann)]],
      [{ author: 'bob' }, [post(2, bob)]],
      [{ author: 'zoe' }, []],
    ]);
    store.write(
      [Author],
      [
        { id: 1, name: 'zoe' },
        { id: 2, name: 'zoe' },
      ],
    );
    expect(['ann', 'bob', 'zoe'].map((author) => ids(store.get(list, { author })))).toEqual([[], [], [1, 2]]);
  });

  test('only members are looked at that have changed since the last time', () => {
    const list = new Collection([Post], { where });
    const store = filled(list, [
      [{}, Array.from({ length: 500 }, (_, at) => post(at + 10, ann))],
      [{ author: 'zoe' }, [post(1, { id: 2, name: 'zoe' })]],
    ]);
    for (const name of ['a', 'b']) store.write(Author, { id: 2, name });
    const has = vi.spyOn(WeakSet.prototype, 'has');
    store.write(Post, { id: 10, author: 2 });
    store.write(Post, { id: 11, author: { id: 2, name: 'zoe' } });
    const looks = has.mock.calls.length;
    has.mockRestore();
    expect(looks).toBeLessThan(50);
    expect(new Set(ids(store.get(list, { author: 'zoe' })))).toEqual(new Set([1, 10, 11]));
  });

  test('members join lists if a guess has shown their change before, or if an undone write has changed them', () => {
    const list = new Collection([Post], { where });
    const store = filled(list, [
      [{ author: 'ann' }, [post(1, ann), post(2, ann)]],
      [{ author: 'zoe' }, []],
    ]);
    const renamed = (id: number, name: string): unknown => store.write(Author, { id, name });
    for (const name of ['x', 'bob', 'y']) renamed(2, name);
    addGuess(store, () => ({ schema: list.push, response: { title: 'new' }, args: [{ author: 'ann' }] }));
    const layer = addGuess(store, () => ({ schema: Post, response: { id: 1, author: 2 } }));
    renamed(3, 'x');
    layer.confirm(Post, { id: 1, author: 2 });
    const failing = (): void =>
      store.batch(() => {
        store.write(Post, { id: 2, author: 3 });
        renamed(3, 'y');
        throw new Error('refused');
      });
    expect(failing).toThrow('refused');
    store.write(Post, { id: 2, author: 3 });
    for (const id of [2, 3]) renamed(id, 'zoe');
    expect(ids(store.get(list, { author: 'zoe' }))).toEqual([1, 2]);
  });

  test('they leave and join lists whose rules read it through further records', () => {
    const list = new Collection([Post], { where });
    const store = filled(list, [
      [{ city: 'rome' }, [post(1, ann)]],
      [{ city: 'bonn' }, []],
      [{ city: 'oslo' }, [post(2, bob)]],
    ]);
    store.write(Team, { id: 1, city: 'bonn' });
    expect(ids(store.get(list, { city: 'bonn' }))).toEqual([1]);
    store.write(Author, { id: 1, team: 2 });
    expect(['rome', 'bonn', 'oslo'].map((city) => ids(store.get(list, { city })))).toEqual([[], [], [2, 1]]);
    store.write(Team, { id: 2, city: 'rome' });
    expect(['rome', 'bonn', 'oslo'].map((city) => ids(store.get(list, { city })))).toEqual([[2, 1], [], []]);
  });

  test('they move to their places in lists that are ordered by it', () => {
    const list = new Collection([Post], {
      orderBy: (one: Post, other: Post) => String(one.author?.name).localeCompare(String(other.author?.name)),
    });
    const store = filled(list, [[{}, [post(1, ann), post(2, bob)]]]);
    store.write(Author, { id: 1, name: 'zoe' });
    expect(ids(store.get(list, {}))).toEqual([2, 1]);
  });

  test('they move to their places in lists whose order is an argument', () => {
    const list = new Collection([Post], {
      orderBy: (one: Post, other: Post, key) =>
        key['sort'] === 'author'
          ? String(one.author?.name).localeCompare(String(other.author?.name))
          : one.id - other.id,
    });
    const store = filled(list, [[{ sort: 'id' }, [post(1, ann), post(2, bob)]]]);
    store.write(Author, { id: 1, name: 'ada' });
    store.write(list, [post(1, { id: 1 }), post(2, { id: 2 })], { args: [{ sort: 'author' }] });
    store.write(Author, { id: 1, name: 'zoe' });
    expect(ids(store.get(list, { sort: 'author' }))).toEqual([2, 1]);
    expect(ids(store.get(list, { sort: 'id' }))).toEqual([1, 2]);
  });

  test('they leave and join lists also if the referring record changes at the same time', () => {
    const list = new Collection([Post], { where });
    const store = filled(list, [
      [{ author: 'ann' }, [post(1, ann), post(4, ann)]],
      [{ author: 'bob' }, [post(2, bob)]],
    ]);
    store.write([Post], [post(1, bob), { id: 9, title: '', author: { ...ann, name: 'zoe' } }]);
    expect(ids(store.get(list, { author: 'ann' }))).toEqual([]);
    expect(ids(store.get(list, { author: 'bob' }))).toEqual([2, 1]);
  });

  test('the totals of their lists change', () => {
    const list = new Collection([Post], { where, total: 'total' });
    const counted = { posts: list, total: 0 };
    const store = new Store();
    store.write(counted, { posts: [post(1, ann)], total: 1 }, { args: [{ author: 'ann' }] });
    store.write(Author, { id: 1, name: 'zoe' });
    expect(store.row('[Post]#total', '{"author":"ann"}')).toEqual({ count: 0 });
  });

  test('records that refer to other records do not move, and fields that no rule reads move no record', () => {
    const list = new Collection([Post], { where });
    const rules = vi.fn<(one: Post) => unknown>(where.author);
    const counted = new Collection([Post], { where: { author: rules } });
    const store = filled(counted, [[{ author: 'ann' }, [post(1, ann), post(2, bob)]]]);
    store.write(Author, { id: 1, seen: 1 });
    rules.mockClear();
    store.write(Author, { id: 1, seen: 2 });
    // The rule runs once with the former and once with the present author, for the only post of this author.
    expect(rules).toHaveBeenCalledTimes(2);
    expect(ids(store.get(list, { author: 'ann' }))).toEqual([1, 2]);
  });
});

test('records that were removed from memory are not remembered as those whose rules read another record', () => {
  let now = 0;
  const list = new Collection([Post], { where });
  const store = new Store({ now: () => now });
  for (let round = 0; round < 6; round++) {
    store.write(list, [], { args: [{ author: 'zoe' }] });
    const posts = Array.from({ length: 300 }, (_, at) => post(round * 300 + at, ann));
    store.write([Post], posts, { expiresAt: now });
    store.write(Author, { id: 1, name: `ann ${round}` });
    now += 1e9;
    Array.from(store.collect());
  }
  expect(store.get(new All(Post))).toEqual([]);
  const related = store.writer.core.reading.space.table('[Post]').notes.get('related') as Related;
  expect(Array.from(related.membersOf([{ table: 'Author', pk: '1' }])).length).toBeLessThan(1200);
  store.write(list, [post(1, ann)], { args: [{ author: 'ann' }] });
  store.write(Author, { id: 1, name: 'zoe' });
  expect(ids(store.get(list, { author: 'ann' }))).toEqual([]);
});

test('a deletion removes no related records from a list, and the list is fetched', async () => {
  const screen = new Screen((_url, method) => (method === 'GET' ? [post(1, ann)] : undefined));
  const posts = resource({
    path: '/posts/:id',
    schema: Post,
    searchParams: search,
    platform: screen.platform,
    list: { where },
  });
  const authors = resource({ path: '/authors/:id', schema: Author, platform: screen.platform });
  await screen.show(posts.getList, { author: 'ann' }, {});
  expect(await screen.after(() => screen.controller.fetch(authors.delete, { id: 1 }))).toEqual(['/posts?author=ann']);
});

test('a list is fetched when its rule may read a changed record that was unknown before', async () => {
  const screen = new Screen((_url, method, body) => (method === 'GET' ? [post(1, ann)] : { id: 2, ...Object(body) }));
  const { platform } = screen;
  const posts = resource({ path: '/posts/:id', schema: Post, searchParams: search, platform, list: { where } });
  const authors = resource({ path: '/authors/:id', schema: Author, platform });
  await screen.show(posts.getList, { author: 'ann' }, { city: 'rome' }, {});
  const change = async (body: object) =>
    screen.after(() => screen.controller.fetch(authors.partialUpdate, { id: 2 }, body));
  expect(await change({ name: 'ann' })).toEqual(['/posts?author=ann']);
  expect(await change({ seen: 1 })).toEqual([]);
});

test('lists are fetched when a changed record decides whether they contain records that refer to it', async () => {
  const screen = new Screen((_url, method, body) =>
    method === 'GET' ? [post(1, ann), post(2, bob)] : { ...ann, ...Object(body) },
  );
  const posts = resource({
    path: '/posts/:id',
    schema: Post,
    searchParams: search,
    platform: screen.platform,
    list: { where },
  });
  const authors = resource({ path: '/authors/:id', schema: Author, platform: screen.platform });
  await screen.show(posts.getList, { author: 'bob' }, { author: 'ann' }, { author: 'zoe' });
  // The server sends records that do not match the arguments, so that the rule is not used.
  const asked = await screen.after(() => screen.controller.fetch(authors.partialUpdate, { id: 1 }, { name: 'zoe' }));
  expect(asked).toEqual(['/posts?author=bob', '/posts?author=ann', '/posts?author=zoe']);
});

const onlyByServer = [
  { sort: 'author.name' },
  { ordering: '-author__name' },
  { $orderby: 'author/name desc' },
  { author_name: 'ann' },
  { 'filter[author.name]': 'ann' },
  { author__team__city: 'rome' },
];

test.each(onlyByServer)(
  'a list %j, which only the server can decide, is fetched when an author changes',
  async (args) => {
    const screen = new Screen((_url, method, body) =>
      method === 'GET' ? [post(1, ann)] : { ...ann, ...Object(body) },
    );
    const { platform } = screen;
    const posts = resource({ path: '/posts/:id', schema: Post, searchParams: search, platform });
    const authors = resource({ path: '/authors/:id', schema: Author, platform });
    await screen.show(
      posts.getList,
      {},
      { title: 'post 1' },
      { sort: 'title' },
      { author: '1' },
      { author_id: '1' },
      args,
    );
    const asked = await screen.after(() => screen.controller.fetch(authors.partialUpdate, { id: 1 }, { name: 'zoe' }));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/author\W|author_n|author__/);
  },
);

test('a list refutes a rule that has no value for one of its records', () => {
  const store = new Store();
  store.write(new Collection([Post], { where }), [post(1, null)], { args: [{ author: 'ann' }] });
  expect(log.mock.calls.flat().join()).toContain('has a record whose author is null');
});

test('a list does not refute a rule by what is known of another record from another moment', () => {
  const list = new Collection([Post], { where });
  const store = new Store();
  store.write(Author, { id: 1, name: 'old' });
  store.write(list, [{ id: 1, title: '', author: 1 }], { args: [{ author: 'ann' }] });
  expect(log).not.toHaveBeenCalled();
  store.write(list, [post(1, bob)], { args: [{ author: 'ann' }] });
  expect(log.mock.calls.flat().join()).toContain('has a record whose author is "bob"');
});

test('a guess of a record moves nothing that refers to it, and its answer does', () => {
  const list = new Collection([Post], { where });
  const store = filled(list, [
    [{ author: 'ann' }, [post(1, ann)]],
    [{ author: 'zoe' }, []],
  ]);
  const layer = addGuess(store, () => ({ schema: Author, response: { id: 1, name: 'zoe' } }));
  expect(ids(store.get(list, { author: 'ann' }))).toEqual([1]);
  layer.confirm(Author, { id: 1, name: 'zoe' });
  expect(ids(store.get(list, { author: 'ann' }))).toEqual([]);
  expect(ids(store.get(list, { author: 'zoe' }))).toEqual([1]);
  store.write(new Invalidate(Post), { id: 1 });
  store.write(Author, { id: 1, name: 'ann' });
  expect(ids(store.get(list, { author: 'ann' }))).toEqual([]);
});

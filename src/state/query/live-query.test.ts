import { describe, expect, test } from 'vitest';
import { belongsTo } from './belongs-to.ts';
import { avg, collect, count, first, last, max, min, sum } from './aggregates.ts';
import { arg } from '../../define/query/argument.ts';
import { All } from '../../define/schema/all.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Query } from '../../define/schema/query.ts';
import { Store } from '../store/store.ts';
import { from, type LiveQuery } from './live-query.ts';
import { takeSnapshot } from '../store/store-snapshot.ts';
import { addGuess } from '../store/layer.ts';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

class Post extends Entity {
  id = '';
  title: string | null = '';
  votes = 0;
  isDraft = false;
  author: User | undefined = undefined;
  static override key = 'Post';
  static override schema = { author: User };
  static override indexes = ['title'];

  get isLong(): boolean {
    return (this.title ?? '').length > 3;
  }
}

const POSTS = [
  { id: '1', title: 'one', votes: 3, author: { id: 'u1', name: 'Ann' } },
  { id: '2', title: 'two', votes: 1, isDraft: true, author: { id: 'u2', name: 'Bob' } },
  { id: '3', title: 'three', votes: 2, author: 'u1' },
];

function storeOf(posts: readonly object[] = POSTS): Store {
  const store = new Store();
  store.write([Post], posts);
  return store;
}

const idsOf = (posts: readonly Post[] | undefined): unknown => posts?.map(({ id }) => id);

/** What a query reads as, each time that it has changed. */
function watched(store: Store, query: LiveQuery<never>, args: readonly unknown[] = []): unknown[] {
  const view = store.query(query as never, args as never);
  const seen: unknown[] = [view.current()];
  view.subscribe(() => {
    if (view.current() !== seen.at(-1)) seen.push(view.current());
  });
  return seen;
}

class Paper extends Entity {
  id = '';
  isGood = false;
  static override key = 'Paper';
}

class Strict extends Paper {
  static override validate(given: Partial<Paper>): string | undefined {
    return given.isGood === true ? undefined : 'no';
  }
}

class Chosen extends Paper {
  static override createIfValid(given: Partial<Paper>): Paper | undefined {
    return given.isGood === true ? this.fromJS(given) : undefined;
  }
}

class Written extends Paper {
  author: User = User.fromJS();
  static override schema = { author: User };
}

describe('a query', () => {
  const top = from(Post).where({ isDraft: false }).orderBy('votes', 'desc').limit(2);

  test('is missing until a record was stored, and empty when none is left', () => {
    const store = new Store();
    expect(store.get(top)).toBeUndefined();
    store.write([Post], []);
    expect(store.get(top)).toBeUndefined();
    store.write(Post, { id: '1' });
    store.invalidate(Post, '1');
    expect(store.get(top)).toEqual([]);
  });

  test('has the records that pass, sorted, up to its limit: the very records of the store', () => {
    const store = storeOf();
    expect(idsOf(store.get(top))).toEqual(['1', '3']);
    expect(store.get(top)?.[0]).toBe(store.get(Post, '1'));
    expect(Object.isFrozen(store.get(top))).toBe(true);
  });

  test('freezes nothing if the store does not', () => {
    const store = new Store({ frozen: false });
    store.write([Post], POSTS);
    const selected = top.select(({ id }) => ({ id }));
    const groups = from(Post).groupBy('isDraft', { posts: count() });
    for (const query of [top, selected, groups]) {
      const value = store.get(query as typeof top);
      expect(Object.isFrozen(value)).toBe(false);
      expect(Object.isFrozen(value?.[0])).toBe(false);
    }
  });

  test('leaves out records that are invalid because a required part was deleted', () => {
    class Article extends Entity {
      id = '';
      author = User.fromJS();
      static override key = 'Article';
      static override schema = { author: User };
    }
    const store = new Store();
    store.write(
      [Article],
      [
        { id: '1', author: { id: 'u1' } },
        { id: '2', author: { id: 'u2' } },
      ],
    );
    store.invalidate(User, 'u2');
    const articles = from(Article);
    expect(store.get(articles)?.map(({ id }) => id)).toEqual(['1']);
    store.invalidate(User, 'u1');
    expect(store.get(articles)).toEqual([]);
    store.write(User, { id: 'u2' });
    expect(store.get(articles)?.map(({ id }) => id)).toEqual(['2']);
  });

  test.each<[string, typeof Paper, typeof Paper]>([
    ['that their class refuses', Paper, Strict],
    ['that their class does not make', Paper, Chosen],
    ['without a required part', Written, Written],
  ])('counts and cuts without records %s', (_, stored, read) => {
    const store = new Store();
    store.write([stored], [0, 1, 2, 3].map((at) => ({ id: `${at}`, isGood: at % 2 === 1, author: { id: `u${at % 2}` } }))); // prettier-ignore
    store.invalidate(User, 'u0');
    expect(store.get(from(read).limit(2))?.map(({ id }) => id)).toEqual(['1', '3']);
    expect(store.get(from(read).count())).toBe(2);
  });

  test('compares a field as its class builds it', () => {
    class Priced extends Entity {
      id = '';
      price = 0;
      static override key = 'Priced';
      static override fromJS(given: object = {}): Priced {
        const priced = super.fromJS(given) as Priced;
        priced.price *= 2;
        return priced;
      }
    }
    const store = new Store();
    store.write([Priced], [{ id: '1', price: 1 }, { id: '2', price: 2 }]); // prettier-ignore
    expect(store.get(from(Priced).where({ price: 2 }).limit(1))?.map(({ id }) => id)).toEqual(['1']);
    expect(
      store.get(
        from(Priced)
          .where({ price: { gt: 2 } })
          .count(),
      ),
    ).toBe(1);
  });

  test('stays the same list while nothing changes that it shows', () => {
    const store = storeOf();
    const before = store.get(top);
    store.write(Post, { id: '2', title: 'another' });
    store.write(Post, { id: '4', votes: -1 });
    expect(store.get(top)).toBe(before);
  });

  test('follows a record that is added, changed, removed and added again', () => {
    const store = storeOf();
    const seen = watched(store, top as never);
    store.write(Post, { id: '2', isDraft: false, votes: 9 });
    store.write(Post, { id: '4', votes: 5 });
    store.invalidate(Post, '2');
    store.write(Post, { id: '2', votes: 4 });
    expect(seen.map((posts) => idsOf(posts as Post[]))).toEqual([
      ['1', '3'],
      ['2', '1'],
      ['2', '4'],
      ['4', '1'],
      ['4', '2'],
    ]);
  });

  test('shows a guess until it is dropped', () => {
    const store = storeOf();
    const layer = addGuess(store, () => ({ schema: Post, response: { id: '3', votes: 8 }, args: [] }));
    expect(idsOf(store.get(top))).toEqual(['3', '1']);
    layer.drop();
    expect(idsOf(store.get(top))).toEqual(['1', '3']);
  });

  test('is read in a snapshot as it was', () => {
    const store = storeOf();
    const snapshot = takeSnapshot(store);
    store.write(Post, { id: '3', votes: 8 });
    expect(idsOf(snapshot.get(top) as Post[])).toEqual(['1', '3']);
    expect(idsOf(store.get(top))).toEqual(['3', '1']);
  });

  test('checks conditions on the values of records', () => {
    const store = storeOf();
    const byBob = from(Post).where((post) => post.author?.name === 'Bob');
    expect(idsOf(store.get(byBob))).toEqual(['2']);
    store.write(User, { id: 'u1', name: 'Bob' });
    expect(idsOf(store.get(byBob))).toEqual(['1', '2', '3']);
    expect(idsOf(store.get(from(Post).where({ isLong: true })))).toEqual(['3']);
  });

  test('is a queryable like any other', () => {
    const store = storeOf();
    const titles = new Query(top, (posts) => posts.map(({ title }) => title));
    expect(store.get(titles)).toEqual(['one', 'three']);
    expect(store.write(top, [{ id: '4', votes: 9 }])).toBeUndefined();
    expect(store.get(titles)).toEqual(['', 'one']);
    expect(top.denormalize(undefined, undefined as never)).toBeUndefined();
  });

  test('is released without observers, and built again', () => {
    const store = storeOf();
    const view = store.query(top);
    const stop = view.subscribe(() => {});
    const before = view.current();
    Array.from(store.collect());
    expect(view.current()).toBe(before);
    stop();
    Array.from(store.collect());
    expect(view.current()).not.toBe(before);
    expect(view.current()).toEqual(before);
  });

  test('follows the records that are written after a reset', () => {
    const store = storeOf();
    const seen = watched(store, top as never);
    store.reset();
    store.write([Post], POSTS.toReversed());
    expect(seen.map((posts) => idsOf(posts as Post[] | undefined))).toEqual([['1', '3'], undefined, ['1', '3']]);
  });

  test('reads everything again after more changes than it keeps', () => {
    const store = storeOf();
    const view = store.query(
      from(Post)
        .where({ votes: { gt: 2 } })
        .count(),
    );
    expect(view.current()).toBe(1);
    for (let change = 0; change < 1_102; change++) {
      store.write(Post, { id: '3', votes: change % 2 === 0 ? 5 : 1 });
      store.get(from(Post).exists());
      store.get(Post, '3');
    }
    store.write(Post, { id: '2', votes: 7 });
    expect(view.current()).toBe(2);
  });

  test('has records of its own class if another class reads the table too', () => {
    class Summary extends Entity {
      id = '';
      title = '';
      static override key = 'Post';
    }
    const store = storeOf();
    const summaries = from(Summary)
      .where({ title: { gte: 'o' } })
      .orderBy('title');
    expect(store.get(summaries)?.every((one) => one instanceof Summary)).toBe(true);
    store.write(Post, { id: '2', title: 'zwei' });
    expect(store.get(summaries)?.map(({ title }) => title)).toEqual(['one', 'three', 'zwei']);
    store.invalidate(Post, '3');
    expect(store.get(summaries)?.map(({ title }) => title)).toEqual(['one', 'zwei']);
    expect(store.get(summaries)?.[0]).toBe(store.get(Summary, '1'));
  });

  test('drops members that were removed in between', () => {
    const store = storeOf(Array.from({ length: 200 }, (_, at) => ({ id: `${at}`, votes: at })));
    const view = store.query(from(Post).where({ votes: { gte: 0 } }));
    view.subscribe(() => {});
    for (let at = 0; at < 150; at++) store.invalidate(Post, `${at}`);
    expect(view.current()).toHaveLength(50);
    store.write(Post, { id: '1', votes: 1 });
    expect(view.current()).toHaveLength(51);
  });
});

describe('arguments', () => {
  test('are replaced by the values of each reader', () => {
    const store = storeOf();
    const least = from(Post).where({ votes: { gte: arg('least') } });
    expect(idsOf(store.get(least, { least: 2 }))).toEqual(['1', '3']);
    expect(idsOf(store.get(least, { least: 3 }))).toEqual(['1']);
    expect(store.get(least, { least: 3 })).toBe(store.get(least, { least: 3 }));
    const among = from(Post).where({ votes: { in: arg('among') } });
    expect(idsOf(store.get(among, { among: [1, 2] }))).toEqual(['2', '3']);
    const named = from(Post).where((post, { start }: { readonly start: string }) => post.title?.startsWith(start));
    expect(idsOf(store.get(named, { start: 't' }))).toEqual(['2', '3']);
  });

  test('cut a list', () => {
    const store = storeOf();
    const page = from(Post).orderBy('votes').offset(arg('from')).limit(arg('size'));
    expect(idsOf(store.get(page, { from: 1, size: 1 }))).toEqual(['3']);
    expect(() => store.get(page, { from: -1, size: 1 })).toThrow(
      'offset() of a query was given -1. Pass a whole number that is not below 0.',
    );
    expect(() => store.get(page, { from: 0, size: 1.5 })).toThrow('limit() of a query was given 1.5');
  });

  test('that are missing are an error which names them', () => {
    const least = from(Post).where({ votes: { gte: arg('least') } });
    expect(() => storeOf().get(least, {} as never)).toThrow(
      'A query needs the argument least, but was read without it. Pass it: useQuery(query, { least: … }). After loadedBy(), pass it to the endpoint, or return it from the function that loadedBy() takes.',
    );
  });

  test('do not notify readers with other values', () => {
    const store = storeOf();
    let judged = 0;
    const of = from(Post)
      .where({ votes: arg('votes') })
      .where(() => ++judged > 0);
    const seen = [1, 2, 3].map((votes) => watched(store, of as never, [{ votes }]));
    judged = 0;
    store.write(Post, { id: '2', title: 'changed' });
    // As it was, and as it is.
    expect(judged).toBe(2);
    store.write(Post, { id: '2', votes: 3 });
    expect(seen.map((lists) => idsOf(lists.at(-1) as Post[]))).toEqual([[], ['3'], ['1', '2']]);
  });
});

describe('conditions', () => {
  const store = storeOf([...POSTS, { id: '4', title: null, votes: 2 }]);
  const found = (query: LiveQuery<Post>): unknown => idsOf(store.get(query));

  test('compare fields: less, greater, one of, and not', () => {
    const posts = from(Post);
    expect(found(posts.where({ votes: { gt: 1, lt: 3 } }))).toEqual(['3', '4']);
    expect(found(posts.where({ votes: { lte: 1 } }))).toEqual(['2']);
    expect(found(posts.where({ votes: { in: [1, 3] } }))).toEqual(['1', '2']);
    expect(found(posts.where({ title: { not: null } }))).toEqual(['1', '2', '3']);
    expect(found(posts.where({ title: null }))).toEqual(['4']);
    expect(found(posts.where({ title: { gte: 'a' } }))).toEqual(['1', '2', '3']);
    expect(found(posts.where({ title: { lt: 'p', gt: 'a' } }))).toEqual(['1']);
    expect(found(posts.where({ votes: 2, isDraft: false }))).toEqual(['3', '4']);
  });

  test('use an index of the class, and references', () => {
    const posts = from(Post);
    expect(found(posts.where({ title: 'two' }))).toEqual(['2']);
    expect(found(posts.where({ title: { in: ['one', 'two'] } }))).toEqual(['1', '2']);
    expect(found(posts.where({ title: { in: ['one', null] } }))).toEqual(['1', '4']);
    expect(found(posts.where({ author: 'u1' }))).toEqual(['1', '3']);
    expect(found(posts.where({ author: store.get(User, 'u2') }))).toEqual(['2']);
    expect(found(posts.where({ author: { in: ['u1', 'u2'] } }).where({ title: 'two' }))).toEqual(['2']);
    expect(found(posts.where({ author: undefined }))).toEqual(['4']);
    expect(found(posts.where({ author: { not: 'u1' } }))).toEqual(['2', '4']);
  });

  test('take a plain object without comparisons as a value', () => {
    expect(found(from(Post).where({ votes: {} as never }))).toEqual([]);
    expect(found(from(Post).where({ votes: [] as never }))).toEqual([]);
  });
});

describe('the value of a query', () => {
  test('is one record, a number, or whether there is any', () => {
    const store = storeOf();
    const posts = from(Post).orderBy('votes', 'desc');
    const one = watched(store, posts.one() as never);
    const counted = watched(store, posts.where({ isDraft: false }).count() as never);
    const exists = watched(store, posts.where({ votes: { gt: 8 } }).exists() as never);
    expect(store.get(posts.limit(2).count())).toBe(2);
    expect(store.get(posts.offset(5).count())).toBe(0);
    expect(store.get(posts.offset(5).one())).toBeUndefined();
    store.write(Post, { id: '2', title: 'x' });
    store.write(Post, { id: '2', isDraft: false, votes: 9 });
    expect((one as Post[]).map((post) => post.id)).toEqual(['1', '2']);
    expect(counted).toEqual([2, 3]);
    expect(exists).toEqual([false, true]);
  });

  test('is what a function returns for each record, and the same object while it is equal', () => {
    const store = storeOf();
    const names = from(Post)
      .orderBy('votes')
      .select(({ author, id }) => ({ id, author: author?.name }));
    const before = store.get(names);
    expect(before).toEqual([
      { id: '2', author: 'Bob' },
      { id: '3', author: 'Ann' },
      { id: '1', author: 'Ann' },
    ]);
    store.write(Post, { id: '3', title: 'other' });
    expect(store.get(names)).toBe(before);
    store.write(User, { id: 'u2', name: 'Bea' });
    expect(store.get(names)?.[0]).toEqual({ id: '2', author: 'Bea' });
    expect(store.get(names)?.[1]).toBe(before?.[1]);
  });

  test('keeps values of records only while it shows some of them', () => {
    const store = storeOf(Array.from({ length: 100 }, (_, at) => ({ id: `${at}`, votes: at })));
    const best = from(Post)
      .orderBy('votes', 'desc')
      .limit(1)
      .select(({ id }) => ({ id }));
    for (let at = 99; at > 0; at--) {
      expect(store.get(best)).toEqual([{ id: `${at}` }]);
      store.write(Post, { id: `${at}`, votes: -at });
    }
  });
});

describe('groups', () => {
  const perAuthor = from(Post).groupBy((post) => post.author, {
    posts: count(),
    drafts: count(({ isDraft }) => isDraft),
    votes: sum(({ votes }) => votes),
    mean: avg(({ votes }) => votes),
    least: min(({ votes }) => votes),
    most: max(({ title }) => title),
    ids: collect(({ id }) => id),
    all: collect(),
    first: first(({ id }) => id),
    last: last(),
  });

  test('have one item for each key, with the aggregates of their records', () => {
    const store = storeOf();
    const rows = store.get(perAuthor);
    expect(
      rows?.map(({ key, posts, drafts, votes, mean, least, most, ids }) => [
        key?.id,
        posts,
        drafts,
        votes,
        mean,
        least,
        most,
        ids,
      ]),
    ).toEqual([
      ['u1', 2, 0, 5, 2.5, 2, 'three', ['1', '3']],
      ['u2', 1, 1, 1, 1, 1, 'two', ['2']],
    ]);
    expect(rows?.[0]?.all[1]).toBe(store.get(Post, '3'));
    expect(rows?.[0]?.last).toBe(store.get(Post, '3'));
    expect(rows?.[0]?.first).toBe('1');
  });

  test('change separately, and are removed with their last record', () => {
    const store = storeOf();
    const query = from(Post).groupBy('isDraft', { posts: count(), votes: sum(({ votes }) => votes) });
    const before = store.get(query);
    expect(before).toEqual([
      { isDraft: false, posts: 2, votes: 5 },
      { isDraft: true, posts: 1, votes: 1 },
    ]);
    store.write(Post, { id: '2', votes: 4 });
    expect(store.get(query)?.[0]).toBe(before?.[0]);
    expect(store.get(query)?.[1]).toEqual({ isDraft: true, posts: 1, votes: 4 });
    const now = store.get(query);
    store.write(Post, { id: '2', title: 'other' });
    expect(store.get(query)).toBe(now);
    store.write(Post, { id: '2', isDraft: false });
    expect(store.get(query)).toEqual([{ isDraft: false, posts: 3, votes: 9 }]);
  });

  test('can be filtered, sorted and cut as records are', () => {
    const store = storeOf();
    const query = from(Post)
      .where({ votes: { gt: 0 } })
      .groupBy('isDraft', { posts: count() })
      .where({ posts: { gt: 0 } })
      .orderBy('posts', 'desc');
    expect(store.get(query.limit(1))).toEqual([{ isDraft: false, posts: 2 }]);
    expect(store.get(query.count())).toBe(2);
    store.invalidate(Post, '2');
    expect(store.get(query)).toEqual([{ isDraft: false, posts: 2 }]);
  });

  test('ignore values that are not numbers', () => {
    const store = storeOf([{ id: '1', votes: null, title: null }]);
    const query = from(Post).groupBy('isDraft', {
      votes: sum(({ votes }) => votes),
      mean: avg(({ votes }) => votes),
      least: min(({ title }) => title),
    });
    expect(store.get(query)).toEqual([{ isDraft: false, votes: 0, mean: undefined, least: undefined }]);
    store.write(Post, { id: '1', votes: 2 });
    expect(store.get(query)?.[0]?.mean).toBe(2);
  });
});

describe('code of the application that throws', () => {
  const bad = (): never => {
    throw new RangeError('no');
  };

  test('is an error for the readers of that query alone, which names the record', () => {
    const store = storeOf();
    const posts = from(Post);
    expect(() => store.get(posts.where(bad))).toThrow('where() of a query of Post threw for Post 1: no.');
    expect(() => store.get(posts.orderBy(bad))).toThrow('orderBy() of a query of Post threw for Post 1: no.');
    expect(() => store.get(posts.select(bad))).toThrow('select() of a query of Post threw for Post 1: no.');
    expect(() => store.get(posts.groupBy(bad, { posts: count() }))).toThrow(
      'groupBy() of a query of Post threw for Post 1: no.',
    );
    expect(() => store.get(posts.groupBy(() => Symbol('s'), { posts: count() }))).toThrow(
      'The argument args[0] of groupBy() is a symbol.',
    );
    expect(() =>
      store.get(
        posts.where(() => {
          throw 'text';
        }),
      ),
    ).toThrow('threw for Post 1: text.'); // oxlint-disable-line no-throw-literal
    expect(idsOf(store.get(posts))).toEqual(['1', '2', '3']);
  });

  test('for a value that is not a record names no record', () => {
    const groups = from(Post).groupBy('votes', { posts: count() });
    expect(() => storeOf().get(groups.select(bad))).toThrow('select() of a query of Post threw: no.');
  });

  test('in the sort of a list names no record, because it compares two', () => {
    const collation = { compare: bad } as unknown as Intl.Collator;
    expect(() => storeOf().get(from(Post).orderBy('title', { collation }))).toThrow(
      'orderBy() of a query of Post threw: no.',
    );
  });

  test('of belongsTo() is an error of the query too', () => {
    const store = storeOf();
    const post = store.get(Post, { id: '1' });
    const author = belongsTo(User, (owner: Post) => (owner.votes < 0 ? owner.id : bad()));
    const message = 'belongsTo() of a query of Post threw for Post 1: no.';
    expect(() => store.get(author, post as Post)).toThrow(expect.objectContaining({ code: 'query-failed' }));
    expect(() => store.get(from(Post).with({ author }))).toThrow(message);
  });

  test('runs again when it may succeed', () => {
    const store = storeOf();
    const strict = from(Post).where(({ votes }) => votes < 3 || bad());
    expect(() => store.get(strict)).toThrow('no');
    store.write(Post, { id: '1', votes: 0 });
    expect(idsOf(store.get(strict))).toEqual(['1', '2', '3']);
    const groups = from(Post).groupBy(({ votes }) => (votes < 3 ? 'few' : bad()), { posts: count() });
    expect(store.get(groups)).toEqual([{ key: 'few', posts: 3 }]);
    store.write(Post, { id: '1', votes: 3 });
    expect(() => store.get(groups)).toThrow('no');
    store.write(Post, { id: '1', votes: 1 });
    expect(store.get(groups)).toEqual([{ key: 'few', posts: 3 }]);
  });

  test('runs again at the next read, whatever has changed', () => {
    const store = storeOf();
    let isBad = true;
    const moody = from(Post).where(() => !isBad || bad());
    for (const query of [moody, moody.count(), moody.one(), moody.groupBy('isDraft', { posts: count() })]) {
      isBad = true;
      expect(() => store.get(query as typeof moody)).toThrow('no');
      isBad = false;
      expect(store.get(query as typeof moody)).toBeDefined();
    }
    expect(store.get(moody.count())).toBe(3);
  });

  test('does not run if a record itself cannot be built', () => {
    class Broken extends Post {
      static override key = 'Broken';
      static override fromJS(props: object): never {
        return (props as { votes: number }).votes > 5 ? bad() : (super.fromJS(props) as never);
      }
    }
    const store = new Store();
    store.write([Broken], [{ id: '1', votes: 1, title: 'a' }]);
    const found = from(Broken).where({ title: arg('title') });
    expect(store.get(found, { title: 'a' })).toHaveLength(1);
    store.write(Broken, { id: '1', votes: 9 });
    expect(() => store.get(found, { title: 'a' })).toThrow('no');
    store.write(Broken, { id: '1', votes: 2 });
    expect(store.get(found, { title: 'a' })).toHaveLength(1);
  });

  test('invalid conditions and lists are refused by name', () => {
    const store = storeOf();
    const among = from(Post).where({ votes: { in: arg('among') } });
    expect(() => from(Post).where(undefined as never)).toThrow('where() of a query was given undefined. Pass');
    expect(() => store.get(among, { among: 5 as never })).toThrow('in of where() of a query was given 5. Pass a list');
    expect(() => store.get(from(Post).where({ author: { in: null as never } }))).toThrow('was given null');
  });

  test('a source that is not an entity is refused', () => {
    expect(() => new Store().get(from(undefined as never))).toThrow(
      'from() of a query was given undefined. Pass an entity class',
    );
    expect(() => new Store().get(from(All as never))).toThrow(
      'from() of a query was given All. Pass an entity class, a function that returns one, a collection, or a query of a list.',
    );
  });
});

import { describe, expect, test } from 'vitest';
import { count, sum } from './aggregates.ts';
import { arg } from '../../define/query/argument.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Union } from '../../define/schema/union.ts';
import { Values } from '../../define/schema/values.ts';
import { Store } from '../store/store.ts';
import { hasMany } from './has-many.ts';
import { from, type LiveQuery } from './live-query.ts';
import type { Selected } from '../../define/query/infer-source.ts';
import { distinct } from './distinct.ts';
import { on } from './on.ts';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
  static posts = hasMany(() => Post, 'author');
}

class Post extends Entity {
  id = '';
  title = '';
  votes = 0;
  author: User | undefined = undefined;
  static override key = 'Post';
  static override schema = { author: User };
  static comments = hasMany(() => Comment, 'postId');
}

class Comment extends Entity {
  id = 0;
  postId: string | null = '';
  likes = 0;
  static override key = 'Comment';
}

const Posts = new Collection([Post]);
const PostsById = new Collection(new Values(Post));

function storeOf(): Store {
  const store = new Store();
  store.write(
    [Post],
    [
      { id: '1', title: 'a', votes: 3, author: { id: 'u1', name: 'Ann' } },
      { id: '2', title: 'b', votes: 1, author: { id: 'u2', name: 'Bob' } },
      { id: '3', title: 'a', votes: 2, author: 'u1' },
    ],
  );
  store.write(
    [Comment],
    [
      { id: 7, postId: '1', likes: 2 },
      { id: 8, postId: '1', likes: 5 },
      { id: 9, postId: '3', likes: 1 },
    ],
  );
  return store;
}

const idsOf = (posts: readonly Post[] | undefined): unknown => posts?.map(({ id }) => id);
const best = from(Post).orderBy('votes', 'desc').limit(2);
const commented = from(Post).join('comment', Comment, on('id', 'postId'));

describe('a query of another query', () => {
  test('reads the items of the other one, in its order', () => {
    const store = storeOf();
    expect(idsOf(store.get(from(best)))).toEqual(['1', '3']);
    expect(idsOf(store.get(from(best).where({ title: 'a' })))).toEqual(['1', '3']);
    store.write(Post, { id: '2', votes: 9 });
    expect(idsOf(store.get(from(best)))).toEqual(['2', '1']);
    expect(idsOf(store.get(from(best).where({ title: 'a' })))).toEqual(['1']);
    expect(store.get(from(best).count())).toBe(2);
    expect(store.get(from(best.where({ title: 'b' })).one())?.id).toBe('2');
  });

  test.each<[string, LiveQuery<unknown, [], Selected<Post>>]>([
    ['an order', from(Post).orderBy('votes')],
    ['a limit', from(Post).limit(1)],
    ['an offset', from(Post).offset(2)],
    ['a place after which it begins', from(Post).orderBy('votes').after(storeOf().get(Post, '2'))],
    ['an order and a limit', best],
    ['relations', from(Post).with({ comments: Post.comments })],
    ['select()', from(Post).select(({ title }) => ({ title }))],
  ])('reads the items that a query with %s shows', (_, inner) => {
    const store = storeOf();
    for (const votes of [0, 9]) {
      store.write(Post, { id: '1', votes });
      expect(store.get(from(inner) as typeof best)).toEqual(store.get(inner as typeof best));
      expect(store.get(from(inner).count())).toBe(store.get(inner as typeof best)?.length);
    }
  });

  test('keeps the records, and the list while nothing in it changes', () => {
    const store = storeOf();
    const titled = from(best).where({ title: 'a' });
    const before = store.get(titled);
    expect(before?.[0]).toBe(store.get(Post, '1'));
    store.write(Post, { id: '2', votes: 0 });
    expect(store.get(titled)).toBe(before);
  });

  test('keeps the relations of a record that changes its place', () => {
    const store = storeOf();
    const withComments = from(best).with({ comments: Post.comments });
    const before = store.get(withComments);
    expect(before?.map(({ comments }) => comments.length)).toEqual([2, 1]);
    store.write(Post, { id: '3', votes: 5 });
    const after = store.get(withComments);
    expect(idsOf(after)).toEqual(['3', '1']);
    expect(after?.[0]?.comments).toBe(before?.[1]?.comments);
    expect(after?.[1]).toBe(before?.[0]);
  });

  test('can have a relation of the name of a relation or a getter of its class, which it then hides', () => {
    class Author extends Entity {
      id = '';
      name = '';
      declare readonly posts: readonly Post[];
      get best(): string {
        return 'none';
      }
      static override key = 'User';
      static override schema = { posts: hasMany(() => Post, 'author') };
    }
    const store = storeOf();
    const posts = hasMany(() => Post, 'author')
      .orderBy('votes', 'desc')
      .limit(1);
    // @ts-expect-error -- the type of the field would be that of both
    const [author] = store.get(from(Author).with({ posts, best: posts.one() })) ?? [];
    expect(idsOf(author?.posts)).toEqual(['1']);
    expect(author?.best).toBe(store.get(Post, '1'));
    expect(idsOf(store.get(Author, 'u1')?.posts)).toEqual(['1', '3']);
  });

  test('can be added to each record of another class, with the arguments of the reader', () => {
    const store = storeOf();
    const posts = from(Post).where({ votes: { gte: arg('least') } });
    const authors = from(User).with({ posts, best: User.posts.limit(arg('most')), all: from(Post).count() });
    const read = store.get(authors, { least: 2, most: 1 });
    expect(read?.map(({ id, posts: some, best: own, all }) => [id, idsOf(some), idsOf(own), all])).toEqual([
      ['u1', ['1', '3'], ['1'], 3],
      ['u2', ['1', '3'], ['2'], 3],
    ]);
  });

  test('without an order or limits adds its conditions to those of the other', () => {
    const store = storeOf();
    const titled = from(Post).where({ title: 'a' });
    expect(idsOf(store.get(from(titled).where({ votes: { gt: 2 } })))).toEqual(['1']);
    const groups = from(titled.groupBy('author', { posts: count() })).where({ posts: 2 });
    expect(store.get(groups)?.map(({ author }) => author?.name)).toEqual(['Ann']);
  });

  test('takes the arguments of the other one, and its own', () => {
    const store = storeOf();
    const bestOf = from(User.posts.orderBy('votes', 'desc').limit(arg('size'))).where({ votes: { gte: arg('least') } });
    expect(idsOf(store.get(bestOf, 'u1', { size: 2, least: 3 }))).toEqual(['1']);
    expect(idsOf(store.get(bestOf, 'u1', { size: 2, least: 1 }))).toEqual(['1', '3']);
  });

  test('is missing as long as the other one is, and stores what the other one stores', () => {
    const store = new Store();
    expect(store.get(from(best))).toBeUndefined();
    store.write(from(best), [{ id: '1', votes: 1 }]);
    expect(idsOf(store.get(from(best)))).toEqual(['1']);
  });

  test('leaves out items for which select() of the other query returns undefined', () => {
    const store = storeOf();
    const many = from(best.select(({ title, votes }) => (votes > 2 ? title : undefined)));
    expect(store.get(many)).toEqual(['a']);
    store.write(Post, { id: '1', votes: 2 });
    expect(store.get(many)).toEqual([]);
  });

  test('of one record, or of a number, is refused', () => {
    expect(() => storeOf().get(from(best.one() as never))).toThrow('or a query of a list.');
  });
});

describe('a query of a collection', () => {
  test('has its members in its order, and follows them', () => {
    const store = storeOf();
    const good = from(Posts).where({ votes: { gt: arg('least') } });
    expect(store.get(good, { by: 'me' }, { least: 1 })).toBeUndefined();
    store.write(Posts, ['3', '1'].map((id) => ({ id })), { args: [{ by: 'me' }] }); // prettier-ignore
    expect(idsOf(store.get(good, { by: 'me' }, { least: 1 }))).toEqual(['3', '1']);
    store.write(Posts.unshift, { id: '4', votes: 8 }, { args: [{ by: 'me' }] });
    expect(idsOf(store.get(good, { by: 'me' }, { least: 1 }))).toEqual(['4', '3', '1']);
    store.invalidate(Post, '3');
    expect(idsOf(store.get(good, { by: 'me' }, { least: 1 }))).toEqual(['4', '1']);
    store.write(Posts, [{ id: '1' }, { id: '2' }, { id: '4' }], { args: [{ by: 'me' }] });
    expect(idsOf(store.get(good, { by: 'me' }, { least: 0 }))).toEqual(['1', '2', '4']);
    expect(store.get(from(Posts).count(), { by: 'me' })).toBe(3);
  });

  test('puts members that are added between others in their places, again and again', () => {
    const store = new Store();
    const ids = ['first', 'last'];
    const listed = from(Posts);
    for (let at = 0; at < 70; at++) {
      ids.splice(1, 0, `${at}`);
      store.write(Posts, ids.map((id) => ({ id })), { args: [{}] }); // prettier-ignore
      expect(idsOf(store.get(listed, {}))).toEqual(ids);
    }
  });

  test('follows a record that the list has twice since the record changed', () => {
    const store = storeOf();
    const good = from(Posts).where({ votes: { gt: 1 } });
    store.write(Posts, [{ id: '1' }, { id: '3', votes: 2 }], { args: [{}] });
    expect(idsOf(store.get(good, {}))).toEqual(['1', '3']);
    store.write(Posts, [{ id: '3', votes: 4 }, { id: '3' }], { args: [{}] }); // prettier-ignore
    expect(idsOf(store.get(good, {}))).toEqual(['3', '3']);
    store.write(Post, { id: '3', votes: 0 });
    expect(store.get(good, {})).toEqual([]);
  });

  test('that is a map has its entries', () => {
    const store = storeOf();
    store.write(PostsById, { one: { id: '1' }, two: { id: '2' } }, { args: [{}] });
    expect(idsOf(store.get(from(PostsById), {}))).toEqual(['1', '2']);
    store.invalidate(PostsById, PostsById.pk(undefined, undefined, undefined, [{}]) as string);
    expect(store.get(from(PostsById), {})).toEqual([]);
  });

  test('stores its input as the collection does', () => {
    const store = storeOf();
    store.write(from(Posts), [{ id: '2' }], { args: [{}] });
    expect(idsOf(store.get(Posts, {}))).toEqual(['2']);
  });
});

describe('distinct values', () => {
  test('are each there once, in their order, until the last record with them is removed', () => {
    const store = storeOf();
    const titles = distinct(from(Post).select(({ title }) => title));
    const before = store.get(titles);
    expect(before).toEqual(['a', 'b']);
    store.write(Post, { id: '3', title: 'b' });
    expect(store.get(titles)).toBe(before);
    store.invalidate(Post, '1');
    expect(store.get(titles)).toEqual(['b']);
  });

  test('of a query with a limit are the values of the limited items', () => {
    const store = storeOf();
    expect(store.get(distinct(best.select(({ title, votes }) => ({ title, isMany: votes > 1 }))))).toEqual([
      { title: 'a', isMany: true },
    ]);
    expect(store.get(distinct(best).count())).toBe(2);
    expect(store.get(distinct(best.count()))).toBe(2);
  });

  test('include null, and do not include undefined', () => {
    const store = storeOf();
    const postIds = distinct(from(Comment).select(({ postId, likes }) => (likes > 1 ? postId : undefined)));
    expect(store.get(postIds)).toEqual(['1']);
    store.write(Comment, { id: 7, postId: null });
    expect(store.get(postIds)).toEqual(['1', null]);
    store.write(Comment, { id: 7, likes: 0 });
    expect(store.get(postIds)).toEqual(['1']);
  });

  test('are the same objects while nothing changes in them, also if one is NaN or an invalid date', () => {
    const store = storeOf();
    const numbers = distinct(from(Post).select(({ votes }) => (votes === 3 ? Number.NaN : votes)));
    const dates = from(Post).groupBy(({ votes }) => new Date(votes === 3 ? Number.NaN : votes), { posts: count() });
    const listed = from(numbers.limit(9));
    const read = (): readonly unknown[] => [numbers, dates, listed].map((query) => store.get(query));
    const before = read();
    store.write(Post, { id: '1', title: 'c' });
    expect(before[0]).toEqual([1, 2, Number.NaN]);
    for (const [at, list] of read().entries()) expect(list).toBe(before[at]);
    store.write(Post, { id: '2', votes: 0 });
    expect(read().map((list) => (list as readonly unknown[])[0])).toEqual([0, { key: new Date(0), posts: 1 }, 0]);
  });

  test('that are records are up to date', () => {
    const store = storeOf();
    const authors = distinct(from(Post).select(({ author }) => author));
    store.get(authors);
    store.write(User, { id: 'u1', name: 'Eve' });
    expect(store.get(authors)?.[0]).toBe(store.get(User, 'u1'));
    expect(store.get(from(Post).groupBy((post) => post.author, { posts: count() }))?.[0]?.key?.name).toBe('Eve');
  });
});

test('a join compares a record with a plain field by its pk', () => {
  class Profile extends Entity {
    id = '';
    userId = '';
    static override key = 'Profile';
  }
  const store = new Store();
  store.write([Post], [{ id: 'a', author: { id: '1', name: 'Ann' } }]);
  store.write([Profile], [{ id: 'p', userId: '1' }]);
  const joined = from(Post).join('profile', Profile, on('author', 'userId'));
  expect(store.get(joined.select(({ id, profile }) => [id, profile.id]))).toEqual([['a', 'p']]);
});

describe('a join by a field that refers to several classes', () => {
  class Remark extends Entity {
    id = '';
    about: User | Post | undefined = undefined;
    static override key = 'Remark';
    static override schema = {
      about: new Union({ user: User, post: Post }, (value: object) => ('title' in value ? 'post' : 'user')),
    };
  }

  /** Two remarks: about user 1 and about post 1. */
  function storeOfRemarks(): Store {
    const store = new Store();
    store.write(
      [Remark],
      [
        { id: 'r1', about: { id: '1', name: 'Ann' } },
        { id: 'r2', about: { id: '1', title: 'a' } },
      ],
    );
    return store;
  }

  test('compares the class and the pk, in both directions', () => {
    const store = storeOfRemarks();
    const posts = from(Remark).join('post', Post, on('about', 'id'));
    expect(store.get(posts.select(({ id, post }) => [id, post.title]))).toEqual([['r2', 'a']]);
    const users = from(User).leftJoin('remark', Remark, on('id', 'about'));
    expect(store.get(users.select(({ name, remark }) => [name, remark?.id]))).toEqual([['Ann', 'r1']]);
    store.write(Remark, { id: 'r1', about: { id: '1', title: 'a' } });
    expect(store.get(posts.count())).toBe(2);
    expect(store.get(users)?.[0]?.remark).toBeUndefined();
  });

  test('can be compared with the record itself, and not with a field that does not tell its class', () => {
    const store = storeOfRemarks();
    const joined = from(Remark).join(
      'post',
      Post,
      on('about', (post: Post) => post),
    );
    expect(store.get(joined.select(({ id }) => id))).toEqual(['r2']);
    const unclear = from(Remark).join('comment', Comment, on('about', 'postId'));
    expect(() => store.get(unclear)).toThrow(
      "on() of a query was given 'about'. Pass a function that returns the other record, in place of 'postId': 'about' refers to several classes",
    );
  });

  test('does not confuse the pks of two classes that are compared with each other', () => {
    const store = storeOfRemarks();
    expect(store.get(from(User).join('post', Post, on('id', 'id')).count())).toBe(1);
  });
});

describe('a join', () => {
  test('has each record with each other one that is equal to it, in a record of its class', () => {
    const store = storeOf();
    const rows = store.get(commented);
    expect(rows?.map(({ id, comment }) => [id, comment.id])).toEqual([
      ['1', 7],
      ['1', 8],
      ['3', 9],
    ]);
    expect(rows?.[0]).toBeInstanceOf(Post);
    expect(rows?.[0]?.comment).toBe(store.get(Comment, 7));
    expect(Object.isFrozen(rows?.[0])).toBe(true);
  });

  test('follows both sides, and keeps the pairs that a change does not affect', () => {
    const store = storeOf();
    const before = store.get(commented);
    store.write(Comment, { id: 9, postId: '2' });
    const after = store.get(commented);
    expect(after?.map(({ id, comment }) => [id, comment.id])).toEqual([
      ['1', 7],
      ['1', 8],
      ['2', 9],
    ]);
    expect(after?.[0]).toBe(before?.[0]);
    store.write(Post, { id: '2', title: 'z' });
    expect(store.get(commented)?.[2]?.title).toBe('z');
    store.invalidate(Post, '1');
    expect(store.get(commented)).toHaveLength(1);
    store.write(Comment, { id: 9, postId: null });
    expect(store.get(commented)).toEqual([]);
  });

  test('can be filtered, sorted, cut, grouped and counted as records are', () => {
    const store = storeOf();
    const liked = commented.where(({ comment }) => comment.likes > 1).orderBy(({ comment }) => comment.likes, 'desc');
    expect(store.get(liked.limit(1))?.[0]?.comment.id).toBe(8);
    expect(store.get(liked.count())).toBe(2);
    const perTitle = commented.groupBy('title', { likes: sum(({ comment }) => comment.likes) });
    expect(store.get(perTitle)).toEqual([{ title: 'a', likes: 8 }]);
    expect(store.get(commented.orderBy('title'))?.map(({ comment }) => comment.id)).toEqual([7, 8, 9]);
  });

  test('compares a field named id that is not the pk by its value', () => {
    class Profile extends Entity {
      id = '';
      slug = '';
      static override key = 'Profile';
      override pk(): string {
        return this.slug;
      }
    }
    const store = storeOf();
    store.write([Profile], [{ slug: 'ann', id: 'u1' }, { slug: 'u2', id: 'u3' }]); // prettier-ignore
    const profiles = from(Post).join('profile', Profile, on('author', 'id'));
    expect(store.get(profiles.select(({ id, profile }) => [id, profile.slug]))).toEqual([
      ['1', 'ann'],
      ['3', 'ann'],
    ]);
  });

  test('checks a condition only for the pairs of a record that has changed', () => {
    const store = storeOf();
    const checked: unknown[] = [];
    const liked = commented.where(({ comment }) => checked.push(comment.id) > 0);
    store.query(liked).subscribe(() => {});
    store.get(liked);
    for (const [schema, record, pairs] of [
      [Comment, { id: 9, likes: 3 }, [9]],
      [Post, { id: '3', title: 'c' }, [9]],
      [Comment, { id: 8, postId: 'none' }, [8]],
    ] as const) {
      checked.length = 0;
      store.write(schema, record);
      store.get(liked);
      expect(new Set(checked)).toEqual(new Set(pairs));
    }
  });

  test('has no pair of a record without a match any more when it gets one from another join', () => {
    const store = storeOf();
    const all = from(User).leftJoin(
      'post',
      commented,
      on('id', ({ author }) => author),
    );
    const shown = (): unknown => store.get(all)?.map(({ name, post }) => [name, post?.comment.id]);
    const former = shown();
    expect(former).toEqual([['Ann', 7], ['Ann', 8], ['Ann', 9], ['Bob', undefined]]); // prettier-ignore
    store.write([Comment], [{ id: 10, postId: '2' }, { id: 11, postId: '2' }]); // prettier-ignore
    expect(shown()).toEqual([['Ann', 7], ['Ann', 8], ['Ann', 9], ['Bob', 10], ['Bob', 11]]); // prettier-ignore
    store.batch(() => ['10', '11'].forEach((id) => store.invalidate(Comment, id)));
    expect(shown()).toEqual(former);
  });

  test('keeps records without a match in a left join', () => {
    const store = storeOf();
    const all = from(Post).leftJoin('comment', Comment, on('id', 'postId'));
    const shown = (): unknown => store.get(all)?.map(({ id, comment }) => [id, comment?.id]);
    expect(shown()).toEqual([
      ['1', 7],
      ['1', 8],
      ['2', undefined],
      ['3', 9],
    ]);
    store.write(Comment, { id: 9, postId: '2' });
    expect(shown()).toEqual([
      ['1', 7],
      ['1', 8],
      ['2', 9],
      ['3', undefined],
    ]);
    store.invalidate(Post, '3');
    store.invalidate(Comment, '9');
    expect(shown()).toEqual([
      ['1', 7],
      ['1', 8],
      ['2', undefined],
    ]);
  });

  test('takes functions, other queries with their arguments, and joins of joins', () => {
    const store = storeOf();
    const pairs = from(Post)
      .leftJoin(
        'liked',
        from(Comment).where({ likes: { gte: arg('likes') } }),
        on(
          ({ id }) => [id],
          ({ postId }) => [postId],
        ),
      )
      .leftJoin(
        'user',
        User,
        on(({ author }) => author, 'id'),
      )
      .select(({ id, liked, user }) => [id, liked?.id, user?.name]);
    expect(store.get(pairs, { likes: 2 })).toEqual([
      ['1', 7, 'Ann'],
      ['1', 8, 'Ann'],
      ['2', undefined, 'Bob'],
      ['3', undefined, 'Ann'],
    ]);
    const nested = from(User)
      .leftJoin(
        'post',
        commented,
        on('id', ({ author }) => author),
      )
      .select(({ name, post }) => [name, post?.id, post?.comment.id]);
    expect(store.get(nested)).toEqual([
      ['Ann', '1', 7],
      ['Ann', '1', 8],
      ['Ann', '3', 9],
      ['Bob', undefined, undefined],
    ]);
    store.write(Comment, { id: 10, postId: '2' });
    expect(store.get(nested)?.at(-1)).toEqual(['Bob', '2', 10]);
  });

  test('of groups has a group with its record', () => {
    const store = storeOf();
    const perPost = from(Comment).groupBy('postId', { likes: sum(({ likes }) => likes) });
    const liked = perPost.join('post', Post, on('postId', 'id')).select(({ likes, post }) => [post.title, likes]);
    expect(store.get(liked)).toEqual([
      ['a', 7],
      ['a', 1],
    ]);
  });

  test('names the record of a pair for which code of the application throws', () => {
    const bad = (): never => {
      throw new RangeError('no');
    };
    expect(() => storeOf().get(commented.where(bad))).toThrow('where() of a query of Post threw for Post 1: no.');
  });

  test('is built again after an error, and after a time without readers', () => {
    const store = storeOf();
    let isBad = true;
    const by = ({ id }: Post): string => {
      if (isBad) throw new RangeError('no');
      return id;
    };
    const joined = from(Post).join('comment', Comment, on(by, 'postId'));
    expect(() => store.get(joined)).toThrow('join() of a query of Post threw for Post 1: no.');
    isBad = false;
    const view = store.query(joined);
    const stop = view.subscribe(() => {});
    expect(view.current()).toHaveLength(3);
    stop();
    Array.from(store.collect());
    expect(view.current()).toHaveLength(3);
  });

  test('with an owner, or with arguments of its own, is refused', () => {
    const store = storeOf();
    for (const other of [User.posts, from(User.posts), from(Posts)])
      expect(() => store.get(from(User).join('post', other as unknown as typeof Post, on('id', 'id')))).toThrow(
        'Pass an entity class, or a query without an owner.',
      );
  });
});

describe('a list after a record', () => {
  const page = from(Post).orderBy('votes', 'desc').after(arg('last')).limit(1);

  test('begins after it, as it was when it was read, and at the start without one', () => {
    const store = storeOf();
    const [first] = store.get(page, {}) ?? [];
    expect(first?.id).toBe('1');
    const [second] = store.get(page, { last: first }) ?? [];
    expect(second?.id).toBe('3');
    store.write(Post, { id: '1', votes: 0 });
    expect(idsOf(store.get(page, { last: first }))).toEqual(['3']);
    store.invalidate(Post, '3');
    expect(idsOf(store.get(page, { last: second }))).toEqual(['2']);
    expect(idsOf(store.get(from(Post).orderBy('votes').after(second)))).toEqual([]);
    expect(store.get(from(Post).orderBy('votes', 'desc').after(first).one())?.id).toBe('2');
  });

  test('follows records that are added before and after it', () => {
    const store = storeOf();
    const rest = from(Post).orderBy('votes').after(store.get(Post, '2'));
    const view = store.query(rest);
    const before = view.current();
    expect(idsOf(before as Post[])).toEqual(['3', '1']);
    store.write(Post, { id: '0', votes: 0 });
    expect(view.current()).toBe(before);
    store.write(Post, { id: '5', votes: 1 });
    expect(idsOf(view.current() as Post[])).toEqual(['5', '3', '1']);
    store.invalidate(Post, '0');
    store.invalidate(Post, '1');
    expect(idsOf(view.current() as Post[])).toEqual(['5', '3']);
  });

  test('needs an order, records, and a record', () => {
    const store = storeOf();
    const post = store.get(Post, '1');
    const refused = 'Pass a record to a query with orderBy() and without groups, joins or counts.';
    for (const query of [
      from(Post).after(post),
      from(best).orderBy('votes').after(post),
      commented.orderBy('votes').after(post as never),
      from(Post).orderBy('votes').after(post).count(),
    ])
      expect(() => store.get(query as typeof best)).toThrow(refused);
    expect(() => store.get(page, { last: 'x' as never })).toThrow('after() of a query was given x. Pass a record');
  });
});

test.each([
  ['the post that was shown first', ['1', '2']],
  ['the post that was shown last', ['2', '1']],
])('a group by a record has its new content also if %s left it in the same batch', (_, [gone, kept]) => {
  const store = new Store();
  store.write([Post], ['1', '2'].map((id) => ({ id, author: { id: 'u1', name: 'Ann' } }))); // prettier-ignore
  const groups = from(Post).groupBy('author', { posts: count() });
  store.query(groups).subscribe(() => {});
  expect(store.get(groups)?.[0]?.author?.name).toBe('Ann');
  store.batch(() => {
    store.write(User, { id: 'u1', name: 'Eve' });
    store.write(Post, { id: kept as string, title: 'new' });
    store.invalidate(Post, gone as string);
  });
  expect(store.get(groups)).toMatchObject([{ posts: 1, author: { name: 'Eve' } }]);
});

test('groups are frozen only if the store freezes', () => {
  for (const frozen of [true, false]) {
    const store = new Store({ frozen });
    store.write([Post], [{ id: '1' }]);
    expect(Object.isFrozen(store.get(from(Post).groupBy('votes', { posts: count() }))?.[0])).toBe(frozen);
  }
});

test('a query of a query shows only what the conditions of both let pass', () => {
  const store = storeOf();
  const liked = from(Post).where(({ votes }) => votes > 1);
  const ids = (): unknown => store.get(from(liked).where({ title: 'a' }).orderBy('votes'))?.map(({ id }) => id);
  expect(ids()).toEqual(['3', '1']);
  store.write(Post, { id: '3', votes: 0 });
  expect(ids()).toEqual(['1']);
});

test('a query that begins after null begins at its start', () => {
  const page = from(Post).orderBy('votes').after(arg('last')).limit(2);
  const read = (last: unknown): unknown => storeOf().get(page, { last } as never);
  expect(read(null)).toEqual(read(undefined));
});

test('joined records whose records have not changed stay the same objects when their list is read again', () => {
  const store = storeOf();
  const all = { args: [{}] };
  const order = (...ids: string[]): void =>
    void store.write(
      Posts,
      ids.map((id) => ({ id })),
      all,
    );
  order('1', '2', '3');
  const view = store.query(from(Posts).join('comment', Comment, on('id', 'postId')), [{}]);
  view.subscribe(() => {});
  const joined = (): readonly { readonly comment: Comment }[] => view.current() as never;
  const before = new Map(joined().map((one) => [one.comment.id, one]));
  order('3', '1', '2');
  expect(joined().map(({ comment }) => comment.id)).toEqual([9, 7, 8]);
  for (const one of joined()) expect(one).toBe(before.get(one.comment.id));
});

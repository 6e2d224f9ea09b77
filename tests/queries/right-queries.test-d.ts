import { expectTypeOf, test } from 'vitest';
import {
  arg,
  avg,
  collect,
  count,
  distinct,
  explain,
  first,
  from,
  hasMany,
  belongsTo,
  through,
  ancestors,
  descendants,
  last,
  max,
  min,
  on,
  sum,
  relationsOf,
  toMermaid,
  type Controller,
  Collection,
  Entity,
  EntityMixin,
  Union,
  Values,
  RestEndpoint,
  Endpoint,
  type Denormalize,
} from 'rejoin';
import { useQuery, useSuspense, useDLE } from 'rejoin/react';
import { User, Tag, Post, Comment, Team, Membership, File, posts, comments, getPostsOf, search } from './programs.ts';

declare const controller: Controller;
declare const user: User;
declare const post: Post;
declare const comment: Comment;

// Each of these programs is right, and compiles: the neighbours of `wrong-queries.test-d.ts`.

declare const maybe: string | undefined;
declare const any: any;
class Money {
  readonly #a: number;
  constructor(a: number) {
    this.#a = a;
  }
  static compare(a: Money, b: Money) {
    return a.#a - b.#a;
  }
  plus(b: Money) {
    return new Money(this.#a + b.#a);
  }
}
class Plain {
  readonly a: number;
  constructor(a: number) {
    this.a = a;
  }
  static compare(a: Plain, b: Plain) {
    return a.a - b.a;
  }
}
class Decimal {
  gt(_n: number) {
    return true;
  }
  lt(_n: number) {
    return true;
  }
  valueOf(): string {
    return '';
  }
}
declare namespace T {
  export class Instant {
    private readonly brand: 1;
    valueOf(): never;
    toString(): string;
    static compare(a: Instant, b: Instant): number;
  }
}
type Brand = string & { readonly brand: 'x' };
class Item extends Entity {
  id = '';
  price = new Money(1);
  plain = new Plain(1);
  dec = new Decimal();
  at: T.Instant | null = null;
  brand = '' as Brand;
  some: unknown = 1;
  loose: any = 1;
  obj: object = {};
  empty: {} = {};
  big = 1n;
  level: 'a' | 'b' | undefined = undefined;
  ref: User | Team | null = null;
  mixed: string | string[] = '';
  static override key = 'Item';
}
const items = from(Item);

test('orderBy', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  from(Post).orderBy('title').orderBy('votes', 'desc').orderBy('createdAt', { direction: 'asc', nulls: 'first' });
  from(Post).orderBy('author').orderBy('editor').orderBy('published').orderBy('meta');
  from(User)
    .orderBy('initial')
    .orderBy((u) => u.name.toLowerCase(), { collation: new Intl.Collator() });
  items
    .orderBy('price')
    .orderBy('plain')
    .orderBy('dec')
    .orderBy('at')
    .orderBy('brand')
    .orderBy('some')
    .orderBy('loose')
    .orderBy('obj')
    .orderBy('empty')
    .orderBy('big')
    .orderBy('level')
    .orderBy('ref')
    .orderBy('mixed');
  items
    .orderBy((i) => i.price)
    .orderBy((i) => i.plain)
    .orderBy((i) => i.dec)
    .orderBy((i) => i.at)
    .orderBy((i) => i.some)
    .orderBy((i) => i.loose)
    .orderBy((i) => i.level)
    .orderBy((i) => (i.level ? 1 : null))
    .orderBy((): undefined => undefined)
    .orderBy((i) => i.mixed);
  const by: 'title' | 'votes' = any;
  from(Post).orderBy(by, any as 'asc' | 'desc');
  from(Post).orderBy((p): unknown => p.title);
});

test('where', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  from(Post).where({ votes: 1, title: null, published: true });
  from(Post).where({ votes: { gt: 1, lte: 5, not: 3, in: [1, 2] } });
  from(Post)
    .where({ author: user, editor: undefined })
    .where({ author: 'u1' })
    .where({ author: 5 })
    .where({ editor: { not: undefined } });
  from(Post)
    .where({ createdAt: { gt: new Date() } })
    .where({ createdAt: new Date() });
  from(Post)
    .where({ title: { in: ['a', null] } })
    .where({ title: { not: null } });
  from(Membership)
    .where({ role: 'lead' })
    .where({ role: { in: ['lead', 'member'] } });
  items
    .where({ dec: new Decimal() })
    .where({ dec: { gt: new Decimal() } })
    .where({ price: new Money(1) })
    .where({ price: { lt: new Money(1) } })
    .where({ plain: { lt: new Plain(1) } })
    .where({ plain: new Plain(3) });
  items
    .where({ at: null })
    .where({ at: { lt: any as T.Instant } })
    .where({ big: { gt: 1n } })
    .where({ some: 'x' })
    .where({ some: { gt: 5 } })
    .where({ loose: { in: [1] } })
    .where({ loose: 'a' })
    .where({ level: undefined })
    .where({ ref: user })
    .where({ ref: { in: ['a'] } })
    .where({ mixed: 'a' })
    .where({ brand: 'x' as Brand });
  items.where({ level: any as 'a' | 'b' | undefined });
  const dynamic: Record<string, string> = {};
  from(Post).where(dynamic as never);
  const cond = { published: true } as const;
  from(Post).where(cond);
  const cond2: { published?: boolean } = {};
  from(Post).where(cond2);
  from(Post).where(maybe === undefined ? {} : { title: maybe });
  from(Post).where({ ...(maybe !== undefined && { title: maybe }), published: true });
  from(Post).where({ title: arg('t'), votes: { gte: arg('v'), lt: 9 } });
  from(Post).where({ tags: arg('x') });
  from(Post).where((p) => p.tags.some((t) => t.label === 'a'));
  from(Post).where((p, { n }: { readonly n: number }) => p.votes > n);
  from(Post).where((p) => p.title);
  from(Post).where((p) => p.editor);
  from(Post).where((p): unknown => p.title);
  from(Post).where((p) => {
    if (p.votes > 1) return true;
    return undefined;
  });
  from(Post).where(() => {
    throw new Error('x');
  });
  from(Post).where((p) => (p.published ? undefined : p.title));
});

test('windows', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  controller.get(from(Post).orderBy('votes').after(post).limit(5).offset(2));
  controller.get(from(Post).orderBy('votes').after(arg('last')).limit(arg('n')), { last: undefined, n: 5 });
  controller.get(from(Post).orderBy('votes').after(arg('last')).limit(arg('n')), { n: 5 });
});

test('select & distinct', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  const sel = from(Post)
    .where({ published: true })
    .select(({ id, author }) => ({ id, name: author.name }))
    .limit(5)
    .orderBy('votes');
  from(sel)
    .where({ name: 'Ann' })
    .select((r) => r.name)
    .count();
  controller.get(sel)?.[0]?.name.length;
  distinct(from(Post).select((p) => p.author.name)).count();
  distinct(from(Post).select((p) => p.tags));
  controller.get(distinct(from(Post).select((p) => p.title)))?.map((t) => t?.length);
});

test('groups', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  const g = from(Post).groupBy('author', {
    n: count(),
    open: count((p) => p.published),
    sum: sum((p) => p.votes),
    avg: avg((p) => p.votes),
    lo: min((p) => p.createdAt),
    hi: max((p) => p.title),
    f: first(),
    l: last((p) => p.id),
    all: collect(),
    ids: collect((p) => p.id),
  });
  const [row] =
    controller.get(
      g
        .where({ n: { gt: 1 } })
        .orderBy('n', 'desc')
        .where((x) => x.avg !== undefined),
    ) ?? [];
  row?.author.name;
  row?.n.toFixed();
  row?.f.title;
  row?.l.length;
  row?.all[0]?.title;
  row?.ids[0]?.length;
  row?.lo?.getTime();
  row?.hi?.length;
  from(Post)
    .groupBy((p) => p.createdAt.getFullYear(), { n: count() })
    .select((x) => x.key + x.n);
  from(Post).groupBy('tags', { n: count() });
  from(Post)
    .groupBy((p) => [p.votes, p.title] as const, { n: count() })
    .select((x) => x.key[0]);
  items.groupBy('level', {
    a: min((i) => i.price),
    b: max((i) => i.plain),
    c: min((i) => i.at),
    d: max((i) => i.some),
    e: min((i) => i.loose),
  });
  from(Post)
    .select((p) => ({ year: p.createdAt.getFullYear(), votes: p.votes }))
    .groupBy('year', { n: sum((x) => x.votes) });
  from(User)
    .with({ n: User.posts.count() })
    .groupBy((u) => u.n, { users: count(), f: first() })
    .select((x) => x.f.n + x.key);
  from(g).groupBy('n', { authors: count() });
  from(Post).groupBy('votes', { n: count<Post>((p) => p.published), m: max<Post, string | null>((p) => p.title) });
});

test('joins', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  const j = from(Post)
    .join('comment', Comment, on('id', 'postId'))
    .leftJoin(
      'writer',
      User,
      on((r) => r.comment.userId, 'id'),
    );
  controller.get(j)?.map((r) => [r.title, r.comment.text, r.writer?.name]);
  j.where((r) => r.comment.userId > 1)
    .orderBy((r) => r.writer?.name)
    .groupBy((r) => r.comment.id, { n: count() });
  from(Post).join('who', User, on('author', 'id')).join('u2', User, on('editor', 'id'));
  from(Post).join('c', from(Comment).where({ userId: arg('u') }), on('id', 'postId'));
  from(Post).join('same', from(Post), on('votes', 'votes')).join('d', Post, on('createdAt', 'createdAt'));
  from(from(Post).limit(3))
    .join(
      'c',
      Comment,
      on(
        (p) => p.id,
        (c) => c.postId,
      ),
    )
    .select((r) => r.c.id);
  from(Post).leftJoin(
    'editor',
    User,
    on((p) => p.votes, 'id'),
  );
});

test('with', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  const w = from(User).with({
    posts: User.posts.orderBy('votes').limit(3).with({ comments: Post.comments }),
    n: User.posts.count(),
    one: User.posts.one(),
    any: User.posts.exists(),
    teams: User.teams,
    global: from(Tag),
    count: from(Post).count(),
  });
  controller
    .get(w)
    ?.map((u) => [
      u.name,
      u.posts[0]?.comments[0]?.text,
      u.n.toFixed(),
      u.one?.title,
      u.any,
      u.teams.length,
      u.global.length,
      u.count,
    ]);
  w.where({ name: 'a' }).orderBy('age').limit(2).one();
  type Row = Denormalize<typeof w>[number];
  expectTypeOf<Row['posts'][number]['comments'][number]['text']>().toEqualTypeOf<string>();
  from(w)
    .where((u) => u.n > 1)
    .orderBy('n')
    .with({ more: User.posts });
  // oxlint-disable-next-line no-misused-spread -- the copy is a plain record
  w.select((u) => ({ ...u, extra: u.n }));
  from(Team).with({ links: Team.links.with({ user: Membership.user }), members: Team.members });
  from(Comment).with({ user: Comment.user, above: Comment.above, below: Comment.below.count() });
  from(File).with({ owner: File.owner });
  User.posts.with({ comments: Post.comments.where({ text: arg('t') }) });
  from(User).with({ p: User.posts.groupBy('published', { n: count() }) });
  from(User).with({ p: User.posts.select((p) => p.title) });
  from(User).with({ p: from(User.posts).where({ published: true }) });
  class Author extends Entity {
    id = '';
    books: readonly Book[] = [];
    static override key = 'A';
    static override schema = { books: hasMany(() => Book, 'authorId') };
  }
  class Book extends Entity {
    id = '';
    authorId = '';
    static override key = 'B';
  }
  from(Author).with({ books: hasMany(() => Book, { authorId: 'id' }).limit(1) });
});

test('relations', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  hasMany(() => Post, 'tags');
  hasMany(() => Post, { title: 'name' });
  hasMany(
    () => Post,
    (p) => p.title?.split('/')[0],
  );
  hasMany(
    () => Post,
    (p) => p.tags.map((t) => t.id),
  );
  hasMany(
    () => Post,
    (p) => p.editor,
  );
  hasMany(() => Item, 'ref');
  hasMany(() => Item, 'some');
  hasMany(() => Item, 'loose');
  hasMany(() => Item, 'level');
  hasMany(
    () => Item,
    (i) => i.loose,
  );
  hasMany(
    () => Item,
    (i): unknown => i.loose,
  );
  hasMany(Post, 'author').where({ published: true }).orderBy('createdAt', 'desc');
  belongsTo(User, 'ownerId');
  belongsTo(
    () => User,
    (x: { a: string }) => x.a.split('-')[0],
  );
  belongsTo({ u: User, t: () => Team }, 'kind', 'id');
  ancestors(() => Comment, 'parentId').where({ userId: 1 });
  descendants(() => Comment, 'parentId').limit(4);
  hasMany(
    () => Team,
    through(() => Membership, 'userId', 'teamId'),
  ).orderBy('title');
  const Mixed = EntityMixin(
    class {
      id = '';
      name = '';
    },
    { key: 'M' },
  );
  from(Mixed).where({ name: 'a' }).orderBy('name');
  abstract class Base extends Entity {
    id = '';
    kind = '';
  }
  from(Base).where({ kind: 'x' });
  from(new Collection([Post]))
    .where({ votes: 1 })
    .orderBy('title');
  from(new Collection(new Values(Post))).orderBy('title');
  from(posts.getList.schema).where({ votes: 1 });
});

test('reading', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  controller.get(User.posts, user)?.length;
  controller.get(User.posts, 'u1');
  controller.get(User.posts, 5);
  controller.get(User.posts.one(), user)?.title;
  controller.get(User.posts.count(), user)?.toFixed();
  controller.get(Comment.user, comment)?.name;
  controller.get(Comment.user, { userId: 1 });
  controller.get(File.owner, { ownerType: 'user', ownerId: '1' });
  controller.get(explain(User.posts), user)?.steps;
  controller.get(explain(from(Post)))?.scanned;
  relationsOf([User, Post, Comment]);
  toMermaid(new Set([User, Post]));
  useQuery(User.posts.where({ votes: { gt: arg('n') } }), user, { n: 5 })?.map((p) => p.title);
  useQuery(User.posts, null);
  const l1 = User.posts.loadedBy(getPostsOf, ({ author }) => [author]);
  useSuspense(l1, { author: 'u' }).map((p) => p.title);
  const l2 = from(Post).orderBy('votes').loadedBy(posts.getList);
  useSuspense(l2).length;
  useDLE(l2, { author: 'x' }).data?.length;
  from(User).loadedBy(posts.getList);
  from(Tag).loadedBy(posts.getList);
  from(Post).loadedBy(posts.get);
  from(Post).with({ comments: Post.comments }).loadedBy(comments.getList);
  from(Post).count().loadedBy(posts.getList);
  from(Post).groupBy('votes', { n: count() }).loadedBy(posts.getList);
  from(Post).join('c', Comment, on('id', 'postId')).loadedBy(comments.getList);
  from(Post).loadedBy(search);
  from(Comment)
    .where({ postId: arg('postId') })
    .loadedBy(comments.getList, ({ postId }) => [{ postId: String(postId) }]);
  const wrapped = new RestEndpoint({ path: '/page', schema: { items: new Collection([Post]), total: Number } });
  from(Post).loadedBy(wrapped);
  from(User).loadedBy(wrapped);
  from(Post).loadedBy(new Endpoint(async () => any, { schema: any }));
  from(User).loadedBy(new Endpoint(async () => any, { schema: new Union({ a: User, b: Team }, 'id') }));
  from(Post).loadedBy(new Endpoint(async () => any, { schema: new Values(Post) }));
  expectTypeOf(generic).toBeFunction();
  function generic<C extends typeof Entity & (new () => { votes: number; pk(): string })>(c: C) {
    return from(c);
  }
  function rows(q: { orderBy(by: 'votes'): unknown }) {
    return q;
  }
  rows(from(Post));
});

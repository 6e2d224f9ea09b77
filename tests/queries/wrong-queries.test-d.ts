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
  last,
  min,
  on,
  sum,
  relationsOf,
  toMermaid,
  type Controller,
  Collection,
  Values,
  Endpoint,
} from 'rejoin';
import {
  User,
  Tag,
  Post,
  Comment,
  Team,
  Membership,
  File,
  users,
  posts,
  comments,
  getPostsOf,
  createPost,
} from './programs.ts';

declare const controller: Controller;
declare const user: User;
declare const post: Post;
declare const comment: Comment;
declare const team: Team;

// Each of these programs is wrong, and does not compile.

test('orderBy', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  // @ts-expect-error -- an array has no order
  from(Post).orderBy('tags');
  // @ts-expect-error -- a record has no order
  from(Post).orderBy('byLang');
  // @ts-expect-error -- an optional function field
  from(Post).orderBy('format');
  // @ts-expect-error -- list of texts
  from(Post).orderBy('labels');
  // @ts-expect-error -- a method
  from(User).orderBy('greet');
  // @ts-expect-error -- key is array
  from(Post).orderBy((p) => p.tags);
  // @ts-expect-error -- key tuple
  from(Post).orderBy((p) => [p.votes, p.title]);
  // @ts-expect-error -- direction
  from(Post).orderBy('votes', { direction: 'down' });
  // @ts-expect-error -- nulls
  from(Post).orderBy('votes', { nulls: 'end' });
  // @ts-expect-error -- typo in options
  from(Post).orderBy('votes', { colation: undefined });
  // @ts-expect-error -- path of field
  from(Post).orderBy('author.name');
  // @ts-expect-error -- nothing
  from(Post).orderBy();
  // @ts-expect-error -- list of fields
  from(Post).orderBy(['votes', 'title']);
  // @ts-expect-error -- third
  from(Post).orderBy('votes', 'desc', 'title');
  // @ts-expect-error -- class
  from(Post).orderBy(Post);
  // @ts-expect-error -- undefined
  from(Post).orderBy(undefined);
});

test('where objects', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  // @ts-expect-error -- text gt number
  from(Post).where({ votes: { gt: 'a' } });
  // @ts-expect-error -- gt null
  from(Post).where({ votes: { gt: null } });
  // @ts-expect-error -- in number
  from(Post).where({ votes: { in: 5 } });
  // @ts-expect-error -- in texts
  from(Post).where({ votes: { in: ['a'] } });
  // @ts-expect-error -- not text
  from(Post).where({ votes: { not: 'a' } });
  // @ts-expect-error -- unknown comparison
  from(Post).where({ votes: { greater: 1 } });
  // @ts-expect-error -- number for text
  from(Post).where({ title: 1 });
  // @ts-expect-error -- text for boolean
  from(Post).where({ published: 'true' });
  // @ts-expect-error -- nested condition
  from(Post).where({ author: { name: 'Ann' } });
  // @ts-expect-error -- boolean for ref
  from(Post).where({ author: true });
  // @ts-expect-error -- record of another class
  from(Post).where({ author: post });
  // @ts-expect-error -- text for date
  from(Post).where({ createdAt: '2020-01-01' });
  // @ts-expect-error -- null for number
  from(Post).where({ votes: null });
  // @ts-expect-error -- text for list
  from(Post).where({ tags: 'a' });
  // @ts-expect-error -- list gt text
  from(Post).where({ tags: { gt: 'a' } });
  // @ts-expect-error -- typo beside right
  from(Post).where({ published: { gt: false }, tittle: 'a' });
  // @ts-expect-error -- order of lists
  from(Post).where({ tags: { gt: [] } });
  // @ts-expect-error -- method
  from(User).where({ greet: 'a' });
  // @ts-expect-error -- not in union
  from(Membership).where({ role: 'boss' });
  // @ts-expect-error -- not in union
  from(Membership).where({ role: { in: ['lead', 'boss'] } });
  // @ts-expect-error -- not in union
  from(Membership).where({ role: { not: 'boss' } });
  // @ts-expect-error -- list
  from(Post).where([{ votes: 1 }]);
  // @ts-expect-error -- text
  from(Post).where('votes');
  // @ts-expect-error -- two args
  from(Post).where('votes', 1);
  // @ts-expect-error -- boolean
  from(Post).where(true);
  // @ts-expect-error -- function value
  from(Post).where({ votes: () => 1 });
  // @ts-expect-error -- path
  from(Post).where({ 'author.name': 'a' });
});

test('predicates', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  // @ts-expect-error -- typo
  from(Post).where((p) => p.vote > 1);
  // @ts-expect-error -- comparison types
  from(Post).where((p) => p.votes > 'a');
  // @ts-expect-error -- no return
  from(Post).where((p) => {
    p.votes > 1;
  });
  // @ts-expect-error -- arg type
  from(Post).where((p, a: { readonly n: string }) => p.votes > a.n);
  // @ts-expect-error -- uncalled method
  from(User).where((u) => u.greet);
  // @ts-expect-error -- three params
  from(Post).where((_a, _b, _c) => true);
});

test('after, limit, offset', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  // @ts-expect-error -- another class
  from(Post).after(user);
  // @ts-expect-error -- pk
  from(Post).after('5');
  // @ts-expect-error -- plain
  from(Post).after({ id: '5' });
  // @ts-expect-error -- text
  from(Post).limit('5');
  // @ts-expect-error -- nothing
  from(Post).limit();
  // @ts-expect-error -- null
  from(Post).limit(null);
  // @ts-expect-error -- object
  from(Post).limit({ count: 5 });
  // @ts-expect-error -- another type
  from(Post).offset('5');
  // @ts-expect-error -- another type
  from(Post).offset(true);
  // @ts-expect-error -- function
  from(Post).limit((a: { size: number }) => a.size);
});

test('select, distinct', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  // @ts-expect-error -- field name
  from(Post).select('title');
  // @ts-expect-error -- typo
  from(Post).select((p) => p.titel);
  // @ts-expect-error -- not this number of arguments
  from(Post).select();
  // @ts-expect-error -- another type
  from(Post).select({ title: true });
  // @ts-expect-error -- typo after select of row
  from(Post).select((p) => ({ id: p.id })).where({ titel: 'a' }); // prettier-ignore
  // @ts-expect-error -- not selected
  from(from(Post).select((p) => ({ id: p.id }))).orderBy('title');
  // @ts-expect-error -- class
  distinct(Post);
  // @ts-expect-error -- not this number of arguments
  distinct();
  // @ts-expect-error -- with after select
  from(Post).select((p) => p.id).with({ comments: Post.comments }); // prettier-ignore
  // @ts-expect-error -- select twice
  from(Post).select((p) => p.id).select((p) => p); // prettier-ignore
  // @ts-expect-error -- OK function
  from(Post).select((p) => async () => p);
});

test('groupBy', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  // @ts-expect-error -- no aggregates
  from(Post).groupBy('votes');
  // @ts-expect-error -- empty
  from(Post).groupBy('votes', {});
  // @ts-expect-error -- typo
  from(Post).groupBy('vote', { n: count() });
  // @ts-expect-error -- number
  from(Post).groupBy('votes', { n: 1 });
  // @ts-expect-error -- uncalled
  from(Post).groupBy('votes', { n: count });
  // @ts-expect-error -- sum of text
  from(Post).groupBy('votes', { n: sum((p) => p.title) });
  // @ts-expect-error -- typo
  from(Post).groupBy('votes', { n: sum((p) => p.vote) });
  // @ts-expect-error -- field name
  from(Post).groupBy('votes', { n: sum('votes') });
  // @ts-expect-error -- no fn
  from(Post).groupBy('votes', { n: sum() });
  // @ts-expect-error -- avg of dates
  from(Post).groupBy('votes', { n: avg((p) => p.createdAt) });
  // @ts-expect-error -- avg of boolean
  from(Post).groupBy('votes', { n: avg((p) => p.published) });
  // @ts-expect-error -- min nothing
  from(Post).groupBy('votes', { n: min() });
  // @ts-expect-error -- min of list
  from(Post).groupBy('votes', { n: min((p) => p.tags) });
  // @ts-expect-error -- row of another class
  from(Post).groupBy('votes', { n: count((u: User) => u.isAdmin) });
  // @ts-expect-error -- two keys
  from(Post).groupBy(['votes', 'title'], { n: count() });
  // @ts-expect-error -- not this number of arguments
  from(Post).groupBy('votes', 'title', { n: count() });
  // @ts-expect-error -- key name
  from(Post).groupBy('votes', { votes: count() });
  // @ts-expect-error -- key name
  from(Post).groupBy((p) => p.votes, { key: count() });
  // @ts-expect-error -- not a field of group
  from(Post).groupBy('votes', { n: count() }).where({ title: 'a' });
  // @ts-expect-error -- another type
  from(Post).groupBy('votes', { n: count() }).orderBy('title');
  // @ts-expect-error -- type
  from(Post).groupBy('votes', { n: count() }).where({ n: 'a' });
  // @ts-expect-error -- having typo
  from(Post).groupBy('votes', { n: count() }).where((g) => g.m > 1); // prettier-ignore
  // @ts-expect-error -- no such member
  from(Post).groupBy('votes', { n: count() }).select((g) => g.title); // prettier-ignore
  // @ts-expect-error -- no such member
  from(Post).groupBy('votes', { f: first() }).select((g) => g.f.titel); // prettier-ignore
  // @ts-expect-error -- no such member
  from(Post).groupBy('votes', { f: collect() }).select((g) => g.f.length.x); // prettier-ignore
  // @ts-expect-error -- no such member
  from(Post).groupBy('votes', { l: last((p) => p.titel) });
  // @ts-expect-error -- another type
  from(Post).groupBy('votes', { n: count() }).with({ comments: Post.comments });
  // @ts-expect-error -- record is no group
  from(Post).groupBy('votes', { n: count() }).after(post);
});

test('join', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  // @ts-expect-error -- another type
  from(Post).join('comment', Comment, on('id', 'greet'));
  // @ts-expect-error -- method
  from(User).join('post', Post, on('greet', 'id'));
  // @ts-expect-error -- list and text (does it work at run time?)
  from(Post).join('c', Comment, on('tags', 'id'));
  // @ts-expect-error -- boolean text
  from(Post).join('c', Comment, on('published', 'id'));
  // @ts-expect-error -- date text
  from(Post).join('c', Comment, on('createdAt', 'id'));
  // @ts-expect-error -- object text
  from(Post).join('c', Comment, on('meta', 'id'));
  // @ts-expect-error -- name shadows field
  from(Post).join('votes', Comment, on('id', 'postId'));
  // @ts-expect-error -- name shadows method
  from(User).join('greet', Comment, on('id', 'userId'));
  // @ts-expect-error -- name shadows pk
  from(User).join('pk', Comment, on('id', 'userId'));
  // @ts-expect-error -- another type
  from(Post).leftJoin('votes', Comment, on('id', 'postId'));
  // @ts-expect-error -- no on
  from(Post).join('c', Comment);
  // @ts-expect-error -- another type
  from(Post).join('c', Comment, 'id');
  // @ts-expect-error -- predicate
  from(Post).join('c', Comment, (p, c) => p.id === c.postId);
  // @ts-expect-error -- no name
  from(Post).join(Comment, on('id', 'postId'));
  // @ts-expect-error -- text
  from(Post).join('c', 'Comment', on('id', 'postId'));
  // @ts-expect-error -- endpoint
  from(Post).join('c', posts.getList, on('id', 'postId'));
  // @ts-expect-error -- relation
  from(Post).join('c', Post.comments, on('id', 'postId'));
  // @ts-expect-error -- one
  from(Post).join('c', from(Comment).one(), on('id', 'postId'));
  // @ts-expect-error -- count
  from(Post).join('c', from(Comment).count(), on('id', 'postId'));
  // @ts-expect-error -- no such member
  from(Post).join('c', Comment, on('id', 'postId')).where({ c: 5 }).select((r) => r.d); // prettier-ignore
  // @ts-expect-error -- no such member
  from(Post).join('c', Comment, on('id', 'postId')).select((r) => r.c.title); // prettier-ignore
  // @ts-expect-error -- may be undefined
  from(Post).leftJoin('c', Comment, on('id', 'postId')).select((r) => r.c.text); // prettier-ignore
  // @ts-expect-error -- typo in fn
  from(Post).join('c', Comment, on((p) => p.idd, 'postId')); // prettier-ignore
  // @ts-expect-error -- one arg
  from(Post).join('c', Comment, on('id'));
  // @ts-expect-error -- name twice
  from(Post).join('c', Comment, on('id', 'postId')).join('c', User, on('author', 'id'));
});

test('with', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  // @ts-expect-error -- class
  from(User).with({ posts: Post });
  // @ts-expect-error -- endpoint
  from(User).with({ posts: posts.getList });
  // @ts-expect-error -- of tags
  from(User).with({ posts: Tag.posts });
  // @ts-expect-error -- of posts
  from(User).with({ posts: Post.comments });
  // @ts-expect-error -- unnamed
  from(User).with(User.posts);
  // @ts-expect-error -- list
  from(User).with([User.posts]);
  // @ts-expect-error -- thunk
  from(User).with({ posts: () => User.posts });
  // @ts-expect-error -- text
  from(User).with({ posts: 'posts' });
  // @ts-expect-error -- shadows field
  from(User).with({ name: User.posts });
  // @ts-expect-error -- shadows method
  from(User).with({ greet: User.posts });
  // @ts-expect-error -- shadows pk
  from(User).with({ pk: User.posts });
  // @ts-expect-error -- shadows getter
  from(User).with({ initial: User.posts });
  // @ts-expect-error -- name twice
  from(User).with({ p: User.posts }).with({ p: User.comments });
  // @ts-expect-error -- nested, wrong owner
  from(User).with({ p: User.posts.with({ author: User.posts }) });
  // @ts-expect-error -- where sees no added fields
  from(User).with({ p: User.posts }).where((u) => u.p.length > 0); // prettier-ignore
  // @ts-expect-error -- another type
  from(User).with({ p: User.posts }).orderBy('p');
  // @ts-expect-error -- another type
  from(User).with({ p: User.posts.where({ vote: 1 }) });
  // @ts-expect-error -- owner of through is user
  from(Team).with({ m: User.teams });
  // @ts-expect-error -- another type
  from(User).with({ t: Team.members });
  // @ts-expect-error -- fields missing
  from(Comment).with({ owner: File.owner });
  // @ts-expect-error -- field missing
  from(Post).with({ user: Comment.user });
  // @ts-expect-error -- not this number of arguments
  from(User).with();
  // @ts-expect-error -- collection
  from(User).with({ n: new Collection([Post]) });
  // @ts-expect-error -- another type
  from(User).one().with({ posts: Tag.posts });
});

test('from', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  // @ts-expect-error -- record
  from(user);
  // @ts-expect-error -- list
  from([Post]);
  // @ts-expect-error -- text
  from('Post');
  // @ts-expect-error -- endpoint
  from(posts.getList);
  // @ts-expect-error -- another type
  from(from(Post).count());
  // @ts-expect-error -- another type
  from(from(Post).exists());
  // @ts-expect-error -- not this number of arguments
  from();
  // @ts-expect-error -- not an entity class
  from(Date);
  // @ts-expect-error -- not an entity
  from(class { id = ''; }); // prettier-ignore
  // @ts-expect-error -- another type
  from({ Post });
  // @ts-expect-error -- belongsTo
  from(Comment.user);
  // @ts-expect-error -- another type
  from(new Values(Post)).where({ vote: 1 });
});

test('reading', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  // @ts-expect-error -- no owner
  controller.get(User.posts);
  // @ts-expect-error -- other class
  controller.get(User.posts, team);
  // @ts-expect-error -- plain object
  controller.get(User.posts, { id: '5' });
  // @ts-expect-error -- no named args
  controller.get(User.posts, user, { x: 1 });
  // @ts-expect-error -- no args
  controller.get(from(Post), { x: 1 });
  // @ts-expect-error -- missing args
  controller.get(from(Post).where({ votes: arg('v') }));
  // @ts-expect-error -- type
  controller.get(from(Post).where({ votes: arg('v') }), { v: 'a' });
  // @ts-expect-error -- name
  controller.get(from(Post).where({ votes: arg('v') }), { w: 1 });
  // @ts-expect-error -- extra name
  controller.get(from(Post).where({ votes: arg('v') }), { v: 1, w: 1 });
  // @ts-expect-error -- list
  controller.get(from(Post).where({ votes: { in: arg('v') } }), { v: 1 });
  // @ts-expect-error -- class
  controller.get(from(Post).where({ author: arg('v') }), { v: post });
  // @ts-expect-error -- another type
  controller.get(from(Post).limit(arg('v')), { v: '1' });
  // @ts-expect-error -- another type
  controller.get(from(Post).after(arg('v')), { v: user });
  // @ts-expect-error -- another type
  controller.get(from(Post).where((p, a: { readonly n: number }) => p.votes > a.n), { n: 'a' }); // prettier-ignore
  // @ts-expect-error -- conflicting types of an arg
  controller.get(from(Post).where({ votes: arg('a') }).where({ title: arg('a') }), { a: 1 }); // prettier-ignore
  // @ts-expect-error -- no field
  controller.get(Comment.user, { id: 1 });
  // @ts-expect-error -- pk has no field
  controller.get(Comment.user, 'c1');
  // @ts-expect-error -- other class w/o field
  controller.get(Comment.user, user);
  // @ts-expect-error -- another type
  controller.get(File.owner, comment);
  // @ts-expect-error -- another type
  controller.get(Post, { vote: 1 });
  // @ts-expect-error -- another type
  controller.get(Post, { id: true });
  // @ts-expect-error -- another type
  controller.get(Post);
  // @ts-expect-error -- endpoint
  controller.get(posts.get, { id: '5' });
  // @ts-expect-error -- another type
  controller.get(Post, { id: '5' }, 'x');
  // @ts-expect-error -- another type
  controller.get([Post]);
  // @ts-expect-error -- no such member
  controller.get(User.posts.one(), user)?.map((p) => p);
  // @ts-expect-error -- no such member
  controller.get(User.posts.count(), user)?.length;
  // @ts-expect-error -- may be undefined
  controller.get(User.posts.exists(), user) + 1;
  // @ts-expect-error -- possibly undefined
  controller.get(User.posts, user)?.[0].title;
  // @ts-expect-error -- another type
  controller.get(User.posts, user)?.push(post);
  // @ts-expect-error -- another type
  controller.get(User.teams, team);
  // @ts-expect-error -- another type
  controller.get(Team.members, user);
  // @ts-expect-error -- another type
  controller.get(Comment.above, user);
  // @ts-expect-error -- another type
  controller.get(explain(Post));
  // @ts-expect-error -- another type
  controller.get(explain(posts.getList));
  // @ts-expect-error -- owner
  controller.get(explain(User.posts));
  // @ts-expect-error -- another type
  controller.get(explain(from(Post).where({ votes: arg('v') })), { v: 'x' });
  // @ts-expect-error -- no list
  relationsOf(Post);
  // @ts-expect-error -- another type
  relationsOf([post]);
  // @ts-expect-error -- another type
  relationsOf([users]);
  // @ts-expect-error -- another type
  toMermaid('Post');
});

test('loadedBy', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  // @ts-expect-error -- another class
  from(Post).loadedBy(users.getList);
  // @ts-expect-error -- another class
  from(Post).loadedBy(users.get, () => []);
  // @ts-expect-error -- another class
  User.posts.loadedBy(comments.getList, ({ postId }) => [postId]);
  // @ts-expect-error -- no such arg
  from(Post).where({ votes: arg('v') }).loadedBy(posts.getList); // prettier-ignore
  // @ts-expect-error -- needs function
  User.posts.loadedBy(posts.getList);
  // @ts-expect-error -- another type
  User.posts.loadedBy(posts.getList, () => []);
  // @ts-expect-error -- another type
  User.posts.loadedBy(posts.getList, () => [5, 5]);
  // @ts-expect-error -- no such member
  User.posts.loadedBy(getPostsOf, ({ autor }) => [autor]);
  // @ts-expect-error -- mutation
  from(Post).loadedBy(createPost);
  // @ts-expect-error -- another type
  from(Post).loadedBy(posts.partialUpdate);
  // @ts-expect-error -- another type
  from(Post).loadedBy(Post);
  // @ts-expect-error -- plain function
  from(Post).loadedBy(async () => []);
  // @ts-expect-error -- class
  from(Post).loadedBy(new Endpoint(async () => ({ id: '1' }), { schema: Comment }));
  // @ts-expect-error -- no schema
  from(Post).loadedBy(new Endpoint(async () => [] as object[]));
});

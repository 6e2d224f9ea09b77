import { expectTypeOf, test } from 'vitest';
import {
  arg,
  count,
  from,
  hasMany,
  belongsTo,
  through,
  ancestors,
  descendants,
  type Controller,
  Collection,
  Query,
  All,
  Union,
  resource,
  RestEndpoint,
} from 'rejoin';
import {
  useQuery,
  useSuspense,
  useDLE,
  useFetch,
  useLive,
  useCache,
  useMutation,
  useInfinite,
  useSubscription,
} from 'rejoin/react';
import { User, Post, Comment, Team, Membership, posts, comments, getPostsOf, search, createPost } from './programs.ts';

declare const controller: Controller;
declare const user: User;
declare const post: Post;
declare const team: Team;

// Each of these programs is wrong, and does not compile.

test('relations', () => {
  expectTypeOf(from(Post)).not.toBeAny();
  // @ts-expect-error -- typo
  hasMany(Post, 'autor');
  // @ts-expect-error -- method
  hasMany(() => Post, 'pk');
  // @ts-expect-error -- another type
  hasMany(() => Post, 'votes2');
  // @ts-expect-error -- number
  hasMany(() => Post, { author: 1 });
  // @ts-expect-error -- another type
  hasMany(() => Post, { autor: 'id' });
  // @ts-expect-error -- empty
  hasMany(() => Post, {});
  // @ts-expect-error -- no path
  hasMany(() => Post);
  // @ts-expect-error -- text
  hasMany('Post', 'author');
  // @ts-expect-error -- list
  hasMany(() => [Post], 'author');
  // @ts-expect-error -- typo
  hasMany(() => Post, (p) => p.autor); // prettier-ignore
  // @ts-expect-error -- list
  hasMany(() => Post, ['author']);
  // @ts-expect-error -- date no pk
  hasMany(() => Post, 'createdAt');
  // @ts-expect-error -- boolean no pk
  hasMany(() => Post, 'published');
  // @ts-expect-error -- promise
  hasMany(() => Post, async (p) => p.id); // prettier-ignore
  // @ts-expect-error -- boolean
  hasMany(() => Post, (p) => p.published); // prettier-ignore
  // @ts-expect-error -- options
  hasMany(() => Post, 'author', { orderBy: 'votes' });
  // @ts-expect-error -- another type
  hasMany(() => Team, through(() => Membership, 'user', 'teamId')); // prettier-ignore
  // @ts-expect-error -- another type
  hasMany(() => Team, through(() => Membership, 'userId', 'team')); // prettier-ignore
  // @ts-expect-error -- not this number of arguments
  hasMany(() => Team, through(() => Membership, 'userId')); // prettier-ignore
  // @ts-expect-error -- another type
  hasMany(() => Team, through('Membership', 'userId', 'teamId'));
  // @ts-expect-error -- method
  hasMany(() => Team, through(() => Membership, 'role', 'pk')); // prettier-ignore
  // @ts-expect-error -- another type
  ancestors(() => Comment, 'parent');
  // @ts-expect-error -- another type
  descendants(() => Comment, 'pk');
  // @ts-expect-error -- not this number of arguments
  ancestors(() => Comment);
  // @ts-expect-error -- boolean parent
  descendants(() => Post, 'published');
  // @ts-expect-error -- not this number of arguments
  belongsTo(() => User);
  // @ts-expect-error -- another type
  belongsTo('User', 'userId');
  // @ts-expect-error -- another type
  belongsTo(() => User, 5);
  // @ts-expect-error -- another type
  belongsTo(() => User, ['userId']);
  // @ts-expect-error -- kinds with one field
  belongsTo({ user: () => User }, 'ownerId');
  // @ts-expect-error -- another type
  belongsTo({ user: 'User' }, 'ownerType', 'ownerId');
  // @ts-expect-error -- third
  belongsTo(() => User, 'userId', 'x');
  // @ts-expect-error -- record
  belongsTo(() => user, 'userId');
  // @ts-expect-error -- another type
  User.posts.where({ vote: 1 });
  // @ts-expect-error -- another type
  User.posts.orderBy('tags');
  // @ts-expect-error -- another type
  User.posts.groupBy('vote', { n: count() });
});

test('hooks', () => {
  expectTypeOf(Post).not.toBeAny();
  // @ts-expect-error -- endpoint
  void useQuery(posts.getList);
  // @ts-expect-error -- another type
  useQuery(User.posts);
  // @ts-expect-error -- another type
  useQuery(User.posts, team);
  // @ts-expect-error -- another type
  useQuery(User.posts, user, { a: 1 });
  // @ts-expect-error -- another type
  useQuery(from(Post).where({ votes: arg('v') }), { v: 'a' });
  // @ts-expect-error -- another type
  useQuery(from(Post).where({ votes: arg('v') }));
  // @ts-expect-error -- no such member
  useQuery(from(Post))?.map((p) => p.titel);
  // @ts-expect-error -- undefined
  useQuery(from(Post)).map((p) => p);
  // @ts-expect-error -- no such member
  useQuery(from(Post).with({ c: Post.comments }))?.[0]?.c.map((c) => c.title);
  // @ts-expect-error -- another type
  useQuery(Post, { vote: 1 });
  // @ts-expect-error -- another type
  useQuery(Post);
  // @ts-expect-error -- another type
  useQuery('Post');
  // @ts-expect-error -- another type
  useQuery([Post]);
  // @ts-expect-error -- query
  useSuspense(from(Post));
  // @ts-expect-error -- another type
  useSuspense(Post, { id: '1' });
  // @ts-expect-error -- another type
  useSuspense(posts.get);
  // @ts-expect-error -- another type
  useSuspense(posts.get, { idd: '5' });
  // @ts-expect-error -- another type
  useSuspense(posts.get, '5');
  // @ts-expect-error -- extra
  useSuspense(posts.get, { id: '5', x: 1 });
  // @ts-expect-error -- another type
  useSuspense(posts.getList, { autor: 'x' });
  // @ts-expect-error -- another type
  useSuspense(posts.getList, { page: 'x' });
  // @ts-expect-error -- another type
  useSuspense(comments.getList);
  // @ts-expect-error -- another type
  useSuspense(comments.getList, {});
  // @ts-expect-error -- another type
  useSuspense(posts.create, { title: 'a' });
  // @ts-expect-error -- no such member
  useSuspense(posts.get, { id: '5' }).titel;
  // @ts-expect-error -- no such member
  useSuspense(posts.get, { id: '5' }).author.nam;
  // @ts-expect-error -- type conflict number/text
  useSuspense(from(Post).where({ votes: arg('author') }).loadedBy(getPostsOf), { author: 'x' }); // prettier-ignore
  // @ts-expect-error -- another type
  useDLE(posts.get);
  // @ts-expect-error -- maybe undefined
  useDLE(posts.get, { id: '5' }).data.title;
  // @ts-expect-error -- another type
  useDLE(posts.update, { id: '5' }, {});
  // @ts-expect-error -- may be undefined
  useDLE(posts.getList).data?.[0].title;
  // @ts-expect-error -- another type
  useLive(createPost, { title: 'a' });
  // @ts-expect-error -- another type
  useCache(posts.get);
  // @ts-expect-error -- may be undefined
  useCache(posts.get, { id: '5' }).title;
  // @ts-expect-error -- another type
  void useFetch(posts.create, {});
  // @ts-expect-error -- another type
  useSubscription(posts.get);
  // @ts-expect-error -- another type
  void useMutation(posts.update).mutate({ id: '5' }, { titel: 'x' });
  // @ts-expect-error -- not this number of arguments
  useInfinite(posts.get, { id: '5' });
});

test('controller', () => {
  expectTypeOf(Post).not.toBeAny();
  // @ts-expect-error -- not this number of arguments
  void controller.fetch(posts.get);
  // @ts-expect-error -- another type
  void controller.fetch(posts.create, { titel: 'a' });
  // @ts-expect-error -- another type
  void controller.fetch(posts.create, { votes: 'a' });
  // @ts-expect-error -- not this number of arguments
  void controller.fetch(posts.update, { title: 'a' });
  // @ts-expect-error -- another type
  void controller.fetch(posts.update, { id: '5' }, { votes: '5' });
  // @ts-expect-error -- another type
  void controller.fetch(posts.partialUpdate, { id: '5' }, { author: true });
  // @ts-expect-error -- not this number of arguments
  void controller.fetch(posts.delete);
  // @ts-expect-error -- not this number of arguments
  void controller.fetch(posts.delete, { id: '5' }, {});
  // @ts-expect-error -- not this number of arguments
  void controller.fetch(comments.create, { text: 'a' });
  // @ts-expect-error -- another type
  void controller.fetch(comments.create, { postId: '1' }, { txt: 'a' });
  // @ts-expect-error -- another type
  void controller.fetch(createPost, { titel: 'a' });
  // @ts-expect-error -- another type
  void controller.fetch(search, {});
  // @ts-expect-error -- not this number of arguments
  void controller.fetch(search);
  // @ts-expect-error -- another type
  void controller.set(post, { votes: 'x' });
  // @ts-expect-error -- another type
  void controller.set(Post, { vote: '5' }, { title: 'x' });
  // @ts-expect-error -- another type
  void controller.invalidate(posts.get);
  // @ts-expect-error -- not this number of arguments
  void controller.setResponse(posts.get, { id: '5' });
  // @ts-expect-error -- another type
  controller.watch(from(Post));
  // @ts-expect-error -- another type
  void controller.expireAll(Post);
});

test('definitions', () => {
  expectTypeOf(Post).not.toBeAny();
  // @ts-expect-error -- list
  resource({ path: '/posts/:id', schema: [Post] });
  // @ts-expect-error -- no schema
  resource({ path: '/posts/:id' });
  // @ts-expect-error -- typo
  resource({ path: '/posts/:id', schema: Post, optimistc: true });
  // @ts-expect-error -- another type
  resource({ schema: Post });
  // @ts-expect-error -- another type
  resource({ path: 5, schema: Post });
  // @ts-expect-error -- not a list
  new Collection(Post);
  // @ts-expect-error -- another type
  new All([Post]);
  // @ts-expect-error -- no such field
  new Union({ post: Post, user: User }, 'kind');
  // @ts-expect-error -- not this number of arguments
  new Union({ post: Post, user: User });
  // @ts-expect-error -- not this number of arguments
  new Query(Post);
  // @ts-expect-error -- no such member
  new Query(from(Post), (p) => p.titel);
  // @ts-expect-error -- another type
  new RestEndpoint({ path: '/x/:id', schema: Post, method: 5 });
  // @ts-expect-error -- another type
  User.fromJS({ nam: 'a' });
  // @ts-expect-error -- another type
  User.fromJS({ name: 5 });
});

test('more of requests, hooks and the controller', () => {
  expectTypeOf(Post).not.toBeAny();
  // @ts-expect-error -- reads only
  useMutation(posts.get);
  // @ts-expect-error -- reads only
  useMutation(posts.getList);
  // @ts-expect-error -- reads only
  useMutation(search);
  // @ts-expect-error -- class
  useMutation(Post);
  // @ts-expect-error -- promise
  controller.batch(async () => {});
  // @ts-expect-error -- mutation
  void controller.subscribe(posts.update, { id: '5' }, {});
  // @ts-expect-error -- number for a record
  void controller.set(Post, { id: '5' }, 5);
  // @ts-expect-error -- name of a class
  resource({ path: '/posts/:id', schema: 'Post' });
  // @ts-expect-error -- a class that is not defined yet
  resource({ path: '/posts/:id', schema: undefined });
  // @ts-expect-error -- unknown comparison
  from(Post).where({ votes: { gt: 1, less: 2 } });
  // @ts-expect-error -- unknown comparison with an argument
  from(Post).where({ votes: { gt: 1, less: arg('least') } });
  // @ts-expect-error -- unknown comparison beside a list
  from(Post).where({ title: { in: ['a'], nt: 'b' } });
  // @ts-expect-error -- unknown comparison of dates
  from(Post).where({ createdAt: { gt: new Date(), before: new Date() } });
  // @ts-expect-error -- a query of one record
  from(from(Post).one());
  // @ts-expect-error -- a query of a number
  from(from(Post).count());
});

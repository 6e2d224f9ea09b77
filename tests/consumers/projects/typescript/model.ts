// The records and the endpoints of a small application.
import {
  All,
  Collection,
  type Controller,
  type Denormalize,
  Entity,
  Invalidate,
  Lazy,
  type List,
  Query,
  RestEndpoint,
  type RestGenerics,
  resource,
  schema,
  Union,
  Values,
} from 'rejoin';

export class User extends Entity {
  id = '';
  name = '';
  createdAt = new Date(0);
  static key = 'User';
  static schema = { createdAt: (iso: string) => new Date(iso) };
}

export class Comment extends Entity {
  id = '';
  content = '';
  commenter = User.fromJS();
  static key = 'Comment';
  static schema = { commenter: User };
}

export class Post extends Entity {
  id = '';
  title = '';
  votes = 0;
  author = User.fromJS();
  comments: Comment[] = [];
  static key = 'Post';
  static schema = {
    author: User,
    comments: new Collection([Comment], { nestKey: (post: { id: string }) => ({ postId: post.id }) }),
  };
}

export class Price extends Entity {
  exchangePair = '';
  price = 0;
  static key = 'Price';
  static schema = { price: Number };
  override pk() {
    return this.exchangePair;
  }
}

const urlPrefix = 'https://api.example.com';
export const posts = resource({
  urlPrefix,
  path: '/posts/:id',
  schema: Post,
  searchParams: {} as { author?: string },
  optimistic: true,
});
export const users = resource({ urlPrefix, path: '/users/:id', schema: User });
export const price = new RestEndpoint({ urlPrefix, path: '/price/:exchangePair', schema: Price, pollFrequency: 2000 });
export const search = new RestEndpoint({
  urlPrefix,
  path: '/search',
  schema: { posts: [Post], total: 0 },
  searchParams: {} as { q: string },
});
export const byVotes = new Query(posts.getList.schema, (list) => [...list].sort((a, b) => b.votes - a.votes));
export const feed = new Union({ post: Post, user: User }, 'id');
export const everyPost = new All(Post);
export const byName = new Values(User);
export const later = new Lazy([Post]);
export const removed = new Invalidate(Post);

/** An API whose answers are in an envelope, and that requires credentials. */
export class EnvelopeEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getHeaders(headers: Record<string, string>) {
    return { ...headers, 'X-Client': 'web' };
  }
  override process(value: { readonly data: unknown }): any {
    return value.data;
  }
}
export const wrapped = new EnvelopeEndpoint({ urlPrefix, path: '/wrapped/:id', schema: Post });

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const yes = <_T extends true>(): void => undefined;

export async function use(controller: Controller): Promise<string> {
  const post = await controller.fetch(posts.get, { id: '5' });
  yes<Equal<typeof post, Post>>();
  const list = await controller.fetch(posts.getList, { author: '7' });
  yes<Equal<typeof list, List<Post>>>();
  let shown = list;
  shown = shown.filter(({ id }) => id !== '');
  const mutable: Post[] = shown.length > 0 ? shown : [];
  const inNamespace: schema.Collection<[typeof Post]> = new schema.Collection([Post]);
  // @ts-expect-error what was read is not changed in place
  list.sort();
  const created = await controller.fetch(posts.getList.push, { title: 'New' });
  yes<Equal<typeof created.author.createdAt, Date>>();
  const found = await controller.fetch(search, { q: 'joins' });
  yes<Equal<(typeof found.posts)[number]['comments'][number]['commenter'], User>>();
  yes<Equal<Denormalize<typeof feed>, Post | User>>();
  yes<Equal<Denormalize<typeof byName>, Readonly<Record<string, User>>>>();
  yes<Equal<Denormalize<typeof everyPost>, List<Post>>>();
  const enveloped = await controller.fetch(wrapped, { id: '5' });
  yes<Equal<typeof enveloped, Post>>();
  await controller.invalidate(posts.get, { id: '5' });
  await controller.expireAll(posts.getList);
  await controller.fetch(posts.delete, { id: '5' });
  await controller.fetch(posts.partialUpdate, { id: 5 }, { title: 'Joined' });
  await controller.set(User, { id: '7' }, { id: '7', name: 'Anna' });
  const maybe = controller.get(Price, { exchangePair: 'btc-usd' });
  yes<Equal<typeof maybe, Price | undefined>>();
  // @ts-expect-error the path wants an id
  await controller.fetch(posts.get, { key: '5' });
  // @ts-expect-error there is no such field
  return post.titel + mutable.length + inNamespace.key;
}

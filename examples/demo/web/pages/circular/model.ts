import { Entity, Lazy, RestEndpoint } from 'rejoin';
import { Temporal } from 'temporal-polyfill';

class User extends Entity {
  id = '';
  name = '';
  createdAt = Temporal.Instant.fromEpochMilliseconds(0);
  posts: Post[] = [];
  static key = 'Member';
  static schema: Record<string, unknown> = { createdAt: Temporal.Instant.from };
}

class Post extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  static key = 'Entry';
  static schema = { author: User };
}

// The new schema replaces the old one, so the old fields are spread into it.
User.schema = { ...User.schema, posts: [Post] };

export const getMember = new RestEndpoint({ urlPrefix: '/api', path: '/users/:id/circle', schema: User });

// The same relation, joined only where it is read with .query. Otherwise it is a list of keys.
class Shelf extends Entity {
  id = '';
  posts: string[] = [];
  static key = 'Shelf';
  static schema = { posts: new Lazy([Post]) };
}

export const getShelf = new RestEndpoint({
  urlPrefix: '/api',
  path: '/users/:id/posts',
  schema: Shelf,
  process: (posts: object[], { id }: { id: string }) => ({ id, posts }),
});

export const postsOfShelf = Shelf.schema.posts.query;

// The names of all members. This list has no schema, because a member without posts would count as a complete record.
export const getNames = new RestEndpoint({
  urlPrefix: '/api',
  path: '/users',
  searchParams: {} as { perPage: number },
  process: (value: { readonly id: string; readonly name: string }[]) => value,
});

import { Collection, Entity, Query, resource, RestEndpoint } from 'rejoin';
import { expect, test } from 'vitest';
import { referencesIn } from './references.ts';

class User extends Entity {
  id = '';
  posts: Post[] = [];
  static override key = 'User';
  static override schema: Record<string, unknown> = {};
}
class Comment extends Entity {
  id = '';
  commenter = User.fromJS();
  static override key = 'Comment';
  static override schema = { commenter: User };
}
class Post extends Entity {
  id = '';
  at = new Date(0);
  author = User.fromJS();
  comments: Comment[] = [];
  static override key = 'Post';
  static override schema = {
    author: User,
    comments: new Collection([Comment], { nestKey: (parent: Post) => ({ postId: parent.id }) }),
    at: (iso: string) => new Date(iso),
  };
}
User.schema = { posts: [Post] };

const of = (...exported: readonly unknown[]): Record<string, Record<string, string>> =>
  Object.fromEntries([...referencesIn(...exported)].map(([table, fields]) => [table, Object.fromEntries(fields)]));

const ALL = {
  Post: { author: 'User', comments: '[Comment]' },
  Comment: { commenter: 'User' },
  User: { posts: 'Post' },
};

test('the fields that refer to other tables are found behind a resource', () => {
  expect(of(resource({ path: '/posts/:id', schema: Post }))).toEqual(ALL);
});

test('behind an endpoint, whatever its schema is', () => {
  expect(of(new RestEndpoint({ path: '/posts/:id', schema: Post }))).toEqual(ALL);
  expect(of(new RestEndpoint({ path: '/posts', schema: [Post] }))).toEqual(ALL);
  expect(of(new RestEndpoint({ path: '/posts', schema: { results: new Collection([Post]), next: '' } }))).toEqual(ALL);
});

test('and of an entity itself, in circles too', () => {
  expect(of(Post)).toEqual(ALL);
  expect(of(User)).toEqual(ALL);
});

test('a query leads to what it is made of', () => {
  expect(of(new Query(new Collection([Post]), (list) => list.length))).toEqual(ALL);
});

test('what has no schema refers to nothing', () => {
  expect(of()).toEqual({});
  expect(of(undefined, null, 1, 'text', () => 1, { a: 1 })).toEqual({});
  expect(of(new RestEndpoint({ path: '/files', schema: undefined }))).toEqual({});
});

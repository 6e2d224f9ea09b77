import { Entity, resource } from 'rejoin';

export class User extends Entity {
  id = '';
  name = '';
  posts: Post[] = [];
  comments: Comment[] = [];
  static key = 'Author';

  // The API has no list of the posts of a user. Each nested user adds the post that it was found in.
  static merge(existing: Partial<User>, incoming: Partial<User>) {
    return {
      ...existing,
      ...incoming,
      posts: [...(existing.posts ?? []), ...(incoming.posts ?? [])],
      comments: [...(existing.comments ?? []), ...(incoming.comments ?? [])],
    };
  }

  static process(value: object, parent: { id: string }, key: string | undefined) {
    if (key === 'author') return { ...value, posts: [parent.id] };
    if (key === 'commenter') return { ...value, comments: [parent.id] };
    return { ...value };
  }
}

class Comment extends Entity {
  id = '';
  content = '';
  commenter = User.fromJS();
  post = Post.fromJS();
  static key = 'Remark';
  static schema: Record<string, unknown> = { commenter: User };

  static process(value: object, parent: { id: string }) {
    return { ...value, post: parent.id };
  }
}

class Post extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  comments: Comment[] = [];
  static key = 'Article';
  static schema = { author: User, comments: [Comment] };
}

User.schema = { posts: [Post], comments: [Comment] };
Comment.schema = { ...Comment.schema, post: Post };

export const posts = resource({
  urlPrefix: '/api',
  path: '/posts/:id',
  schema: Post,
  dataExpiryLength: Infinity,
});
export const users = resource({ urlPrefix: '/api', path: '/users/:id', schema: User });

import { Entity } from 'rejoin';

type Fields = Record<string, unknown>;

/** A user with the posts and comments that refer to it. */
export class User extends Entity {
  id = '';
  name = '';
  posts: Post[] = [];
  comments: Comment[] = [];
  static override key = 'User';
  static override schema: Record<string, unknown> = {};

  static override merge(existing: { posts?: unknown[]; comments?: unknown[] }, incoming: typeof existing): object {
    return {
      ...existing,
      ...incoming,
      posts: [...(existing.posts ?? []), ...(incoming.posts ?? [])],
      comments: [...(existing.comments ?? []), ...(incoming.comments ?? [])],
    };
  }

  static override process(value: Fields, parent: Fields, key: string | undefined): Fields {
    switch (key) {
      case 'author':
        return { ...value, posts: [parent['id']] };
      case 'commenter':
        return { ...value, comments: [parent['id']] };
      default:
        return { ...value };
    }
  }
}
export class Comment extends Entity {
  id = '';
  content = '';
  commenter = User.fromJS();
  post?: Post = undefined as unknown as Post;
  static override key = 'Comment';
  static override schema: Record<string, unknown> = { commenter: User };

  static override process(value: Fields, parent: Fields): Fields {
    return { ...value, post: parent['id'] };
  }
}
export class Post extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  comments: Comment[] = [];
  static override key = 'Post';
  static override schema = { author: User, comments: [Comment] };
}
User.schema = { posts: [Post], comments: [Comment] };
Comment.schema = { ...Comment.schema, post: Post };

import { Entity } from 'rejoin';
import { Temporal } from 'temporal-polyfill';

/** A user and its posts, which refer to each other. */
export class User extends Entity {
  id = '';
  name = '';
  createdAt = Temporal.Instant.fromEpochMilliseconds(0);
  posts: Post[] = [];
  static override key = 'User';
  static override schema: Record<string, unknown> = { createdAt: Temporal.Instant.from };
}
export class Post extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  static override key = 'Post';
  static override schema: Record<string, unknown> = { author: User };
}
User.schema = { ...User.schema, posts: [Post] };

import { Entity, RestEndpoint } from 'rejoin';
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

// A new schema replaces the old one, so what was there is spread into it.
User.schema = { ...User.schema, posts: [Post] };

export const getMember = new RestEndpoint({ urlPrefix: '/api', path: '/users/:id/circle', schema: User });

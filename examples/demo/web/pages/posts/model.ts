import { Collection, Entity, resource } from 'rejoin';

export class User extends Entity {
  id = '';
  name = '';
  static key = 'User';
}

export class Comment extends Entity {
  id = '';
  content = '';
  commenter = User.fromJS();
  static key = 'Comment';
  static schema = { commenter: User };
}

export class Tag extends Entity {
  id = '';
  name = '';
  static key = 'Tag';
}

export class Post extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  tags: Tag[] = [];
  comments: Comment[] = [];
  static key = 'Post';
  static schema = {
    author: User,
    tags: [Tag],
    comments: new Collection([Comment], { nestKey: (parent: Post) => ({ postId: parent.id }) }),
  };
}

// The response nests authors and comments: one request fills four tables.
export const posts = resource({ urlPrefix: '/api', path: '/posts/:id', schema: Post });

// A change is shown before the server has answered, and rolled back if the server refuses it.
export const users = resource({ urlPrefix: '/api', path: '/users/:id', schema: User, optimistic: true });

import { Collection, Entity } from 'rejoin';

/** Post, author and comments: nested in one response. */
export class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}
export class Comment extends Entity {
  id = '';
  content = '';
  commenter = User.fromJS();
  static override key = 'Comment';
  static override schema = { commenter: User };
}
export class Post extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  comments: Comment[] = [];
  static override key = 'Post';
  static override schema = {
    author: User,
    comments: new Collection([Comment], { nestKey: (parent: { id: string }) => ({ postId: parent.id }) }),
  };
}

import { Collection, Entity } from 'rejoin';
import { User } from '../model.ts';

export { User };

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

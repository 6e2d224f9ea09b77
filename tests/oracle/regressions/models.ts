import { Collection, Entity } from '../../../src/index.ts';

export class User extends Entity {
  id = '';
  type = 'user';
  name = '';
  age = 0;
  static override key = 'User';
}

export class Comment extends Entity {
  id = '';
  commenter: unknown = undefined;
  post: unknown = undefined;
  static override key = 'Comment';
  static override schema: Record<string, unknown> = { commenter: User };
}

export const comments: Collection = new Collection([Comment], {
  nestKey: (post: { id: string }) => ({ postId: post.id }),
});

export class Post extends Entity {
  id = '';
  title = '';
  author: unknown = User.fromJS();
  comments: unknown = [];
  static override key = 'Post';
  static override schema = { author: User, comments };
}

Comment.schema = { ...Comment.schema, post: Post };

export class Node extends Entity {
  id = '';
  children: unknown = [];
  static override key = 'Node';
  static override schema: Record<string, unknown> = {};
}
Node.schema = { children: [Node] };

export class Todo extends Entity {
  id = '';
  type = 'todo';
  title: unknown = '';
  done = false;
  static override key = 'Todo';
}

export const todos: Collection = new Collection([Todo]);

/** The pks of a list that was read. */
export function pksOf(list: unknown): readonly string[] {
  return (list as readonly { id: string }[]).map(({ id }) => id);
}

/** Runs a batch that is undone. */
export function undone(batch: (run: () => unknown) => unknown, run: () => void): void {
  const stop = new Error('undo');
  try {
    batch(() => {
      run();
      throw stop;
    });
  } catch (error) {
    if (error !== stop) throw error;
  }
}

import { Collection, Entity, resource, Values } from '../../src/index.ts';

export class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
export class Comment extends Entity {
  id = 0;
  body = '';
  postId = 0;
  userId = 0;
  user = User.fromJS();
  static override key = 'Comment';
  static override schema = { user: User };
  /** A post, which is joined with its user by the id in the answer. */
  static override process(comment: { userId?: number }): object {
    return { user: comment.userId, ...comment };
  }
}
export class Post extends Entity {
  id = 0;
  title = '';
  userId = 0;
  likes = 0;
  user = User.fromJS();
  comments: Comment[] = [];
  static override key = 'Post';
  static override schema = {
    user: User,
    comments: new Collection([Comment], { nestKey: (post: { id: number }) => ({ postId: post.id }) }),
  };
}
export class Todo extends Entity {
  id = 0;
  title = '';
  userId = 0;
  completed = false;
  static override key = 'Todo';
}

/** The resources of json-server at `urlPrefix`. Arguments such as `_page` do not filter. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- its type is what it is tested for
export function blogAt(urlPrefix: string, optimistic = false) {
  const nonFilterArgumentKeys = /^_/;
  const shared = { urlPrefix, optimistic, nonFilterArgumentKeys } as const;
  const searchParams = {} as Readonly<Record<string, string | number | boolean>> | undefined;
  return {
    users: resource({ ...shared, path: '/users/:id', schema: User, searchParams }),
    posts: resource({ ...shared, path: '/posts/:id', schema: Post, searchParams, paginationField: '_page' }),
    comments: resource({ ...shared, path: '/comments/:id', schema: Comment, searchParams }),
    todos: resource({ ...shared, path: '/todos/:id', schema: Todo, searchParams }),
    /** The comments of a post, at the nested path of the server. */
    commentsOf: resource({ ...shared, path: '/posts/:postId/comments/:id', schema: Comment }),
    /** All todos by their titles. */
    byTitle: new Collection(new Values(Todo)),
  };
}

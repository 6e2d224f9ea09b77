import { Collection, Entity, getDefaultManagers, resource } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { PersistManager } from 'rejoin/persist';
import { TabsManager } from 'rejoin/tabs';
import { PluggedEndpoint } from './plug.ts';

class User extends Entity {
  id = '';
  name = '';
  static key = 'User';
}

export class Comment extends Entity {
  id = '';
  content = '';
  commenterId = '';
  commenter = User.fromJS();
  static key = 'Comment';
  static schema = { commenter: User };

  // The API takes an id, and answers with the user.
  static process(comment: { commenterId?: string }) {
    return { commenter: comment.commenterId, ...comment };
  }
}

export class Post extends Entity {
  id = '';
  title = '';
  authorId = '';
  author = User.fromJS();
  comments: Comment[] = [];
  static key = 'Post';
  static schema = {
    author: User,
    comments: new Collection([Comment], { nestKey: (post: Post) => ({ postId: post.id }) }),
  };

  // The API takes an id. A new post has no comments.
  static process(post: { authorId?: string }) {
    return post.authorId === undefined ? post : { author: post.authorId, comments: [], ...post };
  }
}

// `offline`: edits are kept until the server has answered. `optimistic`: they are shown until then.
const shared = { urlPrefix: '/api', optimistic: true, offline: true, Endpoint: PluggedEndpoint } as const;
export const posts = resource({
  ...shared,
  path: '/posts/:id',
  searchParams: undefined as { authorId: string } | undefined,
  schema: Post,
});
export const addComment = new PluggedEndpoint({
  urlPrefix: '/api',
  path: '/posts/:postId/comments',
  schema: Post.schema.comments,
  body: undefined as { commenterId: string; content: string } | undefined,
  offline: true,
}).push.extend({
  name: 'Comment.create',
  getOptimisticResponse: (_snapshot, _post, comment) => comment,
});

const endpoints = [posts, addComment];
export const outbox = new OutboxManager({ name: 'rejoin-demo', endpoints });
export const managers = [
  new TabsManager({ name: 'rejoin-demo', endpoints }),
  new PersistManager({ name: 'rejoin-demo' }),
  outbox,
  ...getDefaultManagers(),
];

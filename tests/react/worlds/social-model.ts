/** The model of a social network: users, posts of three kinds, comments in trees. */
import {
  Entity,
  hasMany,
  Invalidate,
  resource,
  RestEndpoint,
  type SnapshotInterface,
  undecidable,
  Union,
} from 'rejoin';
import { Network } from './network.ts';

export const network = new Network();
const { platform } = network;

export class User extends Entity {
  id = '';
  name = '';
  followers = 0;
  following = false;
  blocked = false;
  static override key = 'User';
}
export class Post extends Entity {
  id = '';
  type = 'text';
  text = '';
  likes = 0;
  liked = false;
  comments = 0;
  vote: string | null = null;
  author: User | undefined = undefined;
  static override schema = { author: User };
}
class TextPost extends Post {
  static override key = 'TextPost';
}
class ImagePost extends Post {
  static override key = 'ImagePost';
}
class PollPost extends Post {
  static override key = 'PollPost';
}
const AnyPost = new Union({ text: TextPost, image: ImagePost, poll: PollPost }, 'type');
export class Comment extends Entity {
  id = '';
  postId = '';
  parentId: string | null = null;
  text = '';
  at = 0;
  author: User | undefined = undefined;
  static override key = 'Comment';
  static override schema: Record<string, unknown> = { author: User, post: AnyPost };
  static replies = hasMany(() => Comment, 'parentId').orderBy('at');
}
Comment.schema = { ...Comment.schema, replies: [Comment] };

export const users = resource({ path: '/users/:id', schema: User, optimistic: true, platform });
export const posts = resource({
  path: '/posts/:id',
  schema: AnyPost,
  optimistic: true,
  platform,
  list: { where: { authorId: (post: Post) => post.author?.id, q: undecidable }, create: 'first' },
});
const list = posts.getList.schema;
const feedParams: { limit?: number; cursor?: string } = {};
const feedBody = { items: list, next: undefined as string | undefined };
export const getFeed = new RestEndpoint({ path: '/feed', searchParams: feedParams, schema: feedBody, platform });
export const getPostsOf = new RestEndpoint({ path: '/users/:authorId/posts', schema: list, platform });
export const search = new RestEndpoint({ path: '/search', searchParams: {} as { q: string }, schema: list, platform });
export const getUnread = new RestEndpoint({
  path: '/unread',
  process: (value: { readonly unread: number }) => value,
  pollFrequency: 5000,
  platform,
});

function postIn(snapshot: SnapshotInterface, id: number | string): Post {
  const found = [TextPost, ImagePost, PollPost].map((Kind) => snapshot.get(Kind, { id })).find((one) => one);
  if (found === undefined) throw snapshot.abort;
  return found;
}
export const like = new RestEndpoint({
  path: '/posts/:id/like',
  method: 'PUT',
  body: undefined,
  schema: AnyPost,
  getOptimisticResponse(snapshot, { id }) {
    const { liked, likes, type } = postIn(snapshot, id);
    return { id, type, liked: true, likes: likes + (liked ? 0 : 1) };
  },
  platform,
});
export const unlike = like.extend({
  method: 'DELETE',
  getOptimisticResponse(snapshot: SnapshotInterface, { id }: { id: string }) {
    const { liked, likes, type } = postIn(snapshot, id);
    return { id, type, liked: false, likes: likes - (liked ? 1 : 0) };
  },
});
export const vote = new RestEndpoint({
  path: '/posts/:id/vote',
  method: 'POST',
  body: {} as { readonly vote: string },
  schema: AnyPost,
  getOptimisticResponse: (snapshot, { id }, body) => ({ id, type: postIn(snapshot, id).type, ...body }),
  platform,
});
export const follow = new RestEndpoint({
  path: '/users/:id/follow',
  method: 'PUT',
  body: undefined,
  schema: User,
  getOptimisticResponse(snapshot, { id }) {
    const { followers = 0, following } = snapshot.get(User, { id }) ?? {};
    return { id, following: true, followers: followers + (following ? 0 : 1) };
  },
  platform,
});
export const unfollow = follow.extend({
  method: 'DELETE',
  getOptimisticResponse(snapshot: SnapshotInterface, { id }: { id: string }) {
    const { followers = 0, following } = snapshot.get(User, { id }) ?? {};
    return { id, following: false, followers: followers - (following ? 1 : 0) };
  },
});
export const block = follow.extend({
  path: '/users/:id/block',
  refetches: [getFeed],
  getOptimisticResponse: (_: SnapshotInterface, { id }: { id: string }) => ({ id, blocked: true }),
});
export const unblock = block.extend({
  method: 'DELETE',
  getOptimisticResponse: (_: SnapshotInterface, { id }: { id: string }) => ({ id, blocked: false }),
});
export const comments = resource({
  path: '/posts/:postId/comments/:id',
  schema: Comment,
  platform,
  list: { where: { postId: ({ parentId, postId }: Comment) => (parentId === null ? postId : null) } },
});
export const addComment = comments.getList.push.extend({
  getOptimisticResponse(snapshot: SnapshotInterface, { postId }: { postId: string }, body: object) {
    const { comments: count, type } = postIn(snapshot, postId);
    return { ...body, postId, author: '1', post: { id: postId, type, comments: count + 1 } };
  },
});
export const deleteComment = new RestEndpoint({
  path: '/comments/:id',
  method: 'DELETE',
  schema: { comment: new Invalidate(Comment), post: AnyPost },
  getOptimisticResponse(snapshot, { id }) {
    const { postId = '' } = snapshot.get(Comment, { id }) ?? {};
    const { comments: count, type } = postIn(snapshot, postId);
    return { comment: id, post: { id: postId, type, comments: count - 1 } };
  },
  platform,
});

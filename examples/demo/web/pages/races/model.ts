import { Entity, RestEndpoint } from 'rejoin';

class Post extends Entity {
  id = '';
  title = '';
  votes = 0;
  static key = 'Post';

  // The server may count votes in another order than they were sent in: of two answers the lower count is the older one.
  static shouldReorder(_had: object, _has: object, existing: { votes: number }, incoming: { votes: number }) {
    return incoming.votes < existing.votes;
  }
}

export const getPost = new RestEndpoint({ urlPrefix: '/api', path: '/posts/:id', schema: Post });

export const vote = new RestEndpoint({
  urlPrefix: '/api',
  path: '/posts/:id/votes',
  method: 'POST',
  body: undefined,
  schema: Post,
  // Made again whenever the post changes below it, so guesses add up however they settle.
  getOptimisticResponse(snapshot, { id }: { id: string }) {
    const post = snapshot.get(Post, { id });
    if (!post) throw snapshot.abort;
    return { id, votes: post.votes + 1 };
  },
});

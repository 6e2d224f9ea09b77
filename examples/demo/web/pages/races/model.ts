import { Entity, RestEndpoint } from 'rejoin';

class Post extends Entity {
  id = '';
  title = '';
  votes = 0;
  static key = 'Post';

  // The server may count votes in another order than they were sent. Of two answers, the one with the lower count is older.
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
  // The guess is made again whenever the post changes, so pending votes add up in whatever order they settle.
  getOptimisticResponse(snapshot, { id }: { id: string }) {
    const post = snapshot.get(Post, { id });
    if (!post) throw snapshot.abort;
    return { id, votes: post.votes + 1 };
  },
});

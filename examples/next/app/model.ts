import { Entity, resource, RestEndpoint, type RestGenerics } from 'rejoin';

export class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

class Comment extends Entity {
  id = '';
  content = '';
  commenter: User = User.fromJS();
  static override key = 'Comment';
  static override schema = { commenter: User };
}

class Post extends Entity {
  id = '';
  title = '';
  author: User = User.fromJS();
  likes = 0;
  static override key = 'Post';
  static override schema = { author: User };
}

/** The origin of the API on a server. In a page it is the origin of the page. The request keys stay the same. */
const origin = typeof window === 'undefined' ? `http://127.0.0.1:${process.env['PORT'] ?? 3000}` : '';

class PageEndpoint<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return super.fetchResponse(origin + url, init);
  }
}

export const PostResource = resource({
  path: '/api/posts/:id',
  schema: Post,
  Endpoint: PageEndpoint,
  optimistic: true,
});
export const getComments = new PageEndpoint({ path: '/api/posts/:id/comments', schema: [Comment] });

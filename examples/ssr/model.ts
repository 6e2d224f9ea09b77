import { Entity, resource, RestEndpoint, type RestGenerics } from 'rejoin';

export class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

export class Comment extends Entity {
  id = '';
  content = '';
  commenter: User = User.fromJS();
  static override key = 'Comment';
  static override schema = { commenter: User };
}

export class Post extends Entity {
  id = '';
  title = '';
  author: User = User.fromJS();
  likes = 0;
  static override key = 'Post';
  static override schema = { author: User };
}

/** The origin of the API. Code that does not run in the page sets it. The paths and the request keys stay the same. */
export const api: { origin: string } = { origin: '' };

class PageEndpoint<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return super.fetchResponse(api.origin + url, init);
  }
}

export const PostResource = resource({
  path: '/api/posts/:id',
  schema: Post,
  Endpoint: PageEndpoint,
  optimistic: true,
});
export const getComments = new PageEndpoint({ path: '/api/posts/:id/comments', schema: [Comment] });

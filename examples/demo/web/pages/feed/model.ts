import { Collection, cursorIn, Entity, RestEndpoint } from 'rejoin';

class User extends Entity {
  id = '';
  name = '';
  static key = 'User';
}

class Post extends Entity {
  id = '';
  title = '';
  body = '';
  author = User.fromJS();
  static key = 'Post';
  static schema = { author: User };
}

const feed = new Collection([Post], { nonFilterArgumentKeys: ['cursor', 'limit'] });

export const getFeed = new RestEndpoint({
  urlPrefix: '/api',
  path: '/feed',
  searchParams: {} as { cursor?: string; limit: number },
  schema: { results: feed, next: '' },
  paginationField: 'cursor',
  // The body is the page. The Link header has the URL of the next page.
  async parseResponse(response: Response) {
    const { results } = (await response.json()) as { results: unknown[] };
    return { results, next: cursorIn(response.headers.get('link'), 'cursor') ?? '' };
  },
});

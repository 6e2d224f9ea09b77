/* oxlint-disable typescript/no-explicit-any -- a subclass is written as the specification writes them */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Controller, Entity, Lazy, resource, RestEndpoint, type RestGenerics } from '../../src/index.ts';
import * as circular from '../seed/circular.ts';
import { Post, User } from '../seed/reverse-lookup.ts';
import { type Api, json, startApi } from './api-server.ts';

type Rec = Record<string, unknown>;

const ann = { id: '1', name: 'Ann', createdAt: '2024-05-06T07:08:09Z' };
const bob = { id: '2', name: 'Bob', createdAt: '2024-05-06T07:08:10Z' };
const post = {
  id: '5',
  title: 'Joins',
  author: ann,
  comments: [
    { id: 'c1', content: 'Well said', commenter: bob },
    { id: 'c2', content: 'Thanks', commenter: ann },
  ],
};
const posts = [post, { id: '6', title: 'Views', author: bob, comments: [] }];

let api: Api;
beforeAll(async () => {
  api = await startApi({
    'GET /posts': () => json(posts),
    'GET /posts/5': () => json(post),
    'GET /users/1': () => json({ ...ann, posts: ['5'] }),
    'GET /users/2': () => json(bob),
    'GET /price/eth-usd': () => json({ exchangePair: 'eth-usd', price: '1', updatedAt: '2024-01-02T03:04:05Z' }),
    'GET /bob': () => json({ title: 'Live', game: 'go', current_viewers: 3, live: true }),
  });
});
afterAll(() => api.close());

describe('Reverse lookup (Post, Comment, User)', () => {
  const scene = () => ({
    controller: new Controller(),
    posts: resource({ urlPrefix: api.url, path: '/posts/:id', schema: Post, dataExpiryLength: Infinity }),
    users: resource({ urlPrefix: api.url, path: '/users/:id', schema: User }),
  });

  test('GET /posts/:id adds the post to its author and its commenters', async () => {
    const { controller, posts: all } = scene();
    const found = await controller.fetch(all.get, { id: '5' });
    const author = controller.get(User, { id: '1' });
    expect(found.author).toBe(author);
    expect(author?.posts).toEqual([found]);
    expect(author?.posts[0]).toBe(found);
    expect(author?.comments.map(({ content }) => content)).toEqual(['Thanks']);
    expect(author?.comments[0]?.post).toBe(found);
    expect(controller.get(User, { id: '2' })?.comments[0]).toBe(found.comments[0]);
    expect(controller.getResponse(all.get, { id: '5' }).expiresAt).toBe(Infinity);
  });

  test('GET /users/:id adds fields to the user that the posts contained', async () => {
    const { controller, posts: all, users } = scene();
    await controller.fetch(all.getList);
    const user = await controller.fetch(users.get, { id: '2' });
    expect(user.posts.map(({ title }) => title)).toEqual(['Views']);
    expect(user.comments.map(({ content }) => content)).toEqual(['Well said']);
  });
});

describe('Circular dependencies', () => {
  test('GET /users/:id and GET /posts return records that refer to each other, each as one object', async () => {
    const controller = new Controller();
    const users = resource({ urlPrefix: api.url, path: '/users/:id', schema: circular.User });
    const all = resource({ urlPrefix: api.url, path: '/posts/:id', schema: circular.Post });
    const list = await controller.fetch(all.getList);
    const user = await controller.fetch(users.get, { id: '1' });
    expect(user.createdAt.toString()).toBe(ann.createdAt);
    expect(user.posts[0]?.author).toBe(user);
    expect(user.posts[0]?.title).toBe(list[0]?.title);
    expect(controller.getResponse(all.getList).data?.[0]).toBe(user.posts[0]);
  });

  test('with Lazy, a query resolves the relation on demand', async () => {
    class LazyUser extends Entity {
      id = '';
      posts: unknown[] = [];
      static override key = 'User';
      static override schema = { posts: new Lazy([circular.Post]) };
    }
    const controller = new Controller();
    const users = resource({ urlPrefix: api.url, path: '/users/:id', schema: LazyUser });
    const all = resource({ urlPrefix: api.url, path: '/posts/:id', schema: circular.Post });
    const user = await controller.fetch(users.get, { id: '1' });
    expect(user.posts).toEqual(['5']);
    const found = await controller.fetch(all.get, { id: '5' });
    expect(controller.get(LazyUser.schema.posts.query, user.posts as string[])).toEqual([found]);
  });
});

describe('other transforms', () => {
  test('the legacy-date variant of a price has a Date', async () => {
    class ExchangePrice extends Entity {
      exchangePair = '';
      updatedAt = new Date(0);
      override pk(): string {
        return this.exchangePair;
      }
      static override key = 'ExchangePrice';
      static override schema = { updatedAt: (iso: string) => new Date(iso) };
    }
    const getPrice = new RestEndpoint({ urlPrefix: api.url, path: '/price/:exchangePair', schema: ExchangePrice });
    const price = await new Controller().fetch(getPrice, { exchangePair: 'eth-usd' });
    expect(price.updatedAt).toBeInstanceOf(Date);
    expect(price.updatedAt.getTime()).toBe(Date.UTC(2024, 0, 2, 3, 4, 5));
  });

  test('the username can also be parsed from the URL of the request in fetchResponse and parseResponse', async () => {
    class Stream extends Entity {
      username = '';
      title = '';
      override pk(): string {
        return this.username;
      }
      static override key = 'Stream';
    }
    const seen: string[] = [];
    class StreamEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
      override async fetchResponse(url: string, init: RequestInit): Promise<Response> {
        const response = await super.fetchResponse(url, init);
        seen.push(`${init.method} ${response.status}`);
        return response;
      }
      override async parseResponse(response: Response): Promise<any> {
        const body = (await response.json()) as Rec;
        return { ...body, username: new URL(response.url).pathname.slice(1) };
      }
    }
    const controller = new Controller();
    const getStream = new StreamEndpoint({ urlPrefix: api.url, path: '/:username', schema: Stream });
    const stream = await controller.fetch(getStream, { username: 'bob' });
    expect([stream.pk(), stream.title]).toEqual(['bob', 'Live']);
    expect(controller.get(Stream, { username: 'bob' })).toBe(stream);
    expect(seen).toEqual(['GET 200']);
  });
});

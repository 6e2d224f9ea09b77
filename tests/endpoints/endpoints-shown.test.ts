import { BigNumber } from 'bignumber.js';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Controller, resource, RestEndpoint } from '../../src/index.ts';
import { type Api, json, startApi } from './api-server.ts';
import { Comment, Post, User } from '../seed/blog.ts';
import { Currency, Stats } from '../seed/currencies.ts';
import { ExchangePrice } from '../seed/price.ts';
import { Stream } from '../seed/stream.ts';
import { Todo, User as TodoUser } from '../seed/todos.ts';

const ann = { id: '1', name: 'Ann' };
const bob = { id: '2', name: 'Bob' };
const comment = { id: 'c1', content: 'Well said', commenter: bob };
const post = { id: '5', title: 'Joins', author: ann, comments: [comment] };
const currencies = ['BTC', 'ETH'].map((id) => ({ id, name: id.toLowerCase() }));
const stats = [
  { product_id: 'ETH-USD', volume: 9, price: 2 },
  { product_id: 'BTC-USD', volume: 3, price: 7 },
];
const price = { exchangePair: 'btc-usd', price: '0.12345678901234567890123', updatedAt: '2024-01-02T03:04:05Z' };

let api: Api;
beforeAll(async () => {
  api = await startApi({
    'GET /posts': () => json([post, { ...post, id: '6', comments: [] }]),
    'GET /posts/5': () => json(post),
    'GET /users/1': () => json(ann),
    'GET /todos/7': () => json({ id: 7, userId: 1, title: 'Write', completed: true }),
    'GET /currencies': () => json(currencies),
    'GET /stats': () => json(stats),
    'GET /price/btc-usd': () => json(price),
    'GET /streams/ann': () => json({ title: 'Live', game: 'chess', current_viewers: 7, live: true }),
  });
});
afterAll(() => api.close());

function scene() {
  const urlPrefix = api.url;
  return {
    controller: new Controller(),
    posts: resource({ urlPrefix, path: '/posts/:id', schema: Post, dataExpiryLength: Infinity }),
    users: resource({ urlPrefix, path: '/users/:id', schema: User }),
    todos: resource({ urlPrefix, path: '/todos/:id', schema: Todo }),
    currencies: resource({ urlPrefix, path: '/currencies/:id', schema: Currency }),
    stats: resource({ urlPrefix, path: '/stats/:product_id', schema: Stats }),
  };
}

describe('Endpoints shown', () => {
  test('GET /posts returns an array of posts, whose nested authors and comments are stored in their own tables', async () => {
    const { controller, posts } = scene();
    const list = await controller.fetch(posts.getList);
    expect(list.map(({ id }) => id)).toEqual(['5', '6']);
    const [first, second] = list;
    expect(first).toBe(controller.get(Post, { id: '5' }));
    expect(first?.author).toBe(controller.get(User, { id: '1' }));
    expect(second?.author).toBe(first?.author);
    expect(first?.comments[0]).toBe(controller.get(Comment, { id: 'c1' }));
    expect(first?.comments[0]?.commenter).toBe(controller.get(User, { id: '2' }));
    expect(second?.comments).toEqual([]);
    expect(controller.getResponse(posts.getList).data).toBe(list);
  });

  test('GET /posts/:id returns one post of the shape of the resource definition, which stays fresh', async () => {
    const { controller, posts } = scene();
    const found = await controller.fetch(posts.get, { id: '5' });
    expect(found).toBeInstanceOf(Post);
    expect(found).toBe(controller.get(Post, { id: '5' }));
    expect(found.title).toBe('Joins');
    expect(found.author.name).toBe('Ann');
    expect(controller.getResponse(posts.get, { id: '5' }).expiresAt).toBe(Infinity);
  });

  test('GET /users/:id returns one user', async () => {
    const { controller, users } = scene();
    const user = await controller.fetch(users.get, { id: '1' });
    expect(user).toBe(controller.get(User, { id: '1' }));
    expect([user.id, user.name]).toEqual([ann.id, ann.name]);
  });

  test('GET /todos/:id returns one todo, which is joined with its user on the client', async () => {
    const { controller, todos, users } = scene();
    const owners = users.get.extend({ schema: TodoUser });
    const alone = await controller.fetch(todos.get, { id: 7 });
    expect([alone.id, alone.userId, alone.title, alone.completed]).toEqual([7, 1, 'Write', true]);
    expect(alone.user).toBeUndefined();
    const user = await controller.fetch(owners, { id: '1' });
    expect(controller.get(Todo, { id: 7 })?.user).toBe(user);
  });

  test('the currency list is joined with the stats list by the reference key, and sorted by descending volume', async () => {
    const all = scene();
    const before = await all.controller.fetch(all.currencies.getList);
    expect(before.map(({ id }) => id)).toEqual(['BTC', 'ETH']);
    await all.controller.fetch(all.stats.getList);
    const joined = all.controller.getResponse(all.currencies.getList).data ?? [];
    expect(joined[0]?.stats).toBe(all.controller.get(Stats, { product_id: 'BTC-USD' }));
    const sorted = joined.toSorted((one, other) => other.stats.volume - one.stats.volume);
    expect(sorted.map(({ id, stats: { volume } }) => [id, volume])).toEqual([
      ['ETH', 9],
      ['BTC', 3],
    ]);
  });

  test('GET /price/:exchangePair returns a decimal of high precision and an instant', async () => {
    const { controller } = scene();
    const getPrice = new RestEndpoint({ urlPrefix: api.url, path: '/price/:exchangePair', schema: ExchangePrice });
    const found = await controller.fetch(getPrice, { exchangePair: 'btc-usd' });
    expect(found).toBe(controller.get(ExchangePrice, { exchangePair: 'btc-usd' }));
    expect(found.price).toBeInstanceOf(BigNumber);
    expect(found.price.toFixed()).toBe(price.price);
    expect(found.updatedAt).toBeInstanceOf(Temporal.Instant);
    expect(found.updatedAt.toString()).toBe(price.updatedAt);
  });

  test('GET {base_url}/:username returns a stream whose primary key is the path argument', async () => {
    const { controller } = scene();
    const getStream = new RestEndpoint({
      urlPrefix: `${api.url}/streams`,
      path: '/:username',
      schema: Stream,
      process(value, { username }) {
        value.username = username;
        return value;
      },
    });
    const stream = await controller.fetch(getStream, { username: 'ann' });
    expect(stream).toBe(controller.get(Stream, { username: 'ann' }));
    expect([stream.pk(), stream.title, stream.game, stream.live]).toEqual(['ann', 'Live', 'chess', true]);
  });
});

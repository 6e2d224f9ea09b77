/** The examples of the specification, as an application writes them. */
import { type ReactNode, Suspense } from 'react';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  Collection,
  Controller,
  Entity,
  getDefaultManagers,
  Lazy,
  PollingSubscription,
  Query,
  resource,
  RestEndpoint,
  type RestGenerics,
  SubscriptionManager,
} from 'rejoin';
import { DataProvider, useController, useInfinite, useLive, useQuery, useSuspense } from 'rejoin/react';
import { Post, User } from '../seed/blog.ts';
import { Currency, Stats } from '../seed/currencies.ts';
import { ExchangePrice } from '../seed/price.ts';
import * as reverse from '../seed/reverse-lookup.ts';
import { Stream } from '../seed/stream.ts';
import * as todos from '../seed/todos.ts';
import { expectSoon, Catch, rest, type Shown, show, until } from './harness.tsx';

/** The API: what each address answers. */
const api = new Map<string, () => Response>();
const asked: string[] = [];
const json = (body: unknown, headers?: HeadersInit): Response => Response.json(body, headers && { headers });

class ApiEndpoint<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
  override urlPrefix = 'https://api.example';

  override async fetchResponse(url: string): Promise<Response> {
    const path = url.slice('https://api.example'.length);
    asked.push(path);
    return api.get(path)?.() ?? new Response('', { status: 404 });
  }
}

function mounted(page: ReactNode, controller: Controller = new Controller()): Shown & { controller: Controller } {
  asked.length = 0;
  onTestFinished(() => controller.dispose());
  const shown = show(
    <DataProvider controller={controller}>
      <Catch>
        <Suspense fallback="loading">{page}</Suspense>
      </Catch>
    </DataProvider>,
  );
  return { ...shown, controller };
}

describe('Post, author and comments (nested response)', () => {
  const PostResource = resource({ path: '/posts/:id', schema: Post, Endpoint: ApiEndpoint });
  const ann = { id: '1', name: 'Ann' };
  const bob = { id: '2', name: 'Bob' };

  test('one record is one object on every screen: a renamed author is renamed wherever it is shown', async () => {
    api.set('/posts', () =>
      json([
        { id: '5', title: 'Joins', author: ann, comments: [{ id: 'c', content: 'Well said', commenter: bob }] },
        { id: '6', title: 'Keys', author: ann, comments: [{ id: 'd', content: 'Thanks', commenter: ann }] },
      ]),
    );
    function PostList(): ReactNode {
      return useSuspense(PostResource.getList)
        .map(({ title, author, comments }) => {
          const said = comments.map(({ content, commenter }) => `${content} (${commenter.name})`);
          return `${title} by ${author.name}: ${said.join()}`;
        })
        .join('; ');
    }
    function Detail(): ReactNode {
      return ` / ${useQuery(Post, { id: '6' })?.author.name}`;
    }
    const { controller, frames } = mounted(
      <>
        <PostList />
        <Detail />
      </>,
    );
    await until(() => frames.at(-1) !== 'loading' && frames.length > 0);
    expect(frames.at(-1)).toBe('Joins by Ann: Well said (Bob); Keys by Ann: Thanks (Ann) / Ann');
    await rest();
    void controller.set(User, { id: '1' }, { id: '1', name: 'Anne' });
    await until(() => frames.at(-1)?.includes('Anne') === true);
    expect(frames.slice(1)).toEqual([
      'Joins by Ann: Well said (Bob); Keys by Ann: Thanks (Ann) / Ann',
      'Joins by Anne: Well said (Bob); Keys by Anne: Thanks (Anne) / Anne',
    ]);
  });

  test('a post of a stored list is shown at once, without waiting for its own request', async () => {
    api.set('/posts', () => json([{ id: '5', title: 'Joins', author: ann, comments: [] }]));
    const controller = new Controller();
    await controller.fetch(PostResource.getList);
    function Detail(): ReactNode {
      return useSuspense(PostResource.get, { id: '5' }).title;
    }
    const { frames } = mounted(<Detail />, controller);
    await until(() => frames.length > 0);
    expect(frames).toEqual(['Joins']);
  });
});

describe('Reverse lookup (Post, Comment, User)', () => {
  const PostResource = resource({
    path: '/posts/:id',
    schema: reverse.Post,
    Endpoint: ApiEndpoint,
    dataExpiryLength: Infinity,
  });

  test('a user has its posts and comments after the posts are loaded', async () => {
    const ann = { id: '1', name: 'Ann' };
    const bob = { id: '2', name: 'Bob' };
    api.set('/posts', () =>
      json([
        { id: '5', title: 'Joins', author: ann, comments: [{ id: 'c', content: 'Well said', commenter: bob }] },
        { id: '6', title: 'Keys', author: ann, comments: [] },
      ]),
    );
    function Profile({ id }: { id: string }): ReactNode {
      useSuspense(PostResource.getList);
      const user = useQuery(reverse.User, { id });
      const said = user?.comments.map(({ content, post }) => `${content} on ${post?.title}`);
      return `${user?.name}: ${[...(user?.posts.map(({ title }) => title) ?? []), ...(said ?? [])].join()} `;
    }
    const { frames } = mounted(
      <>
        <Profile id="1" />
        <Profile id="2" />
      </>,
    );
    await until(() => frames.at(-1)?.includes('Ann') === true);
    expect(frames).toEqual(['loading', 'Ann: Joins,Keys Bob: Well said on Joins ']);
    expect(asked).toEqual(['/posts']);
  });
});

describe('Circular dependencies', () => {
  test('Lazy defers a relation, which useQuery resolves on demand', async () => {
    class Department extends Entity {
      id = '';
      name = '';
      people: string[] = [];
      static override key = 'Department';
      static override schema: Record<string, unknown> = {};
    }
    class Person extends Entity {
      id = '';
      name = '';
      createdAt = Temporal.Instant.fromEpochMilliseconds(0);
      static override key = 'Person';
      static override schema = { createdAt: Temporal.Instant.from };
    }
    const people = new Lazy([Person]);
    Department.schema = { ...Department.schema, people };
    const DepartmentResource = resource({ path: '/departments/:id', schema: Department, Endpoint: ApiEndpoint });
    api.set('/departments/7', () =>
      json({ id: '7', name: 'Tools', people: [{ id: '1', name: 'Ann', createdAt: '2024-01-02T03:04:05Z' }] }),
    );
    function People(): ReactNode {
      const department = useSuspense(DepartmentResource.get, { id: '7' });
      const found = useQuery(people.query, department.people);
      return `${department.people.join()} ${found?.map(({ name, createdAt }) => `${name} ${createdAt}`).join()}`;
    }
    const { text } = mounted(<People />);
    await until(() => text().includes('Ann'));
    expect(text()).toBe('1 Ann 2024-01-02T03:04:05Z');
  });
});

describe('Client-side join (Todo and User)', () => {
  test('a todo whose response does not nest its user shows the user when the user is stored', async () => {
    const TodoResource = resource({ path: '/todos/:id', schema: todos.Todo, Endpoint: ApiEndpoint });
    const UserResource = resource({ path: '/users/:id', schema: todos.User, Endpoint: ApiEndpoint });
    api.set('/todos/7', () => json({ id: 7, userId: 1, title: 'Write', completed: true }));
    api.set('/users/1', () => json({ id: 1, name: 'Ann' }));
    function Row(): ReactNode {
      const todo = useSuspense(TodoResource.get, { id: 7 });
      return `${todo.title} (${todo.user?.name ?? 'somebody'})`;
    }
    function Load({ userId }: { userId: number }): ReactNode {
      useSuspense(UserResource.get, { id: userId });
      return '';
    }
    const { text } = mounted(
      <>
        <Row />
        <Suspense fallback="">
          <Load userId={1} />
        </Suspense>
      </>,
    );
    await expectSoon(() => text() === 'Write (Ann)');
  });
});

describe('Key-based join (Currency and Stats)', () => {
  test('currencies are sorted by the volume of stats that another request loaded', async () => {
    const CurrencyResource = resource({ path: '/currencies/:id', schema: Currency, Endpoint: ApiEndpoint });
    const StatsResource = resource({ path: '/stats/:product_id', schema: Stats, Endpoint: ApiEndpoint });
    api.set('/currencies', () => json(['BTC', 'ETH', 'DOGE'].map((id) => ({ id, name: id.toLowerCase() }))));
    api.set('/stats', () =>
      json([
        { product_id: 'BTC-USD', volume: 3, price: 7 },
        { product_id: 'ETH-USD', volume: 90, price: 2 },
        { product_id: 'DOGE-USD', volume: 900, price: 0 },
      ]),
    );
    const byVolume = new Query(CurrencyResource.getList.schema, (entries) =>
      entries.toSorted((one, other) => other.stats.volume_usd - one.stats.volume_usd),
    );
    function Currencies(): ReactNode {
      useSuspense(StatsResource.getList);
      useSuspense(CurrencyResource.getList);
      return useQuery(byVolume)
        ?.map(({ id, stats }) => `${id} ${stats.volume_usd}`)
        .join();
    }
    const { controller, text } = mounted(<Currencies />);
    await until(() => text() === 'ETH 180,BTC 21,DOGE 0');
    void controller.set(Stats, { product_id: 'BTC-USD' }, { product_id: 'BTC-USD', price: 100 });
    await expectSoon(() => text() === 'BTC 300,ETH 180,DOGE 0');
  });
});

describe('Price with deserialized fields', () => {
  test('shows an exact decimal and an instant', async () => {
    const getPrice = new ApiEndpoint({ path: '/price/:exchangePair', schema: ExchangePrice });
    const price = '0.12345678901234567890123';
    api.set('/price/btc-usd', () => json({ exchangePair: 'btc-usd', price, updatedAt: '2024-01-02T03:04:05Z' }));
    function Price(): ReactNode {
      const found = useSuspense(getPrice, { exchangePair: 'btc-usd' });
      return `${found.price.toFixed()} at ${found.updatedAt.toString()}`;
    }
    const { text } = mounted(<Price />);
    await expectSoon(() => text() === `${price} at 2024-01-02T03:04:05Z`);
  });
});

describe('Stream (primary key missing from response)', () => {
  test('has the user name of the path, and camelCase names', async () => {
    const getStream = new ApiEndpoint({
      path: '/streams/:username',
      schema: Stream,
      process(value, { username }) {
        value.username = username;
        value.currentViewers = value.current_viewers;
        return value;
      },
    });
    api.set('/streams/ann', () => json({ title: 'Chess', current_viewers: 7 }));
    function Live(): ReactNode {
      const { username, title, currentViewers } = useSuspense(getStream, { username: 'ann' });
      return `${username}: ${title}, ${currentViewers}`;
    }
    const { text } = mounted(<Live />);
    await expectSoon(() => text() === 'ann: Chess, 7');
  });
});

describe('Ticker', () => {
  test('is polled every 2000 ms while it is shown, and not after', async () => {
    class Ticker extends Entity {
      product_id = '';
      price = 0;
      time = Temporal.Instant.fromEpochMilliseconds(0);
      override pk(): string {
        return this.product_id;
      }
      static override key = 'Ticker';
      static override schema = { price: Number, time: Temporal.Instant.from };
    }
    const getTicker = new ApiEndpoint({
      path: '/products/:productId/ticker',
      schema: Ticker,
      pollFrequency: 2000,
      process(value, { productId }) {
        value.product_id = productId;
        return value;
      },
    });
    let calls = 0;
    api.set('/products/BTC-USD/ticker', () => json({ price: `${++calls}.5`, time: '2024-01-02T03:04:05Z' }));
    const world = { time: 0, timers: new Map<number, { at: number; run(): void }>(), last: 0 };
    const clock = {
      setTimeout: (run: () => void, after: number): number => {
        world.timers.set(++world.last, { at: world.time + after, run });
        return world.last;
      },
      clearTimeout: (timer: unknown): void => void world.timers.delete(timer as number),
    };
    const pass = async (milliseconds: number): Promise<void> => {
      world.time += milliseconds;
      for (const [timer, { at, run }] of world.timers) if (at <= world.time && world.timers.delete(timer)) run();
      await rest();
    };
    class Polling extends PollingSubscription {
      constructor(...[subscribed, controller]: ConstructorParameters<typeof PollingSubscription>) {
        super(subscribed, controller, {
          platform: { ...clock, random: () => 0 },
          presence: { isPresent: () => true, subscribe: () => () => {} },
        });
      }
    }
    const managers = getDefaultManagers({ subscriptionManager: new SubscriptionManager(Polling) });
    const controller = new Controller({ managers, now: () => world.time });
    function Price(): ReactNode {
      return useLive(getTicker, { productId: 'BTC-USD' }).price;
    }
    const { text, unmount } = mounted(<Price />, controller);
    await until(() => text() === '1.5');
    await rest();
    expect(calls).toBe(1);
    await pass(1999);
    expect(calls).toBe(1);
    await pass(1);
    await until(() => text() === '2.5');
    unmount();
    await rest();
    expect(world.timers.size).toBe(0);
    await pass(10_000);
    expect(calls).toBe(2);
  });
});

describe('File download', () => {
  test('returns a blob and a file name', async () => {
    const download = new ApiEndpoint({
      path: '/files/:id/download',
      schema: undefined,
      dataExpiryLength: 0,
      async parseResponse(response: Response) {
        const [, filename = 'download'] =
          /filename="(.+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
        return { blob: await response.blob(), filename };
      },
      process: (value: { blob: Blob; filename: string }) => value,
    });
    api.set(
      '/files/1/download',
      () => new Response('text', { headers: { 'content-disposition': 'attachment; filename="a.txt"' } }),
    );
    let controller: Controller | undefined;
    function Button(): ReactNode {
      controller = useController();
      return 'Download';
    }
    const { text } = mounted(<Button />);
    await until(() => text() === 'Download');
    const file = await controller?.fetch(download, { id: '1' });
    expect(file?.filename).toBe('a.txt');
    expect(await file?.blob.text()).toBe('text');
  });
});

describe('Header access', () => {
  test('a list that is paged by a link header is shown page by page', async () => {
    class Item extends Entity {
      id = '';
      static override key = 'Item';
    }
    const getItems = new ApiEndpoint({
      path: '/items',
      searchParams: undefined as { cursor?: string } | undefined,
      schema: { results: new Collection([Item]), link: '' },
      async parseResponse(response: Response) {
        return { results: await response.json(), link: response.headers.get('link') ?? '' };
      },
    });
    api.set('/items', () => json([{ id: 'a' }], { link: '<https://api.example/items?cursor=2>; rel="next"' }));
    api.set('/items?cursor=2', () => json([{ id: 'b' }]));
    let more: () => Promise<void> = async () => {};
    function Items(): ReactNode {
      const { pages, hasNext, fetchNext } = useInfinite(
        getItems,
        {},
        {
          next: ({ link }) => {
            const cursor = /cursor=(\w+)/.exec(link)?.[1];
            return cursor === undefined ? undefined : { cursor };
          },
        },
      );
      more = fetchNext;
      return `${pages.flatMap(({ results }) => results.map(({ id }) => id)).join()}${hasNext ? '…' : ''}`;
    }
    const { text } = mounted(<Items />);
    await until(() => text() === 'a…');
    await more();
    await expectSoon(() => text() === 'a,b');
  });
});

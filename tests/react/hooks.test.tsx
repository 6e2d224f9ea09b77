import * as React from 'react';
import { type ReactNode, startTransition, Suspense, useState } from 'react';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import {
  Collection,
  Controller,
  DataError,
  Endpoint,
  Entity,
  getDefaultManagers,
  Invalidate,
  MissingManager,
  type Middleware,
  Query,
} from 'rejoin';
import { hydrateRoot } from 'react-dom/client';
import {
  AsyncBoundary,
  DataProvider,
  ErrorBoundary,
  type ErrorFallbackProps,
  useCache,
  useCancelling,
  useController,
  useDebounce,
  useDLE,
  useError,
  useFetch,
  useLoading,
  useMutation,
  usePending,
  useQuery,
  useSubscription,
  useSuspense,
} from 'rejoin/react';
import type { Answer, LiveView } from '../../src/control/view/answer.ts';
import { PageRendering } from '../../src/adapters/ssr/page-rendering.ts';
import { Catch, click, expectSoon, inProvider, Post, rest, type Shown, show, turn, until, world } from './harness.tsx';

/** Shows a component twenty times, and waits for its text `old`. Collects the warnings from then on. */
async function showTwenty(controller: Controller, Title: () => ReactNode) {
  const { text } = show(
    <DataProvider controller={controller}>
      {Array.from({ length: 20 }, (_, at) => (
        <Title key={at} />
      ))}
    </DataProvider>,
  );
  await until(() => text() === 'old'.repeat(20));
  await rest();
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  return { text, warn };
}

/** Mounts a component that calls a hook, and notes what it gave. */
function run<Result>(
  controller: Controller,
  use: () => Result,
  isStrict = true,
): Shown & { readonly given: Result[]; again(): void } {
  const given: Result[] = [];
  function Caller(): ReactNode {
    given.push(use());
    return 'shown';
  }
  const page = (): ReactNode => (
    <DataProvider controller={controller}>
      <Catch>
        <Suspense fallback="loading">
          <Caller />
        </Suspense>
      </Catch>
    </DataProvider>
  );
  const shown = show(page(), { isStrict });
  return { ...shown, given, again: () => shown.render(page()) };
}

type GetNow = Endpoint<(args: { id: string }) => Promise<unknown>, typeof Post>;

describe('useSuspense', () => {
  test('sends one request, suspends, and returns the object that the controller returns', async () => {
    const { controller, getPost, server } = world();
    const { given, frames } = run(controller, () => useSuspense(getPost, { id: '1' }));
    await until(() => server.asked.length > 0);
    server.answer('post 1', { id: '1', title: 'one' });
    await until(() => frames.at(-1) === 'shown');
    await rest();

    expect(frames).toEqual(['loading', 'shown']);
    expect(given.at(-1)).toBe(controller.get(Post, { id: '1' }));
    expect(server.asked).toEqual(['post 1']);
  });

  test('fetches stale data when it is mounted, and shows the stale data meanwhile', async () => {
    const { clock, controller, getPost, server } = world();
    void controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'old' });
    clock.time += 100_000;
    const { given, frames } = run(controller, () => useSuspense(getPost, { id: '1' }).title);
    await until(() => server.asked.length > 0);
    server.answer('post 1', { id: '1', title: 'new' });
    await until(() => given.at(-1) === 'new');
    await rest();

    expect(frames).toEqual(['shown']);
    expect(given[0]).toBe('old');
    expect(server.asked).toEqual(['post 1']);
  });

  test('does not fetch fresh data', async () => {
    const { controller, getPost, server } = world();
    void controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'old' });
    run(controller, () => useSuspense(getPost, { id: '1' }));
    await rest();
    expect(server.asked).toEqual([]);
  });

  test('compares arguments by value, and not by object identity', async () => {
    const { controller, getPost, server } = world();
    const { again, given } = run(controller, () => useSuspense(getPost, { id: '1' }));
    await until(() => server.asked.length > 0);
    server.answer('post 1', { id: '1', title: 'one' });
    await until(() => given.length > 0);
    again();
    await rest();
    expect(new Set(given).size).toBe(1);
    expect(server.asked).toEqual(['post 1']);
  });

  test('returns the shape of the schema without values when the arguments are null', async () => {
    const { controller, server } = world();
    const getPage = new Endpoint(server.answers<[{ page: number }]>('page'), {
      name: 'getPage',
      schema: { results: [Post], more: { count: Number } },
    });
    const { given } = run(controller, () => useSuspense(getPage, null));
    await until(() => given.length > 0);
    expect(given[0]).toEqual({ results: undefined, more: { count: undefined } });
    expect(server.asked).toEqual([]);
  });

  test('throws the error of the request, and fetches again when the boundary is reset', async () => {
    const { controller, server } = world();
    const getPost = new Endpoint(({ id }: { id: string }) => server.ask(`post ${id}`), {
      name: 'getPost',
      schema: Post,
      errorExpiryLength: 100_000,
    });
    let reset: () => void = () => {};
    function Title(): ReactNode {
      return useSuspense(getPost, { id: '1' }).title;
    }
    const { frames } = show(
      <DataProvider controller={controller}>
        <AsyncBoundary
          fallback="loading"
          errorClassName="error"
          errorComponent={({ error, resetErrorBoundary, className }) => {
            reset = resetErrorBoundary;
            return `${className}: ${error.message}`;
          }}
        >
          <Title />
        </AsyncBoundary>
      </DataProvider>,
    );
    await until(() => server.asked.length > 0);
    server.fail('post 1', new Error('no'));
    await until(() => frames.at(-1) === 'error: no');
    await rest();
    expect(server.asked).toHaveLength(1);
    reset();
    await until(() => server.asked.length === 2);
    server.answer('post 1', { id: '1', title: 'yes' });
    await until(() => frames.at(-1) === 'yes');
    await rest();
    expect(server.asked).toHaveLength(2);
  });

  test('sends every failed request below the boundary again when the boundary is reset once', async () => {
    const { controller, server } = world();
    const getPost = new Endpoint(({ id }: { id: string }) => server.ask(`post ${id}`), {
      name: 'getPost',
      schema: Post,
      errorExpiryLength: 100_000,
    });
    let reset: () => void = () => {};
    function Title({ id }: { id: string }): ReactNode {
      return useSuspense(getPost, { id }).title;
    }
    const { frames } = show(
      <DataProvider controller={controller}>
        <AsyncBoundary
          fallback="loading"
          errorComponent={({ error, resetErrorBoundary }) => {
            reset = resetErrorBoundary;
            return error.message;
          }}
        >
          <Title id="1" />
          <Suspense fallback="loading too">
            <Title id="2" />
          </Suspense>
        </AsyncBoundary>
      </DataProvider>,
    );
    await until(() => server.asked.length === 2);
    server.fail('post 2', new Error('not two'));
    server.fail('post 1', new Error('not one'));
    await until(() => frames.at(-1)?.startsWith('not') === true);
    await rest();
    reset();
    await until(() => server.asked.length === 4);
    server.answer('post 1', { id: '1', title: 'one ' });
    server.answer('post 2', { id: '2', title: 'two' });
    await until(() => frames.at(-1) === 'one two');
    expect(frames.filter((frame) => frame.startsWith('not'))).toHaveLength(1);
  });

  test('throws an error when an answer has no value to show, and does not fetch in a loop', async () => {
    const { controller, server } = world();
    class Author extends Entity {
      id = '';
      static override key = 'Author';
    }
    class Book extends Entity {
      id = '';
      author = Author.fromJS();
      static override key = 'Book';
      static override schema = { author: Author };
    }
    const getBook = new Endpoint(server.answers<[{ id: string }]>('book'), { name: 'getBook', schema: Book });
    const removeAuthor = new Endpoint(async (author: { id: string }) => author, {
      name: 'removeAuthor',
      schema: new Invalidate(Author),
      sideEffect: true,
    });
    const { text } = run(controller, () => useSuspense(getBook, { id: '1' }));
    await until(() => server.asked.length > 0);
    server.answer('book', { id: '1', author: { id: 'a' } });
    await until(() => text() === 'shown');
    server.respond = () => ({ id: '1', author: 'a' });
    await controller.fetch(removeAuthor, { id: 'a' });
    await until(() => text().startsWith('failed'));
    await rest();
    expect(text()).toContain('answered, but there is no value to show');
    expect(server.asked.length).toBeLessThanOrEqual(2);
  });

  test.each([
    ['stale at once', { dataExpiryLength: 0 }],
    ['invalid at once', { dataExpiryLength: 0, invalidIfStale: true }],
  ])('sends one request for data that is %s', async (_name, options) => {
    const { clock, controller, server } = world();
    const getNow = new Endpoint(server.answers<[{ id: string }]>('now'), { name: 'getNow', schema: Post, ...options });
    const { text } = run(controller, () => useSuspense(getNow, { id: '1' }).title);
    await until(() => server.asked.length > 0);
    clock.time += 5;
    server.answer('now', { id: '1', title: 'now' });
    clock.time += 5;
    await until(() => text() === 'shown');
    clock.time += 5;
    await rest(50);
    expect(server.asked).toEqual(['now']);
  });

  test.each<[string, boolean, (endpoint: GetNow) => unknown]>([
    ['useSuspense', true, (getNow) => useSuspense(getNow, { id: '1' })],
    ['useSuspense', false, (getNow) => useSuspense(getNow, { id: '1' })],
    ['useDLE', true, (getNow) => useDLE(getNow, { id: '1' })],
    ['useFetch', false, (getNow) => useFetch(getNow, { id: '1' })],
  ])('sends a request at each mount if data is stale at once: %s, StrictMode %s', async (_name, isStrict, use) => {
    const { clock, controller, server } = world();
    const getNow: GetNow = new Endpoint(server.answers<[{ id: string }]>('now'), {
      name: 'getNow',
      schema: Post,
      dataExpiryLength: 0,
    });
    const requests: number[] = [];
    for (let visit = 1; visit <= 5; visit++) {
      const { unmount } = run(controller, () => use(getNow), isStrict);
      await until(() => server.isWaiting('now'));
      clock.time += 5;
      server.answer('now', { id: '1', title: `visit ${visit}` });
      await rest(5);
      requests.push(server.asked.length);
      unmount();
      clock.time += 5;
    }
    expect(requests).toEqual([1, 2, 3, 4, 5]);
  });

  test('sends one request when it fails with an error that expires at once', async () => {
    const { clock, controller, server } = world();
    const getPost = new Endpoint(server.answers<[{ id: string }]>('post'), {
      name: 'getPost',
      schema: Post,
      errorExpiryLength: 0,
    });
    const { text } = run(controller, () => useSuspense(getPost, { id: '1' }));
    await until(() => server.asked.length > 0);
    server.fail('post', new Error('no'));
    await turn();
    clock.time += 10;
    await until(() => text() === 'failed: no');
    await rest();
    expect(server.asked).toEqual(['post']);
  });

  test('sends one more request when the store is reset while it waits', async () => {
    const { controller, getPost, server } = world();
    const { text } = run(controller, () => useSuspense(getPost, { id: '1' }).title);
    await until(() => server.asked.length > 0);
    void controller.resetEntireStore();
    await until(() => server.asked.length > 1);
    await rest();
    server.respond = () => ({ id: '1', title: 'one' });
    server.answer('post 1', { id: '1', title: 'one' });
    await until(() => text() === 'shown');
    expect(server.asked).toHaveLength(2);
  });

  test('throws the error of an aborted request, and does not fetch again', async () => {
    const { controller, server } = world();
    const getPost = new Endpoint(server.answers<[{ id: string }]>('post'), { name: 'getPost', schema: Post });
    const { text } = run(controller, () => useSuspense(getPost, { id: '1' }).title);
    await until(() => server.asked.length > 0);
    server.fail('post', new DOMException('gone', 'AbortError'));
    await until(() => text() === 'failed: gone');
    await rest();
    expect(server.asked).toHaveLength(1);
  });
});

describe('useCache', () => {
  test('returns stored data, and never sends a request', async () => {
    const { controller, getPost, server } = world();
    const { given } = run(controller, () => useCache(getPost, { id: '1' })?.title);
    await rest();
    void controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'one' });
    await until(() => given.at(-1) === 'one');
    await controller.setError(getPost, { id: '1' }, new Error('no'));
    await rest();
    void controller.set(Post, { id: '1' }, { id: '1', title: 'two' });
    await until(() => given.at(-1) === 'two');
    expect(given[0]).toBe(undefined);
    expect(server.asked).toEqual([]);
  });
});

describe('useDLE', () => {
  test('returns the loading state, then the data, then the error', async () => {
    const { controller, getPost, server } = world();
    const { given } = run(controller, () => useDLE(getPost, { id: '1' }));
    await until(() => server.asked.length > 0);
    expect(given.at(-1)).toEqual({ data: undefined, loading: true, error: undefined });
    server.answer('post 1', { id: '1', title: 'one' });
    await until(() => given.at(-1)?.loading === false);
    expect(given.at(-1)).toEqual({ data: controller.get(Post, { id: '1' }), loading: false, error: undefined });
    const error = new Error('no');
    void controller.setError(getPost, { id: '1' }, error);
    await until(() => given.at(-1)?.error !== undefined);
    expect(given.at(-1)).toEqual({ data: controller.get(Post, { id: '1' }), loading: false, error });
    expect(server.asked).toHaveLength(1);
  });

  test('shows an error until the request has been sent again, after expireAll()', async () => {
    const { controller, getPost, server } = world();
    const { given } = run(controller, () => useDLE(getPost, { id: '1' }));
    const expireAll = (): void => void controller.expireAll({ testKey: (key) => getPost.testKey(key) });
    await until(() => server.isWaiting('post 1'));
    server.fail('post 1', new Error('no'));
    await until(() => given.at(-1)?.error !== undefined);
    expireAll();
    await until(() => server.isWaiting('post 1'));
    await rest();
    expect(given.at(-1)).toMatchObject({ loading: false, error: { message: 'no' } });
    server.fail('post 1', new Error('not yet'));
    await until(() => given.at(-1)?.error?.message === 'not yet');
    await rest();
    expect(server.asked).toHaveLength(2);
    expireAll();
    await until(() => server.isWaiting('post 1'));
    server.answer('post 1', { id: '1', title: 'one' });
    await until(() => given.at(-1)?.data?.title === 'one');
    expect(given.at(-1)?.error).toBe(undefined);
    expect(server.asked).toHaveLength(3);
  });

  test('fetches data that stays after an error of the server, after expireAll()', async () => {
    const { controller, getPost: hard, server } = world();
    const getPost = hard.extend({ errorPolicy: () => 'soft' as const });
    const { given } = run(controller, () => useDLE(getPost, { id: '1' }));
    await until(() => server.isWaiting('post 1'));
    server.answer('post 1', { id: '1', title: 'one' });
    await until(() => given.at(-1)?.data?.title === 'one');
    const failed = controller.fetch(getPost, { id: '1' }).catch(() => 'failed');
    server.fail('post 1', new Error('no'));
    expect(await failed).toBe('failed');
    void controller.expireAll({ testKey: (key) => getPost.testKey(key) });
    await until(() => server.isWaiting('post 1'));
    expect(given.at(-1)).toMatchObject({ data: { title: 'one' }, error: undefined });
    server.answer('post 1', { id: '1', title: 'two' });
    await until(() => given.at(-1)?.data?.title === 'two');
  });

  test('is loading until the answer is stored, also when its schema has literals', async () => {
    const { controller, server } = world();
    const getPage = new Endpoint(() => server.ask('page'), { name: 'getPage', schema: { results: [Post], next: '' } });
    const { given } = run(controller, () => useDLE(getPage));
    await until(() => server.asked.length > 0);
    server.answer('page', { results: [{ id: '1', title: 'one' }], next: '2' });
    await until(() => given.at(-1)?.loading === false);
    const answered = given.filter(({ loading }) => !loading).map(({ data }) => data.next);
    expect(new Set(answered)).toEqual(new Set(['2']));
    expect(given[0]).toEqual({ data: { results: undefined, next: '' }, loading: true, error: undefined });
  });

  test('returns the data of the previous arguments as `previous` while the new data is loading', async () => {
    const { controller, getPost, server } = world();
    let args: { id: string } | null = { id: '1' };
    const { again, given } = run(controller, () => useDLE(getPost, args));
    await until(() => server.asked.length > 0);
    expect(given.at(-1)?.previous).toBe(undefined);
    server.answer('post 1', { id: '1', title: 'one' });
    await until(() => given.at(-1)?.loading === false);
    expect(given.at(-1)?.previous).toBe(undefined);
    for (const id of ['2', '3']) {
      args = { id };
      again();
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
      await until(() => server.asked.at(-1) === `post ${id}`);
      expect(given.at(-1)).toEqual({
        data: undefined,
        loading: true,
        error: undefined,
        previous: controller.get(Post, { id: '1' }),
      });
      expect(given.at(-1)?.previous).toBe(controller.get(Post, { id: '1' }));
    }
    server.answer('post 3', { id: '3', title: 'three' });
    await until(() => given.at(-1)?.data?.title === 'three');
    expect(given.at(-1)?.previous).toBe(undefined);
    args = null;
    again();
    await until(() => given.at(-1)?.data === undefined);
    expect(given.at(-1)).toEqual({ data: undefined, loading: false, error: undefined, previous: undefined });
  });

  test('returns no `previous` data of another endpoint that has no schema either', async () => {
    const { controller, server } = world();
    const getCount = new Endpoint(server.answers<[{ of: string }]>('count'), { name: 'getCount' });
    const getName = new Endpoint(server.answers<[{ of: string }]>('name'), { name: 'getName' });
    let [endpoint, of] = [getCount, 'posts'];
    const { again, given } = run(controller, () => useDLE(endpoint.extend({ dataExpiryLength: 5 }), { of }));
    await until(() => server.isWaiting('count'));
    server.answer('count', 7);
    await until(() => given.at(-1)?.data === 7);
    of = 'users';
    again();
    await until(() => server.isWaiting('count'));
    expect(given.at(-1)).toMatchObject({ data: undefined, previous: 7 });
    endpoint = getName;
    again();
    await until(() => server.isWaiting('name'));
    expect(given.at(-1)).toMatchObject({ data: undefined, loading: true, previous: undefined });
  });

  test('returns `null` if that is the answer, also after the next request has failed', async () => {
    const { clock, controller, server } = world();
    const getNothing = new Endpoint(server.answers<[]>('nothing'), { name: 'getNothing' });
    const { given } = run(controller, () => [useDLE(getNothing), useCache(getNothing)] as const);
    await until(() => server.isWaiting('nothing'));
    expect(given.at(-1)).toMatchObject([{ data: undefined, loading: true }, undefined]);
    server.answer('nothing', null);
    await until(() => given.at(-1)?.[0].loading === false);
    expect([given.at(-1)?.[0].data, given.at(-1)?.[1]]).toEqual([null, null]);
    clock.time += 10;
    void controller.setError(getNothing, new Error('no'));
    await until(() => given.at(-1)?.[0].error !== undefined);
    expect([given.at(-1)?.[0].data, given.at(-1)?.[1]]).toEqual([null, null]);
  });

  test('returns no `previous` data of another schema, and none after the store was reset', async () => {
    const { controller, getPost, server } = world();
    const getTitle = new Endpoint(({ id }: { id: string }) => server.ask(`title ${id}`), { name: 'getTitle' });
    let [endpoint, id]: [typeof getPost | typeof getTitle, string] = [getPost, '1'];
    const { again, given } = run(controller, () => useDLE(endpoint as typeof getPost, { id }));
    await until(() => server.asked.length > 0);
    server.answer('post 1', { id: '1', title: 'one' });
    await until(() => given.at(-1)?.loading === false);
    endpoint = getTitle;
    again();
    await until(() => given.at(-1)?.loading === true);
    expect(given.at(-1)?.previous).toBe(undefined);
    [endpoint, id] = [getPost, '2'];
    again();
    await until(() => given.at(-1)?.previous?.title === 'one');
    void controller.resetEntireStore();
    await until(() => given.at(-1)?.previous === undefined);
    expect(given.at(-1)?.loading).toBe(true);
  });

  test('is not loading when the arguments are null', async () => {
    const { controller, getPost } = world();
    const { given } = run(controller, () => useDLE(getPost, null));
    await until(() => given.length > 0);
    expect(given[0]).toEqual({ data: undefined, loading: false, error: undefined });
  });

  test('returns the error of an aborted request, and does not fetch again', async () => {
    const { controller, getPost, server } = world();
    const { given } = run(controller, () => useDLE(getPost, { id: '1' }));
    await until(() => server.asked.length > 0);
    server.fail('post 1', new DOMException('gone', 'AbortError'));
    await until(() => given.at(-1)?.error?.message === 'gone');
    await rest();
    expect(server.asked).toHaveLength(1);
  });
});

describe('useFetch', () => {
  const { use } = React as { use?: <T>(promise: Promise<T>) => T };

  test.skipIf(use === undefined)('returns a promise that use() unwraps', async () => {
    const { controller, getPost, server } = world();
    const { given, frames } = run(controller, () => use?.(useFetch(getPost, { id: '1' })).title);
    await until(() => server.asked.length > 0);
    server.answer('post 1', { id: '1', title: 'one' });
    await until(() => given.at(-1) === 'one');
    void controller.set(Post, { id: '1' }, { id: '1', title: 'two' });
    await until(() => given.at(-1) === 'two');
    expect(frames).toEqual(['loading', 'shown']);
    expect(server.asked).toHaveLength(1);
  });

  test.skipIf(use === undefined)('returns a promise that rejects when the request fails', async () => {
    const { controller, getPost, server } = world();
    const { text } = run(controller, () => use?.(useFetch(getPost, { id: '1' })));
    await until(() => server.asked.length > 0);
    server.fail('post 1', new Error('no'));
    await until(() => text() === 'failed: no');
    await rest();
    expect(server.asked).toHaveLength(1);
  });

  test.skipIf(use === undefined)(
    'returns the promise for which a component waited, when that goes on with the answer',
    async () => {
      const { controller, getPost, server } = world();
      const said = vi.spyOn(console, 'error').mockImplementation(() => {});
      onTestFinished(() => said.mockRestore());
      // React renders a component again where it suspended, if its promise resolves before React has left the component.
      server.respond = (name) => ({ id: name.slice(5), title: name });
      let go: (id: string) => void = () => {};
      const { given } = run(controller, () => {
        const [id, setId] = useState('1');
        go = setId;
        return use?.(useFetch(getPost, { id })).title;
      });
      for (const id of ['1', '2', '3']) {
        startTransition(() => go(id));
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await until(() => given.at(-1) === `post ${id}`);
      }
      expect(said.mock.calls).toEqual([]);
    },
  );

  test('returns a promise whose `resolved` says whether data is stored, and undefined when the arguments are null', async () => {
    const { controller, getPost, server } = world();
    const { given } = run(controller, () => [useFetch(getPost, { id: '1' }), useFetch(getPost, null)] as const);
    await until(() => given.length > 0);
    expect(given[0]?.[0].resolved).toBe(false);
    expect(given[0]?.[1]).toBe(undefined);
    const promise = given[0]?.[0];
    await until(() => server.asked.length > 0);
    server.answer('post 1', { id: '1', title: 'one' });
    expect((await promise)?.title).toBe('one');
    await until(() => given.at(-1)?.[0].resolved === true);
  });
});

describe('useQuery', () => {
  test('takes another query in each of many renders, as for each key of a search', async () => {
    const { controller } = world();
    void controller.set(Post, { id: '1' }, { id: '1', title: 'a'.repeat(30) });
    let type: (text: string) => void = () => {};
    function Search(): ReactNode {
      const [text, setText] = useState('');
      type = setText;
      const found = useQuery(
        React.useMemo(() => new Query(Post, ({ title }) => title.startsWith(text)), [text]),
        { id: '1' },
      );
      return `${text.length} ${found}`;
    }
    const { text } = show(
      <DataProvider controller={controller}>
        <Catch>
          <Search />
        </Catch>
      </DataProvider>,
    );
    await until(() => text() === '0 true');
    for (let length = 1; length <= 30; length++) {
      type('a'.repeat(length));
      // oxlint-disable-next-line no-await-in-loop -- one key after another
      await until(() => text() === `${length} true`, text);
      // oxlint-disable-next-line no-await-in-loop
      await rest(2);
    }
    expect(text()).toBe('30 true');
  });

  test('joins stored records, and renders only when its result changes', async () => {
    const { controller } = world();
    const titles = new Query(Post, (post) => post.title.toUpperCase());
    void controller.set(Post, { id: '1' }, { id: '1', title: 'one' });
    const { given } = run(controller, () => useQuery(titles, { id: '1' }), false);
    await until(() => given.length > 0);
    await rest();
    void controller.set(Post, { id: '2' }, { id: '2', title: 'other' });
    void controller.set(Post, { id: '1' }, { id: '1', title: 'ONE' });
    await rest();
    expect(given).toEqual(['ONE']);
    void controller.set(Post, { id: '1' }, { id: '1', title: 'two' });
    await until(() => given.at(-1) === 'TWO');
    expect(given).toEqual(['ONE', 'TWO']);
  });

  test('returns undefined when the arguments are null', async () => {
    const { controller } = world();
    void controller.set(Post, { id: '1' }, { id: '1', title: 'one' });
    let args: { id: string } | null = null;
    const { given, again } = run(controller, () => useQuery(Post, args)?.title ?? 'nothing', false);
    await until(() => given.at(-1) === 'nothing');
    args = { id: '1' };
    again();
    await until(() => given.at(-1) === 'one');
    void controller.set(Post, args, { id: '1', title: 'two' });
    await until(() => given.at(-1) === 'two');
    expect([...new Set(given)]).toEqual(['nothing', 'one', 'two']);
  });

  test('makes a MissingManager fetch a related record that is not stored', async () => {
    class Reply extends Entity {
      id = '';
      post: Post | undefined = undefined;
      static override key = 'Reply';
      static override schema = { post: Post };
    }
    const { getPost, server } = world();
    const controller = new Controller({
      managers: [new MissingManager({ endpoints: [[Post, getPost]] }), ...getDefaultManagers()],
    });
    server.respond = () => ({ id: '1', title: 'one' });
    void controller.set(Reply, { id: '7' }, { id: '7', post: '1' });
    await rest();
    expect(server.asked).toEqual([]);
    const { given } = run(controller, () => useQuery(Reply, { id: '7' })?.post?.id);
    await until(() => given.at(-1) === '1');
    expect(server.asked).toHaveLength(1);
  });

  test('returns undefined for a deleted record', async () => {
    const { controller } = world();
    void controller.set(Post, { id: '1' }, { id: '1', title: 'one' });
    const { given } = run(controller, () => useQuery(Post, { id: '1' })?.title);
    await rest();
    controller.store.invalidate(Post, '1');
    await until(() => given.at(-1) === undefined);
    expect(given[0]).toBe('one');
  });
});

describe('useError', () => {
  test('returns the error of the latest request, until a request succeeds', async () => {
    const { controller, getPost } = world();
    const { given } = run(controller, () => useError(getPost, { id: '1' }));
    await rest();
    const error = new Error('no');
    void controller.setError(getPost, { id: '1' }, error);
    await until(() => given.at(-1) === error);
    void controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'one' });
    await expectSoon(() => given.at(-1) === undefined);
  });
});

describe('useLoading', () => {
  test('returns whether the call is running, and its error until the next call', async () => {
    const { controller, server } = world();
    const { given } = run(controller, () => useLoading(() => server.ask('save')));
    await until(() => given.length > 0);
    const start = (): Promise<unknown> => (given.at(-1) as (typeof given)[0])[0]();
    const state = (): unknown => given.at(-1)?.slice(1);
    const first = start();
    await until(() => given.at(-1)?.[1] === true);
    const error = new Error('no');
    server.fail('save', error);
    expect(await first).toBe(undefined);
    await until(() => given.at(-1)?.[1] === false);
    expect(state()).toEqual([false, error]);
    const second = start();
    await until(() => given.at(-1)?.[1] === true);
    expect(state()).toEqual([true, undefined]);
    server.answer('save', 'saved');
    expect(await second).toBe('saved');
    await until(() => given.at(-1)?.[1] === false);
    expect(state()).toEqual([false, undefined]);
  });

  /** Calls `a` and then `b`, which wait for the server. */
  const twoCalls = async () => {
    const { controller, server } = world();
    const { given } = run(controller, () => useLoading((name: string) => server.ask(name), []));
    await until(() => given.length > 0);
    const save = (given.at(-1) as (typeof given)[0])[0];
    const first = save('a');
    const second = save('b');
    return { given, server, first, second };
  };

  test('is loading until the last of several concurrent calls ends', async () => {
    const { given, server, first, second } = await twoCalls();
    server.fail('a', new Error('no'));
    await first;
    await rest();
    expect(given.at(-1)?.slice(1)).toEqual([true, undefined]);
    server.answer('b', 'saved');
    await second;
    await until(() => given.at(-1)?.[1] === false);
    expect(given.at(-1)?.[2]).toBe(undefined);
  });
  test('is loading while an earlier call runs, and then has the error of the latest call', async () => {
    const { given, server, first, second } = await twoCalls();
    const error = new Error('no');
    server.fail('b', error);
    await second;
    await until(() => given.at(-1)?.[2] === error);
    expect(given.at(-1)?.[1]).toBe(true);
    server.answer('a', 'saved');
    await first;
    await until(() => given.at(-1)?.[1] === false);
    expect(given.at(-1)?.[2]).toBe(error);
  });

  test('is loading at once when it runs in an action, and has the error after it', async () => {
    const { controller, server } = world();
    const { given, text } = run(controller, () => useLoading(() => server.ask('save')));
    await until(() => text() === 'shown');
    startTransition(async () => {
      await given.at(-1)?.[0]();
    });
    await until(() => server.isWaiting('save'));
    await until(() => given.at(-1)?.[1] === true);
    const error = new Error('no');
    server.fail('save', error);
    await until(() => given.at(-1)?.[1] === false);
    expect(given.at(-1)?.[2]).toBe(error);
  });
});

describe('useMutation', () => {
  test('returns whether it is pending, its data and its error, and never rejects', async () => {
    const { controller, server } = world();
    const save = new Endpoint((args: { id: string }) => server.ask(`save ${args.id}`), {
      name: 'save',
      schema: Post,
      sideEffect: true,
    });
    const { given } = run(controller, () => useMutation(save));
    await until(() => given.length > 0);
    // React 18 renders twice in development, and discards the result of the first render.
    const thrownAway = given.length - 1;
    const { mutate, reset } = given.at(-1) as (typeof given)[0];
    const state = () => {
      const { isPending, data, error } = given.at(-1) as (typeof given)[0];
      return [isPending, data, error];
    };
    expect(state()).toEqual([false, undefined, undefined]);

    const first = mutate({ id: '1' });
    await until(() => given.at(-1)?.isPending === true);
    server.answer('save 1', { id: '1', title: 'one' });
    expect(await first).toBe(controller.get(Post, { id: '1' }));
    await until(() => given.at(-1)?.isPending === false);
    expect(state()).toEqual([false, controller.get(Post, { id: '1' }), undefined]);

    const second = mutate({ id: '1' });
    await until(() => given.at(-1)?.isPending === true);
    expect(state()).toEqual([true, undefined, undefined]);
    const refusal = new Error('no');
    server.fail('save 1', refusal);
    expect(await second).toBe(undefined);
    await until(() => given.at(-1)?.isPending === false);
    expect(state()).toEqual([false, undefined, refusal]);

    reset();
    await until(() => given.at(-1)?.error === undefined);
    expect(state()).toEqual([false, undefined, undefined]);
    expect(new Set(given.slice(thrownAway).map((one) => one.mutate)).size).toBe(1);
  });

  test('renders a component only when a field that it has read changes, and has current values in event handlers', async () => {
    const { controller, server } = world();
    const save = new Endpoint(() => server.ask('save'), { name: 'save', sideEffect: true });
    const { given } = run(controller, () => useMutation(save), false);
    await until(() => given.length > 0);
    const renders = given.length;
    const state = given.at(-1) as (typeof given)[0];
    const call = state.mutate();
    expect(state.isPending).toBe(true);
    server.answer('save', 'saved');
    expect(await call).toBe('saved');
    await until(() => given.length > renders);
    await rest();
    expect(state.isPending).toBe(false);
    // It was rendered when the call ended, because `isPending` had been read by then; not when the call began, nor for `data`.
    expect(given.length - renders).toBe(1);
    const failing = given.at(-1)?.mutate();
    server.fail('save', new Error('no'));
    await failing;
    await until(() => given.at(-1)?.isPending === false && given.length > renders + 1);
    expect(given.at(-1)?.error).toEqual(new Error('no'));
  });

  test('does not render a component that reads none of its state', async () => {
    const { controller, server } = world();
    const save = new Endpoint(() => server.ask('save'), { name: 'save', sideEffect: true });
    const { given } = run(controller, () => useMutation(save).mutate);
    await until(() => given.length > 0);
    await rest();
    const renders = given.length;
    const call = given.at(-1)?.();
    server.answer('save', 'saved');
    expect(await call).toBe('saved');
    await rest();
    expect(given.length).toBe(renders);
  });

  test('is pending until all concurrent calls have ended, and has the result of the latest call', async () => {
    const { controller, server } = world();
    const save = new Endpoint((args: { id: string }) => server.ask(`save ${args.id}`), {
      name: 'save',
      sideEffect: true,
    });
    const { given } = run(controller, () => useMutation(save));
    await until(() => given.length > 0);
    const { mutate } = given.at(-1) as (typeof given)[0];
    const first = mutate({ id: '1' });
    const second = mutate({ id: '2' });
    server.answer('save 2', 'two');
    await second;
    await until(() => given.at(-1)?.data === 'two');
    expect(given.at(-1)?.isPending).toBe(true);
    server.fail('save 1', new Error('no'));
    await first;
    await until(() => given.at(-1)?.isPending === false);
    expect(given.at(-1)?.data).toBe('two');
    expect(given.at(-1)?.error).toBe(undefined);
  });

  test('is pending at once, also when it is called in a transition that lasts as long as the call', async () => {
    const { controller, server } = world();
    const save = new Endpoint(() => server.ask('save'), { name: 'save', sideEffect: true });
    const { given } = run(controller, () => useMutation(save));
    await until(() => given.length > 0);
    let call: Promise<unknown> | undefined;
    React.startTransition((() => (call = given.at(-1)?.mutate())) as () => void);
    await until(() => given.at(-1)?.isPending === true);
    server.answer('save', 'saved');
    expect(await call).toBe('saved');
    await until(() => given.at(-1)?.isPending === false);
    expect(given.at(-1)?.data).toBe('saved');
  });

  test('is still pending after a reset, and has no data and no error when the call ends', async () => {
    const { controller, server } = world();
    const save = new Endpoint(() => server.ask('save'), { name: 'save', sideEffect: true });
    const { given } = run(controller, () => useMutation(save));
    await until(() => given.length > 0);
    const { mutate, reset } = given.at(-1) as (typeof given)[0];
    const call = mutate();
    reset();
    await until(() => given.at(-1)?.isPending === true);
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- applications do
    server.fail('save', undefined as never);
    expect(await call).toBe(undefined);
    await until(() => given.at(-1)?.isPending === false);
    expect(given.at(-1)?.error).toBe(undefined);
  });

  test('has an error when the request rejects with undefined', async () => {
    const { controller, server } = world();
    const save = new Endpoint(() => server.ask('save'), { name: 'save', sideEffect: true });
    const { given } = run(controller, () => useMutation(save));
    await until(() => given.length > 0);
    const call = given.at(-1)?.mutate();
    server.fail('save', undefined as never);
    await call;
    await until(() => given.at(-1)?.error !== undefined);
    expect(given.at(-1)?.error).toBeInstanceOf(Error);
    expect(given.at(-1)?.isPending).toBe(false);
  });
});

describe('usePending', () => {
  function scene() {
    const { controller, server } = world();
    const rename = new Endpoint((args: { id: string }, _body: object) => server.ask(`rename ${args.id}`), {
      name: 'rename',
      schema: Post,
      sideEffect: true,
    });
    void controller.set(Post, { id: '1' }, { id: '1', title: 'one' });
    void controller.set(Post, { id: '2' }, { id: '2', title: 'two' });
    return { controller, server, rename };
  }

  test('is true for a record only while a mutation of that record is in flight', async () => {
    const { controller, server, rename } = scene();
    const { given } = run(controller, () => ['1', '2', '3'].map((id) => usePending(useQuery(Post, { id }))));
    await until(() => given.length > 0);
    expect(given.at(-1)).toEqual([false, false, false]);
    const call = controller.fetch(rename, { id: '1' }, { title: 'uno' });
    await until(() => given.at(-1)?.[0] === true);
    expect(given.at(-1)).toEqual([true, false, false]);
    server.answer('rename 1', { id: '1', title: 'uno' });
    await call;
    await until(() => given.at(-1)?.[0] === false);
    const failing = controller.fetch(rename, { id: '2' }, { title: 'due' });
    await until(() => given.at(-1)?.[1] === true);
    server.fail('rename 2', new Error('no'));
    await expect(failing).rejects.toThrow('no');
    await until(() => given.at(-1)?.[1] === false);
  });

  test('is true for a new record until the server has created it', async () => {
    const { controller, server } = world();
    const posts = new Collection([Post]);
    const create = new Endpoint((body: { title: string }) => server.ask(`create ${body.title}`), {
      name: 'create',
      schema: posts.push,
      sideEffect: true,
      getOptimisticResponse: (_snap: unknown, body: object) => body,
    });
    void controller.set(posts, []);
    const { given } = run(controller, () => usePending(useQuery(posts)?.[0]));
    await until(() => given.length > 0);
    expect(given.at(-1)).toBe(false);
    const call = controller.fetch(create, { title: 'new' });
    await until(() => given.at(-1) === true);
    server.answer('create new', { id: '7', title: 'new' });
    await call;
    await until(() => given.at(-1) === false);
    expect(controller.get(posts)?.[0]?.id).toBe('7');
  });

  test('becomes false in the same frame in which a failed edit is rolled back', async () => {
    const { controller, server, rename } = scene();
    const edit = rename.extend({
      getOptimisticResponse: (_snap: unknown, { id }: { id: string }, body: object) => ({ id, ...body }),
    });
    function Row(): ReactNode {
      const post = useQuery(Post, { id: '1' });
      return `${post?.title}${usePending(post) ? ' unsaved' : ''}`;
    }
    const { frames, text } = show(inProvider(controller, <Row />));
    await until(() => text() === 'one');
    const failing = controller.fetch(edit, { id: '1' }, { title: 'uno' });
    await until(() => text() === 'uno unsaved');
    server.fail('rename 1', new Error('no'));
    await expect(failing).rejects.toThrow('no');
    await until(() => text() === 'one');
    expect(frames.slice(frames.indexOf('uno unsaved'))).toEqual(['uno unsaved', 'one']);
  });

  test('is false after the store is reset', async () => {
    const { controller, rename } = scene();
    const post = controller.get(Post, { id: '1' });
    const { given } = run(controller, () => usePending(post));
    await until(() => given.length > 0);
    const call = controller.fetch(rename, { id: '1' }, { title: 'uno' });
    await until(() => given.at(-1) === true);
    void controller.resetEntireStore();
    await expect(call).rejects.toThrow('in flight while the store was');
    await until(() => given.at(-1) === false);
  });
});

describe('useDebounce', () => {
  test('returns a new value when the value has not changed for the given time', async () => {
    const { controller } = world();
    let value = 'a';
    const { given, again } = run(controller, () => useDebounce(value, 5));
    await until(() => given.length > 0);
    value = 'b';
    again();
    await until(() => given.at(-1)?.[0] === 'b');
    expect(given[0]).toEqual(['a', false]);
  });

  test('is not pending while the value stays the same', async () => {
    const { controller } = world();
    let value = 'a';
    const { given, again } = run(controller, () => useDebounce(value, 0));
    await until(() => given.length > 0);
    await rest();
    await new Promise((resolve) => void setTimeout(resolve, 5));
    expect(new Set(given.map(([debounced, isPending]) => `${debounced} ${isPending}`))).toEqual(new Set(['a false']));
    value = 'b';
    again();
    await until(() => given.at(-1)?.join() === 'b,false');
    value = 'a';
    again();
    await until(() => given.at(-1)?.join() === 'a,false');
  });

  test('returns a value that is a function, and does not call it', async () => {
    const { controller } = world();
    const called: string[] = [];
    const functionOf = (name: string) => (): string => {
      called.push(name);
      return name;
    };
    let value = functionOf('a');
    const { given, again } = run(controller, () => useDebounce(value, 0));
    await until(() => given.length > 0);
    expect(given.at(-1)?.[0]).toBe(value);
    value = functionOf('b');
    again();
    await until(() => given.at(-1)?.[0] === value);
    expect(called).toEqual([]);
  });

  test('keeps the old value while its third argument is false', async () => {
    const { controller } = world();
    let value = 'a';
    const { given, again } = run(controller, () => useDebounce(value, 0, value !== 'b'));
    await until(() => given.length > 0);
    value = 'b';
    again();
    await rest();
    expect(given.at(-1)?.[0]).toBe('a');
    value = 'c';
    again();
    await until(() => given.at(-1)?.[0] === 'c');
  });
});

describe('useCancelling', () => {
  test('aborts the request of the previous arguments also if the endpoint is created in each render', async () => {
    const { controller } = world();
    const signals: AbortSignal[] = [];
    const search = new Endpoint(
      function (this: { signal?: AbortSignal }, args: { q: string }): Promise<unknown> {
        if (this.signal && args.q !== '') signals.push(this.signal);
        return new Promise(() => {});
      },
      { name: 'search', schema: [Post] },
    );
    let q = 'a';
    const { again } = run(controller, () =>
      useDLE(useCancelling(search.extend({ dataExpiryLength: 5 }), { q }), { q }),
    );
    await until(() => signals.length === 1);
    again();
    await rest();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    q = 'ab';
    again();
    await until(() => signals.length === 2);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  test('aborts the request of the previous arguments, and not that of the current arguments', async () => {
    const { controller } = world();
    const signals: AbortSignal[] = [];
    const search = new Endpoint(
      function (this: { signal?: AbortSignal }, args: { q: string }): Promise<unknown> {
        if (this.signal && args.q !== '') signals.push(this.signal);
        return new Promise(() => {});
      },
      { name: 'search', schema: [Post] },
    );
    let q = 'a';
    const { again } = run(controller, () => useDLE(useCancelling(search, { q }), { q }));
    await until(() => signals.length === 1);
    again();
    await rest();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    q = 'ab';
    again();
    await until(() => signals.length === 2);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  test('keeps the request of a transition while the former arguments are rendered again, and aborts it for others', async () => {
    const { controller } = world();
    const asked: { q: string; signal: AbortSignal; answer: (found: unknown) => void }[] = [];
    const search = new Endpoint(
      function (this: { signal?: AbortSignal }, { q }: { q: string }): Promise<unknown> {
        return new Promise((answer, reject) => {
          const signal = this.signal as AbortSignal;
          signal.addEventListener('abort', () => reject(signal.reason));
          asked.push({ q, signal, answer });
        });
      },
      { name: 'search', schema: [Post] },
    );
    const states = (): string[] => asked.map(({ q, signal }) => `${q} ${signal.aborted ? 'aborted' : 'open'}`);
    const set: { q: (q: string) => void; count: (count: number) => void } = { q: () => {}, count: () => {} };
    function Found(): ReactNode {
      const [q, setQ] = useState('a');
      const [count, setCount] = useState(0);
      Object.assign(set, { q: setQ, count: setCount });
      return `${useSuspense(useCancelling(search, { q }), { q })[0]?.title} ${count}`;
    }
    const { text } = show(inProvider(controller, <Found />));
    await until(() => asked.length > 0);
    for (const { answer } of asked) answer([{ id: 'a', title: 'a' }]);
    await until(() => text() === 'a 0');
    asked.length = 0;
    startTransition(() => set.q('ab'));
    await until(() => asked.length === 1);
    for (let count = 1; count < 4; count++) {
      click(() => set.count(count));
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
      await rest(3);
    }
    expect(text()).toBe('a 3');
    expect(states()).toEqual(['ab open']);
    startTransition(() => set.q('abc'));
    await until(() => asked.length === 2);
    expect(states()).toEqual(['ab aborted', 'abc open']);
    asked[1]?.answer([{ id: 'abc', title: 'abc' }]);
    await until(() => text() === 'abc 3');
    expect(asked).toHaveLength(2);
  });

  test('a cancelled request is sent again if the arguments change back, and its end is not shown as an error', async () => {
    const { controller } = world();
    let isSlow = true;
    const search = new Endpoint(
      async function (this: { signal?: AbortSignal }, { q }: { q: string }): Promise<unknown> {
        if (isSlow)
          await new Promise((_, reject) => this.signal?.addEventListener('abort', () => reject(this.signal?.reason)));
        return [{ id: q, title: q }];
      },
      { name: 'search', schema: [Post] },
    );
    let q = 'a';
    const { again, given } = run(controller, () => {
      const { data, error } = useDLE(useCancelling(search, { q }), { q });
      return error?.message ?? data?.[0]?.title ?? 'loading';
    });
    await until(() => given.at(-1) === 'loading');
    await rest();
    isSlow = false;
    q = 'ab';
    again();
    await until(() => given.at(-1) === 'ab');
    q = 'a';
    again();
    await until(() => given.at(-1) !== 'ab' && given.at(-1) !== 'loading');
    expect(given.at(-1)).toBe('a');
  });
});

describe('an ErrorBoundary', () => {
  test.each([undefined, null, 'no rights', 0])(
    'shows %o, which a component has thrown instead of an error',
    async (value) => {
      function Throwing(): ReactNode {
        // oxlint-disable-next-line typescript/only-throw-error -- code of an application can throw anything
        throw value;
      }
      const { text } = show(
        <ErrorBoundary fallbackComponent={({ error }) => `${error instanceof Error}: ${error.message}`}>
          <Throwing />
        </ErrorBoundary>,
      );
      await until(() => text() === `true: ${String(value)}`);
      expect(text()).toBe(`true: ${String(value)}`);
    },
  );

  test('shows the message, and renders its children again when `listen` calls its argument', async () => {
    let isBroken = true;
    let again: () => void = () => {};
    let isOver = false;
    function Fragile(): ReactNode {
      if (isBroken) throw new Error('broken');
      return 'whole';
    }
    const { container, text, unmount } = show(
      <ErrorBoundary
        className="alert"
        listen={(reset) => {
          again = reset;
          isOver = false;
          return () => {
            isOver = true;
          };
        }}
      >
        <Fragile />
      </ErrorBoundary>,
    );
    await until(() => text() === 'broken');
    expect(container.querySelector('pre')?.className).toBe('alert');
    isBroken = false;
    again();
    await until(() => text() === 'whole');
    again();
    await turn();
    expect(text()).toBe('whole');
    unmount();
    expect(isOver).toBe(true);
  });

  test('unsubscribes from the old `listen` function and subscribes to the new one when the prop changes', async () => {
    const listening = new Set<string>();
    const listenAs = (name: string) => () => {
      listening.add(name);
      return () => void listening.delete(name);
    };
    const { render, text, unmount } = show(<ErrorBoundary listen={listenAs('one')}>one</ErrorBoundary>);
    await until(() => text() === 'one');
    expect([...listening]).toEqual(['one']);
    render(<ErrorBoundary listen={listenAs('two')}>two</ErrorBoundary>);
    await until(() => text() === 'two');
    expect([...listening]).toEqual(['two']);
    render(<ErrorBoundary>three</ErrorBoundary>);
    await until(() => text() === 'three');
    expect([...listening]).toEqual([]);
    unmount();
  });
});

describe('the retry of a boundary', () => {
  const Failed = ({ error, resetErrorBoundary }: ErrorFallbackProps): ReactNode => (
    <button onClick={resetErrorBoundary}>{error.message}</button>
  );
  const failing = () => {
    const { controller, server } = world();
    const getPost = new Endpoint(({ id }: { id: string }) => server.ask(`post ${id}`), {
      name: 'getPost',
      schema: Post,
      errorExpiryLength: 100_000,
    });
    const Title = (): ReactNode => useSuspense(getPost, { id: '1' }).title;
    const retry = async ({ container, text }: Shown): Promise<string> => {
      await until(() => container.querySelector('button') !== null);
      container.querySelector('button')?.click();
      await until(() => server.isWaiting('post 1'), text);
      server.answer('post 1', { id: '1', title: 'one' });
      await until(() => text() === 'one');
      return text();
    };
    return { controller, getPost, server, Title, retry };
  };
  const inBoundary = (content: ReactNode): ReactNode => (
    <ErrorBoundary fallbackComponent={Failed}>
      <Suspense fallback="loading">{content}</Suspense>
    </ErrorBoundary>
  );

  test('sends the request again if the boundary is outside of the provider', async () => {
    const { controller, server, Title, retry } = failing();
    const shown = show(inBoundary(inProvider(controller, <Title />)));
    await until(() => server.isWaiting('post 1'));
    server.fail('post 1', new Error('no'));
    expect(await retry(shown)).toBe('one');
  });

  test.each(['no rights', 404])('sends a request again that has failed with %o instead of an error', async (thrown) => {
    const { controller, server, Title, retry } = failing();
    const shown = show(inProvider(controller, inBoundary(<Title />)));
    await until(() => server.isWaiting('post 1'));
    server.fail('post 1', thrown as never);
    await until(() => shown.text() === String(thrown));
    expect(await retry(shown)).toBe('one');
  });

  test('sends a request again that the application has sent while its answer was shown', async () => {
    const { controller, getPost, server, Title, retry } = failing();
    void controller.setResponse(getPost, { id: '1' }, { id: '1', title: 'old' });
    const shown = show(inProvider(controller, inBoundary(<Title />)));
    await until(() => shown.text() === 'old');
    const fetched = controller.fetch(getPost, { id: '1' });
    server.fail('post 1', Object.assign(new Error('no'), { status: 403 }));
    await expect(fetched).rejects.toThrow('no');
    await until(() => shown.text() === 'no');
    expect(await retry(shown)).toBe('one');
  });
});

describe('an AsyncBoundary with `resetKeys`', () => {
  /** A search whose texts fail until they are answered. */
  function search() {
    const { controller, server } = world();
    const getPost = new Endpoint(({ id }: { id: string }) => server.ask(`post ${id}`), {
      name: 'getPost',
      schema: Post,
      errorExpiryLength: 100_000,
    });
    const Title = ({ id }: { readonly id: string }): ReactNode => useSuspense(getPost, { id }).title;
    const page = (id: string, keys: readonly unknown[] | undefined): ReactNode => (
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="loading" errorComponent={({ error }) => error.message} resetKeys={keys}>
          <Title id={id} />
        </AsyncBoundary>
      </DataProvider>
    );
    return { controller, getPost, server, page };
  }

  test('shows the content of other keys after an error, and sends only the request of these', async () => {
    const { server, page } = search();
    const { render, text } = show(page('1', ['1']));
    await until(() => server.isWaiting('post 1'));
    server.fail('post 1', new Error('no'));
    await until(() => text() === 'no');
    render(page('2', ['2']));
    await until(() => server.isWaiting('post 2'));
    server.answer('post 2', { id: '2', title: 'two' });
    await until(() => text() === 'two');
    expect(server.asked).toEqual(['post 1', 'post 2']);
  });

  test('shows an error that comes with the new keys, and does not send its request again', async () => {
    const { controller, getPost, server, page } = search();
    const { render, text } = show(page('1', ['1']));
    await until(() => server.isWaiting('post 1'));
    server.answer('post 1', { id: '1', title: 'one' });
    await until(() => text() === 'one');
    const fetched = controller.fetch(getPost, { id: '2' });
    server.fail('post 2', new Error('no'));
    await expect(fetched).rejects.toThrow('no');
    render(page('2', ['2']));
    await until(() => text() === 'no');
    await rest();
    expect(server.asked).toEqual(['post 1', 'post 2']);
  });

  test('keeps an error while the keys are the same, also if they are another array', async () => {
    const { server, page } = search();
    const { render, text } = show(page('1', ['a', Number.NaN]));
    await until(() => server.isWaiting('post 1'));
    server.fail('post 1', new Error('no'));
    await until(() => text() === 'no');
    render(page('1', ['a', Number.NaN]));
    await rest();
    expect(text()).toBe('no');
    expect(server.asked).toEqual(['post 1']);
    render(page('1', ['a']));
    await until(() => server.asked.length === 2);
    server.answer('post 1', { id: '1', title: 'one' });
    await until(() => text() === 'one');
  });
});

describe('a DataProvider', () => {
  test('creates its own controller, and disposes of it after it is unmounted', async () => {
    const log: string[] = [];
    const manager = {
      middleware: (() => (next) => next) satisfies Middleware,
      init: () => void log.push('init'),
      cleanup: () => void log.push('cleanup'),
    };
    let controller: Controller | undefined;
    function Caller(): ReactNode {
      controller = useController();
      return 'shown';
    }
    const { unmount } = show(
      <DataProvider managers={[manager]} devButton={null}>
        <Caller />
      </DataProvider>,
      { isStrict: React.version.startsWith('19') },
    );
    await until(() => controller !== undefined);
    await rest();
    expect(log).toEqual(['init']);
    unmount();
    await until(() => log.length === 2);
    expect(log).toEqual(['init', 'cleanup']);
    await expect(controller?.fetch(new Endpoint(async () => 1, { name: 'one' }))).rejects.toThrow(DataError);
  });

  test('calls `initialState` once, before the first read', async () => {
    const { controller, getPost, server } = world();
    let filled = 0;
    const fill = (to: Controller): void => {
      filled++;
      void to.setResponse(getPost, { id: '1' }, { id: '1', title: 'sent' });
    };
    function Title(): ReactNode {
      return useSuspense(getPost, { id: '1' }).title;
    }
    const { frames } = show(
      <DataProvider controller={controller} initialState={fill}>
        <Title />
      </DataProvider>,
    );
    await until(() => frames.at(-1) === 'sent');
    expect(frames).toEqual(['sent']);
    expect(filled).toBe(1);
    expect(server.asked).toEqual([]);
  });

  test('does not call `initialState` again when it is another function in each render', async () => {
    const { controller } = world();
    let filled = 0;
    let renderAgain = (): void => {};
    function Title(): ReactNode {
      return useQuery(Post, { id: '1' })?.title;
    }
    function Page(): ReactNode {
      const [renders, setRenders] = useState(0);
      renderAgain = () => setRenders(renders + 1);
      const fill = (to: Controller): void => {
        filled++;
        to.store.write(Post, { id: '1', title: 'initial' });
      };
      return (
        <DataProvider controller={controller} initialState={fill}>
          <Title /> {renders}
        </DataProvider>
      );
    }
    const { frames } = show(<Page />);
    await until(() => frames.at(-1) === 'initial 0');
    controller.store.write(Post, { id: '1', title: 'changed' });
    await until(() => frames.at(-1) === 'changed 0');
    renderAgain();
    await until(() => frames.at(-1)?.endsWith('1') === true);
    expect([frames.at(-1), filled]).toEqual(['changed 1', 1]);
  });

  test('keeps its controller when a component suspends without a boundary around it', async () => {
    const { server } = world();
    const getPost = new Endpoint(({ id }: { id: string }) => server.ask(`post ${id}`), {
      name: 'getPost',
      schema: Post,
    });
    function Title(): ReactNode {
      return useSuspense(getPost, { id: '1' }).title;
    }
    const { frames } = show(
      <DataProvider>
        <Title />
      </DataProvider>,
    );
    await until(() => server.asked.length > 0);
    server.answer('post 1', { id: '1', title: 'one' });
    await until(() => frames.at(-1) === 'one');
    await rest();
    expect(new Set(server.asked).size).toBe(1);
    expect(server.asked.length).toBeLessThanOrEqual(React.version.startsWith('19') ? 1 : 2);
  });

  const Activity = (React as { Activity?: React.ComponentType<{ mode: 'visible' | 'hidden'; children: ReactNode }> })
    .Activity;

  test.skipIf(Activity === undefined)('that was hidden keeps its store, and gets a new controller later', async () => {
    const Hideable = Activity as NonNullable<typeof Activity>;
    const { getPost, server } = world();
    server.respond = () => ({ id: '1', title: 'one' });
    const controllers = new Set<Controller>();
    function Title(): ReactNode {
      controllers.add(useController());
      return useSuspense(getPost, { id: '1' }).title;
    }
    const page = (mode: 'visible' | 'hidden'): ReactNode => (
      <Hideable mode={mode}>
        <div>
          <DataProvider>
            <Title />
          </DataProvider>
        </div>
      </Hideable>
    );
    const { text, render } = show(page('visible'), { isStrict: false });
    await until(() => text() === 'one');
    render(page('hidden'));
    await until(() => text() === '');
    await rest();
    render(page('visible'));
    await until(() => controllers.size === 2);
    await until(() => text() === 'one');
    const [first, second] = controllers;
    expect(second?.store).toBe(first?.store);
    await expect(second?.fetch(getPost, { id: '1' })).resolves.toMatchObject({ title: 'one' });
  });

  test('hydrates with the data that the server rendered, and then shows the stored data', async () => {
    const { controller } = world();
    void controller.set(Post, { id: '1' }, { id: '1', title: 'new' });
    const ids = new Set<string>();
    class Sent extends PageRendering {
      override first(id: string): never {
        ids.add(id);
        return { status: 'fresh', value: { title: 'sent' } } as never;
      }
    }
    const rendering = new Sent();
    function Title(): ReactNode {
      return <b>{useQuery(Post, { id: '1' })?.title}</b>;
    }
    const page = (
      <DataProvider controller={controller} rendering={rendering}>
        <Title />
        <Title />
      </DataProvider>
    );
    const container = document.createElement('div');
    container.innerHTML = '<b>sent</b><b>sent</b>';
    const errors: unknown[] = [];
    const root = hydrateRoot(container, page, { onRecoverableError: (error) => errors.push(error) });
    onTestFinished(() => root.unmount());
    await until(() => container.textContent === 'newnew');
    expect(errors).toEqual([]);
    expect(ids.size).toBe(2);
  });

  test('a change in a transition that many components show is no reason for a warning', async () => {
    const { controller } = world();
    void controller.set(Post, { id: '1' }, { id: '1', title: 'old' });
    const Title = (): ReactNode => useQuery(Post, { id: '1' })?.title;
    const { text, warn } = await showTwenty(controller, Title);
    startTransition(() => void controller.set(Post, { id: '1' }, { id: '1', title: 'new' }));
    await until(() => text() === 'new'.repeat(20));
    expect(warn.mock.calls).toEqual([]);
  });

  test('React still warns of many updates that the application itself makes in a transition', async () => {
    const { controller } = world();
    void controller.set(Post, { id: '1' }, { id: '1', title: 'old' });
    const setters = new Set<(isNew: boolean) => void>();
    const Title = (): ReactNode => {
      const [isNew, setNew] = useState(false);
      setters.add(setNew);
      return `${useQuery(Post, { id: '1' })?.title ?? ''}${isNew ? '!' : ''}`;
    };
    const { text, warn } = await showTwenty(controller, Title);
    startTransition(() => {
      for (const setNew of setters) setNew(true);
      void controller.set(Post, { id: '1' }, { id: '1', title: 'new' });
    });
    await until(() => text() === 'new!'.repeat(20));
    expect(warn).toHaveBeenCalledTimes(inject('build').mode === 'production' ? 0 : 1);
  });

  test('hydrates a component whose data has not changed with one render, and no boundary below it is replaced', async () => {
    const { controller } = world();
    void controller.set(Post, { id: '1' }, { id: '1', title: 'sent' });
    class Sent extends PageRendering {
      override first<Value>(_id: string, view: LiveView<Value>): Answer<Value> {
        return view.current();
      }
    }
    const rendering = new Sent();
    let renders = 0;
    const Title = (): ReactNode => useQuery(Post, { id: '1' })?.title;
    function Page(): ReactNode {
      renders++;
      return (
        <>
          <Title />
          <Suspense fallback="loading">
            <b>
              <Title />
            </b>
          </Suspense>
          {useQuery(Post, { id: '1' })?.title}
        </>
      );
    }
    const page = (
      <DataProvider controller={controller} rendering={rendering}>
        <Page />
      </DataProvider>
    );
    const container = document.createElement('div');
    container.innerHTML = 'sent<!--$--><b>sent</b><!--/$--><!-- -->sent';
    const sent = container.querySelector('b');
    const errors: unknown[] = [];
    const root = hydrateRoot(container, page, { onRecoverableError: (error) => errors.push(error) });
    onTestFinished(() => root.unmount());
    await until(() => renders > 0);
    await rest();
    expect(errors).toEqual([]);
    expect(renders).toBe(1);
    await controller.set(Post, { id: '1' }, { id: '1', title: 'new' });
    await until(() => container.textContent === 'newnewnew');
    expect(container.querySelector('b')).toBe(sent);
  });
});

describe('useSubscription', () => {
  test('throws an error to the boundary when `pollFrequency` is negative', async () => {
    const { server } = world();
    const getNow = new Endpoint(server.answers<[]>('now'), { name: 'getNow', pollFrequency: -1 });
    const controller = new Controller({ managers: getDefaultManagers() });
    const { text } = run(controller, () => useSubscription(getNow));
    await until(() => text().startsWith('failed'));
    expect(text()).toContain('pollFrequency');
    controller.dispose();
  });

  test('does nothing when the arguments are null', async () => {
    const { controller, getPost } = world();
    const { text } = run(controller, () => useSubscription(getPost, null));
    await until(() => text() === 'shown');
    expect(text()).toBe('shown');
  });
});

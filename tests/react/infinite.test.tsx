import * as React from 'react';
import { type ComponentType, type ReactNode, startTransition, Suspense, useEffect, useState } from 'react';
import { describe, expect, test } from 'vitest';
import { Collection, Controller, Endpoint } from 'rejoin';
import { DataProvider, type Infinite, useCache, useInfinite, useSuspense } from 'rejoin/react';
import { expectSoon, Catch, Post, rest, Server, show, until } from './harness.tsx';

interface Page {
  readonly results: Post[];
  readonly next?: number;
}

function feed(maxPages?: number, options: { dataExpiryLength?: number } = {}) {
  const server = new Server();
  const controller = new Controller();
  const getFeed = new Endpoint(({ page }: { of: string; page: number }) => server.ask(`page ${page}`), {
    name: 'getFeed',
    ...options,
    schema: { results: new Collection([Post]), next: 0 },
  });
  const pageAt = (page: number, mark = ''): unknown => ({
    results: [{ id: `${page}`, title: `${page}${mark}` }],
    ...(page < 5 && { next: page + 1 }),
  });
  let shown: Infinite<Page> | undefined;
  function Feed({ of, from }: { of: string; from: number }): ReactNode {
    shown = useInfinite(
      getFeed,
      { of, page: from },
      {
        next: (page, args) => (page.next === undefined ? undefined : { ...args, page: args.page + 1 }),
        previous: (_, args) => (args.page > 1 ? { ...args, page: args.page - 1 } : undefined),
        maxPages,
      },
    ) as unknown as Infinite<Page>;
    return shown.pages.map((page) => page.results.map(({ title }) => title).join()).join('|');
  }
  const page = (of = 'a', from = 1): ReactNode => (
    <DataProvider controller={controller}>
      <Catch>
        <Suspense fallback="loading">
          <Feed of={of} from={from} />
        </Suspense>
      </Catch>
    </DataProvider>
  );
  const now = (): Infinite<Page> => shown as Infinite<Page>;
  return { server, controller, getFeed, Feed, page, pageAt, now };
}

describe('useInfinite', () => {
  test('shows the first page, then the next page, and fetches each page once', async () => {
    const { server, page, pageAt, now } = feed();
    const { frames } = show(page());
    await until(() => server.asked.length > 0);
    server.answer('page 1', pageAt(1));
    await until(() => frames.at(-1) === '1');
    expect([now().hasNext, now().hasPrevious]).toEqual([true, false]);
    void now().fetchNext();
    void now().fetchNext();
    await until(() => now().isFetchingNext);
    server.answer('page 2', pageAt(2));
    await until(() => frames.at(-1) === '1|2');
    await rest();
    expect(frames).toEqual(['loading', '1', '1|2']);
    expect(server.asked).toEqual(['page 1', 'page 2']);
    expect(now().isFetchingNext).toBe(false);
  });

  const { Activity } = React as { Activity?: ComponentType<{ mode: 'visible' | 'hidden'; children: ReactNode }> };
  test.skipIf(Activity === undefined)('fetches its pages again if they became stale in a hidden Activity', async () => {
    const Hideable = Activity as NonNullable<typeof Activity>;
    const { controller, getFeed, server, page, pageAt, now } = feed();
    const { render, text } = show(<Hideable mode="visible">{page()}</Hideable>);
    await until(() => server.isWaiting('page 1'));
    server.answer('page 1', pageAt(1));
    await until(() => text() === '1');
    void now().fetchNext();
    await until(() => server.isWaiting('page 2'));
    server.answer('page 2', pageAt(2));
    await until(() => text() === '1|2');
    await rest();
    render(<Hideable mode="hidden">{page()}</Hideable>);
    await until(() => text() === '');
    await rest();
    void controller.expireAll(getFeed);
    await rest();
    expect(server.asked).toHaveLength(2);
    render(<Hideable mode="visible">{page()}</Hideable>);
    await until(() => text() === '1|2');
    await until(() => server.asked.length === 4);
    for (const name of ['page 1', 'page 2']) server.answer(name, pageAt(Number(name.at(-1)), ' again'));
    await until(() => text() === '1 again|2 again');
    expect(server.asked).toEqual(['page 1', 'page 2', 'page 1', 'page 2']);
  });

  test('is fetching until the page is shown, so that an effect can fetch all pages one after another', async () => {
    const { server, controller, getFeed, pageAt } = feed();
    server.respond = (name) => pageAt(Number(name.slice(5)));
    let effects = 0;
    function All(): ReactNode {
      const { pages, hasNext, isFetchingNext, fetchNext } = useInfinite(
        getFeed,
        { of: 'a', page: 1 },
        { next: ({ next }, arg) => (next === undefined ? undefined : { ...arg, page: next }) },
      );
      const isDue = hasNext && !isFetchingNext;
      useEffect(() => {
        effects++;
        if (isDue) void fetchNext();
      }, [isDue, fetchNext]);
      return isDue || isFetchingNext ? 'loading' : pages.length;
    }
    const { text } = show(
      <DataProvider controller={controller}>
        <Suspense fallback="loading">
          <All />
        </Suspense>
      </DataProvider>,
    );
    await until(() => text() === '5');
    expect(server.asked).toEqual(['page 1', 'page 2', 'page 3', 'page 4', 'page 5']);
    expect(effects).toBeLessThan(30);
  });

  test('returns the items of all pages as one list without duplicates, which is the same object until a page changes', async () => {
    const { server, controller, page, pageAt, now } = feed();
    server.respond = (name) => pageAt(Number(name.slice(5)));
    const { text } = show(page());
    await until(() => text() === '1');
    server.respond = () => ({ results: [{ id: '1' }, { id: '2', title: '2' }], next: 3 });
    await now().fetchNext();
    await until(() => text() === '1|1,2');
    const { items, pages } = now();
    expect(items.map(({ id }) => id)).toEqual(['1', '2']);
    expect(items[0]).toBe(pages[0]?.results[0]);
    await controller.set(Post, { id: '9' }, { id: '9' });
    expect(now().items).toBe(items);
    await controller.set(Post, { id: '1' }, { id: '1', title: 'one' });
    await until(() => text() === 'one|one,2');
    expect(now().items).not.toBe(items);
    expect(now().items[1]).toBe(items[1]);
  });

  test('returns the items of pages that are lists, and no items when a page contains no list', async () => {
    const controller = new Controller();
    const answers: unknown[] = [[{ id: '1', title: 'a' }], [{ id: '1', title: 'a' }]];
    const getPosts = new Endpoint(async ({ page }: { page: number }) => answers[page], {
      name: 'getPosts',
      schema: new Collection([Post]),
    });
    const getCount = new Endpoint(async ({ page }: { page: number }) => ({ count: page }), { name: 'getCount' });
    const seen: unknown[] = [];
    let fetchNext: () => Promise<void> = async () => {};
    function Lists(): ReactNode {
      const next = (_: unknown, { page }: { page: number }, all: readonly unknown[]): { page: number } | undefined => {
        seen.push(all.length);
        return page < 1 ? { page: page + 1 } : undefined;
      };
      const posts = useInfinite(getPosts, { page: 0 }, { next });
      const counts = useInfinite(getCount, { page: 0 }, { next });
      fetchNext = posts.fetchNext;
      return `${posts.pages.length} ${posts.items.length} ${counts.items.length}`;
    }
    const { text } = show(
      <DataProvider controller={controller}>
        <Suspense fallback="loading">
          <Lists />
        </Suspense>
      </DataProvider>,
    );
    await until(() => text() === '1 1 0');
    await fetchNext();
    await until(() => text() === '2 1 0');
    // `next` gets all pages.
    expect(seen).toContain(2);
  });

  // React 18 renders all transitions together.
  test.skipIf(!('use' in React))(
    'adds a page whose answer is in a pending transition, and shows no fallback',
    async () => {
      const { controller, getFeed, server, Feed, pageAt, now } = feed();
      let go = (_id: number): void => {};
      const Second = (): ReactNode => ` ${useCache(getFeed, { of: 'a', page: 2 })?.results?.[0]?.title ?? 'none'}`;
      function Away(): ReactNode {
        const [id, setId] = useState<number>();
        go = setId;
        useSuspense(getFeed, id === undefined ? null : { of: 'b', page: id });
        return ` ${id ?? 'here'}`;
      }
      const { frames } = show(
        <DataProvider controller={controller}>
          <Suspense fallback="loading">
            <Feed of="a" from={1} />
            <Second />
            <Away />
          </Suspense>
        </DataProvider>,
      );
      await until(() => server.isWaiting('page 1'));
      server.answer('page 1', pageAt(1));
      await until(() => frames.at(-1) === '1 none here');
      startTransition(() => {
        void controller.setResponse(getFeed, { of: 'a', page: 2 }, pageAt(2));
        go(5);
      });
      await until(() => server.isWaiting('page 5'));
      await rest();
      void now().fetchNext();
      await until(() => frames.at(-1) === '1|2 2 here');
      server.answer('page 5', pageAt(5));
      await until(() => frames.at(-1) === '1|2 2 5');
      // Other components show the page in the same frame, before the rest of the transition.
      expect(frames).toEqual(['loading', '1 none here', '1|2 2 here', '1|2 2 5']);
    },
  );

  test('sends no request when there is no next page', async () => {
    const { server, page, pageAt, now } = feed();
    server.respond = (name) => pageAt(Number(name.slice(5)));
    const { text } = show(page('a', 4));
    await until(() => text() === '4');
    await now().fetchNext();
    await until(() => text() === '4|5');
    expect(now().hasNext).toBe(false);
    await now().fetchNext();
    await rest();
    expect(server.asked).toEqual(['page 4', 'page 5']);
  });

  test('fetches previous and next pages, and keeps at most `maxPages` pages', async () => {
    const { server, page, pageAt, now } = feed(2);
    server.respond = (name) => pageAt(Number(name.slice(5)));
    const { text } = show(page('a', 3));
    await until(() => text() === '3');
    await now().fetchPrevious();
    await until(() => text() === '2|3');
    await now().fetchPrevious();
    await until(() => text() === '1|2');
    expect(now().hasPrevious).toBe(false);
    await now().fetchNext();
    await until(() => text() === '2|3');
    expect(server.asked).toEqual(['page 3', 'page 2', 'page 1']);
  });

  test('with `maxPages`, adds no page beside one that is not at that end any more', async () => {
    const { server, page, pageAt, now } = feed(2);
    const { text } = show(page('a', 3));
    await until(() => server.isWaiting('page 3'));
    server.answer('page 3', pageAt(3));
    await until(() => text() === '3');
    void now().fetchPrevious();
    await until(() => server.isWaiting('page 2'));
    server.answer('page 2', pageAt(2));
    await until(() => text() === '2|3');
    void now().fetchPrevious();
    const fetched = now().fetchNext();
    await until(() => server.isWaiting('page 1') && server.isWaiting('page 4'));
    server.answer('page 1', pageAt(1));
    await until(() => text() === '1|2');
    server.answer('page 4', pageAt(4));
    await fetched;
    await rest();
    expect(text()).toBe('1|2');
    expect(now().hasNext).toBe(true);
    await now().fetchNext();
    await until(() => text() === '2|3');
  });

  test('fetches one page again, and keeps the other pages', async () => {
    const { server, page, pageAt, now } = feed();
    server.respond = (name) => pageAt(Number(name.slice(5)));
    const { frames, text } = show(page());
    await until(() => text() === '1');
    await now().fetchNext();
    await until(() => text() === '1|2');
    const [first] = now().pages;
    server.respond = (name) => pageAt(Number(name.slice(5)), '!');
    await now().refetch(1);
    await until(() => text() === '1|2!');
    expect(now().pages[0]).toBe(first);
    expect(frames).toEqual(['loading', '1', '1|2', '1|2!']);
    await now().refetch(7);
    expect(server.asked).toHaveLength(3);
  });

  test('returns the error of a page that could not be fetched, and keeps the other pages', async () => {
    const { server, page, pageAt, now } = feed();
    const { text } = show(page());
    await until(() => server.asked.length > 0);
    server.answer('page 1', pageAt(1));
    await until(() => text() === '1');
    const fetched = now().fetchNext();
    await until(() => server.asked.length === 2);
    server.fail('page 2', new Error('no'));
    await fetched;
    await until(() => now().error !== undefined);
    expect(now().error?.message).toBe('no');
    expect(text()).toBe('1');
  });

  test('starts with the first page when its arguments change, and throws the error of the first page', async () => {
    const { server, page, pageAt, now } = feed();
    server.respond = (name) => pageAt(Number(name.slice(5)));
    const { text, render } = show(page('a'));
    await until(() => text() === '1');
    await now().fetchNext();
    await until(() => text() === '1|2');
    render(page('b'));
    await until(() => text() === '1');
    await now().fetchNext();
    await until(() => text() === '1|2');
    server.respond = () => new Error('no');
    render(page('c'));
    await expectSoon(() => text() === 'failed: no');
  });

  test('a page that arrives after the arguments have changed leaves the pages of the new list', async () => {
    const { server, page, pageAt, now } = feed();
    const { text, render } = show(page('a'));
    await until(() => server.isWaiting('page 1'));
    server.answer('page 1', pageAt(1));
    await until(() => text() === '1');
    void now().fetchNext();
    await until(() => server.isWaiting('page 2'));
    await rest();
    server.respond = (name) => pageAt(Number(name.slice(5)));
    render(page('b'));
    await until(() => server.asked.length === 3 && text() === '1');
    await rest();
    await now().fetchNext();
    await until(() => text() === '1|2');
    server.answer('page 2', pageAt(2));
    await rest();
    expect(text()).toBe('1|2');
  });

  test('has neither the error nor the progress of the list that it showed before', async () => {
    const { server, page, pageAt, now } = feed();
    server.respond = (name) => (name === 'page 2' ? new Error('no') : pageAt(1));
    const { text, render } = show(page('a'));
    await until(() => text() === '1');
    await now().fetchNext();
    await until(() => now().error?.message === 'no');
    render(page('b'));
    await until(() => server.asked.length === 3 && text() === '1');
    await rest();
    expect(now().error).toBe(undefined);
    server.respond = (name) => (name === 'page 2' ? undefined : pageAt(1));
    void now().fetchNext();
    await until(() => now().isFetchingNext);
    render(page('c'));
    await until(() => server.asked.length === 5 && text() === '1');
    await rest();
    expect(now().isFetchingNext).toBe(false);
    server.fail('page 2', new Error('late'));
    await rest();
    expect(now().error).toBe(undefined);
  });

  test('does not fetch a page again when another page is added, also when pages are stale at once', async () => {
    const { server, page, pageAt, now } = feed(undefined, { dataExpiryLength: 0 });
    server.respond = (name) => pageAt(Number(name.slice(5)));
    const { text } = show(page());
    await until(() => text() === '1');
    await rest();
    await now().fetchNext();
    await until(() => text() === '1|2');
    await rest();
    await now().fetchNext();
    await until(() => text() === '1|2|3');
    await rest();
    expect(server.asked).toEqual(['page 1', 'page 2', 'page 3']);
  });

  describe('with pages that have a cursor', () => {
    function cursorFeed(ids: string, first: { after?: string } = {}, maxPages?: number) {
      let all = Array.from(ids);
      const asked: (string | undefined)[] = [];
      let refused: string | undefined;
      const controller = new Controller();
      const getFeed = new Endpoint(
        async ({ after, before }: { after?: string; before?: string }) => {
          asked.push(before ?? after);
          if (after !== undefined && after === refused) throw new Error('refused');
          const end = before === undefined ? undefined : all.indexOf(before);
          const start = end === undefined ? all.indexOf(after ?? '') + 1 : Math.max(0, end - 2);
          const results = all.slice(start, end ?? start + 2).map((id) => ({ id, title: id }));
          const last = start + results.length;
          return {
            results,
            ...(last < all.length && { next: results.at(-1)?.id }),
            ...(start > 0 && { previous: results[0]?.id }),
          };
        },
        { name: 'getFeed', schema: { results: new Collection([Post]), next: '', previous: '' } },
      );
      let last: Pick<Infinite<unknown>, 'fetchNext' | 'fetchPrevious' | 'refetch'> | undefined;
      function Feed(): ReactNode {
        const infinite = useInfinite(getFeed, first, {
          next: ({ next }) => (next ? { after: next } : undefined),
          previous: ({ previous }) => (previous ? { before: previous } : undefined),
          maxPages,
        });
        last = infinite;
        return infinite.pages.map(({ results }) => results.map(({ id }) => id).join('')).join('|');
      }
      const page = show(
        <DataProvider controller={controller}>
          <Suspense fallback="loading">
            <Feed />
          </Suspense>
        </DataProvider>,
      );
      const refetch = async (next: string, at = 0): Promise<void> => {
        all = Array.from(next);
        asked.length = 0;
        await last?.refetch(at);
      };
      const more = async (): Promise<void> => last?.fetchNext();
      const earlier = async (): Promise<void> => last?.fetchPrevious();
      const refuse = (after: string | undefined): void => void (refused = after);
      return { ...page, asked, controller, earlier, more, refetch, refuse };
    }

    async function three() {
      const shown = cursorFeed('abcdefgh');
      await until(() => shown.text() === 'ab');
      await shown.more();
      await until(() => shown.text() === 'ab|cd');
      await shown.more();
      await until(() => shown.text().endsWith('cd|ef'));
      return shown;
    }

    test('fetches a page that is missing between two pages', async () => {
      const { asked, refetch, text } = await three();
      await refetch('xabcdefgh');
      await until(() => text() === 'xa|bc|cd|ef');
      await rest();
      expect(asked).toEqual([undefined, 'a']);
      await refetch('xyabcdefgh');
      await until(() => text() === 'xy|ab|bc|cd|ef');
      expect(asked).toEqual([undefined, 'y']);
    });

    async function threeBefore(maxPages?: number) {
      const shown = cursorFeed('abcdefgh', { after: 'f' }, maxPages);
      await until(() => shown.text() === 'gh');
      await shown.earlier();
      await until(() => shown.text() === 'ef|gh');
      await shown.earlier();
      await until(() => shown.text().startsWith('cd|ef'));
      return shown;
    }

    test('fetches a page that is missing between two previous pages', async () => {
      const { asked, refetch, text } = await threeBefore();
      await refetch('abcdefxgh', 1);
      await until(() => text() === 'cd|de|fx|gh');
      await rest();
      expect(asked).toEqual(['g', 'f']);
    });

    test('removes a previous page whose records are all in other pages', async () => {
      const { asked, earlier, refetch, text } = await threeBefore();
      await refetch('abcxygh', 1);
      await until(() => text() === 'bc|xy|gh');
      await rest();
      expect(asked).toEqual(['g', 'x']);
      await earlier();
      await until(() => text() === 'a|bc|xy|gh');
    });

    test('sends no further request when the pages that `maxPages` removes were those from which the others were found', async () => {
      const { asked, more, text } = await threeBefore(2);
      expect(text()).toBe('cd|ef');
      asked.length = 0;
      await more();
      await until(() => text() === 'ef|gh');
      await rest();
      expect(asked).toEqual([]);
    });

    test('fetches each page at most once when `next` returns different arguments at each call', async () => {
      let calls = 0;
      let asked = 0;
      const getFeed = new Endpoint(
        async ({ page }: { page: number; call: number }) => {
          asked++;
          return [{ id: `${page}`, title: `${page}` }];
        },
        { name: 'getFeed', schema: new Collection([Post]) },
      );
      let more: (() => Promise<void>) | undefined;
      function Feed(): ReactNode {
        const next = (_: unknown, { page }: { page: number }): { page: number; call: number } => ({
          page: page + 1,
          call: ++calls,
        });
        const { fetchNext, items } = useInfinite(getFeed, { page: 1, call: 0 }, { next });
        more = fetchNext;
        return items.map(({ id }) => id).join('');
      }
      const { text } = show(
        <DataProvider>
          <Suspense fallback="loading">
            <Feed />
          </Suspense>
        </DataProvider>,
      );
      await until(() => text() === '1');
      await more?.();
      await until(() => text() === '12');
      await rest(100);
      expect(asked).toBeLessThan(5);
      expect(text()).toBe('12');
    });

    test('removes a page that has no records after those of the page before it', async () => {
      const { asked, refetch, text } = await three();
      await refetch('xabdef');
      await until(() => text() === 'xa|bd|ef');
      await rest();
      expect(asked).toEqual([undefined, 'a']);
    });

    test('removes a page whose records are all in other pages', async () => {
      const { asked, refetch, text } = await three();
      await refetch('xydefgh');
      await until(() => text() === 'xy|de|ef');
      expect(asked).toEqual([undefined, 'y']);
    });

    test('sends no further request when each page still begins where the page before it ends', async () => {
      const { asked, refetch, text } = await three();
      await refetch('acdefgh');
      await until(() => text() === 'ac|cd|ef');
      await rest();
      expect(asked).toEqual([undefined]);
    });

    test('fetches every page again when the list has no record of the old pages', async () => {
      const { asked, refetch, text } = await three();
      await refetch('qrstuvwxyz');
      await until(() => text() === 'qr|st|uv');
      expect(asked).toEqual([undefined, 'r', 't']);
    });

    test('shows a page between two others that could not be loaded as soon as a later request loads it', async () => {
      const { controller, refetch, refuse, text } = await three();
      refuse('a');
      await refetch('xabcdefgh');
      await until(() => text() === 'xa|cd|ef');
      await rest();
      refuse(undefined);
      // A RefetchManager does the same.
      for (const { endpoint, args } of controller.shown()) void controller.fetch(endpoint, ...args);
      await until(() => text() === 'xa|bc|cd|ef');
      await rest();
      expect(text()).toBe('xa|bc|cd|ef');
    });

    test('shows the other pages when a page between them cannot be loaded, and fetches it with the next change', async () => {
      const shown = await three();
      shown.refuse('a');
      await shown.refetch('xabcdefgh');
      await until(() => shown.text() === 'xa|cd|ef');
      await rest();
      expect(shown.asked).toEqual([undefined, 'a']);
      shown.refuse(undefined);
      await shown.refetch('yabcdefgh');
      await until(() => shown.text() === 'ya|bc|cd|ef');
    });
  });
});

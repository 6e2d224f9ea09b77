/* oxlint-disable typescript/no-explicit-any -- a subclass is written as the specification writes them */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  Collection,
  Controller,
  cursorIn,
  linkTo,
  parseLinkHeader,
  RestEndpoint,
  type RestGenerics,
  withLink,
} from '../../src/index.ts';
import { blogAt, Post } from './blog.ts';
import { type RestServer, startRestServer } from './rest-server.ts';

let server: RestServer;
let controller: Controller;
beforeEach(async () => {
  server = await startRestServer();
  controller = new Controller();
});
afterEach(async () => {
  controller.dispose();
  await server.close();
});

const titles = (list: readonly { readonly title: string }[] | undefined): string[] =>
  (list ?? []).map(({ title }) => title);

describe('pages by number', () => {
  test('getList.getPage adds further pages to the end of the list', async () => {
    const { getList } = blogAt(server.url).posts;
    const first = await controller.fetch(getList, { _limit: 2 });
    expect(titles(first)).toEqual(['Joins', 'Views']);
    const received: string[][] = [];
    const stop = controller.watch(getList, { _limit: 2 }, (answer) => {
      if ('value' in answer) received.push(titles(answer.value));
    });
    await controller.fetch(getList.getPage, { _limit: 2, _page: 2 });
    await controller.fetch(getList.getPage, { _limit: 2, _page: 3 });
    stop();
    expect(received).toEqual([
      ['Joins', 'Views'],
      ['Joins', 'Views', 'Keys', 'Rows'],
      ['Joins', 'Views', 'Keys', 'Rows', 'Cells'],
    ]);
    const whole = controller.getResponse(getList, { _limit: 2 }).data;
    expect(whole?.[0]).toBe(first[0]);
    expect(whole?.[1]).toBe(first[1]);
    expect(server.asked()).toEqual([
      'GET /posts?_limit=2',
      'GET /posts?_limit=2&_page=2',
      'GET /posts?_limit=2&_page=3',
    ]);
  });

  test('a page that is loaded again adds nothing, and a page after the end adds nothing', async () => {
    const { getList } = blogAt(server.url).posts;
    await controller.fetch(getList, { _limit: 3 });
    await controller.fetch(getList.getPage, { _limit: 3, _page: 2 });
    const whole = controller.getResponse(getList, { _limit: 3 }).data;
    await controller.fetch(getList.getPage, { _limit: 3, _page: 2 });
    await controller.fetch(getList.getPage, { _limit: 3, _page: 9 });
    expect(controller.getResponse(getList, { _limit: 3 }).data).toBe(whole);
    expect(titles(whole)).toEqual(['Joins', 'Views', 'Keys', 'Rows', 'Cells']);
  });

  test.each([
    ['an empty list', [], undefined],
    ['a list of one value', ['1'], '1'],
  ])('%s as an argument has a list of its own, to which its pages are added', async (_what, tag, same) => {
    const getList = blogAt(server.url).posts.getList as any;
    await controller.fetch(getList, { tag: same, _limit: 2 });
    expect(controller.getResponse(getList, { tag, _limit: 2 }).data).toBeUndefined();
    await controller.fetch(getList, { tag, _limit: 2 });
    await controller.fetch(getList, { tag: same, _limit: 2 });
    await controller.fetch(getList.getPage, { tag, _limit: 2, _page: 2 });
    expect(titles(controller.getResponse(getList, { tag, _limit: 2 }).data)).toEqual([
      'Joins',
      'Views',
      'Keys',
      'Rows',
    ]);
    expect(titles(controller.getResponse(getList, { tag: same, _limit: 2 }).data)).toEqual(['Joins', 'Views']);
  });

  test('getList.paginated takes a function that removes the cursor', async () => {
    const { getList } = blogAt(server.url).posts;
    const getSlice = getList.paginated(({ _start, ...params }: Record<string, number>) => [params]);
    await controller.fetch(getList, { _limit: 2 });
    await controller.fetch(getSlice, { _limit: 2, _start: 3 });
    expect(titles(controller.getResponse(getList, { _limit: 2 }).data)).toEqual(['Joins', 'Views', 'Rows', 'Cells']);
  });
});

describe('pages that are fetched at the same time', () => {
  const fetched = () => {
    const { getList } = blogAt(server.url).posts;
    return { getList, list: () => titles(controller.getResponse(getList, { _limit: 2 }).data) };
  };

  test('are separate requests, and the list contains all of them', async () => {
    const { getList, list } = fetched();
    await controller.fetch(getList, { _limit: 2 });
    await Promise.all([2, 3, 2].map((_page) => controller.fetch(getList.getPage, { _limit: 2, _page })));
    expect(list().toSorted()).toEqual(['Cells', 'Joins', 'Keys', 'Rows', 'Views']);
    expect(server.asked().toSorted()).toEqual([
      'GET /posts?_limit=2',
      'GET /posts?_limit=2&_page=2',
      'GET /posts?_limit=2&_page=3',
    ]);
  });

  test('do not share the request of their list', async () => {
    const { getList, list } = fetched();
    const both = [controller.fetch(getList, { _limit: 2 }), controller.fetch(getList.getPage, { _limit: 2, _page: 2 })];
    await Promise.all(both);
    expect(list().toSorted()).toEqual(['Joins', 'Keys', 'Rows', 'Views']);
  });

  test('are all fetched again if a mutation settles meanwhile', async () => {
    const { posts } = blogAt(server.url);
    const { list } = fetched();
    await controller.fetch(posts.getList, { _limit: 2 });
    const stop = controller.watch(posts.getList, { _limit: 2 }, () => {});
    const pages = [2, 3].map((_page) => controller.fetch(posts.getList.getPage, { _limit: 2, _page }));
    await controller.fetch(posts.partialUpdate, { id: 3 }, { title: 'Changed' });
    await Promise.all(pages);
    await expect.poll(() => list().length).toBe(5);
    stop();
    expect(list()).toContain('Changed');
  });
});

describe('pages by the Link header', () => {
  /** Header access, as the specification has it. */
  class LinkedEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override async parseResponse(response: Response): Promise<any> {
      return withLink(response, await super.parseResponse(response));
    }
  }
  const searchParams: Readonly<Record<string, string | number>> = {};
  const linkedAt = (urlPrefix: string) =>
    new LinkedEndpoint({
      urlPrefix,
      path: '/posts',
      schema: { link: '', results: new Collection([Post]) },
      paginationField: '_page',
      searchParams,
    });

  test('each page has the link to the next page, and the last page has none', async () => {
    const getPosts = linkedAt(server.url);
    const seen: string[] = [];
    let page: string | undefined = '1';
    while (page !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      const { link, results } = await controller.fetch(getPosts, { _page: page, _limit: 2, _sort: 'title' });
      seen.push(...titles(results));
      page = cursorIn(link, '_page');
    }
    expect(seen).toEqual(['Cells', 'Joins', 'Keys', 'Rows', 'Views']);
    expect(server.asked()).toHaveLength(3);
  });

  test('parseLinkHeader reads the header of the server', async () => {
    const { link } = await controller.fetch(linkedAt(server.url), { _page: 2, _limit: 2 });
    expect(parseLinkHeader(link).map(({ url, rels }) => [url, ...rels])).toEqual([
      [`${server.url}/posts?_limit=2&_page=1`, 'first'],
      [`${server.url}/posts?_limit=2&_page=1`, 'prev'],
      [`${server.url}/posts?_limit=2&_page=3`, 'next'],
      [`${server.url}/posts?_limit=2&_page=3`, 'last'],
    ]);
    const next = new RestEndpoint({ path: linkTo(link, 'next')?.replaceAll(':', '\\:').replaceAll('?', '\\?') ?? '' });
    expect(titles((await next()) as Post[])).toEqual(['Cells']);
  });

  test('further pages are added to the list, which has the header of the newest page', async () => {
    const getPosts = linkedAt(server.url);
    await controller.fetch(getPosts, { _limit: 2 });
    const second = await controller.fetch(getPosts.getPage, { _limit: 2, _page: 2 });
    expect(titles(second.results)).toEqual(['Joins', 'Views', 'Keys', 'Rows']);
    expect(cursorIn(second.link, '_page')).toBe('3');
    expect(controller.getResponse(getPosts, { _limit: 2 }).data).toBe(second);
  });

  test('X-Total-Count can be read', async () => {
    class CountedEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
      override async parseResponse(response: Response): Promise<any> {
        const results: unknown = await super.parseResponse(response);
        return { total: Number(response.headers.get('X-Total-Count')), results };
      }
    }
    const getPosts = new CountedEndpoint({
      urlPrefix: server.url,
      path: '/posts',
      schema: { total: 0, results: new Collection([Post]) },
      searchParams: {} as { userId?: number; _page: number; _limit: number },
    });
    const all = await controller.fetch(getPosts, { _page: 1, _limit: 2 });
    expect([all.total, all.results.length]).toEqual([5, 2]);
    const own = await controller.fetch(getPosts, { _page: 1, _limit: 1, userId: 1 });
    expect([own.total, own.results[0]]).toEqual([2, all.results[0]]);
    expect(own.results[0]).toBe(all.results[0]);
  });
});

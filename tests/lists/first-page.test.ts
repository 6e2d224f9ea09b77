import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Controller, Entity, platform, resource } from '../../src/index.ts';
import { envelope } from '../../src/wire.ts';
import { rest } from '../streams/clock.ts';

class Issue extends Entity {
  id = 0;
  title = '';
  state = 'open';
  static override key = 'Issue';
}

const SIZE = 3;
const searchParams: { readonly state?: string; readonly page?: string } | undefined = {};

/** A server that sends pages also if no page is requested, as Django REST framework does. */
function serving(count: number, options: { readonly optimistic?: boolean } = {}) {
  const rows = Array.from({ length: count }, (_, at) => ({ id: at + 1, title: `issue ${at + 1}`, state: 'open' }));
  const requests: string[] = [];
  const fetch = async (
    input: string | URL | Request,
    { method = 'GET', body }: RequestInit = {},
  ): Promise<Response> => {
    const { pathname, search, searchParams: query } = new URL(String(input));
    requests.push(`${method} ${pathname}${search}`);
    const id = Number(pathname.split('/')[2]);
    const at = rows.findIndex((row) => row.id === id);
    if (method === 'DELETE') rows.splice(at, 1);
    if (method === 'PATCH') return Response.json(Object.assign(rows[at] as object, JSON.parse(String(body))));
    if (method === 'POST') {
      rows.push({ id: rows.length + 1, state: 'open', ...JSON.parse(String(body)) });
      return Response.json(rows.at(-1), { status: 201 });
    }
    if (method !== 'GET') return new Response(null, { status: 204 });
    const state = query.get('state');
    const found = rows.filter((row) => state === null || row.state === state);
    const from = (Number(query.get('page') ?? 1) - 1) * SIZE;
    const next = found.length > from + SIZE ? `http://x/issues?page=${from / SIZE + 2}` : null;
    return Response.json({ count: found.length, next, results: found.slice(from, from + SIZE) });
  };
  const issues = resource({
    urlPrefix: 'http://x',
    path: '/issues/:id',
    schema: Issue,
    searchParams,
    paginationField: 'page',
    wire: envelope({ many: 'results', total: 'count', next: { field: 'next', param: 'page' } }),
    platform: { ...platform, fetch },
    ...options,
  });
  const stop = controller.watch(issues.getList, { state: 'open' }, () => {});
  const shown = (): unknown => {
    const { items, total, next } = controller.getResponse(issues.getList, { state: 'open' }).data;
    return [items?.map(({ id }) => id).join(), total, next];
  };
  const settled = async (): Promise<void> => {
    await rest();
    await rest();
  };
  return { issues, requests, shown, settled, stop };
}

let controller: Controller;
beforeEach(() => {
  controller = new Controller();
});
afterEach(() => controller.dispose());

test.each([false, true])(
  'a list whose total says that it is only the first page is fetched when a record leaves or joins it, with guesses: %s',
  async (optimistic) => {
    const { issues, requests, shown, settled, stop } = serving(5, { optimistic });
    await controller.fetch(issues.getList, { state: 'open' });
    expect(shown()).toEqual(['1,2,3', 5, '2']);
    await controller.fetch(issues.partialUpdate, { id: 1 }, { state: 'closed' });
    await settled();
    expect(shown()).toEqual(['2,3,4', 4, '2']);
    await controller.fetch(issues.delete, { id: 2 });
    await settled();
    expect(shown()).toEqual(['3,4,5', 3, undefined]);
    await controller.fetch(issues.getList.push, { title: 'new' });
    await settled();
    requests.length = 0;
    await controller.fetch(issues.partialUpdate, { id: 3 }, { title: 'changed' });
    await settled();
    expect(requests).toEqual(['PATCH /issues/3']);
    stop();
  },
);

test('records that joined a list do not refute their rule if the next answer is only the first page', async () => {
  const warning = vi.spyOn(console, 'warn').mockReturnValue();
  const { issues, shown, settled, stop } = serving(3);
  await controller.fetch(issues.getList, { state: 'open' });
  // oxlint-disable-next-line no-await-in-loop -- one after another
  for (const title of ['a', 'b', 'c', 'd']) await controller.fetch(issues.getList.push, { title });
  expect(shown()).toEqual(['1,2,3,4,5,6,7', 7, undefined]);
  await controller.fetch(issues.getList, { state: 'open' });
  await settled();
  expect(shown()).toEqual(['1,2,3', 7, '2']);
  expect(warning).not.toHaveBeenCalled();
  stop();
});

test('a list to which further pages were added stays as long as it is when a record leaves it', async () => {
  const { issues, requests, shown, settled, stop } = serving(7);
  await controller.fetch(issues.getList, { state: 'open' });
  await controller.fetch(issues.getList.getPage, { state: 'open', page: '2' });
  requests.length = 0;
  await controller.fetch(issues.partialUpdate, { id: 1 }, { state: 'closed' });
  await settled();
  expect(requests).toEqual(['PATCH /issues/1']);
  expect(shown()).toEqual(['2,3,4,5,6', 6, '3']);
  stop();
});

test('a list with a cursor beside it is replaced when it is fetched again, so that the cursor names the page after it', async () => {
  const { issues, shown, stop } = serving(7);
  await controller.fetch(issues.getList, { state: 'open' });
  await controller.fetch(issues.getList.getPage, { state: 'open', page: '2' });
  expect(shown()).toEqual(['1,2,3,4,5,6', 7, '3']);
  await controller.fetch(issues.getList, { state: 'open' });
  expect(shown()).toEqual(['1,2,3', 7, '2']);
  stop();
});

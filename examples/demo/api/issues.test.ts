import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from './start-api.ts';
import { listen, startTestApi } from './testing.ts';

interface Issue {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly priority: number;
  readonly comments: number;
  readonly assignee: { readonly id: string } | null;
}
interface Page {
  readonly items: readonly Issue[];
  readonly total: number;
}

let api: Api;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const read = async <Body>(path: string): Promise<Body> =>
  (await fetch(`${api.url}/api${path}`)).json() as Promise<Body>;
const send = async <Body>(method: string, path: string, body: unknown): Promise<Body> =>
  (
    await fetch(`${api.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json() as Promise<Body>;

test('a page of issues has the total number of issues, and filters apply to both', async () => {
  const all = await read<Page>('/issues?perPage=10');
  expect(all.items).toHaveLength(10);
  const done = await read<Page>('/issues?state=done&perPage=1000');
  expect(done.items).toHaveLength(done.total);
  expect(new Set(done.items.map(({ state }) => state))).toEqual(new Set(['done']));
  expect(done.total).toBeLessThan(all.total);
  const found = await read<Page>('/issues?q=CALENDAR&sort=priority&perPage=1000');
  expect(found.total).toBeGreaterThan(0);
  for (const { title } of found.items) expect(title).toContain('calendar');
  const priorities = found.items.map(({ priority }) => priority);
  expect(priorities).toEqual(priorities.toSorted((one, other) => other - one));
});

test('an assignee can be set and removed, and must exist', async () => {
  const { id } = await send<Issue>('POST', '/issues', { title: 'New', assigneeId: '2' });
  expect((await read<Issue>(`/issues/${id}`)).assignee?.id).toBe('2');
  expect((await send<Issue>('PATCH', `/issues/${id}`, { assigneeId: null })).assignee).toBe(null);
  expect(await send('PATCH', `/issues/${id}`, { assigneeId: '99999' })).toMatchObject({
    errors: [{ pointer: '#/assigneeId', detail: 'names a user that does not exist' }],
  });
});

test('the answer of a comment has the number of comments of its issue, and all clients are notified', async () => {
  const { id, comments } = await send<Issue>('POST', '/issues', { title: 'Heard of' });
  expect(comments).toBe(0);
  const news = await listen(`${api.url}/api/events`);
  const comment = await send<{ readonly id: string }>('POST', `/issues/${id}/comments`, { body: 'Yes' });
  expect(comment).toMatchObject({ body: 'Yes', issue: { id, comments: 1 } });
  const event = JSON.parse((await news.next()).data) as unknown;
  expect(event).toMatchObject({ entity: 'IssueComment', id: comment.id, value: comment });
  expect(JSON.parse((await news.next()).data)).toMatchObject({ entity: 'Activity', value: { action: 'comment' } });
  news.close();
  expect(await read('/activity?limit=1')).toMatchObject([{ action: 'comment', detail: 'Yes', issue: { id } }]);
});

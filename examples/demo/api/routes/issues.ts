import { drafts, list, listWithTotal, partly } from '../components.ts';
import { record, records } from '../database/database.ts';
import type { Queries } from '../database/database.ts';
import { refTo } from '../json-schema.ts';
import { pageOf } from '../paging.ts';
import { notFound } from '../problem.ts';
import { ID } from '../route.ts';
import type { ApiRequest, Reply, Route } from '../route.ts';
import { note, VISITOR } from './activity.ts';
import { count, mustExist } from './existence.ts';
import { ISSUE_COMMENT_JSON, ISSUE_JSON } from './issue-sql.ts';

interface Draft {
  readonly title?: string;
  readonly body?: string;
  readonly state?: string;
  readonly priority?: number;
  readonly kind?: string;
  readonly assigneeId?: string | null;
}

interface Issue {
  readonly id: string;
  readonly title: string;
  readonly assignee: { readonly name: string } | null;
}

const COLUMNS = { title: 'title', body: 'body', state: 'state', priority: 'priority', kind: 'kind' } as const;
const SORTS = {
  createdAt: 'i.created_at desc, i.id desc',
  updatedAt: 'i.updated_at desc, i.id desc',
  priority: 'i.priority desc, i.id desc',
};

async function read(queries: Queries, id: string): Promise<Issue> {
  const issue = await record<Issue>(queries, `select ${ISSUE_JSON} as json from issue i where i.id = $1`, [id]);
  if (issue === undefined) throw notFound('issue', id);
  return issue;
}

async function listIssues(request: ApiRequest): Promise<Reply> {
  const { query, queries } = request;
  const { limit, offset } = pageOf(request);
  const from = `issue i where ($1::text is null or i.state = $1) and ($2::int is null or i.priority = $2)
    and ($3::text is null or i.kind = $3) and ($4::int is null or i.assignee_id = $4)
    and ($5::text is null or strpos(lower(i.title || ' ' || i.body), lower($5)) > 0)`;
  const wanted = ['state', 'priority', 'kind', 'assigneeId', 'q'].map((name) => query[name] ?? null);
  const sort = SORTS[query['sort'] as keyof typeof SORTS];
  const items = await records(
    queries,
    `select ${ISSUE_JSON} as json from ${from} order by ${sort} limit $6 offset $7`,
    [...wanted, limit, offset],
  );
  return { status: 200, body: { items, total: await count(queries, from, wanted) } };
}

async function create(request: ApiRequest): Promise<Reply> {
  const { queries, publish } = request;
  const { title, body = '', state = 'todo', priority = 1, kind = 'feature', assigneeId = null } = request.body as Draft;
  if (assigneeId !== null) await mustExist(queries, 'person', assigneeId, '#/assigneeId', 'user');
  const [made] = await queries.query<{ id: number }>(
    `insert into issue (title, body, state, priority, kind, assignee_id, author_id)
    values ($1, $2, $3, $4, $5, $6, ${VISITOR}) returning id`,
    [title, body, state, priority, kind, assigneeId],
  );
  const issueId = made?.id ?? 0;
  const value = await read(queries, String(issueId));
  publish({ entity: 'Issue', id: value.id, value });
  await note(request, { issueId, action: 'created' });
  return { status: 201, body: value, headers: { location: `/api/issues/${issueId}` } };
}

async function change(request: ApiRequest): Promise<Reply> {
  const { queries, publish, params } = request;
  const { id = '' } = params;
  const draft = request.body as Draft;
  await read(queries, id);
  for (const name of Object.keys(COLUMNS) as (keyof typeof COLUMNS)[])
    if (draft[name] !== undefined)
      // oxlint-disable-next-line no-await-in-loop -- one transaction has one connection
      await queries.query(`update issue set ${COLUMNS[name]} = $2 where id = $1`, [id, draft[name]]);
  const { assigneeId } = draft;
  if (assigneeId !== undefined) {
    if (assigneeId !== null) await mustExist(queries, 'person', assigneeId, '#/assigneeId', 'user');
    await queries.query('update issue set assignee_id = $2 where id = $1', [id, assigneeId]);
  }
  await queries.query('update issue set updated_at = now() where id = $1', [id]);
  const value = await read(queries, id);
  publish({ entity: 'Issue', id, value });
  const actions = Object.keys(draft).map((name) => (name === 'assigneeId' ? 'assignee' : name));
  for (const action of actions)
    // oxlint-disable-next-line no-await-in-loop -- as above
    await note(request, { issueId: Number(id), action, detail: detailOf(action, draft, value) });
  return { status: 200, body: value };
}

function detailOf(action: string, draft: Draft, issue: Issue): string {
  if (action === 'assignee') return issue.assignee?.name ?? '';
  return action === 'body' ? '' : String(draft[action as keyof typeof COLUMNS]);
}

async function comment(request: ApiRequest): Promise<Reply> {
  const { queries, publish, params } = request;
  const issue = await read(queries, params['id'] ?? '');
  const { body = '' } = request.body as { readonly body?: string };
  const [made] = await queries.query<{ id: number }>(
    `insert into issue_comment (issue_id, author_id, body) values ($1, ${VISITOR}, $2) returning id`,
    [issue.id, body],
  );
  const id = String(made?.id);
  const value = await record<object>(
    queries,
    `select ${ISSUE_COMMENT_JSON} as json from issue_comment k where k.id = $1`,
    [id],
  );
  publish({ entity: 'IssueComment', id, value });
  await note(request, { issueId: Number(issue.id), action: 'comment', detail: body.slice(0, 80) });
  return { status: 201, body: value };
}

const tag = 'issues';
const oneIssue = { 200: { description: 'The issue', schema: refTo('Issue') } };
const { state, priority, kind } = drafts.issue.properties;

export const issueRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/issues',
    tag,
    summary: 'A page of filtered and sorted issues, with the total number.',
    query: {
      page: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
      perPage: { type: 'integer', minimum: 1, maximum: 1_000, default: 25 },
      state,
      priority,
      kind,
      assigneeId: ID,
      q: { type: 'string', maxLength: 100 },
      sort: { type: 'string', enum: Object.keys(SORTS), default: 'createdAt' },
    },
    answers: { 200: { description: 'A page', schema: listWithTotal('Issue') } },
    handle: listIssues,
  },
  {
    method: 'post',
    path: '/issues',
    tag,
    summary: 'Report an issue.',
    body: drafts.issue,
    answers: { 201: { description: 'The new issue', schema: refTo('Issue') } },
    handle: create,
  },
  {
    method: 'get',
    path: '/issues/{id}',
    tag,
    summary: 'One issue.',
    params: { id: ID },
    answers: oneIssue,
    handle: async ({ queries, params: { id = '' } }) => ({ status: 200, body: await read(queries, id) }),
  },
  {
    method: 'patch',
    path: '/issues/{id}',
    tag,
    summary: 'Change parts of an issue.',
    params: { id: ID },
    body: partly(drafts.issue),
    answers: oneIssue,
    handle: change,
  },
  {
    method: 'delete',
    path: '/issues/{id}',
    tag,
    summary: 'Delete an issue, its comments and its history.',
    params: { id: ID },
    answers: { 204: { description: 'The issue is deleted' } },
    async handle({ queries, params: { id = '' }, publish }) {
      await read(queries, id);
      await queries.query('delete from issue where id = $1', [id]);
      publish({ entity: 'Issue', id });
      return { status: 204 };
    },
  },
  {
    method: 'get',
    path: '/issues/{id}/comments',
    tag,
    summary: 'The comments of an issue.',
    params: { id: ID },
    answers: { 200: { description: 'All comments', schema: list('IssueComment') } },
    async handle({ queries, params: { id = '' } }) {
      await read(queries, id);
      return {
        status: 200,
        body: await records(
          queries,
          `select ${ISSUE_COMMENT_JSON} as json from issue_comment k where k.issue_id = $1 order by k.id`,
          [id],
        ),
      };
    },
  },
  {
    method: 'post',
    path: '/issues/{id}/comments',
    tag,
    summary: 'Comment on an issue.',
    params: { id: ID },
    body: drafts.issueComment,
    answers: { 201: { description: 'The new comment', schema: refTo('IssueComment') } },
    handle: comment,
  },
];

import { drafts, list, partly } from '../components.ts';
import { record, records } from '../database/database.ts';
import type { Queries } from '../database/database.ts';
import { refTo } from '../json-schema.ts';
import { pageOf, pageQuery, pageReply } from '../paging.ts';
import { notFound } from '../problem.ts';
import { ID } from '../route.ts';
import type { ApiRequest, Reply, Route } from '../route.ts';
import { TODO_JSON } from './content-sql.ts';
import { count, mustExist } from './existence.ts';

interface TodoDraft {
  readonly userId?: number;
  readonly title?: string;
  readonly completed?: boolean;
}

async function read(queries: Queries, id: string): Promise<{ readonly id: number }> {
  const todo = await record<{ readonly id: number }>(
    queries,
    `select ${TODO_JSON} as json from todo d where d.id = $1`,
    [id],
  );
  if (todo === undefined) throw notFound('todo', id);
  return todo;
}

async function listTodos(request: ApiRequest): Promise<Reply> {
  const { limit, offset } = pageOf(request);
  const from = 'todo d where ($1::int is null or d.user_id = $1) and ($2::boolean is null or d.completed = $2)';
  const wanted = [request.query['userId'] ?? null, request.query['completed'] ?? null];
  const todos = await records(
    request.queries,
    `select ${TODO_JSON} as json from ${from} order by d.id limit $3 offset $4`,
    [...wanted, limit, offset],
  );
  return pageReply(request, todos, await count(request.queries, from, wanted));
}

async function create({ queries, body, publish }: ApiRequest): Promise<Reply> {
  const { userId = 0, title, completed = false } = body as TodoDraft;
  await mustExist(queries, 'person', userId, '#/userId', 'user');
  const [made] = await queries.query<{ id: number }>(
    'insert into todo (user_id, title, completed) values ($1, $2, $3) returning id',
    [userId, title, completed],
  );
  const value = await read(queries, String(made?.id));
  publish({ entity: 'Todo', id: value.id, value });
  return { status: 201, body: value, headers: { location: `/api/todos/${value.id}` } };
}

async function change(
  { queries, params: { id = '' }, publish }: ApiRequest,
  { userId, title, completed }: TodoDraft,
): Promise<Reply> {
  await read(queries, id);
  if (userId !== undefined) await mustExist(queries, 'person', userId, '#/userId', 'user');
  await queries.query(
    'update todo set user_id = coalesce($2, user_id), title = coalesce($3, title), completed = coalesce($4, completed) where id = $1',
    [id, userId ?? null, title ?? null, completed ?? null],
  );
  const value = await read(queries, id);
  publish({ entity: 'Todo', id: value.id, value });
  return { status: 200, body: value };
}

const tag = 'todos';
const oneTodo = { 200: { description: 'The todo', schema: refTo('Todo') } };

export const todoRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/todos',
    tag,
    summary: 'Todos without nested users; userId is the id of the user.',
    query: { ...pageQuery, userId: ID, completed: { type: 'boolean' } },
    answers: { 200: { description: 'A page', schema: list('Todo') } },
    handle: listTodos,
  },
  {
    method: 'post',
    path: '/todos',
    tag,
    summary: 'Create a todo.',
    body: drafts.todo,
    answers: { 201: { description: 'The new todo', schema: refTo('Todo') } },
    handle: create,
  },
  {
    method: 'get',
    path: '/todos/{id}',
    tag,
    summary: 'One todo.',
    params: { id: ID },
    answers: oneTodo,
    handle: async ({ queries, params: { id = '' } }) => ({ status: 200, body: await read(queries, id) }),
  },
  {
    method: 'put',
    path: '/todos/{id}',
    tag,
    summary: 'Replace a todo.',
    params: { id: ID },
    body: drafts.todo,
    answers: oneTodo,
    handle: (request) => change(request, { completed: false, ...(request.body as TodoDraft) }),
  },
  {
    method: 'patch',
    path: '/todos/{id}',
    tag,
    summary: 'Change parts of a todo.',
    params: { id: ID },
    body: partly(drafts.todo),
    answers: oneTodo,
    handle: (request) => change(request, request.body as TodoDraft),
  },
  {
    method: 'delete',
    path: '/todos/{id}',
    tag,
    summary: 'Delete a todo.',
    params: { id: ID },
    answers: { 204: { description: 'The todo is deleted' } },
    async handle({ queries, params: { id = '' }, publish }) {
      const { id: gone } = await read(queries, id);
      await queries.query('delete from todo where id = $1', [id]);
      publish({ entity: 'Todo', id: gone });
      return { status: 204 };
    },
  },
];

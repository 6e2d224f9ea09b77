import { drafts, list } from '../components.ts';
import { record, records } from '../database/database.ts';
import type { Queries } from '../database/database.ts';
import { refTo } from '../json-schema.ts';
import type { JsonSchema } from '../json-schema.ts';
import { pageOf, pageQuery, pageReply } from '../paging.ts';
import { notFound } from '../problem.ts';
import { ID } from '../route.ts';
import type { ApiRequest, Reply, Route } from '../route.ts';
import { POST_JSON, USER_JSON } from './content-sql.ts';
import { count } from './existence.ts';

const IDS: JsonSchema = {
  type: 'string',
  pattern: '^[1-9][0-9]{0,8}(,[1-9][0-9]{0,8}){0,99}$',
  description: 'up to 100 ids with commas between them',
};

async function read(queries: Queries, id: string): Promise<object> {
  const user = await record<object>(queries, `select ${USER_JSON} as json from person u where u.id = $1`, [id]);
  if (user === undefined) throw notFound('user', id);
  return user;
}

const postsBy = (queries: Queries, id: string): Promise<readonly unknown[]> =>
  records(queries, `select ${POST_JSON} as json from post p where p.author_id = $1 order by p.id`, [id]);

async function listUsers(request: ApiRequest): Promise<Reply> {
  const ids = request.query['ids'] as string | undefined;
  const where = "where ($1::text is null or u.id = any (string_to_array($1, ',')::int[]))";
  const { limit, offset } = ids === undefined ? pageOf(request) : { limit: 100, offset: 0 };
  const users = await records(
    request.queries,
    `select ${USER_JSON} as json from person u ${where} order by u.id limit $2 offset $3`,
    [ids ?? null, limit, offset],
  );
  return ids === undefined
    ? pageReply(request, users, await count(request.queries, 'person', []))
    : { status: 200, body: users };
}

const tag = 'users';

export const userRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/users',
    tag,
    summary: 'Users page by page, or all users with the given ids.',
    query: { ...pageQuery, ids: IDS },
    answers: { 200: { description: 'A page', schema: list('User') } },
    handle: listUsers,
  },
  {
    method: 'get',
    path: '/users/{id}',
    tag,
    summary: 'One user.',
    params: { id: ID },
    answers: { 200: { description: 'The user', schema: refTo('User') } },
    handle: async ({ queries, params: { id = '' } }) => ({ status: 200, body: await read(queries, id) }),
  },
  {
    method: 'patch',
    path: '/users/{id}',
    tag,
    summary: 'Rename a user.',
    params: { id: ID },
    body: drafts.user,
    answers: { 200: { description: 'The user', schema: refTo('User') } },
    async handle({ queries, params: { id = '' }, body, publish }) {
      await queries.query('update person set name = $2 where id = $1', [id, (body as { name: string }).name]);
      const value = await read(queries, id);
      publish({ entity: 'User', id, value });
      return { status: 200, body: value };
    },
  },
  {
    method: 'get',
    path: '/users/{id}/posts',
    tag,
    summary: 'The posts of a user, nested.',
    params: { id: ID },
    answers: { 200: { description: 'All of them', schema: list('Post') } },
    async handle({ queries, params: { id = '' } }) {
      await read(queries, id);
      return { status: 200, body: await postsBy(queries, id) };
    },
  },
  {
    method: 'get',
    path: '/users/{id}/circle',
    tag,
    params: { id: ID },
    summary: 'A user with posts whose author is the user. JSON has no circles, so the user is nested again.',
    answers: { 200: { description: 'The user', schema: refTo('UserWithPosts') } },
    async handle({ queries, params: { id = '' } }) {
      return { status: 200, body: { ...(await read(queries, id)), posts: await postsBy(queries, id) } };
    },
  },
  {
    method: 'get',
    path: '/tags',
    tag: 'tags',
    summary: 'All tags.',
    answers: { 200: { description: 'All of them', schema: list('Tag') } },
    handle: async ({ queries }) => ({
      status: 200,
      body: await records(
        queries,
        `select json_build_object('id', t.id::text, 'name', t.name) as json from tag t order by t.id`,
      ),
    }),
  },
];

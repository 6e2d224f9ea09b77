import { drafts, list, partly } from '../components.ts';
import { record, records } from '../database/database.ts';
import type { Queries } from '../database/database.ts';
import { refTo } from '../json-schema.ts';
import { notFound } from '../problem.ts';
import { ID } from '../route.ts';
import type { ApiRequest, Reply, Route } from '../route.ts';
import { COMMENT_JSON } from './content-sql.ts';
import { count, mustExist } from './existence.ts';

interface CommentDraft {
  readonly content?: string;
  readonly commenterId?: string;
}

const tag = 'comments';
const oneComment = { 200: { description: 'The comment', schema: refTo('Comment') } };

async function read(queries: Queries, id: string): Promise<object> {
  const comment = await record<object>(queries, `select ${COMMENT_JSON} as json from comment c where c.id = $1`, [id]);
  if (comment === undefined) throw notFound('comment', id);
  return comment;
}

async function postMustExist(queries: Queries, id: string): Promise<void> {
  if ((await count(queries, 'post where id = $1', [id])) === 0) throw notFound('post', id);
}

async function create({ queries, params: { id: postId = '' }, body, publish }: ApiRequest): Promise<Reply> {
  await postMustExist(queries, postId);
  const { content, commenterId = '' } = body as CommentDraft;
  await mustExist(queries, 'person', commenterId, '#/commenterId', 'user');
  const [made] = await queries.query<{ id: number }>(
    'insert into comment (post_id, commenter_id, content) values ($1, $2, $3) returning id',
    [postId, commenterId, content],
  );
  const id = String(made?.id);
  const value = await read(queries, id);
  publish({ entity: 'Comment', id, value: { ...value, postId } });
  return { status: 201, body: value, headers: { location: `/api/comments/${id}` } };
}

async function change({ queries, params: { id = '' }, body, publish }: ApiRequest): Promise<Reply> {
  const { content = null, commenterId } = body as CommentDraft;
  await read(queries, id);
  if (commenterId !== undefined) await mustExist(queries, 'person', commenterId, '#/commenterId', 'user');
  await queries.query(
    'update comment set content = coalesce($2, content), commenter_id = coalesce($3, commenter_id) where id = $1',
    [id, content, commenterId ?? null],
  );
  const value = await read(queries, id);
  publish({ entity: 'Comment', id, value });
  return { status: 200, body: value };
}

export const commentRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/posts/{id}/comments',
    tag,
    summary: 'The comments of a post.',
    params: { id: ID },
    answers: { 200: { description: 'All of them', schema: list('Comment') } },
    async handle({ queries, params: { id = '' } }) {
      await postMustExist(queries, id);
      return {
        status: 200,
        body: await records(
          queries,
          `select ${COMMENT_JSON} as json from comment c where c.post_id = $1 order by c.id`,
          [id],
        ),
      };
    },
  },
  {
    method: 'post',
    path: '/posts/{id}/comments',
    tag,
    summary: 'Comment on a post.',
    params: { id: ID },
    body: drafts.comment,
    answers: { 201: { description: 'The new comment', schema: refTo('Comment') } },
    handle: create,
  },
  {
    method: 'get',
    path: '/comments/{id}',
    tag,
    summary: 'One comment.',
    params: { id: ID },
    answers: oneComment,
    handle: async ({ queries, params: { id = '' } }) => ({ status: 200, body: await read(queries, id) }),
  },
  {
    method: 'patch',
    path: '/comments/{id}',
    tag,
    summary: 'Change a comment.',
    params: { id: ID },
    body: partly(drafts.comment),
    answers: oneComment,
    handle: change,
  },
  {
    method: 'delete',
    path: '/comments/{id}',
    tag,
    summary: 'Delete a comment.',
    params: { id: ID },
    answers: { 204: { description: 'The comment is deleted' } },
    async handle({ queries, params: { id = '' }, publish }) {
      await read(queries, id);
      await queries.query('delete from comment where id = $1', [id]);
      publish({ entity: 'Comment', id });
      return { status: 204 };
    },
  },
];

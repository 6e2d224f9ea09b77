import { drafts, list, pageOfCursor, partly } from '../components.ts';
import { record, records } from '../database/database.ts';
import type { Queries } from '../database/database.ts';
import { refTo } from '../json-schema.ts';
import { cursorOf, cursorQuery, cursorReply, pageOf, pageQuery, pageReply } from '../paging.ts';
import { notFound } from '../problem.ts';
import { ID } from '../route.ts';
import type { ApiRequest, Reply, Route } from '../route.ts';
import { FLAT_COMMENT_JSON, FLAT_POST_JSON, POST_JSON } from './content-sql.ts';
import { count, mustExist } from './existence.ts';

interface PostDraft {
  readonly title?: string;
  readonly body?: string;
  readonly authorId?: string;
  readonly tagIds?: readonly string[];
}

interface Post {
  readonly id: string;
}

const onePost = { 200: { description: 'The post', schema: refTo('Post') } };
const filters = { authorId: ID, tagId: ID, search: { type: 'string', maxLength: 100 } } as const;
const WHERE = `where ($1::int is null or p.author_id = $1)
  and ($2::int is null or exists (select from post_tag pt where pt.post_id = p.id and pt.tag_id = $2))
  and ($3::text is null or p.title ilike '%' || $3 || '%')`;

const filtersOf = ({ query }: ApiRequest): readonly unknown[] => [
  query['authorId'] ?? null,
  query['tagId'] ?? null,
  query['search'] ?? null,
];

async function listPosts(request: ApiRequest, json: string): Promise<Reply> {
  const { limit, offset } = pageOf(request);
  const total = await count(request.queries, `post p ${WHERE}`, filtersOf(request));
  const posts = await records(
    request.queries,
    `select ${json} as json from post p ${WHERE} order by p.id limit $4 offset $5`,
    [...filtersOf(request), limit, offset],
  );
  return pageReply(request, posts, total);
}

async function onePostAs(request: ApiRequest, json: string): Promise<Reply> {
  return { status: 200, body: await read(request.queries, request.params['id'] ?? '', json) };
}

async function read(queries: Queries, id: string, json: string = POST_JSON): Promise<Post> {
  const post = await record<Post>(queries, `select ${json} as json from post p where p.id = $1`, [id]);
  if (post === undefined) throw notFound('post', id);
  return post;
}

async function setTags({ query }: Queries, id: string, tagIds: readonly string[] | undefined): Promise<void> {
  if (tagIds === undefined) return;
  await query('delete from post_tag where post_id = $1', [id]);
  const wanted = JSON.stringify(tagIds.map((tagId) => ({ id: tagId })));
  await query('insert into post_tag select distinct $1::int, w.id from jsonb_to_recordset($2::jsonb) w(id int)', [
    id,
    wanted,
  ]);
}

/** Checks that the people and tags of a draft exist. The error says which part is wrong. */
async function checkDraft(queries: Queries, { authorId, tagIds = [] }: PostDraft): Promise<void> {
  if (authorId !== undefined) await mustExist(queries, 'person', authorId, '#/authorId', 'user');
  for (const [at, tagId] of tagIds.entries()) await mustExist(queries, 'tag', tagId, `#/tagIds/${at}`, 'tag');
}

async function create({ queries, body, publish }: ApiRequest): Promise<Reply> {
  const draft = body as PostDraft;
  await checkDraft(queries, draft);
  const [made] = await queries.query<{ id: number }>(
    'insert into post (title, body, author_id) values ($1, $2, $3) returning id',
    [draft.title, draft.body ?? '', draft.authorId],
  );
  const id = String(made?.id);
  await setTags(queries, id, draft.tagIds);
  const value = await read(queries, id);
  publish({ entity: 'Post', id, value });
  return { status: 201, body: value, headers: { location: `/api/posts/${id}` } };
}

async function change({ queries, params, publish }: ApiRequest, draft: PostDraft): Promise<Reply> {
  const { id = '' } = params;
  await read(queries, id);
  await checkDraft(queries, draft);
  await queries.query(
    'update post set title = coalesce($2, title), body = coalesce($3, body), author_id = coalesce($4, author_id) where id = $1',
    [id, draft.title ?? null, draft.body ?? null, draft.authorId ?? null],
  );
  await setTags(queries, id, draft.tagIds);
  return changed(queries, id, publish);
}

async function changed(queries: Queries, id: string, publish: ApiRequest['publish']): Promise<Reply> {
  const value = await read(queries, id);
  publish({ entity: 'Post', id, value });
  return { status: 200, body: value };
}

const tag = 'posts';

export const postRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/posts',
    tag,
    summary: 'Posts with their author, comments and tags nested, page by page; Link has the neighbouring pages.',
    query: { ...pageQuery, ...filters },
    answers: { 200: { description: 'A page', schema: list('Post') } },
    handle: (request) => listPosts(request, POST_JSON),
  },
  {
    method: 'post',
    path: '/posts',
    tag,
    summary: 'Write a post.',
    body: drafts.post,
    answers: { 201: { description: 'The new post', schema: refTo('Post') } },
    handle: create,
  },
  {
    method: 'get',
    path: '/posts/{id}',
    tag,
    summary: 'One post.',
    params: { id: ID },
    answers: onePost,
    handle: (request) => onePostAs(request, POST_JSON),
  },
  {
    method: 'put',
    path: '/posts/{id}',
    tag,
    summary: 'Replace a post; fields that are left out become empty.',
    params: { id: ID },
    body: drafts.post,
    answers: onePost,
    handle: (request) => change(request, { body: '', tagIds: [], ...(request.body as PostDraft) }),
  },
  {
    method: 'patch',
    path: '/posts/{id}',
    tag,
    summary: 'Change parts of a post.',
    params: { id: ID },
    body: partly(drafts.post),
    answers: onePost,
    handle: (request) => change(request, request.body as PostDraft),
  },
  {
    method: 'delete',
    path: '/posts/{id}',
    tag,
    summary: 'Delete a post and its comments.',
    params: { id: ID },
    answers: { 204: { description: 'The post is deleted' } },
    async handle({ queries, params: { id = '' }, publish }) {
      await read(queries, id);
      await queries.query('delete from post where id = $1', [id]);
      publish({ entity: 'Post', id });
      return { status: 204 };
    },
  },
  {
    method: 'post',
    path: '/posts/{id}/votes',
    tag,
    summary: 'Add a vote. Simultaneous votes are all counted.',
    params: { id: ID },
    answers: onePost,
    async handle({ queries, params: { id = '' }, publish }) {
      await queries.query('update post set votes = votes + 1 where id = $1', [id]);
      return changed(queries, id, publish);
    },
  },
  {
    method: 'put',
    path: '/posts/{id}/tags/{tagId}',
    tag,
    summary: 'Tag a post.',
    params: { id: ID, tagId: ID },
    answers: onePost,
    async handle({ queries, params: { id = '', tagId = '' }, publish }) {
      await read(queries, id);
      if ((await count(queries, 'tag where id = $1', [tagId])) === 0) throw notFound('tag', tagId);
      await queries.query('insert into post_tag values ($1, $2) on conflict do nothing', [id, tagId]);
      return changed(queries, id, publish);
    },
  },
  {
    method: 'delete',
    path: '/posts/{id}/tags/{tagId}',
    tag,
    summary: 'Remove a tag from a post.',
    params: { id: ID, tagId: ID },
    answers: onePost,
    async handle({ queries, params: { id = '', tagId = '' }, publish }) {
      await queries.query('delete from post_tag where post_id = $1 and tag_id = $2', [id, tagId]);
      return changed(queries, id, publish);
    },
  },
  {
    method: 'get',
    path: '/feed',
    tag,
    summary: 'Posts by cursor. The body has results and nextCursor, and Link has the next page too.',
    query: cursorQuery,
    answers: { 200: { description: 'A page', schema: pageOfCursor('Post') } },
    async handle(request) {
      const limit = (request.query['limit'] as number) + 1;
      return cursorReply(
        request,
        await records<Post>(
          request.queries,
          `select ${POST_JSON} as json from post p where p.id > $1 order by p.id limit $2`,
          [cursorOf(request), limit],
        ),
      );
    },
  },
  {
    method: 'get',
    path: '/flat/posts',
    tag,
    summary: 'The same posts with ids in place of records.',
    query: { ...pageQuery, ...filters },
    answers: { 200: { description: 'A page', schema: list('FlatPost') } },
    handle: (request) => listPosts(request, FLAT_POST_JSON),
  },
  {
    method: 'get',
    path: '/flat/posts/{id}',
    tag,
    summary: 'One post with ids in place of records.',
    params: { id: ID },
    answers: { 200: { description: 'The post', schema: refTo('FlatPost') } },
    handle: (request) => onePostAs(request, FLAT_POST_JSON),
  },
  {
    method: 'get',
    path: '/flat/comments',
    tag,
    summary: 'Comments with the ids of their post and commenter.',
    query: { ...pageQuery, postId: ID, commenterId: ID },
    answers: { 200: { description: 'A page', schema: list('FlatComment') } },
    async handle(request) {
      const { limit, offset } = pageOf(request);
      const from = 'comment c where ($1::int is null or c.post_id = $1) and ($2::int is null or c.commenter_id = $2)';
      const wanted = [request.query['postId'] ?? null, request.query['commenterId'] ?? null];
      const found = await records(
        request.queries,
        `select ${FLAT_COMMENT_JSON} as json from ${from} order by c.id limit $3 offset $4`,
        [...wanted, limit, offset],
      );
      return pageReply(request, found, await count(request.queries, from, wanted));
    },
  },
];

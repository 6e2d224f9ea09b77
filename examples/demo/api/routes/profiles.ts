import { drafts, list, partly } from '../components.ts';
import { record, records } from '../database/database.ts';
import type { Queries } from '../database/database.ts';
import { refTo } from '../json-schema.ts';
import { notFound } from '../problem.ts';
import { ID } from '../route.ts';
import type { ApiRequest, Reply, Route } from '../route.ts';

const PROFILE_JSON = `jsonb_build_object('id', f.id) || f.document`;
const tag = 'profiles';
const oneProfile = { 200: { description: 'The profile', schema: refTo('Profile') } };

async function read(queries: Queries, id: string): Promise<object> {
  const profile = await record<object>(queries, `select ${PROFILE_JSON} as json from profile f where f.id = $1`, [id]);
  if (profile === undefined) throw notFound('profile', id);
  return profile;
}

async function change({ queries, params: { id = '' }, body, publish }: ApiRequest): Promise<Reply> {
  await queries.query('update profile set document = document || $2::jsonb where id = $1', [id, JSON.stringify(body)]);
  const value = await read(queries, id);
  publish({ entity: 'Profile', id: Number(id), value });
  return { status: 200, body: value };
}

/** Routes that read and write snake_case, at every depth. */
export const profileRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/profiles',
    tag,
    summary: 'Profiles, in snake_case.',
    answers: { 200: { description: 'All of them', schema: list('Profile') } },
    handle: async ({ queries }) => ({
      status: 200,
      body: await records(queries, `select ${PROFILE_JSON} as json from profile f order by f.id`),
    }),
  },
  {
    method: 'get',
    path: '/profiles/{id}',
    tag,
    summary: 'One profile.',
    params: { id: ID },
    answers: oneProfile,
    handle: async ({ queries, params: { id = '' } }) => ({ status: 200, body: await read(queries, id) }),
  },
  {
    method: 'put',
    path: '/profiles/{id}',
    tag,
    summary: 'Replace a profile. Keys in camelCase are refused.',
    params: { id: ID },
    body: drafts.profile,
    answers: oneProfile,
    handle: change,
  },
  {
    method: 'patch',
    path: '/profiles/{id}',
    tag,
    summary: 'Change parts of a profile.',
    params: { id: ID },
    body: partly(drafts.profile),
    answers: oneProfile,
    handle: change,
  },
];

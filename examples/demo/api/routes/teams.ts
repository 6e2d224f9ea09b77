import { drafts, list, partly } from '../components.ts';
import { record, records } from '../database/database.ts';
import type { Queries } from '../database/database.ts';
import { refTo } from '../json-schema.ts';
import { notFound, Problem } from '../problem.ts';
import { ID } from '../route.ts';
import type { ApiRequest, Reply, Route } from '../route.ts';
import { count, mustExist } from './existence.ts';

const TEAM_JSON = `json_build_object('id', t.id, 'parentId', t.parent_id, 'name', t.name)`;
const MEMBERSHIP_JSON = `json_build_object('id', m.id, 'teamId', m.team_id, 'userId', m.user_id, 'role', m.role)`;

interface TeamDraft {
  readonly name?: string;
  readonly parentId?: number;
}

interface MembershipDraft {
  readonly teamId?: number;
  readonly userId?: number;
  readonly role?: string;
}

async function readTeam(queries: Queries, id: string): Promise<object> {
  const team = await record<object>(queries, `select ${TEAM_JSON} as json from team t where t.id = $1`, [id]);
  if (team === undefined) throw notFound('team', id);
  return team;
}

async function readMembership(queries: Queries, id: string): Promise<object> {
  const found = await record<object>(queries, `select ${MEMBERSHIP_JSON} as json from membership m where m.id = $1`, [
    id,
  ]);
  if (found === undefined) throw notFound('membership', id);
  return found;
}

/** The team itself, and every team above it. */
const ABOVE = `with recursive above(id, parent_id) as (
  select id, parent_id from team where id = $1
  union all select t.id, t.parent_id from team t join above a on t.id = a.parent_id
) select id from above where id = $2`;

async function changeTeam({ queries, params: { id = '' }, body, publish }: ApiRequest): Promise<Reply> {
  const { name = null, parentId } = body as TeamDraft;
  await readTeam(queries, id);
  if (parentId !== undefined) {
    await mustExist(queries, 'team', parentId, '#/parentId', 'team');
    if ((await queries.query(ABOVE, [parentId, id])).length > 0)
      throw new Problem(409, `Team ${parentId} is team ${id} or below it.`);
  }
  await queries.query('update team set name = coalesce($2, name), parent_id = coalesce($3, parent_id) where id = $1', [
    id,
    name,
    parentId ?? null,
  ]);
  const value = await readTeam(queries, id);
  publish({ entity: 'Team', id: Number(id), value });
  return { status: 200, body: value };
}

async function join({ queries, body, publish }: ApiRequest): Promise<Reply> {
  const { teamId = 0, userId = 0, role } = body as MembershipDraft;
  await mustExist(queries, 'team', teamId, '#/teamId', 'team');
  await mustExist(queries, 'person', userId, '#/userId', 'user');
  if ((await count(queries, 'membership where team_id = $1 and user_id = $2', [teamId, userId])) > 0)
    throw new Problem(409, `User ${userId} is in team ${teamId} already.`);
  const [made] = await queries.query<{ id: number }>(
    'insert into membership (team_id, user_id, role) values ($1, $2, $3) returning id',
    [teamId, userId, role],
  );
  const id = made?.id ?? 0;
  const value = await readMembership(queries, String(id));
  publish({ entity: 'Membership', id, value });
  return { status: 201, body: value, headers: { location: `/api/memberships/${id}` } };
}

async function changeRole({ queries, params: { id = '' }, body, publish }: ApiRequest): Promise<Reply> {
  await readMembership(queries, id);
  await queries.query('update membership set role = $2 where id = $1', [id, (body as MembershipDraft).role]);
  const value = await readMembership(queries, id);
  publish({ entity: 'Membership', id: Number(id), value });
  return { status: 200, body: value };
}

async function leave({ queries, params: { id = '' }, publish }: ApiRequest): Promise<Reply> {
  await readMembership(queries, id);
  await queries.query('delete from membership where id = $1', [id]);
  publish({ entity: 'Membership', id: Number(id) });
  return { status: 204 };
}

const tag = 'teams';
const oneTeam = { 200: { description: 'The team', schema: refTo('Team') } };
const oneMembership = { 200: { description: 'The membership', schema: refTo('Membership') } };

export const teamRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/teams',
    tag,
    summary: 'Teams in a flat list, each with the id of its parent team.',
    answers: { 200: { description: 'All of them', schema: list('Team') } },
    handle: async ({ queries }) => ({
      status: 200,
      body: await records(queries, `select ${TEAM_JSON} as json from team t order by t.id`),
    }),
  },
  {
    method: 'get',
    path: '/teams/{id}',
    tag,
    summary: 'One team.',
    params: { id: ID },
    answers: oneTeam,
    handle: async ({ queries, params: { id = '' } }) => ({ status: 200, body: await readTeam(queries, id) }),
  },
  {
    method: 'patch',
    path: '/teams/{id}',
    tag,
    summary: 'Rename a team, or make it part of another one. 409 if that one is below it.',
    params: { id: ID },
    body: partly(drafts.team),
    answers: oneTeam,
    handle: changeTeam,
  },
  {
    method: 'get',
    path: '/memberships',
    tag,
    summary: 'The members of all teams, with their roles.',
    answers: { 200: { description: 'All of them', schema: list('Membership') } },
    handle: async ({ queries }) => ({
      status: 200,
      body: await records(queries, `select ${MEMBERSHIP_JSON} as json from membership m order by m.id`),
    }),
  },
  {
    method: 'post',
    path: '/memberships',
    tag,
    summary: 'Add a user to a team. 409 if the user is in the team already.',
    body: drafts.membership,
    answers: { 201: { description: 'The new membership', schema: refTo('Membership') } },
    handle: join,
  },
  {
    method: 'get',
    path: '/memberships/{id}',
    tag,
    summary: 'One membership.',
    params: { id: ID },
    answers: oneMembership,
    handle: async ({ queries, params: { id = '' } }) => ({ status: 200, body: await readMembership(queries, id) }),
  },
  {
    method: 'patch',
    path: '/memberships/{id}',
    tag,
    summary: 'Change the role.',
    params: { id: ID },
    body: drafts.role,
    answers: oneMembership,
    handle: changeRole,
  },
  {
    method: 'delete',
    path: '/memberships/{id}',
    tag,
    summary: 'Leave a team.',
    params: { id: ID },
    answers: { 204: { description: 'The user has left the team' } },
    handle: leave,
  },
];

import { list } from '../components.ts';
import { record, records } from '../database/database.ts';
import type { ApiRequest, Route } from '../route.ts';
import { ACTIVITY_JSON } from './issue-sql.ts';

/** Who changes issues here: the API knows no logins. */
export const VISITOR = 1;

export interface Happened {
  readonly issueId: number;
  readonly action: string;
  readonly detail?: string;
}

/** Stores what happened to an issue, and publishes it to the listeners of /events. */
export async function note(
  { queries, publish }: ApiRequest,
  { issueId, action, detail = '' }: Happened,
): Promise<void> {
  const [made] = await queries.query<{ id: number }>(
    'insert into activity (issue_id, person_id, action, detail) values ($1, $2, $3, $4) returning id',
    [issueId, VISITOR, action, detail],
  );
  const id = String(made?.id);
  const value = await record<object>(queries, `select ${ACTIVITY_JSON} as json from activity a where a.id = $1`, [id]);
  publish({ entity: 'Activity', id, value });
}

export const activityRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/activity',
    tag: 'issues',
    summary: 'What happened to issues, the latest first.',
    query: { limit: { type: 'integer', minimum: 1, maximum: 2_000, default: 500 } },
    answers: { 200: { description: 'The latest', schema: list('Activity') } },
    handle: async ({ queries, query }) => ({
      status: 200,
      body: await records(queries, `select ${ACTIVITY_JSON} as json from activity a order by a.id desc limit $1`, [
        query['limit'],
      ]),
    }),
  },
];

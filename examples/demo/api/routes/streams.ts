import { record, records } from '../database/database.ts';
import type { Queries } from '../database/database.ts';
import { eventStream } from '../event-stream.ts';
import { refTo } from '../json-schema.ts';
import { notFound } from '../problem.ts';
import type { Route, World } from '../route.ts';

interface Stream {
  readonly title: string;
  readonly game: string;
  readonly current_viewers: number;
  readonly live: boolean;
}

const SECOND = 1_000;
const params = { username: { type: 'string', minLength: 1, maxLength: 50 } } as const;
const tag = 'streams';

async function read(queries: Queries, username: string): Promise<Stream> {
  const stream = await record<Stream>(
    queries,
    `select json_build_object('title', s.title, 'game', s.game, 'current_viewers', s.current_viewers, 'live', s.live) as json
     from stream s where s.username = $1`,
    [username],
  );
  if (stream === undefined) throw notFound('stream of', username);
  return stream;
}

export function streamRoutes({ market, clock }: World): readonly Route[] {
  const now = (username: string, stream: Stream): Stream => ({
    ...stream,
    current_viewers: market.viewers(username, stream.current_viewers),
  });
  return [
    {
      method: 'get',
      path: '/streams',
      tag,
      summary: 'The usernames of all streams.',
      answers: { 200: { description: 'All of them', schema: { type: 'array', items: { type: 'string' } } } },
      handle: async ({ queries }) => ({
        status: 200,
        body: await records(queries, 'select to_json(s.username) as json from stream s order by s.username'),
      }),
    },
    {
      method: 'get',
      path: '/streams/{username}',
      tag,
      params,
      volatile: true,
      summary: 'A stream. Its username is in the path, and not in the answer.',
      answers: { 200: { description: 'The stream', schema: refTo('Stream') } },
      handle: async ({ queries, params: { username = '' } }) => ({
        status: 200,
        body: now(username, await read(queries, username)),
      }),
    },
    {
      method: 'get',
      path: '/streams/{username}/events',
      tag,
      params,
      summary: 'The stream once a second, also without its username.',
      answers: { 200: { description: 'stream', type: 'text/event-stream' } },
      async handle(request) {
        const { username = '' } = request.params;
        const stream = await read(request.queries, username);
        return eventStream(request, clock, (send) => {
          const sendStream = (): void => send({ id: String(market.step), name: 'stream', data: now(username, stream) });
          sendStream();
          return clock.every(SECOND, sendStream);
        });
      },
    },
  ];
}
